import { describe, expect, test } from 'vitest';
import { random, randomSeries } from '../../bench/series.ts';
import { botConfig } from '../../testing/auto-trade-fixtures.ts';
import { btcusdt } from '../../testing/pairs.ts';
import { grammarViolation } from '../../testing/trace-grammar.ts';
import type { AutoTradeConfigInput } from '../auto-trades/config/auto-trade-config.ts';
import type { Trace } from '../auto-trades/trace.ts';
import { add, decimal, equals, sum } from '../money/decimal.ts';
import type { CandleSeries } from '../prices/candle-series.ts';
import { type BacktestCoin, runBacktest } from './backtest.ts';
import { backtestDocumentSchema } from './backtest-contract.ts';
import { reportDocument, tradesOf } from './backtest-report.ts';
import { createTimeline, TimelineError } from './backtest-timeline.ts';
import { passiveBenchmarks } from './passive-benchmarks.ts';

const named = (symbol: string, candles: CandleSeries): BacktestCoin => ({
  pair: { ...btcusdt, symbol, baseAsset: symbol.replace('USDT', '') },
  candles: { ...candles, symbol },
});
const without = (series: CandleSeries, keep: (bar: number) => boolean): CandleSeries => {
  const kept = [...series.openTime.keys()].filter(keep);
  const column = (values: Float64Array) => Float64Array.from(kept, (bar) => values[bar]!);
  const { openTime, open, high, low, close, volume } = series;
  return {
    ...series,
    openTime: column(openTime),
    open: column(open),
    high: column(high),
    low: column(low),
    close: column(close),
    volume: column(volume),
  };
};
const eager = {
  entry: { ...botConfig().entry, trigger: { kind: 'drop', dropPct: '0.5', lookbackMin: 60 } },
  cooldown: { afterWinMin: 5, afterLossMin: 5 },
} satisfies Partial<AutoTradeConfigInput>;
const three = [1, 2, 3].map((seed) => named(`C${seed}USDT`, randomSeries(12_000, seed)));
const config = botConfig({ ...eager, maxOpenPositions: 2 });

/** Most positions open at once, by the order of the traces. */
function mostOpen(traces: readonly Trace[]): number {
  let open = 0;
  let most = 0;
  for (const { kind } of traces) {
    if (kind === 'Entry') open += 1;
    if (kind === 'Exit') open -= 1;
    most = Math.max(most, open);
  }
  return most;
}

test('coins share the slots and the wallet, and their traces come in the order of time', () => {
  const { report, traces } = runBacktest({ config, coins: three, startBalance: '10000' });
  expect(new Set(traces.map(({ symbol }) => symbol)).size).toBe(3);
  expect(mostOpen(traces)).toBe(2);
  expect(mostOpen(runBacktest({ config: { ...config, maxOpenPositions: 1 }, coins: three, startBalance: '10000' }).traces)).toBe(1);
  expect(mostOpen(runBacktest({ config, coins: three, startBalance: '1200' }).traces)).toBe(1);
  const times = traces.map(({ at }) => at);
  expect(times).toEqual([...times].sort());
  for (const { traces: rows, closedAt } of tradesOf(traces)) expect(grammarViolation(rows, closedAt !== null)).toBeUndefined();
  expect(equals(sum(tradesOf(traces).map(({ realised }) => decimal(realised ?? '0'))), decimal(report.realised))).toBe(true);
});

test('one coin alone does what it did as one of several that never trade', () => {
  const quiet = randomSeries(12_000, 9);
  const still = { ...quiet, open: quiet.open.slice().fill(50), high: quiet.open.slice().fill(50), low: quiet.open.slice().fill(50) };
  const alone = runBacktest({ config, coins: [three[0]!], startBalance: '10000' });
  const beside = runBacktest({ config, coins: [three[0]!, named('ZUSDT', { ...still, close: still.open })], startBalance: '10000' });
  expect(beside.traces).toEqual(alone.traces);
  expect(beside.report.netPnl).toBe(alone.report.netPnl);
});

test('series with different gaps are walked in one order of time', () => {
  const draw = random(5);
  const gappy = three.map((coin, index) =>
    named(
      coin.pair.symbol,
      without(coin.candles, (bar) => (index === 1 ? bar > 500 : draw() > 0.02)),
    ),
  );
  const quick = runBacktest({ config, coins: gappy, startBalance: '10000' });
  const slow = runBacktest({ config, coins: gappy, startBalance: '10000', walkEveryBar: true });
  expect(quick.traces.length).toBeGreaterThan(100);
  expect(quick.traces).toEqual(slow.traces);
  expect(quick.report).toEqual(slow.report);
  expect(quick.report.prices.C2USDT?.[0]).toBeNull();
});

