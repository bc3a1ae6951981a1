import {
  add,
  type Decimal,
  decimal,
  divide,
  fromFloat,
  greaterThan,
  isMultiple,
  isPositive,
  isZero,
  lessThan,
  multiply,
} from '@pilotfish/core/money/decimal';
import { type Account, balanceOf } from '../accounts/account.ts';
import { filterFailure } from '../rest/api-error.ts';
import type { FilterTable } from './filter-table.ts';
import { isConditional, isMarketLike, leftOf, type Order, type OrderRequest, triggersAbove } from './order.ts';
import type { SymbolFilter } from './symbol-filter.ts';

/** What a filter looks at besides the order. */
export type FilterContext = {
  readonly account: Account;
  /** Volume-weighted price of the last `minutes`, in ticks (a double); 0 minutes: the last price. */
  readonly average: (minutes: number) => number;
  /** Orders of the same list that come before this one and are not open yet. */
  readonly together?: readonly OrderRequest[];
  /** Order lists that are placed with it. */
  readonly lists?: number;
  /** The order's quantity will be known only when it goes to work. */
  readonly withoutQuantity?: boolean;
};

/** Throws -1013 with the name of the first filter that the order breaks. */
export function checkFilters(request: OrderRequest, table: FilterTable, context: FilterContext): void {
  const { pair } = request;
  for (const filter of [...table.of(pair), ...table.ofAssets(pair), ...table.ofExchange]) {
    if (!passes(filter, request, context)) throw filterFailure(filter.filterType);
  }
}

/** The rules of an order's size alone, for an order whose quantity changed. */
export function checkQuantityFilters(request: OrderRequest, table: FilterTable, context: FilterContext): void {
  const sized = new Set(['LOT_SIZE', 'MARKET_LOT_SIZE', 'ICEBERG_PARTS', 'MIN_NOTIONAL', 'NOTIONAL']);
  for (const filter of table.of(request.pair)) {
    if (sized.has(filter.filterType) && !passes(filter, request, context)) throw filterFailure(filter.filterType);
  }
}

export function amendLimit(table: FilterTable, { pair }: Order): number {
  const filter = table.of(pair).find((one) => one.filterType === 'MAX_NUM_ORDER_AMENDS');
  return filter?.filterType === 'MAX_NUM_ORDER_AMENDS' ? filter.maxNumOrderAmends : Number.POSITIVE_INFINITY;
}

