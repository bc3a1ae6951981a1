import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { coinsText, type Words } from '@pilotfish/core/auto-trades/config/setting-words';
import { decimal, divide, HUNDRED, isPositive, multiply, negate, toFloat } from '@pilotfish/core/money/decimal';
import { digits, type Money } from '@pilotfish/core/money/figure';
import { formatFixed, formatMoney, formatPercent, formatRatio, formatShare, moneyPlaces } from '@pilotfish/core/money/format';
import { shownFacts } from '@pilotfish/core/notifications/notification-facts';
import type { Need } from '@pilotfish/core/overview/overview-contract';
import { needActionText, needTexts } from '@pilotfish/core/overview/overview-words';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { usePairs } from '../../prices/use-prices.ts';
import { Sparkline } from '../../ui/charts/sparkline.tsx';
import { LinkButton } from '../../ui/controls.tsx';
import { shownTimeZone } from '../../ui/fields/field-time.ts';
import { BotState } from '../../ui/kit/bot-state.tsx';
import { Result } from '../../ui/kit/result.tsx';
import { StatusSentence } from '../../ui/kit/status-sentence.tsx';
import { Unknown } from '../../ui/kit/unknown.tsx';
import { UseBar } from '../../ui/kit/use-bar.tsx';
import { Second } from '../../ui/tables/table-cells.tsx';
import { useMoment } from '../../ui/use-moment.ts';
import { BotMode, BotSentence, BotStatus } from '../bot-marks.tsx';
import { TraceWords } from '../trace-words.tsx';
import type { BotRow } from './bot-rows.ts';

const NAMED = 4;

/** Why a figure of a bot is unknown: no price of what it holds, or nothing was answered. */
export function useWhyUnknown(): (row: BotRow) => string {
  const { t } = useTranslation();
  return ({ figures }) => t(figures === undefined ? 'overview.unknownYet' : 'overview.noPrice');
}

/** The name of a bot, whose money it moves, and its coins. Names wrap: a name that is cut off is not found. */
export function BotName({ bot, words }: { bot: AutoTrade; words: Words }) {
  const pairs = usePairs();
  const { symbols, coinFilterIds } = bot.config.coins;
  const named = symbols.slice(0, NAMED).map((symbol) => pairs?.get(symbol)?.baseAsset ?? symbol);
  const more = symbols.length - named.length;
  return (
    <>
      <Flex align="center" gap="7px" wrap="wrap">
        <Text asChild fontWeight="600" overflowWrap="anywhere" _hover={{ textDecoration: 'underline' }}>
          <Link to={`/auto-trade/detail/${bot.id}`}>{bot.name}</Link>
        </Text>
        <BotMode mode={bot.mode} />
      </Flex>
      <Second overflowWrap="anywhere">
        {coinFilterIds.length > 0 ? coinsText(bot.config.coins, words) : `${named.join(' · ')}${more > 0 ? ` +${more}` : ''}`}
      </Second>
    </>
  );
}

/** Facts of a need as its texts take them. */
function useNeedWords(need: Need | undefined) {
  const { t, i18n } = useTranslation();
  return useMemo(
    () =>
      need &&
      shownFacts(need.facts, {
        language: i18n.language,
        timeZone: shownTimeZone(),
        text: (key) => t(key, { defaultValue: '' }) || undefined,
      }),
    [need, t, i18n.language],
  );
}

/** The state of a bot; what needs somebody goes before its work going on. */
export function RowState({ row: { bot, need } }: { row: BotRow }) {
  const { t } = useTranslation();
  return need && (bot.state === 'Running' || bot.state === 'Paused') ? (
    <BotState shape="needs">{t('autoTrades.list.state.needs')}</BotState>
  ) : (
    <BotStatus bot={bot} />
  );
}

/** Why somebody is needed, or else what the bot waits for. */
export function RowSentence({ row: { bot, figures, need } }: { row: BotRow }) {
  const { t } = useTranslation();
  const pairs = usePairs();
  const words = useNeedWords(need);
  if (!need || !words) return <BotSentence bot={bot} figures={figures} brief />;
  const { symbol } = need;
  return (
    <StatusSentence
      {...(symbol === null
        ? { lead: t(needTexts(need).text, words) }
        : { lead: `${pairs?.get(symbol)?.baseAsset ?? symbol}:`, next: t(needTexts(need).text, words) })}
    />
  );
}

/** How many positions a bot holds of those it may. */
export function Slots({ row: { bot, figures } }: { row: BotRow }) {
  const { t } = useTranslation();
  const { used, most } = figures?.slots ?? { used: bot.openPositions, most: bot.config.maxOpenPositions };
  return (
    <chakra.span color="fg.subtle" fontSize="12px" whiteSpace="nowrap">
      {t('autoTrades.list.slots', { used, most })}
    </chakra.span>
  );
}

