import { BY_HAND } from '@pilotfish/core/auto-trades/exit-reason-contract';
import type { Performance, PerformanceReason } from '@pilotfish/core/performance/performance-contract';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

/** How parts of the answer are called. */
export function useWords(data: Performance | undefined) {
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
      const year = name.slice(0, 4) === (data?.asOf ?? name).slice(0, 4) ? undefined : ('numeric' as const);
      return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
        ...(isMonth ? {} : { day: 'numeric' }),
        month: isMonth || long ? 'long' : 'short',
        year,
        timeZone: 'UTC',
      }).format(Date.parse(isMonth ? `${name}-01` : name));
    },
    [language, data],
  );
  /** Two days, the month once where it is the same: `11–24 Oct`. */
  const span = useCallback(
    (from: string, to: string): string =>
      from === to ? day(from) : from.slice(0, 7) === to.slice(0, 7) ? `${Number(from.slice(8))}–${day(to)}` : `${day(from)} – ${day(to)}`,
    [day],
  );
  return { reason, bot, hour, day, span };
}
export type Words = ReturnType<typeof useWords>;
