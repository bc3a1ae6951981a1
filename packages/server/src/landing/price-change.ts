import { decimal, divide, isPositive, multiply, subtract, toText } from '@pilotfish/core/money/decimal';
import type { Price } from '@pilotfish/core/money/figure';
import type { Candle } from '@pilotfish/core/prices/prices-contract';
import type { Market } from '../market/market.ts';

/** Candles that span each interval of the landing page, as few as give its first price. */
const SPANS = {
  '1h': { interval: '1m', limit: 60 },
  '24h': { interval: '1h', limit: 24 },
  '7d': { interval: '4h', limit: 42 },
  '30d': { interval: '1d', limit: 30 },
} as const;
/** Candles of a pair, oldest first. */
export type CandlesOf = (symbol: string, interval: string, query: { limit: number }) => Promise<Candle[]>;
export type LandingInterval = keyof typeof SPANS;

const SCALE = 4;

/** (price - open) / open in percent units, cut to four digits; undefined when the open is not above zero. */
export function changePercent(open: Price, price: Price): string | undefined {
  const from = decimal(open);
  if (!isPositive(from)) return undefined;
  return toText(divide(multiply(subtract(decimal(price), from), decimal('100')), from, SCALE));
}

/** The candles of an interval of the landing page, oldest first; fewer for a younger pair. */
export function spanOf(market: { candles: CandlesOf }, symbol: string, interval: LandingInterval): Promise<Candle[]> {
  const { interval: candle, limit } = SPANS[interval];
  return market.candles(symbol, candle, { limit });
}

/** Change of a pair over an interval, or since its listing when that is shorter. */
export async function changeOver(
  market: Pick<Market, 'ticker'> & { candles: CandlesOf },
  symbol: string,
  interval: LandingInterval,
): Promise<string | undefined> {
  const price = market.ticker(symbol)?.price;
  const [first] = await spanOf(market, symbol, interval);
  return first === undefined || price === undefined ? undefined : changePercent(first.open, price);
}
