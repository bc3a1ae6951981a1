import { expect, test } from 'vitest';
import { random, randomSeries } from '../../bench/series.ts';
import { botConfig } from '../../testing/auto-trade-fixtures.ts';
import { btcusdt } from '../../testing/pairs.ts';
import { quickCase } from '../../testing/quick-cases.ts';
import { TIER } from '../../testing/tiers.ts';
import { type BacktestOptions, type BacktestResult, runBacktest, runSummary } from './backtest.ts';
import { resultOf, walkCandles } from './backtest-run.ts';
import { coversConfig } from './quick-coverage.ts';
import { NotCovered } from './quick-scales.ts';
import { canLeap, walkQuickly } from './quick-walk.ts';

// The quick run against the engine itself: thousands of random bots over random markets. Every trace, every figure and
// every point of the curve is the same to the last digit; what the quick run does not know it must say.

const leaping = (options: BacktestOptions): BacktestResult =>
  canLeap(options) ? walkQuickly(options, resultOf, { told: true }) : walkCandles(options, true, resultOf);

/** The quick result; undefined where the quick run passes the case on to the engine. */
function quickly(options: BacktestOptions, walk = leaping) {
  try {
    return walk(options);
  } catch (error) {
    if (error instanceof NotCovered) return undefined;
    throw error;
  }
}

const CASES = TIER === 'deep' ? 500 : 15;
test(`${CASES} random bots: the quick run is the engine's, digit for digit`, { timeout: 400_000 }, () => {
  const draw = random(20_261_122);
  const seen = { quick: 0, traces: 0, several: 0, rebuys: 0, parts: 0, stops: 0, exits: new Set<string>(), expiries: new Set<string>() };
  for (let number = 0; number < CASES; number += 1) {
    const options = quickCase(draw, randomSeries);
    expect(coversConfig(options.config)).toBe(true);
    const quick = quickly(options);
    if (!quick) continue;
    const exact = walkCandles(options, false, resultOf);
    const differs = exact.traces.findIndex((trace, index) => JSON.stringify(trace) !== JSON.stringify(quick.traces[index]));
    if (differs >= 0 || quick.traces.length !== exact.traces.length) {
      const at = differs < 0 ? exact.traces.length : differs;
      expect(quick.traces[at], `case ${number}, trace ${at} of ${JSON.stringify(options.config)}`).toEqual(exact.traces[at]);
    }
    const report = JSON.stringify(exact.report);
    expect(JSON.stringify(quick.report), `case ${number}: ${JSON.stringify(options.config)}`).toBe(report);
    // For its figures alone, and bar by bar, as a veiled market is walked: the same.
    const { hold: _hold, dca: _dca, equity: _equity, prices: _prices, ...summary } = exact.report;
    expect(runSummary(options)).toEqual(summary);
    const walked = quickly(options, (each) => walkCandles(each, true, resultOf));
    expect(JSON.stringify(walked)).toBe(JSON.stringify(exact));
    seen.quick += 1;
    seen.traces += quick.traces.length;
    if (options.coins.length > 1 && new Set(quick.traces.map(({ symbol }) => symbol)).size > 1) seen.several += 1;
    const executed = new Set<string>();
    for (const { kind, reason, clientOrderId, at } of quick.traces) {
      if (kind === 'Exit') seen.exits.add(reason);
      if (kind === 'TrailingCostExpired') seen.expiries.add(reason);
      if (reason === 'Rebuy') seen.rebuys += 1;
      if (kind !== 'Buy' && kind !== 'Sell') continue;
      if (executed.has(clientOrderId!)) seen.parts += 1;
      executed.add(clientOrderId!);
      // The bot's own stop sells at the open of a bar, one that rests at the exchange within it.
      const { openTime, intervalMs } = options.coins[0]!.candles;
      if (reason === 'StopLoss' && (Date.parse(at) - openTime[0]!) % intervalMs !== 0) seen.stops += 1;
    }
  }
  expect(seen.quick).toBeGreaterThan(CASES * 0.7);
  if (TIER === 'fast') return;
  // Most cases are covered, and everything that can happen in one did.
  expect(seen.quick).toBeGreaterThan(CASES * 0.8);
  expect(seen.traces).toBeGreaterThan(CASES * 5);
  expect(seen.several).toBeGreaterThan(CASES * 0.1);
  expect(seen.rebuys).toBeGreaterThan(CASES * 0.3);
  expect(seen.parts).toBeGreaterThan(CASES * 0.1);
  expect(seen.stops).toBeGreaterThan(CASES * 0.05);
  expect([...seen.exits].sort()).toEqual(['Abandoned', 'Conditions', 'Dust', 'StopLoss', 'TakeProfit', 'TimeStop', 'TrailingCost']);
  expect([...seen.expiries].sort()).toEqual(['BelowFloor', 'DataGap', 'Rebased', 'Timeout']);
});

