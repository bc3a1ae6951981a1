import { isDecimalText } from '../money/decimal.ts';
import { formatMoney, formatPrice } from '../money/format.ts';
import type { Evaluation } from './auto-trades-contract.ts';
import { samePlaces } from './same-places.ts';

type RuleSeen = Pick<Evaluation['rules'][number], 'rule' | 'observed' | 'limit'>;

/** What the figures of a coin's checklist are in: sums in the wallet's currency, prices with the digits of their pair. */
export type RuleUnits = { readonly currency: string; readonly pricePrecision: number | undefined };

const PRICES: ReadonlySet<string> = new Set([
  'stop-loss',
  'protected-cost',
  'trailing-cost-armed',
  'target-price',
  'take-profit',
  'time-stop-gain',
  'exit-gain',
  'rebuy',
  'protective-stop',
]);
const SUMS: ReadonlySet<string> = new Set(['budget', 'size', 'exposure']);

/**
 * What a rule saw and what it must be, each by the formatter of its kind: `64,250.10 / 63,000.00` of a stop. Percentages
 * and counts have the decimals of the one that needs most; the text of their rule says what they are.
 * @returns undefined where the rule tells words or moments
 */
export function ruleFigures({ rule, observed, limit }: RuleSeen, { currency, pricePrecision }: RuleUnits): string | undefined {
  const known = [observed, limit].filter((text) => text !== null);
  if (known.length === 0 || !known.every(isDecimalText)) return undefined;
  if (SUMS.has(rule)) return `${known.map((text) => formatMoney(text, currency)).join(' / ')} ${currency}`;
  return (PRICES.has(rule) ? known.map((text) => formatPrice(text, pricePrecision)) : samePlaces(known)).join(' / ');
}
