import * as z from 'zod';
import { amountText, readRow, type UnreadRow } from '../exchange/exchange-rows.ts';
import type { MarketStream } from '../exchange/market-stream.ts';

/**
 * One trade: venue time in ms, its price, and the best prices known then. Numbers: the hot path. What was traded and
 * what stands at the best prices (base units) decides nothing; recorded, it tells a backtest what could be had.
 */
export type Tick = {
  readonly at: number;
  readonly price: number;
  readonly bid: number;
  readonly ask: number;
  readonly quantity?: number | undefined;
  readonly bidQuantity?: number | undefined;
  readonly askQuantity?: number | undefined;
};
export type TickListener = (tick: Tick) => void;

export const tradeEvent = {
  list: 'tradeEvents',
  row: z.looseObject({ T: z.number(), t: z.number().optional().catch(undefined), p: amountText, q: amountText.optional() }),
  names: ['s', 't'],
};
const size = amountText.optional();
export const bookEvent = {
  list: 'bookEvents',
  row: z.looseObject({ b: amountText, a: amountText, B: size, A: size }),
  names: ['s'],
};

/** More trades than two connections are apart. */
const RECENT_IDS = 256;

const numberOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

export type SymbolFeed = {
  listen(listener: TickListener): () => void;
  close(): void;
  readonly idle: boolean;
  /**
   * For how long another source has had a price that no trade here explains, ms; 0 while both agree.
   * @param now wall ms
   */
  lacksSince(price: number, now: number): number;
  /** After a gap: trades were missed, and the other source is right. */
  missed(): void;
  /** When its last trade was made; before the first, since when one would have been heard. Venue ms. */
  readonly tradedAt: number;
};

/**
 * Trades and best prices of one symbol, joined; the subscription is shared by all who listen.
 * @param since venue ms of now
 */
export function symbolFeed(
  stream: Pick<MarketStream, 'subscribe'>,
  symbol: string,
  since: number,
  onUnread?: (rows: readonly UnreadRow[]) => void,
): SymbolFeed {
  const listeners = new Set<TickListener>();
  let bid = 0;
  let ask = 0;
  let bidQuantity: number | undefined;
  let askQuantity: number | undefined;
  /** Of the last trade; before the first, that of the other source when it was first asked about. */
  let lastPrice: number | undefined;
  let differs: { since: number; heard: number } | undefined;
  let trades = 0;
  let tradedAt = since;
  /** The last trades, each at the remainder of its id. While a connection moves over to another both tell the same ones. */
  const [ids, times] = [new Float64Array(RECENT_IDS).fill(-1), new Float64Array(RECENT_IDS)];
  let newest = Number.NEGATIVE_INFINITY;
  const isTwice = ({ t, T }: { t?: number | undefined; T: number }): boolean => {
    if (t === undefined) return false;
    const place = t % RECENT_IDS;
    if (ids[place] === t && times[place] === T) return true;
    ids[place] = t;
    times[place] = T;
    return false;
  };
  const name = symbol.toLowerCase();
  const stops = [
    stream.subscribe(`${name}@bookTicker`, (data) => {
      const event = readRow(bookEvent, data, onUnread);
      if (!event) return;
      bid = Number(event.b);
      ask = Number(event.a);
      bidQuantity = numberOf(event.B);
      askQuantity = numberOf(event.A);
    }),
    stream.subscribe(`${name}@trade`, (data) => {
      const event = readRow(tradeEvent, data, onUnread);
      if (!event || isTwice(event)) return;
      const price = Number(event.p);
      lastPrice = price;
      trades += 1;
      // One that the slower connection tells alone still counts; listeners do not go back in time.
      newest = Math.max(newest, event.T);
      tradedAt = newest;
      // Before the first book event, and around it, the trade itself is the best price known.
      const tick = {
        at: newest,
        price,
        bid: bid > 0 && bid <= price * 1.1 ? bid : price,
        ask: ask > 0 && ask >= price * 0.9 ? ask : price,
        quantity: numberOf(event.q),
        bidQuantity,
        askQuantity,
      };
      for (const listener of listeners) listener(tick);
    }),
  ];
  return {
    listen: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    lacksSince: (price, now) => {
      lastPrice ??= price;
      // Any trade in between: the feed speaks, and is only behind or ahead.
      if (price === lastPrice || Number.isNaN(price) || (differs !== undefined && differs.heard !== trades)) differs = undefined;
      else differs ??= { since: now, heard: trades };
      return differs === undefined ? 0 : now - differs.since;
    },
    missed: () => {
      lastPrice = undefined;
      differs = undefined;
    },
    close: () => {
      for (const stop of stops) stop();
    },
    get tradedAt() {
      return tradedAt;
    },
    get idle() {
      return listeners.size === 0;
    },
  };
}
