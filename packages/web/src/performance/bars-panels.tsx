import { Box, Text } from '@chakra-ui/react';
import { fromFloat, toText } from '@pilotfish/core/money/decimal';
import { formatRoughly, formatSigned } from '@pilotfish/core/money/format';
import type { Performance } from '@pilotfish/core/performance/performance-contract';
import { lazy, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Result } from '../ui/kit/result.tsx';
import { TitledPanel } from '../ui/kit/titled-panel.tsx';
import { bestHours, type HourSpan, spanWords } from './best-hours.ts';
import type { FilterProps } from './filter-chips.tsx';

const BarChart = lazy(() => import('../ui/charts/bar-chart.tsx').then((module) => ({ default: module.BarChart })));
const HEIGHT = { months: 180, hours: 156 } as const;
/** What the chart's readout and the gap below it take. */
const READOUT = 40;

const waiting = (height: number) => <div className="skeleton" style={{ height: height + READOUT }} />;
const roughly = (value: number) => formatRoughly(fromFloat(value, 8));

/**
 * Month by month, whatever the range: a month that is clicked on takes its place.
 * @param of the year, or the years, they are of
 */
export function MonthsPanel({
  months,
  of,
  net,
  currency,
  address,
  words,
  onChange,
}: FilterProps & Pick<Performance['year'], 'months' | 'net'> & { of: number | string; currency: string }) {
  const { t, i18n } = useTranslation();
  const bars = useMemo(() => {
    const years = new Set(months.map(({ month }) => month.slice(0, 4)));
    const format = new Intl.DateTimeFormat(i18n.language, {
      month: 'short',
      ...(years.size > 1 ? { year: '2-digit' } : {}),
      timeZone: 'UTC',
    });
    return months.map(({ month, net: own }) => ({ label: format.format(Date.parse(`${month}-01`)), value: Number(own) }));
  }, [months, i18n.language]);
  const shortly = useMemo(() => ({ format: roughly, labelled: true }), []);
  return (
    <TitledPanel
      title={t('performance.months')}
      count={
        <>
          {of} · <Result value={net} currency={currency} reason="" />
        </>
      }
    >
      <Box minH={`${HEIGHT.months + READOUT}px`}>
        <Suspense fallback={waiting(HEIGHT.months)}>
          <BarChart
            label={t('performance.monthResult')}
            head={t('performance.month')}
            bars={bars}
            format={(value) => formatSigned(fromFloat(value, 8), currency)}
            shortly={shortly}
            height={HEIGHT.months}
            onPick={(index) => {
              const month = months[index]?.month;
              onChange({ day: month === address.day ? undefined : month });
            }}
          />
        </Suspense>
      </Box>
      <span className="visually-hidden">{address.day?.length === 7 ? words.day(address.day) : ''}</span>
    </TitledPanel>
  );
}

export function HoursPanel({ data, address, words, onChange }: FilterProps & { data: Pick<Performance, 'hours' | 'currency'> }) {
  const { t } = useTranslation();
  const { hours, currency } = data;
  const bars = useMemo(() => hours.map(({ hour, net }) => ({ label: String(hour).padStart(2, '0'), value: Number(net) })), [hours]);
  const { best, worst } = useMemo(() => bestHours(hours), [hours]);
  const shortly = useMemo(() => ({ format: roughly, labelled: false }), []);
  const said = (kind: 'best' | 'worst', span: HourSpan | undefined) => {
    if (span === undefined) return null;
    const how = spanWords(span);
    return (
      <>
        {t(`performance.${kind}.${how}`, { from: words.hour(span.from), to: words.hour(span.to) })}
        <Result value={toText(span.net)} currency={currency} reason="" />
        {'. '}
      </>
    );
  };
  return (
    <TitledPanel title={t('performance.byHour')} count={t('performance.yourZone')}>
      <Box minH={`${HEIGHT.hours + READOUT}px`}>
        <Suspense fallback={waiting(HEIGHT.hours)}>
          <BarChart
            label={t('performance.hourResult')}
            head={t('performance.hour')}
            bars={bars}
            format={(value) => formatSigned(fromFloat(value, 8), currency)}
            shortly={shortly}
            height={HEIGHT.hours}
            onPick={(index) => onChange({ hour: index === address.hour ? undefined : index })}
          />
        </Suspense>
      </Box>
      {/* Of one hour there is nothing to compare. */}
      {address.hour === undefined && (best || worst) && (
        <Text fontSize="13px" color="fg.muted" mt="1">
          {said('best', best)}
          {said('worst', worst)}
        </Text>
      )}
    </TitledPanel>
  );
}
