// Imports nothing on purpose: the texts of a guest's first page need this, and no decimals.

/** Digits of a number, a sign and decimals allowed, with thousands separators: `-1234.5` reads `-1,234.5`. */
export function grouped(digits: string): string {
  const point = digits.indexOf('.');
  const whole = point < 0 ? digits : digits.slice(0, point);
  return whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',') + (point < 0 ? '' : digits.slice(point));
}

/** What sentences count, by the names of their values; a code or a port is not grouped. */
const COUNTED: ReadonlySet<string> = new Set(['count', 'rows', 'bars', 'ticks', 'orders', 'records', 'added', 'trades']);

/** What i18next puts into a sentence (`interpolation.format`): what it counts with thousands separators, anything else as it is. */
export const formatSpoken = (
  value: unknown,
  _format?: string,
  _language?: string,
  about?: { readonly interpolationkey?: string },
): string => (COUNTED.has(about?.interpolationkey ?? '') && Number.isSafeInteger(value) ? grouped(String(value)) : (value as string));
