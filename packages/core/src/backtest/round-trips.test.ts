import { expect, test } from 'vitest';
import { random, randomSeries } from '../../bench/series.ts';
import { botConfig } from '../../testing/auto-trade-fixtures.ts';
import { btcusdt } from '../../testing/pairs.ts';
import { tripCase } from '../../testing/quick-cases.ts';
import { runs, TIER } from '../../testing/tiers.ts';
import { type BacktestOptions, runBacktest, runSummary } from './backtest.ts';
import { resultOf, walkCandles } from './backtest-run.ts';
import { NotCovered } from './quick-scales.ts';
import { canLeap, walkQuickly } from './quick-walk.ts';
import { makesRoundTrips, walkRoundTrips } from './round-trips.ts';

const unlessUnknown = <Result>(run: () => Result): Result | undefined => {
  try {
    return run();
  } catch (error) {
    if (error instanceof NotCovered) return undefined;
    throw error;
  }
};
/** Undefined where the run meets what is not of round trips. */
const trips = (options: BacktestOptions) => unlessUnknown(() => walkRoundTrips(options, resultOf, { told: true }));

/** Markets for each rule that is looked at alone. */
const SEEDS = TIER === 'deep' ? 12 : 2;

// More of them, or others, by hand.
const CASES = Number(process.env.PILOTFISH_TRIP_CASES ?? runs(500));
// Runs of round trips against the quick run, which is held against the engine elsewhere; every fifth against the engine.
test(`${CASES} random bots of round trips: each trace and each figure is the engine's`, { timeout: 4_000_000 }, () => {
  const draw = random(Number(process.env.PILOTFISH_TRIP_SEED ?? 20_261_123));
  const seen = { runs: 0, asked: 0, traces: 0, exits: new Set<string>(), expiries: new Set<string>() };
  for (let number = 0; number < CASES; number += 1) {
    const options = tripCase(draw, randomSeries);
    if (!canLeap(options)) continue;
    expect(makesRoundTrips(options)).toBe(true);
    seen.asked += 1;
    const quick = unlessUnknown(() => walkQuickly(options, resultOf, { told: true }));
    const made = trips(options);
    if (!made) continue;
    const exact = number % 5 === 0 || !quick ? walkCandles(options, false, resultOf) : quick;
    const differs = exact.traces.findIndex((trace, index) => JSON.stringify(trace) !== JSON.stringify(made.traces[index]));
    if (differs >= 0 || made.traces.length !== exact.traces.length) {
      const at = differs < 0 ? exact.traces.length : differs;
      expect(made.traces[at], `case ${number}, trace ${at} of ${JSON.stringify(options.config)}`).toEqual(exact.traces[at]);
    }
    expect(JSON.stringify(made.report), `case ${number}: ${JSON.stringify(options.config)}`).toBe(JSON.stringify(exact.report));
    const { hold: _hold, dca: _dca, equity: _equity, prices: _prices, ...summary } = exact.report;
    expect(runSummary(options)).toEqual(summary);
    seen.runs += 1;
    seen.traces += made.traces.length;
    for (const { kind, reason } of made.traces) {
      if (kind === 'Exit') seen.exits.add(reason);
      if (kind === 'TrailingCostExpired') seen.expiries.add(reason);
    }
  }
  expect(seen.runs).toBeGreaterThan(CASES * 0.6);
  if (TIER === 'fast') return;
  // Nearly all are known, and everything that can happen in a round trip did.
  expect(seen.asked).toBeGreaterThan(CASES * 0.7);
  expect(seen.runs).toBeGreaterThan(seen.asked * 0.95);
  expect(seen.traces).toBeGreaterThan(CASES * 5);
  expect([...seen.exits].sort()).toEqual(['StopLoss', 'TakeProfit', 'TimeStop', 'TrailingCost']);
  expect([...seen.expiries].sort()).toEqual(['BelowFloor', 'DataGap', 'Timeout']);
});

const { entry, exit } = botConfig();
test.each([
  ['another coin', {}, 2],
  ['an entry that rests', { entry: { ...entry, order: { ...entry.order, type: 'Limit' as const } } }, 1],
  ['an exit that rests', { exit: { ...exit, order: { ...exit.order, type: 'Limit' as const } } }, 1],
  [
    'a ladder of sales',
    {
      takeProfit: {
        levels: [
          { gainPct: '1', sellPct: '50' },
          { gainPct: '2', sellPct: '50' },
        ],
      },
    },
    1,
  ],
  ['a rebuy', { rebuys: { levels: [{ dropPct: '1' }] } }, 1],
  ['a stop that rests', { protectiveStop: { enabled: true } }, 1],
])('%s is no round trip', (_, over, count) => {
  const candles = randomSeries(300);
  const coins = Array.from({ length: count }, () => ({ pair: btcusdt, candles }));
  expect(makesRoundTrips({ config: botConfig(), coins: coins.slice(0, 1), startBalance: '10000' })).toBe(true);
  expect(makesRoundTrips({ config: botConfig(over), coins, startBalance: '10000' })).toBe(false);
});

