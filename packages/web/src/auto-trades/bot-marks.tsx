import type { AutoTrade, Evaluation } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { AutoTradeFigures } from '@pilotfish/core/auto-trades/bot-figures-contract';
import { distancePct } from '@pilotfish/core/auto-trades/position-risk';
import { formatPrice, UNKNOWN } from '@pilotfish/core/money/format';
import { useTranslation } from 'react-i18next';
import { useCalmPrice, usePairs } from '../prices/use-prices.ts';
import { ModeBadge } from '../ui/kit/badges.tsx';
import { BotState, type StateShape } from '../ui/kit/bot-state.tsx';
import { StatusSentence } from '../ui/kit/status-sentence.tsx';
import { useMoment } from '../ui/use-moment.ts';
import { useMoney } from '../wallets/use-money.ts';

const SHAPES: Readonly<Record<AutoTrade['state'], StateShape>> = {
  Draft: 'off',
  Disabled: 'off',
  Running: 'running',
  Paused: 'paused',
  Blocked: 'needs',
  Halted: 'stopped',
  Deleted: 'off',
};

/** The state of a bot, and that its exits are frozen. */
export function BotStatus({ bot }: { bot: Pick<AutoTrade, 'state' | 'exits'> }) {
  const { t } = useTranslation();
  return (
    <>
      <BotState shape={SHAPES[bot.state]}>{t(`botStates.${bot.state}`)}</BotState>
      {bot.exits === 'freeze' && <BotState shape="needs">{t('autoTrades.frozen.badge')}</BotState>}
    </>
  );
}

/** Whose money moves: never left to guess. */
export const BotMode = ({ mode }: { mode: AutoTrade['mode'] }) => <ModeBadge money={useMoney()(mode)} />;

type WaitsFor = NonNullable<Evaluation['waitsFor']>;

/** What a coin waits for, in words. */
export function useWaiting(symbol: string): (waitsFor: WaitsFor) => string {
  const { t } = useTranslation();
  const moment = useMoment();
  const pricePrecision = usePairs()?.get(symbol)?.pricePrecision;
  return ({ code, price, at, detail }) =>
    t(`waitsFor.${code}`, {
      price: price ? formatPrice(price, pricePrecision) : UNKNOWN,
      at: at ? moment(at) : UNKNOWN,
      detail,
    });
}

const NAMED = 3;

/**
 * A bot in a sentence: what it holds or why it rests, what it does next, at which price, and how far that is.
 * @param brief what it holds stands beside it: only what comes next is said
 */
export function BotSentence({
  bot,
  figures,
  brief = false,
}: {
  bot: AutoTrade;
  figures: Pick<AutoTradeFigures, 'holds' | 'next'> | undefined;
  brief?: boolean;
}) {
  const { t } = useTranslation();
  const moment = useMoment();
  const pairs = usePairs();
  const nameOf = (symbol: string) => pairs?.get(symbol)?.baseAsset ?? symbol;
  const coins = (figures?.holds ?? []).map(nameOf);
  const held =
    coins.length > 0
      ? t('botStatus.holds', { coins: coins.slice(0, NAMED).join(', ') + (coins.length > NAMED ? ` +${coins.length - NAMED}` : '') })
      : bot.openPositions > 0
        ? t('botStatus.open', { count: bot.openPositions })
        : t('botStatus.flat');
  if (bot.unreadPair) return <StatusSentence lead={t('autoTrades.unreadPair', { pair: bot.unreadPair })} />;
  if (bot.stateReason) {
    const reason = t(`botReasons.${bot.stateReason}`, { defaultValue: bot.stateReason });
    const next = bot.pausedUntil ? t('botStatus.until', { time: moment(bot.pausedUntil) }) : held;
    return <StatusSentence lead={/[.!?…]$/.test(reason) ? reason : `${reason}.`} next={next} />;
  }
  const isAtWork = bot.state === 'Running' || bot.state === 'Paused' || bot.state === 'Blocked';
  return isAtWork && figures?.next ? (
    <WithNext lead={brief ? undefined : held} asset={nameOf(figures.next.symbol)} next={figures.next} />
  ) : (
    <StatusSentence lead={held} />
  );
}

function WithNext({ lead, asset, next }: { lead: string | undefined; asset: string; next: NonNullable<AutoTradeFigures['next']> }) {
  const waiting = useWaiting(next.symbol);
  const newest = useCalmPrice(next.symbol);
  return (
    <StatusSentence
      lead={lead ?? `${asset}:`}
      next={lead === undefined ? waiting(next.waitsFor) : `${asset}: ${waiting(next.waitsFor)}`}
      distance={distancePct(newest ?? null, next.waitsFor.price) ?? next.distancePct}
    />
  );
}
