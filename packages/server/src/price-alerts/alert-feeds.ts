import type { LevelBar } from '@pilotfish/core/price-alerts/level-watch';
import type { Logger } from 'pino';
import * as z from 'zod';
import type { Exchange } from '../exchange/exchange.ts';
import type { Market } from '../market/market.ts';

const MINUTE = 60_000;
/** Longer without a word of the market than this, and what was between is read from candles. */
export const GAP_MS = 60_000;
/** Pairs whose every trade is listened to, three streams each of the thousand that a connection carries; the others are seen once a second. */
const MOST_WATCHED = 250;
const PAGE = 1000;
const RETRIES = 3;

const klineEvent = z.looseObject({ k: z.looseObject({ t: z.number(), h: z.string(), l: z.string(), c: z.string(), x: z.boolean() }) });

export type AlertFeed = {
  readonly index: number;
  readonly symbol: string;
  readonly source: 'last' | 'mark-mid';
  price: number;
  /** Market time of that price. */
  at: number;
  users: number;
  /** While the past is read, prices only come to be the newest. */
  isHeld: boolean;
  stop: () => void;
};
export type AlertFeeds = ReturnType<typeof alertFeeds>;

/**
 * Prices of the pairs that alerts look at: every trade, the closed minutes, and after a gap the minutes that were
 * missed, before any newer price is told.
 */
