import { expect, test } from 'vitest';
import { botConfig } from '../../testing/auto-trade-fixtures.ts';
import { btcusdt } from '../../testing/pairs.ts';
import type { CandleSeries } from '../prices/candle-series.ts';
import { runBacktest } from './backtest.ts';

const START = 1_700_000_100_000;
const MINUTE = 60_000;
const series = (bars: readonly (readonly [number, number, number, number])[], intervalMs: number): CandleSeries => {
  const column = (index: 0 | 1 | 2 | 3) => Float64Array.from(bars, (bar) => bar[index]);
  return {
    symbol: 'BTCUSDT',
    intervalMs,
    openTime: Float64Array.from(bars, (_, index) => START + index * intervalMs),
    open: column(0),
    high: column(1),
    low: column(2),
    close: column(3),
    volume: Float64Array.from(bars, () => 1000),
  };
};
const config = botConfig({
  entry: { ...botConfig().entry, trigger: { kind: 'immediate' }, trailing: { enabled: false } },
  takeProfit: { levels: [{ gainPct: '2', sellPct: '100' }] },
  trailingCost: { enabled: false },
  stopLoss: { mode: 'percent', pct: '2' },
  cooldown: { afterWinMin: 1000, afterLossMin: 1000 },
});
const flat = [1000, 1001, 999, 1000] as const;
const coarse = series([flat, flat, [1000, 1050, 950, 1000], flat, flat], 5 * MINUTE);
const calm = Array<typeof flat>(5).fill(flat);
const fine = (bars: readonly (readonly [number, number, number, number])[]) =>
  series([...calm, ...calm, ...bars, ...calm, ...calm], MINUTE);
const up = [1000, 1050, 1000, 1010] as const;
const down = [1010, 1010, 950, 1000] as const;
const run = (zoom?: CandleSeries) =>
  runBacktest({ config, coins: [{ pair: btcusdt, candles: coarse, ...(zoom ? { zoom } : {}) }], startBalance: '10000' }).report;

test('finer candles tell which came first', () => {
  expect(run(fine([flat, up, down, flat, flat]))).toMatchObject({
    exits: { TakeProfit: 1 },
    ambiguousBars: 0,
    zoomedBars: 1,
    ambiguousExitsPct: 0,
  });
  expect(run(fine([flat, [1000, 1000, 950, 990], [990, 1050, 990, 1000], flat, flat]))).toMatchObject({
    exits: { StopLoss: 1 },
    zoomedBars: 1,
  });
});

test('without them, and where even one of them holds both, the stop is met first', () => {
  expect(run()).toMatchObject({ exits: { StopLoss: 1 }, ambiguousBars: 1, zoomedBars: 0, ambiguousExitsPct: 100 });
  expect(run(fine([flat, [1000, 1050, 950, 1000], flat, flat, flat]))).toMatchObject({ exits: { StopLoss: 1 }, ambiguousBars: 1 });
});

test('finer candles with a hole in that bar are not used', () => {
  const holed = fine([flat, up, down, flat, flat]);
  const keep = [...holed.openTime.keys()].filter((bar) => bar !== 13);
  const column = (values: Float64Array) => Float64Array.from(keep, (bar) => values[bar]!);
  const { openTime, open, high, low, close, volume } = holed;
  const zoom = {
    ...holed,
    openTime: column(openTime),
    open: column(open),
    high: column(high),
    low: column(low),
    close: column(close),
    volume: column(volume),
  };
  expect(run(zoom)).toMatchObject({ exits: { StopLoss: 1 }, ambiguousBars: 1 });
});
