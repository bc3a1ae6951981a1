/** Average true range after Wilder, in quote units; the first candle only gives the close before. */
export function createAtr(period = 14): { readonly next: (high: number, low: number, close: number) => number; readonly value: number } {
  let previous = Number.NaN;
  let sum = 0;
  let missing = period;
  let value = Number.NaN;
  return {
    next: (high, low, close) => {
      const first = Number.isNaN(previous);
      let range = high - low;
      const fromHigh = Math.abs(previous - high);
      const fromLow = Math.abs(previous - low);
      if (fromHigh > range) range = fromHigh;
      if (fromLow > range) range = fromLow;
      previous = close;
      if (first) return value;
      if (missing > 0) {
        sum += range;
        missing -= 1;
        if (missing === 0) value = sum / period;
        return value;
      }
      value = (value * (period - 1) + range) / period;
      return value;
    },
    get value() {
      return value;
    },
  };
}
