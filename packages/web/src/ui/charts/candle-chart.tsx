import { formatCompact, formatFixed } from '@pilotfish/core/money/format';
import { type KeyboardEvent, useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type uPlot from 'uplot';
import { summarise } from './bucket-candles.ts';
import type { CandleColumns } from './candle-columns.ts';
import { drawCandles, drawMarks, drawPriceLines, type PriceLine, type TradeMark } from './candle-drawing.ts';
import {
  type CandleFeed,
  createCandleFeed,
  type Figures,
  figuresAt,
  type Overlay,
  type OverlayLook,
  type Pane,
  type PaneLook,
  type Shown,
} from './candle-feed.ts';
import { CandleReadout } from './candle-readout.tsx';
import { axisWidth, moment, themeColor, timeAxis, valueAxis } from './chart-axes.ts';
import { ChartFrame, cursorKey, TABLE_ROWS, useSpan } from './chart-frame.tsx';
import { IndicatorPane, type Lead } from './indicator-pane.tsx';
import { linePaths } from './line-paths.ts';
import { onWindowKey, PANNED_CURSOR, panZoom } from './pan-zoom.ts';
import { extremes } from './series-summary.ts';
import { useSummary } from './use-summary.ts';
import { firstWindow, useUplot } from './use-uplot.ts';

export type { PriceLine, TradeMark } from './candle-drawing.ts';
export type { Overlay, Pane } from './candle-feed.ts';

/** Pixels a candle takes at first: wide enough to see its body. */
const CANDLE_WIDTH = 6;
const PANE_HEIGHT = 96;
/** Older candles are asked for when fewer than this share of the window is left before it. */
const OLDER_AHEAD = 0.25;

type Props = {
  /** What is charted, e.g. `BTCUSDT, 1h`. */
  label: string;
  candles: CandleColumns;
  lines?: readonly PriceLine[];
  marks?: readonly TradeMark[];
  overlays?: readonly Overlay[];
  panes?: readonly Pane[];
  pricePrecision: number;
  height?: number;
  /** How much of the time before the newest candle is shown at first; as much as fits when left out. */
  seconds?: number | undefined;
  /** The window has come near the oldest candle. Called again and again while it is. */
  onOlder?: () => void;
};

const NOTHING: readonly never[] = [];

/** Candles with volume, overlays, lines and marks. Drag, wheel and keys move through time; arrows read; also as a table. */
export function CandleChart({
  label,
  candles,
  lines = NOTHING,
  marks = NOTHING,
  overlays = NOTHING,
  panes = NOTHING,
  pricePrecision,
  height = 340,
  seconds,
  onOlder,
}: Props) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  // Asked for once a language, not at every tick.
  const texts = useMemo(() => {
    const columns = (['time', 'o', 'h', 'l', 'c', 'v'] as const).map((column) => t(`chart.${column}`));
    return { columns, figures: columns.slice(1), keys: t('chart.candleKeys') };
  }, [t]);
  const key = useId();
  const [asTable, setAsTable] = useState(false);
  const [spoken, setSpoken] = useState('');
  const price = useCallback((value: number) => formatFixed(value.toFixed(pricePrecision), pricePrecision), [pricePrecision]);
  const cellsOf = useCallback(
    ({ open, high, low, close, volume }: Figures) => [...[open, high, low, close].map(price), formatCompact(volume.toFixed(4))],
    [price],
  );
  const span = useSpan(candles.close, candles.low, candles.high);
  const summary = useSummary(label, span, price);
  const width = axisWidth(span ? price(span.high) : '');

  const shown = useMemo<Shown>(
    () => ({
      data: [candles.time, candles.close, ...overlays.map(({ values }) => values)] as unknown as uPlot.AlignedData,
      candles,
      overlays,
      panes,
      lines,
      marks,
      onOlder,
    }),
    [candles, overlays, panes, lines, marks, onOlder],
  );
  const [feed] = useState(() => createCandleFeed(shown));
  useLayoutEffect(() => feed.show(shown), [feed, shown]);
  const lead = useMemo(
    (): Lead => ({
      key,
      main: { current: undefined },
      panes: new Set(),
      reset: (chart) => {
        const first = firstWindow(chart.data[0], chart.width, { kind: 'newest', pointWidth: CANDLE_WIDTH });
        if (first) chart.setScale('x', first);
      },
    }),
    [key],
  );

  const onKeyDown = (event: KeyboardEvent) => {
    const chart = lead.main.current;
    if (event.ctrlKey || event.metaKey || event.altKey || !chart) return;
    if (onWindowKey(chart, event)) return event.preventDefault();
    const next = cursorKey(event, feed.told(), candles.time.length - 1);
    if (next === undefined) return;
    event.preventDefault();
    const time = candles.time[next]!;
    const { min = 0, max = 0 } = chart.scales.x ?? {};
    // What is read is seen: the window follows the cursor.
    if (min !== null && max !== null && (time < min || time > max)) {
      const by = time < min ? time - min - (max - min) * 0.1 : time - max + (max - min) * 0.1;
      chart.setScale('x', { min: min + by, max: max + by });
    }
    feed.read(next);
    const cells = cellsOf(figuresAt(candles, next));
    setSpoken(`${moment(time, language)}: ${texts.figures.map((name, at) => `${name} ${cells[at]}`).join(', ')}`);
    queueMicrotask(() => {
      for (const each of [chart, ...lead.panes]) each.setCursor({ left: each.valToPos(time, 'x'), top: 10 }, false);
    });
  };

  // What is made anew only when the chart is another one: the rest reaches it through the feed.
  const isEmpty = candles.time.length === 0;
  const overlayTexts = JSON.stringify(overlays.map(({ label: name, color, dashed }): OverlayLook => ({ label: name, color, dashed })));
  const overlayLooks = useMemo(() => JSON.parse(overlayTexts) as OverlayLook[], [overlayTexts]);
  const paneTexts = JSON.stringify(panes.map(({ label: name, low, high }): PaneLook => ({ label: name, low, high })));
  const paneLooks = useMemo(() => JSON.parse(paneTexts) as PaneLook[], [paneTexts]);
  const readout = useMemo(
    () =>
      isEmpty ? null : (
        <CandleReadout
          feed={feed}
          overlays={overlayLooks}
          panes={paneLooks}
          names={texts.figures}
          cellsOf={cellsOf}
          price={price}
          language={language}
        />
      ),
    [isEmpty, feed, overlayLooks, paneLooks, texts, cellsOf, price, language],
  );
  const charts = useMemo(
    () => (
      <>
        <Candles
          shape={isEmpty ? '' : `${label}:${language}:${width}:${seconds ?? ''}:${overlayTexts}`}
          feed={feed}
          overlays={overlayLooks}
          height={height}
          seconds={seconds}
          lead={lead}
          width={width}
          price={price}
        />
        {paneLooks.map((pane) => (
          <IndicatorPane key={pane.label} pane={pane} feed={feed} lead={lead} width={width} height={PANE_HEIGHT} />
        ))}
      </>
    ),
    [isEmpty, label, language, width, seconds, overlayTexts, overlayLooks, paneLooks, feed, height, lead, price],
  );
  // After what is rendered with it: a chart that has been made anew has its data already.
  useEffect(() => feed.draw(shown), [feed, shown]);
  return (
    <ChartFrame
      label={label}
      summary={summary}
      spoken={spoken}
      asTable={asTable}
      onAsTable={setAsTable}
      height={height + panes.length * PANE_HEIGHT}
      keys={texts.keys}
      onKeyDown={onKeyDown}
      table={() => ({
        head: texts.columns,
        rows: summarise(candles, TABLE_ROWS).map((row) => ({ key: row.time, cells: [moment(row.time, language), ...cellsOf(row)] })),
      })}
      readout={readout}
    >
      {charts}
    </ChartFrame>
  );
}

