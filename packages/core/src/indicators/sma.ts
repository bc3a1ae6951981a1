/**
 * An indicator that is fed one closed candle at a time. `next` answers NaN until enough candles were seen.
 * The order of operations is TA-Lib's, so that values agree with it to the last bit.
 */
export type Indicator = { readonly next: (value: number) => number; readonly value: number };

/** Mean of the newest `period` values. */
export function createSma(period: number): Indicator {
  const window = new Float64Array(period);
  let slot = 0;
  let missing = period;
  let sum = 0;
  let value = Number.NaN;
  return {
    next: (input) => {
      window[slot] = input;
      slot = slot + 1 === period ? 0 : slot + 1;
      sum += input;
      if (missing > 1) {
        missing -= 1;
        return value;
      }
      value = sum / period;
      // `slot` is now the oldest: it leaves right after the mean is taken, as in TA-Lib.
      sum -= window[slot] ?? 0;
      return value;
    },
    get value() {
      return value;
    },
  };
}
