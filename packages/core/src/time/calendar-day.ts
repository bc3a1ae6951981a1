const DAY = 86_400_000;
const HOUR = 3_600_000;

/** True for a name that this runtime knows as a time zone, e.g. `Europe/Istanbul`. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * The zone that a device may give to an account which chose none. Not UTC: it counts there anyway, and servers and browsers
 * that hide their place say it, so that the next device may still know better.
 */
export const zoneToOffer = (device: string | undefined): string | undefined =>
  device !== undefined && isTimeZone(device) && !/^(Etc\/)?(UTC|GMT|UCT|Universal|Zulu|Unknown)$/i.test(device) ? device : undefined;

/** By zone: one is slow to make, and the protections of a bot ask for the same day again and again. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** How far a zone's clock is ahead of UTC at a moment, ms. */
function offsetAt(at: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0;
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  formats.set(timeZone, format);
  const parts = format.formatToParts(at);
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return local - Math.floor(at / 1000) * 1000;
}

/**
 * The moment, epoch ms, at which a clock of the zone shows this time, told as if it were UTC; for a time that is skipped
 * the one at which it would have come, had the clock not been set.
 */
export function atLocal(local: number, timeZone: string): number {
  const first = local - offsetAt(local, timeZone);
  const second = local - offsetAt(first, timeZone);
  return localOf(second, timeZone) === local ? second : Math.max(first, second);
}
/** What a clock of the zone shows at a moment, told as if it were UTC. */
export const localOf = (at: number, timeZone: string): number => at + offsetAt(at, timeZone);

/** 1 Monday … 7 Sunday, of a local time. */
export const weekday = (local: number): number => ((new Date(local).getUTCDay() + 6) % 7) + 1;

/** The first moment at which a clock of the zone shows a local midnight: where clocks go back over one, it comes twice. */
function midnight(local: number, timeZone: string): number {
  const at = atLocal(local, timeZone);
  return localOf(at - HOUR, timeZone) === local ? at - HOUR : at;
}

/** The day of a zone that a moment lies in: its first ms and the first of the next. One that changes clocks has 23 or 25 hours. */
export function dayOf(at: number, timeZone: string): { readonly start: number; readonly end: number } {
  const day = Math.floor(localOf(at, timeZone) / DAY) * DAY;
  return { start: midnight(day, timeZone), end: midnight(day + DAY, timeZone) };
}

/** Longer than this no zone goes between two changes of its clock that would undo each other. */
const LOOK_MS = 7 * DAY;

/**
 * How far a zone's clock is ahead of UTC, ms, from one moment to another: the first offset, and each that follows with
 * the first ms it holds at. For days of a zone in a query, where no row can be asked for its own offset.
 */
export function offsetsBetween(from: number, to: number, timeZone: string): { readonly from: number; readonly offset: number }[] {
  const found = [{ from, offset: offsetAt(from, timeZone) }];
  for (let at = from; at < to; ) {
    const next = Math.min(at + LOOK_MS, to);
    const { offset } = found.at(-1)!;
    const after = offsetAt(next, timeZone);
    if (after !== offset) {
      let [low, high] = [at, next];
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2);
        if (offsetAt(middle, timeZone) === offset) low = middle;
        else high = middle;
      }
      found.push({ from: high, offset: after });
    }
    at = next;
  }
  return found;
}

/** Says which day of a zone, `2026-12-31`, and which of its hours a moment lies in. For many moments: it asks for a day's offset once. */
export function clockNames(timeZone: string): (at: number) => { readonly day: string; readonly hour: number } {
  /** By day of UTC: the offset, where it is the same at both of its ends. */
  const steady = new Map<number, number | undefined>();
  const names = new Map<number, string>();
  const nameOf = (number: number): string => {
    const known = names.get(number);
    if (known !== undefined) return known;
    const name = new Date(number * DAY).toISOString().slice(0, 10);
    names.set(number, name);
    return name;
  };
  return (at) => {
    const day = Math.floor(at / DAY);
    if (!steady.has(day)) {
      const offset = offsetAt(day * DAY, timeZone);
      steady.set(day, offset === offsetAt((day + 1) * DAY, timeZone) ? offset : undefined);
    }
    const local = at + (steady.get(day) ?? offsetAt(at, timeZone));
    const number = Math.floor(local / DAY);
    return { day: nameOf(number), hour: Math.floor((local - number * DAY) / HOUR) };
  };
}

/** Says which day of a zone, `2026-12-31`, a moment lies in. For many moments. */
export function dayNames(timeZone: string): (at: number) => string {
  const clock = clockNames(timeZone);
  return (at) => clock(at).day;
}

/** Whether a text is a day that the calendar has, as `2026-12-31`: 30 February is none. */
export const isDay = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);

/** The day so many days after one (before it, below zero), by their names: a calendar has no clocks to change. */
export const dayAfter = (day: string, days = 1): string =>
  new Date(Date.parse(`${day}T00:00:00.000Z`) + days * DAY).toISOString().slice(0, 10);

/** The latest of some days, by their names. */
export const latestDay = (...days: [string, ...string[]]): string => days.toSorted().at(-1)!;

/** How many days one day is after another. */
export const daysApart = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00.000Z`) - Date.parse(`${from}T00:00:00.000Z`)) / DAY);

/** The first ms of a day, `2026-12-31`, in a zone: where midnight does not exist, the first moment there is. */
export const startOfDay = (day: string, timeZone: string): number => midnight(Date.parse(`${day}T00:00:00.000Z`), timeZone);

/** The end of a day, `2026-12-31`, in a zone; NaN for a day that is none. */
export function endOfDay(date: string, timeZone: string): number {
  const start = Date.parse(`${date}T00:00:00.000Z`);
  return Number.isNaN(start) || !new Date(start).toISOString().startsWith(date) ? Number.NaN : atLocal(start + DAY, timeZone);
}

/** The end of the next such weekday; today's when it is today. */
export function nextWeekday(now: number, day: number, timeZone: string): number {
  const local = localOf(now, timeZone);
  const today = Math.floor(local / DAY) * DAY;
  return atLocal(today + ((day - weekday(local) + 7) % 7) * DAY + DAY, timeZone);
}

/** The first ms of the month of a zone that a moment lies in. */
export function monthStart(at: number, timeZone: string): number {
  const local = new Date(localOf(at, timeZone));
  return midnight(Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), 1), timeZone);
}
