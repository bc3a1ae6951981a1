import { expect, test } from 'vitest';
import { changePct, extremes, spanOf, thinOut } from './series-summary.ts';
import { sparklinePath } from './sparkline.tsx';

test('what is unknown counts for nothing, and a million values need no copy', () => {
  expect(spanOf([Number.NaN, 4, 2, 6, Number.NaN])).toEqual({ first: 4, last: 6, low: 2, high: 6 });
  expect(spanOf([Number.NaN])).toBeUndefined();
  const long = new Float64Array(1_000_000).fill(3);
  long[500_000] = 9;
  expect(spanOf(long)).toEqual({ first: 3, last: 3, low: 3, high: 9 });
});
test('candles take their extremes from lows and highs', () => {
  expect(spanOf([10, 11], [8, 9], [12, 15])).toEqual({ first: 10, last: 11, low: 8, high: 15 });
});
test('the change is in percent of the first value, and has none from zero', () => {
  expect(changePct({ first: 50, last: 60, low: 0, high: 0 })).toBeCloseTo(20);
  expect(changePct({ first: 0, last: 60, low: 0, high: 0 })).toBeUndefined();
});
test('the table stays within its rows and keeps the last known value of every stretch', () => {
  const time = Array.from({ length: 1001 }, (_, index) => index);
  const table = thinOut(time, [time.map((value) => (value === 1000 ? Number.NaN : value * 2))], 100);
  expect(table.length).toBeLessThanOrEqual(100);
  expect(table[0]).toEqual({ time: 0, values: [20] });
  expect(table.at(-1)!.values).toEqual([1998]);
});
test('a sparkline fills its box, and a flat one lies in the middle', () => {
  expect(sparklinePath([1, 3, 2], 10, 4)).toBe('M0.0 4.0L5.0 0.0L10.0 2.0');
  expect(sparklinePath([2, 2], 10, 4)).toBe('M0.0 2.0L10.0 2.0');
  expect(sparklinePath([2], 10, 4)).toBe('');
});
test('extremes of a stretch leave the unknown out, also where it begins with it', () => {
  expect(extremes([Number.NaN, 4, 9, 2], 0, 2)).toEqual([4, 9]);
  expect(extremes([Number.NaN, 4, 9, 2], -5, 99)).toEqual([2, 9]);
  expect(extremes([Number.NaN, 4], 0, 0)).toBeUndefined();
});
