import { formatSpan } from '@pilotfish/core/time/duration';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../platform/app-context.tsx';
import { useMoment } from '../ui/use-moment.ts';

const REFRESH_MS = 15_000;
const MINUTE = 60_000;

/** How long until a moment, in words; follows the clock. */
export function TimeLeft({ until }: { until: string }) {
  const { t, i18n } = useTranslation();
  const moment = useMoment();
  const { now } = useApp().browser;
  const [at, setAt] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setAt(now()), REFRESH_MS);
    return () => clearInterval(timer);
  }, [now]);
  const minutes = Math.max(0, Math.round((Date.parse(until) - at) / MINUTE));
  // Seconds would change more often than it looks at the clock.
  const time = formatSpan(Math.max(1, minutes) * MINUTE, i18n.language);
  return (
    <time dateTime={until} title={moment(until, 'second')}>
      {t('autoTrades.left', { time })}
    </time>
  );
}
