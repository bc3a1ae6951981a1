import type { MarketTrouble } from '@pilotfish/core/admin/market-choice-contract';
import { decimal, divide, isPositive, multiply, toText } from '@pilotfish/core/money/decimal';
import { coinNames } from '@pilotfish/core/prices/asset-tags';
import type { Candle } from '@pilotfish/core/prices/prices-contract';
import type { Cancel, Timers } from '@pilotfish/core/time/timers';
import type { Logger } from 'pino';
import type { Exchange } from '../exchange/exchange.ts';
import { troubleOf } from '../exchange/exchange-error.ts';
import { openTimesIn, sentIn } from '../exchange/exchange-rows.ts';
import type { StreamHub } from '../stream/stream-hub.ts';
import { marketPolls } from './market-polls.ts';
import { minuteCloses } from './minute-closes.ts';
import { highsSinceJump, type Minute } from './minute-highs.ts';
import { pairList } from './pair-list.ts';
import { type SymbolFeed, symbolFeed } from './symbol-feed.ts';
import { tickerBoard } from './ticker-board.ts';

/** How often changed figures leave for the screens. */
const BEAT_MS = 1000;
/** What a coin without a pair of its own against the money at hand trades against, the most usual first. */
const BRIDGES = ['USDT', 'BTC', 'ETH', 'BNB', 'USDC', 'FDUSD'];
const PAIRS_REFRESH_MS = 900_000;
/** A followed pair that says nothing for so long (venue ms) may not trade any more; how often that is asked at most. */
const SILENT_MS = { after: 60_000, every: 300_000 };
const CLOCK_REFRESH_MS = 600_000;
/** No message for this long means the figures may be old. */
const STALE_MS = 15_000;
/** A gap shorter than this is filled by what comes next, for the figures: every pair that trades is told each second. */
const GAP_MS = 5000;
/** Its trades are not told again, and a high among them is known to candles only: when those are read, and how often at most. */
const SHORT_GAP_MS = { after: 1000, every: 60_000 };
/** A price that the board has and the pair's own trades do not, for so long, means that their subscription is lost. */
const LOST_MS = 30_000;
/** Waits between tries to read what a gap has hidden. */
const REFILL_MS = { first: 1000, most: 30_000 };
const RENEW_MS = 5 * 60_000;

export type Market = ReturnType<typeof createMarket>;

/**
 * The market as the server knows it: pairs with their filters, the newest figures of all of them, candles on demand,
 * and single trades for the symbols that somebody watches.
 */
