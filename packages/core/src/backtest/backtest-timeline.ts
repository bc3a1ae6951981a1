import type { CandleSeries } from '../prices/candle-series.ts';

/**
 * The bars of several pairs in one order of time. Step `i` is the i-th open time at which any pair has a bar; all
 * series have one interval. `barAt(pair, step)` is -1 where a pair has none.
 */
export type Timeline = {
  readonly size: number;
  readonly intervalMs: number;
  readonly openTime: Float64Array;
  /** True when every pair has a bar at every step: bar and step are the same number then. */
  readonly aligned: boolean;
  readonly barAt: (pair: number, step: number) => number;
};

export class TimelineError extends Error {
  readonly code: 'NO_BARS' | 'INTERVALS_DIFFER';
  constructor(code: TimelineError['code'], message: string) {
    super(message);
    this.name = 'TimelineError';
    this.code = code;
  }
}

/** Throws `TimelineError` when there is nothing to walk, or when the series have different intervals. */
export function createTimeline(all: readonly CandleSeries[]): Timeline {
  const [first] = all;
  if (!first || all.some(({ openTime }) => openTime.length === 0)) throw new TimelineError('NO_BARS', 'there are no candles');
  for (const { symbol, intervalMs } of all) {
    if (intervalMs !== first.intervalMs)
      throw new TimelineError(
        'INTERVALS_DIFFER',
        `candles of ${first.symbol} last ${first.intervalMs / 1000} s, those of ${symbol} ${intervalMs / 1000} s`,
      );
  }
  const { intervalMs } = first;
  const same = all.every(
    ({ openTime }) =>
      openTime === first.openTime ||
      (openTime.length === first.openTime.length && openTime.every((time, index) => time === first.openTime[index])),
  );
  if (same) return { size: first.openTime.length, intervalMs, openTime: first.openTime, aligned: true, barAt: (_, step) => step };
  const times = [...new Set(all.flatMap(({ openTime }) => [...openTime]))].sort((a, b) => a - b);
  const openTime = Float64Array.from(times);
  const bars = all.map((series) => {
    const found = new Int32Array(openTime.length).fill(-1);
    for (let step = 0, bar = 0; step < openTime.length && bar < series.openTime.length; step += 1)
      if (series.openTime[bar] === openTime[step]) found[step] = bar++;
    return found;
  });
  return { size: openTime.length, intervalMs, openTime, aligned: false, barAt: (pair, step) => bars[pair]![step]! };
}
