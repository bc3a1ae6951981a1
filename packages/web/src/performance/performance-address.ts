import { BY_HAND } from '@pilotfish/core/auto-trades/exit-reason-contract';
import { isId } from '@pilotfish/core/http/id-text';
import type { TradeMode } from '@pilotfish/core/http/wire';
import { isAssetName } from '@pilotfish/core/money/asset-name';
import { type PerformanceReason, performanceReason } from '@pilotfish/core/performance/performance-contract';
import { dayAfter, isDay } from '@pilotfish/core/time/calendar-day';
import { lastOfMonth } from '../ui/kit/calendar-weeks.ts';

/** In the order of the keys 1 to 5; 6 is a range of one's own. */
export const RANGES = ['7d', '30d', '90d', 'year', 'all'] as const;
export type RangeName = (typeof RANGES)[number];
const FIRST_RANGE: RangeName = '90d';

/** What narrows the exits of a range. */
export type PerformanceFilters = {
  /** A day `2026-11-25` or a month `2026-11` that was picked out of the range. */
  readonly day: string | undefined;
  /** Ids of bots, and `hand`. */
  readonly bots: readonly string[];
  readonly coins: readonly string[];
  readonly reasons: readonly PerformanceReason[];
  readonly hour: number | undefined;
};

/** What the page shows, as the address carries it. */
export type PerformanceAddress = PerformanceFilters & {
  readonly mode: TradeMode;
  /** A name, or days of one's own, both included. */
  readonly range: RangeName | { readonly from: string; readonly to: string };
};

const MOST = 100;
const isReason = (text: string): text is PerformanceReason => performanceReason.options.some((option) => option === text);
const isWhose = (text: string): boolean => text === BY_HAND || isId(text);

const isMonth = (text: string): boolean => /^\d{4}-(?:0[1-9]|1[0-2])$/.test(text);
const listOf = <Item extends string>(text: string | null, isOne: (item: string) => item is Item): readonly Item[] =>
  [...new Set((text ?? '').split(','))].filter(isOne).slice(0, MOST);

/** Reads what the address says; what is wrong in it is as if it were not there. */
export function readAddress(query: URLSearchParams): PerformanceAddress {
  const [from, to, range, day, hour] = ['from', 'to', 'range', 'day', 'hour'].map((key) => query.get(key)) as (string | null)[] &
    [string | null, string | null, string | null, string | null, string | null];
  return {
    mode: query.get('mode') === 'paper' ? 'paper' : 'live',
    range: isDay(from) && isDay(to) && from <= to ? { from, to } : (RANGES.find((each) => each === range) ?? FIRST_RANGE),
    day: isDay(day) || (day !== null && isMonth(day)) ? day : undefined,
    bots: listOf(query.get('bots'), (item): item is string => isWhose(item)),
    coins: listOf(query.get('coins'), (item): item is string => isAssetName(item)),
    reasons: listOf(query.get('reasons'), isReason),
    hour: hour !== null && /^(?:1?\d|2[0-3])$/.test(hour) ? Number(hour) : undefined,
  };
}

/** The address with some of it changed; what is as at first is left out. */
export function writeAddress(before: URLSearchParams, changes: Partial<PerformanceAddress>): URLSearchParams {
  const next = new URLSearchParams(before);
  const put = (key: string, text: string | undefined) => {
    if (text === undefined || text === '') next.delete(key);
    else next.set(key, text);
  };
  const { mode, range } = changes;
  if (mode) put('mode', mode === 'live' ? undefined : mode);
  if (range !== undefined) {
    const isOwn = typeof range === 'object';
    put('range', isOwn || range === FIRST_RANGE ? undefined : range);
    put('from', isOwn ? range.from : undefined);
    put('to', isOwn ? range.to : undefined);
  }
  if ('day' in changes) put('day', changes.day);
  if ('hour' in changes) put('hour', changes.hour?.toString());
  for (const key of ['bots', 'coins', 'reasons'] as const) if (key in changes) put(key, changes[key]?.join(','));
  return next;
}

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
