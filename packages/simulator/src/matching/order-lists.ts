import { add, isPositive, isZero, lessThan, maximum, subtract, toMultiple, ZERO } from '@pilotfish/core/money/decimal';
import { type Account, balanceOf, lock, unlock } from '../accounts/account.ts';
import { ApiError, orderRejected } from '../rest/api-error.ts';
import { lotsOf, ticksOf } from './book-walk.ts';
import type { MatchingEngine } from './matching-engine.ts';
import { type Fill, isConditional, isOpen, type Order, type OrderRequest, spentAsset } from './order.ts';
import { checkQuantityFilters } from './order-filters.ts';
import { isListOpen, type OrderList, type OrderListRequest } from './order-list.ts';
import { listFailure } from './symbol-rights.ts';
import { meetsStop } from './trigger.ts';

/**
 * Order lists. The money of an OCO pair is locked once, by its stop leg, as much as the dearer of the two needs; it
 * goes over to the leg that begins to work, while the other one ends. Pending orders hold nothing before they go to
 * work, except where the working order pays for them.
 */
export class OrderLists {
  private readonly engine: MatchingEngine;

  constructor(engine: MatchingEngine) {
    this.engine = engine;
  }

  /** Places a list; throws before anything changed. Fills are those of the working order. */
  place(account: Account, request: OrderListRequest): { list: OrderList; orders: Order[]; fills: Fill[] } {
    const { engine } = this;
    const { working, legs } = request;
    this.check(account, request);
    const all = working ? [working, ...legs] : legs;
    const orderListId = engine.nextListId;
    engine.nextListId += 1;
    const now = engine.view.now();
    const locked = working ? ZERO : this.pairNeed(legs);
    const orders = all.map((leg, index) =>
      engine.submit(account, leg, {
        orderListId,
        pending: working !== undefined && index > 0,
        locked: working && index === 0 ? engine.liquidity.needed(working) : index === 0 ? locked : ZERO,
      }),
    );
    const list: OrderList = {
      orderListId,
      accountId: account.id,
      pair: all[0]!.pair,
      contingencyType: request.contingencyType,
      listClientOrderId: request.listClientOrderId ?? `list${orderListId.toString(36).padStart(18, '0')}`,
      orderIds: orders.map((order) => order.orderId),
      paysPending: request.paysPending,
      time: now,
      transactionTime: now,
      listStatusType: 'EXEC_STARTED',
      listOrderStatus: 'EXECUTING',
    };
    account.lists.set(orderListId, list);
    account.openLists.set(orderListId, list);
    engine.listener.list(account, list);
    engine.listener.balances(account, [spentAsset(orders[0]!)]);
    return { list, orders, fills: working ? engine.take(account, orders[0]!) : [] };
  }

  cancel(account: Account, list: OrderList | undefined, cancelId: string): Order[] {
    if (!list || !isListOpen(list)) throw new ApiError(-2011, 'Unknown order list sent.');
    const open = this.openOrders(account, list);
    for (const order of open) this.engine.end(account, order, 'CANCELED', cancelId);
    this.engine.listener.balances(account, [...new Set(open.map(spentAsset))]);
    this.finish(account, list);
    return open;
  }

  /** A leg begins to work or to fill: the other one ends, and what the pair holds is its own. */
  started(account: Account, order: Order): void {
    const list = this.listOf(account, order);
    const other = list && this.partner(account, list, order);
    if (!other) return;
    order.locked = add(order.locked, other.locked);
    other.locked = ZERO;
    other.expiryReason = 'OCO_TRIGGER';
    this.engine.end(account, other, 'EXPIRED');
    this.engine.release(account, order);
  }

