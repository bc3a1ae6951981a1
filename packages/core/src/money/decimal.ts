/**
 * Exact decimals as scaled BigInts.
 *
 * A `Decimal` is `units / 10^scale`. Addition, subtraction and multiplication are exact; division and rounding
 * say how they round. Canonical text (no exponent, no trailing zeros, no leading plus) is what is stored and sent.
 * Why not doubles: flooring to a lot is wrong in 11-97 % of cases with binary floats (docs/decisions/money.md).
 */
import type { Figure } from './figure.ts';

export type Decimal = { readonly units: bigint; readonly scale: number };

export type Rounding = 'down' | 'up' | 'half-even';

/** Digits accepted after the point when parsing; more is refused, never cut. */
export const MAX_SCALE = 40;
/** Scale of a quotient unless the caller asks for another: ≥ 28 significant digits for any realistic price. */
export const DIVISION_SCALE = 34;

const PATTERN = /^-?(?:\d{1,60})(?:\.\d{1,40})?$/;
const POWERS: bigint[] = Array.from({ length: 81 }, (_, exponent) => 10n ** BigInt(exponent));

/** Powers of ten that are doubles without error. */
const EXACT_POWERS = 22;
const TENS: readonly number[] = Array.from({ length: EXACT_POWERS + 1 }, (_, exponent) => Number(`1e${exponent}`));
const SAFE = BigInt(Number.MAX_SAFE_INTEGER);
/** Below this a double tells neighbouring whole numbers of units apart by more than half a unit. */
const UNAMBIGUOUS = 2 ** 52;

const power = (exponent: number): bigint => POWERS[exponent] ?? 10n ** BigInt(exponent);

export const ZERO: Decimal = { units: 0n, scale: 0 };
export const ONE: Decimal = { units: 1n, scale: 0 };
export const TWO: Decimal = { units: 2n, scale: 0 };
export const HUNDRED: Decimal = { units: 100n, scale: 0 };

/** True for plain decimal text: digits, at most one point, optional minus. No exponent, no separators, no NaN. */
export const isDecimalText = (text: string | Figure): boolean => PATTERN.test(text as string);

/** Parses plain decimal text. Throws `RangeError` on anything else: validate user input with `isDecimalText` first. */
export function decimal(text: string | bigint | number | Figure): Decimal {
  if (typeof text === 'bigint') return { units: text, scale: 0 };
  if (typeof text === 'number') {
    if (!Number.isSafeInteger(text)) throw new RangeError('decimal(): a number must be a safe integer; pass text instead');
    return { units: BigInt(text), scale: 0 };
  }
  return parsed(text as string) ?? longParsed(text as string);
}

/** Digits that a double counts without error. */
const SAFE_DIGITS = 15;
const [ZERO_CODE, NINE_CODE, POINT_CODE, MINUS_CODE] = [48, 57, 46, 45];

/** The usual case, without a pattern or a substring: at most 15 digits. Undefined for everything else, wrong text included. */
function parsed(text: string): Decimal | undefined {
  const { length } = text;
  if (length > SAFE_DIGITS + 2) return undefined;
  const negative = text.charCodeAt(0) === MINUS_CODE;
  let at = negative ? 1 : 0;
  let value = 0;
  let digits = 0;
  let point = -1;
  for (; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= ZERO_CODE && code <= NINE_CODE) {
      value = value * 10 + (code - ZERO_CODE);
      digits += 1;
    } else if (code === POINT_CODE && point < 0 && digits > 0 && at + 1 < length) point = at;
    else return undefined;
  }
  if (digits === 0 || digits > SAFE_DIGITS) return undefined;
  return { units: BigInt(negative ? -value : value), scale: point < 0 ? 0 : length - point - 1 };
}

/** Long decimals that were parsed lately: costs and averages stay the same text from step to step. */
const longOnes = new Map<string, Decimal>();
const MOST_LONG_ONES = 512;

