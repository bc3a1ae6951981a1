import {
  add,
  compare,
  type Decimal,
  decimal,
  divide,
  HUNDRED,
  isPositive,
  isZero,
  minimum,
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

/** Units of an asset whose cost is known, with that cost in the primary currency. */
export type CostOf = (asset: string) => { quantity: Decimal; cost: Decimal } | undefined;

export type Holding = { asset: string; quantity: string; value: string; sharePct: string };
export type Valuation = {
  total: string;
  /** Free units of the primary currency. */
  available: string;
  /** What coins cost, or are worth where nobody knows their cost, and what open orders hold. */
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

/** What an account has of each coin, whatever the names it lies under; free is what its own name has free. */
function byCoin(balances: readonly Balance[], coinOf: (asset: string) => string) {
  const coins = new Map<string, { free: Decimal; quantity: Decimal }>();
  for (const { asset, free, locked } of balances) {
    const coin = coinOf(asset);
    const known = coins.get(coin) ?? { free: ZERO, quantity: ZERO };
    const quantity = add(known.quantity, add(decimal(free), decimal(locked)));
    coins.set(coin, { free: coin === asset ? add(known.free, decimal(free)) : known.free, quantity });
  }
  return coins;
}

/**
 * Values an account in the primary currency. An asset without a price is named, not counted as zero.
 * @param coinOf what coin an asset is: `coinNames`
 */
export function valueHoldings(
  balances: readonly Balance[],
  primary: string,
  priceOf: PriceOf,
  costOf: CostOf = () => undefined,
  coinOf: (asset: string) => string = (asset) => asset,
): Valuation {
  let total = ZERO;
  /** Cost less worth of what has a known cost. */
  let spentMore = ZERO;
  let dayAgo = ZERO;
  let available = ZERO;
  const unpriced: string[] = [];
  const priced: { asset: string; quantity: Decimal; value: Decimal }[] = [];
  for (const [asset, { free, quantity }] of byCoin(balances, coinOf)) {
    if (isZero(quantity)) continue;
    const price = asset === primary ? { now: '1' } : priceOf(asset);
    if (price === undefined) {
      unpriced.push(asset);
      continue;
    }
    const value = multiply(quantity, decimal(price.now));
    total = add(total, value);
    dayAgo = add(dayAgo, multiply(quantity, decimal(price.dayAgo ?? price.now)));
    const known = asset === primary ? undefined : costOf(asset);
    if (known !== undefined && isPositive(known.quantity)) {
      // What is held beyond the known units came from elsewhere; known units that lie elsewhere have their share here.
      const here = minimum(known.quantity, quantity);
      const cost = divide(multiply(known.cost, here), known.quantity);
      spentMore = add(spentMore, subtract(cost, multiply(here, decimal(price.now))));
    }
    if (asset === primary) available = free;
    priced.push({ asset, quantity, value });
  }
  priced.sort((a, b) => compare(b.value, a.value) || (a.asset < b.asset ? -1 : 1));
  return {
    total: money(total),
    available: money(available),
    invested: money(add(subtract(rescale(total, VALUE_SCALE, 'down'), rescale(available, VALUE_SCALE, 'down')), spentMore)),
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
