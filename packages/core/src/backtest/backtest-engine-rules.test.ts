import { expect, test } from 'vitest';
import { randomSeries } from '../../bench/series.ts';
import { botConfig } from '../../testing/auto-trade-fixtures.ts';
import { btcusdt } from '../../testing/pairs.ts';
import { grammarViolation } from '../../testing/trace-grammar.ts';
import type { CandleSeries } from '../prices/candle-series.ts';
import { runBacktest } from './backtest.ts';
import { tradesOf } from './backtest-report.ts';

// The rules of the engine that reach the backtest's exchange: conditions, the resident stop, rebuys, the guard.

const START = 1_700_006_400_000;
type Bar = readonly [number, number, number, number];
const series = (bars: readonly Bar[], intervalMs = 60_000): CandleSeries => {
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
const now = botConfig({
  entry: { ...botConfig().entry, trigger: { kind: 'immediate' }, trailing: { enabled: false } },
  takeProfit: { levels: [{ gainPct: '9', sellPct: '100' }] },
  trailingCost: { enabled: false },
  stopLoss: { mode: 'percent', pct: '2' },
  cooldown: { afterWinMin: 1000, afterLossMin: 1000 },
});
const flat: Bar = [1000, 1001, 999, 1000];
const run = (bars: readonly Bar[], config = now) =>
  runBacktest({ config, coins: [{ pair: btcusdt, candles: series(bars) }], startBalance: '10000' });

test('a resident stop sells at its trigger, in the bar that reaches it; without it the sale is at the next open', () => {
  const bars = [...Array<Bar>(10).fill(flat), [1000, 1000, 960, 960] as const, [950, 950, 940, 945] as const, flat, flat];
  const resident = run(bars, { ...now, protectiveStop: { enabled: true, limitOffsetPct: '0.5' } });
  const market = run(bars);
  const price = (result: typeof market) => Number(result.traces.find(({ kind }) => kind === 'Sell')?.price);
  expect(resident.report.exits).toEqual({ StopLoss: 1 });
  expect(price(resident)).toBeGreaterThan(975);
  expect(price(market)).toBeLessThan(950);
});

test('a gap beyond both its prices leaves it unfilled; the engine sells by other means', () => {
  const bars = [...Array<Bar>(10).fill(flat), [900, 905, 890, 900] as const, [900, 905, 890, 900] as const, flat, flat];
  const { report, traces } = run(bars, { ...now, protectiveStop: { enabled: true, limitOffsetPct: '0.5' } });
  expect(report.exits).toEqual({ StopLoss: 1 });
  expect(Number(traces.find(({ kind }) => kind === 'Sell')?.price)).toBeLessThan(905);
});

test('quiet bars are passed over with a resident stop as without, and nothing changes', () => {
  const config = botConfig({ protectiveStop: { enabled: true, limitOffsetPct: '0.5' }, cooldown: { afterWinMin: 5, afterLossMin: 5 } });
  for (const seed of [1, 2, 3]) {
    const options = { config, coins: [{ pair: btcusdt, candles: randomSeries(12_000, seed) }], startBalance: '10000' };
    const [quick, slow] = [runBacktest(options), runBacktest({ ...options, walkEveryBar: true })];
    expect(quick.traces.length).toBeGreaterThan(20);
    expect(quick.traces).toEqual(slow.traces);
    expect(quick.report).toEqual(slow.report);
  }
});

test('rebuys and conditions run over recorded time, in grammar, and every figure adds up', () => {
  const config = botConfig({
    timeframe: '15m',
    entry: {
      ...botConfig().entry,
      size: { mode: 'fixed', value: '500' },
      trigger: { kind: 'conditions', rules: { match: 'all', rules: [{ key: 'rsi', timeframe: '15m', operation: 'lt', value: 40 }] } },
      trailing: { enabled: false },
    },
    rebuys: { levels: [{ dropPct: '1', sizeMultiplier: '1' }] },
    stopLoss: { mode: 'percent', pct: '4' },
    cooldown: { afterWinMin: 5, afterLossMin: 5 },
  });
  const candles = randomSeries(20_000, 5);
  const options = { config, coins: [{ pair: btcusdt, candles }], startBalance: '10000' };
  const quick = runBacktest(options);
  expect(quick.traces).toEqual(runBacktest({ ...options, walkEveryBar: true }).traces);
  const entries = quick.traces.filter(({ kind }) => kind === 'Entry');
  expect(entries.length).toBeGreaterThan(3);
  for (const entry of entries) {
    expect(entry.reason).toBe('Conditions');
    expect(Number(entry.after['rsi.15m'])).toBeLessThan(40);
  }
  for (const { traces, closedAt } of tradesOf(quick.traces)) expect(grammarViolation(traces, closedAt !== null)).toBeUndefined();
  expect(tradesOf(quick.traces).some(({ buys }) => buys > 1)).toBe(true);
});

test('the guard needs its coin, and stops entries while that falls', () => {
  const protections = { ...now.protections, btcGuard: { dropPct: '2', windowMin: 60, resumePct: '1' } };
  const other = { ...btcusdt, symbol: 'ETHUSDT', baseAsset: 'ETH' };
  const options = { config: { ...now, protections }, startBalance: '10000' };
  expect(() => runBacktest({ ...options, coins: [{ pair: other, candles: { ...series([flat]), symbol: 'ETHUSDT' } }] })).toThrow(
    'btcGuard',
  );
  const fallen = [...Array<Bar>(5).fill([1030, 1030, 1030, 1030] as const), ...Array<Bar>(20).fill(flat)];
  const late = botConfig({ ...now, protections, entry: { ...now.entry, trigger: { kind: 'drop', dropPct: '2.5', lookbackMin: 60 } } });
  expect(run(fallen, { ...late, protections: now.protections }).traces.map(({ kind }) => kind)).toContain('Entry');
  expect(run(fallen, late).traces).toEqual([]);
});