function longParsed(text: string): Decimal {
  const known = longOnes.get(text);
  if (known) return known;
  if (!PATTERN.test(text)) throw new RangeError(`decimal(): not a plain decimal: ${text.slice(0, 40)}`);
  const point = text.indexOf('.');
  const value =
    point < 0
      ? { units: BigInt(text), scale: 0 }
      : { units: BigInt(text.slice(0, point) + text.slice(point + 1)), scale: text.length - point - 1 };
  if (longOnes.size >= MOST_LONG_ONES) longOnes.clear();
  longOnes.set(text, value);
  return value;
}

/**
 * The decimal nearest to a double at the given scale. The only door from the hot path's floats back to money:
 * everything that came through it is re-checked against exact values before it is signed.
 */
export function fromFloat(value: number, scale: number): Decimal {
  if (!Number.isFinite(value)) throw new RangeError('fromFloat(): not finite');
  const unit = scale >= 0 && scale <= EXACT_POWERS ? TENS[scale] : undefined;
  if (unit !== undefined) {
    // A price that came from decimal text is the double nearest to a whole number of units: then that is the answer.
    const units = Math.round(value * unit);
    if (Math.abs(units) < UNAMBIGUOUS && units / unit === value) return { units: BigInt(units), scale };
  }
  return decimal(value.toFixed(Math.min(scale, 20)).replace(/^-(0(?:\.0*)?)$/, '$1'));
}

/** The nearest double: for charts, indicators and sorting only. */
export function toFloat(value: Decimal): number {
  const { units, scale } = value;
  const unit = scale >= 0 && scale <= EXACT_POWERS ? TENS[scale] : undefined;
  // Two integers that doubles hold exactly: their quotient is rounded once, as the text would be.
  if (unit !== undefined && units >= -SAFE && units <= SAFE) return Number(units) / unit;
  return Number(toText(value));
}

/** Canonical text: `1.50` → `1.5`, `-0` → `0`. */
export function toText({ units, scale }: Decimal): string {
  if (units === 0n) return '0';
  const negative = units < 0n;
  const size = negative ? -units : units;
  let digits = size <= SAFE ? String(Number(size)) : size.toString();
  if (scale > 0) {
    digits = digits.padStart(scale + 1, '0');
    let end = digits.length;
    const point = end - scale;
    while (end > point && digits.charCodeAt(end - 1) === 48) end -= 1;
    digits = digits.slice(0, point) + (end > point ? `.${digits.slice(point, end)}` : '');
  }
  return negative ? `-${digits}` : digits;
}

/** Text with exactly `places` decimals, as Binance prints them (`1` → `1.00000000` for 8). Rounds half to even. */
export function toFixedText(value: Decimal, places: number): string {
  const { units } = rescale(value, places, 'half-even');
  const negative = units < 0n;
  const digits = (negative ? -units : units).toString().padStart(places + 1, '0');
  const point = digits.length - places;
  const text = places === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return negative ? `-${text}` : text;
}

/** The same value at another scale; rounds when digits are lost. */
export function rescale(value: Decimal, scale: number, rounding: Rounding): Decimal {
  if (scale >= value.scale) return { units: value.units * power(scale - value.scale), scale };
  return { units: divideUnits(value.units, power(value.scale - scale), rounding), scale };
}

export function add(a: Decimal, b: Decimal): Decimal {
  if (a.scale === b.scale) return { units: a.units + b.units, scale: a.scale };
  return a.scale > b.scale
    ? { units: a.units + b.units * power(a.scale - b.scale), scale: a.scale }
    : { units: a.units * power(b.scale - a.scale) + b.units, scale: b.scale };
}

export const negate = (a: Decimal): Decimal => ({ units: -a.units, scale: a.scale });
export const subtract = (a: Decimal, b: Decimal): Decimal => add(a, negate(b));
export const multiply = (a: Decimal, b: Decimal): Decimal => ({ units: a.units * b.units, scale: a.scale + b.scale });
export const absolute = (a: Decimal): Decimal => (a.units < 0n ? negate(a) : a);
export const sum = (values: Iterable<Decimal>): Decimal => {
  let total = ZERO;
  for (const value of values) total = add(total, value);
  return total;
};

