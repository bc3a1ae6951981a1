import { absolute, type Decimal, decimal, isDecimalText, isNegative, isZero, lessThan, ONE, toFixedText } from './decimal.ts';
import type { Figure, Money, Percent, Price, Quantity, Ratio } from './figure.ts';
import { grouped } from './spoken-count.ts';

// Numbers as people read them. en-US digits in every language, as the product shows them; own code where Intl
// differs by language (compact "B" is billion in English and thousand in Turkish).

/** Decimal text in; `undefined` when the text is not a number, so that a screen can show a dash. */
const read = (value: Figure | Decimal): Decimal | undefined => {
  if (typeof value !== 'string' && 'units' in value) return value;
  return isDecimalText(value) ? decimal(value) : undefined;
};

/** Shown in place of what is not known. */
export const UNKNOWN = '–';

/**
 * The minus of everything that is read (U+2212), as wide as the plus. Texts of this file are for reading: what a program
 * parses, a field holds or a file keeps are `digits()`, with the hyphen.
 */
export const MINUS = '−';

/**
 * Digits with thousands separators and exactly `places` decimals, half to even; `−0.00` reads `0.00`. For columns whose
 * decimals line up; alone, a figure goes through the formatter of its kind below. Takes no sum: two places for every
 * currency make nothing of what somebody earned in BTC.
 */
export function formatFixed(value: Price | Quantity | Ratio | Decimal, places: number): string {
  return fixed(value, places);
}

function fixed(value: Figure | Decimal, places: number): string {
  const known = read(value);
  if (!known) return UNKNOWN;
  const text = toFixedText(known, places);
  return text.startsWith('-') ? `${/[1-9]/.test(text) ? MINUS : ''}${grouped(text.slice(1))}` : grouped(text);
}

const trimmed = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
const withSign = (text: string): string => (text === UNKNOWN || text.startsWith(MINUS) || !/[1-9]/.test(text) ? text : `+${text}`);

/**
 * A price, with the digits the tick size of its pair needs (`pricePrecision`); `undefined`, where no pair is at hand: those
 * it has, 8 at most. It is said each time, so that no caller forgets the pair it has.
 */
export const formatPrice = (price: Price | Decimal, pricePrecision: number | undefined): string =>
  pricePrecision === undefined ? trimmed(fixed(price, 8)) : fixed(price, pricePrecision);

/** An average of prices, which no tick size bounds: 4 decimals at most, 8 below one. */
export function formatAverage(price: Price | Decimal): string {
  const known = read(price);
  return known === undefined ? UNKNOWN : formatQuantity(known, lessThan(absolute(known), ONE) ? 8 : 4);
}

/** A quantity with at most `places` decimals, trailing zeros dropped. */
export const formatQuantity = (value: Quantity | Decimal, places = 8): string => trimmed(fixed(value, places));

/** What a quantity grew or shrank by, with its sign: `+0.5`. */
export const formatChange = (value: Quantity | Decimal): string => withSign(formatQuantity(value));

/** A ratio with two decimals: `1.85`. */
export const formatRatio = (value: Ratio | Decimal): string => fixed(value, 2);

const SYMBOLS: Readonly<Record<string, string>> = { USD: '$', EUR: '€', GBP: '£', TRY: '₺' };
/** Currencies counted in hundredths, each by name; the rest is coins, whose small parts matter. */
const HUNDREDTHS =
  /^(?:(?:B|BF|FD|G|L|PY|RL|S|T|X)?USD|USD[1CDEPSTX]|USDSB|DAI|FRAX|A?EUR|EUR[CI]|GBP|TRY|BRL|RUB|AUD|CAD|CHF|JPY|PLN|RON|UAH|ZAR|ARS|MXN|COP|CZK|AED|SAR|KZT|NGN|VND|B?IDR|IDRT|BKRW|BVND)$/;

/** The decimals that sums of a currency are read with: hundredths of money, 8 of coins such as BTC. */
export const moneyPlaces = (currency: string): number => (HUNDREDTHS.test(currency) ? 2 : 8);

/** How closely a sum is told: `fine` for a fee or the result of one trade, where hundredths say too little. */
export type Closeness = 'usual' | 'fine';

/**
 * A sum without the name of its currency, where a column or the words beside it have that: `1,234.50`. One that is too
 * small for its currency's decimals has those of its first two digits, `0.00034`: what is there never reads 0.00. Below
 * the exchange's smallest unit, a hundred-millionth, is only what a division leaves over, and that is nothing.
 * @param closeness `fine` has up to two decimals more, where they are not zero: `0.0154`
 */
