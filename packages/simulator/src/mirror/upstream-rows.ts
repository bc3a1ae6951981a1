import { decimal } from '@pilotfish/core/money/decimal';
import * as z from 'zod';
import type { Level } from '../market/book.ts';
import type { Pair, Tick } from '../market/market-contract.ts';
import { lotsOf, ticksOf } from '../matching/book-walk.ts';

/** One that is no plain number belongs to a row that is left out. */
const amount = z.string().regex(/^\d{1,30}(?:\.\d{1,30})?$/);
const level = z.tuple([amount, amount]);
/** A trade of the market as `aggTrade` tells it, by stream and by REST. */
export const tradeRow = z.object({ a: z.number(), p: amount, q: amount, T: z.number(), m: z.boolean() });
export type TradeRow = z.infer<typeof tradeRow>;
export const tradeRows = z.array(tradeRow);
/** A book: `depth20` and `/api/v3/depth`. */
export const bookRow = z.object({ lastUpdateId: z.number(), bids: z.array(level), asks: z.array(level) });
/** The average price: the stream's letters, or the names of `/api/v3/avgPrice`. */
export const averageEvent = z.object({ w: amount, T: z.number() });
export const averageRow = z.object({ price: amount, closeTime: z.number() });
export const priceRows = z.array(z.object({ symbol: z.string(), price: amount.catch('0') }));
export const miniTickers = z.array(z.object({ s: z.string(), c: amount.catch('0'), E: z.number() }));
const candle = z.tuple([z.number(), amount, amount, amount, amount, amount], z.unknown());
export const candleRows = z.array(candle);

export const toTick = (pair: Pair, { a, p, q, T, m }: TradeRow): Tick => ({
  pair,
  id: a,
  time: T,
  price: ticksOf(pair, decimal(p)),
  quantity: lotsOf(pair, decimal(q)),
  makerIsBuyer: m,
});

export function toBook(pair: Pair, { lastUpdateId, bids, asks }: z.infer<typeof bookRow>) {
  const side = (rows: readonly [string, string][]): Level[] =>
    rows.map(([price, quantity]) => ({ price: ticksOf(pair, decimal(price)), quantity: lotsOf(pair, decimal(quantity)) }));
  return { bids: side(bids), asks: side(asks), lastUpdateId };
}

/** An average in ticks, which need not be whole. */
export const averageTicks = (pair: Pair, price: string): number => Number(price) / pair.tick;

const QUARTER_MINUTE = 15_000;

/**
 * The four trades that stand for a minute of which only the candle is known: a rising one goes open, low, high, close, a
 * falling one open, high, low, close, a quarter of its volume each. The id is that of no trade.
 */
export function ticksOfCandle(pair: Pair, [openTime, open, high, low, close, volume]: z.infer<typeof candle>): Tick[] {
  const rises = Number(close) >= Number(open);
  const quantity = Math.floor(lotsOf(pair, decimal(volume)) / 4);
  if (quantity === 0) return [];
  return [open, rises ? low : high, rises ? high : low, close].map((price, place) => ({
    pair,
    id: -1,
    time: openTime + place * QUARTER_MINUTE,
    price: ticksOf(pair, decimal(price)),
    quantity,
    makerIsBuyer: place % 2 === 0,
  }));
}

/** Undefined for what is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
