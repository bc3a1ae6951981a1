import { add, decimal, divide, HUNDRED, isPositive, multiply, toText, ZERO } from '../money/decimal.ts';
import type { HeldPositionRow, HeldTotals } from './held-positions-contract.ts';

/** Decimals of percentages, as the rows have them. */
const PERCENT_PLACES = 4;

type Summed = HeldPositionRow & {
  readonly value: NonNullable<HeldPositionRow['value']>;
  readonly cost: NonNullable<HeldPositionRow['cost']>;
  readonly result: NonNullable<HeldPositionRow['result']>;
};

/** Whether sums count a position: it is not broken, not left out by its owner, and all its figures are known. */
export const isInTotals = (row: HeldPositionRow): row is Summed =>
  row.broken.length === 0 && !row.excludedFromTotals && row.value !== null && row.cost !== null && row.result !== null;

/** Sums of each quote currency, by name; what is broken, left out or without a result is counted and in no sum. */
export function heldTotals(rows: readonly HeldPositionRow[]): HeldTotals[] {
  const currencies = [...new Set(rows.map(({ quoteAsset }) => quoteAsset))].sort();
  return currencies.map((currency) => {
    const sums = { value: ZERO, cost: ZERO, result: ZERO, atRisk: ZERO };
    const [own, counts] = [rows.filter(({ quoteAsset }) => quoteAsset === currency), { count: 0, withoutStop: 0 }];
    for (const { value, cost, result, atRisk, stop } of own.filter(isInTotals)) {
      counts.count += 1;
      sums.value = add(sums.value, decimal(value));
      sums.cost = add(sums.cost, decimal(cost));
      sums.result = add(sums.result, decimal(result));
      if (stop === null) counts.withoutStop += 1;
      else if (atRisk !== null) sums.atRisk = add(sums.atRisk, decimal(atRisk));
    }
    return {
      currency,
      value: toText(sums.value),
      cost: toText(sums.cost),
      result: toText(sums.result),
      resultPct: isPositive(sums.cost) ? toText(divide(multiply(sums.result, HUNDRED), sums.cost, PERCENT_PLACES)) : null,
      atRisk: toText(sums.atRisk),
      ...counts,
      leftOut: own.length - counts.count,
    };
  });
}
