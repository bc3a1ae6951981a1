import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import uPlot from 'uplot';
import { CHART_FONT, themeColor, timeAxis, valueAxis } from './chart-axes.ts';
import { ChartFrame, cursorKey, Reading, TABLE_ROWS } from './chart-frame.tsx';
import { spanOf } from './series-summary.ts';
import { useSummary } from './use-summary.ts';
import { useUplot } from './use-uplot.ts';

type Bar = { label: string; value: number };

/** One bar for each thing, gains up and losses down, e.g. the result of every month. */
export function BarChart({
  label,
  bars,
  format,
  height = 200,
  shortly,
  head,
  onPick,
}: {
  label: string;
  bars: readonly Bar[];
  format: (value: number) => string;
  height?: number;
  /** A value in a few characters: at the axis, and above its bar where `labelled` bars have the room. */
  shortly?: { readonly format: (value: number) => string; readonly labelled: boolean };
  /** What the bars are of, in the table; the time where it is left out. */
  head?: string;
  /** A bar was clicked, or Enter pressed on it. */
  onPick?: (index: number) => void;
}) {
  const { t } = useTranslation();
  const plot = useRef<uPlot>(undefined);
  const [read, setRead] = useState<number>();
  const [spoken, setSpoken] = useState('');
  const [asTable, setAsTable] = useState(false);
  const last = bars.length - 1;
  const shown = bars[read !== undefined && read <= last ? read : last];
  const summary = useSummary(
    label,
    useMemo(() => spanOf(bars.map(({ value }) => value)), [bars]),
    format,
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && onPick && last >= 0) return onPick(read !== undefined && read <= last ? read : last);
    const next = cursorKey(event, read ?? last, last);
    if (next === undefined) return;
    event.preventDefault();
    setRead(next);
    setSpoken(`${bars[next]!.label}: ${format(bars[next]!.value)}`);
    const chart = plot.current;
    chart?.setCursor({ left: chart.valToPos(next, 'x'), top: 10 }, false);
  };
  return (
    <ChartFrame
      label={label}
      summary={summary}
      spoken={spoken}
      asTable={asTable}
      onAsTable={setAsTable}
      height={height}
      keys={t(onPick ? 'chart.pickKeys' : 'chart.keys')}
      onKeyDown={onKeyDown}
      table={() => ({
        head: [head ?? t('chart.time'), label],
        rows: bars.slice(-TABLE_ROWS).map((bar, key) => ({ key, cells: [bar.label, format(bar.value)] })),
      })}
      readout={shown && <Reading name={shown.label}>{format(shown.value)}</Reading>}
    >
      <Bars plot={plot} label={label} bars={bars} format={format} shortly={shortly} height={height} onRead={setRead} onPick={onPick} />
    </ChartFrame>
  );
}

/** The value of each bar above it, or below a loss. */
function drawLabels(chart: uPlot, bars: readonly Bar[], format: (value: number) => string): void {
  const { ctx } = chart;
  ctx.save();
  ctx.font = `500 ${11 * devicePixelRatio}px ${CHART_FONT}`;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  let before = { right: Number.NEGATIVE_INFINITY, y: 0 };
  for (const [index, { value }] of bars.entries()) {
    const text = format(value);
    if (value === 0) continue;
    ctx.fillStyle = themeColor(value < 0 ? 'loss' : 'gain');
    const y = chart.valToPos(value, 'y', true) + (value < 0 ? 9 : -9) * devicePixelRatio;
    const x = chart.valToPos(index, 'x', true);
    const half = ctx.measureText(text).width / 2;
    // Where bars are narrow, one that would lie on the one before is left to the readout.
    if (x - half < before.right && Math.abs(y - before.y) < 12 * devicePixelRatio) continue;
    before = { right: x + half + 2 * devicePixelRatio, y };
    ctx.fillText(text, x, y);
  }
  ctx.restore();
}

function Bars({
  plot,
  label,
  bars,
  format,
  shortly,
  height,
  onRead,
  onPick,
}: {
  plot: { current: uPlot | undefined };
  label: string;
  bars: readonly Bar[];
  format: (value: number) => string;
  shortly: { readonly format: (value: number) => string; readonly labelled: boolean } | undefined;
  height: number;
  onRead: (index: number | undefined) => void;
  onPick: ((index: number) => void) | undefined;
}) {
  const { i18n } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const picked = useRef(onPick);
  const drawn = useRef(bars);
  useLayoutEffect(() => {
    picked.current = onPick;
    drawn.current = bars;
  });
  // Labels stand above the highest bar and below the lowest one.
  const room = shortly?.labelled ? 1.18 : 1.08;
  const data = useMemo<uPlot.AlignedData>(
    () => [
      bars.map((_, index) => index),
      bars.map(({ value }) => (value >= 0 ? value : null)),
      bars.map(({ value }) => (value < 0 ? value : null)),
    ],
    [bars],
  );
  const paths = uPlot.paths.bars?.({ size: [0.7, 48], radius: 0.1 });
  useUplot(
    box,
    bars.length === 0 ? '' : `${label}:${i18n.language}:${bars.map((bar) => bar.label).join()}`,
    () => ({
      padding: [8, 0, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: {
        // Not from the values: a single one would be drawn over a range of a hundred.
        x: { time: false, range: () => [-0.6, bars.length - 0.4] },
        y: { range: (_, low, high) => [Math.min(0, low * room), Math.max(0, high * room) || (low < 0 ? 0 : 1)] },
      },
      axes: [
        {
          ...timeAxis(i18n.language),
          incrs: [1, 2, 3, 6, 12],
          values: (_, splits) => splits.map((index) => bars[index]?.label ?? ''),
        },
        valueAxis(shortly?.format ?? format),
      ],
      series: [
        {},
        ...(['chart-up', 'chart-down'] as const).map((color) => ({
          stroke: () => themeColor(color),
          fill: () => themeColor(color),
          width: 0,
          ...(paths ? { paths } : {}),
          points: { show: false },
        })),
      ],
      hooks: {
        ready: [
          (chart) => {
            plot.current = chart;
            chart.over.addEventListener('click', () => chart.cursor.idx != null && picked.current?.(chart.cursor.idx));
          },
        ],
        draw: [(chart) => shortly?.labelled && drawLabels(chart, drawn.current, shortly.format)],
        setCursor: [(chart) => onRead(chart.cursor.idx ?? undefined)],
      },
    }),
    data,
    height,
  );
  return <div ref={box} style={{ height, minWidth: 0 }} />;
}
