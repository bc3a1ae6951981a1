import { add, type Decimal, decimal, divide, HUNDRED, isPositive, multiply, rescale, subtract, sum, toText } from './decimal.ts';
import type { Money, Price, Quantity } from './figure.ts';

const MONEY_SCALE = 8;
const PERCENT_SCALE = 4;

/**
 * Change of a worth since an earlier one, less what came in and went out meanwhile. The percentage is of what was there and
 * what came in; null when that is nothing.
 * @param flows of the time between, negative: went out
 */
export function netChange(before: Money, now: Money, flows: readonly Decimal[]): { readonly change: string; readonly pct: string | null } {
  const change = subtract(subtract(decimal(now), decimal(before)), sum(flows));
  const base = add(decimal(before), sum(flows.filter(isPositive)));
  return {
    change: toText(change),
    pct: isPositive(base) ? toText(divide(multiply(change, HUNDRED), base, PERCENT_SCALE)) : null,
  };
}

/** A sum of money in units of what costs `price`, eight digits, rounded down; null without a price. */
export const unitsFor = (money: Money, price: Price | undefined): string | null =>
  price === undefined || !isPositive(decimal(price)) ? null : toText(divide(decimal(money), decimal(price), MONEY_SCALE, 'down'));

/** What so many units are worth at a price, to the digits that money needs. */
export const worthOf = (quantity: Quantity, price: Price): string =>
  toText(rescale(multiply(decimal(quantity), decimal(price)), MONEY_SCALE, 'half-even'));
