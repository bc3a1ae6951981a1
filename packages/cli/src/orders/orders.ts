import { AppError } from '@pilotfish/core/http/problem';
import { decimal, divide, isZero, multiply, toText } from '@pilotfish/core/money/decimal';
import { isNothing, type Percent, type Price } from '@pilotfish/core/money/figure';
import { formatPrice, formatQuantity, formatShare, UNKNOWN } from '@pilotfish/core/money/format';
import { type Order, ordersContract } from '@pilotfish/core/orders/orders-contract';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, UsageError } from '../app/failure.ts';
import { requireTrading } from '../app/require-trading.ts';
import { localTime, printRows, type Resource } from '../ui/output.ts';
import { confirm } from '../ui/prompt.ts';

/** Share of the order that was executed, in percent. */
export const filledPct = ({ quantity, executedQuantity }: Pick<Order, 'quantity' | 'executedQuantity'>): Percent | undefined => {
  const whole = decimal(quantity);
  return isZero(whole) ? undefined : toText(divide(multiply(decimal(executedQuantity), decimal('100')), whole, 8));
};
/** Orders at the market have a price of 0. */
const isSet = (price: Price | undefined): price is Price => price !== undefined && !isNothing(price);
const orderPrice = (price: Price, places?: number): string => (isSet(price) ? formatPrice(price, places) : UNKNOWN);

const orders: Resource<Order> = {
  empty: 'orders',
  columns: [
    { key: 'symbol', value: ({ symbol }) => symbol, shown: ({ symbol }, paint) => paint.bold(symbol) },
    { key: 'side', value: ({ side }) => side, shown: ({ side }, paint) => (side === 'Buy' ? paint.green(side) : paint.red(side)) },
    { key: 'type', value: ({ type }) => type, rank: 2 },
    {
      key: 'status',
      value: ({ status }) => status,
      shown: ({ status }, paint) => (status === 'PARTIALLY_FILLED' ? paint.yellow(status) : status),
      rank: 3,
    },
    {
      key: 'price',
      value: ({ price }) => price,
      pair: ({ symbol }) => symbol,
      shown: (row, _, places) => orderPrice(row.price, places(row.symbol)),
      right: true,
    },
    {
      key: 'stopPrice',
      value: ({ stopPrice }) => stopPrice ?? null,
      pair: ({ symbol }) => symbol,
      shown: ({ symbol, stopPrice }, _, places) => (isSet(stopPrice) ? formatPrice(stopPrice, places(symbol)) : ''),
      right: true,
      rank: 6,
    },
    { key: 'quantity', value: ({ quantity }) => quantity, shown: ({ quantity }) => formatQuantity(quantity), right: true },
    {
      key: 'executedQuantity',
      value: ({ executedQuantity }) => executedQuantity,
      shown: (row) => {
        const share = filledPct(row);
        return share === undefined ? UNKNOWN : formatShare(share, 1);
      },
      right: true,
      rank: 1,
    },
    { key: 'bot', value: ({ bot }) => bot?.name ?? '', rank: 5 },
    { key: 'createdAt', value: ({ createdAt }) => createdAt, shown: ({ createdAt }) => localTime(createdAt), rank: 4 },
    { key: 'orderId', value: ({ orderId }) => orderId },
  ],
};

export async function list(context: Context, { symbol, watch }: { symbol?: string; watch?: true }): Promise<void> {
  const client = await context.client(ordersContract);
  const params = { exchange: 'Binance' as const, symbol: symbol?.toUpperCase() ?? 'all' };
  const load = () => client.listOpenOrders({ params });
  if (watch) {
    const { watchRows } = await import('../ui/watch-rows.ts');
    return watchRows(context, orders, load, ['account', 'auto-trades', 'positions']);
  }
  await printRows(context, orders, await load());
}

type CancelFlags = { symbol: string; orderId?: string; all?: true; dryRun?: true };

/** Names the orders before it asks; --dry-run stops there. An order that is gone meanwhile is no failure of the others. */
export async function cancel(context: Context, { symbol, orderId, all, dryRun }: CancelFlags): Promise<void> {
  if ((orderId === undefined) === (all === undefined)) throw new UsageError('orderOrAll');
  const client = await context.client(ordersContract);
  const pair = symbol.toUpperCase();
  const open = await client.listOpenOrders({ params: { exchange: 'Binance', symbol: pair } });
  const wanted = all ? open : open.filter((each) => each.orderId === orderId);
  const [first] = wanted;
  if (!first) {
    if (!all) throw new AppError('unknown-order');
    return printRows(context, orders, []);
  }
  const described = ({ side, quantity, price }: Order) => ({
    side,
    quantity: formatQuantity(quantity),
    symbol: pair,
    price: orderPrice(price),
  });
  if (dryRun) {
    for (const order of wanted) await context.say('cli.orders.wouldCancel', described(order));
    return;
  }
  await requireTrading(context);
  const t = await context.texts();
  // An order of a bot is part of a plan: what becomes of it is said before it is taken away.
  for (const { bot } of wanted) if (bot) context.stderr.write(`${t(`orders.ask.bot.${bot.purpose}`, { name: bot.name })}\n`);
  const asked = all
    ? confirm(context, 'cli.orders.cancelAll', { count: wanted.length, symbol: pair })
    : confirm(context, 'cli.orders.cancel', described(first));
  if (!(await asked)) throw new Ended(EXIT.failed);
  const cancelled: Order[] = [];
  const failed: unknown[] = [];
  // One after the other: the exchange counts orders of one account, and the answers come in this order.
  for (const order of wanted)
    await client.cancelOrder({ params: { exchange: 'Binance', symbol: pair, orderId: order.orderId } }).then(
      (done) => cancelled.push(done),
      (error: unknown) => failed.push(error),
    );
  const [failure] = failed;
  if (cancelled.length > 0 || failure === undefined) {
    const { printOne } = await import('../ui/output.ts');
    if (all) await printRows(context, orders, cancelled);
    else await printOne(context, orders, cancelled[0]!);
  }
  if (failure !== undefined) throw failure;
}
