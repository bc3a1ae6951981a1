import {
  add,
  type Decimal,
  greaterThan,
  isPositive,
  isZero,
  lessThan,
  minimum,
  multiply,
  rescale,
  subtract,
  ZERO,
} from '@pilotfish/core/money/decimal';
import { type Account, balanceOf, credit, debit, lock, spendLocked, unlock } from '../accounts/account.ts';
import { type Pair, type Tick, unitsDecimal } from '../market/market-contract.ts';
import type { MarketView } from '../market/market-view.ts';
import { cancelRejected, orderRejected } from '../rest/api-error.ts';
import { lotsOf, MONEY_PLACES, quantityOf, quoteOf, type Slice, ticksOf } from './book-walk.ts';
import { commissionOf } from './commission.ts';
import { ExecutionRules } from './execution-rules.ts';
import { FilterTable } from './filter-table.ts';
import { Liquidity } from './liquidity.ts';
import {
  type ExpiryReason,
  type Fill,
  isConditional,
  isMarketLike,
  isOpen,
  leftOf,
  type Order,
  type OrderRequest,
  type PreventedMatch,
  spentAsset,
} from './order.ts';
import { checkFilters, type FilterContext } from './order-filters.ts';
import type { OrderList } from './order-list.ts';
import { OrderLists } from './order-lists.ts';
import { meetOwn, ownInTheWay, preventionModeOf } from './self-trade.ts';
import { rightsFailure } from './symbol-rights.ts';
import { follow, triggeredBy, wouldTrigger } from './trigger.ts';

/** A resting order takes at most this share of the trades that go through its price. */
const PARTICIPATION = 0.05;

/** One thing that happened to an order. `cancelId` is the id a cancel request gave itself. */
export type Execution = {
  readonly id: number;
  readonly type: 'NEW' | 'CANCELED' | 'REPLACED' | 'TRADE' | 'EXPIRED' | 'TRADE_PREVENTION';
  readonly fill?: Fill;
  /** A trade with its own account that did not happen, and what expired of this order. */
  readonly prevention?: { readonly match: PreventedMatch; readonly quantity: string };
  readonly cancelId?: string;
  /** The client's id for the order before an amendment. */
  readonly origClientOrderId?: string;
};

/** What the engine tells about what it did, in order. */
export type EngineListener = {
  order(account: Account, order: Order, execution: Execution): void;
  list(account: Account, list: OrderList): void;
  balances(account: Account, assets: readonly string[]): void;
};

/** How an order begins that belongs to a list: what it holds is the list's matter. */
type ListPlace = { readonly orderListId: number; readonly pending: boolean; readonly locked: Decimal; readonly usedSor?: boolean };

/**
 * Matches the accounts' orders against the market. Accounts trade with the market, never with each other, and do not
 * move it; what a taker took from a level is gone until the pair's next trade.
 *
 * Resting orders are makers: they fill when a trade happens at a strictly better price than theirs (one tick through),
 * at their own price, up to 5 % of that trade's quantity - so they usually fill in parts. An iceberg fills no further
 * than what it shows with one trade.
 */
export class MatchingEngine {
  /** Open orders by pair index. A pair with a set here needs its trades. */
  readonly openByPair = new Map<number, Set<Order>>();
  /** Pairs that the exchange routes orders for. */
  readonly sorPairs = new Set<Pair>();
  nextOrderId = 1;
  nextTradeId = 1;
  nextListId = 0;
  nextExecutionId = 1;
  nextPreventedMatchId = 0;
  readonly view: MarketView;
  readonly filters = new FilterTable();
  readonly rules: ExecutionRules;
  readonly liquidity: Liquidity;
  readonly lists: OrderLists;
  readonly listener: EngineListener;
  /** Part of what an order could take that it gets; for those who ask for partial fills. */
  takerShare: (order: Order) => number | undefined = () => undefined;
  /** Part of a trade that resting orders of a pair get of it. */
  makerShare: (pair: Pair) => number = () => PARTICIPATION;
  private readonly accountById: (id: number) => Account;

