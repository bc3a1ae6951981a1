import { isDecimalText } from '../money/decimal.ts';
import { formatQuantity, UNKNOWN } from '../money/format.ts';
import type { Trace } from './trace.ts';

/** Fills the text of the first of these keys that has one. */
export type Translate = (keys: string[], values: Readonly<Record<string, unknown>>) => string;

/** Places worth reading in a sentence; the exact figures stand in the row itself. */
const PLACES = 8;
/** Amounts of money are told with fewer. */
const AMOUNTS = new Set(['realised', 'fees', 'reserved', 'quoteQuantity', 'averageCost']);

const spoken = (key: string, value: string | number | boolean | null | undefined): string | number => {
  if (typeof value === 'string') return isDecimalText(value) ? formatQuantity(value, AMOUNTS.has(key) ? 4 : PLACES) : value;
  if (typeof value === 'number') return value;
  return value === null || value === undefined ? UNKNOWN : String(value);
};

/** A trace as a sentence, from its kind, its reason and the figures it acted on. */
export function traceText(trace: Trace, currency: string, translate: Translate): string {
  const facts: Record<string, string | number> = {};
  for (const [key, value] of Object.entries(trace.before)) facts[key] = spoken(key, value);
  // What ended (a line, an average) is told with its last value.
  for (const [key, value] of Object.entries(trace.after)) if (value !== null || facts[key] === undefined) facts[key] = spoken(key, value);
  return translate([`traces.${trace.kind}.${trace.reason}`, `traces.${trace.kind}.any`], {
    ...facts,
    symbol: trace.symbol,
    price: formatQuantity(trace.price),
    currency,
    reason: translate([`exitReasons.${trace.reason}`], { defaultValue: trace.reason }),
  });
}
