import { createRollingHigh } from '../auto-trades/rolling-high.ts';
import type { CandleSeries } from '../prices/candle-series.ts';
import { walkTime } from '../prices/candle-walk.ts';
import { createBarWalk } from './backtest-walk.ts';
import { BLOCK, candleBlocks } from './candle-blocks.ts';

const HALF = BLOCK / 2;

/** Puts bars into a look-back window, as the walk over them does. */
export function createWindowFiller(candles: CandleSeries) {
  const { intervalMs, openTime, high, volume } = candles;
  const lastPoint = walkTime(3, intervalMs);
  const bars = createBarWalk(candles, undefined);
  /** A bar without volume is no market. */
  return (window: ReturnType<typeof createRollingHigh>, bar: number): void => {
    if (volume[bar] === 0) return;
    if (intervalMs <= 60_000) {
      window.add(openTime[bar]! + lastPoint, high[bar]!);
      return;
    }
    const path = bars.walk(bar);
    for (let point = 0; point < 4; point += 1) window.add(path.at[point]!, path.price[point]!);
  };
}

/** Bars that a window of so many minutes can reach back to. */
export const reachOf = (lookbackMin: number, intervalMs: number): number => Math.ceil((lookbackMin * 60_000) / intervalMs) + 2;

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
  let window = createRollingHigh(lookbackMin);
  /** The first bar that is not in the window yet. */
  let next = 0;

  function find(block: number): void {
    known[block] = 1;
    const from = block * BLOCK;
    if (from + BLOCK <= size) {
      let top = blocks.high[block]!;
      for (let before = Math.max(0, block - reachedBlocks); before < block; before += 1)
        if (blocks.high[before]! > top) top = blocks.high[before]!;
      if (blocks.low[block]! > top * factor) return;
    }
    if (next > from) {
      window = createRollingHigh(lookbackMin);
      next = 0;
    }
    for (let bar = Math.max(next, from - reach); bar < from; bar += 1) fill(window, bar);
    const end = Math.min(size, from + BLOCK);
    for (let bar = from; bar < end; bar += 1) {
      if (volume[bar] === 0) continue;
      const top = Math.max(window.peek(openTime[bar]!), high[bar]!);
      if (low[bar]! <= top * factor) found[block * 2 + (bar - from >= HALF ? 1 : 0)]! |= 1 << ((bar - from) % HALF);
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

/** The trigger bars of a series for one look-back window and one share of its high, made once. */
export function triggerBars(candles: CandleSeries, lookbackMin: number, factor: number): TriggerBars {
  const own = kept.get(candles) ?? new Map<string, TriggerBars>();
  kept.set(candles, own);
  const key = `${lookbackMin} ${factor}`;
  const made = own.get(key) ?? createTriggerBars(candles, lookbackMin, factor);
  own.set(key, made);
  return made;
}