const base = botConfig();
test.each([['entries by hand', { entry: { ...base.entry, trigger: { kind: 'manual' as const } } }]])(
  '%s: left to the engine',
  (_, over) => {
    expect(coversConfig(base)).toBe(true);
    expect(coversConfig(botConfig(over))).toBe(false);
  },
);

test('a setting that nobody has thought of is left to the engine', () => {
  for (const path of [
    [],
    ['entry'],
    ['entry', 'trailing'],
    ['entry', 'order'],
    ['entry', 'trigger'],
    ['trailingCost'],
    ['stopLoss'],
    ['dust'],
  ]) {
    const config = structuredClone(base) as unknown as Record<string, unknown>;
    let at = config;
    for (const key of path) at = at[key] as Record<string, unknown>;
    at.newRule = 'x';
    expect(coversConfig(config as never), path.join('.')).toBe(false);
  }
});

test('bars whose extremes were taken in the other order are remembered so by the window of the entry', () => {
  const { order } = base.entry;
  let ambiguousBars = 0;
  const SEEDS = TIER === 'deep' ? 15 : 2;
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const config = botConfig({
      entry: {
        size: { mode: 'fixed', value: '100' },
        trigger: { kind: 'drop', dropPct: '0.1', lookbackMin: 61 + seed },
        trailing: { enabled: false },
        order,
      },
      takeProfit: { levels: [{ gainPct: '0.15', sellPct: '100' }] },
      trailingCost: { enabled: false },
      stopLoss: { mode: 'percent', pct: '0.15' },
      // The next entry is 40 minutes into the bar after that of the sale, when the first third of it is forgotten.
      cooldown: { afterWinMin: 35, afterLossMin: 35 },
      protections: { lossStreak: { count: 0 }, drawdown: { maxPct: '0' } },
    });
    const candles = randomSeries(700, seed, 3_600_000);
    // Wide bars: many hold both the stop and the target.
    for (let bar = 0; bar < 700; bar += 1) {
      candles.high[bar] = Math.round(candles.high[bar]! * 100 * (1 + (bar % 5) / 1000)) / 100;
      candles.low[bar] = Math.round(candles.low[bar]! * 100 * (1 - (bar % 7) / 1000)) / 100;
    }
    const options = { config, coins: [{ pair: btcusdt, candles }], startBalance: '10000' };
    const exact = runBacktest({ ...options, exact: true });
    expect(JSON.stringify(quickly(options)), `seed ${seed}`).toBe(JSON.stringify(exact));
    // The same as a run of round trips.
    expect(JSON.stringify(runBacktest(options)), `seed ${seed}`).toBe(JSON.stringify(exact));
    ambiguousBars += exact.report.ambiguousBars;
  }
  expect(ambiguousBars).toBeGreaterThan(13 * SEEDS);
});

