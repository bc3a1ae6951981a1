import { clockOf, formatMoment, type MomentDetail } from '@pilotfish/core/time/moment';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../platform/app-context.tsx';
import { shownTimeZone } from './fields/field-time.ts';

/** The clock of the browser's region; 24 hours where there is no browser. */
export const shownClock = () => clockOf(globalThis.navigator?.language);

/** Moments as the reader writes them: in the language of the page, by the clock of the browser's region, in the account's zone. */
export function useMoment(): (at: number | string, detail?: MomentDetail) => string {
  const { i18n } = useTranslation();
  const { now } = useApp().browser;
  return useCallback(
    (at, detail = 'minute') =>
      formatMoment(at, { language: i18n.language, clock: shownClock(), timeZone: shownTimeZone(), now: now() }, detail),
    [i18n.language, now],
  );
}
