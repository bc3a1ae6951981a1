import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ownCandleFile } from '../../testing/own-market.ts';
import { btcusdt } from '../../testing/pairs.ts';
import { grammarViolation } from '../../testing/trace-grammar.ts';
import { autoTradeConfigSchema } from '../auto-trades/config/auto-trade-config.ts';
import type { Trace } from '../auto-trades/trace.ts';
import { parseCandles } from '../prices/candle-series.ts';
import { runBacktest } from './backtest.ts';

const recorded = resolve(import.meta.dirname, '../../../../../shared/data/klines/BTCUSDT-1m-20250520-20250818.csv.gz');
const hasRecorded = existsSync(recorded);
if (!hasRecorded) console.warn(`No recorded candles at ${recorded}: whole cycles are checked over a market of our own only.`);

/** Every row that moves the protected cost moves it up from where it was. Answers how often it was raised. */
function raisesOf(rows: readonly Trace[]): number {
  let line: Trace['after'][string] = null;
  let raised = 0;
  for (const { kind, reason, before, after } of rows) {
    if (kind === 'TrailingCostExpired') line = null;
    if (kind !== 'CostMovedUp') continue;
    expect([reason, before.line]).toEqual([line === null ? 'Armed' : 'Raised', line]);
    expect(Number(after.line)).toBeGreaterThan(Number(line));
    if (line !== null) raised += 1;
    line = after.line!;
  }
  return raised;
}

/** @param text a file of minutes */
function expectWholeCycles(text: string): void {
  const candles = parseCandles(text, 'BTCUSDT');
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
  const positions = new Map<string, Trace[]>();
  for (const trace of traces) positions.set(trace.positionId, [...(positions.get(trace.positionId) ?? []), trace]);
  for (const rows of [...positions.values()].slice(0, -1)) expect(grammarViolation(rows, true)).toBeUndefined();
  expect(report.trades).toBeGreaterThan(5);
  const raises = [...positions.values()].map(raisesOf);
  expect(Math.max(...raises)).toBeGreaterThan(5);
}

test('candles of our own: whole cycles, in grammar, with a protected cost that never falls', () => {
  expectWholeCycles(ownCandleFile({ seed: 5, bars: 20_000, intervalMs: 60_000, openCents: 3_000_000 }));
});

test.runIf(hasRecorded)('recorded 1m candles: whole cycles, in grammar, with a protected cost that never falls', () => {
  expectWholeCycles(gunzipSync(readFileSync(recorded)).toString());
});
