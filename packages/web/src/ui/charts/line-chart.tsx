import { UNKNOWN } from '@pilotfish/core/money/format';
import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type uPlot from 'uplot';
import { type ChartColor, moment, themeColor, timeAxis, valueAxis } from './chart-axes.ts';
import { ChartFrame, cursorKey, Reading, TABLE_ROWS, useSpan } from './chart-frame.tsx';
import { abovePane, drawPaneAxis, drawStart, drawTag, PANE, paneRange } from './line-panes.ts';
import { linePaths, linePathsTo } from './line-paths.ts';
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
  /** Below the lines, on the same time axis: how far something has fallen, zero or negative. */
  pane?: LineSeries & { format: (value: number) => string };
  /** The first line shows where it began, and its newest value at the axis. */
  marked?: boolean;
  /** Of the axis, where it has less room than the readout. */
  axisFormat?: (value: number) => string;
  /** How the readout and the table say a time; to the minute where it is left out. */
  momentText?: (seconds: number) => string;
};

const NOTHING: readonly number[] = [];

/** Lines over time. The legend doubles as the readout of what the cursor points at. */
export function LineChart({ label, time, series, format, height = 220, pane, marked, axisFormat, momentText }: Props) {
  const { t, i18n } = useTranslation();
  const plot = useRef<uPlot>(undefined);
  const [read, setRead] = useState<number>();
  const [spoken, setSpoken] = useState('');
  const [asTable, setAsTable] = useState(false);
  const last = time.length - 1;
  const shown = read !== undefined && read <= last ? read : last;
  const summary = useSummary(label, useSpan(series[0]?.values ?? NOTHING), format);
  const columns = pane ? [...series, pane] : series;
  const text = (column: number, one: number | undefined) =>
    one === undefined || Number.isNaN(one) ? UNKNOWN : column === series.length && pane ? pane.format(one) : format(one);
  const timeText = (seconds: number) => momentText?.(seconds) ?? moment(seconds, i18n.language);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = cursorKey(event, shown, last);
    if (next === undefined) return;
    event.preventDefault();
    setRead(next);
    const said = columns.map((line, column) => `${line.label} ${text(column, line.values[next])}`).join(', ');
    setSpoken(`${timeText(time[next]!)}: ${said}`);
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
        head: [t('chart.time'), ...columns.map((line) => line.label)],
        rows: thinOut(
          time,
          columns.map(({ values }) => values),
          TABLE_ROWS,
        ).map((row) => ({
          key: row.time,
          cells: [timeText(row.time), ...row.values.map((each, column) => text(column, each))],
        })),
      })}
      readout={
        last >= 0 && (
          <>
            <span>{timeText(time[shown]!)}</span>
            {columns.map((line, column) => (
              <Reading key={line.label} name={line.label} color={line.color}>
                {text(column, line.values[shown])}
              </Reading>
            ))}
          </>
        )
      }
    >
      <Lines
        plot={plot}
        label={label}
        time={time}
        series={series}
        format={axisFormat ?? format}
        height={height}
        pane={pane}
        marked={marked ?? false}
        onRead={setRead}
      />
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

/** Labels and lines of the value axis stand beside the lines, not beside the pane below them. */
const notInPane = (chart: uPlot, series: readonly LineSeries[]) => (splits: number[]) => {
  const [low] = rangeOf(chart, series);
  return splits.map((split) => (split < low ? null : split)) as number[];
};

/** Room left of the lines, for half of the first label. */
const LEFT = 20;
/** Half of the width of a letter of the axis, px. */
const HALF_LETTER = 3.4;

/** The time axis without a first label that the edge would cut off. */
function wholeLabels(axis: uPlot.Axis): uPlot.Axis {
  const { values } = axis;
  if (typeof values !== 'function') return axis;
  return {
    ...axis,
    values: (chart, splits, ...rest) =>
      values(chart, splits, ...rest).map((label, index) => {
        const room = chart.valToPos(splits[index]!, 'x') + LEFT;
        return typeof label === 'string' && Math.max(...label.split('\n').map(({ length }) => length)) * HALF_LETTER > room ? '' : label;
      }),
  };
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
  pane,
  marked,
  onRead,
}: Required<Pick<Props, 'label' | 'time' | 'series' | 'format' | 'height' | 'marked'>> & {
  pane: Props['pane'];
  plot: { current: uPlot | undefined };
  onRead: (index: number | undefined) => void;
}) {
  const { i18n } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef({ series, pane, time, format });
  useLayoutEffect(() => {
    drawn.current = { series, pane, time, format };
  }, [series, pane, time, format]);
  const data = useMemo(
    () => [time, ...series.map(({ values }) => values), ...(pane ? [pane.values] : [])] as unknown as uPlot.AlignedData,
    [time, series, pane],
  );
  useUplot(
    box,
    time.length === 0
      ? ''
      : `${label}:${i18n.language}:${[...series, ...(pane ? [pane] : [])].map((line) => line.label).join()}:${format(0)}`,
    () => {
      const axis = valueAxis((value) => drawn.current.format(value));
      const filter: uPlot.Axis.Filter = (chart, splits) => notInPane(chart, drawn.current.series)(splits);
      const paths = pane ? linePathsTo((chart) => chart.valToPos(rangeOf(chart, drawn.current.series)[0], 'y', true)) : linePaths;
      return {
        padding: [8, 0, 0, LEFT],
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false } },
        scales: {
          x: { time: true },
          y: {
            range: (chart) => {
              const range = rangeOf(chart, drawn.current.series);
              return pane ? abovePane(range) : range;
            },
          },
          ...(pane ? { [PANE]: { range: () => paneRange(drawn.current.pane?.values ?? NOTHING) } } : {}),
        },
        axes: [wholeLabels(timeAxis(i18n.language)), pane ? { ...axis, filter, grid: { ...axis.grid, filter } } : axis],
        series: [
          {},
          ...series.map(({ color, dashed, filled }) => ({
            auto: false,
            stroke: () => themeColor(color),
            width: 2,
            ...(filled ? { fill: (chart: uPlot) => tintOf(chart, themeColor(color)) } : {}),
            ...(dashed ? { dash: [6, 4] } : {}),
            paths,
            points: { show: false },
          })),
          ...(pane
            ? [
                {
                  auto: false,
                  scale: PANE,
                  stroke: () => themeColor(pane.color),
                  width: 1.5,
                  fill: () => `color-mix(in srgb, ${themeColor(pane.color)} 20%, transparent)`,
                  paths: linePathsTo((chart) => chart.valToPos(0, PANE, true)),
                  points: { show: false },
                },
              ]
            : []),
        ],
        hooks: {
          ready: [
            (chart) => {
              plot.current = chart;
            },
          ],
          drawAxes: [(chart) => drawn.current.pane && drawPaneAxis(chart, drawn.current.pane.values, drawn.current.pane.format)],
          draw: [
            (chart) => {
              const { series: lines, time: times, format: words } = drawn.current;
              const [first] = lines;
              if (!marked || !first) return;
              drawStart(chart, first.values);
              drawTag(chart, times, first.values, first.color, words);
            },
          ],
          setCursor: [(chart) => onRead(chart.cursor.idx ?? undefined)],
        },
      };
    },
    data,
    height,
  );
  return <div ref={box} style={{ height, minWidth: 0 }} />;
}
