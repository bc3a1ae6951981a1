import type { CandleSeries } from '../prices/candle-series.ts';

const MINUTE = 60_000;
const COLUMNS = ['openTime', 'open', 'high', 'low', 'close', 'volume'] as const;

/** Minute candles of the trades that a recording holds: what its report is drawn from. A late trade counts for the newest minute. */
export function createTickCandles(symbol: string) {
  let room = 1024;
  let count = 0;
  let columns = COLUMNS.map(() => new Float64Array(room)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const grow = (): void => {
    room *= 2;
    columns = columns.map((column) => {
      const wider = new Float64Array(room);
      wider.set(column);
      return wider;
    }) as typeof columns;
  };
  return {
    /** A trade at a venue time in ms; its quantity in base units, 0 when nobody recorded it. */
    add(at: number, price: number, quantity: number): void {
      const minute = Math.floor(at / MINUTE) * MINUTE;
      const [openTime, , high, low, close, volume] = columns;
      const newest = count - 1;
      if (count > 0 && minute <= openTime[newest]!) {
        if (price > high[newest]!) high[newest] = price;
        if (price < low[newest]!) low[newest] = price;
        close[newest] = price;
        volume[newest]! += quantity;
        return;
      }
      if (count === room) grow();
      columns[0][count] = minute;
      for (const column of columns.slice(1, 5)) column[count] = price;
      columns[5][count] = quantity;
      count += 1;
    },
    get series(): CandleSeries {
      const [openTime, open, high, low, close, volume] = columns.map((column) => column.subarray(0, count)) as typeof columns;
      return { symbol, intervalMs: MINUTE, openTime, open, high, low, close, volume };
    },
  };
}
