import { expect, test } from 'vitest';
import { CURVE_POINTS, createEquityCurve, ratios } from './equity-curve.ts';

const HOUR = 3_600_000;
const follow = (values: readonly number[], start = 100, every = HOUR) => {
  const curve = createEquityCurve(start, values.length);
  values.forEach((value, step) => {
    curve.mark(step, (step + 1) * every, value, value !== start);
  });
  return curve.finish();
};

test('the deepest fall, how long it lasted, and the longest time below a peak', () => {
  // A short deep fall that recovers, then a shallow one that does not.
  const figures = follow([100, 110, 88, 110, 108, 107, 109, 109]);
  expect(figures.maxDrawdownPct).toBe(20);
  expect(figures.maxDrawdownMs).toBe(2 * HOUR);
  expect(figures.underWaterMs).toBe(4 * HOUR);
  expect(figures.exposurePct).toBe(87.5);
});

test('a fall that is not over counts to the end', () => {
  const figures = follow([100, 90, 80, 85]);
  expect(figures).toMatchObject({ maxDrawdownPct: 20, maxDrawdownMs: 3 * HOUR, underWaterMs: 3 * HOUR });
});

test('nothing but rises has no fall', () => {
  expect(follow([100, 101, 102])).toMatchObject({ maxDrawdownPct: 0, maxDrawdownMs: 0, underWaterMs: 0, sharpe: null, sortino: null });
});

test('daily returns times √365 over a riskless rate of zero', () => {
  const days = [101, 100, 103, 102, 105, 104, 107, 106, 109, 108];
  const returns = days.map((value, index) => value / (days[index - 1] ?? 100) - 1);
  const mean = returns.reduce((a, b) => a + b) / 10;
  const deviation = Math.sqrt(returns.reduce((sum, each) => sum + (each - mean) ** 2, 0) / 9);
  const below = Math.sqrt(returns.reduce((sum, each) => sum + Math.min(each, 0) ** 2, 0) / 10);
  expect(ratios(100, days).sharpe).toBeCloseTo((mean / deviation) * Math.sqrt(365), 3);
  expect(ratios(100, days).sortino).toBeCloseTo((mean / below) * Math.sqrt(365), 3);
  expect(ratios(100, days.slice(0, 9))).toEqual({ sharpe: null, sortino: null });
});

test('days are those of UTC: each ends with its last value', () => {
  const hours = Array.from({ length: 24 * 12 }, (_, hour) => 100 + Math.floor(hour / 24) * (Math.floor(hour / 24) % 2 ? 2 : 1));
  const days = Array.from({ length: 12 }, (_, day) => hours[day * 24 + 23]!);
  expect(follow(hours).sharpe).toBe(ratios(100, days).sharpe);
});

test('a curve has at most so many points, the last value among them', () => {
  const figures = follow(Array.from({ length: 100_001 }, (_, index) => index + 1));
  expect(figures.steps.length).toBeLessThanOrEqual(CURVE_POINTS);
  expect(figures.values.at(-1)).toBe(100_001);
});
