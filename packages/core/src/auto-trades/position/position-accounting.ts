import { decimal, isZero, multiply, toText, ZERO } from '../../money/decimal.ts';
import * as averageCost from '../../positions/average-cost.ts';
import type { FillFacts, PositionContext } from './position-state.ts';

type Held = Pick<PositionContext, 'quantity' | 'cost'>;
type BaseAsset = { readonly baseAsset: string };

/** True for a fee in a third asset whose price is not known yet. */
export const isUnvalued = (fill: FillFacts, { baseAsset }: BaseAsset): boolean =>
  fill.feeInQuote === null && fill.feeAsset !== baseAsset && !isZero(decimal(fill.fee));

/** Fee in the quote asset. A fee taken in the base asset is worth its quantity at the fill price; an unvalued one counts zero. */
export function feeInQuote(fill: FillFacts, { baseAsset }: BaseAsset): string {
  if (fill.feeInQuote !== null) return fill.feeInQuote;
  return fill.feeAsset === baseAsset ? toText(multiply(decimal(fill.fee), decimal(fill.price))) : '0';
}

const heldOf = (held: Held): averageCost.Held => ({ quantity: decimal(held.quantity), cost: decimal(held.cost) });
function executionOf(fill: FillFacts, base: BaseAsset): averageCost.Execution {
  const inBase = fill.feeAsset === base.baseAsset;
  return {
    quantity: decimal(fill.quantity),
    quoteQuantity: decimal(fill.quoteQuantity),
    feeInBase: inBase ? decimal(fill.fee) : ZERO,
    feeInQuote: inBase ? ZERO : decimal(feeInQuote(fill, base)),
  };
}

/** What a position holds after a buy, as decimal text. */
export function afterBuy(held: Held, fill: FillFacts, base: BaseAsset): Held & { readonly costAdded: string; readonly received: string } {
  const { quantity, cost, costAdded, received } = averageCost.afterBuy(heldOf(held), executionOf(fill, base));
  return { quantity: toText(quantity), cost: toText(cost), costAdded: toText(costAdded), received: toText(received) };
}

/** What a position holds after a sell, and what the sell brought; `proceeds` are net of the fee. */
export function afterSell(
  held: Held,
  fill: FillFacts,
  base: BaseAsset,
): Held & { readonly matchedCost: string; readonly proceeds: string; readonly realised: string; readonly excess: string } {
  const result = averageCost.afterSell(heldOf(held), executionOf(fill, base));
  return {
    quantity: toText(result.quantity),
    cost: toText(result.cost),
    matchedCost: toText(result.matchedCost),
    proceeds: toText(result.proceeds),
    realised: toText(result.realised),
    excess: toText(result.excess),
  };
}
