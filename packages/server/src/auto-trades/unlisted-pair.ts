import { baseAssetOf } from '@pilotfish/core/prices/base-asset';
import type { Pair } from '@pilotfish/core/prices/prices-contract';

/**
 * Stands for the pair of a position that the exchange does not list any more: no price of it comes, so nothing is decided
 * for it, but its owner sees it and can take it over.
 */
export const unlistedPair = (symbol: string, quoteAsset: string): Pair => ({
  symbol,
  baseAsset: baseAssetOf(symbol, quoteAsset),
  quoteAsset,
  baseAssetPrecision: 8,
  quoteAssetPrecision: 8,
  pricePrecision: 8,
  quantityPrecision: 8,
  status: 'BREAK',
  filters: {
    tickSize: '0.00000001',
    minPrice: '0',
    maxPrice: '0',
    stepSize: '0.00000001',
    minQty: '0',
    maxQty: '0',
    marketMaxQty: '0',
    minNotional: '0',
    maxNotional: '0',
    bidMultiplierUp: '0',
    bidMultiplierDown: '0',
    askMultiplierUp: '0',
    askMultiplierDown: '0',
    maxNumOrders: 0,
    maxNumAlgoOrders: 0,
  },
});