/** The one thing to do about what a bot needs. */
export function NeedAction({ row: { bot, need } }: { row: BotRow }) {
  const { t } = useTranslation();
  if (!need) return null;
  const action = t(needActionText(need));
  return (
    <LinkButton to={need.link} size="xs" variant="outline" color="fg" aria-label={t('autoTrades.actionOf', { action, name: bot.name })}>
      {action}
    </LinkButton>
  );
}

/** A sum of a bot. @param unit where bots of several currencies stand beside each other */
export function BotMoney({ row, value, unit = false }: { row: BotRow; value: Money | null | undefined; unit?: boolean }) {
  const reason = useWhyUnknown()(row);
  return <Result value={value ?? null} currency={row.bot.currency} reason={reason} unit={unit} />;
}

/** The sum of its exits. Floats, for a line of 72 pixels. */
export function BotCurve({ row: { bot, figures } }: { row: BotRow }) {
  const { t } = useTranslation();
  const values = useMemo(() => (figures?.curve ?? []).map(({ value }) => Number(digits(value))), [figures?.curve]);
  if (values.length < 2) return null;
  const last = values.at(-1) ?? 0;
  return (
    <Sparkline
      values={values}
      tone={last > 0 ? 'gain' : last < 0 ? 'loss' : 'muted'}
      label={`${bot.name}, ${t('overview.columns.exits')}`}
      format={(value) => formatMoney(value.toFixed(8), bot.currency)}
    />
  );
}

export function WinRate({ row }: { row: BotRow }) {
  const { t } = useTranslation();
  const { figures } = row;
  const why = useWhyUnknown();
  if (figures?.winRatePct == null) return <Unknown reason={figures ? t('autoTrades.list.noExits') : why(row)} />;
  return (
    <>
      {formatShare(figures.winRatePct, 0)}
      <Second>{t('autoTrades.list.ofExits', { count: figures.exits })}</Second>
    </>
  );
}

export function ProfitFactor({ row }: { row: BotRow }) {
  const { t } = useTranslation();
  const { figures } = row;
  const why = useWhyUnknown();
  if (figures?.profitFactor == null)
    return <Unknown reason={figures ? t(`autoTrades.list.${figures.exits === 0 ? 'noExits' : 'noLosses'}`) : why(row)} />;
  return <>{formatRatio(figures.profitFactor)}</>;
}

/** The largest fall; a large one asks for a look. */
export function Drawdown({ row }: { row: BotRow }) {
  const { t } = useTranslation();
  const { figures } = row;
  const why = useWhyUnknown();
  if (figures?.maxDrawdownPct == null) return <Unknown reason={figures ? t('autoTrades.list.noBudget') : why(row)} />;
  const fall = negate(decimal(figures.maxDrawdownPct));
  return <chakra.span color={toFloat(fall) <= -LARGE_FALL_PCT ? 'warning' : undefined}>{formatPercent(fall, 1)}</chakra.span>;
}
const LARGE_FALL_PCT = 10;

/** A sum beside a bar: whole units say enough of a currency of hundredths. */
const roughly = (value: Money, currency: string): string =>
  moneyPlaces(currency) === 2 ? formatFixed(decimal(value), 0) : formatMoney(value, currency);

export function InUse({ row }: { row: BotRow }) {
  const { t } = useTranslation();
  const { bot, figures } = row;
  const why = useWhyUnknown();
  if (!figures) return <Unknown reason={why(row)} />;
  const budget = decimal(figures.budget);
  const share = isPositive(budget) ? toFloat(divide(multiply(decimal(figures.inUse), HUNDRED), budget, 2)) : 0;
  return (
    <Box>
      <UseBar share={share} />
      <Second mt="3px">
        {t('autoTrades.list.part', { part: roughly(figures.inUse, bot.currency), whole: roughly(figures.budget, bot.currency) })}
      </Second>
    </Box>
  );
}

/** When it last did something; what that was is there for the pointer and the ear. */
export function LastEvent({ row: { bot, figures } }: { row: BotRow }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const at = figures?.lastEventAt ?? bot.lastTrace?.at;
  if (!at) return <Unknown reason={t('autoTrades.noTrace')} />;
  return (
    <time dateTime={at} title={moment(at, 'second')}>
      {moment(at, 'brief')}
      {bot.lastTrace && (
        <span className="visually-hidden">
          {' '}
          {t(`traceKinds.${bot.lastTrace.kind}`)}: <TraceWords trace={bot.lastTrace} currency={bot.currency} />
        </span>
      )}
    </time>
  );
}
