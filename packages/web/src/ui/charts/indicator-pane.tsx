import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type uPlot from 'uplot';
import { themeColor, timeAxis, valueAxis } from './chart-axes.ts';
import { linePaths } from './line-paths.ts';
import { PANNED_CURSOR, panZoom } from './pan-zoom.ts';
import type { Numbers } from './series-summary.ts';
import { useUplot } from './use-uplot.ts';

/** A line between 0 and 100 with its two thresholds, below the candles it was made from. */
export type Pane = { label: string; values: Numbers; low: number; high: number };

/** How panes and the candles above them move together. */
export type Lead = {
  key: string;
  main: { current: uPlot | undefined };
  panes: Set<uPlot>;
  reset: (chart: uPlot) => void;
};

export function IndicatorPane({
  pane,
  time,
  lead,
  width,
  height,
  onRead,
}: {
  pane: Pane;
  time: Numbers;
  lead: Lead;
  /** Of the value axis, px: the same as the candles', so that times stand above each other. */
  width: number;
  height: number;
  onRead: (index: number | undefined) => void;
}) {
  const { i18n } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const data = useMemo(() => [time, pane.values] as unknown as uPlot.AlignedData, [time, pane.values]);
  useUplot(
    box,
    `${lead.key}:${i18n.language}:${pane.label}:${width}`,
    () => ({
      padding: [6, 0, 0, 14],
      legend: { show: false },
      cursor: { ...PANNED_CURSOR, y: false, points: { show: false }, sync: { key: lead.key } },
      scales: { x: { time: true }, y: { range: [0, 100] } },
      axes: [
        timeAxis(i18n.language, { labels: false }),
        { ...valueAxis((value) => value.toFixed(0), width), splits: () => [pane.low, 50, pane.high] },
      ],
      series: [{}, { auto: false, stroke: () => themeColor('fg-muted'), width: 1.5, paths: linePaths, points: { show: false } }],
      plugins: [panZoom(() => lead.main.current, lead.reset)],
      hooks: {
        ready: [
          (chart) => {
            lead.panes.add(chart);
            // Within `ready` uPlot takes no more orders.
            queueMicrotask(() => {
              const { min, max } = lead.main.current?.scales.x ?? {};
              if (min != null && max != null && lead.panes.has(chart)) chart.setScale('x', { min, max });
            });
          },
        ],
        destroy: [(chart) => void lead.panes.delete(chart)],
        setCursor: [(chart) => onRead(chart.cursor.idx ?? undefined)],
      },
    }),
    data,
    height,
    { kind: 'led' },
  );
  return <div ref={box} style={{ height, minWidth: 0 }} />;
}
