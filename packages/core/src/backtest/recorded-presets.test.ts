import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ownCandleFile } from '../../testing/own-market.ts';
import { btcusdt } from '../../testing/pairs.ts';
import { deepTest } from '../../testing/tiers.ts';
import { grammarViolation } from '../../testing/trace-grammar.ts';
import { autoTradeConfigSchema } from '../auto-trades/config/auto-trade-config.ts';
import { PRESET_SETTINGS, PRESETS, type Preset } from '../auto-trades/config/presets.ts';
import { parseCandles } from '../prices/candle-series.ts';
import type { Pair } from '../prices/prices-contract.ts';
import { runBacktest } from './backtest.ts';
import { tradesOf } from './backtest-report.ts';

// The presets over a market of our own and over the recorded one, with their figures written down: a change of the
// engine, of the fill model or of the report shows here first. When one is meant, look at what changed and why, then
// write down the new figures.

const folder = resolve(import.meta.dirname, '../../../../../shared/data/klines');
const present = existsSync(resolve(folder, 'BTCUSDT-1m-20250520-20250818.csv.gz'));
if (!present) console.warn(`No recorded candles in ${folder}: the figures of the presets are checked over a market of our own only.`);

const candles = (file: string, symbol: string) => parseCandles(gunzipSync(readFileSync(resolve(folder, file))).toString(), symbol);
const ethusdt: Pair = {
  ...btcusdt,
  symbol: 'ETHUSDT',
  baseAsset: 'ETH',
  quantityPrecision: 4,
  filters: { ...btcusdt.filters, stepSize: '0.0001', minQty: '0.0001' },
};
const own = { bars: 20_000, intervalMs: 60_000 };
// The second lacks an hour in which every preset would have sold.
const ownCoins = [
  { pair: btcusdt, candles: parseCandles(ownCandleFile({ ...own, seed: 5, openCents: 3_000_000 }), 'BTCUSDT') },
  {
    pair: ethusdt,
    candles: parseCandles(ownCandleFile({ ...own, seed: 6, openCents: 200_000, hole: { from: 14_500, bars: 60 } }), 'ETHUSDT'),
  },
];
const configOf = (preset: Preset) =>
  autoTradeConfigSchema.parse({
    name: preset,
    walletId: '00000000-0000-7000-8000-000000000000',
    coins: { symbols: ['BTCUSDT'] },
    ...PRESET_SETTINGS[preset],
    entry: { ...PRESET_SETTINGS[preset].entry, size: { mode: 'percentOfWallet', value: '20' } },
  });

