import type { Account } from '../accounts/account.ts';
import type { Order } from '../matching/order.ts';
import { ApiError } from './api-error.ts';
import { type Call, pairOf } from './endpoint.ts';

/** The order that `orderId` or `origClientOrderId` names (with both, the id decides and the client id must agree). */
export function findOrder(
  call: Call,
  account: Account,
  idName = 'orderId',
  clientName = 'origClientOrderId',
  openOnly = false,
): Order | undefined {
  const pair = pairOf(call);
  const id = call.parameters.integer(idName);
  const client = call.parameters.text(clientName);
  if (id === undefined && client === undefined) {
    throw new ApiError(-1102, `Param '${clientName}' or '${idName}' must be sent, but both were empty/null!`);
  }
  if (id !== undefined) {
    const order = account.orders.get(id);
    return order?.pair === pair && (client === undefined || order.clientOrderId === client) ? order : undefined;
  }
  const matches = (order: Order): boolean => order.pair === pair && order.clientOrderId === client;
  for (const order of account.openOrders.values()) if (matches(order)) return order;
  return openOnly ? undefined : [...account.orders.values()].reverse().find(matches);
}
