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
  const column = () => new Float64Array(Math.ceil(count / size));
  const [time, open, high, low, close, volume] = [column(), column(), column(), column(), column(), column()];
  for (let group = 0, start = 0; start < count; group += 1, start += size) {
    const end = Math.min(count, start + size);
    time[group] = candles.time[start]!;
    open[group] = candles.open[start]!;
    close[group] = candles.close[end - 1]!;
    let [most, least, sum] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0];
    for (let index = start; index < end; index += 1) {
      if (candles.high[index]! > most) most = candles.high[index]!;
      if (candles.low[index]! < least) least = candles.low[index]!;
      sum += candles.volume[index]!;
    }
    [high[group], low[group], volume[group]] = [most, least, sum];
  }
  return { time, open, high, low, close, volume };
}

/** Of every `size` values the last. */
export const mergeValues = (values: Numbers, size: number): Numbers =>
  size <= 1
    ? values
    : Float64Array.from(
        { length: Math.ceil(values.length / size) },
        (_, group) => values[Math.min(values.length, (group + 1) * size) - 1]!,
      );