  /** Locks what a working order bought for the orders that will sell it. */
  filled(account: Account, order: Order, fill: Fill): void {
    const list = this.listOf(account, order);
    if (!list?.paysPending || list.orderIds[0] !== order.orderId) return;
    const first = account.orders.get(list.orderIds[1]!);
    if (first?.status !== 'PENDING_NEW') return;
    const { base } = order.pair;
    const net = fill.commissionAsset === base ? subtract(fill.quantity, fill.commission) : fill.quantity;
    // The fee comes from money that is free anyway, where there is enough.
    const amount = base !== 'BNB' && !lessThan(balanceOf(account, base).free, fill.quantity) ? fill.quantity : net;
    lock(account, base, amount);
    first.locked = add(first.locked, amount);
  }

  /** An order of a list was filled or expired: what follows for the others. */
  ended(account: Account, order: Order): void {
    const list = this.listOf(account, order);
    if (!list) return;
    const isWorking = list.contingencyType === 'OTO' && list.orderIds[0] === order.orderId;
    if (isWorking && order.status === 'FILLED') this.activate(account, list);
    else if (isWorking) for (const pending of this.openOrders(account, list)) this.drop(account, pending, 'OTO_PHASE_ONE_EXPIRED');
    else {
      const other = this.partner(account, list, order);
      if (other) this.drop(account, other, 'OCO_TRIGGER');
    }
    if (this.openOrders(account, list).length === 0) this.finish(account, list);
  }

  /** Tells that an order of a list has another client id. */
  renamed(account: Account, list: OrderList): void {
    list.listStatusType = 'UPDATED';
    list.transactionTime = this.engine.view.now();
    this.engine.listener.list(account, list);
  }

  /** The other open leg of an OCO pair. */
  partner(account: Account, list: OrderList, order: Order): Order | undefined {
    const legs = list.contingencyType === 'OTO' ? list.orderIds.slice(1) : list.orderIds;
    if (legs.length < 2 || !legs.includes(order.orderId)) return undefined;
    const other = account.orders.get(legs.find((id) => id !== order.orderId)!);
    return other && isOpen(other) ? other : undefined;
  }

  listOf(account: Account, order: Order): OrderList | undefined {
    return order.orderListId < 0 ? undefined : account.openLists.get(order.orderListId);
  }

  private check(account: Account, { contingencyType, working, legs, listClientOrderId, paysPending }: OrderListRequest): void {
    const { engine } = this;
    const all = working ? [working, ...legs] : legs;
    const failure = listFailure(contingencyType, engine.view.rowOf(all[0]!.pair));
    if (failure) throw failure;
    for (const list of account.openLists.values()) {
      if (listClientOrderId !== undefined && list.listClientOrderId === listClientOrderId) throw orderRejected('Duplicate order sent.');
    }
    const names = all.flatMap((order) => order.clientOrderId ?? []);
    if (new Set(names).size < names.length) throw orderRejected('Duplicate order sent.');
    all.forEach((order, index) => {
      const withoutQuantity = paysPending && order !== working;
      engine.checkRules(account, order, { together: all.slice(0, index), lists: 1, ...(withoutQuantity ? { withoutQuantity } : {}) });
    });
    if (legs.length === 2) this.checkRelation(legs, working === undefined);
    if (working) engine.checkPrices(working);
    else for (const leg of legs) engine.checkPrices(leg);
    const need = working ? engine.liquidity.needed(working) : this.pairNeed(legs);
    if (lessThan(balanceOf(account, spentAsset(all[0]!)).free, need))
      throw orderRejected('Account has insufficient balance for requested action.');
  }

  /** One leg must lie above and one below the last price; of pending legs only their own order is known. */
  private checkRelation(legs: readonly OrderRequest[], now: boolean): void {
    const last = this.engine.view.last(legs[0]!.pair).price;
    const [stop, other] = legs.map((leg) =>
      ticksOf(leg.pair, leg.type === 'LIMIT_MAKER' || isZero(leg.stopPrice) ? leg.price : leg.stopPrice),
    );
    const stopsAbove = legs[0]!.side === 'BUY';
    // A trailing leg without a stop price has no place of its own.
    if (stop === undefined || other === undefined || stop === 0 || other === 0) return;
    const apart = stopsAbove ? stop > other : stop < other;
    const around = legs[0]!.trailingDelta !== undefined || (stopsAbove ? stop > last : stop < last);
    const beyond = legs[1]!.trailingDelta !== undefined || (stopsAbove ? other < last : other > last);
    if (!apart || (now && !(around && beyond))) throw orderRejected('The relationship of the prices for the orders is not correct.');
  }