/** a / b at `scale` decimals. Throws `RangeError` on division by zero. */
export function divide(a: Decimal, b: Decimal, scale = DIVISION_SCALE, rounding: Rounding = 'half-even'): Decimal {
  if (b.units === 0n) throw new RangeError('divide(): division by zero');
  const shift = scale + b.scale - a.scale;
  return shift >= 0
    ? { units: divideUnits(a.units * power(shift), b.units, rounding), scale }
    : { units: divideUnits(a.units, b.units * power(-shift), rounding), scale };
}

/** -1, 0 or 1. */
export function compare(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const { units } = subtract(a, b);
  return units === 0n ? 0 : units < 0n ? -1 : 1;
}

export const equals = (a: Decimal, b: Decimal): boolean => compare(a, b) === 0;
export const lessThan = (a: Decimal, b: Decimal): boolean => compare(a, b) < 0;
export const greaterThan = (a: Decimal, b: Decimal): boolean => compare(a, b) > 0;
export const minimum = (a: Decimal, b: Decimal): Decimal => (compare(a, b) <= 0 ? a : b);
export const maximum = (a: Decimal, b: Decimal): Decimal => (compare(a, b) >= 0 ? a : b);
export const isZero = (a: Decimal): boolean => a.units === 0n;
export const isNegative = (a: Decimal): boolean => a.units < 0n;
export const isPositive = (a: Decimal): boolean => a.units > 0n;

/** The largest (`down`) or smallest (`up`) multiple of `step` next to `value`; a zero step means "any value". */
export function toMultiple(value: Decimal, step: Decimal, rounding: 'down' | 'up' | 'half-even' = 'down'): Decimal {
  if (step.units === 0n) return value;
  const scale = Math.max(value.scale, step.scale);
  const unit = rescale(step, scale, 'down').units;
  return { units: divideUnits(rescale(value, scale, 'down').units, unit, rounding) * unit, scale };
}

export const isMultiple = (value: Decimal, step: Decimal): boolean => equals(toMultiple(value, step), value);

/** The least amount that is a multiple of both steps; the other one where one is 0. */
export function commonMultiple(one: Decimal, other: Decimal): Decimal {
  if (one.units === 0n || other.units === 0n) return one.units === 0n ? other : one;
  const scale = Math.max(one.scale, other.scale);
  const [a, b] = [rescale(one, scale, 'down').units, rescale(other, scale, 'down').units];
  let [divisor, rest] = [a, b];
  while (rest !== 0n) [divisor, rest] = [rest, divisor % rest];
  return { units: (a / divisor) * b, scale };
}

/** value × (1 + percent/100): `plusPercent(100, 2)` = 102. Exact. */
export const plusPercent = (value: Decimal, percent: Decimal): Decimal =>
  multiply(value, add(ONE, multiply(percent, { units: 1n, scale: 2 })));

/** Digits after the point that a tick or step needs: `0.01000000` → 2. */
export const placesOf = (step: Decimal): number => {
  const text = toText(step);
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
};

function divideUnits(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  const quotient = numerator / denominator;
  const rest = numerator % denominator;
  if (rest === 0n) return quotient;
  const positive = rest < 0n === denominator < 0n;
  // BigInt division truncates toward zero; 'down' is toward minus infinity, 'up' toward plus infinity.
  if (rounding === 'down') return positive ? quotient : quotient - 1n;
  if (rounding === 'up') return positive ? quotient + 1n : quotient;
  const twice = (rest < 0n ? -rest : rest) * 2n;
  const size = denominator < 0n ? -denominator : denominator;
  if (twice < size || (twice === size && quotient % 2n === 0n)) return quotient;
  return positive ? quotient + 1n : quotient - 1n;
}
