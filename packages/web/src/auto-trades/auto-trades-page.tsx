import { Box, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { traceText } from '@pilotfish/core/auto-trades/trace-text';
import { formatCurrency, formatSigned } from '@pilotfish/core/money/format';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { LinkButton, Notice, Panel } from '../ui/controls.tsx';
import { Icon } from '../ui/icons.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { EmptyState, ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { toneOf } from '../ui/tone.ts';
import { BotActions, BotState, ModeBadge } from './bot-actions.tsx';
import { Figure } from './figure.tsx';
import { useAutoTrades, useWallets } from './use-auto-trades.ts';

/** Every bot with its state in words, its result, and the last thing it did. */
export default function AutoTradesPage() {
  const { t, i18n } = useTranslation();
  const bots = useAutoTrades();
  const wallets = useWallets();
  return (
    <>
      <PageHeader
        title={t('routes.autoTrades')}
        lead={t('autoTrades.lead')}
        actions={
          <LinkButton to="/auto-trade/create" colorPalette="brand">
            <Icon name="plus" size={18} />
            {t('autoTrades.create')}
          </LinkButton>
        }
      />
      {bots.isStale && bots.loadedAt !== undefined && (
        <Box mb="4">
          <Notice tone="warning">{t('autoTrades.stale', { time: new Date(bots.loadedAt).toLocaleTimeString(i18n.language) })}</Notice>
        </Box>
      )}
      {bots.hasFailed ? (
        <Panel>
          <ErrorPanel problem={bots.problem} onRetry={bots.retry} />
        </Panel>
      ) : !bots.data ? (
        <Grid templateColumns={{ base: '1fr', lg: '1fr 1fr' }} gap="5">
          {[1, 2].map((card) => (
            <Panel key={card}>
              <Skeleton rows={5} height={22} />
            </Panel>
          ))}
        </Grid>
      ) : bots.data.length === 0 ? (
        <Panel>
          <EmptyState
            icon="bots"
            title={t('autoTrades.emptyTitle')}
            action={
              <LinkButton to="/auto-trade/create" colorPalette="brand">
                {t('autoTrades.createFirst')}
              </LinkButton>
            }
          >
            {t('autoTrades.emptyLead')}
          </EmptyState>
        </Panel>
      ) : (
        <Grid as="ul" listStyleType="none" templateColumns={{ base: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' }} gap="5">
          {bots.data.map((bot) => (
            <li key={bot.id}>
              <BotCard bot={bot} wallet={wallets.data?.find(({ id }) => id === bot.walletId)} />
            </li>
          ))}
        </Grid>
      )}
    </>
  );
}

function BotCard({ bot, wallet }: { bot: AutoTrade; wallet: Wallet | undefined }) {
  const { t, i18n } = useTranslation();
  return (
    <Panel display="flex" flexDirection="column" gap="4" h="100%">
      <Flex justify="space-between" align="flex-start" gap="3">
        <Box minW="0">
          <Heading as="h2" textStyle="title" truncate>
            <Link to={`/auto-trade/detail/${bot.id}`}>{bot.name}</Link>
          </Heading>
          <Text color="fg.muted" fontSize="13px" truncate lang="en" translate="no">
            {bot.config.coins.symbols.slice(0, 4).join(', ')}
            {bot.config.coins.symbols.length > 4 && ` +${bot.config.coins.symbols.length - 4}`}
          </Text>
        </Box>
        <Flex gap="1.5" wrap="wrap" justify="flex-end">
          <ModeBadge mode={bot.mode} />
          <BotState bot={bot} />
        </Flex>
      </Flex>
      {bot.stateReason && <Text fontSize="13px">{t(`botReasons.${bot.stateReason}`, { defaultValue: bot.stateReason })}</Text>}
      <Grid as="dl" templateColumns="repeat(3, minmax(0, 1fr))" gap="3">
        <Figure
          term={t('autoTrades.today')}
          tone={toneOf(bot.realisedToday)}
          value={`${formatSigned(bot.realisedToday)} ${bot.currency}`}
        />
        <Figure term={t('autoTrades.total')} tone={toneOf(bot.realised)} value={`${formatSigned(bot.realised)} ${bot.currency}`} />
        <Figure term={t('autoTrades.open')} value={`${bot.openPositions} / ${bot.config.maxOpenPositions}`} />
      </Grid>
      {wallet && <WalletUse wallet={wallet} />}
      <Box flex="1" fontSize="13px" borderTopWidth="1px" borderColor="border.subtle" pt="3">
        {bot.lastTrace ? (
          <>
            <Text color="fg.muted">
              {t(`traceKinds.${bot.lastTrace.kind}`)} ·{' '}
              {new Date(bot.lastTrace.at).toLocaleString(i18n.language, { dateStyle: 'short', timeStyle: 'short' })}
            </Text>
            <Text>{traceText(bot.lastTrace, bot.currency, (keys, values) => t(keys, values))}</Text>
          </>
        ) : (
          <Text color="fg.muted">{t('autoTrades.noTrace')}</Text>
        )}
      </Box>
      <Flex gap="2" justify="space-between" wrap="wrap">
        <LinkButton
          to={`/auto-trade/detail/${bot.id}`}
          size="sm"
          variant="outline"
          color="fg"
          aria-label={t('autoTrades.detailsOf', { name: bot.name })}
        >
          {t('autoTrades.details')}
        </LinkButton>
        <BotActions bot={bot} only={['enable', 'acknowledge', 'disable']} />
      </Flex>
    </Panel>
  );
}

/** How much of its wallet is invested, set aside and free. */
function WalletUse({ wallet }: { wallet: Wallet }) {
  const { t } = useTranslation();
  const parts = [
    { key: 'invested', value: Number(wallet.invested), color: 'brand.solid' },
    { key: 'reserved', value: Number(wallet.reserved), color: 'secondary.solid' },
  ] as const;
  const total = Number(wallet.free) + parts[0].value + parts[1].value || 1;
  return (
    <Box>
      <Flex justify="space-between" fontSize="13px" gap="3">
        <Text color="fg.muted" truncate>
          {wallet.name}
        </Text>
        <Text css={{ fontVariantNumeric: 'tabular-nums' }}>
          {t('autoTrades.free', { amount: formatCurrency(wallet.free, wallet.currency) })}
        </Text>
      </Flex>
      <Flex
        h="6px"
        mt="1"
        bg="bg.raised"
        borderRadius="full"
        overflow="hidden"
        role="img"
        aria-label={t('autoTrades.walletUse', {
          invested: formatCurrency(wallet.invested, wallet.currency),
          reserved: formatCurrency(wallet.reserved, wallet.currency),
        })}
      >
        {parts.map(({ key, value, color }) => (
          <Box key={key} bg={color} style={{ width: `${(value / total) * 100}%` }} />
        ))}
      </Flex>
    </Box>
  );
}
