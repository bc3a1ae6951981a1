import { atLocal, localOf, weekday } from './calendar-day.ts';

/** Windows of local time that come back every week. */
export type QuietWindows = {
  /** IANA. */
  readonly timeZone: string;
  /** `days` on which a window begins, 1 Monday … 7 Sunday; `to` at or before `from` is on the next day. */
  readonly windows: readonly { readonly days: readonly number[]; readonly from: string; readonly to: string }[];
};

const DAY = 86_400_000;
const HOUR = 3_600_000;
const msOf = (text: string): number => (Number(text.slice(0, 2)) * 60 + Number(text.slice(3))) * 60_000;

/** When a clock of the zone shows this next. A night that clocks go back in has an hour, or half of one, twice. */
function nextLocal(at: number, local: number, timeZone: string): number {
  const usual = atLocal(local, timeZone);
  const twice = [-HOUR, -HOUR / 2, 0, HOUR / 2, HOUR].map((shift) => usual + shift);
  return twice.find((moment) => moment > at && localOf(moment, timeZone) === local) ?? usual;
}

/**
 * When the quiet that a moment falls into ends; null when it falls into none. A window that ends when the next begins
 * goes over into it.
 * @param at epoch ms
 */
export function quietUntil(at: number, { timeZone, windows }: QuietWindows): number | null {
  let end: number | null = null;
  let moment = localOf(at, timeZone);
  // A week of windows at most: whoever is quiet all the time is woken once a week.
  for (let step = 0; step < 14; step += 1) {
    const next = windows
      .flatMap(({ days, from, to }) =>
        [-DAY, 0].map((shift) => {
          const start = Math.floor(moment / DAY) * DAY + shift + msOf(from);
          const length = (msOf(to) - msOf(from) + DAY) % DAY || DAY;
          return days.includes(weekday(start)) && start <= moment && moment < start + length ? start + length : 0;
        }),
      )
      .reduce((latest, each) => Math.max(latest, each), 0);
    if (next === 0) return end;
    end = nextLocal(at, next, timeZone);
    // Not always the time that was asked for: a night may skip it.
    moment = localOf(end, timeZone);
  }
  return end;
}
