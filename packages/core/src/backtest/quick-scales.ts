import { type Decimal, decimal, fromFloat, placesOf, rescale, toText } from '../money/decimal.ts';
import type { Figure, Percent, Ratio } from '../money/figure.ts';
import type { Pair } from '../prices/prices-contract.ts';
import type { FillModel } from './fill-model.ts';

/**
 * Money of the quick run: whole numbers of units in doubles, exact as long as they are safe integers, and big integers
 * at 28 places for costs, as the books of a position divide them. A number that would not be exact any more throws
 * `NotCovered`, and the exact engine runs instead.
 */

/** The quick run meets something that it does not know, or cannot count exactly. Caught by `runBacktest`, by nobody else. */
export class NotCovered extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'NotCovered';
  }
}

/** Places of costs and of everything that is computed with them. */
export const COST_PLACES = 28;

const TENS: readonly number[] = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
export const BIG_TENS: readonly bigint[] = Array.from({ length: 80 }, (_, exponent) => 10n ** BigInt(exponent));

/** 10^exponent as an exact double. */
export function ten(exponent: number): number {
  const power = TENS[exponent];
  if (power === undefined) throw new NotCovered('too many places');
  return power;
}

/** The number itself when it counts exactly. */
export function safe(units: number): number {
  if (units <= Number.MAX_SAFE_INTEGER && units >= -Number.MAX_SAFE_INTEGER) return units;
  throw new NotCovered('an amount is too large to be counted in doubles');
}

/** Units of decimal text at a scale. */
export function unitsOf(text: Figure | Decimal, scale: number): number {
  const value = typeof text === 'object' && 'units' in text ? text : decimal(text);
  const { units } = rescale(value, scale, 'down');
  const result = Number(units);
  if (!Number.isSafeInteger(result) || (scale < value.scale && rescale(value, scale, 'up').units !== units))
    throw new NotCovered('an amount has too many places');
  return result;
}

/** Canonical text of units at a scale. */
export function textOf(units: number, scale: number): string {
  if (units < 0) return `-${textOf(-units, scale)}`;
  const unit = TENS[scale]!;
  let whole = Math.floor(units / unit);
  let part = units - whole * unit;
  if (part < 0) {
    whole -= 1;
    part += unit;
  }
  if (part === 0) return String(whole);
  let places = scale;
  while (part % 10 === 0) {
    part /= 10;
    places -= 1;
  }
  const digits = String(part);
  return `${whole}.${ZEROS[places - digits.length]!}${digits}`;
}
const ZEROS: readonly string[] = Array.from({ length: 40 }, (_, count) => '0'.repeat(count));

/** Canonical text of a cost. */
export const costText = (units: bigint): string => toText({ units, scale: COST_PLACES });

/** The whole number of units nearest to a double: the same as `fromFloat`. */
export function nearestUnits(value: number, scale: number): number {
  const scaled = value * ten(scale);
  const lower = Math.floor(scaled);
  // Further from the middle between two units than the error of the product: rounding cannot be wrong.
  const doubt = scaled * 1e-15 + 1e-9;
  const above = scaled - lower;
  if (doubt < 0.1 && above < 0.5 - doubt) return lower;
  if (doubt < 0.1 && above > 0.5 + doubt) return lower + 1;
  return unitsOf(fromFloat(value, scale), scale);
}

/** A sum of whole numbers that are not negative: in doubles as long as those are exact, in big integers beyond. */
export class ExactSum {
  private small = 0;
  private large = 0n;
  /** Adds a × b × c, each of them exact. */
  add(a: number, b: number, c: number): void {
    const sum = this.small + a * b * c;
    if (sum <= Number.MAX_SAFE_INTEGER) this.small = sum;
    else this.large += BigInt(a) * BigInt(b) * BigInt(c);
  }
  get units(): bigint {
    return this.large + BigInt(this.small);
  }
  clear(): void {
    this.small = 0;
    this.large = 0n;
  }
}

/** a / b rounded down, both safe and not negative. */
export function floorDivide(a: number, b: number): number {
  let quotient = Math.floor(a / b);
  const rest = a - quotient * b;
  if (rest < 0) quotient -= 1;
  else if (rest >= b) quotient += 1;
  return quotient;
}
/** A quotient rounded down: that of doubles where they leave no doubt (a relative error of 1e-14 and less), else `exact`. */
export function floorOf(quotient: number, exact: () => bigint): number {
  const whole = Math.floor(quotient);
  const above = quotient - whole;
  const doubt = quotient * 1e-14 + 1e-9;
  if (doubt < 0.1 && above > doubt && above < 1 - doubt) return whole;
  return safe(Number(exact()));
}
export const ceilDivide = (a: number, b: number): number => {
  const quotient = floorDivide(a, b);
  return quotient * b === a ? quotient : quotient + 1;
};

/** a / b rounded to the nearest, a half to the even one. `b` is positive. */
export function roundDivide(a: number, b: number): number {
  if (a < 0) return -roundDivide(-a, b);
  const quotient = floorDivide(a, b);
  const twice = (a - quotient * b) * 2;
  return twice < b || (twice === b && quotient % 2 === 0) ? quotient : quotient + 1;
}

/** Big integers: a / b rounded to the nearest, a half to the even one; both positive. */
export function roundDivideBig(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  const twice = (a - quotient * b) * 2n;
  return twice < b || (twice === b && (quotient & 1n) === 0n) ? quotient : quotient + 1n;
}

