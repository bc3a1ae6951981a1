import {
  add,
  compare,
  type Decimal,
  decimal,
  equals,
  isNegative,
  maximum,
  multiply,
  rescale,
  subtract,
  sum,
  toText,
  ZERO,
} from '@pilotfish/core/money/decimal';
import { realTimers } from '@pilotfish/core/time/timers';
import fc from 'fast-check';
import { expect } from 'vitest';
import { type Account, balanceOf } from '../src/accounts/account.ts';
import { Exchange } from '../src/app/exchange.ts';
import { MarketClock } from '../src/app/market-clock.ts';
import type { Tape } from '../src/market/candle-file.ts';
import { ReplayMarket } from '../src/market/replay-market.ts';
import { isMarketLike, isOpen, leftOf, type Order, spentAsset } from '../src/matching/order.ts';

const MINUTE = 60_000;
const BEGIN = Date.UTC(2025, 0, 1);
const START: Record<string, Decimal> = { BTC: decimal('2'), USDT: decimal('100000'), BNB: decimal('0.01') };

export type Candle = { open: number; close: number; up: number; down: number; volume: number };

/** A minute of an invented tape. */
export const candle: fc.Arbitrary<Candle> = fc.record({
  open: fc.integer({ min: 90, max: 110 }),
  close: fc.integer({ min: 90, max: 110 }),
  up: fc.integer({ min: 0, max: 5 }),
  down: fc.integer({ min: 0, max: 5 }),
  volume: fc.integer({ min: 0, max: 4000 }),
});

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

/** An exchange without doors over two small tapes, and an account with 2 BTC, 100,000 USDT and a little BNB. */
export function openStory(candles: readonly Candle[], burnBnb: boolean): { exchange: Exchange; time: MarketClock; account: Account } {
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
  const time = new MarketClock(market, follower, () => 0, realTimers, {
    start: BEGIN,
    speed: 1,
    paused: true,
    failed: (error) => expect.unreachable(String(error)),
  });
  clock = time;
  const balances = Object.fromEntries(Object.entries(START).map(([asset, amount]) => [asset, toText(amount)]));
  const { account } = exchange.accounts.create({ balances, burnBnb }, BEGIN);
  return { exchange, time, account };
}

/** What the account must hold by its fills alone, and what its open orders lock. */
export function expectExact(account: Account): void {
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
    expect(isNegative(leftOf(order)), 'no more is executed or prevented than was ordered').toBe(false);
    const fills = account.fills.filter((fill) => fill.orderId === order.orderId);
    expect(equals(sum(fills.map((fill) => fill.quantity)), order.executed)).toBe(true);
    expect(equals(sum(fills.map((fill) => fill.quoteQuantity)), order.executedQuote)).toBe(true);
    if (order.status === 'FILLED' || order.status === 'EXPIRED_IN_MATCH') expect(toText(leftOf(order))).toBe('0');
    if (!isOpen(order)) expect(toText(order.locked)).toBe('0');
    else if (order.orderListId < 0 && !(order.side === 'BUY' && isMarketLike(order.type))) {
      expect(toText(order.locked), 'an order locks what is left of it').toBe(toText(needOf(order)));
    }
    for (const fill of fills) {
      if (order.type !== 'LIMIT') continue;
      const side = compare(fill.price, order.price);
      expect(order.side === 'BUY' ? side <= 0 : side >= 0, 'never worse than its limit').toBe(true);
    }
  }
}

const needOf = (order: Order): Decimal => {
  const left = leftOf(order);
  return order.side === 'SELL' ? left : rescale(multiply(order.price, left), 8, 'up');
};

/** What a list locks: a working order its need, a pair the need of its dearer leg, pending orders nothing or what was bought for them. */
export function expectLists(account: Account): void {
  for (const list of account.lists.values()) {
    const orders = list.orderIds.map((id) => account.orders.get(id)!);
    const open = orders.filter(isOpen);
    expect(account.openLists.has(list.orderListId), 'a list is open while one of its orders is').toBe(open.length > 0);
    expect(list.listOrderStatus).toBe(open.length > 0 ? 'EXECUTING' : 'ALL_DONE');
    if (open.some((order) => order.side === 'BUY' && isMarketLike(order.type))) continue;
    const pending = open.filter((order) => order.status === 'PENDING_NEW');
    const atWork = open.filter((order) => order.status !== 'PENDING_NEW');
    if (pending.length > 0) expect(atWork, 'pending orders wait for the working one').toEqual([orders[0]]);
    const pairNeeds = atWork.map(needOf).reduce(maximum, ZERO);
    expect(toText(sum(atWork.map((order) => order.locked))), `list ${list.orderListId} locks its need`).toBe(toText(pairNeeds));
    const held = sum(pending.map((order) => order.locked));
    if (!list.paysPending) expect(toText(held)).toBe('0');
    else if (pending.length > 0) expect(compare(held, orders[0]!.executed), 'no more is held than was bought').toBeLessThanOrEqual(0);
    const legs = (list.contingencyType === 'OTO' ? orders.slice(1) : orders).filter((order) => compare(order.executed, ZERO) > 0);
    expect(legs.length, 'of a pair only one leg executes').toBeLessThanOrEqual(1);
  }
}
