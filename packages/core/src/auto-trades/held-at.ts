import { add, type Decimal, decimal, equals, isZero, subtract } from '../money/decimal.ts';
import type { Trace } from './trace.ts';

type Fill = Pick<Trace, 'kind' | 'at' | 'before' | 'after'>;
type Held = { readonly quantity: Decimal; readonly cost: Decimal };
/** A position as it is now: decimal text; `baseAsset` says which fees were paid in what was bought. */
type Now = { readonly quantity: string; readonly cost: string; readonly baseAsset: string };

const fact = (facts: Fill['after'], key: string): Decimal => decimal(String(facts[key] ?? '0'));

/** What a buy added to the cost; null while its fee has no value, which joins the cost later without a row of its own. */
function costOf({ after }: Fill, baseAsset: string): Decimal | null {
  if (after.feeAsset === baseAsset) return fact(after, 'quoteQuantity');
  const fee = fact(after, 'feeInQuote');
  if (isZero(fee) && !isZero(fact(after, 'fee'))) return null;
  return add(fact(after, 'quoteQuantity'), fee);
}

/**
 * What a position held just before a moment (epoch ms, venue time), and at what cost: what it holds now, with every fill
 * from then on undone.
 * @param fills its Buy and Sell rows, all of them, in the order of `seq`
 * @returns null when that cannot be said: a row is missing, its unit changed, or a fee had no value when it was paid
 */
export function heldAt(fills: readonly Fill[], now: Now, at: number): Held | null {
  let expected: Decimal | undefined;
  let quantity: Decimal | undefined;
  let cost = decimal(now.cost);
  for (const fill of fills) {
    const before = fact(fill.before, 'position');
    if (expected !== undefined && !equals(before, expected)) return null;
    expected = fact(fill.after, 'position');
    if (Date.parse(fill.at) < at) continue;
    quantity ??= before;
    if (fill.kind === 'Sell') {
      cost = add(cost, fact(fill.after, 'matchedCost'));
      continue;
    }
    const added = costOf(fill, now.baseAsset);
    if (added === null) return null;
    cost = subtract(cost, added);
  }
  if (expected === undefined || !equals(expected, decimal(now.quantity))) return null;
  return { quantity: quantity ?? expected, cost };
}

/** What sales realised from a moment on (epoch ms, venue time), of Buy and Sell rows. */
export const realisedSince = (fills: readonly Fill[], at: number): Decimal =>
  fills.reduce(
    (total, fill) => (fill.kind === 'Sell' && Date.parse(fill.at) >= at ? add(total, fact(fill.after, 'realised')) : total),
    decimal('0'),
  );
