import { type Decimal, decimal, greaterThan, isMultiple, isPositive, lessThan, multiply } from '../money/decimal.ts';
import type { Figure } from '../money/figure.ts';
import type { PairFilters } from '../prices/prices-contract.ts';

/** An order as the exchange looks at it before it takes it. */
export type AskedOrder = {
  readonly side: 'Buy' | 'Sell';
  readonly type: 'Limit' | 'Market' | 'StopLimit';
  readonly quantity: Decimal;
  /** Null at the market. */
  readonly price: Decimal | null;
  readonly stopPrice: Decimal | null;
};

/** Why the exchange would not have an order: its code and the name of the rule. */
export type Refusal = { readonly code: string; readonly rule: string };

const filter = (rule: string): Refusal => ({ code: '-1013', rule });
const rejected = (rule: string): Refusal => ({ code: '-2010', rule });
/** A bound of "0" is no bound. */
const outside = (value: Decimal, least: Figure, most: Figure): boolean =>
  lessThan(value, decimal(least)) || (isPositive(decimal(most)) && greaterThan(value, decimal(most)));

/**
 * The first filter of the pair that an order breaks, or undefined when the exchange would take it.
 * @param last price of the newest trade: what market orders are valued by and what percent bounds count from
 * @param stops stop orders that rest already
 */
export function refusalOf(order: AskedOrder, filters: PairFilters, last: Decimal, stops: number): Refusal | undefined {
  const { side, type, quantity, price, stopPrice } = order;
  if (filters.withoutOrders?.includes(type)) return rejected('ORDER_TYPE');
  if (outside(quantity, filters.minQty, filters.maxQty) || !isMultiple(quantity, decimal(filters.stepSize))) return filter('LOT_SIZE');
  const { marketMinQty = '0', marketMaxQty, marketStepSize = '0' } = filters;
  if (type === 'Market' && (outside(quantity, marketMinQty, marketMaxQty) || !isMultiple(quantity, decimal(marketStepSize))))
    return filter('MARKET_LOT_SIZE');
  for (const asked of [price, stopPrice]) {
    if (asked === null) continue;
    if (outside(asked, filters.minPrice, filters.maxPrice) || !isMultiple(asked, decimal(filters.tickSize))) return filter('PRICE_FILTER');
  }
  if (price !== null) {
    const [up, down] =
      side === 'Buy' ? [filters.bidMultiplierUp, filters.bidMultiplierDown] : [filters.askMultiplierUp, filters.askMultiplierDown];
    const most = multiply(last, decimal(up));
    if ((isPositive(most) && greaterThan(price, most)) || lessThan(price, multiply(last, decimal(down))))
      return filter('PERCENT_PRICE_BY_SIDE');
  }
  const { minNotional, maxNotional, marketMinNotional = minNotional, marketMaxNotional = maxNotional } = filters;
  const [least, most] = type === 'Market' ? [marketMinNotional, marketMaxNotional] : [minNotional, maxNotional];
  if (outside(multiply(quantity, price ?? last), least, most)) return filter('NOTIONAL');
  if (type !== 'StopLimit') return undefined;
  if (stops >= filters.maxNumAlgoOrders) return filter('MAX_NUM_ALGO_ORDERS');
  const wouldTrigger = stopPrice !== null && (side === 'Sell' ? !greaterThan(last, stopPrice) : !lessThan(last, stopPrice));
  return wouldTrigger ? rejected('STOP_WOULD_TRIGGER') : undefined;
}
