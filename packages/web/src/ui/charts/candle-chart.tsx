import { formatCompact, formatFixed, formatPercent } from '@pilotfish/core/money/format';
import { type KeyboardEvent, useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type uPlot from 'uplot';
import { type CandleColumns, summarise } from './bucket-candles.ts';
import { drawCandles, drawMarks, drawPriceLines, type PriceLine, type TradeMark } from './candle-drawing.ts';
import { axisWidth, type ChartColor, moment, themeColor, timeAxis, valueAxis } from './chart-axes.ts';
import { ChartFrame, cursorKey, Reading, TABLE_ROWS, useSpan } from './chart-frame.tsx';
import { IndicatorPane, type Lead, type Pane } from './indicator-pane.tsx';
import { linePaths } from './line-paths.ts';
import { onWindowKey, PANNED_CURSOR, panZoom } from './pan-zoom.ts';
import { extremes, type Numbers } from './series-summary.ts';
import { useSummary } from './use-summary.ts';
import { firstWindow, useUplot } from './use-uplot.ts';

export type { PriceLine, TradeMark } from './candle-drawing.ts';

/** A line over the candles, on their price scale: an average, a band. NaN until it has enough history. */
export type Overlay = { label: string; values: Numbers; color: ChartColor; dashed?: boolean };

type Figures = Record<'open' | 'high' | 'low' | 'close' | 'volume', number>;

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

/** Candles with volume, overlays, lines and marks. Drag, wheel and keys move through time; arrows read; also as a table. */
export function CandleChart(props: Props) {
  const { label, candles, panes = [], overlays = [], pricePrecision, height = 340 } = props;
  const { t, i18n } = useTranslation();
  // Asked for once a language, not at every tick.
  const texts = useMemo(() => {
    const columns = (['time', 'o', 'h', 'l', 'c', 'v'] as const).map((column) => t(`chart.${column}`));
    return { columns, figures: columns.slice(1), keys: t('chart.candleKeys') };
  }, [t]);
  const key = useId();
  const main = useRef<uPlot>(undefined);
  const [asTable, setAsTable] = useState(false);
  const [read, setRead] = useState<number>();
  const [spoken, setSpoken] = useState('');
  const last = candles.time.length - 1;
  const shown = read !== undefined && read <= last ? read : last;
  const price = useCallback((value: number) => formatFixed(value.toFixed(pricePrecision), pricePrecision), [pricePrecision]);
  const span = useSpan(candles.close, candles.low, candles.high);
  const summary = useSummary(label, span, price);
  const [panesDrawn] = useState(() => new Set<uPlot>());
  const lead: Lead = useMemo(
    () => ({
      key,
      main,
      panes: panesDrawn,
      reset: (chart) => {
        const first = firstWindow(chart.data[0], chart.width, { kind: 'newest', pointWidth: CANDLE_WIDTH });
        if (first) chart.setScale('x', first);
      },
    }),
    [key, panesDrawn],
  );
  const width = axisWidth(span ? price(span.high) : '');

  const cellsOf = ({ open, high, low, close, volume }: Figures) => [
    ...[open, high, low, close].map(price),
    formatCompact(volume.toFixed(4)),
  ];
  const figures = (index: number): [string, string][] => {
    const cells = cellsOf({
      open: candles.open[index]!,
      high: candles.high[index]!,
      low: candles.low[index]!,
      close: candles.close[index]!,
      volume: candles.volume[index]!,
    });
    return texts.figures.map((name, at) => [name, cells[at]!]);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const chart = main.current;
    if (event.ctrlKey || event.metaKey || event.altKey || !chart) return;
    if (onWindowKey(chart, event)) return event.preventDefault();
    const next = cursorKey(event, shown, last);
    if (next === undefined) return;
    event.preventDefault();
    const time = candles.time[next]!;
    const { min = 0, max = 0 } = chart.scales.x ?? {};
    // What is read is seen: the window follows the cursor.
    if (min !== null && max !== null && (time < min || time > max)) {
      const by = time < min ? time - min - (max - min) * 0.1 : time - max + (max - min) * 0.1;
      chart.setScale('x', { min: min + by, max: max + by });
    }
    setRead(next);
    setSpoken(
      `${moment(time, i18n.language)}: ${figures(next)
        .map((pair) => pair.join(' '))
        .join(', ')}`,
    );
    queueMicrotask(() => {
      for (const each of [chart, ...panesDrawn]) each.setCursor({ left: each.valToPos(time, 'x'), top: 10 }, false);
    });
  };

  const before = shown > 0 ? candles.close[shown - 1]! : candles.open[shown];
  const move = last >= 0 && before ? ((candles.close[shown]! - before) / before) * 100 : 0;
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
        rows: summarise(candles, TABLE_ROWS).map((row) => ({
          key: row.time,
          cells: [moment(row.time, i18n.language), ...cellsOf(row)],
        })),
      })}
      readout={
        last >= 0 && (
          <>
            <span>{moment(candles.time[shown]!, i18n.language)}</span>
            {figures(shown).map(([name, text]) => (
              <Reading key={name} name={name} text={text} />
            ))}
            <span className={move > 0 ? 'gain' : move < 0 ? 'loss' : ''}>{formatPercent(move.toFixed(2))}</span>
            {overlays.map(({ label: name, values, color }) => (
              <Reading
                key={name}
                name={name}
                text={Number.isNaN(values[shown] ?? Number.NaN) ? '–' : price(values[shown]!)}
                color={color}
              />
            ))}
            {panes.map(({ label: name, values }) => (
              <Reading
                key={name}
                name={name}
                text={Number.isNaN(values[shown] ?? Number.NaN) ? '–' : values[shown]!.toFixed(1)}
                color="fg-muted"
              />
            ))}
          </>
        )
      }
    >
      <Candles {...props} height={height} lead={lead} width={width} price={price} onRead={setRead} />
      {panes.map((pane) => (
        <IndicatorPane key={pane.label} pane={pane} time={candles.time} lead={lead} width={width} height={PANE_HEIGHT} onRead={setRead} />
      ))}
    </ChartFrame>
  );
}

