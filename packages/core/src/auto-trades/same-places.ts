import type { Price } from '../money/figure';
import { formatFixed, formatPrice } from '../money/format';

/** Prices that are read against each other, with as many decimals as the one that needs most of them. */
export function samePlaces(values: readonly Price[]): string[] {
  const places = Math.max(0, ...values.map((value) => formatPrice(value, undefined).split('.')[1]?.length ?? 0));
  return values.map((value) => formatFixed(value, places));
}
