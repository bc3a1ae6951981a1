import { createRollingHigh } from '../auto-trades/rolling-high.ts';
import type { CandleSeries } from '../prices/candle-series.ts';
import { createHighsBefore, createWindowFiller, reachOf, triggerBars } from './trigger-bars.ts';

/**
 * The look-back window of an entry that waits for a fall, for a walk that passes bars over: those are put in when its high
 * is asked for. `factor` is the share of the high at which the fall triggers.
 */
export function createEntryWindow(candles: CandleSeries, lookbackMin: number, factor: number) {
  const { high, intervalMs } = candles;
  const highBefore = createHighsBefore(candles, lookbackMin);
  const window = highBefore ? undefined : createRollingHigh(lookbackMin);
  const triggers = triggerBars(candles, lookbackMin, factor);
  const reach = reachOf(lookbackMin, intervalMs);
  const fill = createWindowFiller(candles);
  /** Bars longer than a minute whose extremes were taken in another order, because both stop and target lay in them. */
  const askew = new Set<number>();
  let lastAskew = Number.NEGATIVE_INFINITY;
  /** The first bar that is not in the window yet. */
  let waiting = 0;
  /** In a column: a variable that functions share is a new object with each number it takes. */
  const top = new Float64Array(1).fill(Number.NEGATIVE_INFINITY);
  let fed = false;

  function catchUp(bar: number): void {
    if (!window) return;
    for (let before = Math.max(waiting, bar - reach); before < bar; before += 1) fill(window, before, askew.has(before) || undefined);
    waiting = Math.max(waiting, bar);
  }

  return {
    /** The highest price so far, while a bar is walked. */
    top,
    /** A bar is walked now. Not `looked`: nobody asks for its high. */
    begin(bar: number, looked: boolean): void {
      fed = looked && window !== undefined;
      top[0] = looked && highBefore ? highBefore(bar) : Number.NEGATIVE_INFINITY;
      if (!fed) return;
      catchUp(bar);
      waiting = bar + 1;
    },
    tell(at: number, price: number): void {
      if (fed && window) {
        window.add(at, price);
        top[0] = window.high;
      } else if (price > top[0]!) top[0] = price;
    },
    /** The extremes of a bar are taken in another order than usual. */
    turn(bar: number): void {
      if (intervalMs <= 60_000) return;
      askew.add(bar);
      lastAskew = bar;
    },
    /** The high with a whole bar in it. */
    highThrough(bar: number): number {
      if (highBefore) return Math.max(highBefore(bar), high[bar]!);
      catchUp(bar + 1);
      return window!.high;
    },
    /** The first bar, from `from` on, in which the fall may trigger. The kept bars know the usual order of extremes only. */
    nextTrigger: (from: number): number => (from > lastAskew + reach ? triggers(from) : from),
  };
}
export type EntryWindow = ReturnType<typeof createEntryWindow>;
