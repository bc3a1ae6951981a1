import {
  add,
  compare,
  type Decimal,
  decimal,
  equals,
  isNegative,
  multiply,
  rescale,
  subtract,
  sum,
  toText,
  ZERO,
} from '@pilotfish/core/money/decimal';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Account, balanceOf } from '../accounts/account.ts';
import { Exchange } from '../app/exchange.ts';
import { MarketClock } from '../app/market-clock.ts';
import type { Tape } from '../market/candle-file.ts';
import { ReplayMarket } from '../market/replay-market.ts';
import { ApiError } from '../rest/api-error.ts';
import { RequestParameters } from '../rest/request-parameters.ts';
import { isOpen, spentAsset } from './order.ts';
import { readOrder } from './order-request.ts';

const MINUTE = 60_000;
const BEGIN = Date.UTC(2025, 0, 1);
const START: Record<string, Decimal> = { BTC: decimal('2'), USDT: decimal('100000'), BNB: decimal('0.01') };

type Candle = { open: number; close: number; up: number; down: number; volume: number };
type Step =
  | {
      kind: 'order';
      side: 'BUY' | 'SELL';
      type: string;
      tif: string;
      quantity: number;
      offset: number;
      stopOffset: number;
      byQuote: boolean;
    }
  | { kind: 'cancel'; which: number }
  | { kind: 'advance'; ms: number };

const candle: fc.Arbitrary<Candle> = fc.record({
  open: fc.integer({ min: 90, max: 110 }),
  close: fc.integer({ min: 90, max: 110 }),
  up: fc.integer({ min: 0, max: 5 }),
  down: fc.integer({ min: 0, max: 5 }),
  volume: fc.integer({ min: 0, max: 4000 }),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('order' as const),
      side: fc.constantFrom('BUY' as const, 'SELL' as const),
      type: fc.constantFrom('LIMIT', 'LIMIT', 'LIMIT_MAKER', 'MARKET', 'STOP_LOSS', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT', 'TAKE_PROFIT_LIMIT'),
      tif: fc.constantFrom('GTC', 'GTC', 'IOC', 'FOK'),
      quantity: fc.integer({ min: 1, max: 300_000 }),
      offset: fc.integer({ min: -800, max: 800 }),
      stopOffset: fc.integer({ min: -800, max: 800 }),
      byQuote: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), which: fc.nat(20) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('advance' as const), ms: fc.integer({ min: 1, max: 3 * MINUTE }) }) },
);

function tapeOf(symbol: string, candles: readonly Candle[], scale: number): Tape {
  const column = (pick: (one: Candle) => number): Float64Array => Float64Array.from(candles, pick);
  return {
    symbol,
    length: MINUTE,
    count: candles.length,
    times: Float64Array.from(candles, (_, index) => BEGIN + index * MINUTE),
    open: column((one) => one.open * scale),
    high: column((one) => (Math.max(one.open, one.close) + one.up) * scale),
    low: column((one) => (Math.min(one.open, one.close) - one.down) * scale),
    close: column((one) => one.close * scale),
    volume: column((one) => one.volume / 1000),
    pricePlaces: 2,
    volumePlaces: 5,
  };
}

