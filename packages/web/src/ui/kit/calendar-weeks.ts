import { dayAfter } from '@pilotfish/core/time/calendar-day';

// Days are names, `2026-11-25`: a change of the clock makes none of them longer, shorter or missing.

const DAY = 86_400_000;
const nameOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The month `2026-11` so many months later, or earlier below zero. */
export function addMonths(month: string, count: number): string {
  const [year, number] = month.split('-').map(Number);
  return nameOf(Date.UTC(year!, number! - 1 + count, 1)).slice(0, 7);
}

export const lastOfMonth = (month: string): string => dayAfter(`${addMonths(month, 1)}-01`, -1);

/** Regions whose week begins on Sunday, for browsers that do not know. */
const FROM_SUNDAY = /^(?:US|CA|MX|BR|CO|JP|KR|TW|HK|IN|IL|PH|ZA|SA)$/;
type WithWeek = Intl.Locale & { readonly weekInfo?: { firstDay: number }; readonly getWeekInfo?: () => { firstDay: number } };

/**
 * The day a week begins with, 1 Monday … 7 Sunday, by the region of the browser, as the clock is; Monday where it names none.
 * @param locale `en-US`
 */
export function weekStart(locale: string | undefined): number {
  const region = /^[a-z]{2,3}(?:[-_][a-z]{4})?[-_]([a-z]{2})(?![a-z\d])/i.exec(locale ?? '')?.[1]?.toUpperCase();
  if (region === undefined) return 1;
  const known: WithWeek = new Intl.Locale(`und-${region}`);
  return (known.getWeekInfo?.() ?? known.weekInfo)?.firstDay ?? (FROM_SUNDAY.test(region) ? 7 : 1);
}

/** The weeks of a month, each of seven days; undefined where a place of the week belongs to another month. @param start 1 Monday … 7 Sunday */
export function monthWeeks(month: string, start: number): (string | undefined)[][] {
  const first = Date.parse(`${month}-01`);
  const last = Date.parse(lastOfMonth(month));
  const weekday = (new Date(first).getUTCDay() + 6) % 7;
  const weeks: (string | undefined)[][] = [];
  for (let at = first - ((weekday - (start - 1) + 7) % 7) * DAY; at <= last; at += 7 * DAY)
    weeks.push(
      Array.from({ length: 7 }, (_, index) => at + index * DAY).map((day) => (day < first || day > last ? undefined : nameOf(day))),
    );
  return weeks;
}
