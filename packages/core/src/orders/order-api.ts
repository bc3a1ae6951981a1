import { fromPromise } from 'xstate';
import type { Client } from '../http/client.ts';
import type { Order, ordersContract } from './orders-contract.ts';

type Named = { orderId: string; symbol: string };
const exchange = 'Binance';

/** The calls of the machine of an order, as its `provide({ actors })` wants them. */
export const orderActors = (client: Client<typeof ordersContract>) => ({
  cancel: fromPromise<Order, Named>(({ input, signal }) => client.cancelOrder({ params: { exchange, ...input } }, { signal, quiet: true })),
  look: fromPromise<Order | undefined, Named>(async ({ input, signal }) => {
    const orders = await client.listOpenOrders({ params: { exchange, symbol: input.symbol } }, { signal, quiet: true });
    return orders.find(({ orderId }) => orderId === input.orderId);
  }),
});
