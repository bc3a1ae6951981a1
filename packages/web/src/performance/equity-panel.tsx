import { Box, Flex, Text } from '@chakra-ui/react';
import { fromFloat } from '@pilotfish/core/money/decimal';
import { formatFixed, formatMoney, formatPercent, formatRoughly, formatSigned } from '@pilotfish/core/money/format';
import type { Performance } from '@pilotfish/core/performance/performance-contract';
import { atLocal } from '@pilotfish/core/time/calendar-day';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LineSeries } from '../ui/charts/line-chart.tsx';
import { Segments } from '../ui/controls.tsx';
import { TitledPanel } from '../ui/kit/titled-panel.tsx';
import { type EquityLines, equityLines } from './equity-lines.ts';
import type { Words } from './use-words.ts';

const LineChart = lazy(() => import('../ui/charts/line-chart.tsx').then((module) => ({ default: module.LineChart })));
/** What the chart's readout and the gap below it take. */
const READOUT = 40;
/** Of the chart, px. */
export const EQUITY_HEIGHT = { desktop: 300, phone: 200 } as const;
/** From here on the places after the point say nothing at an axis. */
const WHOLE_FROM = 100;

const atAxis = (value: number, currency: string): string =>
  Math.abs(value) >= WHOLE_FROM ? formatFixed(fromFloat(value, 0), 0) : formatMoney(fromFloat(value, 8), currency);

type Look = {
  isNarrowed: boolean;
  /** The range, though a day of it is picked. */
  isWhole: boolean;
  height: number;
};

/** What is drawn. Values of one length with `time`, NaN where nothing is known. */
export type ShownLines = Pick<EquityLines, 'kind' | 'values' | 'drawdown'> & {
  /** Seconds, ascending. */
  readonly time: readonly number[];
  /** How a point is named. */
  readonly moment: (seconds: number) => string;
  /** Too few points for a line. */
  readonly isShort: boolean;
  readonly label: string;
  /** The same money put to another use. */
  readonly beside: readonly LineSeries[];
};

type DailyEquity = Pick<Performance, 'days' | 'timeZone' | 'currency' | 'to' | 'benchmark'>;
/** Equity day by day, beside a coin that was held instead. */
export function DailyEquityPanel({ data, words, ...look }: Look & { data: DailyEquity; words: Words }) {
  const { t } = useTranslation();
  const { days, timeZone, currency, to } = data;
  const asset = data.benchmark?.asset ?? 'BTC';
  const { day: dayName } = words;
  const linesIn = useCallback(
    (inPercent: boolean): ShownLines => {
      const { days: shown, benchmark, ...lines } = equityLines(days, inPercent);
      const time = shown.map((day) => atLocal(Date.parse(day), timeZone) / 1000);
      const names = new Map(shown.map((day, index) => [time[index], day]));
      return {
        ...lines,
        time,
        moment: (at) => dayName(names.get(at) ?? to),
        isShort: days.length < 2,
        label: t(lines.kind === 'equity' ? 'overview.equity' : 'performance.results'),
        beside: benchmark ? [{ label: t('overview.holding', { asset }), values: benchmark, color: 'fg-subtle', dashed: true }] : [],
      };
    },
    [days, timeZone, to, asset, dayName, t],
  );
  return <EquityPanel {...look} linesIn={linesIn} currency={currency} />;
}

/** Equity over time with what it fell by below its peak; with a filter the results of what is shown, added up. */
export function EquityPanel({
  linesIn,
  currency,
  isNarrowed,
  isWhole,
  height,
}: Look & {
  /** Stays the same while the figures do. Of running results there is no percentage. */
  linesIn: (inPercent: boolean) => ShownLines;
  currency: string;
}) {
  const { t } = useTranslation();
  const [unit, setUnit] = useState<'money' | 'percent'>('money');
  const lines = useMemo(() => linesIn(unit === 'percent'), [linesIn, unit]);
  const isEquity = lines.kind === 'equity';
  const inPercent = isEquity && unit === 'percent';
  const percent = (value: number) => formatPercent(fromFloat(value, 4));
  const money = (value: number) => (isEquity ? formatMoney(fromFloat(value, 8), currency) : formatSigned(fromFloat(value, 8), currency));
  const title = t(isEquity ? 'performance.equityTitle' : 'performance.resultsTitle');
  const box = height + READOUT;
  const series = useMemo(
    () => [{ label: lines.label, values: lines.values, color: 'chart-line' as const, filled: true }, ...lines.beside],
    [lines],
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
        {lines.isShort ? (
          <Flex h={`${box}px`} align="center" justify="center" color="fg.muted" textAlign="center" px="4">
            {t('performance.oneDay')}
          </Flex>
        ) : (
          <Suspense fallback={<div className="skeleton" style={{ height: box }} />}>
            <LineChart
              key={`${lines.kind} ${unit}`}
              label={title}
              time={lines.time}
              series={series}
              format={inPercent ? percent : money}
              axisFormat={inPercent ? percent : (value) => (isEquity ? atAxis(value, currency) : formatRoughly(fromFloat(value, 8)))}
              momentText={lines.moment}
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
