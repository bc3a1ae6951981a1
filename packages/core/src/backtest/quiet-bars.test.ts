import { expect, test } from 'vitest';
import { randomSeries } from '../../bench/series.ts';
import { botConfig } from '../../testing/auto-trade-fixtures.ts';
import { btcusdt } from '../../testing/pairs.ts';
import { runBacktest } from './backtest.ts';

const entry = botConfig().entry;
const configs = {
  'drop, trailing, protected cost with expiry': botConfig({
    trailingCost: { enabled: true, armGainPct: '1', distancePct: '0.4', stepPct: '0.05', expiryMin: 45 },
  }),
  'immediate, limit orders, two levels': botConfig({
    entry: { ...entry, trigger: { kind: 'immediate' }, trailing: { enabled: false }, order: { type: 'Limit', offsetPct: '0.1' } },
    takeProfit: {
      levels: [
        { gainPct: '0.8', sellPct: '50' },
        { gainPct: '2', sellPct: '50' },
      ],
    },
    exit: { order: { type: 'Limit', onTimeout: 'reprice' } },
    trailingCost: { enabled: false },
  }),
  'confirmed stop, long cooldown': botConfig({
    stopLoss: { mode: 'percent', pct: '1', confirmSec: 120 },
    cooldown: { afterLossMin: 300, afterWinMin: 30 },
  }),
};

test.each(Object.entries(configs))('passing over quiet bars changes nothing: %s', (_, config) => {
  let traces = 0;
  for (let seed = 1; seed <= 6; seed += 1) {
    const candles = randomSeries(6000, seed, seed % 2 ? 60_000 : 900_000);
    const options = { config, coins: [{ pair: btcusdt, candles }], startBalance: '10000' };
    const quick = runBacktest(options);
    const slow = runBacktest({ ...options, walkEveryBar: true });
    traces += quick.traces.length;
    expect(quick.traces).toEqual(slow.traces);
    expect(quick.report).toEqual(slow.report);
  }
  expect(traces).toBeGreaterThan(40);
});
