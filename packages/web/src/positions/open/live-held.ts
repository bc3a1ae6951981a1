import { amountAtRisk } from '@pilotfish/core/auto-trades/position-risk';
import {
  type Decimal,
  decimal,
  divide,
  HUNDRED,
  isDecimalText,
  isPositive,
  multiply,
  subtract,
  toText,
} from '@pilotfish/core/money/decimal';
import type { Money, Price } from '@pilotfish/core/money/figure';
import type { HeldPositionRow } from '@pilotfish/core/positions/held-positions-contract';
import { openResult } from '@pilotfish/core/positions/position-figures';
import { text } from './live-figures.ts';

/** Decimals of percentages, as the list has them. */
const PERCENT_PLACES = 4;

type Valued = { readonly quantity: Decimal; readonly cost: Decimal; readonly fee: Decimal; readonly taker: Decimal };

/**
 * What a row says between its figures: the fee is what its result lacks of value − cost, and the taker rate is the fee's
 * share of the value. Null where the list knows no price or no cost.
 */
function valued({ quantity, cost, value, result }: HeldPositionRow): Valued | null {
  if (cost === null || value === null || result === null) return null;
  const [spent, worth] = [decimal(cost), decimal(value)];
  if (!isPositive(worth)) return null;
  const fee = subtract(subtract(worth, spent), decimal(result));
  return { quantity: decimal(quantity), cost: spent, fee, taker: divide(fee, worth) };
}

/** The fee of selling all of it at the row's price, in the quote asset; null where the result is not known. */
export function exitFeeOf(row: HeldPositionRow): Money | null {
  const known = valued(row);
  return known && text(known.fee);
}

/** What selling all of it at `price` would bring above its cost, after the exit fee; null where the cost or a price is not known. */
export function resultAt(row: HeldPositionRow, price: Price): Money | null {
  const known = valued(row);
  return known && text(openResult(known, decimal(price), known.taker));
}

/**
 * A row of the held list at a newer price, by the same exact arithmetic as the server's. What the server does not know
 * stays unknown; without a newer price the row is the very same.
 */
export function liveHeld(row: HeldPositionRow, newest: Price | undefined): HeldPositionRow {
  if (newest === undefined || newest === row.price || row.value === null || !isDecimalText(newest)) return row;
  const price = decimal(newest);
  if (!isPositive(price)) return row;
  const value = text(multiply(decimal(row.quantity), price));
  const known = valued(row);
  // An old result beside a new price would be wrong: without the rate there is none.
  if (!known) return { ...row, price: newest, value, result: null, resultPct: null, atRisk: null };
  const result = openResult(known, price, known.taker);
  return {
    ...row,
    price: newest,
    value,
    result: text(result),
    resultPct: isPositive(known.cost) ? toText(divide(multiply(result, HUNDRED), known.cost, PERCENT_PLACES)) : null,
    atRisk: row.stop === null ? null : text(amountAtRisk(known.quantity, price, decimal(row.stop), known.taker)),
  };
}
