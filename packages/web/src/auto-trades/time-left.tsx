import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../app/app-context.tsx';

const REFRESH_MS = 15_000;

/** How long until a moment, in words; follows the clock. */
export function TimeLeft({ until }: { until: string }) {
  const { t, i18n } = useTranslation();
  const { now } = useApp().browser;
  const [moment, setMoment] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setMoment(now()), REFRESH_MS);
    return () => clearInterval(timer);
  }, [now]);
  const minutes = Math.max(0, Math.round((Date.parse(until) - moment) / 60_000));
  const left =
    minutes >= 2880
      ? t('autoTrades.left.days', { count: Math.floor(minutes / 1440) })
      : minutes >= 60 && minutes % 60 === 0
        ? t('autoTrades.left.wholeHours', { count: minutes / 60 })
        : minutes >= 60
          ? t('autoTrades.left.hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })
          : t('autoTrades.left.minutes', { count: minutes });
  return (
    <time dateTime={until} title={new Date(until).toLocaleString(i18n.language)}>
      {left}
    </time>
  );
}
