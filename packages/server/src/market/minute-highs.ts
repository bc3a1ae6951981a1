import { isJump, STANDSTILL_MS } from '@pilotfish/core/auto-trades/engine/standstill';
import type { KlinePayload } from '../exchange/payloads.ts';

export type Minute = KlinePayload;
const MINUTE = 60_000;

/**
 * Highs of minutes in which was traded, oldest first: [venue ms, price]. Before a standstill that ended with a jump prices
 * were of another unit: a fall counted from their highs would be none.
 */
export function highsSinceJump(minutes: readonly Minute[]): [number, number][] {
  let highs: [number, number][] = [];
  let closedAt = Number.NaN;
  let closed = Number.NaN;
  for (const [openTime, open, high, , close, volume] of minutes) {
    // What stands in a minute without a trade is the price of before.
    if (Number(volume) === 0) continue;
    if (openTime - closedAt >= STANDSTILL_MS && isJump(closed, Number(open))) highs = [];
    highs.push([openTime, Number(high)]);
    closedAt = openTime + MINUTE;
    closed = Number(close);
  }
  return highs;
}
