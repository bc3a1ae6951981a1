import * as z from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { amountText, exchangeName, id, isoTime, money, orderSide, price, quantity, symbol } from '../http/wire.ts';

export const orderStatus = z.enum([
  'NEW',
  'PENDING_NEW',
  'PARTIALLY_FILLED',
  'FILLED',
  'CANCELED',
  'PENDING_CANCEL',
  'REJECTED',
  'EXPIRED',
  'EXPIRED_IN_MATCH',
]);

/** An instruction at the exchange. Its executions are fills (trades). */
/** What a bot placed it for; `protect` is the stop that rests at the exchange. */
export const orderPurpose = z.enum(['entry', 'rebuy', 'takeProfit', 'exit', 'protect']);
export type OrderPurpose = z.infer<typeof orderPurpose>;

export const orderSchema = z.object({
  orderId: z.string(),
  clientOrderId: z.string(),
  symbol,
  side: orderSide,
  type: z.string(),
  status: orderStatus,
  price: price(),
  quantity: quantity(amountText),
  executedQuantity: quantity(amountText),
  quoteQuantity: money(),
  stopPrice: price().optional(),
  /** Whose order it is; null for what the account's owner or another program placed. */
  bot: z.object({ id, name: z.string(), purpose: orderPurpose }).nullable(),
  createdAt: isoTime,
  updatedAt: isoTime,
});
export type Order = z.infer<typeof orderSchema>;

const params = z.object({ exchange: exchangeName, symbol: z.union([symbol, z.literal('all')]) });

export const listOpenOrders = endpoint({
  backend: 'bff',
  method: 'GET',
  path: '/v2/orders/{exchange}/{symbol}',
  access: 'user',
  summary: 'Open orders of one pair, or of all',
  params,
  answer: z.array(orderSchema),
  errors: ['not-connected', 'exchange-unreachable', 'exchange-rate-limited'],
});

export const cancelOrder = endpoint({
  backend: 'bff',
  method: 'DELETE',
  path: '/v2/orders/{exchange}/{symbol}/{orderId}',
  access: 'user',
  summary: 'Cancels one order',
  params: params.extend({ symbol, orderId: z.string().regex(/^\d{1,20}$/) }),
  answer: orderSchema,
  errors: ['not-connected', 'trading-disabled', 'unknown-order', 'exchange-unreachable', 'exchange-rate-limited'],
});

export const ordersContract = { listOpenOrders, cancelOrder };
