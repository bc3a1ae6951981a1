import { type Decimal, isPositive, toFixedText } from '@pilotfish/core/money/decimal';
import type { Account } from '../accounts/account.ts';
import { balanceOf } from '../accounts/account.ts';
import type { Execution } from './matching-engine.ts';
import { allocationOf, type Fill, isConditional, type Order, type PreventedMatch } from './order.ts';
import type { OrderList } from './order-list.ts';

/** Money on the wire: eight digits after the point. */
export const money = (value: Decimal): string => toFixedText(value, 8);

const strategy = (order: Order): Record<string, unknown> => ({
  ...(order.strategyId === undefined ? {} : { strategyId: order.strategyId }),
  ...(order.strategyType === undefined ? {} : { strategyType: order.strategyType }),
});

/** Fields that only some orders have. */
const conditions = (order: Order): Record<string, unknown> => ({
  ...(isConditional(order.type) ? { stopPrice: money(order.stopPrice) } : {}),
  ...(isPositive(order.icebergQuantity) ? { icebergQty: money(order.icebergQuantity) } : {}),
  ...(order.trailingDelta === undefined ? {} : { trailingDelta: order.trailingDelta, trailingTime: order.trailingTime }),
});

/** Of orders that were routed; all of them are filled by allocations here. */
const routed = (order: Order): Record<string, unknown> => (order.usedSor ? { workingFloor: 'SOR', usedSor: true } : {});
const MATCH_TYPE = 'ONE_PARTY_TRADE_REPORT';

/** Answer to a new order by `newOrderRespType`. */
export function newOrderPayload(order: Order, fills: readonly Fill[], detail: 'ACK' | 'RESULT' | 'FULL'): Record<string, unknown> {
  const ack = {
    symbol: order.pair.symbol,
    orderId: order.orderId,
    orderListId: order.orderListId,
    clientOrderId: order.clientOrderId,
    transactTime: order.time,
  };
  if (detail === 'ACK') return ack;
  const result = {
    ...ack,
    price: money(order.price),
    origQty: money(order.quantity),
    executedQty: money(order.executed),
    origQuoteOrderQty: money(order.quoteOrderQuantity),
    cummulativeQuoteQty: money(order.executedQuote),
    status: order.status,
    timeInForce: order.timeInForce,
    type: order.type,
    side: order.side,
    ...conditions(order),
    workingTime: order.workingTime,
    ...strategy(order),
    ...routed(order),
    selfTradePreventionMode: order.selfTradePreventionMode,
    ...(isPositive(order.prevented) ? { preventedQuantity: money(order.prevented) } : {}),
    ...(order.expiryReason ? { expiryReason: order.expiryReason } : {}),
  };
  if (detail === 'RESULT') return result;
  return {
    ...result,
    fills: fills.map((fill) => ({
      price: money(fill.price),
      qty: money(fill.quantity),
      commission: money(fill.commission),
      commissionAsset: fill.commissionAsset,
      ...(allocationOf(fill) === undefined
        ? { tradeId: fill.tradeId }
        : { matchType: MATCH_TYPE, tradeId: -1, allocId: allocationOf(fill) }),
    })),
    ...(order.preventions.length === 0 ? {} : { preventedMatches: order.preventions.map((match) => preventedInAnswer(order, match)) }),
  };
}

/** A prevented match in the answer to the order that would have taken. */
const preventedInAnswer = ({ pair }: Order, match: PreventedMatch): Record<string, unknown> => ({
  preventedMatchId: match.preventedMatchId,
  makerSymbol: pair.symbol,
  makerOrderId: match.makerOrderId,
  price: match.price,
  ...preventedQuantities(match),
});

const preventedQuantities = ({ takerPreventedQuantity, makerPreventedQuantity }: PreventedMatch): Record<string, unknown> => ({
  ...(takerPreventedQuantity === undefined ? {} : { takerPreventedQuantity }),
  ...(makerPreventedQuantity === undefined ? {} : { makerPreventedQuantity }),
});

/** A row of myPreventedMatches. No account here belongs to a trade group. */
export const preventedMatchPayload = ({ pair }: Order, match: PreventedMatch): Record<string, unknown> => ({
  symbol: pair.symbol,
  preventedMatchId: match.preventedMatchId,
  takerOrderId: match.takerOrderId,
  makerSymbol: pair.symbol,
  makerOrderId: match.makerOrderId,
  tradeGroupId: NO_TRADE_GROUP,
  selfTradePreventionMode: match.selfTradePreventionMode,
  price: match.price,
  ...preventedQuantities(match),
  transactTime: match.transactTime,
});
const NO_TRADE_GROUP = -1;

