import { createRollingHigh } from '../auto-trades/rolling-high.ts';
import type { CandleSeries } from '../prices/candle-series.ts';
import { walkTime } from '../prices/candle-walk.ts';
import { createBarWalk } from './backtest-walk.ts';
import { BLOCK, candleBlocks, PART } from './candle-blocks.ts';

const HALF = BLOCK / 2;

/** Puts bars into a look-back window, as the walk over them does. */
export function createWindowFiller(candles: CandleSeries) {
  const { intervalMs, openTime, high, volume } = candles;
  const lastPoint = walkTime(3, intervalMs);
  const bars = createBarWalk(candles, undefined);
  /** A bar without volume is no market. */
  return (window: ReturnType<typeof createRollingHigh>, bar: number, lowsFirst?: boolean): void => {
    if (volume[bar] === 0) return;
    if (intervalMs <= 60_000) {
      window.add(openTime[bar]! + lastPoint, high[bar]!);
      return;
    }
    const path = bars.walk(bar, lowsFirst);
    for (let point = 0; point < 4; point += 1) window.add(path.at[point]!, path.price[point]!);
  };
}

const MINUTE_MS = 60_000;

/**
 * The high of the look-back window before the first price of a bar, from the extremes of parts and blocks; -Infinity before
 * the first bar. Undefined for a series that is not one bar a minute, each of them traded: what a window holds is
 * counted in minutes.
 */
export function createHighsBefore(candles: CandleSeries, lookbackMin: number): ((bar: number) => number) | undefined {
  const { intervalMs, openTime, high, volume } = candles;
  const size = openTime.length;
  const { plain, high: blockHigh, partHigh } = candleBlocks(candles);
  if (intervalMs !== MINUTE_MS || openTime[0]! % MINUTE_MS !== 0 || plain.includes(0)) return undefined;
  for (let bar = Math.max(1, plain.length * BLOCK); bar < size; bar += 1)
    if (volume[bar] === 0 || openTime[bar]! - openTime[bar - 1]! !== intervalMs) return undefined;
  if (volume[0] === 0) return undefined;
  const whole = plain.length * BLOCK;
  return (to) => {
    let top = Number.NEGATIVE_INFINITY;
    let bar = Math.max(0, to - lookbackMin);
    while (bar < to) {
      if (bar % BLOCK === 0 && bar + BLOCK <= to && bar < whole) {
        if (blockHigh[bar / BLOCK]! > top) top = blockHigh[bar / BLOCK]!;
        bar += BLOCK;
      } else if (bar % PART === 0 && bar + PART <= to && bar < whole) {
        if (partHigh[bar / PART]! > top) top = partHigh[bar / PART]!;
        bar += PART;
      } else {
        if (high[bar]! > top) top = high[bar]!;
        bar += 1;
      }
    }
    return top;
  };
}

/**
 * Whether what a bar leaves in a look-back window is the same however it was walked, but for the order of its extremes:
 * its prices are those of no finer bars, and of one minute or at times of their own.
 */
export function leavesTheSame({ candles, zoom }: { readonly candles: CandleSeries; readonly zoom?: CandleSeries }): boolean {
  const { intervalMs, openTime } = candles;
  if (zoom) return false;
  if (intervalMs > MINUTE_MS) return true;
  const known = aligned.get(candles);
  if (known !== undefined) return known;
  const found = MINUTE_MS % intervalMs === 0 && openTime.every((time) => time % intervalMs === 0);
  aligned.set(candles, found);
  return found;
}
const aligned = new WeakMap<CandleSeries, boolean>();

/** Bars that a window of so many minutes can reach back to: its oldest minute counts whole. */
export const reachOf = (lookbackMin: number, intervalMs: number): number => Math.ceil(((lookbackMin + 1) * MINUTE_MS) / intervalMs) + 2;

/**
 * The bars in which the price may fall to a share of the highest price of the look-back window: found block by block when
 * they are asked for, and kept, because the sets of a sweep ask for the same.
 */
