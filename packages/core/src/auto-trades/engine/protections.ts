import { compare, decimal, divide, HUNDRED, isNegative, isPositive, multiply, subtract, sum, toText, ZERO } from '../../money/decimal.ts';
import { digits } from '../../money/figure.ts';
import { dayOf } from '../../time/calendar-day.ts';
import type { Protections } from '../config/auto-trade-config.ts';
import type { PositionContext } from '../position/position-state.ts';
import type { Pause } from './bot-pauses.ts';

/** One closed position, as the protections need it. Amounts in the wallet's currency, decimal text; venue time in ms. */
export type ClosedTrade = {
  readonly symbol: string;
  readonly closedAt: number;
  readonly realised: string;
  /** What was paid for what was sold, fees included. */
  readonly cost: string;
  /** The result of the whole wallet since it began, this trade included. */
  readonly walletRealised: string;
  /** What had been put into the wallet by then, less what had been taken out; absent: as much as now. */
  readonly paidIn?: string;
};

export const PROTECTIONS = ['lossStreak', 'drawdown', 'lowProfitCoin', 'dailyLoss', 'btcGuard'] as const;
export type ProtectionName = (typeof PROTECTIONS)[number];

/** A protection that stepped in: entries pause until `until` (venue ms), of the bot or of one coin. */
export type ProtectionVerdict = {
  readonly protection: ProtectionName;
  readonly scope: 'bot' | 'coin';
  readonly symbol: string | null;
  readonly until: number;
  readonly observed: string;
  readonly limit: string;
};
export type ProtectionWarning = { readonly protection: ProtectionName; readonly observed: string; readonly limit: string };

const HOUR_MS = 3_600_000;
/** A day of any zone, with the hours that a change of the clocks adds: two at one place. */
const LONGEST_DAY_HOURS = 26;
const WARN_SHARE = decimal('0.8');

/** How far back the closed trades have to reach, in ms. */
export function protectionLookback(protections: Protections): number {
  const hours = [
    protections.lossStreak.count > 0 ? protections.lossStreak.lookbackHours : 0,
    isPositive(decimal(protections.drawdown.maxPct)) ? protections.drawdown.lookbackHours : 0,
    protections.lowProfitCoin?.lookbackHours ?? 0,
    protections.dailyLoss ? LONGEST_DAY_HOURS : 0,
  ];
  return Math.max(...hours) * HOUR_MS;
}

/** How long the longest pause after a closed position lasts, ms. */
function longestPause({ lossStreak, drawdown, lowProfitCoin, dailyLoss }: Protections): number {
  return Math.max(lossStreak.pauseHours, drawdown.pauseHours, lowProfitCoin?.pauseHours ?? 0, dailyLoss ? LONGEST_DAY_HOURS : 0) * HOUR_MS;
}

/**
 * How far back the closed trades have to reach to tell which pauses are in force, in ms: one that began a while ago was
 * judged by trades that are older still.
 */
export const protectionReach = (protections: Protections): number => protectionLookback(protections) + longestPause(protections);

/** What was sold of a closed position cost; null: nothing was, or not at a price, which is neither a gain nor a loss. */
export function soldCost({ spent, cost, exitReason }: Pick<PositionContext, 'spent' | 'cost' | 'exitReason'>): string | null {
  const sold = subtract(decimal(spent), decimal(cost));
  return exitReason === 'PriceJump' || (exitReason === 'SoldOutside' && !isPositive(sold)) ? null : toText(sold);
}

const ofBot = (protection: ProtectionName, until: number) => ({ protection, scope: 'bot', symbol: null, until }) as const;

/** What the last trades say of losses in a row; undefined: nothing. */
function judgeLossStreak(
  { count, lookbackHours, pauseHours }: Protections['lossStreak'],
  trades: readonly ClosedTrade[],
  at: number,
): ProtectionVerdict | undefined {
  if (count === 0) return undefined;
  const since = at - lookbackHours * HOUR_MS;
  let streak = 0;
  for (let index = trades.length - 1; index >= 0; index -= 1) {
    const trade = trades[index]!;
    if (!(trade.closedAt > since)) continue;
    if (!isNegative(decimal(trade.realised))) break;
    streak += 1;
  }
  if (streak < count) return undefined;
  return { ...ofBot('lossStreak', at + pauseHours * HOUR_MS), observed: String(streak), limit: String(count) };
}

/**
 * What the protections say after a position was closed. `trades` are the bot's closed positions, oldest first, the new
 * one last; `paidIn` is what was put into the wallet less what was taken out, the base of its curve, where the last trade
 * does not say it itself.
 */
