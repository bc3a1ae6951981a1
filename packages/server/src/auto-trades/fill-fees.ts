import type { OrderInput } from '@pilotfish/core/auto-trades/engine-inputs';
import { decimal, multiply, toText } from '@pilotfish/core/money/decimal';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import type { Market } from '../market/market.ts';

/** Older than this, the present rate says nothing about a fill (market time, ms). */
const PRESENT_MS = 60_000;

/**
 * A fill with its fee in the quote asset. A fee in a third asset is valued at the present rate when the fill is of this
 * minute; an older one is valued later, at the minute of the fill. A fee in the base asset has no value of its own.
 */
export function withFeeValue(input: OrderInput, pair: Pair | undefined, market: Pick<Market, 'asOf' | 'rate'>): OrderInput {
  if (input.type !== 'filled' || input.feeInQuote !== null || !pair || input.feeAsset === pair.baseAsset) return input;
  if (input.feeAsset === pair.quoteAsset || Number(input.fee) === 0) return { ...input, feeInQuote: input.fee };
  const rate = market.asOf - input.at < PRESENT_MS ? market.rate(input.feeAsset, pair.quoteAsset) : undefined;
  return rate ? { ...input, feeInQuote: toText(multiply(decimal(input.fee), decimal(rate))) } : input;
}
