import { Box, Flex, Text } from '@chakra-ui/react';
import { fromFloat } from '@pilotfish/core/money/decimal';
import { formatFixed, formatMoney, formatPercent, formatRoughly, formatSigned } from '@pilotfish/core/money/format';
import type { Performance } from '@pilotfish/core/performance/performance-contract';
import { atLocal } from '@pilotfish/core/time/calendar-day';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Segments } from '../ui/controls.tsx';
import { TitledPanel } from '../ui/kit/titled-panel.tsx';
import { equityLines } from './equity-lines.ts';
import type { Words } from './use-words.ts';

const LineChart = lazy(() => import('../ui/charts/line-chart.tsx').then((module) => ({ default: module.LineChart })));
/** What the chart's readout and the gap below it take. */
const READOUT = 40;
/** From here on the places after the point say nothing at an axis. */
const WHOLE_FROM = 100;

const atAxis = (value: number, currency: string): string =>
  Math.abs(value) >= WHOLE_FROM ? formatFixed(fromFloat(value, 0), 0) : formatMoney(fromFloat(value, 8), currency);

/** Equity over the days with what it fell by below its peak; with a filter the results of what is shown, added up. */
export function EquityPanel({
  data,
  words,
  isNarrowed,
  isWhole,
  height,
}: {
  data: Performance;
  words: Words;
  isNarrowed: boolean;
  /** The range, though a day of it is picked. */
  isWhole: boolean;
  height: number;
}) {
  const { t } = useTranslation();
  const [unit, setUnit] = useState<'money' | 'percent'>('money');
  const { days, timeZone, currency } = data;
  const lines = useMemo(() => equityLines(days, unit === 'percent'), [days, unit]);
  const time = useMemo(() => lines.days.map((day) => atLocal(Date.parse(day), timeZone) / 1000), [lines, timeZone]);
  const names = useMemo(() => new Map(lines.days.map((day, index) => [time[index], day])), [lines, time]);
  const isEquity = lines.kind === 'equity';
  const inPercent = isEquity && unit === 'percent';
  const percent = (value: number) => formatPercent(fromFloat(value, 4));
  const money = (value: number) => (isEquity ? formatMoney(fromFloat(value, 8), currency) : formatSigned(fromFloat(value, 8), currency));
  const title = t(isEquity ? 'performance.equityTitle' : 'performance.resultsTitle');
  const box = height + READOUT;
  const series = useMemo(
    () => [
      { label: t(isEquity ? 'overview.equity' : 'performance.results'), values: lines.values, color: 'chart-line' as const, filled: true },
      ...(lines.benchmark
        ? [
            {
              label: t('overview.holding', { asset: data.benchmark?.asset ?? 'BTC' }),
              values: lines.benchmark,
              color: 'fg-subtle' as const,
              dashed: true,
            },
          ]
        : []),
    ],
    [t, isEquity, lines, data.benchmark?.asset],
  );
  const pane = useMemo(
    () =>
      lines.drawdown && {
        label: t('performance.drawdown'),
        values: lines.drawdown,
        color: 'chart-down' as const,
        format: (value: number) => formatPercent(fromFloat(value, 4)),
      },
    [t, lines],
  );
  return (
    <TitledPanel
      title={title}
      count={isWhole ? t('performance.wholeRange') : undefined}
      actions={
        isEquity && (
          <Segments
            size="chip"
            label={t('performance.unit')}
            value={unit}
            options={[
              { value: 'money', label: currency },
              { value: 'percent', label: '%' },
            ]}
            onChange={setUnit}
          />
        )
      }
    >
      {!isEquity && (
        <Text fontSize="12px" color="fg.muted" pb="1">
          {t(isNarrowed ? 'performance.resultsFiltered' : 'performance.resultsUnknown')}
        </Text>
      )}
      <Box minH={`${box}px`}>
        {days.length < 2 ? (
          <Flex h={`${box}px`} align="center" justify="center" color="fg.muted" textAlign="center" px="4">
            {t('performance.oneDay')}
          </Flex>
        ) : (
          <Suspense fallback={<div className="skeleton" style={{ height: box }} />}>
            <LineChart
              key={`${lines.kind} ${unit}`}
              label={title}
              time={time}
              series={series}
              format={inPercent ? percent : money}
              axisFormat={inPercent ? percent : (value) => (isEquity ? atAxis(value, currency) : formatRoughly(fromFloat(value, 8)))}
              momentText={(seconds) => words.day(names.get(seconds) ?? data.to)}
              marked
              height={height}
              {...(pane ? { pane } : {})}
            />
          </Suspense>
        )}
      </Box>
    </TitledPanel>
  );
}