/** Of orders of which something expired in place of a trade with their own account. */
const prevented = (order: Order): Record<string, unknown> =>
  isPositive(order.prevented)
    ? { preventedMatchId: order.preventions.at(-1)?.preventedMatchId, preventedQuantity: money(order.prevented) }
    : {};

export function cancelPayload(order: Order, cancelId: string): Record<string, unknown> {
  return {
    symbol: order.pair.symbol,
    origClientOrderId: order.clientOrderId,
    orderId: order.orderId,
    orderListId: order.orderListId,
    clientOrderId: cancelId,
    transactTime: order.updateTime,
    price: money(order.price),
    origQty: money(order.quantity),
    executedQty: money(order.executed),
    origQuoteOrderQty: money(order.quoteOrderQuantity),
    cummulativeQuoteQty: money(order.executedQuote),
    status: order.status,
    timeInForce: order.timeInForce,
    type: order.type,
    side: order.side,
    ...conditions(order),
    ...strategy(order),
    selfTradePreventionMode: order.selfTradePreventionMode,
    ...prevented(order),
  };
}

export function orderPayload(order: Order): Record<string, unknown> {
  return {
    symbol: order.pair.symbol,
    orderId: order.orderId,
    orderListId: order.orderListId,
    clientOrderId: order.clientOrderId,
    price: money(order.price),
    origQty: money(order.quantity),
    executedQty: money(order.executed),
    cummulativeQuoteQty: money(order.executedQuote),
    status: order.status,
    timeInForce: order.timeInForce,
    type: order.type,
    side: order.side,
    stopPrice: money(order.stopPrice),
    icebergQty: money(order.icebergQuantity),
    ...(order.trailingDelta === undefined ? {} : { trailingDelta: order.trailingDelta, trailingTime: order.trailingTime }),
    time: order.time,
    updateTime: order.updateTime,
    isWorking: order.isWorking,
    workingTime: order.workingTime,
    origQuoteOrderQty: money(order.quoteOrderQuantity),
    ...strategy(order),
    ...routed(order),
    selfTradePreventionMode: order.selfTradePreventionMode,
    ...prevented(order),
    ...(order.expiryReason ? { expiryReason: order.expiryReason } : {}),
  };
}

/** `amendedOrder` of an amendment's answer: the names differ from those of all other answers. */
export function amendedPayload(order: Order, origClientOrderId: string): Record<string, unknown> {
  return {
    symbol: order.pair.symbol,
    orderId: order.orderId,
    orderListId: order.orderListId,
    origClientOrderId,
    clientOrderId: order.clientOrderId,
    price: money(order.price),
    qty: money(order.quantity),
    executedQty: money(order.executed),
    preventedQty: money(order.prevented),
    quoteOrderQty: money(order.quoteOrderQuantity),
    cumulativeQuoteQty: money(order.executedQuote),
    status: order.status,
    timeInForce: order.timeInForce,
    type: order.type,
    side: order.side,
    ...conditions(order),
    workingTime: order.workingTime,
    ...strategy(order),
    selfTradePreventionMode: order.selfTradePreventionMode,
  };
}

/** An order list without the state of its orders. */
export function listPayload(account: Account, list: OrderList): Record<string, unknown> {
  return {
    orderListId: list.orderListId,
    contingencyType: list.contingencyType,
    listStatusType: list.listStatusType,
    listOrderStatus: list.listOrderStatus,
    listClientOrderId: list.listClientOrderId,
    transactionTime: list.transactionTime,
    symbol: list.pair.symbol,
    orders: list.orderIds.map((orderId) => ({
      symbol: list.pair.symbol,
      orderId,
      clientOrderId: account.orders.get(orderId)?.clientOrderId ?? '',
    })),
  };
}

/** `listStatus` of the user data stream. */
export function listStatus(account: Account, list: OrderList): Record<string, unknown> {
  return {
    e: 'listStatus',
    E: list.transactionTime,
    s: list.pair.symbol,
    g: list.orderListId,
    c: list.contingencyType,
    l: list.listStatusType,
    L: list.listOrderStatus,
    r: 'NONE',
    C: list.listClientOrderId,
    T: list.transactionTime,
    O: list.orderIds.map((orderId) => ({ s: list.pair.symbol, i: orderId, c: account.orders.get(orderId)?.clientOrderId ?? '' })),
  };
}

