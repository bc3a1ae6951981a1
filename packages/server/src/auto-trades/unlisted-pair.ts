import { baseAssetOf } from '@pilotfish/core/prices/base-asset';
import { LOOSE_FILTERS } from '@pilotfish/core/prices/loose-filters';
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
  filters: LOOSE_FILTERS,
});
