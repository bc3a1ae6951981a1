import {
  absolute,
  add,
  type Decimal,
  decimal,
  divide,
  greaterThan,
  HUNDRED,
  isNegative,
  isPositive,
  isZero,
  lessThan,
  multiply,
  ZERO,
} from '../src/money/decimal.ts';
import type { FoldedPosition } from '../src/positions/folded-position.ts';
import type { MonthResult } from '../src/positions/monthly-overview.ts';

type Draft = { -readonly [Key in keyof MonthResult]: MonthResult[Key] } & { won: Decimal; lost: Decimal };

/**
 * The months of positions that hold all of their lines, the plain way: what `MonthlyResults` is compared with. Newest
 * month first. `isBroken` keeps a position out of every sum;
 * `isExcluded` leaves it out altogether. Needs the positions' lines.
 */
export function monthsOfLists(
  positions: readonly FoldedPosition[],
  options: {
    readonly primary: string;
    readonly monthOf: (at: number) => string;
    readonly isBroken: (position: FoldedPosition) => boolean;
    readonly isExcluded: (position: FoldedPosition) => boolean;
  },
): MonthResult[] {
  const months = new Map<string, Draft>();
  const monthAt = (at: number, currency: string): Draft => {
    const month = options.monthOf(at);
    const key = `${month} ${currency}`;
    const known = months.get(key);
    if (known) return known;
    const fresh: Draft = {
      month,
      currency,
      realised: ZERO,
      realisedInPrimary: ZERO,
      fees: ZERO,
      volume: ZERO,
      closed: 0,
      wins: 0,
      losses: 0,
      winRatePct: null,
      profitFactor: null,
      best: null,
      worst: null,
      unmatched: 0,
      broken: 0,
      won: ZERO,
      lost: ZERO,
    };
    months.set(key, fresh);
    return fresh;
  };

  for (const position of positions) {
    if (options.isExcluded(position)) continue;
    const currency = position.quoteAsset;
    if (options.isBroken(position)) {
      const month = monthAt(position.closedAt ?? position.lastAt, currency);
      month.broken += 1;
      if (position.reasons.has('OVERSOLD')) month.unmatched += 1;
      continue;
    }
    for (const line of position.lines) {
      const { trade, realised } = line;
      if (trade === null && realised === null) continue;
      const month = monthAt(line.at, currency);
      if (trade !== null) {
        month.volume = add(month.volume, decimal(trade.quoteQuantity));
        month.fees = add(month.fees, feeOf(trade));
      }
      if (realised === null) continue;
      month.realised = add(month.realised, realised);
      // Given away and closed by hand happen in the primary currency or have no rate of their own.
      const rate = currency === options.primary ? '1' : (trade?.quoteRate ?? null);
      month.realisedInPrimary =
        rate === null || month.realisedInPrimary === null ? null : add(month.realisedInPrimary, multiply(realised, decimal(rate)));
    }
    if (position.closedAt !== null) countClosed(monthAt(position.closedAt, currency), position.realised);
  }
  return [...months.values()]
    .map(({ won, lost, ...month }) => ({
      ...month,
      winRatePct: month.closed === 0 ? null : divide(multiply(decimal(month.wins), HUNDRED), decimal(month.closed)),
      profitFactor: isZero(lost) ? null : divide(won, lost),
    }))
    .sort((one, other) => (one.month === other.month ? (one.currency < other.currency ? -1 : 1) : one.month < other.month ? 1 : -1));
}

function countClosed(month: Draft, result: Decimal): void {
  month.closed += 1;
  if (isPositive(result)) {
    month.wins += 1;
    month.won = add(month.won, result);
  } else if (isNegative(result)) {
    month.losses += 1;
    month.lost = add(month.lost, absolute(result));
  }
  if (month.best === null || greaterThan(result, month.best)) month.best = result;
  if (month.worst === null || lessThan(result, month.worst)) month.worst = result;
}

/** The fee of a fill in quote units; a base fee at the fill's price. One without a known value breaks its position. */
function feeOf(trade: NonNullable<FoldedPosition['lines'][number]['trade']>): Decimal {
  if (trade.feeAsset === trade.quoteAsset) return decimal(trade.fee);
  if (trade.feeAsset === trade.baseAsset) return multiply(decimal(trade.fee), decimal(trade.price));
  return trade.feeInQuote === null ? ZERO : decimal(trade.feeInQuote);
}
