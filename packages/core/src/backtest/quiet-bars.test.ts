import { expect, test } from 'vitest';
import { random, randomSeries } from '../../bench/series.ts';
import { botConfig } from '../../testing/auto-trade-fixtures.ts';
import { backtestCase } from '../../testing/backtest-cases.ts';
import { botStage, START } from '../../testing/bot-stage.ts';
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
  expect([...seen.expiries].sort()).toEqual(['BelowFloor', 'Rebased', 'Timeout']);
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

test('a pair that trades every few minutes: the line never falls, and a live bot that hears the same prices draws the same', () => {
  const config = botConfig({
    ...busy,
    entry: { ...entry, trigger: { kind: 'immediate' }, trailing: { ...entry.trailing, enabled: false }, order: { type: 'Market' } },
    takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] },
    stopLoss: { mode: 'none' },
    trailingCost: { enabled: true, armGainPct: '3', distancePct: '1', floor: 'breakEven', stepPct: '0' },
  });
  // Up by a tenth in 40 minutes and down by a fifth in 60, told by one price every second or every fifth minute.
  for (const everyMin of [2, 5]) {
    const minutes = Array.from({ length: 100 / everyMin + 1 }, (_, index) => index * everyMin);
    const price = (minute: number) => Math.round(100 * (minute < 40 ? 100 + minute / 4 : 110 - (minute - 40) / 3)) / 100;
    const column = (of: (minute: number) => number) => Float64Array.from(minutes, of);
    const openTime = column((minute) => START + minute * 60_000);
    const prices = column(price);
    const candles = { symbol: 'BTCUSDT', intervalMs: 60_000, openTime, open: prices, high: prices, low: prices, close: prices };
    const { traces } = sameEachWay(
      { config, coins: [{ pair: btcusdt, candles: { ...candles, volume: column(() => 1e6) } }], startBalance: '10000' },
      `every ${everyMin} minutes`,
    );
    const live = botStage(config);
    let at = START;
    for (const [index, start] of openTime.entries()) {
      for (; at < start; at += 10_000) live.tell({ type: 'connected', at });
      live.walk([prices[index]!, prices[index]!, prices[index]!, prices[index]!], { from: start, stepMs: 19_000 });
    }
    const linesOf = (told: typeof traces) => told.flatMap(({ kind, after }) => (kind === 'CostMovedUp' ? [Number(after.line)] : []));
    const lines = linesOf(traces);
    expect(lines.length).toBeGreaterThan(3);
    expect(lines).toEqual([...lines].sort((a, b) => a - b));
    // It bought a bar earlier, so its first line may be an earlier one.
    expect(linesOf(live.traces).filter((line) => line >= lines[0]!)).toEqual(lines);
    for (const told of [traces, live.traces]) {
      expect(told.some(({ kind }) => kind === 'TrailingCostExpired')).toBe(false);
      const sale = told.find(({ kind }) => kind === 'Sell');
      expect(sale).toMatchObject({ reason: 'TrailingCost' });
      expect(Number(sale?.after.realised)).toBeGreaterThan(0);
    }
  }
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
