import { type Decimal, isPositive, toFixedText } from '@pilotfish/core/money/decimal';
import type { Account } from '../accounts/account.ts';
import { balanceOf } from '../accounts/account.ts';
import type { ExecutionType } from './matching-engine.ts';
import { type Fill, isConditional, type Order } from './order.ts';

/** Money on the wire: eight digits after the point. */
export const money = (value: Decimal): string => toFixedText(value, 8);

const strategy = (order: Order): Record<string, unknown> => ({
  ...(order.strategyId === undefined ? {} : { strategyId: order.strategyId }),
  ...(order.strategyType === undefined ? {} : { strategyType: order.strategyType }),
});

/** Answer to a new order by `newOrderRespType`. */
export function newOrderPayload(order: Order, fills: readonly Fill[], detail: 'ACK' | 'RESULT' | 'FULL'): Record<string, unknown> {
  const ack = {
    symbol: order.pair.symbol,
    orderId: order.orderId,
    orderListId: -1,
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
    ...(isConditional(order.type) ? { stopPrice: money(order.stopPrice) } : {}),
    workingTime: order.workingTime,
    ...strategy(order),
    selfTradePreventionMode: order.selfTradePreventionMode,
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
      tradeId: fill.tradeId,
    })),
  };
}

export function cancelPayload(order: Order, cancelId: string): Record<string, unknown> {
  return {
    symbol: order.pair.symbol,
    origClientOrderId: order.clientOrderId,
    orderId: order.orderId,
    orderListId: -1,
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
    ...(isConditional(order.type) ? { stopPrice: money(order.stopPrice) } : {}),
    ...strategy(order),
    selfTradePreventionMode: order.selfTradePreventionMode,
  };
}

export function orderPayload(order: Order): Record<string, unknown> {
  return {
    symbol: order.pair.symbol,
    orderId: order.orderId,
    orderListId: -1,
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
    icebergQty: '0.00000000',
    time: order.time,
    updateTime: order.updateTime,
    isWorking: order.isWorking,
    workingTime: order.workingTime,
    origQuoteOrderQty: money(order.quoteOrderQuantity),
    ...strategy(order),
    selfTradePreventionMode: order.selfTradePreventionMode,
    ...(order.expiryReason ? { expiryReason: order.expiryReason } : {}),
  };
}

export function fillPayload(fill: Fill): Record<string, unknown> {
  return {
    symbol: fill.symbol,
    id: fill.tradeId,
    orderId: fill.orderId,
    orderListId: -1,
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

/** `executionReport` of the user data stream. */
export function executionReport(
  order: Order,
  execution: ExecutionType,
  fill: Fill | undefined,
  cancelId: string | undefined,
  executionId: number,
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
    F: '0.00000000',
    g: -1,
    C: cancelId === undefined ? '' : order.clientOrderId,
    x: execution,
    X: order.status,
    r: 'NONE',
    i: order.orderId,
    l: fill ? money(fill.quantity) : '0.00000000',
    z: money(order.executed),
    L: fill ? money(fill.price) : '0.00000000',
    n: fill ? money(fill.commission) : '0',
    N: fill ? fill.commissionAsset : null,
    T: time,
    t: fill ? fill.tradeId : -1,
    I: executionId,
    w: order.isWorking && (order.status === 'NEW' || order.status === 'PARTIALLY_FILLED'),
    m: fill?.isMaker ?? false,
    M: fill !== undefined,
    O: order.time,
    Z: money(order.executedQuote),
    Y: fill ? money(fill.quoteQuantity) : '0.00000000',
    Q: money(order.quoteOrderQuantity),
    ...(order.isWorking ? { W: order.workingTime } : {}),
    V: order.selfTradePreventionMode,
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

/** `balances` of GET /api/v3/account. */
export function balancesPayload(account: Account, omitZero: boolean): unknown[] {
  return [...account.balances]
    .filter(([, balance]) => !omitZero || isPositive(balance.free) || isPositive(balance.locked))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([asset, { free, locked }]) => ({ asset, free: money(free), locked: money(locked) }));
}
