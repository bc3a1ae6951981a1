import type { CandleSeries } from '../prices/candle-series.ts';
import type { Timeline } from './backtest-timeline.ts';
import { firstFrom } from './candle-feed.ts';

const DAY_MS = 86_400_000;
const [LEAST_BUYS, MOST_BUYS] = [10, 365];

/** What doing nothing clever with the same money would have been worth, in doubles: for comparison, never for orders. */
export type Passive = { readonly values: readonly number[]; readonly end: number };
export type PassiveBenchmarks = {
  /** Everything bought at the first open, in equal parts of every coin. */
  readonly hold: Passive;
  /** Equal buys at equal distances of time, one a day but at least 10 and at most 365, each in equal parts of every coin. */
  readonly dca: Passive & { readonly buys: number; readonly everyMs: number };
};

/**
 * Both benchmarks at the closes of `steps`. Buys are made at the open of a bar and pay the taker fee; nothing is sold.
 * A coin without a bar yet keeps its part as cash until it has one.
 */
export function passiveBenchmarks(
  all: readonly CandleSeries[],
  timeline: Timeline,
  steps: readonly number[],
  startBalance: number,
  takerFee: number,
): PassiveBenchmarks {
  const from = timeline.openTime[0]!;
  const span = timeline.openTime[timeline.size - 1]! + timeline.intervalMs - from;
  const buys = Math.min(timeline.size, MOST_BUYS, Math.max(LEAST_BUYS, Math.round(span / DAY_MS)));
  const everyMs = Math.floor(span / buys);
  const follow = (count: number): Passive => {
    const part = startBalance / (count * all.length);
    const units = new Float64Array(all.length);
    const waiting = new Float64Array(all.length);
    const close = new Float64Array(all.length);
    let cash = startBalance;
    let bought = 0;
    let next = 0;
    const values: number[] = [];
    // With a bar of every coin at every step only the steps of the curve and of the buys matter.
    const watched = timeline.aligned ? stepsOfInterest(timeline, steps, count, from, everyMs) : undefined;
    const length = watched?.length ?? timeline.size;
    for (let index = 0; index < length; index += 1) {
      const step = watched?.[index] ?? index;
      const at = timeline.openTime[step]!;
      while (bought < count && at >= from + bought * everyMs) {
        for (let coin = 0; coin < all.length; coin += 1) waiting[coin]! += part;
        bought += 1;
      }
      for (let coin = 0; coin < all.length; coin += 1) {
        const bar = timeline.barAt(coin, step);
        if (bar < 0) continue;
        if (waiting[coin]! > 0) {
          units[coin]! += (waiting[coin]! * (1 - takerFee)) / all[coin]!.open[bar]!;
          cash -= waiting[coin]!;
          waiting[coin] = 0;
        }
        close[coin] = all[coin]!.close[bar]!;
      }
      if (step !== steps[next] && step !== timeline.size - 1) continue;
      let value = cash;
      for (let coin = 0; coin < all.length; coin += 1) value += units[coin]! * close[coin]!;
      if (step === steps[next]) {
        values.push(value);
        next += 1;
      }
      if (step === timeline.size - 1) return { values, end: value };
    }
    return { values, end: startBalance };
  };
  return { hold: follow(1), dca: { ...follow(buys), buys, everyMs } };
}

/** The steps of the curve, those at which something is bought, and the last, in order. */
function stepsOfInterest({ openTime, size }: Timeline, steps: readonly number[], buys: number, from: number, everyMs: number): number[] {
  const found = new Set([...steps, size - 1]);
  for (let buy = 0; buy < buys; buy += 1) found.add(Math.min(size - 1, firstFrom(openTime, from + buy * everyMs)));
  return [...found].sort((a, b) => a - b);
}
