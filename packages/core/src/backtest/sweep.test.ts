import { describe, expect, test } from 'vitest';
import { randomSeries } from '../../bench/series.ts';
import { botConfig } from '../../testing/auto-trade-fixtures.ts';
import { btcusdt } from '../../testing/pairs.ts';
import { runBacktest } from './backtest.ts';
import { DEFAULT_FILL_MODEL } from './fill-model.ts';
import { expectedBest, judgeOverfitting, rankCorrelation } from './overfitting.ts';
import { ranked, runSweepSet, type SweepRow, splitHeldOut } from './sweep.ts';
import { gridSize, parseAxis, SweepError, sweepSets, withSettings } from './sweep-axes.ts';

const axes = [parseAxis('takeProfit.levels.0.gainPct=1:2:0.5'), parseAxis('entry.trigger.lookbackMin=30,60')];

describe('axes', () => {
  test('are counted in decimals, both ends included', () => {
    expect(parseAxis('stopLoss.pct=0.1:0.5:0.1').values).toEqual(['0.1', '0.2', '0.3', '0.4', '0.5']);
    expect(axes[1]).toEqual({ path: 'entry.trigger.lookbackMin', values: ['30', '60'] });
  });
  test.each(['stopLoss.pct', 'stopLoss.pct=', 'stopLoss.pct=5:1:1', 'stopLoss.pct=1:5:0', 'stopLoss.pct=1:5', 'stopLoss.pct=a,b', '=1,2'])(
    'that say nothing are refused: %s',
    (text) => expect(() => parseAxis(text)).toThrow(SweepError),
  );
  test('make a grid, the last axis the fastest', () => {
    expect(gridSize(axes)).toBe(6);
    expect(sweepSets(axes).map(({ values }) => values.join())).toEqual(['1,30', '1,60', '1.5,30', '1.5,60', '2,30', '2,60']);
  });
  test('or different sets by chance, the same for the same seed', () => {
    const wide = [parseAxis('stopLoss.pct=0.01:9:0.01'), parseAxis('trailingCost.distancePct=0.01:5:0.01')];
    const drawn = sweepSets(wide, { count: 50, seed: 7 });
    expect(new Set(drawn.map(({ index }) => index)).size).toBe(50);
    expect(sweepSets(wide, { count: 50, seed: 7 })).toEqual(drawn);
    expect(sweepSets(wide, { count: 50, seed: 8 })).not.toEqual(drawn);
  });
  test('set numbers as numbers and amounts as text, and name what is wrong', () => {
    const config = withSettings(botConfig(), axes, ['1.5', '30']);
    expect(config.takeProfit.levels[0]?.gainPct).toBe('1.5');
    expect(config.entry.trigger).toMatchObject({ lookbackMin: 30 });
    const wrong = (text: string) => () => withSettings(botConfig(), [parseAxis(text)], [parseAxis(text).values[0]!]);
    expect(wrong('stopLoss.depth=1')).toThrow('the bot has no setting stopLoss.depth');
    expect(wrong('entry.order.type=1')).toThrow('entry.order.type is not a number');
    expect(wrong('entry.trigger.lookbackMin=0')).toThrow('entry.trigger.lookbackMin');
  });
});

test('a set is run over both parts, which share no bar', () => {
  const candles = randomSeries(8000, 3);
  const coins = [{ pair: btcusdt, candles }];
  const split = splitHeldOut(coins, 0.3);
  const [before, after] = [split.chosenOn[0]!.candles, split.heldOut[0]!.candles];
  expect([before.openTime.length, after.openTime.length]).toEqual([5600, 2400]);
  expect(after.openTime[0]! - before.openTime.at(-1)!).toBe(60_000);
  const task = { config: botConfig(), axes, split, startBalance: '10000', model: DEFAULT_FILL_MODEL };
  const told: number[] = [];
  const row = runSweepSet(task, sweepSets(axes)[3]!, (done) => told.push(done));
  expect(told).toEqual([...told].sort((a, b) => a - b));
  expect(told).toContain(0.7);
  expect(told.at(-1)).toBe(1);
  const alone = runBacktest({ config: withSettings(botConfig(), axes, ['1.5', '60']), coins: split.heldOut, startBalance: '10000' });
  expect(row.heldOut).toMatchObject({ netPnl: alone.report.netPnl, trades: alone.report.trades });
  expect(runSweepSet({ ...task, axes: [parseAxis('stopLoss.pct=0')] }, { index: 0, values: ['0'] })).toMatchObject({
    inSample: null,
    refused: expect.stringContaining('stopLoss.pct') as string,
  });
});

describe('overfitting', () => {
  const row = (index: number, inSample: number, heldOut: number, sharpe: number | null = null): SweepRow => {
    const part = (value: number) => ({
      netPnl: String(value),
      returnPct: String(value),
      maxDrawdownPct: 1,
      sharpe,
      profitFactor: null,
      winRatePct: null,
      trades: 20,
    });
    return { index, values: [], inSample: part(inSample), heldOut: part(heldOut), refused: null };
  };
  test('sets that keep their order are believed', () => {
    const rows = [9, 7, 5, 3, 1, -1].map((value, index) => row(index, value, value / 2));
    expect(judgeOverfitting(rows, 'returnPct')).toMatchObject({ verdict: 'fine', rankCorrelation: 1, bestStandsAt: 1 });
    expect(ranked(rows, 'returnPct')[0]?.index).toBe(0);
  });
  test('a best set that falls back and loses is not', () => {
    const rows = [9, 7, 5, 3, 1, -1].map((value, index) => row(index, value, -value));
    expect(judgeOverfitting(rows, 'returnPct')).toMatchObject({
      verdict: 'suspicious',
      reasons: ['ranksDiffer', 'bestFallsBack', 'losesHeldOut'],
      rankCorrelation: -1,
    });
  });
  test('a ratio that luck among so many would show proves nothing', () => {
    const rows = Array.from({ length: 40 }, (_, index) => row(index, 40 - index, 40 - index, (20 - index) / 10));
    expect(judgeOverfitting(rows, 'returnPct').reasons).toEqual(['luckExplains']);
    // The largest of ten standard normal draws is 1.539 on average, of a hundred 2.508.
    expect(expectedBest(10, 1)).toBeCloseTo(1.54, 1);
    expect(expectedBest(100, 1)).toBeCloseTo(2.51, 1);
  });
  test('few sets say nothing, equal ones have no ranks', () => {
    expect(judgeOverfitting([row(0, 1, 1)], 'returnPct').verdict).toBe('tooFewSets');
    expect(rankCorrelation([1, 1, 1], [1, 2, 3])).toBeNull();
    expect(rankCorrelation([1, 2, 2, 3], [1, 2, 2, 3])).toBe(1);
  });
});
