import { absolute, compare, type Decimal, decimal, divide, HUNDRED, isPositive, multiply, subtract, toText } from '../money/decimal.ts';
import { digits, type Percent, type Price } from '../money/figure.ts';
import type { NextEvent } from './overview-contract.ts';

const PERCENT_SCALE = 4;

/** From a price to a level, in percent of the price: positive where the price must rise. Null where one of them is not known. */
export function distanceTo(level: Price | null, price: Price | null): Percent | null {
  if (level === null || price === null) return null;
  const from: Decimal = decimal(price);
  return isPositive(from) ? toText(divide(multiply(subtract(decimal(level), from), HUNDRED), from, PERCENT_SCALE)) : null;
}

/** Nearest first: by distance, whichever way; then by time; what has neither, last. */
export function nearestFirst(events: readonly NextEvent[]): NextEvent[] {
  const group = ({ distancePct, at }: NextEvent): number => (distancePct !== null ? 0 : at !== null ? 1 : 2);
  const within = (a: NextEvent, b: NextEvent): number => {
    if (a.distancePct !== null && b.distancePct !== null)
      return compare(absolute(decimal(digits(a.distancePct))), absolute(decimal(digits(b.distancePct))));
    return (a.at ?? '') < (b.at ?? '') ? -1 : (a.at ?? '') > (b.at ?? '') ? 1 : 0;
  };
  return [...events].sort((a, b) => group(a) - group(b) || within(a, b) || (a.id < b.id ? -1 : 1));
}

/**
 * The same moment of the same bot is one event: a pause of a bot is waited for by each of its coins. Of several coins none
 * is named.
 */
export function withoutRepeats(events: readonly NextEvent[]): NextEvent[] {
  const found = new Map<string, NextEvent>();
  for (const event of events) {
    const key = event.kind === 'time' && event.code === 'pause' ? `${event.autoTradeId} ${event.code} ${event.at}` : event.id;
    const known = found.get(key);
    found.set(key, known === undefined ? event : { ...known, id: key.replaceAll(' ', ':'), symbol: null });
  }
  return [...found.values()];
}
