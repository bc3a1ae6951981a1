import { Box, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import { type AutoTrade, type BotAction, botAction, type Evaluation } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { AutoTradeFigures } from '@pilotfish/core/auto-trades/bot-figures-contract';
import { coinsText, type Words } from '@pilotfish/core/auto-trades/config/setting-words';
import { digits } from '@pilotfish/core/money/figure';
import { formatCurrency } from '@pilotfish/core/money/format';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { ALIGNED_FIGURES } from '../../ui/aligned-figures.ts';
import { Sparkline } from '../../ui/charts/sparkline.tsx';
import { LinkButton, Panel } from '../../ui/controls.tsx';
import { Result } from '../../ui/kit/result.tsx';
import { toneOf } from '../../ui/tone.ts';
import { useMoment } from '../../ui/use-moment.ts';
import { WalletBar } from '../../wallets/wallet-bar.tsx';
import { BotActions } from '../bot-actions.tsx';
import { BotMode, BotSentence, BotStatus, useWaiting } from '../bot-marks.tsx';
import { Figure } from '../figure.tsx';
import { TimeLeft } from '../time-left.tsx';
import { TraceWords } from '../trace-words.tsx';

/** One bot at a glance: state in words, money, the last thing it did and the next it waits for. */
export function BotCard({
  bot,
  figures,
  wallet,
  words,
}: {
  bot: AutoTrade;
  figures: AutoTradeFigures | undefined;
  wallet: Wallet | undefined;
  words: Words;
}) {
  const { t } = useTranslation();
  const moment = useMoment();
  return (
    <Panel display="flex" flexDirection="column" gap="4" h="100%">
      <Flex justify="space-between" align="flex-start" gap="3">
        <Box minW="0">
          <Heading as="h2" textStyle="title" truncate className="rings-inside">
            <Link to={`/auto-trade/detail/${bot.id}`}>{bot.name}</Link>
          </Heading>
          <Text color="fg.muted" fontSize="13px" truncate>
            {coinsText(bot.config.coins, words)}
          </Text>
        </Box>
        <Flex gap="2" wrap="wrap" justify="flex-end" align="center">
          <BotMode mode={bot.mode} />
          <BotStatus bot={bot} />
        </Flex>
      </Flex>
      <Text fontSize="13px">
        <BotSentence bot={bot} figures={figures} />
        {bot.pausedUntil && (
          <Text as="span" color="warning">
            {' '}
            <TimeLeft until={bot.pausedUntil} />
          </Text>
        )}
      </Text>
      <Grid as="dl" templateColumns="repeat(3, minmax(0, 1fr))" gap="3" css={ALIGNED_FIGURES}>
        <Figure term={t('autoTrades.today')} value={<Result value={bot.realisedToday} currency={bot.currency} reason="" unit />} />
        <Figure term={t('autoTrades.total')} value={<Result value={bot.realised} currency={bot.currency} reason="" unit />}>
          <Results bot={bot} curve={figures?.curve ?? NO_EXITS} />
        </Figure>
        <Figure term={t('autoTrades.open')} value={`${bot.openPositions} / ${bot.config.maxOpenPositions}`} />
      </Grid>
      {wallet && (
        <Box>
          <Flex justify="space-between" fontSize="13px" gap="3" mb="1">
            <Text color="fg.muted" truncate>
              {wallet.name}
            </Text>
            <Text css={{ fontVariantNumeric: 'tabular-nums' }}>
              {t('autoTrades.free', { amount: formatCurrency(wallet.free, wallet.currency) })}
            </Text>
          </Flex>
          <WalletBar wallet={wallet} />
        </Box>
      )}
      <Flex direction="column" gap="2" flex="1" fontSize="13px" borderTopWidth="1px" borderColor="border.subtle" pt="3">
        {bot.lastTrace ? (
          <Box>
            <Text color="fg.muted">
              {t(`traceKinds.${bot.lastTrace.kind}`)} · {moment(bot.lastTrace.at)}
            </Text>
            <TraceWords trace={bot.lastTrace} currency={bot.currency} />
          </Box>
        ) : (
          <Text color="fg.muted">{t('autoTrades.noTrace')}</Text>
        )}
      </Flex>
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
        <BotActions bot={bot} only={ON_CARD} />
      </Flex>
    </Panel>
  );
}

/** Freezing and halting have room for what they mean on the bot's own page. */
export const ON_CARD: readonly BotAction[] = botAction.options.filter((action) => action !== 'freeze' && action !== 'halt');
const NO_EXITS: AutoTradeFigures['curve'] = [];

/** The sum of what it realised, exit by exit. Floats, for a line of 72 pixels. */
function Results({ bot, curve }: { bot: AutoTrade; curve: AutoTradeFigures['curve'] }) {
  const values = useMemo(() => curve.map(({ value }) => Number(digits(value))), [curve]);
  if (values.length < 2) return null;
  const tone = toneOf(bot.realised);
  return <Sparkline values={values} tone={tone === '' ? 'muted' : tone} />;
}

/** What only its owner, or the exchange, can end does not look like a bot that waits for its price. */
export const waitingColour = ({ code }: NonNullable<Evaluation['waitsFor']>): string =>
  code === 'user' || code === 'pair-read' ? 'danger.fg' : code === 'refused' ? 'secondary.fg' : 'brand.fg';

/** What a coin waits for, in words. */
export const Waiting = ({ symbol, waitsFor }: { symbol: string; waitsFor: NonNullable<Evaluation['waitsFor']> }) =>
  useWaiting(symbol)(waitsFor);
