import type { LevelBar } from '@pilotfish/core/price-alerts/level-watch';
import type { Timers } from '@pilotfish/core/time/timers';
import type { Logger } from 'pino';
import * as z from 'zod';
import type { Exchange } from '../exchange/exchange.ts';
import { amountText, openTimesIn, readRow, sentIn } from '../exchange/exchange-rows.ts';
import type { Market } from '../market/market.ts';
import { bookEvent } from '../market/symbol-feed.ts';

const MINUTE = 60_000;
/** Longer without a word of the market than this, and what was between is read from candles. */
export const GAP_MS = 60_000;
/** Pairs whose every trade is listened to, three streams each of the thousand that a connection carries; the others are seen once a second. */
const MOST_WATCHED = 250;
const PAGE = 1000;
/** Minutes that cannot be read are asked for again after 1, 2, 4 … 15 s. */
const LONGEST_WAIT_MS = 15_000;
/** So often at least, while newer prices of the pair come in; for ever while none do: then nothing newer waits. */
const PATIENCE = 5;

export const klineEvent = {
  list: 'klineEvents',
  row: z.looseObject({ k: z.looseObject({ t: z.number(), h: amountText, l: amountText, c: amountText, x: z.boolean() }) }),
  names: ['s', 'E'],
};

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
  /** Of `mark-mid`: every change of the best prices is heard. */
  hearsBook: boolean;
  stop: () => void;
};
const middle = (bid: number, ask: number): number => (bid > 0 && ask >= bid ? (bid + ask) / 2 : Number.NaN);

export type AlertFeeds = ReturnType<typeof alertFeeds>;

/**
 * Prices of the pairs that alerts look at: every trade, the closed minutes, and after a gap the minutes that were
 * missed, before any newer price is told.
 */
