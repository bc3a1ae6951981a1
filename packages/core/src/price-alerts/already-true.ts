import { decimal, isDecimalText, isPositive } from '../money/decimal.ts';
import type { Price } from '../money/figure.ts';
import { levelRule, levelsOf } from './level-rule.ts';
import type { PriceAlertBody } from './price-alerts-contract.ts';

/**
 * What an alert does whose condition is already true when it is saved: it fires at once if `fireIfTrue` is set, else it
 * waits until the condition becomes true again. Undefined where the condition is not true, or only the server can tell.
 * @param price the newest of the pair, in its quote asset
 */
export function startOfTrue(
  { condition, fireIfTrue, priceSource }: Pick<PriceAlertBody, 'condition' | 'fireIfTrue' | 'priceSource'>,
  price: Price | undefined,
): 'fires' | 'waits' | undefined {
  const levels = levelsOf(condition);
  // Of another source the price is not on the stream.
  if (levels === undefined || priceSource !== 'last' || price === undefined) return undefined;
  if (!isDecimalText(price) || !isPositive(decimal(price)) || !levelRule(levels, '0').holds(Number(price))) return undefined;
  if (fireIfTrue) return 'fires';
  // A price is always on one side of a level that it is to cross.
  return levels.kind === 'crosses' ? undefined : 'waits';
}
