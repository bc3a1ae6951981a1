import { describe, expect, test } from 'vitest';
import { botConfig } from '../../testing/auto-trade-fixtures.ts';
import { btcusdt } from '../../testing/pairs.ts';
import type { OrderInput } from '../auto-trades/engine/auto-trade-engine.ts';
import { add, decimal, sum, toText } from '../money/decimal.ts';
import type { CandleSeries } from '../prices/candle-series.ts';
import { runBacktest } from './backtest.ts';
import { type BrokerOrder, createBacktestBroker } from './backtest-broker.ts';
import { DEFAULT_FILL_MODEL } from './fill-model.ts';

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
const coins = (bars: readonly Bar[]) => [{ pair: btcusdt, candles: series(bars) }];
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
        coins: coins([[1000, 1001, 999, 1000], [1000, 1001, 999, 1000], last, [1000, 1001, 999, 1000]]),
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
      coins: coins([
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
    coins: coins(Array(4).fill([1000, 1001, 999, 1000])),
    startBalance: '10000',
  });
  expect(traces.map(({ kind }) => kind)).toEqual(['Entry', 'Buy']);
  expect(Number(report.fees)).toBeGreaterThan(0);
  expect(report.fees).toBe(toText(sum(traces.filter(({ kind }) => kind === 'Buy').map(({ after }) => decimal(String(after.feeInQuote))))));
});

describe('a resting order', () => {
  const order = (over: Partial<BrokerOrder> = {}): BrokerOrder => ({
    clientOrderId: 'a',
    side: 'Buy',
    type: 'Limit',
    quantity: '1',
    price: '100',
    orderId: null,
    ...over,
  });
  const stage = (holdings = '1000') => {
    const heard: OrderInput[] = [];
    const refused: string[] = [];
    const broker = createBacktestBroker({
      pair: btcusdt,
      model: DEFAULT_FILL_MODEL,
      deliver: (input) => heard.push(input),
      holdings: () => decimal(holdings),
      onRefusal: ({ code, rule }) => refused.push(`${code} ${rule}`),
    });
    const filled = () =>
      toText(heard.reduce((all, input) => (input.type === 'filled' ? add(all, decimal(input.quantity)) : all), decimal('0')));
    const place = (over: Partial<BrokerOrder> = {}, last = 101) => broker.place(order(over), 2, last, 0);
    return { broker, heard, filled, refused, place };
  };
  test('takes at most its share of a bar, at the open as inside', () => {
    const { broker, filled, heard, place } = stage();
    place({ quantity: '100' });
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
    const { broker, filled, place } = stage();
    place();
    broker.openBar(2, 0, 101, 1000);
    broker.trade(2, 100, 1);
    expect(filled()).toBe('0');
    broker.trade(2, 99.99, 2);
    expect(filled()).toBe('1');
  });
  test('is not filled by the bar in which it was decided', () => {
    const { broker, filled, place } = stage();
    broker.openBar(1, 0, 101, 1000);
    place();
    broker.trade(1, 90, 1);
    expect(filled()).toBe('0');
  });
  test('is cancelled after the first open that may fill it, not before', () => {
    const { broker, heard, filled, place } = stage();
    place({ price: '90' });
    broker.cancel('a');
    broker.trade(1, 80, 1);
    expect(broker.idle).toBe(false);
    broker.openBar(2, 2, 101, 1000);
    expect(heard.at(-1)).toMatchObject({ type: 'ended', status: 'CANCELED' });
    expect([filled(), broker.idle]).toEqual(['0', true]);
  });
  test('at the market pays half the spread and the slippage at the next open', () => {
    const { broker, heard, place } = stage();
    place({ type: 'Market', price: null });
    broker.openBar(2, 0, 100, 1000);
    expect(heard.find((input) => input.type === 'filled')).toMatchObject({ price: '100.1', fee: '0.001', feeAsset: 'BTC' });
  });
  test('pays the fee of a taker at the open and of a maker when it rested', () => {
    for (const [open, fee] of [
      [99, '0.002'],
      [101, '0.001'],
    ] as const) {
      const heard: OrderInput[] = [];
      const model = { ...DEFAULT_FILL_MODEL, takerFee: '0.002', makerFee: '0.001' };
      const broker = createBacktestBroker({ pair: btcusdt, model, deliver: (input) => heard.push(input), holdings: () => decimal('0') });
      broker.place(order(), 2, 101, 0);
      broker.openBar(2, 0, open, 1000);
      broker.trade(2, 98, 1);
      expect(heard.find((input) => input.type === 'filled')).toMatchObject({ fee });
    }
  });
  test.each([
    [{ quantity: '0.000015' }, '-1013 LOT_SIZE'],
    [{ quantity: '0.00001' }, '-1013 NOTIONAL'],
    [{ quantity: '9001' }, '-1013 LOT_SIZE'],
    [{ quantity: '101', type: 'Market', price: null }, '-1013 MARKET_LOT_SIZE'],
    [{ price: '100.001' }, '-1013 PRICE_FILTER'],
    [{ price: '600' }, '-1013 PERCENT_PRICE_BY_SIDE'],
    [{ side: 'Sell', quantity: '1001', price: '102' }, '-2010 INSUFFICIENT_BALANCE'],
    [{ side: 'Sell', type: 'StopLimit', stopPrice: '101', price: '100' }, '-2010 STOP_WOULD_TRIGGER'],
  ] as const)('that the exchange would refuse is refused with its code and the rule: %j', (over, reason) => {
    const { heard, refused, broker, place } = stage();
    place(over);
    expect(refused).toEqual([reason]);
    expect(heard).toEqual([{ type: 'ended', clientOrderId: 'a', status: 'REJECTED', code: reason, at: 0 }]);
    expect(broker.idle).toBe(true);
  });
});

