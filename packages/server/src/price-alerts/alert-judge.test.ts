import { describe, expect, test } from 'vitest';
import { judgeCandles, judgeChange, judgeTarget, judgeValue, stepBand } from './alert-judge.ts';

describe('steps', () => {
  test('lie on both sides of the anchor', () => {
    expect(stepBand('2', '100', 101)).toEqual({ anchor: '100', condition: { kind: 'channel', event: 'exit', lower: '98', upper: '102' } });
  });
  test('an anchor that is far from the price moves to it by whole steps, either way', () => {
    expect(stepBand('2', '100', 107).anchor).toBe('106');
    expect(stepBand('2', '100', 93).anchor).toBe('94');
  });
});

describe('changes', () => {
  const up = { kind: 'change', direction: 'up', pct: '5', window: '1h' } as const;
  const down = { ...up, direction: 'down' } as const;
  const either = { ...up, direction: 'either' } as const;
  test('are reached exactly', () => {
    expect(judgeChange(up, 105, 100, '0.2').truth).toBe(true);
    expect(judgeChange(up, 104.99999999, 100, '0.2').truth).toBe(false);
    expect(judgeChange(down, 95, 100, '0.2').truth).toBe(true);
    expect(judgeChange(down, 105, 100, '0.2').truth).toBe(false);
    expect(judgeChange(either, 94, 100, '0.2').truth).toBe(true);
    expect(judgeChange(either, 106, 100, '0.2').truth).toBe(true);
  });
  test('are left only by more than the hysteresis', () => {
    expect(judgeChange(up, 104.9, 100, '0.2').left).toBe(false);
    expect(judgeChange(up, 104.7, 100, '0.2').left).toBe(true);
    expect(judgeChange(either, 104.7, 100, '0.2').left).toBe(true);
    expect(judgeChange(either, 95.1, 100, '0.2').left).toBe(false);
  });
});

test('a value is beside its bound on the side that was asked for', () => {
  expect(judgeValue(10, 'above', 10, 1)).toMatchObject({ truth: true, left: false });
  expect(judgeValue(8.9, 'above', 10, 1)).toMatchObject({ truth: false, left: true });
  expect(judgeValue(-10, 'below', -10, 1)).toMatchObject({ truth: true, left: false });
  expect(judgeValue(-9.5, 'below', -10, 1)).toMatchObject({ truth: false, left: false });
  expect(judgeValue(9, 'above', 10, 0)).toMatchObject({ truth: false, left: true });
});

describe('candles', () => {
  const rising = Array.from({ length: 60 }, (_, n) => 100 + n);
  const even = rising.map(() => 10);
  test('too few say nothing', () => {
    expect(
      judgeCandles({ kind: 'rsi', relation: 'above', value: '70', period: 14, interval: '1h' }, rising.slice(0, 14), even, '0.2'),
    ).toBeUndefined();
    expect(judgeCandles({ kind: 'sma', relation: 'above', period: 20, interval: '1h' }, rising.slice(0, 19), even, '0.2')).toBeUndefined();
  });
  test('each indicator on a market that only rises', () => {
    const judge = (condition: Parameters<typeof judgeCandles>[0]) => judgeCandles(condition, rising, even, '0.2')?.truth;
    expect(judge({ kind: 'rsi', relation: 'above', value: '70', period: 14, interval: '1h' })).toBe(true);
    expect(judge({ kind: 'rsi', relation: 'below', value: '70', period: 14, interval: '1h' })).toBe(false);
    expect(judge({ kind: 'ema', relation: 'above', period: 5, slowPeriod: 20, interval: '1h' })).toBe(true);
    expect(judge({ kind: 'sma', relation: 'below', period: 20, interval: '1h' })).toBe(false);
    expect(judge({ kind: 'bollinger', band: 'middle', relation: 'above', period: 20, deviations: '2', interval: '1h' })).toBe(true);
    expect(judge({ kind: 'bollinger', band: 'upper', relation: 'above', period: 20, deviations: '2', interval: '1h' })).toBe(false);
  });
  test('a volume is measured against those before it, not against itself', () => {
    const spike = { kind: 'volumeSpike', times: '3', interval: '1h', candles: 20 } as const;
    expect(judgeCandles(spike, rising, [...even.slice(1), 30], '0.2')).toMatchObject({ truth: true, facts: { times: 3, average: 10 } });
    expect(judgeCandles(spike, rising, [...even.slice(1), 29.9], '0.2')).toMatchObject({ truth: false });
  });
});

test('a target is reached near it and beyond it, on either side, until the price is back where it came from', () => {
  const look = (distancePct: number, side: 1 | -1) => {
    const { truth, left } = judgeTarget(distancePct, side, 1, 0.2);
    return { truth, left };
  };
  expect([2, 1, 0, -5].map((distance) => look(distance, 1).truth)).toEqual([false, true, true, true]);
  expect([-2, -1, 0, 5].map((distance) => look(distance, -1).truth)).toEqual([false, true, true, true]);
  expect([1.3, 1.2, 1.1, -9].map((distance) => look(distance, 1).left)).toEqual([true, false, false, false]);
});
