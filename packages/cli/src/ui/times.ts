import { clockOf, formatMoment, type MomentDetail, type TimeReader } from '@pilotfish/core/time/moment';
import type { Env } from '../app/context.ts';

type Reader = Pick<TimeReader, 'language' | 'timeZone'> & { readonly locale: string | undefined; readonly now: () => number };
let reader: Reader = { language: 'en', locale: undefined, now: Date.now };

/** Who reads every time that is printed from now on: the language is this program's, the clock that of the region. */
export function showTimesTo(language: string, { LC_ALL, LC_TIME, LANG }: Env, now: () => number): void {
  reader = { ...reader, language, locale: LC_ALL || LC_TIME || LANG, now };
}

/** Every time that is printed from now on follows this zone: that of the account, which may not be the machine's. */
export function showTimesIn(zone: string): void {
  reader = { ...reader, timeZone: zone };
}

/** A moment, epoch ms or ISO, in the account's time zone; empty for none. */
export function localTime(at: number | string | null | undefined, detail: MomentDetail = 'second'): string {
  if (at === null || at === undefined || at === '') return '';
  const { language, timeZone, locale, now } = reader;
  return formatMoment(at, { language, timeZone, clock: clockOf(locale), now: now() }, detail);
}
