import { CandleFileError, candleColumns, MICROSECONDS_FROM } from './candle-columns.ts';

/** Candles in columns, oldest first: times in epoch ms, prices in quote, volumes in base units. */
export type CandleSeries = {
  readonly symbol: string;
  readonly intervalMs: number;
  readonly openTime: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
  /** In the quote asset, and how many trades there were; absent where the source does not say. */
  readonly quoteVolume?: Float64Array;
  readonly trades?: Float64Array;
};

/** The same candles with every column made anew, e.g. a part of it. */
export function mapColumns(series: CandleSeries, make: (column: Float64Array) => Float64Array): CandleSeries {
  const { openTime, open, high, low, close, volume, quoteVolume, trades } = series;
  return {
    ...series,
    openTime: make(openTime),
    open: make(open),
    high: make(high),
    low: make(low),
    close: make(close),
    volume: make(volume),
    ...(quoteVolume ? { quoteVolume: make(quoteVolume) } : {}),
    ...(trades ? { trades: make(trades) } : {}),
  };
}

/**
 * Parses `open_time,open,high,low,close,volume[,…]` with or without a header; columns of the 12-column layout are
 * found by name, other layouts by position; the money and the number of trades are taken where the file says them. Refuses a bar whose high or low does not enclose its prices, and times
 * that do not rise: a backtest over such a file would be wrong without saying so.
 */
export function parseCandles(text: string, symbol: string): CandleSeries {
  const lines = text.split('\n');
  const { hasHeader, first: columns, further } = candleColumns(lines[0] ?? '');
  const from = hasHeader ? 1 : 0;
  const known = [...columns, ...further.filter((column) => column >= 0)];
  const size = lines.length - from;
  const series = known.map(() => new Float64Array(size));
  const [openTime, open, high, low, close, volume] = series as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  let count = 0;
  for (let index = from; index < lines.length; index += 1) {
    const line = lines[index]!;
    if (line.trim() === '') continue;
    const cells = line.split(',');
    for (let column = 0; column < known.length; column += 1) {
      const value = Number(cells[known[column]!]);
      if (!Number.isFinite(value) || cells[known[column]!]?.trim() === '') {
        throw new CandleFileError('BAD_NUMBER', index + 1, `line ${index + 1}: column ${column + 1} is not a number`);
      }
      series[column]![count] = column === 0 && value >= MICROSECONDS_FROM ? value / 1000 : value;
    }
    if (count > 0 && openTime[count]! <= openTime[count - 1]!) {
      throw new CandleFileError('NOT_ASCENDING', index + 1, `line ${index + 1}: times must rise`);
    }
    if (high[count]! < Math.max(open[count]!, close[count]!) || low[count]! > Math.min(open[count]!, close[count]!) || low[count]! <= 0) {
      throw new CandleFileError('BAD_BAR', index + 1, `line ${index + 1}: high and low do not enclose open and close`);
    }
    count += 1;
  }
  if (count === 0) throw new CandleFileError('EMPTY', 1, 'the file holds no candles');
  let intervalMs = Number.POSITIVE_INFINITY;
  for (let index = 1; index < count; index += 1) intervalMs = Math.min(intervalMs, openTime[index]! - openTime[index - 1]!);
  const [money, trades] = further.map((column) => (column < 0 ? undefined : series[known.indexOf(column, 6)]!.subarray(0, count)));
  return {
    symbol,
    intervalMs: Number.isFinite(intervalMs) ? intervalMs : 60_000,
    openTime: openTime.subarray(0, count),
    open: open.subarray(0, count),
    high: high.subarray(0, count),
    low: low.subarray(0, count),
    close: close.subarray(0, count),
    volume: volume.subarray(0, count),
    ...(money ? { quoteVolume: money } : {}),
    ...(trades ? { trades } : {}),
  };
}
