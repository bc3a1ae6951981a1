import { expect, test } from 'vitest';
import { random, randomSeries } from '../../bench/series.ts';
import { botConfig } from '../../testing/auto-trade-fixtures.ts';
import { backtestCase } from '../../testing/backtest-cases.ts';
import { btcusdt } from '../../testing/pairs.ts';
import { TIER } from '../../testing/tiers.ts';
import { type BacktestOptions, type BacktestResult, runBacktest, runSummary } from './backtest.ts';

// A run passes over bars in which nothing can be decided. Walked one by one, and hidden until their turn comes, they must
// give the same rows and figures.

/** The run, which is the same in each way it can be walked. */
function sameEachWay(options: BacktestOptions, name: string): BacktestResult {
  const passing = runBacktest(options);
  for (const other of [{ walkEveryBar: true }, { veiled: true }]) {
    const { traces, report } = runBacktest({ ...options, ...other });
    const differs = traces.findIndex((trace, at) => JSON.stringify(trace) !== JSON.stringify(passing.traces[at]));
    if (differs >= 0) expect(passing.traces[differs], `${name}, trace ${differs}, ${JSON.stringify(other)}`).toEqual(traces[differs]);
    expect(passing.traces.length, name).toBe(traces.length);
    expect(JSON.stringify(passing.report), name).toBe(JSON.stringify(report));
  }
  const { hold: _hold, dca: _dca, equity: _equity, prices: _prices, ...summary } = passing.report;
  expect(runSummary(options), name).toEqual(summary);
  return passing;
}

