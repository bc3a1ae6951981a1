import { BY_HAND } from '@pilotfish/core/auto-trades/exit-reason-contract';
import type { Performance, PerformanceReason } from '@pilotfish/core/performance/performance-contract';
import { formatMoment } from '@pilotfish/core/time/moment';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

/** How parts of the answer are called. @param data days of another year than `asOf` are named with it */
export function useWords(data: Pick<Performance, 'asOf' | 'bots' | 'choices'> | undefined) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const reason = useCallback(
    (of: PerformanceReason): string => {
      const word = of === 'hand' || of === 'conversion' ? t(`performance.reason.${of}`) : t(`exitReasons.${of}`);
      return word.slice(0, 1).toLocaleUpperCase(language) + word.slice(1);
    },
    [t, language],
  );
  const bot = useCallback(
    (id: string): string => {
      if (id === BY_HAND) return t('overview.byHand');
      const known = [...(data?.choices.bots ?? []), ...(data?.bots ?? [])].find((each) => each.id === id);
      return known?.name ?? t('performance.goneBot');
    },
    [t, data],
  );
  const hour = useCallback((of: number): string => `${String(of).padStart(2, '0')}:00`, []);
  /** A day or a month by its name: `25 Nov`, `November`; with the year where it is another one. */
  const day = useCallback(
    (name: string, long = false): string => {
      const isMonth = name.length === 7;
      const at = Date.parse(isMonth ? `${name}-01` : name);
      const now = data ? Date.parse(data.asOf) : at;
      if (!isMonth && !long) return formatMoment(at, { language, clock: '24h', timeZone: 'UTC', now }, 'day');
      const parts = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).formatToParts(
        at,
      );
      const isOther = name.slice(0, 4) !== new Date(now).toISOString().slice(0, 4);
      return (['day', 'month', 'year'] as const)
        .filter((part) => (part === 'day' ? !isMonth : part === 'month' || isOther))
        .map((part) => parts.find(({ type }) => type === part)?.value)
        .join(' ');
    },
    [language, data],
  );
  /** Two days; what they have in common is said once: `11–24 Oct`, `1 Sep – 25 Nov 2025`. */
  const span = useCallback(
    (from: string, to: string): string => {
      if (from === to) return day(from);
      if (from.slice(0, 7) === to.slice(0, 7)) return `${Number(from.slice(8))}–${day(to)}`;
      const first = day(from);
      return `${from.slice(0, 4) === to.slice(0, 4) ? first.replace(` ${from.slice(0, 4)}`, '') : first} – ${day(to)}`;
    },
    [day],
  );
  return { reason, bot, hour, day, span };
}
export type Words = ReturnType<typeof useWords>;
