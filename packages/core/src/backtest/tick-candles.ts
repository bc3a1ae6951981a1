import { type CandleSeries, mapColumns } from '../prices/candle-series.ts';

const MINUTE = 60_000;

/** Minute candles of the trades that a recording holds: what its report is drawn from. A late trade counts for the newest minute. */
export function createTickCandles(symbol: string) {
  const column = () => new Float64Array(1024);
  let series: CandleSeries = {
    symbol,
    intervalMs: MINUTE,
    openTime: column(),
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: column(),
  };
  let count = 0;
  const wider = (narrow: Float64Array): Float64Array => {
    const wide = new Float64Array(narrow.length * 2);
    wide.set(narrow);
    return wide;
  };
  return {
    /** A trade at a venue time in ms; its quantity in base units, 0 when nobody recorded it. */
    add(at: number, price: number, quantity: number): void {
      const minute = Math.floor(at / MINUTE) * MINUTE;
      if (count === 0 || minute > series.openTime[count - 1]!) {
        if (count === series.openTime.length) series = mapColumns(series, wider);
        series.openTime[count] = minute;
        for (const prices of [series.open, series.high, series.low, series.close]) prices[count] = price;
        series.volume[count] = quantity;
        count += 1;
        return;
      }
      const { high, low, close, volume } = series;
      const newest = count - 1;
      if (price > high[newest]!) high[newest] = price;
      if (price < low[newest]!) low[newest] = price;
      close[newest] = price;
      volume[newest]! += quantity;
    },
    get series(): CandleSeries {
      return mapColumns(series, (column) => column.subarray(0, count));
    },
  };
}
