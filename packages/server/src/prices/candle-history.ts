import { shortFigure } from '@pilotfish/core/candles/candle-lines';
import { aggregateCandles, type ExactCandle, fillGaps, intervalLength } from '@pilotfish/core/prices/candle-gaps';
import {
  dayFigures,
  FIGURE_HISTORY,
  type FigureCandles,
  figureCandles,
  fourHours,
  hourFigures,
  indicatorFigures,
} from '@pilotfish/core/prices/pair-figures';
import type { Timers } from '@pilotfish/core/time/timers';
import type { Logger } from 'pino';
import type { Exchange } from '../exchange/exchange.ts';
import { ExchangeError } from '../exchange/exchange-error.ts';
import { type Rows, textOfUnread, type UnreadRow, unreadOf, withUnread } from '../exchange/exchange-rows.ts';
import type { Market } from '../market/market.ts';
import type { WeightPacer } from '../market/weight-pacer.ts';
import { type CandleStore, STORED_INTERVALS, type StoredInterval } from './candle-store.ts';
import type { FigureTable } from './figure-table.ts';

const KLINES_WEIGHT = 2;
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const MINUTES_SEEDED = 242;
/** The pair that correlations are taken to; its hours come first. */
const REFERENCE = 'BTCUSDT';
/** A closed candle is asked for a little later: the exchange writes it out at its close. */
const GRACE_MS = 2000;
const FLUSH_AT = 300;
const FLUSH_MS = 15_000;
const SIZE_MS = 10 * MINUTE;
const IDLE_MS = 1000;
const RETRY = { first: 5000, most: 5 * MINUTE };
const REFUSED_MS = 60 * MINUTE;
/** Candles of which some could not be read are asked for again after this. */
const UNREAD_MS = 15 * MINUTE;
/** Stored pairs beyond the bound are let go until this share of it is left. */
const TRIM_TO = 0.9;

type Job = StoredInterval | 'listing' | 'minutes';
type Known = {
  /** Open time of the newest closed candle that was asked for, per interval. */
  covered: Partial<Record<StoredInterval, number>>;
  /** Not before this: some could not be read. */
  unreadUntil: Partial<Record<StoredInterval, number>>;
  read: Set<StoredInterval>;
  minutesAt: number;
  refusedUntil: number;
};

/** A kline of the exchange as an exact candle. */
export function toExactCandle(row: readonly unknown[]): ExactCandle {
  const [openTime, open, high, low, close, volume, , quoteVolume, trades] = row as [
    number,
    string,
    string,
    string,
    string,
    string,
    number,
    string | undefined,
    number | undefined,
  ];
  return {
    openTime,
    open: shortFigure(open),
    high: shortFigure(high),
    low: shortFigure(low),
    close: shortFigure(close),
    volume: shortFigure(volume),
    quoteVolume: shortFigure(quoteVolume ?? '0'),
    trades: trades ?? 0,
  };
}

export type CandleHistory = ReturnType<typeof candleHistory>;

/**
 * Keeps closed candles of every tradable pair: asks for what is missing, most traded pairs first, and after each close
 * for the new one; sets the figures anew each time. Nothing waits for it, and it waits for everything else: its weight
 * is paced, and it rests as long as each question took.
 */
