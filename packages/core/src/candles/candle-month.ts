import { intervalLength } from '../prices/candle-gaps.ts';

/** First moment of a calendar month of UTC, epoch ms. @param month `2024-01` */
export const monthStart = (month: string): number => Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)) - 1, 1);

/** First moment after it, epoch ms. */
export const monthEnd = (month: string): number => Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1);

/** The month that holds a moment (epoch ms), as `2024-01`. */
export const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);

/** All months from one to another, both included; none where the first is later. */
export function monthsBetween(from: string, to: string): string[] {
  const months: string[] = [];
  for (let month = from; month <= to; month = monthOf(monthEnd(month))) months.push(month);
  return months;
}

/** Candles that are missing between the first one and `coveredTo` (epoch ms, exclusive). */
export function gapsWithin(candles: readonly { readonly openTime: number }[], interval: string, coveredTo: number): number {
  const first = candles[0];
  return first === undefined ? 0 : Math.max(0, Math.round((coveredTo - first.openTime) / intervalLength(interval)!) - candles.length);
}
