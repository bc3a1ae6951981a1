import type { Pair } from './prices-contract.ts';

/** Filters that refuse nothing and round a price to 8 places: for a pair of which no filters are known. */
export const LOOSE_FILTERS: Pair['filters'] = {
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
};
