import { describe, expect, test } from 'vitest';
import { randomSeries } from '../../bench/series.ts';
import { botConfig } from '../../testing/auto-trade-fixtures.ts';
import { btcusdt } from '../../testing/pairs.ts';
import type { CandleSeries } from '../prices/candle-series.ts';
import { type BacktestResult, runBacktest } from './backtest.ts';
import { checkLookAhead, firstDifference, judgeDelay, judgePrefix, sampledTimes } from './look-ahead.ts';

const until = (series: CandleSeries, count: number): CandleSeries => ({
  ...series,
  openTime: series.openTime.slice(0, count),
  open: series.open.slice(0, count),
  high: series.high.slice(0, count),
  low: series.low.slice(0, count),
  close: series.close.slice(0, count),
  volume: series.volume.slice(0, count),
});
const eager = {
  entry: { ...botConfig().entry, trigger: { kind: 'drop', dropPct: '0.5', lookbackMin: 60 } },
  cooldown: { afterWinMin: 5, afterLossMin: 5 },
  takeProfit: { levels: [{ gainPct: '1', sellPct: '100' }] },
  stopLoss: { mode: 'percent', pct: '1' },
} as const;
const config = botConfig(eager);
const candles = randomSeries(12_000, 4);
const options = { config, coins: [{ pair: btcusdt, candles }], startBalance: '10000' };

test('a run over the first bars writes the first traces of the run over all, at 20 moments', () => {
  const open = runBacktest(options);
  const veiled = runBacktest({ ...options, veiled: true });
  expect(open.traces.length).toBeGreaterThan(50);
  expect(firstDifference(open.traces, veiled.traces)).toBeUndefined();
  for (const time of sampledTimes(candles.openTime[0]!, candles.openTime[11_999]!)) {
    const count = candles.openTime.findIndex((at) => at >= time);
    const part = runBacktest({ ...options, coins: [{ pair: btcusdt, candles: until(candles, count) }] });
    expect(part.traces).toEqual(open.traces.slice(0, part.traces.length));
    expect(
      open.traces[part.traces.length] === undefined || Date.parse(open.traces[part.traces.length]!.at) >= candles.openTime[count]!,
    ).toBe(true);
  }
});

test('an honest bot passes both checks', () => {
  const told: number[] = [];
  const checks = checkLookAhead({ ...options, onProgress: (done) => told.push(done) }, runBacktest(options));
  expect(checks.prefix).toEqual({ passed: true, sampled: 20, failedAt: null });
  expect(checks.delay.verdict).toBe('passed');
  expect(told.at(-1)).toBe(1);
  expect(told).toEqual([...told].sort((a, b) => a - b));
});

test('a trace that only the open run has is found, with the moment by which it was there', () => {
  const open = runBacktest(options);
  const at = open.traces[30]!.at;
  const other = { ...open, traces: open.traces.filter((_, index) => index !== 30) };
  const prefix = judgePrefix(open, other);
  expect(prefix.passed).toBe(false);
  expect(prefix.failedAt! >= at).toBe(true);
});

describe('a delay', () => {
  const run = (results: readonly number[]): BacktestResult =>
    ({
      report: { netPnl: String(results.reduce((a, b) => a + b, 0)), trades: results.length },
      traces: results.map((realised) => ({ kind: 'Exit', reason: 'TakeProfit', after: { realised: String(realised) } })),
    }) as unknown as BacktestResult;
  const mixed = (shift: number) => run(Array.from({ length: 40 }, (_, index) => (index % 2 ? 3 : -3) + shift));
  test('that changes little is chance', () => expect(judgeDelay(mixed(0), mixed(0.5)).verdict).toBe('passed'));
  test('that makes the result better than chance can is flagged', () => expect(judgeDelay(mixed(0), mixed(2)).verdict).toBe('improves'));
  test('that takes the whole result away is told', () => expect(judgeDelay(mixed(2), mixed(0)).verdict).toBe('collapses'));
  test('says nothing about a handful of trades', () => expect(judgeDelay(run([1, 2]), run([5, 6])).verdict).toBe('tooFewTrades'));
});