export function alertFeeds(options: {
  market: Pick<Market, 'watch' | 'board' | 'asOf'>;
  exchange: Pick<Exchange, 'candles' | 'stream' | 'unread'>;
  /** Market time goes on, and the prices are still those of before. */
  onTime: (at: number) => void;
  onPrice: (feed: AlertFeed) => void;
  onBar: (feed: AlertFeed, bar: LevelBar, late: boolean) => void;
  /** After a gap: the price from which it goes on. */
  onResume: (feed: AlertFeed) => void;
  timers: Pick<Timers, 'after'>;
  log: Logger;
}) {
  const { market, exchange, onTime, onPrice, onBar, onResume, timers, log } = options;
  const feeds = new Map<string, AlertFeed>();
  /** A place in the index is never given to another pair. */
  const indexes = new Map<string, number>();
  let watchedFeeds = 0;
  let heardUntil = 0;
  /** The connection was lost, and nothing was heard since. */
  let isDeaf = false;
  let stopBoard: (() => void) | undefined;
  /** What is being read, and from when on: until it is told, nobody has heard what came after that. */
  const catching = new Map<Promise<void>, number>();
  const stopping = new AbortController();

  function tell(feed: AlertFeed, price: number, at: number): void {
    // Of two sources the newer is believed: an older price would look like a way back.
    if (!(price > 0) || at < feed.at) return;
    // A trade may be the first word after a gap.
    if (heardUntil > 0 && at - Math.max(heardUntil, feed.at) > GAP_MS) {
      catchUp();
      // Read once: neither the board that follows nor a trade after it finds the same gap again.
      heardUntil = at;
    }
    onTime(at);
    feed.price = price;
    feed.at = at;
    if (!feed.isHeld) onPrice(feed);
  }
  function boardPrice(symbol: string, source: AlertFeed['source']): number {
    const index = market.board.index(symbol);
    if (index === undefined) return Number.NaN;
    if (source === 'last') return market.board.column('price')[index]!;
    // Without a book there is no middle: the last price is another one.
    return middle(market.board.column('bid')[index]!, market.board.column('ask')[index]!);
  }
  const onMarket = (): void => {
    const { asOf } = market;
    if (heardUntil > 0 && asOf - heardUntil > GAP_MS) catchUp();
    // Also those whose trades are heard: between asking for a stream and its first word there is only this.
    for (const feed of feeds.values()) {
      // The board's books are some seconds old: whoever hears the book itself does not go back to them.
      if (feed.source === 'mark-mid' && feed.hearsBook) continue;
      const at = market.board.column('at')[market.board.index(feed.symbol) ?? -1];
      if (at !== undefined && at > feed.at) tell(feed, boardPrice(feed.symbol, feed.source), at);
    }
    if (asOf > heardUntil) {
      heardUntil = asOf;
      isDeaf = false;
    }
  };

  /** Minutes from a moment on, the running one too. */
  async function barsSince(symbol: string, from: number): Promise<LevelBar[]> {
    const bars: LevelBar[] = [];
    for (let startTime = Math.floor(from / MINUTE) * MINUTE; ; ) {
      const rows = await exchange.candles(symbol, '1m', { startTime, limit: PAGE });
      bars.push(
        ...rows.map(([openTime, , high, low, close]) => ({ openTime, high: Number(high), low: Number(low), close: Number(close) })),
      );
      const next = Math.max(...openTimesIn(rows)) + MINUTE;
      if (sentIn(rows) < PAGE || next <= startTime) return bars;
      startTime = next;
    }
  }
  const pause = (milliseconds: number): Promise<void> =>
    new Promise((done) => {
      const end = () => {
        cancel();
        stopping.signal.removeEventListener('abort', end);
        done();
      };
      const cancel = timers.after(milliseconds, end, { ref: true });
      stopping.signal.addEventListener('abort', end);
    });
  async function tellMissed(feed: AlertFeed, from: number): Promise<void> {
    if (feed.source === 'mark-mid') return;
    const bars = await barsSince(feed.symbol, from);
    for (const bar of bars) onBar(feed, bar, true);
    const last = bars.at(-1);
    if (last !== undefined && !(feed.at >= last.openTime)) {
      feed.price = last.close;
      feed.at = last.openTime;
    }
  }
  function resume(feed: AlertFeed): void {
    feed.isHeld = false;
    if (feeds.get(`${feed.symbol} ${feed.source}`) === feed && feed.price > 0) onResume(feed);
  }
  async function catchUpAll(missed: readonly AlertFeed[], from: number): Promise<void> {
    const heldAt = new Map(missed.map((feed) => [feed, feed.at]));
    let left = missed;
    for (let attempt = 1; left.length > 0; attempt += 1) {
      const failed: AlertFeed[] = [];
      for (const [place, feed] of left.entries()) {
        if (stopping.signal.aborted) return;
        try {
          await tellMissed(feed, from);
          resume(feed);
        } catch (error) {
          if (stopping.signal.aborted) return;
          log.warn({ symbol: feed.symbol, reason: (error as Error).message }, 'minutes that alerts missed could not be read; trying again');
          failed.push(feed);
          // Where one cannot be read the others can hardly be; this one waits behind them.
          if (failed.length < PATIENCE) continue;
          failed.unshift(...left.slice(place + 1));
          break;
        }
      }
      left = failed.filter((feed) => {
        if (attempt < PATIENCE || !(feed.at > heldAt.get(feed)!)) return true;
        // Newer prices must not wait for ever: what the price of now says of the time since is told at least.
        log.error({ symbol: feed.symbol }, 'minutes that alerts missed are given up');
        if (feed.source === 'last')
          onBar(feed, { openTime: feed.at - (feed.at % MINUTE), high: feed.price, low: feed.price, close: feed.price }, true);
        resume(feed);
        return false;
      });
      if (left.length === 0) return;
      await pause(Math.min(LONGEST_WAIT_MS, 1000 * 2 ** (attempt - 1)));
    }
  }
  /** Reads what was missed since the market was last heard. */
  function catchUp(from = heardUntil): void {
    const missed = [...feeds.values()].filter((feed) => !feed.isHeld);
    if (from <= 0 || missed.length === 0) return;
    for (const feed of missed) feed.isHeld = true;
    const reading: Promise<void> = catchUpAll(missed, from).finally(() => {
      if (!stopping.signal.aborted) catching.delete(reading);
    });
    catching.set(reading, from);
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
        hearsBook: false,
        stop: () => undefined,
      };
      feeds.set(key, feed);
      if (watchedFeeds >= MOST_WATCHED) return feed;
      watchedFeeds += 1;
      feed.hearsBook = source === 'mark-mid';
      const stopTicks =
        source === 'last'
          ? market.watch(symbol, ({ at: time, price }) => tell(feed, price, time))
          : exchange.stream.subscribe(`${symbol.toLowerCase()}@bookTicker`, (data) => {
              const event = readRow(bookEvent, data, exchange.unread);
              // Books are told without a time: it is that of the newest price of any pair.
              if (event) tell(feed, middle(Number(event.b), Number(event.a)), Math.max(feed.at, market.asOf));
            });
      const stopBars =
        source === 'last'
          ? exchange.stream.subscribe(`${symbol.toLowerCase()}@kline_1m`, (data) => {
              const event = readRow(klineEvent, data, exchange.unread);
              if (!event?.k.x || feed.isHeld) return;
              const { t, h, l, c } = event.k;
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
      return Math.min(Math.max(heardUntil, market.asOf > 0 && heardUntil === 0 ? market.asOf : 0), ...catching.values());
    },
    /** A second of the wall's clock. */
    beat: (): void => {
      isDeaf ||= !exchange.stream.connected || exchange.stream.isQuiet;
    },
    /** Whether what happened to this pair until now may still come to be known. */
    isBehind: (feed: AlertFeed | undefined): boolean => isDeaf || feed?.isHeld === true,
    start: (): void => {
      heardUntil = market.asOf;
      stopBoard = exchange.stream.subscribe('!miniTicker@arr', onMarket);
    },
    stop: async (): Promise<void> => {
      stopping.abort();
      stopBoard?.();
      for (const feed of feeds.values()) feed.stop();
      feeds.clear();
      await Promise.all(catching.keys());
    },
  };
}
