import { createEma } from './ema.ts';

/**
 * Difference of two exponential means and the exponential mean of that difference. The fast mean starts late, so
 * that both begin on the same candle; values are given from the first candle with a signal on, as TA-Lib does.
 */
export function createMacd(fastPeriod = 12, slowPeriod = 26, signalPeriod = 9) {
  const fast = createEma(fastPeriod);
  const slow = createEma(slowPeriod);
  const signalMean = createEma(signalPeriod);
  let count = 0;
  let macd = Number.NaN;
  let signal = Number.NaN;
  let histogram = Number.NaN;
  return {
    /** The difference of the two means. */
    next: (input: number): number => {
      count += 1;
      slow.next(input);
      if (count > slowPeriod - fastPeriod) fast.next(input);
      if (count < slowPeriod) return macd;
      const difference = fast.value - slow.value;
      signal = signalMean.next(difference);
      if (Number.isNaN(signal)) return macd;
      macd = difference;
      histogram = macd - signal;
      return macd;
    },
    get macd() {
      return macd;
    },
    get signal() {
      return signal;
    },
    get histogram() {
      return histogram;
    },
  };
}
