import { isDecimalText } from '../money/decimal.ts';
import { formatPrice, UNKNOWN } from '../money/format.ts';

/**
 * What a line was or becomes, for a reader: a price, a moment, or several prices with their shares; a dash where there is none.
 * @param pricePrecision decimals of the pair's prices; without them a price keeps the digits it has
 */
export function positionChangeWords(value: string | null, moment: (iso: string) => string, pricePrecision?: number): string {
  if (value === null) return UNKNOWN;
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return moment(value);
  return value
    .split(', ')
    .map((part) => part.replace(/^[\d.]+/, (price) => (isDecimalText(price) ? formatPrice(price, pricePrecision) : price)))
    .join(', ');
}
