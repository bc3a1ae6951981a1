import { type FactReader, shownFacts } from '../notifications/notification-facts.ts';
import { alertSentence } from './alert-sentence.ts';
import type { PriceAlert } from './price-alerts-contract.ts';

/** A text in the reader's language, filled. */
type Say = (key: string, values: Readonly<Record<string, string | number>>) => string;

/** A condition has no times and names no texts: it reads the same to everybody. */
const ANYBODY: FactReader = { language: 'en', timeZone: 'UTC', text: () => undefined };

/** An alert in plain words, with its figures as they are read: “BTCUSDT rises above 70,000”. */
export function alertText(alert: Pick<PriceAlert, 'symbol' | 'condition'>, say: Say): string {
  const { key, parameters } = alertSentence(alert);
  return say(key, shownFacts(parameters, ANYBODY));
}
