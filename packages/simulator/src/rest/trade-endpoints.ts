import { decimal } from '@pilotfish/core/money/decimal';
import type { Account } from '../accounts/account.ts';
import { randomToken } from '../accounts/api-key.ts';
import type { Pair } from '../market/market-contract.ts';
import { feeRatesOn } from '../matching/commission.ts';
import { type Fill, isOpen, type Order, type OrderRequest } from '../matching/order.ts';
import { cancelPayload, fillPayload, money, newOrderPayload, orderPayload } from '../matching/order-payload.ts';
import { readOrder } from '../matching/order-request.ts';
import { ApiError, cancelRejected } from './api-error.ts';
import { accountOf, type Call, type Endpoint, pairOf } from './endpoint.ts';
import { findOrder } from './find-order.ts';
import { cancelledList, listsOf } from './order-list-endpoints.ts';
import { cancelIdOf, page, readDetail, readWindow } from './order-parameters.ts';
import type { RequestParameters } from './request-parameters.ts';

/** Counts the order and places it; one that was refused does not count. (A fill takes it off the count, too.) */
function placeCounted(call: Call, account: Account, request: OrderRequest): { order: Order; fills: Fill[] } {
  call.limits.countOrder(account.id);
  try {
    return call.exchange.engine.place(account, request);
  } catch (error) {
    call.limits.uncountOrder(account.id);
    throw error;
  }
}

function newOrder(call: Call): unknown {
  const account = accountOf(call);
  const request = readOrder(call.parameters, call.exchange.view);
  const detail = readDetail(call.parameters, request.type);
  call.parameters.finish();
  const { order, fills } = placeCounted(call, account, request);
  return newOrderPayload(order, fills, detail);
}

function testOrder(call: Call): unknown {
  const account = accountOf(call);
  const request = readOrder(call.parameters, call.exchange.view);
  readDetail(call.parameters, request.type);
  const rates = call.parameters.flag('computeCommissionRates') ?? false;
  call.parameters.finish();
  call.exchange.engine.check(account, request);
  return rates ? commissionRates(account, request.pair) : {};
}

function cancelOrder(call: Call): unknown {
  const account = accountOf(call);
  const { parameters } = call;
  const order = findOrder(call, account);
  const cancelId = cancelIdOf(parameters, 'newClientOrderId');
  checkRestriction(parameters, order);
  parameters.finish();
  return cancelPayload(call.exchange.engine.cancel(account, order, cancelId), cancelId);
}

function checkRestriction(parameters: RequestParameters, order: Order | undefined): void {
  const error = new ApiError(-1145, 'cancelRestrictions has to be either ONLY_NEW or ONLY_PARTIALLY_FILLED.');
  const restriction = parameters.choice('cancelRestrictions', ['ONLY_NEW', 'ONLY_PARTIALLY_FILLED'], error);
  const wanted = restriction === 'ONLY_NEW' ? 'NEW' : 'PARTIALLY_FILLED';
  if (restriction && order && order.status !== wanted) throw new ApiError(-2011, 'Order was not canceled due to cancel restrictions.');
}

function cancelAll(call: Call): unknown {
  const account = accountOf(call);
  const pair = pairOf(call);
  const orders = [...account.openOrders.values()].filter((order) => order.pair === pair);
  if (orders.length === 0) throw cancelRejected();
  // An order list is answered as one, with its orders inside.
  const lists = listsOf(account, orders).map((list) => cancelledList(call, account, list, randomToken().slice(0, 22)));
  const single = orders.filter(isOpen).map((order) => {
    const cancelId = randomToken().slice(0, 22);
    return cancelPayload(call.exchange.engine.cancel(account, order, cancelId), cancelId);
  });
  return [...single, ...lists];
}

const asBody = (error: unknown): { code: number; msg: string; status: number } => {
  if (!(error instanceof ApiError)) throw error;
  return { code: error.code, msg: error.message, status: error.status };
};

