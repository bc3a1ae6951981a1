import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { btcusdt } from '../../testing/pairs.ts';
import { autoTradeConfigSchema } from '../auto-trades/auto-trade-config.ts';
import { grammarViolation } from '../auto-trades/trace.ts';
import { parseCandles } from '../prices/candle-series.ts';
import { runBacktest } from './backtest.ts';

const recorded = resolve(import.meta.dirname, '../../../../../shared/data/klines/BTCUSDT-1m-20250520-20250818.csv.gz');

test.runIf(existsSync(recorded))('recorded 1m candles: whole cycles, in grammar, with a rising protected cost', () => {
  const candles = parseCandles(gunzipSync(readFileSync(recorded)).toString(), 'BTCUSDT');
  const config = autoTradeConfigSchema.parse({
    name: 'Dip',
    walletId: '00000000-0000-7000-8000-000000000009',
    coins: { symbols: ['BTCUSDT'] },
    entry: {
      size: { mode: 'fixed', value: '500' },
      trigger: { kind: 'drop', dropPct: '1', lookbackMin: 240 },
      trailing: { reboundPct: '0.2' },
    },
    takeProfit: { levels: [{ gainPct: '3', sellPct: '100' }] },
    trailingCost: { enabled: true, armGainPct: '0.8', distancePct: '0.3', stepPct: '0.05' },
    stopLoss: { mode: 'percent', pct: '2' },
  });
  const { report, traces } = runBacktest({ config, coins: [{ pair: btcusdt, candles }], startBalance: '1000' });
  const positions = new Map<string, (typeof traces)[number][]>();
  for (const trace of traces) positions.set(trace.positionId, [...(positions.get(trace.positionId) ?? []), trace]);
  for (const rows of [...positions.values()].slice(0, -1)) expect(grammarViolation(rows, true)).toBeUndefined();
  expect(report.trades).toBeGreaterThan(5);
});
