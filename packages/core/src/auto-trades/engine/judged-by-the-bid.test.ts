import { expect, test } from 'vitest';
import { botConfig } from '../../../testing/auto-trade-fixtures.ts';
import { botStage, START } from '../../../testing/bot-stage.ts';
import { btcusdt } from '../../../testing/pairs.ts';
import { NORMAL } from '../../../testing/test-exchange.ts';
import { runBacktest } from '../../backtest/backtest.ts';
import type { AutoTradeConfigInput } from '../config/auto-trade-config.ts';

// What is called a profit is judged by what a sale pays. A coarse tick: one of them is three percent of the price.

const coarse = { ...btcusdt, filters: { ...btcusdt.filters, stepSize: '0.1', minQty: '0.1', maxQty: '900000', marketMaxQty: '900000' } };
const entry = { ...botConfig().entry, trigger: { kind: 'immediate' as const }, trailing: { enabled: false }, maxSpreadPct: '10' };
const bot = (over: Partial<AutoTradeConfigInput>) =>
  botConfig({
    entry,
    stopLoss: { mode: 'none' },
    trailingCost: { enabled: false },
    takeProfit: { levels: [{ gainPct: '90', sellPct: '100' }] },
    cooldown: { afterWinMin: 600, afterLossMin: 600 },
    ...over,
  });
const anything = { match: 'all' as const, rules: [{ key: 'price', operation: 'gt' as const, value: 0 }] };
const HOUR = 3_600_000;

test.each<[string, Partial<AutoTradeConfigInput>]>([
  ['TakeProfit', { takeProfit: { levels: [{ gainPct: '3', sellPct: '100' }] } }],
  [
    'TakeProfit',
    {
      takeProfit: {
        levels: [
          { gainPct: '3', sellPct: '40' },
          { gainPct: '90', sellPct: '60' },
        ],
      },
    },
  ],
  ['TargetPrice', {}],
  ['TimeStop', { timeStop: { hours: 1, onlyIfGainPctAbove: '2' } }],
  ['Conditions', { exit: { conditions: anything, minGainPct: '2' } }],
])('%s: the last trade is there and nobody pays it: it waits; once it is bid for it sells, whatever was traded last', (reason, over) => {
  const stage = botStage(bot(over), { pairs: [coarse], fateOf: () => ({ ...NORMAL, feeAsset: 'none' as const }) });
  // The best prices of the stage lie a hundredth around the last trade.
  stage.walk([0.3, 0.31]);
  expect(stage.traces.at(-1)).toMatchObject({ kind: 'Buy', price: '0.31' });
  if (reason === 'TargetPrice') stage.tell({ type: 'target', positionId: stage.context().positionId, price: '0.32', at: START + 40_000 });
  if (reason === 'Conditions')
    stage.tell({
      type: 'conditions',
      symbol: 'BTCUSDT',
      input: { at: START + 40_000, entry: false, exit: true, observed: {}, validUntil: START + 9 * HOUR },
    });
  const at = START + 2 * HOUR;
  stage.tell({ type: 'tick', symbol: 'BTCUSDT', at, price: 0.32, bid: 0.31, ask: 0.32 });
  expect(stage.placed).toHaveLength(1);
  stage.tell({ type: 'tick', symbol: 'BTCUSDT', at: at + 1000, price: 0.31, bid: 0.32, ask: 0.33 });
  expect(stage.placed).toHaveLength(2);
  expect(stage.placed[1]).toMatchObject({ side: 'Sell', offered: '0.32' });
  // Between the decision and the fill the market falls: the story says so.
  stage.tick(0.31, at + 2000);
  expect(stage.traces.find(({ kind }) => kind === 'Sell')).toMatchObject({ reason, price: '0.31', after: { offered: '0.32' } });
});

test('in candles half the spread is taken off, down to the tick: a close at the level sells nothing', () => {
  const size = 60;
  const prices = Float64Array.from({ length: size }, (_, bar) => (bar < 3 ? 0.3 : bar < 40 ? 0.32 : 0.33));
  const openTime = Float64Array.from({ length: size }, (_, bar) => START + bar * 60_000);
  const volume = new Float64Array(size).fill(1e9);
  const candles = { symbol: 'BTCUSDT', intervalMs: 60_000, openTime, open: prices, high: prices, low: prices, close: prices, volume };
  const config = bot({ takeProfit: { levels: [{ gainPct: '3', sellPct: '100' }] } });
  const { report, traces } = runBacktest({ config, coins: [{ pair: coarse, candles }], startBalance: '10000' });
  const exit = traces.find(({ kind }) => kind === 'Exit');
  // Only at 0.33 is 0.32 bid for.
  expect(exit).toMatchObject({ reason: 'TakeProfit' });
  expect((Date.parse(exit!.at) - START) / 60_000).toBeGreaterThan(40);
  expect(Number(report.netPnl)).toBeGreaterThan(0);
});
