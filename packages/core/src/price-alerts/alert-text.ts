import { isDecimalText } from '../money/decimal.ts';
import { formatQuantity } from '../money/format.ts';
import { alertSentence } from './alert-sentence.ts';
import type { PriceAlert } from './price-alerts-contract.ts';

/** A text in the reader's language, filled. */
type Say = (key: string, values: Readonly<Record<string, string | number>>) => string;

/** An alert in plain words, with its figures as they are read: “BTCUSDT rises above 70,000”. */
export function alertText(alert: Pick<PriceAlert, 'symbol' | 'condition'>, say: Say): string {
  const { key, parameters } = alertSentence(alert);
  const shown = Object.entries(parameters).map(([name, value]) => [
    name,
    typeof value === 'string' && isDecimalText(value) ? formatQuantity(value, 8) : value,
  ]);
  return say(key, Object.fromEntries(shown) as Record<string, string | number>);
}
