import type { AutoTrade, Evaluation } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { decimal, divide, HUNDRED, isDecimalText, isPositive, multiply, ONE, subtract, toFixedText } from '@pilotfish/core/money/decimal';
import type { Percent, Price } from '@pilotfish/core/money/figure';
import { formatPrice, UNKNOWN } from '@pilotfish/core/money/format';
import { useTranslation } from 'react-i18next';
import { usePairs, useTicker } from '../prices/use-prices.ts';
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

/** How far the newest price has to go to a level, percent of it; null where one of both is not known. */
export function distanceTo(level: Price | null, newest: Price | undefined): Percent | null {
  if (level === null || newest === undefined || !isDecimalText(newest) || !isDecimalText(level)) return null;
  const now = decimal(newest);
  return isPositive(now) ? toFixedText(multiply(subtract(divide(decimal(level), now), ONE), HUNDRED), 2) : null;
}

/** What a bot holds or why it rests, and what it waits for next. */
export function BotSentence({ bot, next }: { bot: AutoTrade; next: { symbol: string; waitsFor: WaitsFor } | null | undefined }) {
  const { t } = useTranslation();
  const isAtWork = bot.state === 'Running' || bot.state === 'Paused' || bot.state === 'Blocked';
  const lead = bot.stateReason
    ? t(`botReasons.${bot.stateReason}`, { defaultValue: bot.stateReason })
    : bot.openPositions === 0
      ? t('autoTrades.flat')
      : t('autoTrades.holds', { count: bot.openPositions });
  const whole = /[.!?]$/.test(lead) ? lead : `${lead}.`;
  return isAtWork && next ? <WithNext lead={whole} {...next} /> : <StatusSentence lead={whole} />;
}

function WithNext({ lead, symbol, waitsFor }: { lead: string; symbol: string; waitsFor: WaitsFor }) {
  const waiting = useWaiting(symbol);
  const newest = useTicker(symbol)?.price;
  return <StatusSentence lead={lead} next={`${symbol}: ${waiting(waitsFor)}`} distance={distanceTo(waitsFor.price, newest)} />;
}
