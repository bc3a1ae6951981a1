import { expect, test } from 'vitest';
import type { CandleSeries } from '../prices/candle-series.ts';
import { triggerBars } from './trigger-bars.ts';

const MINUTE = 60_000;

/** A price that falls by one in a hundred every fifty minutes, and comes back. */
function series(size: number): CandleSeries {
  const column = (of: (bar: number) => number) => Float64Array.from({ length: size }, (_, bar) => of(bar));
  const dips = (bar: number) => (bar % 50 === 49 ? 99 : 100);
  return {
    symbol: 'BTCUSDT',
    intervalMs: MINUTE,
    openTime: column((bar) => bar * MINUTE),
    open: column(() => 100),
    high: column(() => 100),
    low: column(dips),
    close: column(() => 100),
    volume: column(() => 1),
  };
}

test('what was asked for last is kept, and no more of it than is allowed', () => {
  const candles = series(640);
  // Ten blocks of nine bytes each: three of these fit.
  const ask = (factor: number) => triggerBars(candles, 30, factor, 299);
  const [one, two, three] = [ask(0.991), ask(0.992), ask(0.993)];
  expect([one(0), one(50), one(600)]).toEqual([49, 99, 640]);
  expect(ask(0.991)).toBe(one);
  ask(0.994);
  // The second had waited longest.
  expect([ask(0.991), ask(0.993)]).toEqual([one, three]);
  expect(ask(0.992)).not.toBe(two);
  // Where not even one fits, one is kept: the run that asked uses it.
  const alone = triggerBars(candles, 30, 0.98, 1);
  expect(triggerBars(candles, 30, 0.98, 1)).toBe(alone);
});
