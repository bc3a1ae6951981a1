import { decimal, toFloat } from '@pilotfish/core/money/decimal';
import type { Price } from '@pilotfish/core/money/figure';
import { type AlertLanguage, writeNumber } from '@pilotfish/core/price-alerts/alert-numbers';

/**
 * A round price above another one, as an example of a level: 98000 above 97,884.23, written as a line of an alert has
 * it. It is only shown, never sent.
 */
export function roundAbove(price: Price, language: AlertLanguage): string {
  const now = toFloat(decimal(price));
  if (!(now > 0)) return '100';
  const step = 10 ** (Math.floor(Math.log10(now)) - 1);
  const places = Math.max(0, -Math.floor(Math.log10(step)));
  return writeNumber(((Math.floor(now / step) + 1) * step).toFixed(places), language);
}
