import type { OrderInput } from '@pilotfish/core/auto-trades/engine/engine-inputs';
import { decimal, multiply, toText } from '@pilotfish/core/money/decimal';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import type { Market } from '../market/market.ts';

/** Older than this, the present rate says nothing about a fill (market time, ms). */
const PRESENT_MS = 60_000;

/** A fill with its amounts in canonical text: the exchange writes eight digits after every point, a trace only what counts. */
function canonical<Fill extends Extract<OrderInput, { type: 'filled' }>>(fill: Fill): Fill {
  const text = (amount: string): string => toText(decimal(amount));
  const { price, quantity, quoteQuantity, fee } = fill;
  return { ...fill, price: text(price), quantity: text(quantity), quoteQuantity: text(quoteQuantity), fee: text(fee) };
}

/**
 * A fill with its fee in the quote asset. A fee in a third asset is valued at the present rate when the fill is of this
 * minute; an older one is valued later, at the minute of the fill. A fee in the base asset has no value of its own.
 */
export function withFeeValue(input: OrderInput, pair: Pair | undefined, market: Pick<Market, 'asOf' | 'rate'>): OrderInput {
  if (input.type !== 'filled') return input;
  const fill = canonical(input);
  if (fill.feeInQuote !== null || !pair || fill.feeAsset === pair.baseAsset) return fill;
  if (fill.feeAsset === pair.quoteAsset || Number(fill.fee) === 0) return { ...fill, feeInQuote: fill.fee };
  const rate = market.asOf - fill.at < PRESENT_MS ? market.rate(fill.feeAsset, pair.quoteAsset) : undefined;
  return rate ? { ...fill, feeInQuote: toText(multiply(decimal(fill.fee), decimal(rate))) } : fill;
}
