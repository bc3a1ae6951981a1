import { decimal, toText } from '../../money/decimal.ts';
import { digits, type Money, type Percent } from '../../money/figure.ts';
import { formatCurrency, formatPercentNumber } from '../../money/format.ts';

/** What a rule allows or found, with what it measures. A count is a number; words are a name, a code or a list of them. */
export type RuleValue =
  | number
  | { readonly words: string }
  | { readonly percent: Percent }
  | { readonly money: Money; readonly currency: string };

/** The value to the last digit, as programs read it beside the sentence: `0.1`, `5.25`. */
export function exactRuleValue(value: RuleValue): string {
  if (typeof value === 'number') return String(value);
  if ('words' in value) return value.words;
  return toText(decimal(digits('percent' in value ? value.percent : value.money)));
}

/** The value as its sentence tells it: sums with their currency, percentages without the sign, which the sentence writes. */
export function shownRuleValue(value: RuleValue): string | number {
  if (typeof value === 'number') return value;
  if ('words' in value) return value.words;
  return 'percent' in value ? formatPercentNumber(value.percent) : formatCurrency(value.money, value.currency, 'fine');
}