const NOTHING: readonly never[] = [];
/** Drawn, and brought into sight, by hand: uPlot's own search for extremes is slower and takes NaN for a number. */
const unseen = { auto: false, paths: () => null, points: { show: false } } as const;

function Candles({
  label,
  candles,
  lines = NOTHING,
  marks = NOTHING,
  overlays = NOTHING,
  height,
  seconds,
  onOlder,
  lead,
  width,
  price,
  onRead,
}: Props & {
  height: number;
  lead: Lead;
  width: number;
  price: (value: number) => string;
  onRead: (index: number | undefined) => void;
}) {
  const { i18n } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef({ candles, lines, marks, overlays, onOlder });
  useLayoutEffect(() => {
    drawn.current = { candles, lines, marks, overlays, onOlder };
  });
  useEffect(() => {
    // Lines and marks are no data of uPlot's: it has to be told.
    if (lines !== NOTHING || marks !== NOTHING) lead.main.current?.redraw(false, false);
  }, [lines, marks, lead]);
  const data = useMemo(
    () => [candles.time, candles.close, ...overlays.map(({ values }) => values)] as unknown as uPlot.AlignedData,
    [candles, overlays],
  );
  const names = overlays.map((overlay) => `${overlay.label}${overlay.color}`).join();
  useUplot(
    box,
    candles.time.length === 0 ? '' : `${label}:${i18n.language}:${width}:${seconds ?? ''}:${names}`,
    () => ({
      padding: [12, 0, 0, 14],
      legend: { show: false },
      cursor: { ...PANNED_CURSOR, points: { show: false }, sync: { key: lead.key } },
      scales: {
        x: { time: true },
        y: {
          range: (chart) => {
            const [from, to] = chart.series[0]?.idxs ?? [0, 0];
            const all = [
              drawn.current.candles.low,
              drawn.current.candles.high,
              ...drawn.current.overlays.map(({ values }) => values),
            ].flatMap((values) => extremes(values, from, to) ?? []);
            const [low, high] = all.length > 0 ? [Math.min(...all), Math.max(...all)] : [0, 1];
            // Lines may widen the scale, but not so far that the candles become flat.
            const prices = drawn.current.lines.map((line) => line.price).filter((value) => value > low * 0.8 && value < high * 1.25);
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
          },
        ],
        setScale: [
          (chart, scale) => {
            const { min, max } = chart.scales.x ?? {};
            if (scale !== 'x' || min == null || max == null) return;
            for (const pane of lead.panes) pane.setScale('x', { min, max });
            const oldest = chart.data[0][0];
            if (oldest !== undefined && min - oldest < (max - min) * OLDER_AHEAD) drawn.current.onOlder?.();
          },
        ],
        drawSeries: [
          (chart, series) => {
            if (series === 1) drawCandles(chart, drawn.current.candles);
          },
        ],
        draw: [(chart) => drawPriceLines(chart, drawn.current.lines, price), (chart) => drawMarks(chart, drawn.current.marks)],
        setCursor: [(chart) => onRead(chart.cursor.idx ?? undefined)],
      },
    }),
    data,
    height,
    { kind: 'newest', pointWidth: CANDLE_WIDTH, seconds },
  );
  return <div ref={box} style={{ height, minWidth: 0 }} />;
}
