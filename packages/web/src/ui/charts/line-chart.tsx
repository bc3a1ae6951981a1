import { Box, Flex, Text } from '@chakra-ui/react';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type uPlot from 'uplot';
import { type ChartColor, moment, themeColor, timeAxis, valueAxis } from './chart-axes.ts';
import { ChartFrame, cursorKey, TABLE_ROWS, useSummary } from './chart-frame.tsx';
import { linePaths } from './line-paths.ts';
import { type Numbers, spanOf, thinOut } from './series-summary.ts';
import { useUplot } from './use-uplot.ts';

export type LineSeries = { label: string; values: Numbers; color: ChartColor; dashed?: boolean };

type Props = {
  label: string;
  /** Seconds, ascending. */
  time: Numbers;
  /** The first one is what the chart is about. */
  series: readonly LineSeries[];
  format: (value: number) => string;
  height?: number;
};

/** Lines over time. The legend doubles as the readout of what the cursor points at. */
export function LineChart({ label, time, series, format, height = 220 }: Props) {
  const { t, i18n } = useTranslation();
  const plot = useRef<uPlot>(undefined);
  const [read, setRead] = useState<number>();
  const [spoken, setSpoken] = useState('');
  const [asTable, setAsTable] = useState(false);
  const last = time.length - 1;
  const shown = read !== undefined && read <= last ? read : last;
  const summary = useSummary(
    label,
    useMemo(() => spanOf(series[0]?.values ?? []), [series]),
    format,
  );
  const value = (values: Numbers, index: number) => (Number.isNaN(values[index] ?? Number.NaN) ? '–' : format(values[index]!));
  const onKeyDown = (event: KeyboardEvent) => {
    const next = cursorKey(event, shown, last);
    if (next === undefined) return;
    event.preventDefault();
    setRead(next);
    setSpoken(`${moment(time[next]!, i18n.language)}: ${series.map((line) => `${line.label} ${value(line.values, next)}`).join(', ')}`);
    const chart = plot.current;
    chart?.setCursor({ left: chart.valToPos(time[next]!, 'x'), top: 10 }, false);
  };
  return (
    <ChartFrame
      label={label}
      summary={summary}
      spoken={spoken}
      asTable={asTable}
      onAsTable={setAsTable}
      height={height}
      keys={t('chart.keys')}
      onKeyDown={onKeyDown}
      table={() => ({
        head: [t('chart.time'), ...series.map((line) => line.label)],
        rows: thinOut(
          time,
          series.map(({ values }) => values),
          TABLE_ROWS,
        ).map((row) => ({
          key: row.time,
          cells: [moment(row.time, i18n.language), ...row.values.map((each) => value([each], 0))],
        })),
      })}
      readout={
        last >= 0 && (
          <>
            <span>{moment(time[shown]!, i18n.language)}</span>
            {series.map((line) => (
              <Flex key={line.label} as="span" gap="1.5" align="center">
                <Box as="span" w="10px" h="2px" style={{ background: `var(--chakra-colors-${line.color})` }} />
                {line.label}
                <Text as="span" color="fg">
                  {value(line.values, shown)}
                </Text>
              </Flex>
            ))}
          </>
        )
      }
    >
      <Lines plot={plot} label={label} time={time} series={series} format={format} height={height} onRead={setRead} />
    </ChartFrame>
  );
}

function Lines({
  plot,
  label,
  time,
  series,
  format,
  height,
  onRead,
}: Required<Props> & { plot: { current: uPlot | undefined }; onRead: (index: number | undefined) => void }) {
  const { i18n } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const data = useMemo(() => [time, ...series.map(({ values }) => values)] as unknown as uPlot.AlignedData, [time, series]);
  useUplot(
    box,
    time.length === 0 ? '' : `${label}:${i18n.language}:${series.map((line) => line.label).join()}`,
    () => ({
      padding: [8, 0, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false } },
      axes: [timeAxis(i18n.language, { grid: false }), valueAxis(format)],
      series: [
        {},
        ...series.map(({ color, dashed }) => ({
          stroke: () => themeColor(color),
          width: 2,
          ...(dashed ? { dash: [6, 4] } : {}),
          paths: linePaths,
          points: { show: false },
        })),
      ],
      hooks: {
        ready: [
          (chart) => {
            plot.current = chart;
          },
        ],
        setCursor: [(chart) => onRead(chart.cursor.idx ?? undefined)],
      },
    }),
    data,
    height,
  );
  return <Box ref={box} h={`${height}px`} minW="0" />;
}
