import { CandleFileError, candleColumns, MICROSECONDS_FROM } from '../prices/candle-columns.ts';
import { type ExactCandle, intervalLength } from '../prices/candle-gaps.ts';
import { shortFigure } from './candle-lines.ts';
import { monthEnd, monthStart } from './candle-month.ts';

/** Name of a month's file in the exchange's archive, without its ending: `BTCUSDT-1m-2024-01`. */
export const archiveName = (symbol: string, interval: string, month: string): string => `${symbol}-${interval}-${month}`;

/** Where the file lies below the archive's address, without its ending. */
export const archivePath = (symbol: string, interval: string, month: string): string =>
  `data/spot/monthly/klines/${symbol}/${interval}/${archiveName(symbol, interval, month)}`;

const ARCHIVED = /^(.+-\d+(?:s|m|h|d|w|mo)-20\d\d-\d\d(?:-\d\d)?)(?:\.(?:zip|csv|csv\.gz))?$/;

/** What a file's name says of its candles, as `archiveName`; undefined for a name that says nothing of them. */
export const archiveNameIn = (file: string): string | undefined => ARCHIVED.exec(file)?.[1];

/** The SHA-256 (hex) that a `.CHECKSUM` file gives for a file of this name; undefined where it gives none. */
export function checksumOf(text: string, file: string): string | undefined {
  for (const line of text.split('\n')) {
    const [, sum, name] = /^([\da-f]{64})[ *]+(\S+)\s*$/i.exec(line) ?? [];
    if (sum !== undefined && name === file) return sum.toLowerCase();
  }
  return undefined;
}

const milliseconds = (time: string): number => (Number(time) >= MICROSECONDS_FROM ? Number(time) / 1000 : Number(time));
const FIGURE = /^\d{1,30}(\.\d{1,20})?$/;

/**
 * Reads the lines of a month's file into exact candles. Times are milliseconds, and microseconds since 2025. No row is
 * skipped: one wrong row would be a wrong backtest.
 */
export function archiveReader(interval: string, month: string) {
  const length = intervalLength(interval)!;
  const [from, to] = [monthStart(month), monthEnd(month)];
  const candles: ExactCandle[] = [];
  let columns: ReturnType<typeof candleColumns> | undefined;
  let line = 0;
  const refuse = (code: CandleFileError['code'], why: string): never => {
    throw new CandleFileError(code, line, `line ${line}: ${why}`);
  };

  return {
    /** @throws CandleFileError naming the line and what is wrong with it */
    add(text: string): void {
      line += 1;
      if (text.trim() === '') return;
      if (columns === undefined) {
        columns = candleColumns(text);
        if (columns.hasHeader) return;
      }
      const cells = text.split(',');
      const [time, open, high, low, close, volume, quoteVolume, trades] = columns.all.map((column, index) => {
        const cell = cells[column]?.trim() ?? '';
        if (!FIGURE.test(cell)) refuse('BAD_NUMBER', `column ${index + 1} is not a number`);
        return cell;
      }) as [string, string, string, string, string, string, string, string];
      const openTime = milliseconds(time);
      if (openTime < from || openTime >= to) refuse('OTHER_MONTH', `a candle outside of ${month}`);
      if ((openTime - from) % length !== 0) refuse('OFF_GRID', `no candle of ${interval} opens then`);
      // Hours lie on the grid of minutes, too; what ended early, as at an outage, is as the exchange told it.
      if (milliseconds(cells[columns.closeTime] ?? '') >= openTime + length) refuse('OFF_GRID', `longer than ${interval}`);
      const last = candles.at(-1);
      if (last !== undefined && openTime <= last.openTime) refuse('NOT_ASCENDING', 'times must rise');
      const [o, h, l, c] = [open, high, low, close].map(Number) as [number, number, number, number];
      if (h < Math.max(o, c) || l > Math.min(o, c) || l <= 0) refuse('BAD_BAR', 'high and low do not enclose open and close');
      // Longer than `candleOfLine` takes, the stored month could not be read again.
      if (!Number.isInteger(Number(trades)) || Number(trades) >= 1e15) refuse('BAD_NUMBER', 'the number of trades is not whole');
      candles.push({
        openTime,
        open: shortFigure(open),
        high: shortFigure(high),
        low: shortFigure(low),
        close: shortFigure(close),
        volume: shortFigure(volume),
        quoteVolume: shortFigure(quoteVolume),
        trades: Number(trades),
      });
    },
    /** All candles, oldest first. @throws CandleFileError when there are none */
    candles(): ExactCandle[] {
      if (candles.length === 0) throw new CandleFileError('EMPTY', 1, 'the file holds no candles');
      return candles;
    },
  };
}