/** The sign of a × b − c × d, all safe and not negative. */
export function compareProducts(a: number, b: number, c: number, d: number): number {
  const [left, right] = [a * b, c * d];
  if (left <= Number.MAX_SAFE_INTEGER && right <= Number.MAX_SAFE_INTEGER) return left - right;
  if (Math.abs(left - right) > left * 1e-15 + right * 1e-15) return left - right;
  const exact = BigInt(a) * BigInt(b) - BigInt(c) * BigInt(d);
  return exact === 0n ? 0 : exact < 0n ? -1 : 1;
}

/** A percentage as whole numbers: `units` of `hundred`. */
export type Share = { readonly units: number; readonly hundred: number; readonly float: number };
export function shareOf(percent: Percent): Share {
  const places = placesOf(decimal(percent));
  return { units: unitsOf(percent, places), hundred: ten(places + 2), float: Number(percent) / 100 };
}

/** A factor as whole numbers: `units` of `one`. */
function factorOf(text: Ratio): { readonly units: number; readonly one: number } {
  const places = placesOf(decimal(text));
  return { units: unitsOf(text, places), one: ten(places) };
}

/** A most in whole units, rounded down; 0 also for one that nothing which is counted here reaches. */
function boundOf(text: Figure, scale: number): number {
  const units = Number(rescale(decimal(text), scale, 'down').units);
  return Number.isSafeInteger(units) ? units : 0;
}

/** Places of a wallet's money: it counts reserves in hundred-millionths. */
export const walletPlaces = (pairs: readonly Pair[], startBalance: string): number =>
  Math.max(8, placesOf(decimal(startBalance)), ...pairs.map(({ quoteAssetPrecision }) => quoteAssetPrecision));

/** The scales of a pair, and its filters in their units. A bound of 0 is none. */
export type Scales = ReturnType<typeof createScales>;

/** @param wallet places of the wallet's money: the same for all pairs of a run */
export function createScales(pair: Pair, model: FillModel, wallet: number) {
  const { filters, pricePrecision: price, baseAssetPrecision, quoteAssetPrecision: money, quantityPrecision } = pair;
  const lot = placesOf(decimal(filters.stepSize));
  const fee = Math.max(placesOf(decimal(model.takerFee)), placesOf(decimal(model.makerFee)));
  const quote = price + lot;
  const held = Math.max(lot, baseAssetPrecision);
  const fees = Math.max(held + price, money);
  if (wallet > 20 || held > 20 || fees > COST_PLACES) throw new NotCovered('too many places');
  const tick = unitsOf(filters.tickSize, price);
  const step = unitsOf(filters.stepSize, lot);
  if (tick <= 0 || step <= 0) throw new NotCovered('any price or any lot');
  const maxQty = boundOf(filters.maxQty, lot);
  const marketMaxQty = boundOf(filters.marketMaxQty, lot);
  const markets = [maxQty, marketMaxQty].filter((bound) => bound > 0);
  const feeUnit = ten(fee);
  const lotInHeld = ten(held - lot);
  const baseInHeld = ten(held - baseAssetPrecision);
  return {
    price,
    lot,
    fee,
    /** Of what is held: lots less a fee that was taken in them. */
    held,
    /** Of lots × price, and of the money that is left of it once it is cut to the digits of its asset. */
    quote,
    money,
    /** Of sums of fees, those in the base asset at the price of their fill. */
    fees,
    wallet,
    tick,
    step,
    takerFee: unitsOf(model.takerFee, fee),
    makerFee: unitsOf(model.makerFee, fee),
    feeUnit,
    lotInHeld,
    priceUnit: ten(price),
    lotUnit: ten(lot),
    heldUnit: ten(held),
    moneyUnit: ten(money),
    walletUnit: ten(wallet),
    moneyInWallet: ten(wallet - money),
    satoshiInWallet: ten(wallet - 8),
    moneyInCost: BIG_TENS[COST_PLACES - money]!,
    walletInCost: BIG_TENS[COST_PLACES - wallet]!,
    heldInFees: ten(fees - held - price),
    moneyInFees: ten(fees - money),
    /** What an execution is worth, as the exchange's account counts it. */
    value: (lots: number, at: number): number => cut(safe(lots * at), quote, money),
    /** The fee of a buy, in units of what is held; of a sale, in units of money. */
    feeOfBuy: (lots: number, units: number): number => safe(cut(safe(lots * units), lot + fee, baseAssetPrecision) * baseInHeld),
    feeOfSale: (value: number, units: number): number => floorDivide(safe(value * units), feeUnit),
    minQty: unitsOf(filters.minQty, lot),
    maxQty,
    marketMaxQty,
    /** The most that one order at the market may carry. */
    most: markets.length > 0 ? floorDivide(Math.min(...markets), step) * step : Number.POSITIVE_INFINITY,
    minPrice: unitsOf(filters.minPrice, price),
    maxPrice: boundOf(filters.maxPrice, price),
    minNotional: unitsOf(filters.minNotional, quote),
    maxNotional: boundOf(filters.maxNotional, quote),
    bidUp: factorOf(filters.bidMultiplierUp),
    bidDown: factorOf(filters.bidMultiplierDown),
    askUp: factorOf(filters.askMultiplierUp),
    askDown: factorOf(filters.askMultiplierDown),
    /** Places that traded volumes are counted in. */
    volume: quantityPrecision,
  };
}

/** Units at another scale, rounded down. */
const cut = (units: number, from: number, to: number): number =>
  from > to ? floorDivide(units, ten(from - to)) : safe(units * ten(to - from));
