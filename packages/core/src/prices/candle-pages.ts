import type { Interval } from '../http/wire.ts';
import type { Figure } from '../money/figure.ts';
import type { CandleSeries } from './candle-series.ts';
import type { Candle } from './prices-contract.ts';

/** Closed candles of a span (`from`, and `to` exclusive, epoch ms), wherever they are; the share that is there as it comes. */
export type CandleLoader = (
  span: { readonly symbol: string; readonly interval: Interval; readonly from: number; readonly to: number },
  onDone?: (share: number) => void,
) => Promise<CandleSeries>;

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
  { symbol, intervalMs, ...span }: { symbol: string; intervalMs: number; from: number; to: number },
  onPage?: (done: number) => void,
): Promise<CandleSeries> {
  return seriesOfCandles(symbol, intervalMs, await fetchCandleList(page, span, onPage));
}

/** The same as a list, for those who put more to it. */
export async function fetchCandleList(
  page: CandlePage,
  { from, to }: { from: number; to: number },
  onPage: (done: number) => void = () => undefined,
): Promise<Candle[]> {
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
  return pages.reverse().flat();
}

/** What columns are made of: a candle of the wire, or a stored one. */
type AnyCandle = { readonly openTime: string | number; readonly trades?: number | undefined; readonly quoteVolume?: Text | undefined } & {
  readonly [Key in 'open' | 'high' | 'low' | 'close' | 'volume']: Text;
};
type Text = string | Figure;

/** Candles in columns; the money and the number of trades where all of them tell it. */
export function seriesOfCandles(symbol: string, intervalMs: number, candles: readonly AnyCandle[]): CandleSeries {
  const tellsMoney = candles.every(({ quoteVolume, trades }) => quoteVolume !== undefined && trades !== undefined);
  const column = (pick: (candle: AnyCandle) => Text | number) => Float64Array.from(candles, (candle) => Number(pick(candle)));
  return {
    symbol,
    intervalMs,
    openTime: column(({ openTime }) => (typeof openTime === 'number' ? openTime : Date.parse(openTime))),
    open: column(({ open }) => open),
    high: column(({ high }) => high),
    low: column(({ low }) => low),
    close: column(({ close }) => close),
    volume: column(({ volume }) => volume),
    ...(tellsMoney ? { quoteVolume: column(({ quoteVolume }) => quoteVolume!), trades: column(({ trades }) => trades!) } : {}),
  };
}
