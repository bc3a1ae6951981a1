import { Box, Flex, Text } from '@chakra-ui/react';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type uPlot from 'uplot';
import { themeColor, timeLabels, useUplot } from './use-uplot.ts';

export type LineSeries = { label: string; values: readonly number[]; color: 'brand-fg' | 'fg-muted' | 'secondary-fg' };

/** Lines over time. The legend doubles as the readout of what the cursor points at. */
export function LineChart({
  label,
  time,
  series,
  format,
  height = 220,
}: {
  label: string;
  time: readonly number[];
  series: readonly LineSeries[];
  format: (value: number) => string;
  height?: number;
}) {
  const { t, i18n } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const [read, setRead] = useState<number>();
  const data = useMemo<uPlot.AlignedData>(() => [[...time], ...series.map(({ values }) => [...values])], [time, series]);
  useUplot(
    box,
    `${label}:${i18n.language}:${series.map((line) => line.label).join()}`,
    () => ({
      padding: [8, 0, 0, 0],
      legend: { show: false },
      cursor: { y: false },
      axes: [
        {
          stroke: () => themeColor('fg-muted'),
          grid: { show: false },
          ticks: { show: false },
          font: '12px "Inter Variable", sans-serif',
          values: (_, splits, __, ___, step) => timeLabels(splits, step, i18n.language),
        },
        {
          side: 1,
          size: (_, values) => 16 + Math.max(...(values ?? ['']).map((value) => value.length)) * 7.2,
          stroke: () => themeColor('fg-muted'),
          grid: { stroke: () => themeColor('border-subtle'), width: 1 },
          ticks: { show: false },
          font: '12px "Inter Variable", sans-serif',
          values: (_, splits) => splits.map(format),
        },
      ],
      series: [{}, ...series.map(({ color }) => ({ stroke: () => themeColor(color), width: 2, points: { show: false } }))],
      hooks: { setCursor: [(chart) => setRead(chart.cursor.idx ?? undefined)] },
    }),
    data,
    height,
  );
  const shown = read ?? time.length - 1;
  const values = series[0]?.values ?? [];
  const summary = t('chart.summary', {
    label,
    last: format(values.at(-1) ?? 0),
    low: format(Math.min(...values)),
    high: format(Math.max(...values)),
  });
  return (
    <Flex direction="column" gap="2">
      <Flex gap="4" fontSize="12px" color="fg.muted" wrap="wrap" css={{ fontVariantNumeric: 'tabular-nums' }}>
        <span>{new Date((time[shown] ?? 0) * 1000).toLocaleString(i18n.language, { dateStyle: 'medium', timeStyle: 'short' })}</span>
        {series.map((line) => (
          <Flex key={line.label} as="span" gap="1.5" align="center">
            <Box as="span" w="10px" h="2px" style={{ background: `var(--chakra-colors-${line.color})` }} />
            {line.label}
            <Text as="span" color="fg">
              {format(line.values[shown] ?? 0)}
            </Text>
          </Flex>
        ))}
      </Flex>
      <Box role="img" aria-label={summary}>
        <Box ref={box} h={`${height}px`} minW="0" aria-hidden="true" />
      </Box>
    </Flex>
  );
}
