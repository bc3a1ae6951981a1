import type { OrderInFlight } from '@pilotfish/core/auto-trades/position/position-state';
import { ORDER_TYPES } from '../exchange/payloads.ts';

/** An order as the exchange takes it: quantities and prices are decimal texts, of the pair's own coins. */
export const orderParameters = (symbol: string, order: OrderInFlight) => ({
  symbol,
  side: order.side === 'Buy' ? 'BUY' : 'SELL',
  type: ORDER_TYPES[order.type],
  ...(order.type === 'Market' ? {} : { timeInForce: 'GTC', price: order.price ?? undefined }),
  ...(order.type === 'StopLimit' ? { stopPrice: order.stopPrice } : {}),
  quantity: order.quantity,
  newClientOrderId: order.clientOrderId,
});