test('a coin that is sold at the same open as another competes for its slot at the high of the bar before', () => {
  for (let seed = 1; seed <= (TIER === 'deep' ? 6 : 2); seed += 1) {
    const config = botConfig({
      maxOpenPositions: 2,
      entry: {
        ...base.entry,
        trigger: { kind: 'drop', dropPct: '0.1', lookbackMin: 130 },
        trailing: { ...base.entry.trailing, enabled: false },
      },
      takeProfit: { levels: [{ gainPct: '0.3', sellPct: '100' }] },
      trailingCost: { enabled: false },
      stopLoss: { mode: 'percent', pct: '0.3' },
      cooldown: { afterWinMin: 0, afterLossMin: 0 },
      protections: { lossStreak: { count: 0 }, drawdown: { maxPct: '0' } },
    });
    const coins = ['AAA', 'BBB', 'CCC', 'DDD'].map((baseAsset, number) => {
      const symbol = `${baseAsset}USDT`;
      return { pair: { ...btcusdt, symbol, baseAsset }, candles: { ...randomSeries(900, seed * 10 + number), symbol } };
    });
    const options = { config, coins, startBalance: '10000' };
    expect(JSON.stringify(quickly(options)), `seed ${seed}`).toBe(JSON.stringify(runBacktest({ ...options, exact: true })));
  }
});

test('a most that is larger than what can be counted is no most of an order that rests', () => {
  // Nine hundred million units in lots of eight places.
  const filters = { ...btcusdt.filters, stepSize: '0.00000001', minQty: '0.00000001', maxQty: '900000000', marketMaxQty: '0' };
  const coins = [{ pair: { ...btcusdt, quantityPrecision: 8, filters }, candles: randomSeries(2000, 5) }];
  const order = { ...base.entry.order, type: 'Limit' as const };
  const config = botConfig({
    entry: { ...base.entry, trigger: { kind: 'immediate' }, trailing: { enabled: false }, order },
    takeProfit: { levels: [{ gainPct: '0.3', sellPct: '100' }] },
    stopLoss: { mode: 'percent', pct: '0.3' },
  });
  const options = { config, coins, startBalance: '10000' };
  const exact = runBacktest({ ...options, exact: true });
  expect(exact.report.trades).toBeGreaterThan(3);
  expect(JSON.stringify(quickly(options))).toBe(JSON.stringify(exact));
});

test('a run that is passed on to the engine half-way shows progress that does not go back', () => {
  const candles = randomSeries(3000, 5);
  // A buy too large for one order at the market, once the price has fallen for a while.
  const now = { trigger: { kind: 'drop' as const, dropPct: '1', lookbackMin: 600 }, trailing: { ...base.entry.trailing, enabled: false } };
  const entry = { ...base.entry, ...now, order: { ...base.entry.order, offsetPct: '0' } };
  const pair = { ...btcusdt, filters: { ...btcusdt.filters, maxNotional: '900' } };
  const shown: number[] = [];
  const options = { config: { ...base, entry }, coins: [{ pair, candles }], startBalance: '10000' };
  expect(quickly(options)).toBeUndefined();
  const result = runBacktest({ ...options, onProgress: (done) => shown.push(done) });
  expect(JSON.stringify(result)).toBe(JSON.stringify(runBacktest({ ...options, exact: true })));
  expect(shown).toEqual([...new Set(shown)].sort((a, b) => a - b));
  expect(shown.at(-1)).toBe(1);
  expect(shown.length).toBeLessThanOrEqual(102);
});

test('amounts that doubles cannot count are left to the engine, and the result is the same', () => {
  const candles = quickCase(random(7), randomSeries).coins[0]!.candles;
  const config = botConfig({ entry: { ...base.entry, size: { mode: 'percentOfWallet', value: '50' }, maxSpreadPct: '5' } });
  const options = { config, coins: [{ pair: btcusdt, candles }], startBalance: '99999999999.12345678' };
  expect(quickly(options)).toBeUndefined();
  expect(JSON.stringify(runBacktest(options))).toBe(JSON.stringify(runBacktest({ ...options, exact: true })));
});
