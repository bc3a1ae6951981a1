import {
  add,
  compare,
  type Decimal,
  greaterThan,
  isPositive,
  isZero,
  lessThan,
  multiply,
  rescale,
  subtract,
  ZERO,
} from '@pilotfish/core/money/decimal';
import { type Account, balanceOf, credit, debit, lock, spendLocked, unlock } from '../accounts/account.ts';
import { type Pair, type Tick, unitsDecimal } from '../market/market-contract.ts';
import type { MarketView } from '../market/market-view.ts';
import { cancelRejected, orderRejected } from '../rest/api-error.ts';
import { costOf, lotsOf, MONEY_PLACES, quantityOf, quoteOf, type Slice, ticksOf, walkByBudget, walkByQuantity } from './book-walk.ts';
import { commissionOf } from './commission.ts';
import { type ExpiryReason, type Fill, isConditional, isMarketLike, isOpen, type Order, type OrderRequest, spentAsset } from './order.ts';
import { checkFilters } from './order-filters.ts';

/** A resting order takes at most this share of the trades that go through its price. */
const PARTICIPATION = 0.05;
/** How much more than its stop price a buying STOP_LOSS or TAKE_PROFIT may cost. */
const STOP_MARGIN: Decimal = { units: 105n, scale: 2 };

export type ExecutionType = 'NEW' | 'CANCELED' | 'TRADE' | 'EXPIRED';

/** What the engine tells about what it did, in order. `cancelId` is the id a cancel request gave itself. */
export type EngineListener = {
  order(account: Account, order: Order, execution: ExecutionType, fill: Fill | undefined, cancelId: string | undefined): void;
  balances(account: Account, assets: readonly string[]): void;
};

/**
 * Matches the accounts' orders against the market. Accounts trade with the market, never with each other, and do not
 * move it; what a taker took from a level is gone until the pair's next trade.
 *
 * Resting orders are makers: they fill when a trade happens at a strictly better price than theirs (one tick through),
 * at their own price, up to 5 % of that trade's quantity - so they usually fill in parts.
 */
export class MatchingEngine {
  /** Open orders by pair index. A pair with a set here needs its trades. */
  readonly openByPair = new Map<number, Set<Order>>();
  nextOrderId = 1;
  nextTradeId = 1;
  private readonly view: MarketView;
  private readonly accountById: (id: number) => Account;
  private readonly listener: EngineListener;
  private readonly taken = new Map<number, { tradeId: number; levels: Map<number, number> }>();

  constructor(view: MarketView, accountById: (id: number) => Account, listener: EngineListener) {
    this.view = view;
    this.accountById = accountById;
    this.listener = listener;
  }

  /** Everything that can refuse an order, without placing it. Returns the locked amount it would need. */
  check(account: Account, request: OrderRequest): void {
    const { pair } = request;
    if (this.view.market.status(pair, this.view.now()) !== 'TRADING') throw orderRejected('Market is closed.');
    checkFilters(request, account, this.view.average(pair).price);
    if (request.clientOrderId) {
      for (const order of account.openOrders.values()) {
        if (order.clientOrderId === request.clientOrderId) throw orderRejected('Duplicate order sent.');
      }
    }
    if (isConditional(request.type) && triggered(request, this.view.last(pair).price))
      throw orderRejected('Order would trigger immediately.');
    if (request.type === 'LIMIT_MAKER' && this.plan(request).length > 0) throw orderRejected('Order would immediately match and take.');
    const available = balanceOf(account, spentAsset(request)).free;
    if (lessThan(available, this.needed(request))) throw orderRejected('Account has insufficient balance for requested action.');
  }

  /** Places an order and fills what can be filled at once. Throws before anything changed. */
  place(account: Account, request: OrderRequest): { order: Order; fills: Fill[] } {
    this.check(account, request);
    const now = this.view.now();
    const waits = isConditional(request.type);
    const orderId = this.nextOrderId;
    this.nextOrderId += 1;
    const order: Order = {
      orderId,
      accountId: account.id,
      pair: request.pair,
      clientOrderId: request.clientOrderId ?? `sim${orderId.toString(36).padStart(19, '0')}`,
      side: request.side,
      type: request.type,
      timeInForce: request.timeInForce,
      price: request.price,
      stopPrice: request.stopPrice,
      quoteOrderQuantity: request.quoteOrderQuantity,
      strategyId: request.strategyId,
      strategyType: request.strategyType,
      selfTradePreventionMode: request.selfTradePreventionMode,
      time: now,
      quantity: request.quantity,
      executed: ZERO,
      executedQuote: ZERO,
      status: 'NEW',
      updateTime: now,
      isWorking: !waits,
      workingTime: waits ? -1 : now,
      locked: this.needed(request),
      expiryReason: undefined,
    };
    lock(account, spentAsset(order), order.locked);
    account.orders.set(orderId, order);
    this.open(account, order);
    this.report(account, order, 'NEW');
    this.listener.balances(account, [spentAsset(order)]);
    return { order, fills: waits ? [] : this.take(account, order) };
  }

