import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type uPlot from 'uplot';
import type { CandleFeed, PaneLook } from './candle-feed.ts';
import { themeColor, timeAxis, valueAxis } from './chart-axes.ts';
import { linePaths } from './line-paths.ts';
import { PANNED_CURSOR, panZoom } from './pan-zoom.ts';
import { type DataFeed, useUplot } from './use-uplot.ts';

/** How panes and the candles above them move together. */
export type Lead = {
  key: string;
  main: { current: uPlot | undefined };
  panes: Set<uPlot>;
  reset: (chart: uPlot) => void;
};

/** The data of one pane; the same ones as long as its values are. */
function paneFeed(feed: CandleFeed, label: string): DataFeed {
  let held: uPlot.AlignedData = [[]];
  return {
    now: () => {
      const { candles, panes } = feed.now();
      const values = panes.find((pane) => pane.label === label)?.values;
      if (values && (held[0] !== candles.time || (held[1] as unknown) !== values))
        held = [candles.time, values] as unknown as uPlot.AlignedData;
      return held;
    },
    onChange: feed.onShown,
  };
}

export function IndicatorPane({
  pane,
  feed,
  lead,
  width,
  height,
}: {
  /** Which one it is; its values come by the feed. */
  pane: PaneLook;
  feed: CandleFeed;
  lead: Lead;
  /** Of the value axis, px: the same as the candles', so that times stand above each other. */
  width: number;
  height: number;
}) {
  const { i18n } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const source = useMemo(() => paneFeed(feed, pane.label), [feed, pane.label]);
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
        setCursor: [(chart) => feed.read(chart.cursor.idx ?? undefined)],
      },
    }),
    source,
    height,
    { kind: 'led' },
  );
  return <div ref={box} style={{ height, minWidth: 0 }} />;
}
