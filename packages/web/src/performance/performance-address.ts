import { asset, tradeMode } from '@pilotfish/core/http/wire';
import { performanceReason } from '@pilotfish/core/performance/performance-contract';
import { dayAfter, isDay } from '@pilotfish/core/time/calendar-day';
import * as z from 'zod';
import { type Address, daysField, listField, whoseField } from '../platform/use-address.ts';
import { lastOfMonth } from '../ui/kit/calendar-weeks.ts';

/** In the order of the keys 1 to 5; 6 is a range of one's own. */
export const RANGES = ['7d', '30d', '90d', 'year', 'all'] as const;
export type RangeName = (typeof RANGES)[number];

const isMonth = (text: string): boolean => /^\d{4}-(?:0[1-9]|1[0-2])$/.test(text);

/** What the page shows, as the address carries it. */
export const PERFORMANCE = {
  mode: tradeMode.default('live'),
  range: daysField('range', RANGES, '90d'),
  /** A day `2026-11-25` or a month `2026-11` that was picked out of the range. */
  day: z
    .string()
    .refine((text) => isDay(text) || isMonth(text))
    .optional(),
  bots: listField(whoseField),
  coins: listField(asset),
  reasons: listField(performanceReason),
  hour: z.codec(z.string().regex(/^(?:1?\d|2[0-3])$/), z.number(), { decode: Number, encode: (hour) => hour.toString() }).optional(),
};
export type PerformanceAddress = Address<typeof PERFORMANCE>;
/** What narrows the exits of a range. */
export type PerformanceFilters = Omit<PerformanceAddress, 'mode' | 'range'>;

/** No filters. */
export const NO_FILTERS = {
  day: undefined,
  bots: [],
  coins: [],
  reasons: [],
  hour: undefined,
} as const satisfies PerformanceFilters;

/** Whether fewer than all exits of the days count: then there is no equity, which belongs to everything. */
export const isNarrowed = ({ bots, coins, reasons, hour }: PerformanceFilters): boolean =>
  bots.length + coins.length + reasons.length > 0 || hour !== undefined;

/** First and last day of a range; a missing one is open, so that a range goes on at midnight. @param today of the reader */
export function daysOf(range: PerformanceAddress['range'], today: string): { from?: string; to?: string } {
  if (typeof range === 'object') return range;
  if (range === 'all') return {};
  return { from: range === 'year' ? `${today.slice(0, 4)}-01-01` : dayAfter(today, 1 - Number.parseInt(range, 10)) };
}

/** First and last day of what was picked. */
export const pickedDays = (day: string): { from: string; to: string } =>
  day.length === 7 ? { from: `${day}-01`, to: lastOfMonth(day) } : { from: day, to: day };

/** The query of the call. @param whole of the whole range, whatever day of it is picked */
export function performanceQuery(address: PerformanceAddress, today: string, whole = false) {
  const { mode, range, day, bots, coins, reasons, hour } = address;
  return {
    mode,
    ...(day === undefined || whole ? daysOf(range, today) : pickedDays(day)),
    ...(bots.length > 0 ? { bots: bots.join(',') } : {}),
    ...(coins.length > 0 ? { coins: coins.join(',') } : {}),
    ...(reasons.length > 0 ? { reasons: reasons.join(',') } : {}),
    ...(hour === undefined ? {} : { hour: String(hour) }),
  };
}
export type PerformanceQuery = ReturnType<typeof performanceQuery>;

/** A list that was just clicked on: only this one, or all again when it was only this one. */
export const toggled = <Item>(chosen: readonly Item[], item: Item): readonly Item[] =>
  chosen.length === 1 && chosen[0] === item ? [] : [item];

/** The name of a file with these figures: what they are of, and that they are narrowed. */
export function fileName(address: PerformanceAddress, { from, to }: { from: string; to: string }, botName: (id: string) => string): string {
  const { mode, bots, coins, reasons, hour } = address;
  const parts = [...bots.map(botName), ...coins, ...reasons, ...(hour === undefined ? [] : [`${hour}h`])];
  // Names may hold what a file system refuses.
  const plain = parts.map((part) => part.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '')).filter((part) => part !== '');
  return `${['performance', mode, from, to, ...plain].join('_').slice(0, 180)}.csv`;
}
