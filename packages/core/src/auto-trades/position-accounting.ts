import { add, decimal, divide, isZero, minimum, multiply, subtract, toText, ZERO } from '../money/decimal.ts';
import type { FillFacts, PositionContext } from './position-state.ts';

/** Scale of a cost share: the rest of the division stays with the position, so sums stay exact. */
const COST_SCALE = 28;

type Held = Pick<PositionContext, 'quantity' | 'cost'>;
type BaseAsset = { readonly baseAsset: string };

/** Fee in the quote asset. A fee taken in the base asset is worth its quantity at the fill price. */
export function feeInQuote(fill: FillFacts, { baseAsset }: BaseAsset): string {
  if (fill.feeInQuote !== null) return fill.feeInQuote;
  return fill.feeAsset === baseAsset ? toText(multiply(decimal(fill.fee), decimal(fill.price))) : '0';
}

/**
 * A buy: a fee in the base asset is expensed by owning less (H += q − c, C += Q); any other fee adds to the cost
 * (H += q, C += Q + F).
 */
export function afterBuy(held: Held, fill: FillFacts, base: BaseAsset): Held & { readonly costAdded: string; readonly received: string } {
  const inBase = fill.feeAsset === base.baseAsset;
  const received = inBase ? subtract(decimal(fill.quantity), decimal(fill.fee)) : decimal(fill.quantity);
  const costAdded = inBase ? decimal(fill.quoteQuantity) : add(decimal(fill.quoteQuantity), decimal(feeInQuote(fill, base)));
  return {
    quantity: toText(add(decimal(held.quantity), received)),
    cost: toText(add(decimal(held.cost), costAdded)),
    costAdded: toText(costAdded),
    received: toText(received),
  };
}

/**
 * A sell of `out` units (fee in the base asset included): matched m = min(out, H), cost share C × m/H (all of C when
 * m = H), net proceeds (Q − F) × m/out; the realised result is their difference. What was sold beyond H is not in it.
 */
export function afterSell(
  held: Held,
  fill: FillFacts,
  base: BaseAsset,
): Held & { readonly matchedCost: string; readonly proceeds: string; readonly realised: string; readonly excess: string } {
  const inBase = fill.feeAsset === base.baseAsset;
  const quantity = decimal(held.quantity);
  const cost = decimal(held.cost);
  const out = inBase ? add(decimal(fill.quantity), decimal(fill.fee)) : decimal(fill.quantity);
  const matched = minimum(out, quantity);
  const excess = subtract(out, matched);
  const net = inBase ? decimal(fill.quoteQuantity) : subtract(decimal(fill.quoteQuantity), decimal(feeInQuote(fill, base)));
  const proceeds = isZero(excess) ? net : divide(multiply(net, matched), out, COST_SCALE);
  const left = subtract(quantity, matched);
  const matchedCost = isZero(quantity) ? ZERO : isZero(left) ? cost : divide(multiply(cost, matched), quantity, COST_SCALE);
  return {
    quantity: toText(left),
    cost: toText(subtract(cost, matchedCost)),
    matchedCost: toText(matchedCost),
    proceeds: toText(proceeds),
    realised: toText(subtract(proceeds, matchedCost)),
    excess: toText(excess),
  };
}
