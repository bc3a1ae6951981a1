import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type uPlot from 'uplot';
import { type ChartColor, moment, themeColor, timeAxis, valueAxis } from './chart-axes.ts';
import { ChartFrame, cursorKey, Reading, TABLE_ROWS, useSpan } from './chart-frame.tsx';
import { linePaths } from './line-paths.ts';
import { extremes, type Numbers, thinOut } from './series-summary.ts';
import { useSummary } from './use-summary.ts';
import { useUplot } from './use-uplot.ts';

export type LineSeries = {
  label: string;
  values: Numbers;
  color: ChartColor;
  dashed?: boolean /** With a tint down to the axis. */;
  filled?: boolean;
};

type Props = {
  label: string;
  /** Seconds, ascending. */
  time: Numbers;
  /** The first one is what the chart is about. */
  series: readonly LineSeries[];
  format: (value: number) => string;
  height?: number;
};

const NOTHING: readonly number[] = [];

/** Lines over time. The legend doubles as the readout of what the cursor points at. */
export function LineChart({ label, time, series, format, height = 220 }: Props) {
  const { t, i18n } = useTranslation();
  const plot = useRef<uPlot>(undefined);
  const [read, setRead] = useState<number>();
  const [spoken, setSpoken] = useState('');
  const [asTable, setAsTable] = useState(false);
  const last = time.length - 1;
  const shown = read !== undefined && read <= last ? read : last;
  const summary = useSummary(label, useSpan(series[0]?.values ?? NOTHING), format);
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
              <Reading key={line.label} name={line.label} color={line.color}>
                {value(line.values, shown)}
              </Reading>
            ))}
          </>
        )
      }
    >
      <Lines plot={plot} label={label} time={time} series={series} format={format} height={height} onRead={setRead} />
    </ChartFrame>
  );
}

/** uPlot's own way to find extremes takes the unknown for a number. */
function rangeOf(chart: uPlot, series: readonly LineSeries[]): [number, number] {
  const [from, to] = chart.series[0]?.idxs ?? [0, 0];
  const all = series.flatMap(({ values }) => extremes(values, from, to) ?? []);
  if (all.length === 0) return [0, 1];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const room = (high - low || Math.abs(high) * 0.02 || 1) * 0.08;
  return [low - room, high + room];
}

/** Fades from the line to the axis. */
function tintOf({ ctx, bbox }: uPlot, color: string): CanvasGradient | string {
  if (bbox.height <= 0) return 'transparent';
  const tint = ctx.createLinearGradient(0, bbox.top, 0, bbox.top + bbox.height);
  tint.addColorStop(0, `color-mix(in srgb, ${color} 22%, transparent)`);
  tint.addColorStop(1, `color-mix(in srgb, ${color} 0%, transparent)`);
  return tint;
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
  const drawn = useRef(series);
  useLayoutEffect(() => {
    drawn.current = series;
  }, [series]);
  const data = useMemo(() => [time, ...series.map(({ values }) => values)] as unknown as uPlot.AlignedData, [time, series]);
  useUplot(
    box,
    time.length === 0 ? '' : `${label}:${i18n.language}:${series.map((line) => line.label).join()}`,
    () => ({
      padding: [8, 0, 0, 16],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false } },
      scales: { x: { time: true }, y: { range: (chart) => rangeOf(chart, drawn.current) } },
      axes: [timeAxis(i18n.language), valueAxis(format)],
      series: [
        {},
        ...series.map(({ color, dashed, filled }) => ({
          auto: false,
          stroke: () => themeColor(color),
          width: 2,
          ...(filled ? { fill: (chart: uPlot) => tintOf(chart, themeColor(color)) } : {}),
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
  return <div ref={box} style={{ height, minWidth: 0 }} />;
}