/** Drawn, and brought into sight, by hand: uPlot's own search for extremes is slower and takes NaN for a number. */
const unseen = { auto: false, paths: () => null, points: { show: false } } as const;

function Candles({
  shape,
  feed,
  overlays,
  height,
  seconds,
  lead,
  width,
  price,
}: {
  shape: string;
  feed: CandleFeed;
  overlays: readonly OverlayLook[];
  height: number;
  seconds: number | undefined;
  lead: Lead;
  width: number;
  price: (value: number) => string;
}) {
  const { i18n } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const source = useMemo(() => ({ now: () => feed.now().data, onChange: feed.onShown }), [feed]);
  useUplot(
    box,
    shape,
    () => ({
      padding: [12, 0, 0, 14],
      legend: { show: false },
      cursor: { ...PANNED_CURSOR, points: { show: false }, sync: { key: lead.key } },
      scales: {
        x: { time: true },
        y: {
          range: (chart) => {
            const [from, to] = chart.series[0]?.idxs ?? [0, 0];
            const now = feed.now();
            const all = [now.candles.low, now.candles.high, ...now.overlays.map(({ values }) => values)].flatMap(
              (values) => extremes(values, from, to) ?? [],
            );
            const [low, high] = all.length > 0 ? [Math.min(...all), Math.max(...all)] : [0, 1];
            // Lines may widen the scale, but not so far that the candles become flat.
            const prices = now.lines.map((line) => line.price).filter((value) => value > low * 0.8 && value < high * 1.25);
            const [min, max] = [Math.min(low, ...prices), Math.max(high, ...prices)];
            const room = (max - min || max * 0.01) * 0.06;
            return [min - room * 3, max + room];
          },
        },
      },
      axes: [timeAxis(i18n.language), valueAxis(price, width)],
      series: [
        {},
        unseen,
        ...overlays.map(({ color, dashed }) => ({
          auto: false,
          stroke: () => themeColor(color),
          width: 1.5,
          ...(dashed ? { dash: [4, 4] } : {}),
          paths: linePaths,
          points: { show: false },
        })),
      ],
      plugins: [panZoom((own) => own, lead.reset)],
      hooks: {
        ready: [
          (chart) => {
            lead.main.current = chart;
          },
        ],
        destroy: [
          () => {
            lead.main.current = undefined;
            feed.read(undefined);
          },
        ],
        setScale: [
          (chart, scale) => {
            const { min, max } = chart.scales.x ?? {};
            if (scale !== 'x' || min == null || max == null) return;
            for (const pane of lead.panes) pane.setScale('x', { min, max });
            const oldest = chart.data[0][0];
            if (oldest !== undefined && min - oldest < (max - min) * OLDER_AHEAD) feed.now().onOlder?.();
          },
        ],
        drawSeries: [
          (chart, series) => {
            if (series === 1) drawCandles(chart, feed.now().candles);
          },
        ],
        draw: [(chart) => drawPriceLines(chart, feed.now().lines, price), (chart) => drawMarks(chart, feed.now().marks)],
        setCursor: [(chart) => feed.read(chart.cursor.idx ?? undefined)],
      },
    }),
    source,
    height,
    { kind: 'newest', pointWidth: CANDLE_WIDTH, seconds },
  );
  return <div ref={box} style={{ height, minWidth: 0 }} />;
}
