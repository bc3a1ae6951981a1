import type { Bar, Market, Pair, TickBlock } from './market-contract.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Length of each interval in ms; months are 0 because they follow the calendar. Names are case-sensitive. */
const LENGTHS: Record<string, number> = {
  '1s': SECOND,
  '1m': MINUTE,
  '3m': 3 * MINUTE,
  '5m': 5 * MINUTE,
  '15m': 15 * MINUTE,
  '30m': 30 * MINUTE,
  '1h': HOUR,
  '2h': 2 * HOUR,
  '4h': 4 * HOUR,
  '6h': 6 * HOUR,
  '8h': 8 * HOUR,
  '12h': 12 * HOUR,
  '1d': DAY,
  '3d': 3 * DAY,
  '1w': 7 * DAY,
  '1M': 0,
};

/** 1970-01-01 was a Thursday; weeks begin on Monday. */
const MONDAY = 4 * DAY;

/** A known candle interval: its name and, but for `1M`, its length in ms. */
export type Interval = { readonly name: string; readonly length: number };

export function findInterval(name: string): Interval | undefined {
  const length = Object.hasOwn(LENGTHS, name) ? LENGTHS[name] : undefined;
  return length === undefined ? undefined : { name, length };
}

/** Opening time of the candle that contains `time`; `offset` (ms) moves day edges to another time zone. */
export function candleStart(interval: Interval, time: number, offset = 0): number {
  const local = time + offset;
  if (interval.length === 0) {
    const date = new Date(local);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) - offset;
  }
  const shift = interval.name === '1w' ? MONDAY : 0;
  return Math.floor((local - shift) / interval.length) * interval.length + shift - offset;
}

/** Opening time of the candle `steps` after the one that opens at `start`. */
export function candleAfter(interval: Interval, start: number, steps = 1, offset = 0): number {
  if (interval.length > 0) return start + steps * interval.length;
  const date = new Date(start + offset);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + steps, 1) - offset;
}

/** Adds a later bar to an earlier one (in place). */
export function addBar(bar: Bar | undefined, next: Bar): Bar {
  if (!bar) return { ...next };
  if (next.high > bar.high) bar.high = next.high;
  if (next.low < bar.low) bar.low = next.low;
  bar.close = next.close;
  bar.volume += next.volume;
  bar.quoteVolume += next.quoteVolume;
  bar.trades += next.trades;
  bar.takerVolume += next.takerVolume;
  bar.takerQuoteVolume += next.takerQuoteVolume;
  bar.lastId = next.lastId;
  return bar;
}

/** Adds the trades of a block with from <= time < to. */
export function addTicks(bar: Bar | undefined, pair: Pair, block: TickBlock, from: number, to: number): Bar | undefined {
  let sum = bar;
  for (let k = 0; k < block.count; k += 1) {
    const time = block.times[k]!;
    if (time < from) continue;
    if (time >= to) break;
    const price = block.prices[k]!;
    const volume = block.quantities[k]!;
    const quoteVolume = volume * pair.step * price * pair.tick;
    const taker = block.makerIsBuyer[k] === 0;
    const id = block.firstId + k;
    sum = addBar(sum, {
      open: price,
      high: price,
      low: price,
      close: price,
      volume,
      quoteVolume,
      trades: 1,
      takerVolume: taker ? volume : 0,
      takerQuoteVolume: taker ? quoteVolume : 0,
      firstId: id,
      lastId: id,
    });
  }
  return sum;
}

/**
 * What traded in [from, to) as seen at `now` (nothing later than `now` is told): whole bars from the market's history,
 * the running bar from its trades.
 */
export function barBetween(market: Market, pair: Pair, from: number, to: number, now: number): Bar | undefined {
  const length = market.barLength(pair);
  const limit = Math.min(to, now + 1);
  const running = Math.floor(limit / length) * length;
  const firstWhole = Math.ceil(from / length) * length;
  if (firstWhole > running) return addTicks(undefined, pair, market.ticks(pair, from), from, limit);
  let bar: Bar | undefined;
  if (from < firstWhole) bar = addTicks(undefined, pair, market.ticks(pair, from), from, firstWhole);
  if (firstWhole < running) {
    const whole = market.aggregate(pair, firstWhole, running);
    if (whole) bar = addBar(bar, whole);
  }
  return running < limit ? addTicks(bar, pair, market.ticks(pair, running), running, limit) : bar;
}

/** A candle as the exchange tells it: [openTime, closeTime] and what traded between. */
export type Candle = { readonly openTime: number; readonly closeTime: number; readonly bar: Bar };

/** Candles of an interval in time order: `limit` from `startTime` on, else the last `limit` up to `endTime` or now. */
export function candlesOf(
  market: Market,
  pair: Pair,
  interval: Interval,
  query: { startTime?: number | undefined; endTime?: number | undefined; limit: number; now: number; offset?: number },
): Candle[] {
  const offset = query.offset ?? 0;
  const last = Math.min(query.endTime ?? query.now, query.now);
  const candles: Candle[] = [];
  const push = (start: number): void => {
    const next = candleAfter(interval, start, 1, offset);
    const bar = barBetween(market, pair, start, next, query.now);
    if (bar) candles.push({ openTime: start, closeTime: next - 1, bar });
  };
  if (query.startTime !== undefined) {
    let start = candleStart(interval, Math.max(query.startTime, pair.listedAt), offset);
    if (start < query.startTime && query.startTime > pair.listedAt) start = candleAfter(interval, start, 1, offset);
    for (; start <= last && candles.length < query.limit; start = candleAfter(interval, start, 1, offset)) push(start);
    return candles;
  }
  const first = candleStart(interval, pair.listedAt, offset);
  for (
    let start = candleStart(interval, last, offset);
    start >= first && candles.length < query.limit;
    start = candleAfter(interval, start, -1, offset)
  ) {
    push(start);
  }
  return candles.reverse();
}