const ownMinutes: Record<Preset, unknown> = {
  cautious: {
    netPnl: '-12.765958164',
    fees: '10.9649030975',
    slippage: '5.393696',
    trades: 27,
    exits: { TakeProfit: 19, StopLoss: 8 },
    winRatePct: '70.37',
    profitFactor: '0.8058',
    sharpe: -2.184,
    maxDrawdownPct: 5.3853,
    exposurePct: 44.415,
    passive: ['10.2101', '5.209', 14],
    traces: 110,
  },
  trend: {
    netPnl: '-48.348853243',
    fees: '40.4392484324',
    slippage: '20.0583752',
    trades: 104,
    exits: { TrailingCost: 61, StopLoss: 43 },
    winRatePct: '58.65',
    profitFactor: '0.8187',
    sharpe: -6.0812,
    maxDrawdownPct: 8.1261,
    exposurePct: 95.74,
    passive: ['10.2101', '5.209', 14],
    traces: 894,
  },
  dipBuyer: {
    netPnl: '87.836339977',
    fees: '10.0216296984',
    slippage: '5.0693945',
    trades: 24,
    exits: { TakeProfit: 22, StopLoss: 2 },
    winRatePct: '91.67',
    profitFactor: '9.9822',
    sharpe: 13.2742,
    maxDrawdownPct: 1.4996,
    exposurePct: 60.37,
    passive: ['10.2101', '5.209', 14],
    traces: 122,
  },
};
const minutes: Record<Preset, unknown> = {
  cautious: {
    netPnl: '-20.325009554',
    fees: '8.993742544',
    slippage: '4.305815',
    trades: 22,
    exits: { TakeProfit: 15, StopLoss: 7 },
    winRatePct: '68.18',
    profitFactor: '0.6885',
    sharpe: -1.9167,
    maxDrawdownPct: 4.0486,
    exposurePct: 13.7995,
    passive: ['40.9333', '26.7936', 91],
    traces: 92,
  },
  trend: {
    netPnl: '38.993997342',
    fees: '64.1316857021',
    slippage: '31.9486887',
    trades: 161,
    exits: { TrailingCost: 105, StopLoss: 56 },
    winRatePct: '65.22',
    profitFactor: '1.0879',
    sharpe: 0.9993,
    maxDrawdownPct: 7.1777,
    exposurePct: 98.1983,
    passive: ['40.9333', '26.7936', 91],
    traces: 1337,
  },
  dipBuyer: {
    netPnl: '-1.149406704',
    fees: '6.542543103',
    slippage: '3.180003',
    trades: 16,
    exits: { TakeProfit: 10, StopLoss: 6 },
    winRatePct: '62.5',
    profitFactor: '0.946',
    sharpe: -0.0895,
    maxDrawdownPct: 3.4565,
    exposurePct: 32.5604,
    passive: ['40.9333', '26.7936', 91],
    traces: 80,
  },
};
const years: Record<Preset, unknown> = {
  cautious: {
    netPnl: '-64.867268405',
    fees: '248.3369254702',
    slippage: '124.2606052',
    trades: 703,
    exits: { TakeProfit: 526, StopLoss: 177 },
    winRatePct: '68.28',
    profitFactor: '0.8764',
    sharpe: -0.0486,
    maxDrawdownPct: 28.5186,
    exposurePct: 12.8058,
    passive: ['1421.2698', '457.4859', 365],
    traces: 2856,
  },
  trend: {
    netPnl: '183.52791365',
    fees: '531.1823574132',
    slippage: '265.6320688',
    trades: 2598,
    exits: { TrailingCost: 1419, StopLoss: 1179 },
    winRatePct: '55.43',
    profitFactor: '0.8552',
    sharpe: 0.2583,
    maxDrawdownPct: 72.8756,
    exposurePct: 88.1751,
    passive: ['1421.2698', '457.4859', 365],
    traces: 17989,
  },
  dipBuyer: {
    netPnl: '-53.57769877',
    fees: '172.077124151',
    slippage: '86.0604903',
    trades: 478,
    exits: { StopLoss: 145, TakeProfit: 333 },
    winRatePct: '69.04',
    profitFactor: '0.9007',
    sharpe: -0.0484,
    maxDrawdownPct: 21.8688,
    exposurePct: 28.2631,
    passive: ['1421.2698', '457.4859', 365],
    traces: 2355,
  },
};

const figures = ({ report, traces }: ReturnType<typeof runBacktest>) => {
  for (const { traces: rows, closedAt } of tradesOf(traces)) expect(grammarViolation(rows, closedAt !== null)).toBeUndefined();
  const { netPnl, fees, slippage, trades, exits, winRatePct, profitFactor, sharpe, maxDrawdownPct, exposurePct, hold, dca } = report;
  return {
    netPnl,
    fees,
    slippage,
    trades,
    exits,
    winRatePct,
    profitFactor,
    sharpe,
    maxDrawdownPct,
    exposurePct,
    passive: [hold.returnPct, dca.returnPct, dca.buys],
    traces: traces.length,
  };
};

test.each(PRESETS)('%s on two coins of our own by the minute', (preset) => {
  const result = runBacktest({ config: configOf(preset), coins: ownCoins, startBalance: '1000' });
  expect(result.report.trades).toBeGreaterThan(0);
  expect(figures(result)).toEqual(ownMinutes[preset]);
});

test.runIf(present).each(PRESETS)('%s on BTC and ETH by the minute, May to August 2025', (preset) => {
  const coins = [
    { pair: btcusdt, candles: candles('BTCUSDT-1m-20250520-20250818.csv.gz', 'BTCUSDT') },
    { pair: ethusdt, candles: candles('ETHUSDT-1m-20250520-20250818.csv.gz', 'ETHUSDT') },
  ];
  expect(figures(runBacktest({ config: configOf(preset), coins, startBalance: '1000' }))).toEqual(minutes[preset]);
});

(present ? deepTest : test.skip).each(PRESETS)(
  '%s on BTC by the hour, August 2017 to April 2024, with the gaps of the exchange',
  (preset) => {
    const coins = [{ pair: btcusdt, candles: candles('BTCUSDT-1h-20170817-20240421.csv.gz', 'BTCUSDT') }];
    expect(figures(runBacktest({ config: configOf(preset), coins, startBalance: '1000' }))).toEqual(years[preset]);
  },
);