export function candleHistory(options: {
  exchange: Pick<Exchange, 'candles'>;
  market: Pick<Market, 'pairs' | 'pair' | 'board' | 'minutes' | 'loaded'>;
  store: CandleStore;
  figures: Pick<FigureTable, 'setIndicators' | 'setHours' | 'setDays' | 'setListing'>;
  pacer: WeightPacer;
  now: () => number;
  log: Logger;
  /** Candles per question: less where the exchange lives in our own process and would stand still meanwhile. */
  rowsPerRequest: number;
  /** Rest after a question, as a multiple of the time it took. */
  rest: number;
  maxBytes: number;
  /** Pairs worked on at once. */
  workers?: number;
  timers: Pick<Timers, 'wait' | 'running'>;
}) {
  const { exchange, market, store, figures, pacer, now, log } = options;
  const { wait } = options.timers;
  const known = new Map<string, Known>();
  let listings: Map<string, number> | undefined;
  let reference: FigureCandles | undefined;
  let full = false;
  /** Pairs that were stored before this start: they belong here even when there is no room for more. */
  let stored: Set<string> = new Set();
  let stopped = false;
  let running = false;
  let cursor = 0;
  const busy = new Set<string>();
  let flushedAt = 0;
  let sizedAt = 0;
  let order: { minute: number; symbols: string[] } = { minute: Number.NaN, symbols: [] };

  /** Market time, which in a simulated market is not ours. */
  const venueNow = () => market.board.asOf;
  const lastClosed = (interval: StoredInterval): number => {
    const length = intervalLength(interval)!;
    return Math.floor((venueNow() - GRACE_MS) / length) * length - length;
  };
  const stateOf = (symbol: string): Known => {
    const state = known.get(symbol) ?? { covered: {}, unreadUntil: {}, read: new Set(), minutesAt: Number.NaN, refusedUntil: 0 };
    known.set(symbol, state);
    return state;
  };

  /** Tradable pairs, the primary currency's most traded first. */
  function byVolume(): string[] {
    const minute = Math.floor(now() / MINUTE);
    if (order.minute === minute && order.symbols.length > 0) return order.symbols;
    const volume = (symbol: string) => {
      const index = market.board.index(symbol);
      return index === undefined ? 0 : market.board.column('quoteVolume')[index]! || 0;
    };
    const rank = (quote: string) => (quote === 'USDT' ? 0 : 1);
    const symbols = market
      .pairs()
      .filter((pair) => pair.status === 'TRADING')
      .map((pair) => ({ symbol: pair.symbol, rank: pair.symbol === REFERENCE ? -1 : rank(pair.quoteAsset), volume: volume(pair.symbol) }))
      .sort((a, b) => a.rank - b.rank || b.volume - a.volume || (a.symbol < b.symbol ? -1 : 1))
      .map(({ symbol }) => symbol);
    order = { minute, symbols };
    return symbols;
  }

  function due(symbol: string): Job | undefined {
    const state = stateOf(symbol);
    if (busy.has(symbol) || now() < state.refusedUntil) return undefined;
    const index = market.board.index(symbol);
    if (index === undefined) return undefined;
    if (full && state.read.size === 0 && !stored.has(symbol)) return undefined;
    // A pair whose minutes are not whole after they were asked for is asked again only after the next outage.
    const asked = Math.abs(venueNow() - state.minutesAt) < 30 * MINUTE && state.minutesAt > market.minutes.cutAt;
    if (!asked && !market.minutes.complete(index, venueNow())) return 'minutes';
    for (const interval of ['1h', '15m', '1d'] as const)
      if (!((state.covered[interval] ?? Number.NEGATIVE_INFINITY) >= lastClosed(interval)) && now() >= (state.unreadUntil[interval] ?? 0))
        return interval;
    // Its daily candles may say it, once they can be read.
    if (now() < (state.unreadUntil['1d'] ?? 0)) return undefined;
    return listings?.has(symbol) === false ? 'listing' : undefined;
  }

  async function ask(symbol: string, interval: string, query: { limit: number; startTime?: number; endTime?: number }) {
    if (!(await pacer.take(KLINES_WEIGHT))) throw new Stopped();
    const started = options.timers.running();
    const rows = await exchange.candles(symbol, interval, query);
    const took = options.timers.running() - started;
    if (options.rest > 0) await wait(took * options.rest);
    return withUnread(rows.map(toExactCandle), unreadOf(rows));
  }

  /** Every candle from `from` to `to` that the exchange has, in as many questions as that takes. */
  async function askAll(symbol: string, interval: StoredInterval, from: number, to: number): Promise<Rows<ExactCandle>> {
    const length = intervalLength(interval)!;
    const all: ExactCandle[] = [];
    const unread: UnreadRow[] = [];
    for (let start = from; start <= to; ) {
      const end = Math.min(to, start + (options.rowsPerRequest - 1) * length);
      const rows = await ask(symbol, interval, { startTime: start, endTime: end, limit: options.rowsPerRequest });
      all.push(...rows);
      unread.push(...unreadOf(rows));
      start = end + length;
    }
    return withUnread(all, unread);
  }

  async function keep(symbol: string, interval: StoredInterval): Promise<void> {
    const length = intervalLength(interval)!;
    const last = lastClosed(interval);
    const from = last - (FIGURE_HISTORY[interval] - 1) * length;
    const state = stateOf(symbol);
    // Candles later than the market's clock are of a clock that ran ahead once.
    const old = (await store.read(symbol, interval)).filter((candle) => candle.openTime >= from && candle.openTime <= last);
    const listedAt = listings?.get(symbol) ?? 0;
    const newest = Math.max(old.at(-1)?.openTime ?? Number.NEGATIVE_INFINITY, state.covered[interval] ?? Number.NEGATIVE_INFINITY);
    // Listings are known to the day.
    const whole = old.length > 0 && old[0]!.openTime <= Math.max(from, listedAt + DAY) + 2 * length;
    const fresh = await askAll(symbol, interval, whole ? newest + length : Math.max(from, Math.floor(listedAt / length) * length), last);
    const unread = unreadOf(fresh);
    // Behind the newest stored one nothing is asked for again: what comes after one that cannot be read is not stored.
    const hole = Math.min(...unread.map((row) => Number(textOfUnread(row, '0') ?? Number.NaN)));
    const kept = unread.length === 0 ? fresh : fresh.filter(({ openTime }) => openTime < hole);
    if (kept.length > 0) await store.write(symbol, interval, kept, from);
    state.read.add(interval);
    if (unread.length === 0) state.covered[interval] = last;
    else state.unreadUntil[interval] = now() + UNREAD_MS;
    if (interval === '1d' && !whole && unread.length === 0) await noteListing(symbol, fresh, from);
    await setFigures(symbol, interval, fillGaps([...(whole ? old : []), ...fresh], interval, last));
  }

  /** A pair whose daily candles begin later than was asked for was listed on the first of them. */
  async function noteListing(symbol: string, days: readonly ExactCandle[], from: number): Promise<void> {
    const first = days[0];
    if (first !== undefined && first.openTime > from && listings?.has(symbol) === false) await saveListing(symbol, first.openTime);
  }
  async function saveListing(symbol: string, listedAt: number): Promise<void> {
    listings?.set(symbol, listedAt);
    figures.setListing(symbol, listedAt);
    await store.saveListing(symbol, listedAt);
  }

  async function setFigures(symbol: string, interval: StoredInterval, candles: readonly ExactCandle[]): Promise<void> {
    const last = candles.at(-1);
    if (last === undefined) return;
    const columns = figureCandles(candles);
    figures.setIndicators(symbol, interval, indicatorFigures(columns), last.openTime);
    if (interval === '1d') figures.setDays(symbol, dayFigures(columns));
    if (interval !== '1h') return;
    if (symbol === REFERENCE) reference = columns;
    figures.setHours(symbol, hourFigures(columns, reference));
    const four = fourHours(columns);
    const opened = four.openTime.at(-1);
    if (opened !== undefined) figures.setIndicators(symbol, '4h', indicatorFigures(four), opened);
  }

  async function seedMinutes(symbol: string): Promise<void> {
    const index = market.board.index(symbol)!;
    stateOf(symbol).minutesAt = venueNow();
    const rows = await ask(symbol, '1m', { limit: MINUTES_SEEDED });
    market.minutes.seed(
      index,
      fillGaps(rows, '1m').map((row) => [row.openTime, Number(row.close)] as const),
    );
  }

  async function run(symbol: string, job: Job): Promise<void> {
    if (job === 'minutes') return seedMinutes(symbol);
    if (job !== 'listing') return keep(symbol, job);
    const [first] = await ask(symbol, '1d', { startTime: 0, limit: 1 });
    if (first !== undefined) await saveListing(symbol, first.openTime);
    // No candle yet: it was announced, but does not trade. Asked again later.
    else stateOf(symbol).refusedUntil = now() + REFUSED_MS;
  }

  /** Lets the least traded pairs go when the store is larger than allowed. */
  async function bound(): Promise<void> {
    let bytes = await store.bytes();
    // Once there was no room there is none until the next start: pairs would come and go.
    full ||= bytes >= options.maxBytes * TRIM_TO;
    if (bytes <= options.maxBytes) return;
    for (const symbol of byVolume().toReversed()) {
      if (bytes <= options.maxBytes * TRIM_TO) break;
      if (stateOf(symbol).read.size === 0 && !stored.has(symbol)) continue;
      await store.forget(symbol);
      stored.delete(symbol);
      known.delete(symbol);
      bytes = await store.bytes();
    }
    full = true;
    log.info({ bytes }, 'candles of the least traded pairs were let go to keep within the bound');
  }

  /** What is known from before this start. */
  async function recall(): Promise<void> {
    if (listings !== undefined) return;
    const [read, symbols] = [await store.listings(), await store.symbols()];
    if (listings !== undefined) return;
    [listings, stored] = [read, symbols];
    for (const [symbol, at] of listings) figures.setListing(symbol, at);
  }

  async function upkeep(): Promise<void> {
    if (store.waiting >= FLUSH_AT || (store.waiting > 0 && now() - flushedAt > FLUSH_MS)) {
      flushedAt = now();
      await store.flush();
    }
    if (now() - sizedAt > SIZE_MS) {
      sizedAt = now();
      await bound();
    }
  }

  async function loop(first: boolean): Promise<void> {
    let failures = 0;
    while (!stopped) {
      try {
        if (!market.loaded) {
          await wait(IDLE_MS);
          continue;
        }
        await recall();
        if (first) await upkeep();
        const next = findNext();
        if (next === undefined) {
          await wait(IDLE_MS);
          continue;
        }
        busy.add(next.symbol);
        await run(next.symbol, next.job)
          .catch((error: unknown) => {
            if (!(error instanceof ExchangeError) || error.kind !== 'refused') throw error;
            // Gone between two looks at the list of pairs, or not there yet.
            stateOf(next.symbol).refusedUntil = now() + REFUSED_MS;
          })
          .finally(() => busy.delete(next.symbol));
        failures = 0;
      } catch (error) {
        if (stopped || error instanceof Stopped) return;
        failures += 1;
        const limited = error instanceof ExchangeError && error.kind === 'limited' ? (error.retryAfterMs ?? MINUTE) : 0;
        const pause = Math.max(limited, Math.min(RETRY.most, RETRY.first * 2 ** (failures - 1)));
        if (limited > 0) pacer.pause(limited);
        log.warn({ reason: (error as Error).message, pause }, 'candle history could not be read; trying again later');
        await wait(pause);
      }
    }
  }

  /** Goes round, so that pairs at the end have their turn even where time flies. */
  function findNext(): { symbol: string; job: Job } | undefined {
    const symbols = byVolume();
    for (let looked = 0; looked < symbols.length; looked += 1) {
      cursor %= symbols.length;
      const symbol = symbols[cursor]!;
      const job = due(symbol);
      if (job !== undefined) return { symbol, job };
      cursor += 1;
    }
    return undefined;
  }

  return {
    start: (): void => {
      if (running) return;
      running = true;
      for (let worker = 0; worker < (options.workers ?? 1); worker += 1) void loop(worker === 0);
    },
    stop: async (): Promise<void> => {
      stopped = true;
      pacer.stop();
      await store.flush();
    },
    /** Everything that is due, now and to the end: for tests. */
    settle: async (): Promise<void> => {
      await recall();
      await bound();
      for (let next = findNext(); next !== undefined; next = findNext()) await run(next.symbol, next.job);
      await store.flush();
      await bound();
    },
    /** Stored closed candles with gaps filled; undefined when they do not reach from `from` to `to` (open times). */
    stored: async (symbol: string, interval: string, from: number, to: number): Promise<ExactCandle[] | undefined> => {
      const base = STORED_INTERVALS.includes(interval as StoredInterval) ? (interval as StoredInterval) : PARTS[interval];
      const state = known.get(symbol);
      if (base === undefined || state?.covered[base] === undefined) return undefined;
      const length = intervalLength(interval)!;
      const candles = fillGaps(await store.read(symbol, base), base, state.covered[base]);
      const whole = base === interval ? candles : aggregateCandles(candles, base, interval);
      const first = whole[0];
      const last = whole.at(-1);
      if (first === undefined || last === undefined || last.openTime < to) return undefined;
      // Before its first candle a pair has none; before ours the exchange may know more.
      if (first.openTime > from && !(first.openTime <= (listings?.get(symbol) ?? Number.NEGATIVE_INFINITY) + DAY + length))
        return undefined;
      return whole.filter((candle) => candle.openTime >= from && candle.openTime <= to);
    },
    /** How far the history has come, for people: pairs with all their candles, of all that trade. */
    progress: (): { loaded: number; of: number } => {
      const symbols = byVolume();
      return { loaded: symbols.filter((symbol) => stateOf(symbol).read.size === STORED_INTERVALS.length).length, of: symbols.length };
    },
  };
}

/** Intervals that are made of stored ones. */
const PARTS: Readonly<Record<string, StoredInterval>> = { '30m': '15m', '2h': '1h', '4h': '1h', '6h': '1h', '8h': '1h', '12h': '1h' };

class Stopped extends Error {}