function passes(filter: SymbolFilter, request: OrderRequest, context: FilterContext): boolean {
  const { pair, type, side } = request;
  const market = isMarketLike(type);
  const { account } = context;
  const together = context.together ?? [];
  const algos = together.filter((order) => isConditional(order.type)).length;
  const icebergs = together.filter((order) => isPositive(order.icebergQuantity)).length;
  const averagePrice = (minutes: number): Decimal => fromFloat(context.average(minutes) * pair.tick, 8);
  const notional = (minutes: number): Decimal => {
    if (isZero(request.quantity)) return request.quoteOrderQuantity;
    return multiply(market ? averagePrice(minutes) : request.price, request.quantity);
  };
  const near = (up: string, down: string, minutes: number): boolean => {
    if (market) return true;
    const average = averagePrice(minutes);
    return !above(request.price, multiply(average, decimal(up))) && !lessThan(request.price, multiply(average, decimal(down)));
  };
  switch (filter.filterType) {
    case 'PRICE_FILTER': {
      const stops = isConditional(type) && (request.trailingDelta === undefined || isPositive(request.stopPrice));
      const prices = [...(market ? [] : [request.price]), ...(stops ? [request.stopPrice] : [])];
      return prices.every((price) => within(price, filter.minPrice, filter.maxPrice, filter.tickSize));
    }
    case 'LOT_SIZE':
      return [request.quantity, request.icebergQuantity].every(
        (quantity) => isZero(quantity) || within(quantity, filter.minQty, filter.maxQty, filter.stepSize),
      );
    case 'MARKET_LOT_SIZE':
      return type !== 'MARKET' || isZero(request.quantity) || within(request.quantity, filter.minQty, filter.maxQty, filter.stepSize);
    case 'ICEBERG_PARTS':
      return (
        isZero(request.icebergQuantity) ||
        context.withoutQuantity === true ||
        !above(divide(request.quantity, request.icebergQuantity, 0, 'up'), decimal(filter.limit))
      );
    case 'TRAILING_DELTA': {
      if (request.trailingDelta === undefined) return true;
      return triggersAbove({ side, type })
        ? request.trailingDelta >= filter.minTrailingAboveDelta && request.trailingDelta <= filter.maxTrailingAboveDelta
        : request.trailingDelta >= filter.minTrailingBelowDelta && request.trailingDelta <= filter.maxTrailingBelowDelta;
    }
    case 'PERCENT_PRICE':
      return near(filter.multiplierUp, filter.multiplierDown, filter.avgPriceMins);
    case 'PERCENT_PRICE_BY_SIDE':
      return side === 'BUY'
        ? near(filter.bidMultiplierUp, filter.bidMultiplierDown, filter.avgPriceMins)
        : near(filter.askMultiplierUp, filter.askMultiplierDown, filter.avgPriceMins);
    case 'MIN_NOTIONAL':
      if (context.withoutQuantity || (market && !filter.applyToMarket)) return true;
      return !lessThan(notional(filter.avgPriceMins), decimal(filter.minNotional));
    case 'NOTIONAL': {
      if (context.withoutQuantity) return true;
      const value = notional(filter.avgPriceMins);
      if ((!market || filter.applyMinToMarket) && lessThan(value, decimal(filter.minNotional))) return false;
      return (market && !filter.applyMaxToMarket) || !above(value, decimal(filter.maxNotional));
    }
    case 'MAX_NUM_ORDERS':
      return type === 'MARKET' || count(account, (order) => order.pair === pair) + together.length < filter.maxNumOrders;
    case 'MAX_NUM_ALGO_ORDERS':
      return !isConditional(type) || count(account, (order) => order.pair === pair && isAlgo(order)) + algos < filter.maxNumAlgoOrders;
    case 'MAX_NUM_ICEBERG_ORDERS':
      return (
        isZero(request.icebergQuantity) ||
        count(account, (order) => order.pair === pair && isIceberg(order)) + icebergs < filter.maxNumIcebergOrders
      );
    case 'MAX_NUM_ORDER_LISTS':
      return !context.lists || lists(account, pair.symbol) + context.lists <= filter.maxNumOrderLists;
    case 'MAX_POSITION': {
      if (side === 'SELL') return true;
      const { free, locked } = balanceOf(account, pair.base);
      let position = add(add(free, locked), request.quantity);
      for (const order of account.openOrders.values()) {
        if (order.pair === pair && order.side === 'BUY') position = add(position, leftOf(order));
      }
      return !above(position, decimal(filter.maxPosition));
    }
    case 'MAX_ASSET':
      return !above(filter.asset === pair.base ? request.quantity : notional(5), decimal(filter.limit));
    case 'EXCHANGE_MAX_NUM_ORDERS':
      return type === 'MARKET' || account.openOrders.size + together.length < filter.maxNumOrders;
    case 'EXCHANGE_MAX_NUM_ALGO_ORDERS':
      return !isConditional(type) || count(account, isAlgo) + algos < filter.maxNumAlgoOrders;
    case 'EXCHANGE_MAX_NUM_ICEBERG_ORDERS':
      return isZero(request.icebergQuantity) || count(account, isIceberg) + icebergs < filter.maxNumIcebergOrders;
    case 'EXCHANGE_MAX_NUM_ORDER_LISTS':
      return !context.lists || lists(account) + context.lists <= filter.maxNumOrderLists;
    case 'MAX_NUM_ORDER_AMENDS':
      return true;
  }
}

const isAlgo = (order: Order): boolean => isConditional(order.type) && !order.isWorking;
const isIceberg = (order: Order): boolean => isPositive(order.icebergQuantity);

/** Above a bound that is switched off by zero. */
const above = (value: Decimal, most: Decimal): boolean => isPositive(most) && greaterThan(value, most);

function within(value: Decimal, least: string, most: string, step: string): boolean {
  return !lessThan(value, decimal(least)) && !above(value, decimal(most)) && isMultiple(value, decimal(step));
}

function count(account: Account, matches: (order: Order) => boolean): number {
  let open = 0;
  for (const order of account.openOrders.values()) if (matches(order)) open += 1;
  return open;
}

function lists(account: Account, symbol?: string): number {
  let open = 0;
  for (const list of account.openLists.values()) if (!symbol || list.pair.symbol === symbol) open += 1;
  return open;
}