/** What the account must hold by its fills alone, and what its open orders lock. */
function expectExact(account: Account): void {
  for (const asset of new Set([...Object.keys(START), ...account.balances.keys()])) {
    let expected = START[asset] ?? ZERO;
    for (const fill of account.fills) {
      if (asset === 'BTC') expected = fill.isBuyer ? add(expected, fill.quantity) : subtract(expected, fill.quantity);
      if (asset === 'USDT') expected = fill.isBuyer ? subtract(expected, fill.quoteQuantity) : add(expected, fill.quoteQuantity);
      if (asset === fill.commissionAsset) expected = subtract(expected, fill.commission);
    }
    const { free, locked } = balanceOf(account, asset);
    expect(toText(add(free, locked)), `total of ${asset}`).toBe(toText(expected));
    expect(isNegative(free) || isNegative(locked), `${asset} is not negative`).toBe(false);
    const held = sum([...account.openOrders.values()].filter((order) => spentAsset(order) === asset).map((order) => order.locked));
    expect(toText(locked), `locked ${asset}`).toBe(toText(held));
  }
  for (const order of account.orders.values()) {
    expect(isOpen(order)).toBe(account.openOrders.has(order.orderId));
    expect(compare(order.executed, order.quantity)).toBeLessThanOrEqual(0);
    const fills = account.fills.filter((fill) => fill.orderId === order.orderId);
    expect(equals(sum(fills.map((fill) => fill.quantity)), order.executed)).toBe(true);
    expect(equals(sum(fills.map((fill) => fill.quoteQuantity)), order.executedQuote)).toBe(true);
    if (order.status === 'FILLED') expect(equals(order.executed, order.quantity)).toBe(true);
    if (!isOpen(order)) expect(toText(order.locked)).toBe('0');
    else if (order.side === 'BUY' && order.type === 'LIMIT') {
      expect(toText(order.locked)).toBe(toText(rescale(multiply(order.price, subtract(order.quantity, order.executed)), 8, 'up')));
    }
    for (const fill of fills) {
      if (order.type !== 'LIMIT') continue;
      const side = compare(fill.price, order.price);
      expect(order.side === 'BUY' ? side <= 0 : side >= 0, 'never worse than its limit').toBe(true);
    }
  }
}

test('whatever is ordered, only fills and fees change what an account owns, to the last digit', async () => {
  let fills = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(candle, { minLength: 4, maxLength: 30 }),
      fc.array(step, { minLength: 5, maxLength: 40 }),
      fc.boolean(),
      async (candles, steps, burnBnb) => {
        const market = new ReplayMarket([tapeOf('BTCUSDT', candles, 123.47), tapeOf('BNBUSDT', candles, 5.01)]);
        let clock: MarketClock | undefined;
        const exchange = new Exchange(
          market,
          () => clock?.now() ?? BEGIN,
          () => 0,
          undefined,
        );
        const follower = {
          followed: () => exchange.pairsWithOrders(),
          onTick: exchange.onTick.bind(exchange),
          onStep: () => undefined,
          settle: () => exchange.settle(),
        };
        const time = new MarketClock(market, follower, () => 0, {
          start: BEGIN,
          speed: 1,
          paused: true,
          failed: (error) => expect.unreachable(String(error)),
        });
        clock = time;
        const balances = Object.fromEntries(Object.entries(START).map(([asset, amount]) => [asset, toText(amount)]));
        const { account } = exchange.accounts.create({ balances, burnBnb }, BEGIN);
        const pair = market.find('BTCUSDT')!;
        for (const one of steps) {
          if (one.kind === 'advance') await time.advance(one.ms);
          else if (one.kind === 'cancel') {
            const open = [...account.openOrders.values()];
            if (open.length > 0) exchange.engine.cancel(account, open[one.which % open.length], 'cancel');
          } else {
            const last = exchange.view.last(pair).price;
            const price = ((last + one.offset) / 100).toFixed(2);
            const stopPrice = ((last + one.stopOffset) / 100).toFixed(2);
            const quantity = (one.quantity / 100_000).toFixed(5);
            const limitLike = one.type.includes('LIMIT');
            const parameters: Record<string, string> = { symbol: 'BTCUSDT', side: one.side, type: one.type };
            if (one.type === 'MARKET' && one.byQuote)
              parameters.quoteOrderQty = quantity === '0.00000' ? '1' : (one.quantity / 7).toFixed(8);
            else parameters.quantity = quantity;
            if (limitLike) parameters.price = price;
            if (limitLike && one.type !== 'LIMIT_MAKER') parameters.timeInForce = one.tif;
            if (one.type.startsWith('STOP') || one.type.startsWith('TAKE')) parameters.stopPrice = stopPrice;
            try {
              const request = readOrder(new RequestParameters(new Map(Object.entries(parameters))), exchange.view);
              exchange.engine.place(account, request);
            } catch (error) {
              if (!(error instanceof ApiError)) throw error;
            }
          }
          expectExact(account);
        }
        fills += account.fills.length;
      },
    ),
    { numRuns: 60, seed: 20250 },
  );
  // The property would be empty if nothing ever traded.
  expect(fills).toBeGreaterThan(200);
});
