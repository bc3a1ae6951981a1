import type { Indicator } from './sma.ts';

/** Relative strength index after Wilder, 0-100; a market that never moved reads 0, as in TA-Lib. */
export function createRsi(period = 14): Indicator {
  let previous = Number.NaN;
  let gain = 0;
  let loss = 0;
  let missing = period;
  let value = Number.NaN;
  const read = () => {
    const both = gain + loss;
    return both === 0 ? 0 : 100 * (gain / both);
  };
  return {
    next: (input) => {
      const change = input - previous;
      const first = Number.isNaN(previous);
      previous = input;
      if (first) return value;
      if (missing > 0) {
        if (change < 0) loss -= change;
        else gain += change;
        missing -= 1;
        if (missing > 0) return value;
        gain /= period;
        loss /= period;
        value = read();
        return value;
      }
      gain *= period - 1;
      loss *= period - 1;
      if (change < 0) loss -= change;
      else gain += change;
      gain /= period;
      loss /= period;
      value = read();
      return value;
    },
    get value() {
      return value;
    },
  };
}
