import { compare, type Decimal, fromFloat, greaterThan, isMultiple, isZero, lessThan, multiply } from '@pilotfish/core/money/decimal';
import type { Account } from '../accounts/account.ts';
import type { Pair } from '../market/market-contract.ts';
import { filterFailure } from '../rest/api-error.ts';
import { isConditional, isMarketLike, type OrderRequest } from './order.ts';

export const MAX_OPEN_ORDERS = 200;
export const MAX_CONDITIONAL_ORDERS = 5;
export const MAX_NOTIONAL = '9000000';
/** How far a limit price may be from the average price of the last five minutes. */
const PRICE_UP = 5;
const PRICE_DOWN = 0.2;

/** The `filters` of exchangeInfo, in the exchange's order. */
export function filtersOf(pair: Pair, fixed: (value: Decimal) => string): unknown[] {
  return [
    { filterType: 'PRICE_FILTER', minPrice: fixed(pair.tickSize), maxPrice: fixed(pair.maxPrice), tickSize: fixed(pair.tickSize) },
    { filterType: 'LOT_SIZE', minQty: fixed(pair.minQty), maxQty: fixed(pair.maxQty), stepSize: fixed(pair.stepSize) },
    { filterType: 'ICEBERG_PARTS', limit: 100 },
    { filterType: 'MARKET_LOT_SIZE', minQty: '0.00000000', maxQty: fixed(pair.maxQty), stepSize: '0.00000000' },
    {
      filterType: 'TRAILING_DELTA',
      minTrailingAboveDelta: 10,
      maxTrailingAboveDelta: 2000,
      minTrailingBelowDelta: 10,
      maxTrailingBelowDelta: 2000,
    },
    {
      filterType: 'PERCENT_PRICE_BY_SIDE',
      bidMultiplierUp: String(PRICE_UP),
      bidMultiplierDown: String(PRICE_DOWN),
      askMultiplierUp: String(PRICE_UP),
      askMultiplierDown: String(PRICE_DOWN),
      avgPriceMins: 5,
    },
    {
      filterType: 'NOTIONAL',
      minNotional: fixed(pair.minNotional),
      applyMinToMarket: true,
      maxNotional: `${MAX_NOTIONAL}.00000000`,
      applyMaxToMarket: false,
      avgPriceMins: 5,
    },
    { filterType: 'MAX_NUM_ORDERS', maxNumOrders: MAX_OPEN_ORDERS },
    { filterType: 'MAX_NUM_ORDER_LISTS', maxNumOrderLists: 20 },
    { filterType: 'MAX_NUM_ALGO_ORDERS', maxNumAlgoOrders: MAX_CONDITIONAL_ORDERS },
    { filterType: 'MAX_NUM_ORDER_AMENDS', maxNumOrderAmends: 10 },
  ];
}

/** Throws -1013 with the name of the first filter that the order breaks. `average` is the five-minute price. */
export function checkFilters(request: OrderRequest, account: Account, average: number): void {
  const { pair } = request;
  const market = isMarketLike(request.type);
  for (const price of [market ? undefined : request.price, isConditional(request.type) ? request.stopPrice : undefined]) {
    if (price && (lessThan(price, pair.tickSize) || greaterThan(price, pair.maxPrice) || !isMultiple(price, pair.tickSize))) {
      throw filterFailure('PRICE_FILTER');
    }
  }
  if (!isZero(request.quantity)) {
    const { quantity } = request;
    if (lessThan(quantity, pair.minQty) || greaterThan(quantity, pair.maxQty) || !isMultiple(quantity, pair.stepSize)) {
      throw filterFailure('LOT_SIZE');
    }
  }
  const averagePrice = fromFloat(average * pair.tick, 8);
  if (!market) {
    const up = multiply(averagePrice, { units: BigInt(PRICE_UP), scale: 0 });
    const down = multiply(averagePrice, fromFloat(PRICE_DOWN, 2));
    if (greaterThan(request.price, up) || lessThan(request.price, down)) throw filterFailure('PERCENT_PRICE_BY_SIDE');
  }
  const notional = isZero(request.quantity)
    ? request.quoteOrderQuantity
    : multiply(market ? averagePrice : request.price, request.quantity);
  if (lessThan(notional, pair.minNotional)) throw filterFailure('NOTIONAL');
  if (!market && compare(notional, { units: BigInt(MAX_NOTIONAL), scale: 0 }) > 0) throw filterFailure('NOTIONAL');
  let open = 0;
  let conditional = 0;
  for (const order of account.openOrders.values()) {
    if (order.pair !== pair) continue;
    open += 1;
    if (isConditional(order.type) && !order.isWorking) conditional += 1;
  }
  if (request.type !== 'MARKET' && open >= MAX_OPEN_ORDERS) throw filterFailure('MAX_NUM_ORDERS');
  if (isConditional(request.type) && conditional >= MAX_CONDITIONAL_ORDERS) throw filterFailure('MAX_NUM_ALGO_ORDERS');
}