  constructor(view: MarketView, accountById: (id: number) => Account, listener: EngineListener) {
    this.view = view;
    this.accountById = accountById;
    this.listener = listener;
    this.liquidity = new Liquidity(view);
    this.rules = new ExecutionRules(view);
    this.lists = new OrderLists(this);
  }

  /** Everything that can refuse an order, without placing it. */
  check(account: Account, request: OrderRequest): void {
    this.checkRules(account, request);
    this.checkPrices(request);
    const available = balanceOf(account, spentAsset(request)).free;
    if (lessThan(available, this.liquidity.needed(request))) throw orderRejected('Account has insufficient balance for requested action.');
  }

  /** The rules that bind an order whether or not it goes to work at once: rights, status, filters, its own name. */
  checkRules(account: Account, request: OrderRequest, context: Pick<FilterContext, 'together' | 'lists' | 'withoutQuantity'> = {}): void {
    const { pair, clientOrderId } = request;
    const failure = rightsFailure(request, this.view.rowOf(pair));
    if (failure) throw failure;
    preventionModeOf(request, this.view.rowOf(pair));
    if (this.view.status(pair) !== 'TRADING') throw orderRejected('Market is closed.');
    checkFilters(request, this.filters, { ...context, account, average: (minutes) => this.view.average(pair, minutes).price });
    if (!clientOrderId) return;
    for (const order of account.openOrders.values()) {
      if (order.clientOrderId === clientOrderId) throw orderRejected('Duplicate order sent.');
    }
  }

  /** What the present price refuses: a stop that is met already, a maker that would take. */
  checkPrices(request: OrderRequest): void {
    const { pair } = request;
    if (isConditional(request.type) && wouldTrigger(request, ticksOf(pair, request.stopPrice), this.view.last(pair).price))
      throw orderRejected('Order would trigger immediately.');
    if (request.type === 'LIMIT_MAKER' && this.liquidity.plan(request).length > 0)
      throw orderRejected('Order would immediately match and take.');
  }

  /** Places an order and fills what can be filled at once. Throws before anything changed. */
  place(account: Account, request: OrderRequest, { usedSor = false } = {}): { order: Order; fills: Fill[] } {
    this.check(account, request);
    if (usedSor) this.sorPairs.add(request.pair);
    const order = this.submit(account, request, { orderListId: -1, pending: false, locked: this.liquidity.needed(request), usedSor });
    this.listener.balances(account, [spentAsset(order)]);
    return { order, fills: order.isWorking ? this.take(account, order) : [] };
  }

  /** Makes an order known and locks its money, without matching it. */
  submit(account: Account, request: OrderRequest, place: ListPlace): Order {
    const now = this.view.now();
    const { pair } = request;
    const { maker, taker } = account.terms;
    const works = !isConditional(request.type) && !place.pending;
    const orderId = this.nextOrderId;
    this.nextOrderId += 1;
    const order: Order = {
      orderId,
      accountId: account.id,
      pair,
      orderListId: place.orderListId,
      clientOrderId: request.clientOrderId ?? `sim${orderId.toString(36).padStart(19, '0')}`,
      side: request.side,
      type: request.type,
      timeInForce: request.timeInForce,
      price: request.price,
      stopPrice: request.stopPrice,
      priceTicks: ticksOf(pair, request.price),
      stopTicks: ticksOf(pair, request.stopPrice),
      icebergQuantity: request.icebergQuantity,
      trailingDelta: request.trailingDelta,
      trailingTime: -1,
      trailingTicks: 0,
      quoteOrderQuantity: request.quoteOrderQuantity,
      strategyId: request.strategyId,
      strategyType: request.strategyType,
      selfTradePreventionMode: preventionModeOf(request, this.view.rowOf(pair)),
      fees: { maker, taker },
      time: now,
      quantity: request.quantity,
      executed: ZERO,
      executedQuote: ZERO,
      prevented: ZERO,
      status: place.pending ? 'PENDING_NEW' : 'NEW',
      updateTime: now,
      isWorking: works,
      workingTime: works ? now : -1,
      locked: place.locked,
      expiryReason: undefined,
      amendments: [],
      preventions: [],
      ...(place.usedSor ? { usedSor: true } : {}),
    };
    if (!place.pending) this.startFollowing(order);
    if (isPositive(order.locked)) lock(account, spentAsset(order), order.locked);
    account.orders.set(orderId, order);
    account.openOrders.set(orderId, order);
    this.restore(order);
    this.report(account, order, { type: 'NEW' });
    return order;
  }

