import { add, type Decimal, equals, greaterThan, isPositive, lessThan, maximum, minimum } from '@pilotfish/core/money/decimal';
import type { Account } from '../accounts/account.ts';
import { ApiError } from '../rest/api-error.ts';
import type { MatchingEngine } from './matching-engine.ts';
import { isOpen, type Order, spentAsset } from './order.ts';
import { amendLimit, checkQuantityFilters } from './order-filters.ts';
import { money } from './order-payload.ts';

/** What of an order is executed, or expired in place of a trade with its own account. */
const goneOf = ({ executed, prevented }: Order): Decimal => add(executed, prevented);

const refused = (message: string): ApiError => new ApiError(-2038, message);

/**
 * Reduces the quantity of an open order in its place; an OCO pair is reduced together. An order that has executed the
 * new quantity already is filled by that. Answers the execution's id. Throws before anything changed.
 */
export function amendOrder(
  engine: MatchingEngine,
  account: Account,
  order: Order | undefined,
  newQuantity: Decimal,
  newClientOrderId: string,
): number {
  if (!order || !isOpen(order)) throw new ApiError(-2013, 'Order does not exist.');
  const list = engine.lists.listOf(account, order);
  const partner = list && engine.lists.partner(account, list, order);
  const together = partner ? [order, partner] : [order];
  if (list?.paysPending && order.status === 'PENDING_NEW') throw refused('The quantity of this order is not known yet.');
  if (greaterThan(newQuantity, order.quantity)) throw refused('Order amend (quantity increase) is not supported.');
  if (equals(newQuantity, order.quantity)) throw refused('The requested action would change no state; rejecting.');
  if (lessThan(newQuantity, goneOf(order))) throw refused('The new quantity is below what was executed.');
  if (order.amendments.length >= amendLimit(engine.filters, order)) throw refused('Too many amendments of this order.');
  for (const other of account.openOrders.values()) {
    if (other !== order && other.clientOrderId === newClientOrderId) throw refused('Duplicate order sent.');
  }
  for (const each of together) {
    checkQuantityFilters({ ...each, quantity: newQuantity, icebergQuantity: minimum(each.icebergQuantity, newQuantity) }, engine.filters, {
      account,
      average: (minutes) => engine.view.average(each.pair, minutes).price,
    });
  }
  const renamed = newClientOrderId !== order.clientOrderId;
  const before = { clientOrderId: order.clientOrderId, quantity: money(order.quantity) };
  for (const each of together) {
    each.quantity = newQuantity;
    each.icebergQuantity = minimum(each.icebergQuantity, newQuantity);
    each.updateTime = engine.view.now();
  }
  order.clientOrderId = newClientOrderId;
  // Of a pair the stop leg holds what the dearer one needs.
  const holder = together.find((each) => isPositive(each.locked));
  if (holder) engine.release(account, holder, together.map((each) => engine.needOf(each)).reduce(maximum));
  let executionId = 0;
  for (const each of together) {
    if (equals(goneOf(each), newQuantity)) {
      each.status = 'FILLED';
      engine.close(account, each);
    }
    const origClientOrderId = each === order ? before.clientOrderId : each.clientOrderId;
    const id = engine.report(account, each, { type: 'REPLACED', origClientOrderId });
    if (each === order) executionId = id;
    each.amendments.push({
      executionId: id,
      origClientOrderId,
      newClientOrderId: each.clientOrderId,
      origQty: before.quantity,
      newQty: money(newQuantity),
      time: each.updateTime,
    });
  }
  engine.listener.balances(account, [spentAsset(order)]);
  if (list && renamed) engine.lists.renamed(account, list);
  if (order.status === 'FILLED') engine.lists.ended(account, order);
  return executionId;
}