/** Cancels one order and places another; the new one is tried after a failed cancel only with ALLOW_FAILURE. */
function cancelReplace(call: Call): unknown {
  const account = accountOf(call);
  const { parameters } = call;
  const modeError = new ApiError(-1130, "Data sent for parameter 'cancelReplaceMode' is not valid.");
  parameters.required('cancelReplaceMode');
  const mode = parameters.choice('cancelReplaceMode', ['STOP_ON_FAILURE', 'ALLOW_FAILURE'], modeError);
  parameters.choice('orderRateLimitExceededMode', ['DO_NOTHING', 'CANCEL_ONLY'], modeError);
  const old = findOrder(call, account, 'cancelOrderId', 'cancelOrigClientOrderId', true);
  const cancelId = cancelIdOf(parameters, 'cancelNewClientOrderId');
  const request = readOrder(parameters, call.exchange.view);
  const detail = readDetail(parameters, request.type);
  let cancelResponse: unknown;
  let cancelFailed = false;
  try {
    checkRestriction(parameters, old);
    parameters.finish();
    cancelResponse = cancelPayload(call.exchange.engine.cancel(account, old, cancelId), cancelId);
  } catch (error) {
    const { code, msg } = asBody(error);
    if (code === -1104) throw error;
    cancelFailed = true;
    cancelResponse = { code, msg };
  }
  if (cancelFailed && mode === 'STOP_ON_FAILURE') {
    const data = { cancelResult: 'FAILURE', newOrderResult: 'NOT_ATTEMPTED', cancelResponse, newOrderResponse: null };
    throw new ApiError(-2022, 'Order cancel-replace failed.', { status: 400, data });
  }
  try {
    const { order, fills } = placeCounted(call, account, request);
    const newOrderResponse = newOrderPayload(order, fills, detail);
    if (!cancelFailed) return { cancelResult: 'SUCCESS', newOrderResult: 'SUCCESS', cancelResponse, newOrderResponse };
    const data = { cancelResult: 'FAILURE', newOrderResult: 'SUCCESS', cancelResponse, newOrderResponse };
    throw new ApiError(-2021, 'Order cancel-replace partially failed.', { status: 409, data });
  } catch (error) {
    const { code, msg, status } = asBody(error);
    if (code === -2021) throw error;
    const data = {
      cancelResult: cancelFailed ? 'FAILURE' : 'SUCCESS',
      newOrderResult: 'FAILURE',
      cancelResponse,
      newOrderResponse: { code, msg },
    };
    if (status === 429) throw new ApiError(code, msg, { status, data });
    throw cancelFailed
      ? new ApiError(-2022, 'Order cancel-replace failed.', { status: 400, data })
      : new ApiError(-2021, 'Order cancel-replace partially failed.', { status: 409, data });
  }
}

function queryOrder(call: Call): unknown {
  const order = findOrder(call, accountOf(call));
  if (!order) throw new ApiError(-2013, 'Order does not exist.');
  return orderPayload(order);
}

function openOrders(call: Call): unknown {
  const account = accountOf(call);
  const symbol = call.parameters.text('symbol');
  const pair = symbol === undefined ? undefined : pairOf(call, symbol);
  return [...account.openOrders.values()].filter((order) => !pair || order.pair === pair).map(orderPayload);
}

function allOrders(call: Call): unknown {
  const account = accountOf(call);
  const pair = pairOf(call);
  const from = call.parameters.integer('orderId');
  const { startTime, endTime } = readWindow(call.parameters);
  const limit = call.parameters.limit(500, 1000);
  const rows = [...account.orders.values()].filter(
    (order) =>
      order.pair === pair &&
      order.orderId >= (from ?? 0) &&
      order.time >= (startTime ?? 0) &&
      order.time <= (endTime ?? Number.POSITIVE_INFINITY),
  );
  return page(rows, limit, from !== undefined || startTime !== undefined).map(orderPayload);
}

