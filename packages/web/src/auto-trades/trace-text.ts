import type { StoredTrace } from '@pilotfish/core/auto-trades/trace';
import { isDecimalText } from '@pilotfish/core/money/decimal';
import { formatQuantity } from '@pilotfish/core/money/format';
import type { TFunction } from 'i18next';

/** Places worth reading in a sentence; the exact figures stand in the row's details. */
const PLACES = 6;
/** Amounts of money, told with fewer. */
const AMOUNTS = new Set(['realised', 'fees', 'reserved', 'quoteQuantity', 'averageCost']);

const spoken = (key: string, value: unknown): string | number => {
  if (typeof value === 'string') return isDecimalText(value) ? formatQuantity(value, AMOUNTS.has(key) ? 4 : PLACES + 2) : value;
  if (typeof value === 'number') return value;
  return typeof value === 'boolean' ? String(value) : '–';
};

/** A trace as a sentence, from its kind, its reason and the figures it acted on. */
export function traceText(trace: StoredTrace, currency: string, t: TFunction): string {
  const facts: Record<string, string | number> = {};
  for (const [key, value] of Object.entries({ ...trace.before, ...trace.after }))
    if (!Array.isArray(value)) facts[key] = spoken(key, value);
  for (const [key, value] of Object.entries(trace.after))
    if (value === null && facts[key] === '–') facts[key] = spoken(key, trace.before[key]);
  const specific = `traces.${trace.kind}.${trace.reason}`;
  const translated = t([specific, `traces.${trace.kind}.any`], {
    ...facts,
    symbol: trace.symbol,
    price: formatQuantity(trace.price),
    currency,
    reason: t(`exitReasons.${trace.reason}`, { defaultValue: trace.reason }),
  });
  return typeof translated === 'string' ? translated : specific;
}
