import type { FigureCandles } from '../prices/pair-figures.ts';
import { addTo, newSum, sumValue } from './money-sum.ts';

/** Room beyond what is kept, so that the columns move seldom. */
const SPARE = 4096;

/**
 * The newest `keep` closed candles of `length` ms, made of shorter bars that arrive in order of time. Where no bar came
 * the close before is repeated, as the server fills its gaps; the first candle counts only when its first bar is there.
 */
export function createCandleRoll(length: number, keep: number) {
  const size = keep + SPARE;
  const column = () => new Float64Array(size);
  const [openTime, high, low, close, quoteVolume] = [column(), column(), column(), column(), column()];
  let count = 0;
  /** The candle that is being made; NaN before the first. */
  let start = Number.NaN;
  let [top, bottom, last] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NaN];

  let money = newSum();

  function push(at: number, most: number, least: number, final: number): void {
    if (count === size) {
      for (const column of [openTime, high, low, close, quoteVolume]) column.copyWithin(0, count - keep, count);
      count = keep;
    }
    openTime[count] = at;
    high[count] = most;
    low[count] = least;
    close[count] = final;
    quoteVolume[count] = sumValue(money.whole, money.parts);
    count += 1;
  }
  function finish(): void {
    push(start, top, bottom, last);
    start += length;
    money = newSum();
    top = Number.NEGATIVE_INFINITY;
    bottom = Number.POSITIVE_INFINITY;
  }

  return {
    /** Takes in a bar; answers whether a candle closed, by it or in the gap before it. Without its money that of the candles is 0. */
    add(opened: number, barLength: number, barHigh: number, barLow: number, barClose: number, barQuote = 0): boolean {
      const own = Math.floor(opened / length) * length;
      if (Number.isNaN(start)) {
        if (own !== opened) return false;
        start = own;
      }
      const before = count;
      let closed = false;
      // What a gap left open ends with what is known of it; whole candles in the gap repeat the close.
      while (start < own) {
        if (top === Number.NEGATIVE_INFINITY) [top, bottom] = [last, last];
        finish();
        closed = true;
      }
      top = Math.max(top, barHigh);
      bottom = Math.min(bottom, barLow);
      last = barClose;
      if (barQuote > 0) addTo(money, barQuote);
      if (opened + barLength >= start + length) finish();
      return closed || count !== before;
    },
    /** The newest closed candles, at most `keep`; views that hold until the next `add`. */
    columns(): FigureCandles {
      const from = Math.max(0, count - keep);
      return {
        openTime: openTime.subarray(from, count),
        high: high.subarray(from, count),
        low: low.subarray(from, count),
        close: close.subarray(from, count),
        quoteVolume: quoteVolume.subarray(from, count),
      };
    },
  };
}
