import { expect, test } from 'vitest';
import { random, randomSeries } from '../../bench/series.ts';
import { botConfig } from '../../testing/auto-trade-fixtures.ts';
import { backtestCase } from '../../testing/backtest-cases.ts';
import { btcusdt } from '../../testing/pairs.ts';
import { TIER } from '../../testing/tiers.ts';
import type { AutoTradeConfigInput } from '../auto-trades/config/auto-trade-config.ts';
import type { CandleSeries } from '../prices/candle-series.ts';
import { type BacktestOptions, type BacktestResult, runBacktest } from './backtest.ts';
import { reportDocument } from './backtest-report.ts';
import { warningsOf } from './report-page.ts';

// A coin is redenominated while its trading stands still. A backtest has no owner to ask: the position ends at its cost.

const START = 1_700_000_040_000;
const MINUTE = 60_000;
const { entry } = botConfig();
const config = (over: Partial<AutoTradeConfigInput> = {}) =>
  botConfig({
    entry: { ...entry, trigger: { kind: 'immediate' }, trailing: { ...entry.trailing, enabled: false }, order: { type: 'Market' } },
    takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] },
    trailingCost: { enabled: false },
    stopLoss: { mode: 'percent', pct: '5' },
    cooldown: { afterWinMin: 6000, afterLossMin: 6000 },
    ...over,
  });

/** Bars that open and close at one price. `null`: no such bar; a negative price: nothing traded in it. */
function bars(prices: readonly (number | null)[]): CandleSeries {
  const there = prices.flatMap((price, bar) => (price === null ? [] : [{ price: Math.abs(price), bar, volume: price < 0 ? 0 : 1e6 }]));
  const column = Float64Array.from(there, ({ price }) => price);
  return {
    symbol: 'BTCUSDT',
    intervalMs: MINUTE,
    openTime: Float64Array.from(there, ({ bar }) => START + bar * MINUTE),
    open: column,
    high: column,
    low: column,
    close: column,
    volume: Float64Array.from(there, ({ volume }) => volume),
  };
}

function sameEachWay(options: BacktestOptions): BacktestResult {
  const passing = runBacktest(options);
  for (const other of [{ walkEveryBar: true }, { veiled: true }]) {
    const { traces, report } = runBacktest({ ...options, ...other });
    expect(traces).toEqual(passing.traces);
    expect(report).toEqual(passing.report);
  }
  return passing;
}
const run = (prices: readonly (number | null)[], over: Partial<AutoTradeConfigInput> = {}) =>
  sameEachWay({ config: config(over), coins: [{ pair: btcusdt, candles: bars(prices) }], startBalance: '10000' });
const many = (price: number, length: number): number[] => Array.from({ length }, () => price);
const kinds = ({ traces }: BacktestResult) => traces.map(({ kind, reason }) => `${kind} ${reason}`);

test.each([
  ['a bar that is missing', [...many(100, 10), null, ...many(1, 10)]],
  ['a bar without volume', [...many(100, 10), -100, ...many(1, 10)]],
  ['a day without volume', [...many(100, 200), ...many(-100, 1440), ...many(1, 200)]],
  ['a jump upwards', [...many(100, 200), ...many(-100, 3), ...many(500, 200)]],
] as const)('1 old coin is 100 new ones over %s: the position ends at its cost, and the report says so', (_what, prices) => {
  const result = run(prices);
  const { report, traces } = result;
  expect(kinds(result)).toEqual(['Entry Immediate', 'Buy Entry', 'Exit PriceJump']);
  expect(traces.at(-1)).toMatchObject({ price: String(prices.at(-1)), after: { realised: '0', dust: '0', before: '100' } });
  expect(report).toMatchObject({ exits: { PriceJump: 1 }, trades: 0, losses: 0, realised: '0', endValue: '10000' });
  expect(report.maxDrawdownPct).toBeLessThan(0.1);
  const named = warningsOf(reportDocument('Dip', result, null), (key, values) => `${String(key)} ${JSON.stringify(values)}`);
  expect(named).toHaveLength(1);
  expect(named[0]).toContain('backtest.checks.priceJump {"symbol":"BTCUSDT","before":"100"');
});

