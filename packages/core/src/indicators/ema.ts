import type { Indicator } from './sma.ts';

/** Exponential mean, weight 2 / (period + 1), begun with the plain mean of the first `period` values. */
export function createEma(period: number): Indicator {
  const weight = 2 / (period + 1);
  let missing = period;
  let sum = 0;
  let value = Number.NaN;
  return {
    next: (input) => {
      if (missing > 0) {
        sum += input;
        missing -= 1;
        if (missing === 0) value = sum / period;
        return value;
      }
      value = (input - value) * weight + value;
      return value;
    },
    get value() {
      return value;
    },
  };
}
