import { seek } from './line-paths.ts';
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

/** The figures of one candle. */
export type CandleFigures = Record<keyof CandleColumns, number>;

export const figuresAt = ({ time, open, high, low, close, volume }: CandleColumns, index: number): CandleFigures => ({
  time: time[index]!,
  open: open[index]!,
  high: high[index]!,
  low: low[index]!,
  close: close[index]!,
  volume: volume[index]!,
});

/** The last candle that begins at or before a moment (seconds); −1 before the first. */
export function candleAt(time: Numbers, moment: number): number {
  const at = seek(time, moment, 0, time.length - 1);
  return time[at] === moment ? at : at - 1;
}

/**
 * Every `size` candles as one, counted from the first: first open, highest high, lowest low, last close, all volume. For
 * the table beside a chart, and for more candles than a canvas should be given.
 */
export function mergeCandles(candles: CandleColumns, size: number): CandleColumns {
  if (size <= 1) return candles;
  const count = candles.time.length;
  const groups = Math.ceil(count / size);
  const column = (first: (start: number) => number) => Float64Array.from({ length: groups }, (_, group) => first(group * size));
  const [high, low, volume] = [column((at) => candles.high[at]!), column((at) => candles.low[at]!), new Float64Array(groups)];
  for (let index = 0; index < count; index += 1) {
    const group = Math.floor(index / size);
    if (candles.high[index]! > high[group]!) high[group] = candles.high[index]!;
    if (candles.low[index]! < low[group]!) low[group] = candles.low[index]!;
    volume[group]! += candles.volume[index]!;
  }
  return {
    time: column((at) => candles.time[at]!),
    open: column((at) => candles.open[at]!),
    high,
    low,
    close: mergeValues(candles.close, size),
    volume,
  };
}

/** Of every `size` values the last. */
export const mergeValues = (values: Numbers, size: number): Numbers =>
  size <= 1
    ? values
    : Float64Array.from(
        { length: Math.ceil(values.length / size) },
        (_, group) => values[Math.min(values.length, (group + 1) * size) - 1]!,
      );