test.each([
  ['a line that ends in the bar in which it is drawn', 3_600_000, { confirmSec: 0 }, { expiryMin: 14 }],
  ['a stop in doubt that is cleared by a bar that raises the line', 60_000, { confirmSec: 70 }, { expiryMin: 0, stepPct: '0' }],
  ['a line so far below that it lies at 0', 60_000, { confirmSec: 0 }, { expiryMin: 5, distancePct: '99.99999999' }],
])('%s', (_, intervalMs, stop, line) => {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const config = botConfig({
      entry: { ...entry, trigger: { kind: 'immediate' }, trailing: { ...entry.trailing, enabled: false } },
      takeProfit: { levels: [{ gainPct: '9', sellPct: '100' }] },
      stopLoss: { mode: 'percent', pct: '0.3', ...stop },
      trailingCost: { enabled: true, armGainPct: '0.1', distancePct: '3', floor: 'none', ...line },
      cooldown: { afterWinMin: 0, afterLossMin: 0 },
      protections: { lossStreak: { count: 0 }, drawdown: { maxPct: '0' } },
    });
    const candles = randomSeries(2000, seed, intervalMs);
    // Every third bar lies higher than those beside it.
    for (const column of [candles.open, candles.high, candles.low, candles.close])
      for (let bar = 0; bar < column.length; bar += 3) column[bar] = Math.round(column[bar]! * 100.5) / 100;
    const options = { config, coins: [{ pair: btcusdt, candles }], startBalance: '10000' };
    expect(JSON.stringify(trips(options)), `seed ${seed}`).toBe(JSON.stringify(runBacktest({ ...options, exact: true })));
  }
});

/** No cooldowns and no protections: the bot trades all the time. */
const busy = { cooldown: { afterWinMin: 0, afterLossMin: 0 }, protections: { lossStreak: { count: 0 }, drawdown: { maxPct: '0' } } };

test('a line ends at a gap also while the stop is in doubt', () => {
  let gaps = 0;
  for (let seed = 1; seed <= 8; seed += 1) {
    const config = botConfig({
      ...busy,
      entry: { ...entry, trigger: { kind: 'immediate' }, trailing: { ...entry.trailing, enabled: false } },
      takeProfit: { levels: [{ gainPct: '9', sellPct: '100' }] },
      stopLoss: { mode: 'percent', pct: '0.1', confirmSec: 600 },
      trailingCost: { enabled: true, armGainPct: '0.1', distancePct: '3', floor: 'none' },
    });
    const candles = randomSeries(2000, seed, 60_000);
    // Bars that hold both: they draw the line and put the stop in doubt.
    for (let bar = 0; bar < 2000; bar += 1) {
      candles.openTime[bar]! += Math.floor(bar / 4) * 240_000;
      candles.high[bar] = Math.round(candles.high[bar]! * 100.3) / 100;
      candles.low[bar] = Math.round(candles.low[bar]! * 99.7) / 100;
    }
    const options = { config, coins: [{ pair: btcusdt, candles }], startBalance: '10000' };
    const exact = runBacktest({ ...options, exact: true });
    expect(JSON.stringify(trips(options)), `seed ${seed}`).toBe(JSON.stringify(exact));
    gaps += exact.traces.filter(({ reason }) => reason === 'DataGap').length;
  }
  expect(gaps).toBeGreaterThan(10);
});

test('bars of less than a minute: the oldest minute of the window of an entry counts whole', () => {
  const config = botConfig({
    ...busy,
    entry: { ...entry, trigger: { kind: 'drop', dropPct: '0.02', lookbackMin: 1 }, trailing: { enabled: false } },
    takeProfit: { levels: [{ gainPct: '0.3', sellPct: '100' }] },
    trailingCost: { enabled: false },
    stopLoss: { mode: 'percent', pct: '0.3' },
  });
  for (const intervalMs of [1000, 5000]) {
    const options = { config, coins: [{ pair: btcusdt, candles: randomSeries(1500, 3, intervalMs) }], startBalance: '10000' };
    const walked = JSON.stringify(runBacktest({ ...options, exact: true, walkEveryBar: true }));
    expect(JSON.stringify(runBacktest({ ...options, exact: true })), `${intervalMs} ms`).toBe(walked);
    expect(JSON.stringify(trips(options)), `${intervalMs} ms`).toBe(walked);
  }
});

test('a buy that the exchange refuses is nothing a round trip knows, and the run is the engine’s', () => {
  const candles = randomSeries(3000, 5);
  const pair = { ...btcusdt, filters: { ...btcusdt.filters, maxNotional: '900' } };
  const config = botConfig({ entry: { ...entry, trigger: { kind: 'immediate' }, trailing: { ...entry.trailing, enabled: false } } });
  const options = { config, coins: [{ pair, candles }], startBalance: '10000' };
  expect(trips(options)).toBeUndefined();
  const result = runBacktest(options);
  expect(Object.keys(result.report.refusals).length).toBeGreaterThan(0);
  expect(JSON.stringify(result)).toBe(JSON.stringify(runBacktest({ ...options, exact: true })));
});

test('progress is told at most a hundred times, forward, and a run that is given up ends', () => {
  const candles = randomSeries(50_000, 3);
  const told: number[] = [];
  const config = botConfig({ protections: { lossStreak: { count: 0 }, drawdown: { maxPct: '0' } } });
  const options = { config, coins: [{ pair: btcusdt, candles }], startBalance: '10000' };
  runBacktest({ ...options, onProgress: (done) => told.push(done) });
  expect(told).toEqual([...new Set(told)].sort((a, b) => a - b));
  expect(told.at(-1)).toBe(1);
  expect(told.length).toBeGreaterThan(20);
  expect(told.length).toBeLessThanOrEqual(102);
  const whole = runBacktest(options).traces.length;
  const controller = new AbortController();
  const halted = runBacktest({ ...options, signal: controller.signal, onProgress: (done) => done > 0.3 && controller.abort() });
  expect(halted.traces.length).toBeGreaterThan(0);
  expect(halted.traces.length).toBeLessThan(whole / 2);
});
