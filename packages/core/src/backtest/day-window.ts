import { addTo, newSum, sumValue } from './money-sum.ts';

const DAY = 86_400_000;

/** What the exchange says of the last 24 hours; NaN where it is not known. */
export type DayFigure = 'open' | 'high' | 'low' | 'quoteVolume' | 'trades';

/** Rows of a ring in rising (or falling) order of a price: the first is the extreme of the window. */
function extremes(prices: Float64Array, keeps: (kept: number, added: number) => boolean) {
  const rows = new Int32Array(prices.length);
  let [from, count] = [0, 0];
  const at = (place: number): number => rows[(from + place) % rows.length]!;
  return {
    add(row: number): void {
      while (count > 0 && !keeps(prices[at(count - 1)]!, prices[row]!)) count -= 1;
      rows[(from + count) % rows.length] = row;
      count += 1;
    },
    /** The row leaves the window. */
    drop(row: number): void {
      if (count === 0 || at(0) !== row) return;
      from = (from + 1) % rows.length;
      count -= 1;
    },
    get price(): number {
      return count > 0 ? prices[at(0)]! : Number.NaN;
    },
  };
}

/**
 * The exchange's ticker of the last 24 hours, made of closed bars in their order of time: first price, extremes, money
 * and trades of the bars that opened within the day before a close. Unknown until a whole day was seen.
 */
export function createDayWindow(intervalMs: number) {
  const size = Math.ceil(DAY / intervalMs) + 1;
  const column = () => new Float64Array(size);
  const [openTime, open, high, low, quote, trades] = [column(), column(), column(), column(), column(), column()];
  const highs = extremes(high, (kept, added) => kept > added);
  const lows = extremes(low, (kept, added) => kept < added);
  const money = newSum();
  let traded = 0;
  let [from, count] = [0, 0];
  let first = Number.NaN;
  let now = Number.NaN;

  return {
    /** Takes in a bar that has closed. A bar without volume only passes the time. */
    add(at: number, prices: { open: number; high: number; low: number; volume: number; quoteVolume: number; trades: number }): void {
      if (Number.isNaN(first)) first = at;
      now = at + intervalMs;
      while (count > 0 && openTime[from]! < now - DAY) {
        addTo(money, quote[from]!, -1);
        traded -= trades[from]!;
        highs.drop(from);
        lows.drop(from);
        from = (from + 1) % size;
        count -= 1;
      }
      if (prices.volume === 0) return;
      const row = (from + count) % size;
      count += 1;
      openTime[row] = at;
      open[row] = prices.open;
      high[row] = prices.high;
      low[row] = prices.low;
      quote[row] = prices.quoteVolume;
      trades[row] = prices.trades;
      addTo(money, prices.quoteVolume);
      traded += prices.trades;
      highs.add(row);
      lows.add(row);
    },
    /** A figure at the newest close. */
    figure(name: DayFigure): number {
      if (!(now - first >= DAY)) return Number.NaN;
      if (name === 'quoteVolume') return sumValue(money.whole, money.parts);
      if (name === 'trades') return traded;
      if (count === 0) return Number.NaN;
      return name === 'open' ? open[from]! : name === 'high' ? highs.price : lows.price;
    },
  };
}