test('a slot that becomes free goes to the coin with the most money in the last 24 hours, as it was then', () => {
  const HOUR = 3_600_000;
  const money = random(3);
  const coins = ['A', 'B', 'C', 'D'].map((base, number) => {
    const { pair, candles } = named(`${base}USDT`, randomSeries(900, 20 + number, HOUR));
    let level = 1;
    const next = (): number => {
      level *= 0.8 + 0.4 * money();
      return Math.round(level * 1e10) / 1e8;
    };
    return {
      pair,
      candles: { ...candles, quoteVolume: candles.volume.map(() => next()) },
    };
  });
  const picky = botConfig({
    maxOpenPositions: 1,
    pickOrder: 'volume',
    entry: { ...botConfig().entry, trigger: { kind: 'immediate' }, trailing: { ...botConfig().entry.trailing, enabled: false } },
    takeProfit: { levels: [{ gainPct: '0.3', sellPct: '100' }] },
    trailingCost: { enabled: false },
    stopLoss: { mode: 'percent', pct: '0.3' },
    cooldown: { afterWinMin: 0, afterLossMin: 0 },
    protections: { lossStreak: { count: 0 }, drawdown: { maxPct: '0' } },
  });
  const options = { config: picky, coins, startBalance: '10000' };
  const { traces } = runBacktest(options);
  const picked = new Set<string>();
  traces.forEach((trace, index) => {
    const left = traces[index - 1];
    if (trace.kind !== 'Entry' || left?.kind !== 'Exit') return;
    const from = Math.floor((Date.parse(trace.at) - coins[0]!.candles.openTime[0]!) / HOUR);
    const sums = coins
      .filter(({ pair }) => pair.symbol !== left.symbol)
      .map(({ pair, candles }) => ({
        symbol: pair.symbol,
        volume: candles.quoteVolume.subarray(Math.max(0, from - 24), from).reduce((sum, each) => sum + each, 0),
      }))
      .sort((one, other) => other.volume - one.volume);
    expect([trace.at, trace.symbol]).toEqual([trace.at, sums[0]!.symbol]);
    picked.add(trace.symbol);
  });
  expect(picked.size).toBeGreaterThan(2);
  for (const other of [{ walkEveryBar: true }, { veiled: true }])
    expect(JSON.stringify(runBacktest({ ...options, ...other }).traces)).toBe(JSON.stringify(traces));
  const silent = coins.map(({ pair, candles: { quoteVolume: _told, ...candles } }) => ({ pair, candles }));
  expect(() => runBacktest({ ...options, coins: silent })).toThrow('pickOrder: needsMoney');
});

test('candles of different lengths are refused, and none at all', () => {
  const coins = [three[0]!, named('HUSDT', randomSeries(100, 1, 3_600_000))];
  expect(() => runBacktest({ config, coins, startBalance: '1000' })).toThrow(TimelineError);
  expect(() => runBacktest({ config, coins: [named('EUSDT', randomSeries(0))], startBalance: '1000' })).toThrow('no candles');
});

describe('a report', () => {
  test('is what its schema says, and survives a file', () => {
    const result = runBacktest({ config, coins: three, startBalance: '10000' });
    const document = reportDocument('Dip', result, null);
    expect(backtestDocumentSchema.parse(JSON.parse(JSON.stringify(document)))).toEqual(JSON.parse(JSON.stringify(document)));
    expect(document.positions.flatMap(({ traces }) => traces).sort((a, b) => a.seq - b.seq)).toEqual(result.traces);
    expect(result.report.equity.length).toBeLessThanOrEqual(500);
  });
  test('adds up: what came in, what was earned and what is still held', () => {
    const { report, traces } = runBacktest({ config, coins: three, startBalance: '10000' });
    const fees = sum(traces.filter(({ kind }) => kind === 'Buy' || kind === 'Sell').map(({ after }) => decimal(String(after.feeInQuote))));
    expect(equals(fees, decimal(report.fees))).toBe(true);
    expect(equals(add(decimal(report.startBalance), decimal(report.netPnl)), decimal(report.endValue))).toBe(true);
    expect(report.wins + report.losses).toBe(report.trades);
    expect(Object.values(report.exits).reduce((a, b) => a + b, 0)).toBe(report.trades);
  });
});

test('held from the first open, and bought in equal parts at equal distances', () => {
  const bars = 24 * 20;
  const rising = randomSeries(bars, 1, 3_600_000);
  for (let bar = 0; bar < bars; bar += 1) rising.open[bar] = rising.close[bar] = 100 + Math.floor(bar / 24);
  const series = [rising];
  const { hold, dca } = passiveBenchmarks(series, createTimeline(series), [0, bars - 1], 1000, 0.001);
  expect(hold.end).toBeCloseTo((1000 * 0.999 * 119) / 100, 9);
  expect(dca).toMatchObject({ buys: 20, everyMs: 86_400_000 });
  const units = Array.from({ length: 20 }, (_, day) => (50 * 0.999) / (100 + day)).reduce((a, b) => a + b);
  expect(dca.end).toBeCloseTo(units * 119, 9);
  expect(dca.values[0]).toBeCloseTo(1000 - 50 * 0.001, 9);
});