  /** A trailing order without a stop price follows the price from its first moment. */
  startFollowing(order: Order): void {
    if (order.trailingDelta !== undefined && isZero(order.stopPrice)) follow(order, this.view.last(order.pair).price, this.view.now());
  }

  /** Cancels an order, and with it all others of its list. */
  cancel(account: Account, order: Order | undefined, cancelId: string): Order {
    if (!order || !isOpen(order)) throw cancelRejected();
    const list = account.openLists.get(order.orderListId);
    if (list) this.lists.cancel(account, list, cancelId);
    else {
      this.end(account, order, 'CANCELED', cancelId);
      this.listener.balances(account, [spentAsset(order)]);
    }
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
    const { price } = tick;
    let share = -1;
    for (const order of orders) {
      if (!order.isWorking) {
        if (order.status === 'NEW' && triggeredBy(order, price, tick.time)) this.trigger(this.accountById(order.accountId), order);
        continue;
      }
      const through = order.side === 'BUY' ? price < order.priceTicks : price > order.priceTicks;
      if (!through) continue;
      if (share < 0) share = Math.max(1, Math.floor(tick.quantity * this.makerShare(tick.pair)));
      if (share === 0) continue;
      const quantity = Math.min(share, shownLots(order));
      share -= quantity;
      const account = this.accountById(order.accountId);
      this.lists.started(account, order);
      this.fill(account, order, order.priceTicks, quantity, true);
    }
  }

  /** Ends every open order of a pair that leaves the exchange. */
  expireAll(pair: Pair): void {
    for (const order of this.openByPair.get(pair.index) ?? []) {
      if (isOpen(order)) this.expire(this.accountById(order.accountId), order, 'EXCHANGE_CANCELED');
    }
  }

  private trigger(account: Account, order: Order): void {
    this.lists.started(account, order);
    order.isWorking = true;
    order.workingTime = this.view.now();
    order.updateTime = order.workingTime;
    this.report(account, order, { type: 'NEW' });
    this.take(account, order);
  }

