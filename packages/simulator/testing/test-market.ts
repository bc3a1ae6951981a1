import { SeededMarket } from '../src/market/seeded-market.ts';

/** Where the markets of tests begin: the same prices on whatever day a test runs. */
export const MARKET_START = Date.UTC(2026, 0, 15, 12);

/** Enough for coins of every kind: three quote assets, fees in BNB, values by way of BTC, a name that is not of Latin letters. */
export const TEST_PAIRS = [
  'BTCUSDT',
  'ETHUSDT',
  'BNBUSDT',
  'SOLUSDT',
  'XRPUSDT',
  'ADAUSDT',
  'DOGEUSDT',
  'AVAXUSDT',
  'LINKUSDT',
  'ETHBTC',
  'BNBBTC',
  'BTCEUR',
  '币安人生USDT',
] as const;

/**
 * An invented market of a few pairs with a fixed start. The whole table (some six hundred pairs) is for tests that are
 * about the number: it costs a tenth of a core even while it stands still.
 */
export const testMarket = (seed: string | number) => {
  const made = markets.get(seed) ?? new SeededMarket(seed, TEST_PAIRS);
  markets.set(seed, made);
  return { kind: 'seeded', seed, startTime: MARKET_START, symbols: TEST_PAIRS, made } as const;
};

/** To make the candles of years takes seconds: once for all exchanges of a process. */
const markets = new Map<string | number, SeededMarket>();
