import { atLocal, localOf } from '@pilotfish/core/time/calendar-day';

/** The zone that every time of the page is shown in: that of the account, else the device's. */
export const shownTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Epoch ms → the text of a `datetime-local` field, by the clock of the page; empty for what is no moment. */
export function fieldTime(at: number): string {
  return Number.isNaN(at) ? '' : new Date(localOf(at, shownTimeZone())).toISOString().slice(0, 16);
}

/**
 * The text of a `datetime-local` field → ISO in UTC; undefined while it is no moment. The browser's own reading would follow
 * the device: a trade typed as of 14:00 would be shown as of 15:00.
 */
export function fieldMoment(text: string): string | undefined {
  const local = Date.parse(`${text}Z`);
  return text === '' || Number.isNaN(local) ? undefined : new Date(atLocal(local, shownTimeZone())).toISOString();
}