function myTrades(call: Call): unknown {
  const account = accountOf(call);
  const pair = pairOf(call);
  const { parameters } = call;
  const orderId = parameters.integer('orderId');
  const fromId = parameters.integer('fromId');
  const { startTime, endTime } = readWindow(parameters);
  if ((fromId !== undefined || orderId !== undefined) && (startTime !== undefined || endTime !== undefined)) {
    throw new ApiError(-1128, 'Combination of optional parameters invalid.');
  }
  const limit = parameters.limit(500, 1000);
  const listed = call.exchange.listedTrades(pair);
  const rows = account.fills.filter(
    (fill) =>
      fill.symbol === pair.symbol &&
      fill.tradeId < listed &&
      (orderId === undefined || fill.orderId === orderId) &&
      fill.tradeId >= (fromId ?? 0) &&
      fill.time >= (startTime ?? 0) &&
      fill.time <= (endTime ?? Number.POSITIVE_INFINITY),
  );
  return page(rows, limit, fromId !== undefined || startTime !== undefined || orderId !== undefined).map((fill) =>
    fillPayload(fill, account.orders.get(fill.orderId)?.orderListId ?? -1),
  );
}

function commissionRates(account: Account, pair: Pair): Record<string, unknown> {
  const rates = feeRatesOn(pair, account.terms);
  const [maker, taker] = [money(decimal(rates.maker)), money(decimal(rates.taker))];
  const none = { maker: '0.00000000', taker: '0.00000000', buyer: '0.00000000', seller: '0.00000000' };
  return {
    standardCommissionForOrder: { maker, taker },
    specialCommissionForOrder: { maker: '0.00000000', taker: '0.00000000' },
    taxCommissionForOrder: { maker: '0.00000000', taker: '0.00000000' },
    standardCommission: { ...none, maker, taker },
    specialCommission: none,
    taxCommission: none,
    discount: { enabledForAccount: account.burnBnb, enabledForSymbol: true, discountAsset: 'BNB', discount: '0.75000000' },
  };
}

function commission(call: Call): unknown {
  const account = accountOf(call);
  const pair = pairOf(call);
  const { standardCommission, specialCommission, taxCommission, discount } = commissionRates(account, pair);
  return { symbol: pair.symbol, standardCommission, specialCommission, taxCommission, discount };
}

const trading = { security: 'trade', weight: 1, freeOnSuccess: true, countsOrders: true } as const;
const cancelling = { security: 'trade', weight: 1, freeOnSuccess: true } as const;

/** Orders and trades of an account. */
export const TRADE_ENDPOINTS: readonly Endpoint[] = [
  { method: 'POST', path: '/api/v3/order', socket: 'order.place', ...trading, run: newOrder },
  {
    method: 'POST',
    path: '/api/v3/order/test',
    socket: 'order.test',
    security: 'trade',
    weight: (p) => (p.has('computeCommissionRates') ? 20 : 1),
    run: testOrder,
  },
  { method: 'DELETE', path: '/api/v3/order', socket: 'order.cancel', ...cancelling, run: cancelOrder },
  { method: 'POST', path: '/api/v3/order/cancelReplace', socket: 'order.cancelReplace', ...trading, run: cancelReplace },
  { method: 'GET', path: '/api/v3/order', socket: 'order.status', security: 'read', weight: 4, run: queryOrder },
  {
    method: 'GET',
    path: '/api/v3/openOrders',
    socket: 'openOrders.status',
    security: 'read',
    weight: (p) => (p.has('symbol') ? 6 : 80),
    run: openOrders,
  },
  { method: 'DELETE', path: '/api/v3/openOrders', socket: 'openOrders.cancelAll', ...cancelling, run: cancelAll },
  { method: 'GET', path: '/api/v3/allOrders', socket: 'allOrders', security: 'read', weight: 20, run: allOrders },
  {
    method: 'GET',
    path: '/api/v3/myTrades',
    socket: 'myTrades',
    security: 'read',
    weight: (p) => (p.has('orderId') ? 5 : 20),
    run: myTrades,
  },
  { method: 'GET', path: '/api/v3/account/commission', socket: 'account.commission', security: 'read', weight: 20, run: commission },
  {
    method: 'GET',
    path: '/api/v3/rateLimit/order',
    socket: 'account.rateLimits.orders',
    security: 'read',
    weight: 40,
    run: (call) => call.limits.describeOrders(accountOf(call).id),
  },
];