export function createMarket(options: {
  exchange: Exchange;
  now: () => number;
  timers: Timers;
  log: Logger;
  hub: Pick<StreamHub, 'publish' | 'provideState'>;
}) {
  const { exchange, log, now, timers } = options;
  const board = tickerBoard();
  const minutes = minuteCloses();
  const polls = marketPolls({ exchange, board, now, timers, log });
  const pairs = pairList({ exchange, price: board.price, now, log });
  const feeds = new Map<string, SymbolFeed>();
  const cancels: Cancel[] = [];
  let unsubscribe: (() => void) | undefined;
  let retry: Cancel | undefined;
  let renewedAt = Number.NEGATIVE_INFINITY;
  let loaded = false;
  let trouble: MarketTrouble | undefined;
  let stopped = false;
  /** Market time before the oldest gap whose figures are not known yet. */
  let unfilledSince: number | undefined;
  /** Followed pairs that were asked for, with the trade after which they fell silent; when that was done last. */
  const askedAfter = new Map<string, number>();
  let silentAskedAt = Number.NEGATIVE_INFINITY;
  let gaps = 0;
  let isFilling = false;
  /** Market time before the oldest short gap that nobody was told of yet. */
  let hiddenSince: number | undefined;
  let hiddenTimer: Cancel | undefined;
  let hiddenToldAt = Number.NEGATIVE_INFINITY;
  const afterGaps = new Set<(since: number) => void>();

  async function load(): Promise<void> {
    await exchange.rest.syncClock();
    await pairs.read();
    for (const row of await exchange.tickers()) board.load(row);
    pairs.noteResting();
    loaded = true;
    trouble = undefined;
  }

  /** The exchange may be away when we start: the server runs, says so, and tries again. */
  async function loadUntilDone(waitMs: number): Promise<void> {
    if (stopped) return;
    try {
      await load();
      log.info({ pairs: pairs.size }, 'market data is loaded');
    } catch (error) {
      trouble = troubleOf(error);
      log.warn({ reason: (error as Error).message, trouble }, 'market data could not be loaded; trying again');
      retry = timers.after(waitMs, () => void loadUntilDone(Math.min(waitMs * 2, 60_000)), { ref: true });
    }
  }

  const every = (ms: number, work: () => void | Promise<void>) => {
    const timer = timers.every(
      ms,
      () => void Promise.resolve(work()).catch((error: Error) => log.warn({ reason: error.message }, 'a market refresh failed')),
    );
    cancels.push(timer);
  };

  const isStale = () => unfilledSince !== undefined || !exchange.stream.connected || now() - exchange.stream.lastEventAt > STALE_MS;

  /**
   * The stream is back. Until what it did not tell is read, every figure may be of before: a pair that traded meanwhile
   * and not since would keep its old price, and be judged by it.
   */
  function onGap(gapMs: number): void {
    for (const feed of feeds.values()) feed.missed();
    if (!loaded || stopped) return;
    // Trades of single pairs come by connections of their own, which may have been away while the market went on.
    const since = Math.min(board.asOf, exchange.rest.time() - gapMs);
    if (gapMs < GAP_MS) {
      tellShortGap(since);
      return;
    }
    minutes.cut(board.asOf);
    gaps += 1;
    unfilledSince = Math.min(unfilledSince ?? Number.POSITIVE_INFINITY, since);
    if (isFilling) return;
    isFilling = true;
    fill()
      .catch((error: unknown) => log.error({ err: error }, 'somebody failed at what a gap of the market stream hid'))
      .finally(() => {
        isFilling = false;
      });
  }

  /** A connection that comes and goes costs one reading a minute, not one each time. */
  function tellShortGap(since: number): void {
    hiddenSince = Math.min(hiddenSince ?? Number.POSITIVE_INFINITY, since);
    hiddenTimer ??= timers.after(Math.max(SHORT_GAP_MS.after, hiddenToldAt + SHORT_GAP_MS.every - now()), () => {
      hiddenTimer = undefined;
      const from = hiddenSince;
      hiddenSince = undefined;
      if (stopped || from === undefined) return;
      hiddenToldAt = now();
      // A long gap is about to be read: this one with it.
      if (unfilledSince !== undefined) unfilledSince = Math.min(unfilledSince, from);
      else for (const listener of afterGaps) listener(from);
    });
  }

  async function fill(): Promise<void> {
    for (let pause = REFILL_MS.first; !stopped && unfilledSince !== undefined; pause = Math.min(2 * pause, REFILL_MS.most)) {
      const known = gaps;
      try {
        for (const row of await exchange.tickers()) {
          const at = board.column('at')[board.index(row.symbol) ?? -1];
          if (at === undefined || Number.isNaN(at) || row.closeTime > at) board.load(row);
        }
      } catch (error) {
        log.warn({ reason: (error as Error).message }, 'what the market stream missed could not be read; trying again');
        await timers.wait(pause);
        continue;
      }
      for (const feed of feeds.values()) feed.missed();
      // Away again meanwhile: what was read may be of before that.
      if (gaps !== known) continue;
      const since = unfilledSince;
      unfilledSince = undefined;
      for (const listener of afterGaps) listener(since);
    }
  }

  /** The connection speaks, and a subscription of it does not. */
  function findLostSubscriptions(): void {
    if (!exchange.stream.connected || now() - renewedAt < RENEW_MS) return;
    for (const [symbol, feed] of feeds) {
      const index = board.index(symbol);
      if (index === undefined || feed.lacksSince(board.column('price')[index]!, now()) <= LOST_MS) continue;
      renewedAt = now();
      log.warn({ symbol }, 'trades of a pair do not come any more; the market stream is opened anew');
      exchange.stream.renew(`${symbol.toLowerCase()}@trade`);
      return;
    }
  }

  /** That a pair has stopped trading is told by no price: those that are followed and fall silent are asked for, once each. */
  function askAboutSilent(): void {
    if (isStale() || now() - silentAskedAt < SILENT_MS.every) return;
    const silent = [...feeds].filter(
      ([symbol, { tradedAt }]) => board.asOf - tradedAt >= SILENT_MS.after && askedAfter.get(symbol) !== tradedAt,
    );
    if (silent.length === 0) return;
    for (const [symbol, { tradedAt }] of silent) askedAfter.set(symbol, tradedAt);
    silentAskedAt = now();
    void pairs.readSoon();
  }

  const direct = (base: string, quote: string): string | undefined => {
    if (base === quote) return '1';
    const price = board.price(`${base}${quote}`);
    if (price) return price;
    const inverse = board.price(`${quote}${base}`);
    return inverse && isPositive(decimal(inverse)) ? toText(divide(decimal('1'), decimal(inverse), 18)) : undefined;
  };

  return {
    start: async (): Promise<void> => {
      await loadUntilDone(500);
      options.hub.provideState('tickers', () =>
        loaded ? { at: new Date(board.asOf).toISOString(), items: board.allRows(), stale: isStale() } : undefined,
      );
      unsubscribe = exchange.stream.subscribe('!miniTicker@arr', (events) => {
        board.apply(events, exchange.unread);
        const [prices, times] = [board.column('price'), board.column('at')];
        for (const index of board.changedIndexes()) minutes.note(index, times[index]!, prices[index]!);
      });
      every(BEAT_MS, () => {
        const items = board.takeChanged();
        pairs.heard(items);
        if (items.length > 0) options.hub.publish('tickers', { at: new Date(board.asOf).toISOString(), items, stale: isStale() });
      });
      every(PAIRS_REFRESH_MS, pairs.read);
      every(BEAT_MS, findLostSubscriptions);
      every(BEAT_MS, askAboutSilent);
      polls.start();
      every(CLOCK_REFRESH_MS, () => exchange.rest.syncClock());
    },
    stop: async (): Promise<void> => {
      stopped = true;
      retry?.();
      hiddenTimer?.();
      for (const cancel of cancels) cancel();
      unsubscribe?.();
      polls.stop();
      for (const feed of feeds.values()) feed.close();
    },
    /** The stream is back after a while without data. */
    onGap,
    /** Runs when the figures are whole again after a gap; `since`: venue time of the last that was heard before it. */
    afterGap: (listener: (since: number) => void): (() => void) => {
      afterGaps.add(listener);
      return () => void afterGaps.delete(listener);
    },
    get loaded() {
      return loaded;
    },
    /** Why its data is not there, as far as it was tried. */
    get trouble() {
      return trouble;
    },
    get asOf() {
      return board.asOf;
    },
    stale: isStale,
    /** Figures of all pairs in columns, for whoever looks at all of them at once. */
    board,
    minutes,
    pair: pairs.get,
    isUnread: pairs.isUnread,
    pairs: pairs.all,
    readPairs: pairs.readSoon,
    tickers: () => board.all(),
    ticker: (symbol: string) => board.row(symbol),
    price: (symbol: string): string | undefined => board.price(symbol),
    /** Value of one unit of `asset` in `quote`, directly or across what most coins trade against; undefined when there is no way. */
    rate: (asset: string, quote: string): string | undefined => {
      const coin = coinNames(pairs.all())(asset);
      const price = direct(coin, quote);
      if (price) return price;
      for (const bridge of BRIDGES) {
        const first = direct(coin, bridge);
        const second = first && direct(bridge, quote);
        if (first && second) return toText(multiply(decimal(first), decimal(second)));
      }
      return undefined;
    },
    candles: async (
      symbol: string,
      interval: string,
      query: { limit: number; startTime?: number; endTime?: number },
    ): Promise<Candle[]> => {
      const rows = await exchange.candles(symbol, interval, query);
      const text = (value: string) => toText(decimal(value));
      const newest = board.row(symbol)?.at ?? 0;
      return rows.map(([openTime, open, high, low, close, volume, closeTime]) => ({
        openTime: new Date(openTime).toISOString(),
        open: text(open),
        high: text(high),
        low: text(low),
        close: text(close),
        volume: text(volume),
        closed: closeTime < newest,
      }));
    },
    /** Highs of the last closed and the running minutes, those after the last jump over a standstill, oldest first: [venue ms, price]. */
    minuteHighs: async (symbol: string, minutes: number): Promise<[number, number][]> => {
      const read: Minute[] = [];
      let endTime: number | undefined;
      while (read.length < minutes) {
        const limit = Math.min(1000, minutes - read.length);
        const rows = await exchange.candles(symbol, '1m', { limit, ...(endTime === undefined ? {} : { endTime }) });
        read.unshift(...rows);
        const first = Math.min(...openTimesIn(rows));
        if (sentIn(rows) < limit || !Number.isFinite(first)) break;
        endTime = first - 1;
      }
      return highsSinceJump(read);
    },
    /** Every trade of a symbol with the best prices beside it. Answers how to stop. */
    watch: (symbol: string, listener: Parameters<SymbolFeed['listen']>[0]): (() => void) => {
      const feed = feeds.get(symbol) ?? symbolFeed(exchange.stream, symbol, board.asOf, exchange.unread);
      feeds.set(symbol, feed);
      const stop = feed.listen(listener);
      return () => {
        stop();
        if (feed.idle && feeds.get(symbol) === feed) {
          feed.close();
          feeds.delete(symbol);
        }
      };
    },
  };
}
