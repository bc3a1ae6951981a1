import type { Pair } from '../src/prices/prices-contract.ts';

/** BTCUSDT with the filters of the spot market, for tests. */
export const btcusdt: Pair = {
  symbol: 'BTCUSDT',
  baseAsset: 'BTC',
  quoteAsset: 'USDT',
  baseAssetPrecision: 8,
  quoteAssetPrecision: 8,
  pricePrecision: 2,
  quantityPrecision: 5,
  status: 'TRADING',
  filters: {
    tickSize: '0.01',
    minPrice: '0.01',
    maxPrice: '1000000',
    stepSize: '0.00001',
    minQty: '0.00001',
    maxQty: '9000',
    marketMaxQty: '100',
    minNotional: '5',
    maxNotional: '9000000',
    bidMultiplierUp: '5',
    bidMultiplierDown: '0.2',
    askMultiplierUp: '5',
    askMultiplierDown: '0.2',
    maxNumOrders: 200,
    maxNumAlgoOrders: 5,
  },
};
