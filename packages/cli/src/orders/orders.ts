import { decimal, divide, isZero, multiply, toText } from '@pilotfish/core/money/decimal';
import { isNothing, type Percent, type Price } from '@pilotfish/core/money/figure';
import { formatPrice, formatQuantity, formatShare, UNKNOWN } from '@pilotfish/core/money/format';
import { type Order, ordersContract } from '@pilotfish/core/orders/orders-contract';
import type { Context } from '../app/context.ts';
import { pricePlaces } from '../app/price-places.ts';
import { printRows, type Resource } from '../ui/output.ts';
import { localTime } from '../ui/times.ts';

/** Share of the order that was executed, in percent. */
export const filledPct = ({ quantity, executedQuantity }: Pick<Order, 'quantity' | 'executedQuantity'>): Percent | undefined => {
  const whole = decimal(quantity);
  return isZero(whole) ? undefined : toText(divide(multiply(decimal(executedQuantity), decimal('100')), whole, 8));
};
/** Orders at the market have a price of 0. */
const isSet = (price: Price | undefined): price is Price => price !== undefined && !isNothing(price);
const orderPrice = (price: Price, places?: number): string => (isSet(price) ? formatPrice(price, places) : UNKNOWN);

/** Tells what the sentences about an order name of it, with the digits that its pair is read with. */
export async function orderTeller(context: Context) {
  const [t, places] = await Promise.all([context.texts(), pricePlaces(context)]);
  return ({ side, quantity, symbol, price, orderId }: Order) => ({
    side: t(`prices.side.${side}`),
    quantity: formatQuantity(quantity),
    symbol,
    price: orderPrice(price, places(symbol)),
    orderId,
  });
}

export const orders: Resource<Order> = {
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
