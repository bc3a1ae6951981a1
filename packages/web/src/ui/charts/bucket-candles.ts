import { foldRange } from './block-extremes.ts';
import { seek } from './line-paths.ts';
import type { Numbers } from './series-summary.ts';

/** Candles as columns: what a canvas wants. Times in seconds, ascending. */
export type CandleColumns = {
  readonly time: Numbers;
  readonly open: Numbers;
  readonly high: Numbers;
  readonly low: Numbers;
  readonly close: Numbers;
  readonly volume: Numbers;
};

/** One drawn candle; `x` in device pixels. The volume is that of all candles it stands for. */
export type DrawnCandle = { x: number; open: number; high: number; low: number; close: number; volume: number };

/** Where times lie: pixel = offset + time × scale. Plain numbers, since a call per candle would cost more than the rest. */
export type PixelScale = { offset: number; scale: number };

/**
 * Merges the candles of [from, to] that fall on the same pixel column, so that a million of them cost no more than
 * the width of the screen: first open, highest high, lowest low, last close.
 */
export function bucketCandles(
  { time, open, high, low, close, volume }: CandleColumns,
  from: number,
  to: number,
  { offset, scale }: PixelScale,
): DrawnCandle[] {
  const drawn: DrawnCandle[] = [];
  const end = Math.min(to, time.length - 1);
  let index = Math.max(0, from);
  while (index <= end) {
    const x = Math.round(offset + time[index]! * scale);
    const candle = { x, open: open[index]!, high: high[index]!, low: low[index]!, close: close[index]!, volume: volume[index]! };
    let next = scale > 0 ? seek(time, (x + 0.5 - offset) / scale, index + 1, end) : index + 1;
    // Where rounding of the two ways round differs.
    while (next <= end && Math.round(offset + time[next]! * scale) === x) next += 1;
    if (next - index > 1) {
      candle.high = foldRange(high, index, next).high;
      candle.low = foldRange(low, index, next).low;
      candle.volume = foldRange(volume, index, next).sum;
    }
    candle.close = close[next - 1]!;
    drawn.push(candle);
    index = next;
  }
  return drawn;
}

/** About `rows` candles standing for all of them, for the table beside the chart. */
export function summarise(
  columns: CandleColumns,
  rows: number,
): { time: number; open: number; high: number; low: number; close: number; volume: number }[] {
  const count = columns.time.length;
  const size = Math.max(1, Math.ceil(count / rows));
  const result = [];
  for (let start = 0; start < count; start += size) {
    const end = Math.min(count, start + size);
    let [high, low, volume] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0];
    for (let index = start; index < end; index += 1) {
      high = Math.max(high, columns.high[index]!);
      low = Math.min(low, columns.low[index]!);
      volume += columns.volume[index]!;
    }
    result.push({ time: columns.time[start]!, open: columns.open[start]!, high, low, close: columns.close[end - 1]!, volume });
  }
  return result;
}
