import { describe, expect, test } from 'vitest';
import { botConfig } from '../../testing/auto-trade-fixtures.ts';
import { btcusdt } from '../../testing/pairs.ts';
import type { OrderInput } from '../auto-trades/auto-trade-engine.ts';
import type { OrderInFlight } from '../auto-trades/position-state.ts';
import { add, decimal, sum, toText } from '../money/decimal.ts';
import type { CandleSeries } from '../prices/candle-series.ts';
import { runBacktest } from './backtest.ts';
import { createBacktestBroker, DEFAULT_FILL_MODEL } from './backtest-broker.ts';

type Bar = readonly [open: number, high: number, low: number, close: number, volume?: number];
const series = (bars: readonly Bar[]): CandleSeries => {
  const column = (index: 0 | 1 | 2 | 3) => Float64Array.from(bars, (bar) => bar[index]);
  return {
    symbol: 'BTCUSDT',
    intervalMs: 60_000,
    openTime: Float64Array.from(bars, (_, index) => 1_700_000_040_000 + index * 60_000),
    open: column(0),
    high: column(1),
    low: column(2),
    close: column(3),
    volume: Float64Array.from(bars, (bar) => bar[4] ?? 1000),
  };
};
const now = botConfig({
  entry: { ...botConfig().entry, trigger: { kind: 'immediate' }, trailing: { enabled: false } },
  takeProfit: { levels: [{ gainPct: '2', sellPct: '100' }] },
  trailingCost: { enabled: false },
  stopLoss: { mode: 'percent', pct: '2' },
  cooldown: { afterWinMin: 1000, afterLossMin: 1000 },
});

describe('target and stop inside one bar', () => {
  test('the stop is met first, whichever way the bar is walked', () => {
    for (const last of [
      [1000, 1050, 950, 999],
      [1000, 1050, 950, 1001],
    ] as const) {
      const { report } = runBacktest({
        config: now,
        pair: btcusdt,
        candles: series([[1000, 1001, 999, 1000], [1000, 1001, 999, 1000], last, [1000, 1001, 999, 1000]]),
        startBalance: '10000',
      });
      expect(report.exits).toEqual({ StopLoss: 1 });
      expect(report.ambiguousBars).toBe(1);
    }
  });

  test('so is a protected cost without a stop', () => {
    const config = {
      ...now,
      stopLoss: { mode: 'none' as const },
      trailingCost: botConfig({ trailingCost: { enabled: true, armGainPct: '1', distancePct: '0.2' } }).trailingCost,
    };
    const { report } = runBacktest({
      config,
      pair: btcusdt,
      candles: series([
        [1000, 1001, 999, 1000],
        [1000, 1001, 999, 1000],
        [1000, 1013, 1000, 1013],
        [1012.5, 1050, 1006, 1007],
        [1007, 1008, 1006, 1007],
      ]),
      startBalance: '10000',
    });
    expect(report.exits).toEqual({ TrailingCost: 1 });
  });
});

test('fees of a position that is still open are in the report', () => {
  const { report, traces } = runBacktest({
    config: now,
    pair: btcusdt,
    candles: series(Array(4).fill([1000, 1001, 999, 1000])),
    startBalance: '10000',
  });
  expect(traces.map(({ kind }) => kind)).toEqual(['Entry', 'Buy']);
  expect(Number(report.fees)).toBeGreaterThan(0);
  expect(report.fees).toBe(toText(sum(traces.filter(({ kind }) => kind === 'Buy').map(({ after }) => decimal(String(after.feeInQuote))))));
});

describe('a resting order', () => {
  const order = (over: Partial<OrderInFlight> = {}): OrderInFlight => ({
    clientOrderId: 'a',
    purpose: 'entry',
    side: 'Buy',
    type: 'Limit',
    quantity: '100',
    price: '100',
    placedAt: 0,
    deadline: 1,
    attempt: 0,
    reprices: 0,
    orderId: null,
    executed: '0',
    tradeIds: [],
    cancelRequested: false,
    level: null,
    ...over,
  });
  const stage = () => {
    const heard: OrderInput[] = [];
    const broker = createBacktestBroker(btcusdt, DEFAULT_FILL_MODEL, (input) => heard.push(input));
    const filled = () =>
      toText(heard.reduce((all, input) => (input.type === 'filled' ? add(all, decimal(input.quantity)) : all), decimal('0')));
    return { broker, heard, filled };
  };
  test('takes at most its share of a bar, at the open as inside', () => {
    const { broker, filled, heard } = stage();
    broker.place(order(), 1);
    broker.openBar(2, 0, 90, 1000);
    expect(filled()).toBe('50');
    broker.trade(2, 90, 1);
    expect(filled()).toBe('50');
    broker.openBar(3, 2, 101, 500);
    broker.trade(3, 99.99, 3);
    expect(filled()).toBe('75');
    broker.openBar(4, 4, 90, 1000);
    expect(filled()).toBe('100');
    expect(heard.at(-1)).toMatchObject({ type: 'ended', status: 'FILLED' });
  });
  test('fills when it is traded through by a tick, not when it is touched', () => {
    const { broker, filled } = stage();
    broker.place(order({ quantity: '1' }), 1);
    broker.openBar(2, 0, 101, 1000);
    broker.trade(2, 100, 1);
    expect(filled()).toBe('0');
    broker.trade(2, 99.99, 2);
    expect(filled()).toBe('1');
  });
  test('is not filled by the bar in which it was decided', () => {
    const { broker, filled } = stage();
    broker.openBar(1, 0, 101, 1000);
    broker.place(order({ quantity: '1' }), 1);
    broker.trade(1, 90, 1);
    expect(filled()).toBe('0');
  });
  test('at the market pays half the spread and the slippage at the next open', () => {
    const { broker, heard } = stage();
    broker.place(order({ type: 'Market', price: null, quantity: '1' }), 1);
    broker.openBar(2, 0, 100, 1000);
    expect(heard.find((input) => input.type === 'filled')).toMatchObject({ price: '100.1', fee: '0.001', feeAsset: 'BTC' });
  });
});
