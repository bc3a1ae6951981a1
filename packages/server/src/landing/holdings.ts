import {
  add,
  compare,
  type Decimal,
  decimal,
  divide,
  HUNDRED,
  isPositive,
  isZero,
  multiply,
  rescale,
  subtract,
  toText,
  ZERO,
} from '@pilotfish/core/money/decimal';

/** What the exchange says an account has of an asset. */
export type Balance = { asset: string; free: string; locked: string };

/** Price of one unit in the primary currency, now and 24 hours ago; undefined when it has none. */
export type PriceOf = (asset: string) => { now: string; dayAgo?: string | undefined } | undefined;

export type Holding = { asset: string; quantity: string; value: string; sharePct: string };
export type Valuation = {
  total: string;
  /** Free units of the primary currency. */
  available: string;
  /** Everything else: coins, and what open orders hold. */
  invested: string;
  /** Change of the present holdings over 24 hours in percent units; null when nothing has a price. */
  change24h: string | null;
  /** By value, largest first; only what has a price. */
  holdings: Holding[];
  unpriced: string[];
};

const VALUE_SCALE = 8;
const PERCENT_SCALE = 4;

/** (a / b) × 100, rounded to four digits. `b` is above zero. */
const percentOf = (a: Decimal, b: Decimal): string => toText(divide(multiply(a, HUNDRED), b, PERCENT_SCALE));
const money = (value: Decimal): string => toText(rescale(value, VALUE_SCALE, 'down'));

/** Values an account in the primary currency. An asset without a price is named, not counted as zero. */
export function valueHoldings(balances: readonly Balance[], primary: string, priceOf: PriceOf): Valuation {
  let total = ZERO;
  let dayAgo = ZERO;
  let available = ZERO;
  const unpriced: string[] = [];
  const priced: { asset: string; quantity: Decimal; value: Decimal }[] = [];
  for (const { asset, free, locked } of balances) {
    const quantity = add(decimal(free), decimal(locked));
    if (isZero(quantity)) continue;
    const price = asset === primary ? { now: '1' } : priceOf(asset);
    if (price === undefined) {
      unpriced.push(asset);
      continue;
    }
    const value = multiply(quantity, decimal(price.now));
    total = add(total, value);
    dayAgo = add(dayAgo, multiply(quantity, decimal(price.dayAgo ?? price.now)));
    if (asset === primary) available = decimal(free);
    priced.push({ asset, quantity, value });
  }
  priced.sort((a, b) => compare(b.value, a.value) || (a.asset < b.asset ? -1 : 1));
  return {
    total: money(total),
    available: money(available),
    invested: money(subtract(rescale(total, VALUE_SCALE, 'down'), rescale(available, VALUE_SCALE, 'down'))),
    change24h: isPositive(dayAgo) ? percentOf(subtract(total, dayAgo), dayAgo) : null,
    holdings: priced.map(({ asset, quantity, value }) => ({
      asset,
      quantity: toText(quantity),
      value: money(value),
      sharePct: isPositive(total) ? percentOf(value, total) : '0',
    })),
    unpriced: unpriced.sort(),
  };
}

/** A value in the primary currency as bitcoin, eight digits. */
export const inBitcoin = (total: string, bitcoinPrice: string | undefined): string | null =>
  bitcoinPrice === undefined || !isPositive(decimal(bitcoinPrice))
    ? null
    : toText(divide(decimal(total), decimal(bitcoinPrice), VALUE_SCALE, 'down'));