describe('a stop-limit order', () => {
  const order: BrokerOrder = {
    clientOrderId: 's',
    side: 'Sell',
    type: 'StopLimit',
    quantity: '1',
    price: '99.5',
    stopPrice: '100',
    orderId: null,
  };
  const stage = (over: Partial<BrokerOrder> = {}) => {
    const prices: string[] = [];
    const broker = createBacktestBroker({
      pair: btcusdt,
      model: DEFAULT_FILL_MODEL,
      deliver: (input) => input.type === 'filled' && prices.push(input.price),
      holdings: () => decimal('1'),
    });
    broker.place({ ...order, ...over }, 2, 101, 0);
    return { broker, prices };
  };
  test('does nothing above its stop', () => {
    const { broker, prices } = stage();
    broker.openBar(2, 0, 101, 1000);
    broker.trade(2, 100.01, 1);
    broker.trade(2, 105, 2);
    expect(prices).toEqual([]);
  });
  test('is triggered inside a bar at its stop and takes what is offered there', () => {
    const { broker, prices } = stage();
    broker.openBar(2, 0, 101, 1000);
    broker.trade(2, 90, 1);
    expect(prices).toEqual(['99.95']);
  });
  test('rests as a limit order when it is offered less, until the price comes back through it', () => {
    const { broker, prices } = stage({ price: '99.99' });
    broker.openBar(2, 0, 101, 1000);
    broker.trade(2, 99, 1);
    expect(prices).toEqual([]);
    broker.trade(2, 99.99, 2);
    expect(prices).toEqual([]);
    broker.trade(2, 100, 3);
    expect(prices).toEqual(['99.99']);
  });
  test('stays unfilled when the market opens beyond both its prices', () => {
    const { broker, prices } = stage();
    broker.openBar(2, 0, 95, 1000);
    broker.trade(2, 90, 1);
    broker.trade(2, 97, 2);
    expect(prices).toEqual([]);
    broker.openBar(3, 3, 98, 1000);
    broker.trade(3, 99.6, 4);
    expect(prices).toEqual(['99.5']);
  });
});
