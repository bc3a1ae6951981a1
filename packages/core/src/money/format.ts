import { absolute, type Decimal, decimal, isDecimalText, isNegative, isZero, toFixedText } from './decimal.ts';
import { grouped } from './spoken-count.ts';

// Numbers as people read them. en-US digits in every language, as the product shows them; own code where Intl
// differs by language (compact "B" is billion in English and thousand in Turkish).

/** Decimal text in; `undefined` when the text is not a number, so that a screen can show a dash. */
const read = (value: string | Decimal): Decimal | undefined => {
  if (typeof value !== 'string') return value;
  return isDecimalText(value) ? decimal(value) : undefined;
};

/** Shown in place of what is not known. */
export const UNKNOWN = '–';

/** Digits with thousands separators and exactly `places` decimals, half to even; `-0.00` reads `0.00`. */
export function formatFixed(value: string | Decimal, places: number): string {
  const known = read(value);
  if (!known) return UNKNOWN;
  const text = toFixedText(known, places);
  return text.startsWith('-') ? (/[1-9]/.test(text) ? `-${grouped(text.slice(1))}` : grouped(text.slice(1))) : grouped(text);
}

/** A price of a pair, with the digits its tick size needs (`pricePrecision`). */
export const formatPrice = (price: string | Decimal, pricePrecision: number): string => formatFixed(price, pricePrecision);

/** A quantity with at most `places` decimals, trailing zeros dropped. */
export function formatQuantity(value: string | Decimal, places = 8): string {
  const text = formatFixed(value, places);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

const SYMBOLS: Readonly<Record<string, string>> = { USD: '$', EUR: '€', GBP: '£', TRY: '₺' };

/**
 * en-US currency: `$1,234.50` for codes with a sign, `1,234.50 USDT` for coins; two decimals unless told.
 * Intl refuses codes such as USDT (RangeError), so the sign table is ours.
 */
export function formatCurrency(value: string | Decimal, currency = 'USDT', places = 2): string {
  const text = formatFixed(value, places);
  if (text === UNKNOWN) return text;
  const sign = SYMBOLS[currency];
  if (!sign) return `${text} ${currency}`;
  return text.startsWith('-') ? `-${sign}${text.slice(1)}` : `${sign}${text}`;
}

/** Percent with its sign: `+1.25%`, `-0.40%`, `0.00%`. The sign is there so that colour never speaks alone. */
export function formatPercent(value: string | Decimal, places = 2): string {
  const text = formatFixed(value, places);
  if (text === UNKNOWN) return text;
  return `${text.startsWith('-') || !/[1-9]/.test(text) ? '' : '+'}${text}%`;
}

/** An amount with its sign, for profit and loss: `+12.50`. */
export function formatSigned(value: string | Decimal, places = 2): string {
  const text = formatFixed(value, places);
  return text === UNKNOWN || text.startsWith('-') || !/[1-9]/.test(text) ? text : `+${text}`;
}

const UNITS = ['', 'K', 'M', 'B', 'T'] as const;

/**
 * Large numbers with K, M, B, T and one decimal. Rounded before the unit is chosen, so 999,950 is `1.0M`, never
 * `1000.0K`. Below a thousand the number itself with at most two decimals; above 999.9T the T keeps growing.
 */
export function formatCompact(value: string | Decimal): string {
  const known = read(value);
  if (!known) return UNKNOWN;
  if (isZero(known)) return '0';
  const size = absolute(known);
  const sign = isNegative(known) ? '-' : '';
  for (let unit = 0; unit < UNITS.length; unit += 1) {
    const scaled: Decimal = { units: size.units, scale: size.scale + unit * 3 };
    const text = toFixedText(scaled, unit === 0 ? 2 : 1);
    const last = unit === UNITS.length - 1;
    if (last || Number(text) < 1000) {
      if (unit > 0) return `${sign}${grouped(text)}${UNITS[unit]}`;
      const plain = text.replace(/\.?0+$/, '');
      return plain === '0' ? '0' : sign + plain;
    }
  }
  return UNKNOWN;
}