  cancel(account: Account, order: Order | undefined, cancelId: string): Order {
    if (!order || !isOpen(order)) throw cancelRejected();
    order.status = 'CANCELED';
    this.close(account, order);
    this.report(account, order, 'CANCELED', undefined, cancelId);
    this.listener.balances(account, [spentAsset(order)]);
    return order;
  }

  /** Puts an order that was loaded from storage back to work. */
  restore(order: Order): void {
    let orders = this.openByPair.get(order.pair.index);
    if (!orders) {
      orders = new Set();
      this.openByPair.set(order.pair.index, orders);
    }
    orders.add(order);
  }

  /** One trade of the market: triggers conditional orders and fills resting ones. */
  onTick(tick: Tick): void {
    const orders = this.openByPair.get(tick.pair.index);
    if (!orders) return;
    let share = Math.max(1, Math.floor(tick.quantity * PARTICIPATION));
    for (const order of orders) {
      const account = this.accountById(order.accountId);
      if (!order.isWorking) {
        if (triggered(order, tick.price)) this.trigger(account, order);
        continue;
      }
      const limit = ticksOf(tick.pair, order.price);
      const through = order.side === 'BUY' ? tick.price < limit : tick.price > limit;
      if (!through || share <= 0) continue;
      const quantity = Math.min(share, lotsOf(tick.pair, subtract(order.quantity, order.executed)));
      share -= quantity;
      this.fill(account, order, limit, quantity, true);
    }
  }

  private trigger(account: Account, order: Order): void {
    order.isWorking = true;
    order.workingTime = this.view.now();
    order.updateTime = order.workingTime;
    this.report(account, order, 'NEW');
    this.take(account, order);
  }

  /** Fills from the book what the order may take; then rests, ends or expires it. */
  private take(account: Account, order: Order): Fill[] {
    const plan = this.plan(order);
    const { pair } = order;
    const byBudget = isZero(order.quantity);
    if (byBudget) order.quantity = unitsDecimal(quantityOf(plan), pair.stepSize);
    const wanted = lotsOf(pair, order.quantity);
    if (order.timeInForce === 'FOK' && !isMarketLike(order.type) && quantityOf(plan) < wanted) {
      this.expire(account, order, 'UNFILLED_FOK_ORDER_EXPIRED');
      return [];
    }
    const fills: Fill[] = [];
    for (const slice of plan) {
      // A stop order that became a market order can find prices beyond what it had locked.
      if (order.side === 'BUY' && isMarketLike(order.type) && greaterThan(quoteOf(pair, slice.price, slice.quantity), order.locked)) break;
      this.markTaken(pair, slice);
      fills.push(this.fill(account, order, slice.price, slice.quantity, false));
    }
    if (!isOpen(order)) return fills;
    if (isMarketLike(order.type)) this.expire(account, order, 'INSUFFICIENT_LIQUIDITY');
    else if (order.timeInForce !== 'GTC') this.expire(account, order, 'UNFILLED_IOC_QUANTITY_EXPIRED');
    return fills;
  }

  private fill(account: Account, order: Order, price: number, lots: number, isMaker: boolean): Fill {
    const { pair } = order;
    const quantity = unitsDecimal(lots, pair.stepSize);
    const quote = quoteOf(pair, price, lots);
    const buys = order.side === 'BUY';
    const spent = buys ? quote : quantity;
    spendLocked(account, spentAsset(order), spent);
    order.locked = subtract(order.locked, spent);
    const fee = commissionOf(this.view, account, pair, order.side, quantity, quote);
    credit(account, buys ? pair.base : pair.quote, buys ? quantity : quote);
    debit(account, fee.asset, fee.amount);
    order.executed = add(order.executed, quantity);
    order.executedQuote = add(order.executedQuote, quote);
    order.updateTime = this.view.now();
    const left = subtract(order.quantity, order.executed);
    if (isPositive(left)) {
      order.status = 'PARTIALLY_FILLED';
      if (buys && !isMarketLike(order.type)) {
        // A better price than the limit leaves money over.
        const needed = rescale(multiply(order.price, left), MONEY_PLACES, 'up');
        unlock(account, pair.quote, subtract(order.locked, needed));
        order.locked = needed;
      }
    } else {
      order.status = 'FILLED';
      this.close(account, order);
    }
    const fill: Fill = {
      tradeId: this.nextTradeId,
      orderId: order.orderId,
      symbol: pair.symbol,
      price: unitsDecimal(price, pair.tickSize),
      quantity,
      quoteQuantity: quote,
      commission: fee.amount,
      commissionAsset: fee.asset,
      time: order.updateTime,
      isBuyer: buys,
      isMaker,
    };
    this.nextTradeId += 1;
    account.fills.push(fill);
    this.report(account, order, 'TRADE', fill);
    this.listener.balances(account, [...new Set([pair.base, pair.quote, fee.asset])]);
    return fill;
  }

