/** Bands `width` population standard deviations around the mean of the newest `period` values. */
export function createBollinger(period = 20, width = 2) {
  const window = new Float64Array(period);
  let slot = 0;
  let missing = period;
  let sum = 0;
  let squares = 0;
  let upper = Number.NaN;
  let middle = Number.NaN;
  let lower = Number.NaN;
  return {
    /** The middle band. */
    next: (input: number): number => {
      window[slot] = input;
      slot = slot + 1 === period ? 0 : slot + 1;
      sum += input;
      squares += input * input;
      if (missing > 1) {
        missing -= 1;
        return middle;
      }
      const mean = sum / period;
      const variance = squares / period - mean * mean;
      const oldest = window[slot] ?? 0;
      sum -= oldest;
      squares -= oldest * oldest;
      middle = mean;
      // Below this the variance is the rounding of the sums; TA-Lib calls it zero.
      const deviation = variance > 1e-8 ? Math.sqrt(variance) : 0;
      upper = mean + deviation * width;
      lower = mean - deviation * width;
      return middle;
    },
    get upper() {
      return upper;
    },
    get middle() {
      return middle;
    },
    get lower() {
      return lower;
    },
    /** Where a price lies between the bands: 0 at the lower, 1 at the upper, NaN when they are one. */
    percentB: (price: number): number => (upper > lower ? (price - lower) / (upper - lower) : Number.NaN),
  };
}