export function formatMoney(value: Money | Decimal, currency: string, closeness: Closeness = 'usual'): string {
  const places = moneyPlaces(currency);
  const text = fixed(value, places);
  const first = /[1-9]/.test(text) ? -1 : fixed(value, 8).split('.')[1]?.search(/[1-9]/);
  if (first !== undefined && first >= 0) return hundredths(fixed(value, Math.min(first + 2, 8)));
  return closeness === 'usual' || places > 2 ? text : hundredths(fixed(value, places + 2));
}

/** Without zeros at the end, from the third decimal on. */
const hundredths = (text: string): string => text.replace(/(\.\d\d)(\d*?)0+$/, '$1$2');

/** A result, with its sign and without the name of its currency: `+12.50`. */
export const formatSigned = (value: Money | Decimal, currency: string, closeness?: Closeness): string =>
  withSign(formatMoney(value, currency, closeness));

/**
 * A sum with its currency: `$1,234.50` for codes with a sign, `1,234.50 USDT` and `0.00100000 BTC` for coins.
 * Intl refuses codes such as USDT (RangeError), so the sign table is ours.
 */
export function formatCurrency(value: Money | Decimal, currency: string, closeness?: Closeness): string {
  const text = formatMoney(value, currency, closeness);
  if (text === UNKNOWN) return text;
  const sign = SYMBOLS[currency];
  if (!sign) return `${text} ${currency}`;
  return text.startsWith(MINUS) ? `${MINUS}${sign}${text.slice(1)}` : `${sign}${text}`;
}

/** A result with its currency: `+12.50 USDT`. */
export const formatResult = (value: Money | Decimal, currency: string, closeness?: Closeness): string =>
  `${formatSigned(value, currency, closeness)} ${currency}`;

/** Percent with its sign: `+1.25%`, `−0.40%`, `0.00%`. The sign is there so that colour never speaks alone. */
export function formatPercent(value: Percent | Decimal, places = 2): string {
  const text = fixed(value, places);
  return text === UNKNOWN ? text : `${withSign(text)}%`;
}

/**
 * How far a price has to go to a level, which is neither gain nor loss: an arrow in place of the sign, `↑ 0.47%`, `↓ 0.97%`;
 * none where it is there.
 * @param value percent of the price; above zero the level is above it
 */
export function formatDistance(value: Percent | Decimal): string {
  const text = formatPercent(value);
  return text.startsWith('+') ? `↑ ${text.slice(1)}` : text.startsWith(MINUS) ? `↓ ${text.slice(1)}` : text;
}

/** What two percentages differ by, in points of percent: `+5.12 pts`, `+5.12 puan`. */
export function formatPoints(value: Percent | Decimal, language: string): string {
  const text = withSign(fixed(value, 2));
  return text === UNKNOWN ? text : `${text} ${language === 'tr' ? 'puan' : 'pts'}`;
}

/** A part of a whole, or a distance that somebody chose: percent without a sign, `62.50%`. */
export const formatShare = (value: Percent | Decimal, places = 2): string => {
  const text = fixed(value, places);
  return text === UNKNOWN ? text : `${text}%`;
};

/** The number of a percentage, 4 decimals at most, for a sentence that writes the sign where its language puts it. */
export const formatPercentNumber = (value: Percent | Decimal): string => trimmed(fixed(value, 4));

const UNITS = ['', 'K', 'M', 'B', 'T'] as const;

/**
 * Large numbers with K, M, B, T and one decimal. Rounded before the unit is chosen, so 999,950 is `1.0M`, never
 * `1000.0K`. Below a thousand the number itself with at most two decimals, or those that a small one needs to be more than
 * nothing; above 999.9T the T keeps growing.
 */
export function formatCompact(value: Money | Quantity | Decimal): string {
  const known = read(value);
  if (!known) return UNKNOWN;
  if (isZero(known)) return '0';
  const size = absolute(known);
  const sign = isNegative(known) ? MINUS : '';
  for (let unit = 0; unit < UNITS.length; unit += 1) {
    const scaled: Decimal = { units: size.units, scale: size.scale + unit * 3 };
    const text = toFixedText(scaled, unit === 0 ? 2 : 1);
    const last = unit === UNITS.length - 1;
    if (last || Number(text) < 1000) {
      if (unit > 0) return `${sign}${grouped(text)}${UNITS[unit]}`;
      const plain = trimmed(text);
      return plain === '0' ? formatQuantity(known) : sign + plain;
    }
  }
  return UNKNOWN;
}

const TEN_THOUSAND = decimal('10000');

/**
 * A result where there is room for a few characters, in a day of a calendar or above a bar: whole units with their sign,
 * `+42`, `−1,250`; from ten thousand with K, M, B; below one with the digits that make it more than nothing.
 */
export function formatRoughly(value: Money | Decimal): string {
  const known = read(value);
  if (!known) return UNKNOWN;
  const size = absolute(known);
  return withSign(lessThan(size, ONE) || !lessThan(size, TEN_THOUSAND) ? formatCompact(known) : fixed(known, 0));
}
