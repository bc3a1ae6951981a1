import { AppError } from '@pilotfish/core/http/problem';
import { type Order, ordersContract } from '@pilotfish/core/orders/orders-contract';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended } from '../app/failure.ts';
import { localTime, printOne, printRows, type Resource } from '../ui/output.ts';
import { confirm } from '../ui/prompt.ts';

const orders: Resource<Order> = {
  empty: 'orders',
  columns: [
    { key: 'symbol', value: ({ symbol }) => symbol, shown: ({ symbol }, paint) => paint.bold(symbol) },
    { key: 'side', value: ({ side }) => side, shown: ({ side }, paint) => (side === 'Buy' ? paint.green(side) : paint.red(side)) },
    { key: 'type', value: ({ type }) => type },
    { key: 'status', value: ({ status }) => status },
    { key: 'price', value: ({ price }) => price, right: true },
    { key: 'quantity', value: ({ quantity }) => quantity, right: true },
    { key: 'executedQuantity', value: ({ executedQuantity }) => executedQuantity, right: true },
    { key: 'createdAt', value: ({ createdAt }) => createdAt, shown: ({ createdAt }) => localTime(createdAt) },
    { key: 'orderId', value: ({ orderId }) => orderId },
  ],
};

export async function list(context: Context, { symbol, watch }: { symbol?: string; watch?: true }): Promise<void> {
  const client = await context.client(ordersContract);
  const params = { exchange: 'Binance' as const, symbol: symbol?.toUpperCase() ?? 'all' };
  const load = () => client.listOpenOrders({ params });
  if (watch) {
    const { watchRows } = await import('../ui/watch-rows.ts');
    return watchRows(context, orders, load, ['account', 'auto-trades']);
  }
  await printRows(context, orders, await load());
}

/** Names the order before it asks; --dry-run stops there. */
export async function cancel(
  context: Context,
  { symbol, orderId, dryRun }: { symbol: string; orderId: string; dryRun?: true },
): Promise<void> {
  const client = await context.client(ordersContract);
  const pair = symbol.toUpperCase();
  const open = await client.listOpenOrders({ params: { exchange: 'Binance', symbol: pair } });
  const order = open.find((each) => each.orderId === orderId);
  if (!order) throw new AppError('unknown-order');
  const { side, quantity, price } = order;
  if (dryRun) {
    await context.say('cli.orders.wouldCancel', { side, quantity, symbol: pair, price });
    return;
  }
  if (!(await confirm(context, 'cli.orders.cancel', { side, quantity, symbol: pair, price }))) throw new Ended(EXIT.failed);
  await printOne(context, orders, await client.cancelOrder({ params: { exchange: 'Binance', symbol: pair, orderId } }));
}
