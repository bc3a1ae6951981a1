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
};

/** One thing wrong with a candle file: which line, and what. */
export class CandleFileError extends Error {
  readonly line: number;
  readonly code: 'EMPTY' | 'BAD_NUMBER' | 'BAD_TIME' | 'NOT_ASCENDING' | 'BAD_BAR';
  constructor(code: CandleFileError['code'], line: number, message: string) {
    super(message);
    this.name = 'CandleFileError';
    this.code = code;
    this.line = line;
  }
}

/** Spot files of the exchange's archive carry microseconds since 2025. */
const MICROSECONDS_FROM = 10 ** 14;

/**
 * Parses `open_time,open,high,low,close,volume[,…]` with or without a header; columns of the 12-column layout are
 * found by name, other layouts by position. Refuses a bar whose high or low does not enclose its prices, and times
 * that do not rise: a backtest over such a file would be wrong without saying so.
 */
export function parseCandles(text: string, symbol: string): CandleSeries {
  const lines = text.split('\n');
  const header = /^[a-z_]/i.test(lines[0] ?? '') ? lines[0]!.trim().toLowerCase().split(',') : undefined;
  const at = (name: string, position: number) =>
    header ? Math.max(header.indexOf(name), header.indexOf(name) < 0 ? position : 0) : position;
  const columns = [at('open_time', 0), at('open', 1), at('high', 2), at('low', 3), at('close', 4), at('volume', 5)];
  const size = lines.length - (header ? 1 : 0);
  const series = Array.from({ length: 6 }, () => new Float64Array(size));
  const [openTime, open, high, low, close, volume] = series as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  let count = 0;
  for (let index = header ? 1 : 0; index < lines.length; index += 1) {
    const line = lines[index]!;
    if (line.trim() === '') continue;
    const cells = line.split(',');
    for (let column = 0; column < 6; column += 1) {
      const value = Number(cells[columns[column]!]);
      if (!Number.isFinite(value) || cells[columns[column]!]?.trim() === '') {
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
  return {
    symbol,
    intervalMs: Number.isFinite(intervalMs) ? intervalMs : 60_000,
    openTime: openTime.subarray(0, count),
    open: open.subarray(0, count),
    high: high.subarray(0, count),
    low: low.subarray(0, count),
    close: close.subarray(0, count),
    volume: volume.subarray(0, count),
  };
}