  private pairNeed(legs: readonly (OrderRequest | Order)[]) {
    return legs.map((leg) => this.engine.liquidity.needed(leg)).reduce(maximum, ZERO);
  }

  /** Puts the pending orders of a filled working order to work; what cannot work expires as rejected. */
  private activate(account: Account, list: OrderList): void {
    const { engine } = this;
    const pending = this.openOrders(account, list);
    const first = pending[0];
    if (!first) return;
    if (list.paysPending) this.sizePending(account, pending);
    if (!this.canWork(account, pending)) {
      this.drop(account, first, 'REJECTED');
      for (const other of pending.slice(1)) this.drop(account, other, 'OCO_TRIGGER');
      return;
    }
    if (!list.paysPending) {
      first.locked = this.pairNeed(pending);
      lock(account, spentAsset(first), first.locked);
    }
    for (const order of pending) {
      const now = engine.view.now();
      order.status = 'NEW';
      order.updateTime = now;
      order.isWorking = !isConditional(order.type);
      order.workingTime = order.isWorking ? now : -1;
      engine.startFollowing(order);
      engine.report(account, order, { type: 'NEW' });
    }
    engine.listener.balances(account, [spentAsset(first)]);
    // A maker rests: only a single order can take at once.
    if (pending.length === 1 && first.isWorking) engine.take(account, first);
  }

  /** Gives orders that sell what was bought their quantity: whole lots of it, the rest is free again. */
  private sizePending(account: Account, pending: readonly Order[]): void {
    const first = pending[0]!;
    const quantity = toMultiple(first.locked, first.pair.stepSize);
    const spare = subtract(first.locked, quantity);
    if (isPositive(spare)) unlock(account, first.pair.base, spare);
    first.locked = quantity;
    for (const order of pending) order.quantity = quantity;
  }

  private canWork(account: Account, pending: readonly Order[]): boolean {
    const { engine } = this;
    const first = pending[0]!;
    const last = engine.view.last(first.pair).price;
    if (engine.view.status(first.pair) !== 'TRADING') return false;
    for (const order of pending) {
      const waits = isConditional(order.type);
      if (waits && order.stopTicks > 0 && meetsStop(order, last)) return false;
      if (order.type === 'LIMIT_MAKER' && engine.liquidity.plan(order).length > 0) return false;
      if (lotsOf(order.pair, order.quantity) === 0) return false;
      try {
        checkQuantityFilters(order, engine.filters, { account, average: (minutes) => engine.view.average(order.pair, minutes).price });
      } catch {
        return false;
      }
    }
    const held = pending.reduce((sum, order) => add(sum, order.locked), balanceOf(account, spentAsset(first)).free);
    return !lessThan(held, this.pairNeed(pending));
  }

  private drop(account: Account, order: Order, reason: NonNullable<Order['expiryReason']>): void {
    order.expiryReason = reason;
    this.engine.end(account, order, 'EXPIRED');
    this.engine.listener.balances(account, [spentAsset(order)]);
  }

  private openOrders(account: Account, list: OrderList): Order[] {
    return list.orderIds.map((id) => account.orders.get(id)!).filter(isOpen);
  }

  private finish(account: Account, list: OrderList): void {
    if (!isListOpen(list)) return;
    list.listStatusType = 'ALL_DONE';
    list.listOrderStatus = 'ALL_DONE';
    list.transactionTime = this.engine.view.now();
    account.openLists.delete(list.orderListId);
    this.engine.listener.list(account, list);
  }
}
