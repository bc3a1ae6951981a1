import {
  add,
  type Decimal,
  decimal,
  divide,
  greaterThan,
  HUNDRED,
  isNegative,
  isPositive,
  isZero,
  multiply,
  negate,
  subtract,
  ZERO,
} from '../money/decimal.ts';

/** A position that was closed after it bought something. Sums in the quote asset, times epoch ms; `result` is after all fees. */
export type ClosedExit = { readonly at: number; readonly result: Decimal; readonly heldMs: number; readonly reason: string | null };

/** Ended at its cost because its unit changed: neither won nor lost by what the bot did. */
export const isUndecided = (reason: string | null, result: Decimal): boolean => reason === 'PriceJump' && isZero(result);

/** Percent of positions that won, 2 decimals; null without any. */
export const winRatePct = (wins: number, trades: number): Decimal | null =>
  trades > 0 ? divide(decimal(wins * 100), decimal(trades), 2) : null;

/** Gains divided by losses (which are below zero), 4 decimals; null without losses. */
export const profitFactor = (gains: Decimal, losses: Decimal): Decimal | null =>
  isNegative(losses) ? divide(gains, negate(losses), 4) : null;

/**
 * Exits of a bot, told one by one in the order of their time: sums, the newest points of the curve, and its falls. Of these
 * only those are kept that are larger than every one before: a later fall begins at a higher peak.
 */
export function exitTally(points: number) {
  let sum = ZERO;
  let peak = ZERO;
  let largest = ZERO;
  let gains = ZERO;
  let losses = ZERO;
  let wins = 0;
  let decided = 0;
  let exits = 0;
  let heldMs = 0;
  const falls: { readonly peak: Decimal; readonly fall: Decimal }[] = [];
  const curve: { readonly at: number; readonly value: Decimal }[] = [];
  return {
    add({ at, result, heldMs: held, reason }: ClosedExit): void {
      sum = add(sum, result);
      exits += 1;
      heldMs += held;
      if (!isUndecided(reason, result)) decided += 1;
      if (isPositive(result)) {
        wins += 1;
        gains = add(gains, result);
      } else losses = add(losses, result);
      if (greaterThan(sum, peak)) peak = sum;
      const fall = subtract(peak, sum);
      if (greaterThan(fall, largest)) {
        largest = fall;
        falls.push({ peak, fall });
      }
      curve.push({ at, value: sum });
      if (curve.length > points) curve.shift();
    },
    /** Figures so far. @param budget what the results are added to: falls are percent of it and of what was gained until their peak */
    figures(budget: Decimal) {
      return {
        sum,
        exits,
        wins,
        winRatePct: winRatePct(wins, decided),
        profitFactor: profitFactor(gains, losses),
        averageHeldMs: exits > 0 ? heldMs / exits : null,
        maxDrawdownPct: isPositive(budget)
          ? falls.reduce((most, { peak: from, fall }) => {
              const percent = divide(multiply(fall, HUNDRED), add(budget, from), 4);
              return greaterThan(percent, most) ? percent : most;
            }, ZERO)
          : null,
        curve: [...curve],
      };
    },
  };
}
export type ExitTally = ReturnType<typeof exitTally>;
