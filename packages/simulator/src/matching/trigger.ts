import { type Order, type OrderRequest, triggersAbove } from './order.ts';

const WHOLE = 10_000;

/** Whether a price (in ticks) meets the stop price of a conditional order. */
export const meetsStop = (order: Pick<Order, 'side' | 'type' | 'stopTicks'>, price: number): boolean =>
  triggersAbove(order) ? price >= order.stopTicks : price <= order.stopTicks;

/** The same for an order that is only asked for; one without a stop price meets nothing. */
export const wouldTrigger = (request: OrderRequest, stopTicks: number, price: number): boolean =>
  stopTicks > 0 && meetsStop({ side: request.side, type: request.type, stopTicks }, price);

/**
 * Shows a trade's price to a conditional order that waits. True when it sets the order off.
 *
 * A trailing order follows the best price for its side (a seller the highest, a buyer the lowest) from the moment its
 * stop price was met, or at once when it has none, and goes off when the price came back by its delta.
 */
export function triggeredBy(order: Order, price: number, now: number): boolean {
  const delta = order.trailingDelta;
  if (delta === undefined) return meetsStop(order, price);
  if (order.trailingTime < 0) {
    if (meetsStop(order, price)) follow(order, price, now);
    return false;
  }
  if (order.side === 'SELL') {
    if (price > order.trailingTicks) order.trailingTicks = price;
    return price * WHOLE <= order.trailingTicks * (WHOLE - delta);
  }
  if (price < order.trailingTicks) order.trailingTicks = price;
  return price * WHOLE >= order.trailingTicks * (WHOLE + delta);
}

/** Begins to follow the price. */
export function follow(order: Order, price: number, now: number): void {
  order.trailingTime = now;
  order.trailingTicks = price;
}
