import { Box, Flex, Heading, Text } from '@chakra-ui/react';
import { formatPercentNumber, formatResult } from '@pilotfish/core/money/format';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import { NextStep } from '../../app/next-step/next-step.tsx';
import { useRefusal } from '../../platform/use-trading.tsx';
import { Badge, Panel } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Button } from '../../ui/primitives.tsx';
import { EmptyState } from '../../ui/state-panels.tsx';
import { toneOf } from '../../ui/theme/tone.ts';
import { showToast } from '../../ui/toasts.ts';
import { UnreadableItems, useUnreadable } from '../../ui/unreadable-items.tsx';
import { BalanceDialog } from '../../wallets/balance-dialog.tsx';
import { TermsDialog } from '../../wallets/paper-terms.tsx';
import { WalletBar } from '../../wallets/wallet-bar.tsx';
import { WalletForm } from '../../wallets/wallet-form.tsx';
import { WalletLedger } from '../../wallets/wallet-ledger.tsx';
import { BotMode } from '../bot-marks.tsx';
import { useAutoTrades, useWallets } from '../use-auto-trades.ts';
import { AutoTradesFrame } from './auto-trades-frame.tsx';
import { CardList, UsedBy } from './card-list.tsx';

/** Budgets of bots: what is free, set aside, invested, and what they earned. */
export default function WalletsPage() {
  const { t } = useTranslation();
  const wallets = useWallets();
  const unreadable = useUnreadable('wallet');
  const bots = useAutoTrades();
  const [opening, setOpening] = useState(false);
  const [opened, setOpened] = useState<string>();
  const refusal = useRefusal('bots');
  const open = (
    <Button colorPalette="brand" {...refusal} onClick={() => setOpening(true)}>
      <Icon name="plus" size={18} />
      {t('autoTrades.wallet.open')}
    </Button>
  );
  return (
    <AutoTradesFrame title={t('routes.wallets')} lead={t('wallets.lead')} query={wallets} actions={open}>
      <Box mb={unreadable.length > 0 ? '5' : undefined}>
        <UnreadableItems items={unreadable} />
      </Box>
      <NextStep after="wallet" id={opened} />
      <CardList
        query={wallets}
        empty={
          <EmptyState icon="key" title={t('wallets.emptyTitle')} action={open}>
            {t('wallets.emptyLead')}
          </EmptyState>
        }
      >
        {(wallet) => <WalletCard wallet={wallet} bots={(bots.data ?? []).filter(({ walletId }) => walletId === wallet.id)} />}
      </CardList>
      <Dialog open={opening} title={t('autoTrades.wallet.title')} onClose={() => setOpening(false)} width={600}>
        <WalletForm
          onOpened={(wallet) => {
            setOpening(false);
            setOpened(wallet.id);
            void showToast('success', t('wallets.opened', { name: wallet.name }));
          }}
          onCancel={() => setOpening(false)}
        />
      </Dialog>
    </AutoTradesFrame>
  );
}

function WalletCard({ wallet, bots }: { wallet: Wallet; bots: readonly { id: string; name: string }[] }) {
  const { t } = useTranslation();
  const [query, setQuery] = useSearchParams();
  const [changing, setChanging] = useState(false);
  const [settingTerms, setSettingTerms] = useState(false);
  const { makerFeePct, takerFeePct, latencyMs } = wallet;
  const hasTerms = makerFeePct !== null && takerFeePct !== null && latencyMs !== null;
  const refusal = useRefusal('bots');
  const isOpen = query.get('ledger') === wallet.id;
  return (
    <Panel as="article" display="flex" flexDirection="column" gap="4">
      <Flex justify="space-between" gap="3" align="flex-start">
        <Heading as="h2" textStyle="title" overflowWrap="anywhere">
          {wallet.name}
        </Heading>
        <Flex gap="1.5" wrap="wrap" justify="flex-end">
          <BotMode mode={wallet.mode} />
          <Badge tone={wallet.status === 'Ready' ? 'brand' : 'danger'}>{t(`wallets.status.${wallet.status}`)}</Badge>
        </Flex>
      </Flex>
      {wallet.status === 'Underfunded' && <Text color="danger.fg">{t('wallets.underfunded')}</Text>}
      <WalletBar wallet={wallet} legend />
      <Flex gap="4" wrap="wrap" fontSize="13px">
        <span>
          {t('wallets.realised')}{' '}
          <Text as="b" className={toneOf(wallet.realised)}>
            {formatResult(wallet.realised, wallet.currency)}
          </Text>
        </span>
        <Text as="span" color="fg.muted">
          {t('wallets.keeps', { value: formatPercentNumber(wallet.reservePct) })}
        </Text>
      </Flex>
      {hasTerms && (
        <Text fontSize="13px" color="fg.muted">
          {t('wallets.terms.summary', {
            maker: formatPercentNumber(makerFeePct),
            taker: formatPercentNumber(takerFeePct),
            latency: latencyMs,
          })}
        </Text>
      )}
      <UsedBy bots={bots} lead={t('wallets.usedBy')} none={t('wallets.noBots')} />
      <Flex gap="2" wrap="wrap">
        <Button
          size="sm"
          variant="outline"
          color="fg"
          aria-label={t('wallets.changeOf', { name: wallet.name })}
          {...refusal}
          onClick={() => setChanging(true)}
        >
          {t('wallets.change')}
        </Button>
        {hasTerms && (
          <Button
            size="sm"
            variant="outline"
            color="fg"
            aria-label={t('wallets.terms.of', { name: wallet.name })}
            {...refusal}
            onClick={() => setSettingTerms(true)}
          >
            {t('wallets.terms.title')}
          </Button>
        )}
        <Button
          size="sm"
          variant="outline"
          color="fg"
          aria-expanded={isOpen}
          aria-label={t('wallets.ledgerOf', { name: wallet.name })}
          onClick={() => setQuery(isOpen ? {} : { ledger: wallet.id }, { replace: true })}
        >
          {t('wallets.ledger')}
        </Button>
        <Button asChild size="sm" variant="ghost" color="brand.fg">
          <Link to={`/auto-trade/create?wallet=${wallet.id}`} aria-label={t('wallets.useOf', { name: wallet.name })}>
            {t('wallets.use')}
          </Link>
        </Button>
      </Flex>
      {isOpen && <WalletLedger wallet={wallet} />}
      <TermsDialog open={settingTerms} wallet={wallet} onClose={() => setSettingTerms(false)} />
      <BalanceDialog open={changing} wallet={wallet} onClose={() => setChanging(false)} />
    </Panel>
  );
}
