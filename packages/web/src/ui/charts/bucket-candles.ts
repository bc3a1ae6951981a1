/** Candles as columns: what a canvas wants. Times in seconds, ascending. */
export type CandleColumns = {
  readonly time: readonly number[];
  readonly open: readonly number[];
  readonly high: readonly number[];
  readonly low: readonly number[];
  readonly close: readonly number[];
  readonly volume: readonly number[];
};

/** One drawn candle; `x` in device pixels. */
export type DrawnCandle = { x: number; open: number; high: number; low: number; close: number };

/**
 * Merges the candles of [from, to] that fall on the same pixel column, so that a million of them cost no more than
 * the width of the screen: first open, highest high, lowest low, last close.
 * @param toX pixel position of a time
 */
export function bucketCandles(
  { time, open, high, low, close }: CandleColumns,
  from: number,
  to: number,
  toX: (time: number) => number,
): DrawnCandle[] {
  const drawn: DrawnCandle[] = [];
  let current: DrawnCandle | undefined;
  for (let index = Math.max(0, from); index <= to && index < time.length; index += 1) {
    const x = Math.round(toX(time[index]!));
    if (current && current.x === x) {
      current.high = Math.max(current.high, high[index]!);
      current.low = Math.min(current.low, low[index]!);
      current.close = close[index]!;
    } else {
      current = { x, open: open[index]!, high: high[index]!, low: low[index]!, close: close[index]! };
      drawn.push(current);
    }
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
