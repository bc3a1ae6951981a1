import { describe, expect, test } from 'vitest';
import { randomSeries } from '../../bench/series.ts';
import { botConfig } from '../../testing/auto-trade-fixtures.ts';
import { btcusdt } from '../../testing/pairs.ts';
import { deepTest } from '../../testing/tiers.ts';
import type { AutoTradeConfigInput } from '../auto-trades/config/auto-trade-config.ts';
import type { CandleSeries } from '../prices/candle-series.ts';
import { type BacktestCoin, type BacktestOptions, type BacktestResult, runBacktest } from './backtest.ts';
import type { ConditionJudge } from './backtest-conditions.ts';
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
} satisfies Partial<AutoTradeConfigInput>;
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

describe('a signal that cheats is caught', () => {
  const byConditions = botConfig({
    ...eager,
    timeframe: '1m',
    entry: {
      ...botConfig().entry,
      trigger: { kind: 'conditions', rules: { match: 'all', rules: [{ key: 'price', operation: 'gt', value: 0 }] } },
      trailing: { enabled: false },
      order: { type: 'Market' },
    },
    trailingCost: { enabled: false },
  });
  /** Enters when `sees` says so of the bars around the one that closed. */
  const signal =
    (sees: (candles: CandleSeries, bar: number) => boolean) =>
    ({ candles: seen }: BacktestCoin): ConditionJudge => ({
      close: (bar) => {
        const at = seen.openTime[bar]! + 60_000;
        return { at, entry: sees(seen, bar), exit: null, observed: {}, validUntil: at + 59_000 };
      },
    });
  const check = (sees: (candles: CandleSeries, bar: number) => boolean, noise = 1) => {
    const cheat: BacktestOptions = {
      ...options,
      config: byConditions,
      judgeFor: signal(sees),
      coins: [{ pair: btcusdt, candles: zigzag(noise) }],
    };
    return checkLookAhead(cheat, runBacktest(cheat));
  };
  /** Falls for two bars after each sign, then rises past the target: whoever buys late buys low. */
  function zigzag(noise: number): CandleSeries {
    const series = randomSeries(4000, 11);
    for (let bar = 0; bar < 4000; bar += 1) {
      const shape = [1000, 1000, 985, 985, 1000, 1013, 1013, 1000][bar % 8]! + noise * Math.sin(bar * 12.9898);
      series.open[bar] = series.close[bar] = shape;
      series.high[bar] = shape + 0.5;
      series.low[bar] = shape - 0.5;
    }
    return series;
  }

  test('by the prefix: it reads the next bar', () => {
    const { prefix } = check((seen, bar) => seen.close[bar + 1]! > seen.close[bar]! * 1.005);
    expect(prefix.passed).toBe(false);
    expect(prefix.failedAt).not.toBeNull();
  });
  deepTest('by the prefix: it compares with the whole period', () => {
    const { prefix } = check((seen, bar) => seen.close[bar]! < seen.close.reduce((sum, value) => sum + value, 0) / seen.close.length);
    expect(prefix.passed).toBe(false);
  });
  test('by the delay: it is told of a fall before the fall, and a bar later is better', () => {
    // No future is read: the sign is only set a bar too early, as a candle stamped with its begin would be.
    const { prefix, delay } = check((_, bar) => bar % 8 === 7);
    expect(prefix.passed).toBe(true);
    expect(delay.verdict).toBe('improves');
  });
  test('by the delay, the other way: all it earns hangs on one bar', () => {
    expect(check((_, bar) => bar % 8 === 2).delay.verdict).toBe('collapses');
  });
  test('an honest one is not', () => {
    const { prefix, delay } = check((seen, bar) => seen.close[bar]! < seen.close[Math.max(0, bar - 1)]!, 40);
    expect(prefix.passed).toBe(true);
    expect(['passed', 'collapses']).toContain(delay.verdict);
  });
});