const CASES = TIER === 'deep' ? 500 : 25;
test(`${CASES} random bots: quiet bars passed over, walked or hidden, all the same`, { timeout: 400_000 }, () => {
  const draw = random(20_261_122);
  const seen = { traces: 0, several: 0, rebuys: 0, parts: 0, stops: 0, exits: new Set<string>(), expiries: new Set<string>() };
  for (let number = 0; number < CASES; number += 1) {
    const options = backtestCase(draw, randomSeries);
    const { traces } = sameEachWay(options, `case ${number}: ${JSON.stringify(options.config)}`);
    seen.traces += traces.length;
    if (new Set(traces.map(({ symbol }) => symbol)).size > 1) seen.several += 1;
    const executed = new Set<string>();
    for (const { kind, reason, clientOrderId, at } of traces) {
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
  expect(seen.traces).toBeGreaterThan(CASES * 5);
  if (TIER === 'fast') return;
  // Everything that can happen in a run did.
  expect(seen.several).toBeGreaterThan(CASES * 0.1);
  expect(seen.rebuys).toBeGreaterThan(CASES * 0.3);
  expect(seen.parts).toBeGreaterThan(CASES * 0.1);
  expect(seen.stops).toBeGreaterThan(CASES * 0.05);
  expect([...seen.exits].sort()).toEqual(['Abandoned', 'Conditions', 'Dust', 'StopLoss', 'TakeProfit', 'TimeStop', 'TrailingCost']);
  expect([...seen.expiries].sort()).toEqual(['BelowFloor', 'DataGap', 'Rebased', 'Timeout']);
});

/** No cooldowns and no protections: the bot trades all the time. */
const busy = { cooldown: { afterWinMin: 0, afterLossMin: 0 }, protections: { lossStreak: { count: 0 }, drawdown: { maxPct: '0' } } };
const { entry } = botConfig();

test('bars of less than a minute: the oldest minute of the window of an entry counts whole', () => {
  const config = botConfig({
    ...busy,
    entry: { ...entry, trigger: { kind: 'drop', dropPct: '0.02', lookbackMin: 1 }, trailing: { enabled: false } },
    takeProfit: { levels: [{ gainPct: '0.3', sellPct: '100' }] },
    trailingCost: { enabled: false },
    stopLoss: { mode: 'percent', pct: '0.3' },
  });
  for (const intervalMs of [1000, 5000]) {
    const candles = randomSeries(1500, 3, intervalMs);
    const { traces } = sameEachWay({ config, coins: [{ pair: btcusdt, candles }], startBalance: '10000' }, `${intervalMs} ms`);
    expect(traces.length).toBeGreaterThan(4);
  }
});

test('a line ends at a gap also while the stop is in doubt', () => {
  const config = botConfig({
    ...busy,
    entry: { ...entry, trigger: { kind: 'immediate' }, trailing: { ...entry.trailing, enabled: false } },
    takeProfit: { levels: [{ gainPct: '9', sellPct: '100' }] },
    stopLoss: { mode: 'percent', pct: '0.1', confirmSec: 600 },
    trailingCost: { enabled: true, armGainPct: '0.1', distancePct: '3', floor: 'none' },
  });
  let gaps = 0;
  for (let seed = 1; seed <= 4; seed += 1) {
    const candles = randomSeries(2000, seed, 60_000);
    // Bars that hold both: they draw the line and put the stop in doubt.
    for (let bar = 0; bar < 2000; bar += 1) {
      candles.openTime[bar]! += Math.floor(bar / 4) * 240_000;
      candles.high[bar] = Math.round(candles.high[bar]! * 100.3) / 100;
      candles.low[bar] = Math.round(candles.low[bar]! * 99.7) / 100;
    }
    const { traces } = sameEachWay({ config, coins: [{ pair: btcusdt, candles }], startBalance: '10000' }, `seed ${seed}`);
    gaps += traces.filter(({ reason }) => reason === 'DataGap').length;
  }
  expect(gaps).toBeGreaterThan(10);
});

test('a coin that another leaves its slot to is entered at the price it has then, not at that of the end of its bar', () => {
  const config = botConfig({
    ...busy,
    maxOpenPositions: 2,
    entry: { ...entry, trigger: { kind: 'drop', dropPct: '0.1', lookbackMin: 3 }, trailing: { ...entry.trailing, enabled: false } },
    takeProfit: { levels: [{ gainPct: '0.3', sellPct: '100' }] },
    trailingCost: { enabled: false },
    stopLoss: { mode: 'percent', pct: '0.3' },
  });
  let entries = 0;
  for (let seed = 1; seed <= 4; seed += 1) {
    const coins = ['AAA', 'BBB', 'CCC', 'DDD'].map((baseAsset, number) => {
      const symbol = `${baseAsset}USDT`;
      return { pair: { ...btcusdt, symbol, baseAsset }, candles: { ...randomSeries(700, seed * 10 + number, 300_000), symbol } };
    });
    const { traces } = sameEachWay({ config, coins, startBalance: '10000' }, `seed ${seed}`);
    entries += traces.filter(({ kind, reason }, at) => kind === 'Entry' && reason === 'Drop' && traces[at - 1]?.kind === 'Exit').length;
  }
  expect(entries).toBeGreaterThan(4);
});

test('progress is told at most a hundred times, forward, and a run that is given up ends', () => {
  const candles = randomSeries(50_000, 3);
  const told: number[] = [];
  const config = botConfig({ protections: busy.protections });
  const options = { config, coins: [{ pair: btcusdt, candles }], startBalance: '10000' };
  const whole = runBacktest({ ...options, onProgress: (done) => told.push(done) }).traces.length;
  expect(told).toEqual([...new Set(told)].sort((a, b) => a - b));
  expect(told.at(-1)).toBe(1);
  expect(told.length).toBeGreaterThan(20);
  expect(told.length).toBeLessThanOrEqual(102);
  const controller = new AbortController();
  const halted = runBacktest({ ...options, signal: controller.signal, onProgress: (done) => done > 0.3 && controller.abort() });
  expect(halted.traces.length).toBeGreaterThan(0);
  expect(halted.traces.length).toBeLessThan(whole / 2);
});

test('an entry that the exchange refuses is counted by its filter', () => {
  const pair = { ...btcusdt, filters: { ...btcusdt.filters, maxNotional: '900' } };
  const config = botConfig({ entry: { ...entry, trigger: { kind: 'immediate' }, trailing: { ...entry.trailing, enabled: false } } });
  const { report } = runBacktest({ config, coins: [{ pair, candles: randomSeries(3000, 5) }], startBalance: '10000' });
  expect(Object.values(report.refusals).some((count) => count > 0)).toBe(true);
});
