import { decimal, toFloat } from '@pilotfish/core/money/decimal';
import type { Price } from '@pilotfish/core/money/figure';
import { formatPrice } from '@pilotfish/core/money/format';

/**
 * A round price above another one, as an example of a level: 100,000 above 97,884.23. Two digits are kept, so that it is
 * near whatever the price is; it is only shown, never sent.
 */
export function roundAbove(price: Price): string {
  const now = toFloat(decimal(price));
  if (!(now > 0)) return '100';
  const step = 10 ** (Math.floor(Math.log10(now)) - 1);
  const places = Math.max(0, -Math.floor(Math.log10(step)));
  return formatPrice(((Math.floor(now / step) + 1) * step).toFixed(places), places);
}