  private expire(account: Account, order: Order, reason: ExpiryReason): void {
    order.status = 'EXPIRED';
    order.expiryReason = reason;
    this.close(account, order);
    this.report(account, order, 'EXPIRED');
    this.listener.balances(account, [spentAsset(order)]);
  }

  private open(account: Account, order: Order): void {
    account.openOrders.set(order.orderId, order);
    this.restore(order);
  }

  private close(account: Account, order: Order): void {
    order.updateTime = this.view.now();
    if (isPositive(order.locked)) unlock(account, spentAsset(order), order.locked);
    order.locked = ZERO;
    account.openOrders.delete(order.orderId);
    const orders = this.openByPair.get(order.pair.index);
    orders?.delete(order);
    if (orders?.size === 0) this.openByPair.delete(order.pair.index);
  }

  private report(account: Account, order: Order, execution: ExecutionType, fill?: Fill, cancelId?: string): void {
    account.updateTime = order.updateTime;
    this.listener.order(account, order, execution, fill, cancelId);
  }

  /** What the order must have locked: exact for limit orders, what the book asks for market orders. */
  private needed(request: OrderRequest): Decimal {
    if (request.side === 'SELL') {
      return isZero(request.quantity) ? unitsDecimal(quantityOf(this.plan(request)), request.pair.stepSize) : request.quantity;
    }
    if (!isZero(request.quoteOrderQuantity)) return request.quoteOrderQuantity;
    if (request.type === 'MARKET') return costOf(request.pair, this.plan(request));
    // A stop that becomes a market order buys above its stop price: it holds a margin, and gives back what it did not need.
    const price = isMarketLike(request.type) ? multiply(request.stopPrice, STOP_MARGIN) : request.price;
    return rescale(multiply(price, request.quantity), MONEY_PLACES, 'up');
  }

  /** What the order would take from the book now. */
  private plan(order: OrderRequest | Order): Slice[] {
    const { pair } = order;
    const buys = order.side === 'BUY';
    const last = this.view.last(pair);
    const book = this.view.book(pair, undefined, last);
    const taken = this.taken.get(pair.index);
    const gone = taken?.tradeId === last.id ? taken.levels : undefined;
    const side = buys ? book.asks : book.bids;
    const levels = gone ? side.map((level) => ({ price: level.price, quantity: level.quantity - (gone.get(level.price) ?? 0) })) : side;
    if (isZero(order.quantity)) return walkByBudget(pair, levels, order.quoteOrderQuantity);
    const limit = isMarketLike(order.type) ? undefined : ticksOf(pair, order.price);
    const acceptable = (price: number): boolean => limit === undefined || (buys ? price <= limit : price >= limit);
    const executed = 'executed' in order ? order.executed : ZERO;
    return walkByQuantity(levels, lotsOf(pair, subtract(order.quantity, executed)), acceptable);
  }

  private markTaken(pair: Pair, slice: Slice): void {
    const { id } = this.view.last(pair);
    let taken = this.taken.get(pair.index);
    if (taken?.tradeId !== id) {
      taken = { tradeId: id, levels: new Map() };
      this.taken.set(pair.index, taken);
    }
    taken.levels.set(slice.price, (taken.levels.get(slice.price) ?? 0) + slice.quantity);
  }
}

/** Whether a last price (in ticks) sets off a conditional order. */
function triggered(order: { pair: Pair; side: string; type: string; stopPrice: Decimal }, price: number): boolean {
  const comparison = compare(unitsDecimal(price, order.pair.tickSize), order.stopPrice);
  const above = (order.side === 'BUY') === order.type.startsWith('STOP_LOSS');
  return above ? comparison >= 0 : comparison <= 0;
}
