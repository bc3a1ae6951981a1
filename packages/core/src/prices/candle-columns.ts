/** One thing wrong with a candle file: which line, and what. */
export class CandleFileError extends Error {
  readonly line: number;
  readonly code: 'EMPTY' | 'BAD_NUMBER' | 'OFF_GRID' | 'OTHER_MONTH' | 'NOT_ASCENDING' | 'BAD_BAR';
  constructor(code: CandleFileError['code'], line: number, message: string) {
    super(message);
    this.name = 'CandleFileError';
    this.code = code;
    this.line = line;
  }
}

/** Names and places of the columns beyond the first six, in files that have them. */
const CLOSE_TIME = { names: ['close_time'], position: 6 };
const QUOTE_VOLUME = { names: ['quote_volume', 'quote_asset_volume'], position: 7 };
const TRADES = { names: ['trades', 'count', 'number_of_trades'], position: 8 };
/** Columns of a whole kline. */
const WHOLE = 12;

/** Spot files of the exchange's archive carry microseconds since 2025. */
export const MICROSECONDS_FROM = 10 ** 14;

/**
 * Which columns a file of candles has, by its first line: a header in any order, or the order of the exchange. `all` are
 * open time, open, high, low, close, volume, and `further` the money and the number of trades, -1 where the file lacks them,
 * as is `closeTime`.
 */
export function candleColumns(firstLine: string) {
  const header = /^[a-z_]/i.test(firstLine) ? firstLine.trim().toLowerCase().split(',') : undefined;
  const at = (name: string, position: number) =>
    header ? Math.max(header.indexOf(name), header.indexOf(name) < 0 ? position : 0) : position;
  const first = [at('open_time', 0), at('open', 1), at('high', 2), at('low', 3), at('close', 4), at('volume', 5)];
  const beyond = ({ names, position }: typeof TRADES) =>
    header ? header.findIndex((name) => names.includes(name)) : firstLine.split(',').length >= WHOLE ? position : -1;
  const further = [QUOTE_VOLUME, TRADES].map(beyond);
  return { hasHeader: header !== undefined, first, further, all: [...first, ...further], closeTime: beyond(CLOSE_TIME) };
}