export function fillPayload(fill: Fill, orderListId: number): Record<string, unknown> {
  return {
    symbol: fill.symbol,
    id: fill.tradeId,
    orderId: fill.orderId,
    orderListId,
    price: money(fill.price),
    qty: money(fill.quantity),
    quoteQty: money(fill.quoteQuantity),
    commission: money(fill.commission),
    commissionAsset: fill.commissionAsset,
    time: fill.time,
    isBuyer: fill.isBuyer,
    isMaker: fill.isMaker,
    isBestMatch: true,
  };
}

export function allocationPayload(fill: Fill, orderListId: number): Record<string, unknown> {
  const { id: _id, isBestMatch: _best, ...told } = fillPayload(fill, orderListId);
  return { ...told, allocationId: allocationOf(fill), allocationType: 'SOR', isAllocator: false };
}

const preventionFields = (order: Order, { match, quantity }: NonNullable<Execution['prevention']>): Record<string, unknown> => ({
  B: quantity,
  u: NO_TRADE_GROUP,
  U: order.orderId === match.takerOrderId ? match.makerOrderId : match.takerOrderId,
  Cs: order.pair.symbol,
  pl: match.quantity,
  pL: match.price,
  pY: match.quoteQuantity,
});

/** `executionReport` of the user data stream. */
export function executionReport(
  order: Order,
  { id, type, fill, cancelId, origClientOrderId, prevention }: Execution,
): Record<string, unknown> {
  const time = order.updateTime;
  return {
    e: 'executionReport',
    E: time,
    s: order.pair.symbol,
    c: cancelId ?? order.clientOrderId,
    S: order.side,
    o: order.type,
    f: order.timeInForce,
    q: money(order.quantity),
    p: money(order.price),
    P: money(order.stopPrice),
    F: money(order.icebergQuantity),
    g: order.orderListId,
    C: cancelId === undefined ? (origClientOrderId ?? '') : order.clientOrderId,
    x: type,
    X: order.status,
    r: 'NONE',
    i: order.orderId,
    l: fill ? money(fill.quantity) : '0.00000000',
    z: money(order.executed),
    L: fill ? money(fill.price) : '0.00000000',
    n: fill ? money(fill.commission) : '0',
    N: fill ? fill.commissionAsset : null,
    T: time,
    t: fill ? Math.max(fill.tradeId, -1) : -1,
    ...(fill && allocationOf(fill) !== undefined ? { b: MATCH_TYPE, a: allocationOf(fill) } : {}),
    ...(order.usedSor ? { k: 'SOR', uS: true } : {}),
    ...(isPositive(order.prevented) ? { v: order.preventions.at(-1)?.preventedMatchId, A: money(order.prevented) } : {}),
    ...(prevention ? preventionFields(order, prevention) : {}),
    I: id,
    w: order.isWorking && (order.status === 'NEW' || order.status === 'PARTIALLY_FILLED'),
    m: fill?.isMaker ?? false,
    M: fill !== undefined,
    O: order.time,
    Z: money(order.executedQuote),
    Y: fill ? money(fill.quoteQuantity) : '0.00000000',
    Q: money(order.quoteOrderQuantity),
    ...(order.isWorking ? { W: order.workingTime } : {}),
    V: order.selfTradePreventionMode,
    ...(order.trailingDelta === undefined ? {} : { d: order.trailingDelta }),
    ...(order.trailingTime < 0 ? {} : { D: order.trailingTime }),
    ...(order.strategyId === undefined ? {} : { j: order.strategyId }),
    ...(order.strategyType === undefined ? {} : { J: order.strategyType }),
    ...(order.expiryReason ? { eR: order.expiryReason } : {}),
  };
}

/** `outboundAccountPosition` of the user data stream. */
export function accountPosition(account: Account, assets: readonly string[]): Record<string, unknown> {
  return {
    e: 'outboundAccountPosition',
    E: account.updateTime,
    u: account.updateTime,
    B: assets.map((asset) => {
      const { free, locked } = balanceOf(account, asset);
      return { a: asset, f: money(free), l: money(locked) };
    }),
  };
}

/** `balanceUpdate` of the user data stream: money that came from outside or went there. */
export const balanceUpdate = (account: Account, asset: string, amount: Decimal): Record<string, unknown> => ({
  e: 'balanceUpdate',
  E: account.updateTime,
  a: asset,
  d: money(amount),
  T: account.updateTime,
});

/** `balances` of GET /api/v3/account. */
export function balancesPayload(account: Account, omitZero: boolean): unknown[] {
  return [...account.balances]
    .filter(([, balance]) => !omitZero || isPositive(balance.free) || isPositive(balance.locked))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([asset, { free, locked }]) => ({ asset, free: money(free), locked: money(locked) }));
}