  /** Fills from the book what the order may take; then rests, ends or expires it. */
  take(account: Account, order: Order): Fill[] {
    const { pair } = order;
    const byBudget = isZero(order.quantity);
    const possible = this.liquidity.plan(order);
    if (byBudget) order.quantity = unitsDecimal(quantityOf(possible), pair.stepSize);
    const plan = cut(possible, this.takerShare(order));
    if (order.timeInForce === 'FOK' && !isMarketLike(order.type) && quantityOf(plan) < lotsOf(pair, order.quantity)) {
      this.expire(account, order, 'UNFILLED_FOK_ORDER_EXPIRED');
      return [];
    }
    const fills: Fill[] = [];
    const own = ownInTheWay(order, this.openByPair.get(pair.index) ?? []);
    const inRange = this.rules.allowed(pair, order.side);
    let isAtEnd = plan === possible;
    for (const { price, quantity } of plan) {
      meetOwn(this, account, order, own, price);
      if (!isOpen(order)) break;
      if (!inRange(price)) {
        this.expire(account, order, 'EXECUTION_RULE_PRICE_RANGE_EXCEEDED');
        return fills;
      }
      const slice = { price, quantity: Math.min(quantity, lotsOf(pair, leftOf(order))) };
      // A stop order that became a market order can find prices beyond what it had locked.
      if (order.side === 'BUY' && isMarketLike(order.type) && greaterThan(quoteOf(pair, price, slice.quantity), order.locked)) {
        isAtEnd = false;
        break;
      }
      this.liquidity.take(pair, slice);
      fills.push(this.fill(account, order, price, slice.quantity, false));
    }
    // Own orders may lie behind the last level of the market.
    if (isAtEnd) meetOwn(this, account, order, own, undefined);
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
    const fee = commissionOf(this.view, account, order, { quantity, quote, isMaker });
    credit(account, buys ? pair.base : pair.quote, buys ? quantity : quote);
    debit(account, fee.asset, fee.amount);
    order.executed = add(order.executed, quantity);
    order.executedQuote = add(order.executedQuote, quote);
    order.updateTime = this.view.now();
    const fill: Fill = {
      tradeId: order.usedSor ? -1 - this.nextTradeId : this.nextTradeId,
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
    const filled = isZero(leftOf(order));
    order.status = filled ? 'FILLED' : 'PARTIALLY_FILLED';
    if (filled) this.close(account, order);
    else this.release(account, order);
    this.lists.filled(account, order, fill);
    this.report(account, order, { type: 'TRADE', fill });
    this.listener.balances(account, [...new Set([pair.base, pair.quote, fee.asset])]);
    if (filled) this.lists.ended(account, order);
    return fill;
  }

  /** Gives back what an open order holds beyond its need: a better price than its limit, or a smaller quantity, leaves money over. */
  release(account: Account, order: Order, need = this.needOf(order)): void {
    const spare = subtract(order.locked, need);
    if (!isPositive(spare)) return;
    unlock(account, spentAsset(order), spare);
    order.locked = need;
  }

  /** What an open order must hold for the part of it that is not executed. A buying stop keeps its margin. */
  needOf(order: Order): Decimal {
    const left = leftOf(order);
    if (order.side === 'SELL') return left;
    if (!isMarketLike(order.type)) return rescale(multiply(order.price, left), MONEY_PLACES, 'up');
    return order.isWorking ? order.locked : minimum(order.locked, this.liquidity.needed(order));
  }

  /** Ends an order that the exchange gives up, and with it what depends on it. */
  expire(account: Account, order: Order, reason: ExpiryReason): void {
    order.expiryReason = reason;
    this.end(account, order, 'EXPIRED');
    this.listener.balances(account, [spentAsset(order)]);
    this.lists.ended(account, order);
  }

  /** Ends an order and tells it. Lists are not looked at. */
  end(account: Account, order: Order, status: 'CANCELED' | 'EXPIRED', cancelId?: string): void {
    order.status = status;
    this.close(account, order);
    this.report(account, order, { type: status, ...(cancelId === undefined ? {} : { cancelId }) });
  }

  close(account: Account, order: Order): void {
    order.updateTime = this.view.now();
    if (isPositive(order.locked)) unlock(account, spentAsset(order), order.locked);
    order.locked = ZERO;
    account.openOrders.delete(order.orderId);
    const orders = this.openByPair.get(order.pair.index);
    orders?.delete(order);
    if (orders?.size === 0) this.openByPair.delete(order.pair.index);
  }

  report(account: Account, order: Order, execution: Omit<Execution, 'id'>): number {
    account.updateTime = order.updateTime;
    const id = this.nextExecutionId;
    this.nextExecutionId += 1;
    this.listener.order(account, order, { ...execution, id });
    return id;
  }
}

/** Lots of an order that one trade can meet: all that is left, or what an iceberg shows of it. */
function shownLots(order: Order): number {
  const left = lotsOf(order.pair, leftOf(order));
  const part = lotsOf(order.pair, order.icebergQuantity);
  if (part === 0) return left;
  return Math.min(left, part - (lotsOf(order.pair, order.executed) % part));
}

/** The first part of a plan, at least one lot. */
function cut(plan: Slice[], share: number | undefined): Slice[] {
  if (share === undefined || plan.length === 0) return plan;
  let left = Math.max(1, Math.floor(quantityOf(plan) * share));
  const slices: Slice[] = [];
  for (const slice of plan) {
    if (left <= 0) break;
    slices.push({ price: slice.price, quantity: Math.min(left, slice.quantity) });
    left -= slice.quantity;
  }
  return slices;
}
