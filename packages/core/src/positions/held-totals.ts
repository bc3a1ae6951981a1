import { add, decimal, toText, ZERO } from '../money/decimal.ts';
import type { HeldPositionRow, HeldTotals } from './held-positions-contract.ts';

/** Sums of each quote currency, by name; what is broken, left out or without a result is counted and in no sum. */
export function heldTotals(rows: readonly HeldPositionRow[]): HeldTotals[] {
  const currencies = [...new Set(rows.map(({ quoteAsset }) => quoteAsset))].sort();
  return currencies.map((currency) => {
    const sums = { value: ZERO, result: ZERO, atRisk: ZERO };
    const [own, counts] = [rows.filter(({ quoteAsset }) => quoteAsset === currency), { count: 0, withoutStop: 0 }];
    for (const { value, result, atRisk, stop, broken, excludedFromTotals } of own) {
      if (broken.length > 0 || excludedFromTotals || value === null || result === null) continue;
      counts.count += 1;
      sums.value = add(sums.value, decimal(value));
      sums.result = add(sums.result, decimal(result));
      if (stop === null) counts.withoutStop += 1;
      else if (atRisk !== null) sums.atRisk = add(sums.atRisk, decimal(atRisk));
    }
    return {
      currency,
      value: toText(sums.value),
      result: toText(sums.result),
      atRisk: toText(sums.atRisk),
      ...counts,
      leftOut: own.length - counts.count,
    };
  });
}
