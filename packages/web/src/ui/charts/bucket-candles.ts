import { highestOf, lowestOf, totalOf } from './block-extremes.ts';
import type { CandleColumns } from './candle-columns.ts';
import { seek } from './line-paths.ts';

/** Candles as they are drawn, as columns; the first `count` of each count. `x` in device pixels. */
export type DrawnCandles = {
  count: number;
  /** The first candle each stands for, and behind the last of them the one after it. */
  edges: Int32Array;
  x: Float64Array;
  open: Float64Array;
  high: Float64Array;
  low: Float64Array;
  close: Float64Array;
  /** Of all candles each stands for. */
  volume: Float64Array;
};

/** Room for drawn candles, to be used at every draw. Throws away what was drawn there. */
export const drawnCandles = (room: number): DrawnCandles => ({
  count: 0,
  edges: new Int32Array(room + 1),
  x: new Float64Array(room),
  open: new Float64Array(room),
  high: new Float64Array(room),
  low: new Float64Array(room),
  close: new Float64Array(room),
  volume: new Float64Array(room),
});

/** Where times lie: pixel = offset + time × scale. Plain numbers, since a call per candle would cost more than the rest. */
export type PixelScale = { offset: number; scale: number };

/**
 * Merges the candles of [from, to] that fall on the same pixel column, so that a million of them cost no more than
 * the width of the screen: first open, highest high, lowest low, last close. Written into `drawn`, as many as it has
 * room for.
 */
export function bucketCandles(
  { time, open, high, low, close, volume }: CandleColumns,
  from: number,
  to: number,
  { offset, scale }: PixelScale,
  drawn: DrawnCandles,
): void {
  const end = Math.min(to, time.length - 1);
  const room = drawn.x.length;
  let index = Math.max(0, from);
  let count = 0;
  while (index <= end && count < room) {
    const x = Math.round(offset + time[index]! * scale);
    let next = scale > 0 ? seek(time, (x + 0.5 - offset) / scale, index + 1, end) : index + 1;
    // Where rounding of the two ways round differs.
    while (next <= end && Math.round(offset + time[next]! * scale) === x) next += 1;
    drawn.edges[count] = index;
    drawn.x[count] = x;
    drawn.open[count] = open[index]!;
    drawn.close[count] = close[next - 1]!;
    count += 1;
    index = next;
  }
  drawn.edges[count] = index;
  drawn.count = count;
  if (count === 0) return;
  highestOf(high, drawn.edges, count, drawn.high);
  lowestOf(low, drawn.edges, count, drawn.low);
  totalOf(volume, drawn.edges, count, drawn.volume);
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
