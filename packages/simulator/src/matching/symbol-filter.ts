import { isDecimalText } from '@pilotfish/core/money/decimal';
import * as z from 'zod';

const amount = z.string().refine((text) => isDecimalText(text) && !text.startsWith('-'), 'must be a decimal text of 0 or more, as "0.01"');
const count = z.int().min(0);
const minutes = z.int().min(0).max(1440);

/** A rule of a symbol, of the exchange or of an asset, as the exchange writes it. Zero switches a bound off. */
export const symbolFilter = z.discriminatedUnion('filterType', [
  z.strictObject({ filterType: z.literal('PRICE_FILTER'), minPrice: amount, maxPrice: amount, tickSize: amount }),
  z.strictObject({ filterType: z.literal('LOT_SIZE'), minQty: amount, maxQty: amount, stepSize: amount }),
  z.strictObject({ filterType: z.literal('MARKET_LOT_SIZE'), minQty: amount, maxQty: amount, stepSize: amount }),
  z.strictObject({ filterType: z.literal('ICEBERG_PARTS'), limit: count }),
  z.strictObject({
    filterType: z.literal('TRAILING_DELTA'),
    minTrailingAboveDelta: count,
    maxTrailingAboveDelta: count,
    minTrailingBelowDelta: count,
    maxTrailingBelowDelta: count,
  }),
  z.strictObject({ filterType: z.literal('PERCENT_PRICE'), multiplierUp: amount, multiplierDown: amount, avgPriceMins: minutes }),
  z.strictObject({
    filterType: z.literal('PERCENT_PRICE_BY_SIDE'),
    bidMultiplierUp: amount,
    bidMultiplierDown: amount,
    askMultiplierUp: amount,
    askMultiplierDown: amount,
    avgPriceMins: minutes,
  }),
  z.strictObject({ filterType: z.literal('MIN_NOTIONAL'), minNotional: amount, applyToMarket: z.boolean(), avgPriceMins: minutes }),
  z.strictObject({
    filterType: z.literal('NOTIONAL'),
    minNotional: amount,
    applyMinToMarket: z.boolean(),
    maxNotional: amount,
    applyMaxToMarket: z.boolean(),
    avgPriceMins: minutes,
  }),
  z.strictObject({ filterType: z.literal('MAX_NUM_ORDERS'), maxNumOrders: count }),
  z.strictObject({ filterType: z.literal('MAX_NUM_ORDER_LISTS'), maxNumOrderLists: count }),
  z.strictObject({ filterType: z.literal('MAX_NUM_ALGO_ORDERS'), maxNumAlgoOrders: count }),
  z.strictObject({ filterType: z.literal('MAX_NUM_ICEBERG_ORDERS'), maxNumIcebergOrders: count }),
  z.strictObject({ filterType: z.literal('MAX_NUM_ORDER_AMENDS'), maxNumOrderAmends: count }),
  z.strictObject({ filterType: z.literal('MAX_POSITION'), maxPosition: amount }),
  z.strictObject({ filterType: z.literal('EXCHANGE_MAX_NUM_ORDERS'), maxNumOrders: count }),
  z.strictObject({ filterType: z.literal('EXCHANGE_MAX_NUM_ALGO_ORDERS'), maxNumAlgoOrders: count }),
  z.strictObject({ filterType: z.literal('EXCHANGE_MAX_NUM_ICEBERG_ORDERS'), maxNumIcebergOrders: count }),
  z.strictObject({ filterType: z.literal('EXCHANGE_MAX_NUM_ORDER_LISTS'), maxNumOrderLists: count }),
  z.strictObject({ filterType: z.literal('MAX_ASSET'), asset: z.string().min(1), limit: amount }),
]);
export type SymbolFilter = z.infer<typeof symbolFilter>;

export const isExchangeFilter = ({ filterType }: SymbolFilter): boolean => filterType.startsWith('EXCHANGE_');
export const isAssetFilter = ({ filterType }: SymbolFilter): boolean => filterType === 'MAX_ASSET';
