import type { Numbers } from './series-summary.ts';

/** Candles as columns: what a canvas wants. Opening times in seconds, ascending. Binary floats are for drawing only. */
export type CandleColumns = {
  readonly time: Numbers;
  readonly open: Numbers;
  readonly high: Numbers;
  readonly low: Numbers;
  readonly close: Numbers;
  readonly volume: Numbers;
};
