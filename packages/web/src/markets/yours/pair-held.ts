import { add, decimal, divide, multiply, toText, ZERO } from '@pilotfish/core/money/decimal';
import { isNothing, type Money, type Percent, type Price, type Quantity } from '@pilotfish/core/money/figure';
import type { HeldPositionRow } from '@pilotfish/core/positions/held-positions-contract';
import { heldTotals, isInTotals } from '@pilotfish/core/positions/held-totals';

/** What is held of a pair, in the quote asset; null for what is not known. */
export type PairHeld = {
  readonly quantity: Quantity;
  readonly value: Money | null;
  readonly result: Money | null;
  readonly resultPct: Percent | null;
  readonly averageCost: Price | null;
  readonly breakEven: Price | null;
  /** Positions that are not in these figures. */
  readonly leftOut: number;
};

/** Decimals of an average: more than a price has. */
const PLACES = 12;

/**
 * Several positions of one pair and one mode as one, without those that no total counts. The price at which all of them
 * end without loss is the average of theirs by quantity; one that has recovered its cost has no such price, so there is
 * none then. @param rows at least one
 */
export function heldOfPair(rows: readonly HeldPositionRow[]): PairHeld | undefined {
  const [first, ...others] = rows;
  if (first === undefined) return undefined;
  if (others.length === 0) return { ...first, leftOut: 0 };
  const counted = rows.filter(isInTotals);
  const [totals] = heldTotals(counted);
  if (totals === undefined)
    return { quantity: '0', value: null, result: null, resultPct: null, averageCost: null, breakEven: null, leftOut: rows.length };
  const quantity = counted.reduce((sum, row) => add(sum, decimal(row.quantity)), ZERO);
  const ends = counted.map((row) => (row.breakEven === null || isNothing(row.breakEven) ? null : { ...row, breakEven: row.breakEven }));
  const weighed = ends.reduce(
    (sum, row) => (row && sum ? add(sum, multiply(decimal(row.breakEven), decimal(row.quantity))) : null),
    ZERO as typeof ZERO | null,
  );
  return {
    quantity: toText(quantity),
    value: totals.value,
    result: totals.result,
    resultPct: totals.resultPct,
    averageCost: toText(divide(decimal(totals.cost), quantity, PLACES)),
    breakEven: weighed && toText(divide(weighed, quantity, PLACES)),
    leftOut: rows.length - counted.length,
  };
}