function createTriggerBars(candles: CandleSeries, lookbackMin: number, factor: number) {
  const { openTime, high, low, volume, intervalMs } = candles;
  const size = openTime.length;
  const blocks = candleBlocks(candles);
  const count = Math.ceil(size / BLOCK);
  const known = new Uint8Array(count);
  /** Two words a block, a bit a bar. */
  const found = new Int32Array(count * 2);
  const reach = reachOf(lookbackMin, intervalMs);
  const reachedBlocks = Math.ceil(reach / BLOCK) + 1;
  const fill = createWindowFiller(candles);
  const highBefore = createHighsBefore(candles, lookbackMin);
  let window = createRollingHigh(lookbackMin);
  /** The first bar that is not in the window yet. */
  let next = 0;

  function mark(block: number, offset: number): void {
    found[block * 2 + (offset >= HALF ? 1 : 0)]! |= 1 << (offset % HALF);
  }
  function find(block: number): void {
    known[block] = 1;
    const from = block * BLOCK;
    const end = Math.min(size, from + BLOCK);
    let most = Number.POSITIVE_INFINITY;
    if (from + BLOCK <= size) {
      // Nothing in the block can be compared with more than the highest price that its windows reach.
      most = blocks.high[block]!;
      for (let before = Math.max(0, block - reachedBlocks); before < block; before += 1)
        if (blocks.high[before]! > most) most = blocks.high[before]!;
      if (blocks.low[block]! > most * factor) return;
    }
    if (highBefore) {
      for (let bar = from; bar < end; bar += 1)
        if (low[bar]! <= most * factor && low[bar]! <= Math.max(highBefore(bar), high[bar]!) * factor) mark(block, bar - from);
      return;
    }
    if (next > from) {
      window = createRollingHigh(lookbackMin);
      next = 0;
    }
    for (let bar = Math.max(next, from - reach); bar < from; bar += 1) fill(window, bar);
    for (let bar = from; bar < end; bar += 1) {
      if (volume[bar] === 0) continue;
      if (low[bar]! <= Math.max(window.peek(openTime[bar]!), high[bar]!) * factor) mark(block, bar - from);
      fill(window, bar);
    }
    next = end;
  }

  /** The first bar from `bar` on that may trigger; the number of bars when there is none. */
  return (bar: number): number => {
    let block = Math.floor(bar / BLOCK);
    let offset = bar - block * BLOCK;
    for (; block < count; block += 1, offset = 0) {
      if (known[block] === 0) find(block);
      for (let half = offset >= HALF ? 1 : 0; half < 2; half += 1) {
        const skipped = Math.max(0, offset - half * HALF);
        const bits = (found[block * 2 + half]! >>> skipped) << skipped;
        if (bits !== 0) return block * BLOCK + half * HALF + 31 - Math.clz32(bits & -bits);
      }
    }
    return size;
  };
}
export type TriggerBars = ReturnType<typeof createTriggerBars>;

const kept = new WeakMap<CandleSeries, Map<string, TriggerBars>>();
/** Bytes that one series may keep: a sweep over thousands of falls would take hundreds of megabytes. */
const MOST_BYTES = 64 * 2 ** 20;
/** A mark and two words for each block. */
const BYTES_PER_BLOCK = 9;

/** The trigger bars of a series for one look-back window and one share of its high: made once, those asked for last are kept. */
export function triggerBars(candles: CandleSeries, lookbackMin: number, factor: number, mostBytes = MOST_BYTES): TriggerBars {
  const own = kept.get(candles) ?? new Map<string, TriggerBars>();
  kept.set(candles, own);
  const key = `${lookbackMin} ${factor}`;
  const made = own.get(key) ?? createTriggerBars(candles, lookbackMin, factor);
  own.delete(key);
  const bytes = Math.max(1, Math.ceil(candles.openTime.length / BLOCK)) * BYTES_PER_BLOCK;
  while ((own.size + 1) * bytes > mostBytes && own.size > 0) own.delete(own.keys().next().value!);
  own.set(key, made);
  return made;
}
