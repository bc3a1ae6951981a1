import type { Account } from '../accounts/account.ts';
import { isOpen, type Order } from '../matching/order.ts';
import { isListOpen, type OrderList, type OrderListRequest } from '../matching/order-list.ts';
import { type ListKind, readOrderList, readPlainPair } from '../matching/order-list-request.ts';
import { cancelPayload, listPayload, newOrderPayload } from '../matching/order-payload.ts';
import { ApiError } from './api-error.ts';
import { accountOf, type Call, type Endpoint, pairOf } from './endpoint.ts';
import { cancelIdOf, page, readDetail, readWindow } from './order-parameters.ts';
import type { RequestParameters } from './request-parameters.ts';

function placeList(call: Call, read: (parameters: RequestParameters) => OrderListRequest): unknown {
  const account = accountOf(call);
  const request = read(call.parameters);
  const detail = readDetail(call.parameters, 'LIMIT', 'RESULT');
  call.parameters.finish();
  const count = request.legs.length + (request.working ? 1 : 0);
  call.limits.countOrder(account.id, count);
  try {
    const { list, orders, fills } = call.exchange.engine.lists.place(account, request);
    const waiting = orders[0]!.status === 'FILLED' && list.contingencyType === 'OTO';
    const orderReports = orders.map((order, index) =>
      // What a filled working order set off is told afterwards only, as at the exchange.
      newOrderPayload(waiting && index > 0 ? beforeWork(order) : order, index === 0 ? fills : [], detail),
    );
    return { ...listPayload(account, list), orderReports };
  } catch (error) {
    call.limits.uncountOrder(account.id, count);
    throw error;
  }
}

function beforeWork(order: Order): Order {
  const zero = { units: 0n, scale: 0 };
  return { ...order, status: 'PENDING_NEW', workingTime: -1, executed: zero, executedQuote: zero, expiryReason: undefined };
}

/** A list by its id, or by its client's id; with both, both must agree. */
function findList(account: Account, id: number | undefined, client: string | undefined, names: [string, string]): OrderList | undefined {
  if (id === undefined && client === undefined)
    throw new ApiError(-1102, `Param '${names[0]}' or '${names[1]}' must be sent, but both were empty/null!`);
  if (id !== undefined) {
    const list = account.lists.get(id);
    return client === undefined || list?.listClientOrderId === client ? list : undefined;
  }
  for (const list of account.openLists.values()) if (list.listClientOrderId === client) return list;
  return [...account.lists.values()].reverse().find((list) => list.listClientOrderId === client);
}

function cancelList(call: Call): unknown {
  const account = accountOf(call);
  const pair = pairOf(call);
  const { parameters } = call;
  const id = parameters.integer('orderListId');
  const list = findList(account, id, parameters.text('listClientOrderId'), ['orderListId', 'listClientOrderId']);
  const cancelId = cancelIdOf(parameters, 'newClientOrderId');
  parameters.finish();
  return cancelledList(call, account, list?.pair === pair ? list : undefined, cancelId);
}

/** Cancels a list and answers it with the reports of all its orders that were open. */
export function cancelledList(call: Call, account: Account, list: OrderList | undefined, cancelId: string): Record<string, unknown> {
  const orders = call.exchange.engine.lists.cancel(account, list, cancelId);
  return { ...listPayload(account, list!), orderReports: orders.map((order) => cancelPayload(order, cancelId)) };
}

function queryList(call: Call): unknown {
  const account = accountOf(call);
  const id = call.parameters.integer('orderListId');
  const list = findList(account, id, call.parameters.text('origClientOrderId'), ['orderListId', 'origClientOrderId']);
  if (!list) throw new ApiError(-2018, 'Order list does not exist.');
  return listPayload(account, list);
}

function allLists(call: Call): unknown {
  const account = accountOf(call);
  const { parameters } = call;
  const from = parameters.integer('fromId');
  const { startTime, endTime } = readWindow(parameters);
  if (from !== undefined && (startTime !== undefined || endTime !== undefined))
    throw new ApiError(-1128, 'Combination of optional parameters invalid.');
  const limit = parameters.limit(500, 1000);
  const rows = [...account.lists.values()].filter(
    (list) => list.orderListId >= (from ?? 0) && list.time >= (startTime ?? 0) && list.time <= (endTime ?? Number.POSITIVE_INFINITY),
  );
  return page(rows, limit, from !== undefined || startTime !== undefined).map((list) => listPayload(account, list));
}

const openLists = (call: Call): unknown => {
  const account = accountOf(call);
  return [...account.openLists.values()].filter(isListOpen).map((list) => listPayload(account, list));
};

const placing = { method: 'POST', security: 'trade', weight: 1, freeOnSuccess: true, countsOrders: true } as const;

const newList = (kind: ListKind): Endpoint => ({
  ...placing,
  path: `/api/v3/orderList/${kind}`,
  socket: `orderList.place.${kind}`,
  run: (call) => placeList(call, (parameters) => readOrderList(kind, parameters, call.exchange.view)),
});

/** Whether one of a symbol's open orders belongs to a list. */
export const listsOf = (account: Account, orders: readonly Order[]): OrderList[] => [
  ...new Set(orders.filter(isOpen).flatMap((order) => account.openLists.get(order.orderListId) ?? [])),
];

/** Order lists: OCO, OTO and what is made of them. */
export const ORDER_LIST_ENDPOINTS: readonly Endpoint[] = [
  newList('oco'),
  newList('oto'),
  newList('otoco'),
  newList('opo'),
  newList('opoco'),
  {
    ...placing,
    path: '/api/v3/order/oco',
    socket: 'orderList.place',
    run: (call) => placeList(call, (parameters) => readPlainPair(parameters, call.exchange.view)),
  },
  {
    method: 'DELETE',
    path: '/api/v3/orderList',
    socket: 'orderList.cancel',
    security: 'trade',
    weight: 1,
    freeOnSuccess: true,
    run: cancelList,
  },
  { method: 'GET', path: '/api/v3/orderList', socket: 'orderList.status', security: 'read', weight: 4, run: queryList },
  { method: 'GET', path: '/api/v3/allOrderList', socket: 'allOrderLists', security: 'read', weight: 20, run: allLists },
  { method: 'GET', path: '/api/v3/openOrderList', socket: 'openOrderLists.status', security: 'read', weight: 6, run: openLists },
];
