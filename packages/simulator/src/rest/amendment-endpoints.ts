import { isPositive } from '@pilotfish/core/money/decimal';
import { randomToken } from '../accounts/api-key.ts';
import { allocationOf } from '../matching/order.ts';
import { amendOrder } from '../matching/order-amendment.ts';
import { allocationPayload, amendedPayload, listPayload, preventedMatchPayload } from '../matching/order-payload.ts';
import { clientId } from '../matching/order-request.ts';
import { ApiError, missingParameter } from './api-error.ts';
import { accountOf, type Call, type Endpoint, pairOf } from './endpoint.ts';
import { findOrder } from './find-order.ts';
import { readWindow } from './order-parameters.ts';

function amend(call: Call): { amendedOrder: Record<string, unknown> } & Record<string, unknown> {
  const account = accountOf(call);
  const { parameters, exchange } = call;
  const order = findOrder(call, account);
  const quantity = parameters.amount('newQty');
  if (quantity === undefined) throw missingParameter('newQty');
  if (!isPositive(quantity)) throw new ApiError(-1130, "Data sent for parameter 'newQty' is not valid.");
  const origClientOrderId = order?.clientOrderId ?? '';
  const newClientOrderId = clientId(parameters, 'newClientOrderId') ?? randomToken().slice(0, 22);
  parameters.finish();
  const executionId = amendOrder(exchange.engine, account, order, quantity, newClientOrderId);
  const list = account.lists.get(order!.orderListId);
  return {
    transactTime: order!.updateTime,
    executionId,
    amendedOrder: amendedPayload(order!, origClientOrderId),
    ...(list ? { listStatus: listPayload(account, list) } : {}),
  };
}

function amendments(call: Call): unknown {
  const account = accountOf(call);
  const pair = pairOf(call);
  const { parameters } = call;
  parameters.required('orderId');
  const order = account.orders.get(parameters.integer('orderId')!);
  const from = parameters.integer('fromExecutionId') ?? 0;
  const limit = parameters.limit(500, 1000);
  if (order?.pair !== pair) throw new ApiError(-2013, 'Order does not exist.');
  return order.amendments
    .filter(({ executionId }) => executionId >= from)
    .slice(0, limit)
    .map((amendment) => ({ symbol: pair.symbol, orderId: order.orderId, ...amendment }));
}

/** The filters that bind this account at a symbol. */
function myFilters(call: Call): unknown {
  accountOf(call);
  const { filters } = call.exchange.engine;
  const pair = pairOf(call);
  return { exchangeFilters: filters.ofExchange, symbolFilters: filters.of(pair), assetFilters: filters.ofAssets(pair) };
}

/** What was filled by smart order routing, oldest first. */
function allocations(call: Call): unknown {
  const account = accountOf(call);
  const pair = pairOf(call);
  const { parameters } = call;
  const orderId = parameters.integer('orderId');
  const from = parameters.integer('fromAllocationId') ?? 0;
  const { startTime = 0, endTime = Number.POSITIVE_INFINITY } = readWindow(parameters);
  const limit = parameters.limit(500, 1000);
  return account.fills
    .filter((fill) => fill.symbol === pair.symbol && (orderId === undefined || fill.orderId === orderId))
    .filter((fill) => (allocationOf(fill) ?? -1) >= from && fill.time >= startTime && fill.time <= endTime)
    .slice(0, limit)
    .map((fill) => allocationPayload(fill, account.orders.get(fill.orderId)?.orderListId ?? -1));
}

/** Trades of the account with itself that were prevented, oldest first: by one match, or of one order. */
function preventedMatches(call: Call): unknown {
  const account = accountOf(call);
  const pair = pairOf(call);
  const { parameters } = call;
  const matchId = parameters.integer('preventedMatchId');
  const orderId = parameters.integer('orderId');
  const from = parameters.integer('fromPreventedMatchId') ?? 0;
  const limit = parameters.limit(500, 1000);
  if ((matchId === undefined) === (orderId === undefined)) throw new ApiError(-1128, 'Combination of optional parameters invalid.');
  const found = new Map<number, unknown>();
  for (const order of account.orders.values()) {
    if (order.pair !== pair || order.orderId !== (orderId ?? order.orderId)) continue;
    for (const match of order.preventions) {
      if (match.preventedMatchId !== (matchId ?? match.preventedMatchId) || match.preventedMatchId < from) continue;
      found.set(match.preventedMatchId, preventedMatchPayload(order, match));
    }
  }
  return [...found.values()].slice(0, limit);
}

/** Reducing an open order in its place, and what an account may ask about its rules. */
export const AMENDMENT_ENDPOINTS: readonly Endpoint[] = [
  {
    method: 'PUT',
    path: '/api/v3/order/amend/keepPriority',
    socket: 'order.amend.keepPriority',
    security: 'trade',
    weight: 4,
    freeOnSuccess: (answer) => (answer as ReturnType<typeof amend>).amendedOrder.status === 'FILLED',
    run: amend,
  },
  { method: 'GET', path: '/api/v3/order/amendments', socket: 'order.amendments', security: 'read', weight: 4, run: amendments },
  { method: 'GET', path: '/api/v3/myFilters', socket: 'myFilters', security: 'read', weight: 40, run: myFilters },
  {
    method: 'GET',
    path: '/api/v3/myPreventedMatches',
    socket: 'myPreventedMatches',
    security: 'read',
    weight: (p) => (p.has('orderId') ? 20 : 2),
    run: preventedMatches,
  },
  { method: 'GET', path: '/api/v3/myAllocations', socket: 'myAllocations', security: 'read', weight: 20, run: allocations },
];