export function alertFeeds(options: {
  market: Pick<Market, 'watch' | 'board' | 'asOf'>;
  exchange: Pick<Exchange, 'candles' | 'stream'>;
  /** Market time goes on, and the prices are still those of before. */
  onTime: (at: number) => void;
  onPrice: (feed: AlertFeed) => void;
  onBar: (feed: AlertFeed, bar: LevelBar, late: boolean) => void;
  /** After a gap: the price from which it goes on. */
  onResume: (feed: AlertFeed) => void;
  log: Logger;
}) {
  const { market, exchange, onTime, onPrice, onBar, onResume, log } = options;
  const feeds = new Map<string, AlertFeed>();
  /** A place in the index is never given to another pair. */
  const indexes = new Map<string, number>();
  let watchedFeeds = 0;
  let heardUntil = 0;
  let stopBoard: (() => void) | undefined;
  let catching: Promise<void> = Promise.resolve();
  let stopped = false;

  function tell(feed: AlertFeed, price: number, at: number): void {
    // Of two sources the newer is believed: an older price would look like a way back.
    if (!(price > 0) || at < feed.at) return;
    onTime(at);
    feed.price = price;
    feed.at = at;
    if (!feed.isHeld) onPrice(feed);
  }
  function boardPrice(symbol: string, source: AlertFeed['source']): number {
    const index = market.board.index(symbol);
    if (index === undefined) return Number.NaN;
    const [bid, ask] = [market.board.column('bid')[index]!, market.board.column('ask')[index]!];
    return source === 'mark-mid' && bid > 0 && ask > 0 ? (bid + ask) / 2 : market.board.column('price')[index]!;
  }
  const onMarket = (): void => {
    const { asOf } = market;
    if (heardUntil > 0 && asOf - heardUntil > GAP_MS) catchUp();
    // Also those whose trades are heard: between asking for a stream and its first word there is only this.
    for (const feed of feeds.values()) {
      const at = market.board.column('at')[market.board.index(feed.symbol) ?? -1];
      if (at !== undefined && at > feed.at) tell(feed, boardPrice(feed.symbol, feed.source), at);
    }
    if (asOf > heardUntil) heardUntil = asOf;
  };

  /** Minutes from a moment on, the running one too. */
  async function barsSince(symbol: string, from: number): Promise<LevelBar[]> {
    const bars: LevelBar[] = [];
    for (let startTime = Math.floor(from / MINUTE) * MINUTE; ; startTime = bars.at(-1)!.openTime + MINUTE) {
      const rows = await exchange.candles(symbol, '1m', { startTime, limit: PAGE });
      bars.push(
        ...rows.map(([openTime, , high, low, close]) => ({ openTime, high: Number(high), low: Number(low), close: Number(close) })),
      );
      if (rows.length < PAGE) return bars;
    }
  }
  async function catchUpOne(feed: AlertFeed, from: number): Promise<void> {
    for (let attempt = 1; feed.source === 'last' && attempt <= RETRIES && !stopped; attempt += 1) {
      try {
        const bars = await barsSince(feed.symbol, from);
        for (const bar of bars) onBar(feed, bar, true);
        const last = bars.at(-1);
        if (last !== undefined && !(feed.at >= last.openTime)) {
          feed.price = last.close;
          feed.at = last.openTime;
        }
        break;
      } catch (error) {
        log.warn({ symbol: feed.symbol, reason: (error as Error).message }, 'minutes that alerts missed could not be read');
        await new Promise((done) => setTimeout(done, 1000 * attempt).unref());
      }
    }
    feed.isHeld = false;
    if (!stopped && feed.price > 0) onResume(feed);
  }
  /** Reads what was missed since the market was last heard. */
  function catchUp(from = heardUntil): void {
    const missed = [...feeds.values()].filter((feed) => !feed.isHeld);
    for (const feed of missed) feed.isHeld = true;
    catching = catching.then(async () => {
      for (const feed of missed) await catchUpOne(feed, from);
    });
  }

  return {
    join: (symbol: string, source: AlertFeed['source']): AlertFeed => {
      const key = `${symbol} ${source}`;
      const known = feeds.get(key);
      if (known !== undefined) {
        known.users += 1;
        return known;
      }
      const index = indexes.get(key) ?? indexes.size;
      indexes.set(key, index);
      const at = market.board.column('at')[market.board.index(symbol) ?? -1] ?? 0;
      const feed: AlertFeed = {
        index,
        symbol,
        source,
        price: boardPrice(symbol, source),
        at,
        users: 1,
        isHeld: false,
        stop: () => undefined,
      };
      feeds.set(key, feed);
      if (watchedFeeds >= MOST_WATCHED) return feed;
      watchedFeeds += 1;
      const stopTicks = market.watch(symbol, ({ at: time, price, bid, ask }) =>
        tell(feed, source === 'last' ? price : (bid + ask) / 2, time),
      );
      const stopBars =
        source === 'last'
          ? exchange.stream.subscribe(`${symbol.toLowerCase()}@kline_1m`, (data) => {
              const event = klineEvent.safeParse(data);
              if (!event.success || !event.data.k.x || feed.isHeld) return;
              const { t, h, l, c } = event.data.k;
              onBar(feed, { openTime: t, high: Number(h), low: Number(l), close: Number(c) }, false);
            })
          : () => undefined;
      feed.stop = () => {
        watchedFeeds -= 1;
        stopTicks();
        stopBars();
      };
      return feed;
    },
    leave: (feed: AlertFeed): void => {
      feed.users -= 1;
      if (feed.users > 0) return;
      feed.stop();
      feeds.delete(`${feed.symbol} ${feed.source}`);
    },
    find: (symbol: string, source: AlertFeed['source']): AlertFeed | undefined => feeds.get(`${symbol} ${source}`),
    catchUp,
    /** Up to where in market time every price was told. */
    get heardUntil(): number {
      return Math.max(heardUntil, market.asOf > 0 && heardUntil === 0 ? market.asOf : 0);
    },
    start: (knownUntil: number | undefined): void => {
      heardUntil = market.asOf;
      stopBoard = exchange.stream.subscribe('!miniTicker@arr', onMarket);
      if (knownUntil !== undefined && knownUntil > 0) catchUp(knownUntil);
    },
    /** Waits until everything that was missed is told. */
    settled: async (): Promise<void> => catching,
    stop: async (): Promise<void> => {
      stopped = true;
      stopBoard?.();
      for (const feed of feeds.values()) feed.stop();
      feeds.clear();
      await catching;
    },
  };
}
