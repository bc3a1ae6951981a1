import * as z from 'zod';
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

const tradeEvent = z.looseObject({ T: z.number(), p: z.string(), q: z.string().optional() });
const bookEvent = z.looseObject({ b: z.string(), a: z.string(), B: z.string().optional(), A: z.string().optional() });

const numberOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

export type SymbolFeed = { listen(listener: TickListener): () => void; close(): void; readonly idle: boolean };

/** Trades and best prices of one symbol, joined; the subscription is shared by all who listen. */
export function symbolFeed(stream: MarketStream, symbol: string): SymbolFeed {
  const listeners = new Set<TickListener>();
  let bid = 0;
  let ask = 0;
  let bidQuantity: number | undefined;
  let askQuantity: number | undefined;
  const name = symbol.toLowerCase();
  const stops = [
    stream.subscribe(`${name}@bookTicker`, (data) => {
      const event = bookEvent.safeParse(data);
      if (!event.success) return;
      bid = Number(event.data.b);
      ask = Number(event.data.a);
      bidQuantity = numberOf(event.data.B);
      askQuantity = numberOf(event.data.A);
    }),
    stream.subscribe(`${name}@trade`, (data) => {
      const event = tradeEvent.safeParse(data);
      if (!event.success) return;
      const price = Number(event.data.p);
      // Before the first book event, and around it, the trade itself is the best price known.
      const tick = {
        at: event.data.T,
        price,
        bid: bid > 0 && bid <= price * 1.1 ? bid : price,
        ask: ask > 0 && ask >= price * 0.9 ? ask : price,
        quantity: numberOf(event.data.q),
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
    close: () => {
      for (const stop of stops) stop();
    },
    get idle() {
      return listeners.size === 0;
    },
  };
}
