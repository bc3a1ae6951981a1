import { AppError } from '../http/problem.ts';
import type { Interval } from '../http/wire.ts';
import { digits } from '../money/figure.ts';
import { type ExactCandle, fillGaps, intervalLength } from '../prices/candle-gaps.ts';
import { type CandleLoader, type CandlePage, fetchCandleList, seriesOfCandles } from '../prices/candle-pages.ts';
import type { Candle } from '../prices/prices-contract.ts';
import { candlesOfLines } from './candle-lines.ts';
import { monthEnd, monthOf, monthStart, monthsBetween } from './candle-month.ts';
import type { CandleMonth, StoredCandleInterval } from './candles-contract.ts';

export type LoaderParts = {
  readonly page: (symbol: string, interval: Interval, endTime: string) => ReturnType<CandlePage>;
  /** Months that the server stores of a pair. */
  readonly months: (query: {
    symbol: string;
    interval: StoredCandleInterval;
    from: string;
    to: string;
  }) => Promise<readonly Pick<CandleMonth, 'month' | 'coveredTo'>[]>;
  /** The lines of one stored month. */
  readonly read: (month: { symbol: string; interval: StoredCandleInterval; month: string }) => Promise<string>;
};

/** As `storedInterval`; repeated here, because the contract's schemas would come along into the first page. */
export const isStoredInterval = (interval: Interval): interval is StoredCandleInterval => !['3d', '1w', '1M'].includes(interval);

/** What reaches further back asks for no month: the server refuses one from before the exchange began. */
const OLDEST = monthStart('2017-01');

type Stretch = { readonly from: number; readonly to: number; readonly month?: string };

/** Not signed in, an older server, or a month removed or found damaged since it was listed: read its candles from the exchange. */
const isMissing = (error: unknown): boolean =>
  error instanceof AppError && ['not-found', 'not-implemented', 'unauthenticated'].includes(error.code);

/** A span cut into stored months and what lies between them. */
function stretchesOf(months: readonly Pick<CandleMonth, 'month' | 'coveredTo'>[], from: number, to: number): Stretch[] {
  const covered = new Map(months.map(({ month, coveredTo }) => [month, Date.parse(coveredTo)]));
  const stretches: Stretch[] = [];
  const add = (next: Stretch): void => {
    if (next.from >= next.to) return;
    const last = stretches.at(-1);
    if (last && last.month === undefined && next.month === undefined) stretches[stretches.length - 1] = { from: last.from, to: next.to };
    else stretches.push(next);
  };
  for (const month of monthsBetween(monthOf(from), monthOf(to - 1))) {
    const begin = Math.max(from, monthStart(month));
    const end = Math.min(to, monthEnd(month));
    const until = Math.max(begin, Math.min(end, covered.get(month) ?? begin));
    add({ from: begin, to: until, month });
    add({ from: until, to: end });
  }
  return stretches;
}

const exactOf = ({ openTime, open, high, low, close, volume, quoteVolume, trades, filled }: Candle): ExactCandle => ({
  openTime: Date.parse(openTime),
  open: digits(open),
  high: digits(high),
  low: digits(low),
  close: digits(close),
  volume: digits(volume),
  quoteVolume: quoteVolume === undefined ? '0' : digits(quoteVolume),
  trades: trades ?? 0,
  ...(filled ? { filled } : {}),
});

/**
 * Candles from the months that the server stores, and page by page from the exchange where it stores none. What is run
 * over them is the same either way: figures are exact, and gaps are filled as in pages.
 */
export function candleLoader({ page, months, read }: LoaderParts): CandleLoader {
  return async ({ symbol, interval, from, to }, onDone = () => undefined) => {
    const intervalMs = intervalLength(interval) ?? 60_000;
    const fetch = ({ from: start, to: end }: Stretch) =>
      fetchCandleList(
        (endTime) => page(symbol, interval, endTime),
        { from: start, to: end },
        (done) => onDone((start - from + done * (end - start)) / (to - from)),
      );
    const known =
      isStoredInterval(interval) && to > Math.max(from, OLDEST)
        ? await months({ symbol, interval, from: monthOf(Math.max(from, OLDEST)), to: monthOf(to - 1) }).catch((error: unknown) => {
            if (isMissing(error)) return [];
            throw error;
          })
        : [];
    if (!isStoredInterval(interval) || known.length === 0) return seriesOfCandles(symbol, intervalMs, await fetch({ from, to }));
    const candles: ExactCandle[] = [];
    for (const stretch of stretchesOf(known, from, to)) {
      const lines =
        stretch.month === undefined
          ? undefined
          : await read({ symbol, interval, month: stretch.month }).catch((error: unknown) => {
              if (isMissing(error)) return undefined;
              throw error;
            });
      if (lines === undefined) for (const candle of await fetch(stretch)) candles.push(exactOf(candle));
      else
        for (const candle of candlesOfLines(lines, interval, monthStart(stretch.month!)))
          if (candle.openTime >= stretch.from && candle.openTime < stretch.to) candles.push(candle);
      onDone((stretch.to - from) / (to - from));
    }
    return seriesOfCandles(symbol, intervalMs, fillGaps(candles, interval));
  };
}
