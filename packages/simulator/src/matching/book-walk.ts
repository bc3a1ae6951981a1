import { add, type Decimal, divide, multiply, rescale, subtract, toFloat, ZERO } from '@pilotfish/core/money/decimal';
import type { Level } from '../market/book.ts';
import { type Pair, unitsDecimal } from '../market/market-contract.ts';

/** A part of an order filled at one price; price in ticks, quantity in lots. */
export type Slice = { price: number; quantity: number };

/** Amounts of money have eight digits after the point; what a fill costs is cut there, as the exchange does. */
export const MONEY_PLACES = 8;

export const quoteOf = (pair: Pair, price: number, quantity: number): Decimal =>
  rescale(multiply(unitsDecimal(price, pair.tickSize), unitsDecimal(quantity, pair.stepSize)), MONEY_PLACES, 'down');

/** Lots in an amount of the base asset, rounded down. */
export const lotsOf = (pair: Pair, amount: Decimal): number => Number(divide(amount, pair.stepSize, 0, 'down').units);

/** Ticks in a price, rounded down. */
export const ticksOf = (pair: Pair, price: Decimal): number => Number(divide(price, pair.tickSize, 0, 'down').units);

/** Takes `quantity` lots from the levels, best first, no further than `acceptable` prices. */
export function walkByQuantity(levels: readonly Level[], quantity: number, acceptable: (price: number) => boolean): Slice[] {
  const slices: Slice[] = [];
  let left = quantity;
  for (const level of levels) {
    if (left <= 0 || !acceptable(level.price)) break;
    if (level.quantity <= 0) continue;
    const take = Math.min(left, level.quantity);
    slices.push({ price: level.price, quantity: take });
    left -= take;
  }
  return slices;
}

/** Takes lots worth at most `budget` of the quote asset. */
export function walkByBudget(pair: Pair, levels: readonly Level[], budget: Decimal): Slice[] {
  const slices: Slice[] = [];
  let left = budget;
  for (const level of levels) {
    if (level.quantity <= 0) continue;
    const lotPrice = multiply(unitsDecimal(level.price, pair.tickSize), pair.stepSize);
    const affordable = divide(left, lotPrice, 0, 'down');
    const take = toFloat(affordable) >= level.quantity ? level.quantity : Number(affordable.units);
    if (take <= 0) break;
    slices.push({ price: level.price, quantity: take });
    left = subtract(left, quoteOf(pair, level.price, take));
  }
  return slices;
}

export const costOf = (pair: Pair, slices: readonly Slice[]): Decimal =>
  slices.reduce((sum, slice) => add(sum, quoteOf(pair, slice.price, slice.quantity)), ZERO);

export const quantityOf = (slices: readonly Slice[]): number => slices.reduce((sum, slice) => sum + slice.quantity, 0);
