import { add, type Decimal, divide, isZero, minimum, multiply, subtract, ZERO } from '../money/decimal.ts';

/** Scale of a cost share. What the division rounds away stays with what is held, so sums stay exact. */
const COST_SCALE = 28;

/** A quantity of the base asset and what it cost, in quote units. */
export type Held = { readonly quantity: Decimal; readonly cost: Decimal };

/** One execution. `quoteQuantity` is the exchange's own figure, never price × quantity. */
export type Execution = {
  readonly quantity: Decimal;
  readonly quoteQuantity: Decimal;
  /** The fee in base units when it was taken in the base asset, else zero. */
  readonly feeInBase: Decimal;
  /** The fee in quote units when it was taken in any other asset, else zero. */
  readonly feeInQuote: Decimal;
};

/**
 * A buy: a fee in the base asset is expensed by owning less (H += q − c, C += Q); any other fee adds to the cost
 * (H += q, C += Q + F).
 */
export function afterBuy(held: Held, bought: Execution): Held & { readonly received: Decimal; readonly costAdded: Decimal } {
  const received = subtract(bought.quantity, bought.feeInBase);
  const costAdded = add(bought.quoteQuantity, bought.feeInQuote);
  return { quantity: add(held.quantity, received), cost: add(held.cost, costAdded), received, costAdded };
}

/** Takes `wanted` units out, with their share of the cost: C × m/H, and exactly C when all of it leaves. */
export function takeOut(held: Held, wanted: Decimal): Held & { readonly matched: Decimal; readonly matchedCost: Decimal } {
  const matched = minimum(wanted, held.quantity);
  const quantity = subtract(held.quantity, matched);
  const matchedCost = isZero(matched)
    ? ZERO
    : isZero(quantity)
      ? held.cost
      : divide(multiply(held.cost, matched), held.quantity, COST_SCALE);
  return { quantity, cost: subtract(held.cost, matchedCost), matched, matchedCost };
}

/**
 * A sell of `out` units (a fee in the base asset included): matched m = min(out, H); realised = net proceeds
 * (Q − F) × m/out − cost share. What was sold beyond H is `excess`, with its proceeds, and in no result.
 */
export function afterSell(
  held: Held,
  sold: Execution,
): Held & {
  readonly matchedCost: Decimal;
  readonly proceeds: Decimal;
  readonly realised: Decimal;
  readonly excess: Decimal;
  readonly excessProceeds: Decimal;
} {
  const out = add(sold.quantity, sold.feeInBase);
  const { matched, matchedCost, quantity, cost } = takeOut(held, out);
  const excess = subtract(out, matched);
  const net = subtract(sold.quoteQuantity, sold.feeInQuote);
  const proceeds = isZero(excess) ? net : divide(multiply(net, matched), out, COST_SCALE);
  return {
    quantity,
    cost,
    matchedCost,
    proceeds,
    realised: subtract(proceeds, matchedCost),
    excess,
    excessProceeds: subtract(net, proceeds),
  };
}
