import type { Figure } from '../money/figure.ts';
import type { CandleSeries } from './candle-series.ts';
import type { Candle } from './prices-contract.ts';

/** Asks for the newest candles that open before `endTime` (ISO, inclusive), oldest first; at most a page of them. */
export type CandlePage = (endTime: string) => Promise<readonly Candle[]>;

/**
 * Closed candles of a span of time, fetched page by page from its end to its begin. Candles the exchange does not have
 * keep their volume of zero, by which a backtest knows that nobody traded.
 * @param from first open time, epoch ms @param to end of the span, exclusive
 * @param onPage told the share of the span that is there (0–1)
 */
export async function fetchCandles(
  page: CandlePage,
  { symbol, intervalMs, from, to }: { symbol: string; intervalMs: number; from: number; to: number },
  onPage: (done: number) => void = () => undefined,
): Promise<CandleSeries> {
  const pages: Candle[][] = [];
  let end = to - 1;
  while (end >= from) {
    const items = (await page(new Date(end).toISOString())).filter(({ closed, openTime }) => closed && Date.parse(openTime) <= end);
    const [first] = items;
    if (!first) break;
    pages.push(items.filter(({ openTime }) => Date.parse(openTime) >= from));
    end = Date.parse(first.openTime) - 1;
    onPage(Math.min(1, (to - end) / (to - from)));
  }
  const candles = pages.reverse().flat();
  const tellsMoney = candles.every(({ quoteVolume, trades }) => quoteVolume !== undefined && trades !== undefined);
  const column = (pick: (candle: Candle) => Figure | number) => Float64Array.from(candles, (candle) => Number(pick(candle)));
  return {
    symbol,
    intervalMs,
    openTime: column(({ openTime }) => Date.parse(openTime)),
    open: column(({ open }) => open),
    high: column(({ high }) => high),
    low: column(({ low }) => low),
    close: column(({ close }) => close),
    volume: column(({ volume }) => volume),
    ...(tellsMoney ? { quoteVolume: column(({ quoteVolume }) => quoteVolume!), trades: column(({ trades }) => trades!) } : {}),
  };
}