test('orders of before meet no price of after: a stop, a sale and a buy that waited for the next bar', () => {
  // Decided in the last bar before the halt, made in the next: that is after it.
  const stopped = run([...many(100, 5), 90, null, null, ...many(1, 5)]);
  expect(kinds(stopped)).toEqual(['Entry Immediate', 'Buy Entry', 'Exit PriceJump']);
  const resting = run([...many(100, 5), 104, 104, null, null, ...many(500, 5)], {
    takeProfit: { levels: [{ gainPct: '3', sellPct: '100' }] },
    exit: { order: { type: 'Limit', offsetPct: '5', timeoutSec: 86_400 } },
  });
  expect(kinds(resting)).toEqual(['Entry Immediate', 'Buy Entry', 'Exit PriceJump']);
  const guarded = run([...many(100, 5), null, null, ...many(1, 5)], { protectiveStop: { enabled: true } });
  expect(kinds(guarded)).toEqual(['Entry Immediate', 'Buy Entry', 'Exit PriceJump']);
  const entering = run([100, null, null, ...many(1, 3)]);
  expect(kinds(entering).slice(0, 2)).toEqual(['Entry Immediate', 'Exit Abandoned']);
});

test('a fall by less than to a third, or without a standstill, is sold by its stop', () => {
  for (const prices of [
    [...many(100, 10), null, ...many(34, 10)],
    [...many(100, 10), null, ...many(94, 10)],
    [...many(100, 10), ...many(1, 10)],
  ])
    expect(kinds(run(prices))).toEqual(['Entry Immediate', 'Buy Entry', 'Sell StopLoss', 'Exit StopLoss']);
});

test('no fall is counted from highs of before', () => {
  const drop = {
    ...entry,
    trigger: { kind: 'drop', dropPct: '5', lookbackMin: 600 },
    trailing: { ...entry.trailing, enabled: false },
  } as const;
  const before = [...many(100, 300), null, null];
  expect(kinds(run([...before, ...many(1, 300)], { entry: drop }))).toEqual([]);
  expect(kinds(run([...before, ...many(30, 100), ...many(28, 100)], { entry: drop }))).toEqual(['Entry Drop', 'Buy Entry']);
});

const CASES = TIER === 'deep' ? 200 : 12;
test(`${CASES} random bots over halts with jumps: passed over, walked or hidden, all the same`, { timeout: 400_000 }, () => {
  const draw = random(20_261_126);
  const exits = new Set<string>();
  for (let number = 0; number < CASES; number += 1) {
    const options = backtestCase(draw, randomSeries);
    const [hole, factor] = [1 + Math.floor(draw() * 5), draw() < 0.5 ? 4 : 0.25];
    const missing = draw() < 0.5;
    const coins = options.coins.map(({ pair, candles }) => ({ pair, candles: withJump(candles, { hole, factor, missing }) }));
    for (const { kind, reason } of sameEachWay({ ...options, coins }).traces) if (kind === 'Exit') exits.add(reason);
  }
  expect(exits).toContain('PriceJump');
});

/** The series with a halt in its middle, after which every price is another. */
function withJump(series: CandleSeries, { hole, factor, missing }: { hole: number; factor: number; missing: boolean }): CandleSeries {
  const middle = Math.floor(series.openTime.length / 2);
  const places = Array.from(series.openTime.keys()).filter((bar) => !missing || bar < middle || bar >= middle + hole);
  const column = (values: Float64Array, scale = 1) => Float64Array.from(places, (bar) => values[bar]! * (bar < middle + hole ? 1 : scale));
  const volume = Float64Array.from(places, (bar) => (bar >= middle && bar < middle + hole ? 0 : series.volume[bar]!));
  const prices = { open: column(series.open, factor), high: column(series.high, factor), low: column(series.low, factor) };
  const money = series.quoteVolume ? { quoteVolume: column(series.quoteVolume) } : {};
  return { ...series, ...prices, close: column(series.close, factor), volume, openTime: column(series.openTime), ...money };
}