export function judgeProtections(
  protections: Protections,
  trades: readonly ClosedTrade[],
  paidIn: string,
): { readonly verdicts: readonly ProtectionVerdict[]; readonly warnings: readonly ProtectionWarning[] } {
  const last = trades.at(-1);
  if (!last) return { verdicts: [], warnings: [] };
  const at = last.closedAt;
  const verdicts: ProtectionVerdict[] = [];
  const warnings: ProtectionWarning[] = [];
  const since = (hours: number) => trades.filter((trade) => trade.closedAt > at - hours * HOUR_MS);

  const { lossStreak, drawdown, lowProfitCoin, dailyLoss } = protections;
  const streak = judgeLossStreak(lossStreak, trades, at);
  if (streak) verdicts.push(streak);

  const limit = decimal(drawdown.maxPct);
  if (isPositive(limit)) {
    const window = since(drawdown.lookbackHours);
    // The curve begins where the wallet stood before the first trade of the window.
    const first = window[0]!;
    let top = subtract(decimal(first.walletRealised), decimal(first.realised));
    for (const trade of window) if (compare(decimal(trade.walletRealised), top) > 0) top = decimal(trade.walletRealised);
    const height = sum([decimal(last.paidIn ?? paidIn), top]);
    const fall = subtract(top, decimal(last.walletRealised));
    if (isPositive(height) && compare(multiply(fall, HUNDRED), multiply(limit, height)) >= 0) {
      const observed = toText(divide(multiply(fall, HUNDRED), height, 4));
      verdicts.push({ ...ofBot('drawdown', at + drawdown.pauseHours * HOUR_MS), observed, limit: digits(drawdown.maxPct) });
    }
  }

  if (lowProfitCoin) {
    const own = since(lowProfitCoin.lookbackHours).filter((trade) => trade.symbol === last.symbol);
    const cost = sum(own.map((trade) => decimal(trade.cost)));
    if (own.length >= lowProfitCoin.minTrades && isPositive(cost)) {
      const earned = sum(own.map((trade) => decimal(trade.realised)));
      if (compare(multiply(earned, HUNDRED), multiply(decimal(lowProfitCoin.minProfitPct), cost)) < 0) {
        const until = at + lowProfitCoin.pauseHours * HOUR_MS;
        const facts = { observed: toText(divide(multiply(earned, HUNDRED), cost, 4)), limit: digits(lowProfitCoin.minProfitPct) };
        verdicts.push({ protection: 'lowProfitCoin', scope: 'coin', symbol: last.symbol, until, ...facts });
      }
    }
  }

  if (dailyLoss) {
    const { start, end } = dayOf(at, dailyLoss.tz);
    const earned = sum(trades.filter((trade) => trade.closedAt >= start).map((trade) => decimal(trade.realised)));
    const lost = isNegative(earned) ? subtract(ZERO, earned) : ZERO;
    const most = decimal(dailyLoss.amount);
    const facts = { observed: toText(lost), limit: digits(dailyLoss.amount) };
    if (compare(lost, most) >= 0) verdicts.push({ ...ofBot('dailyLoss', end), ...facts });
    else if (compare(lost, multiply(most, WARN_SHARE)) >= 0) warnings.push({ protection: 'dailyLoss', ...facts });
  }
  return { verdicts, warnings };
}

/**
 * The pauses in force at `at`, told from the closed positions alone: what a restart has to know. Those of positions
 * closed up to `since` were lifted by the owner.
 */
export function pausesInForce(
  protections: Protections,
  trades: readonly ClosedTrade[],
  { paidIn, since, at }: { readonly paidIn: string; readonly since: number; readonly at: number },
): Pause[] {
  const found = new Map<string | null, Pause>();
  const over = at - longestPause(protections);
  for (let end = 1; end <= trades.length; end += 1) {
    const { closedAt } = trades[end - 1]!;
    if (closedAt <= since || closedAt <= over || closedAt > at) continue;
    const within = trades.slice(0, end).filter((trade) => trade.closedAt > closedAt - protectionLookback(protections));
    for (const { symbol, until, protection } of judgeProtections(protections, within, paidIn).verdicts) {
      const known = found.get(symbol);
      if (until > at && (!known || until > known.until)) found.set(symbol, { symbol, until, reason: protection });
    }
  }
  return [...found.values()];
}

/** How far BTC is below its highest price, in percent (binary: for finding, never for orders), against the guard. */
export function guardHolds(guard: NonNullable<Protections['btcGuard']>, price: number, high: number, paused: boolean): boolean {
  const fallPct = high > 0 ? ((high - price) / high) * 100 : 0;
  return paused ? fallPct > Number(guard.resumePct) : fallPct >= Number(guard.dropPct);
}
