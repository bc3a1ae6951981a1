import { formatCompact, formatFixed, formatPercent } from '@pilotfish/core/money/format';
import { type KeyboardEvent, lazy, Suspense, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp, useStore } from '../../platform/app-context.tsx';
import { useCalm } from '../use-calm.ts';
import { type CandleColumns, type CandleFigures, candleAt, figuresAt, mergeCandles, mergeValues } from './candle-columns.ts';
import { type ChartColor, moment } from './chart-axes.ts';
import { ChartButton, ChartFrame, cursorKey, Reading, TABLE_ROWS, useSpan } from './chart-frame.tsx';
import { LevelGrips, type LevelMoves } from './level-grips.tsx';
import type { Drawn, PriceDrawing } from './price-drawing.ts';
import type { GripPlace } from './price-marks.ts';
import type { Numbers } from './series-summary.ts';
import { useSummary } from './use-summary.ts';

const code = () => import('./price-canvas.tsx');
const PriceCanvas = lazy(() => code().then((module) => ({ default: module.PriceCanvas })));

/** Fetches the code of charts ahead, where one is a press away. What cannot be loaded now is asked for again by the chart. */
export const fetchChartCode = (): void => void code().catch(() => undefined);

/** A line over the candles, on their price scale: an average, a band. NaN until it has enough history. */
export type Overlay = { label: string; values: Numbers; color: ChartColor; dashed?: boolean };

/** A line between 0 and 100 with its two thresholds, below the candles it was made from. */
export type Pane = { label: string; values: Numbers; low: number; high: number };

export type LevelTone = 'gain' | 'loss' | 'brand' | 'neutral' | 'warning';

/** A price that matters: an average, a stop, a target, an order, an alert. Numbers are for drawing only. */
export type PriceLevel = {
  /** Stays the same while the level moves. */
  id: string;
  /** What it is, e.g. `Take profit 1`. */
  label: string;
  /** In place of `label` where room is short, at an edge and on phones, e.g. `TP 1`. */
  short?: string;
  /** What happens there, e.g. `sells 50% · +24.89`; left out where room is short. */
  note?: string;
  price: number;
  tone: LevelTone;
  look: 'solid' | 'dashed' | 'dotted';
  /** Out of force: replaced by the preview, or of a bot that is frozen. */
  faded?: boolean;
  /** It can be moved: its label has a grip. */
  grip?: boolean;
};

/** A tinted stretch of prices, from a moment (seconds) on: what is won or lost between the average and a level. */
export type PriceZone = { from: number; low: number; high: number; tone: LevelTone };

/** An order that was filled: a buy points up below its price, a sale down above it. `time` in seconds. */
export type Fill = { time: number; price: number; side: 'buy' | 'sell'; label?: string };

/** A level that is being moved and not yet saved; its old one fades. `id` is that of the level. */
export type LevelPreview = { id: string; from: number; to: number; label: string };

export type PriceChartProps = {
  /** What is charted, e.g. `BTCUSDT, 1h`. */
  label: string;
  candles: CandleColumns;
  pricePrecision: number;
  /** Of the candles, px; panes come below. */
  height?: number;
  /** How much of the time before the newest candle is shown at first; as much as fits when left out. */
  seconds?: number | undefined;
  /** The window has come near the oldest candle. Called again and again while it is. */
  onOlder?: () => void;
  overlays?: readonly Overlay[];
  panes?: readonly Pane[];
  levels?: readonly PriceLevel[];
  zones?: readonly PriceZone[];
  fills?: readonly Fill[];
  preview?: LevelPreview | undefined;
  /** For levels with a grip. */
  moves?: LevelMoves | undefined;
  /** Share of the time axis that is left empty at the right, for the labels of levels: 0.25 in the cockpit. */
  room?: number;
  /** The scale reaches every level from the first, until somebody says otherwise. */
  startsFit?: boolean;
};

const NOTHING: readonly never[] = [];
const PANE_HEIGHT = 96;
/** Candles that a canvas is given at most; of more, several are drawn as one. */
const MOST_CANDLES = 20_000;
const KEY_PAN = 0.2;
const KEY_ZOOM = 1.4;

type Given = Drawn & { label: string };

/** Whether only the newest candle has moved. */
const isTick = (before: Given, after: Given): boolean =>
  before.label === after.label &&
  before.candles.time[0] === after.candles.time[0] &&
  before.candles.time.length === after.candles.time.length &&
  before.overlays.length === after.overlays.length &&
  before.panes.length === after.panes.length;

/** Epoch ms; stands still while no prices come. */
function useMarketClock(): () => number {
  const { browser, live } = useApp();
  const isLive = useStore(live.status) === 'live';
  const stoodAt = useRef<number>(undefined);
  useLayoutEffect(() => {
    stoodAt.current = isLive ? undefined : browser.now();
  }, [isLive, browser]);
  return useCallback(() => stoodAt.current ?? browser.now(), [browser]);
}

/** Merged where there are more candles than a canvas should be given. */
function drawnOf({ candles, overlays, panes }: Drawn): Drawn {
  const size = Math.ceil(candles.time.length / MOST_CANDLES);
  const merged = <Line extends { values: Numbers }>(lines: readonly Line[]): readonly Line[] =>
    size <= 1 ? lines : lines.map((line) => ({ ...line, values: mergeValues(line.values, size) }));
  return { candles: mergeCandles(candles, size), overlays: merged(overlays), panes: merged(panes) };
}

/** Which candle is read, by the pointer or by keys, or else the newest; and the keys that move the window. */
function useReading({ candles }: Drawn, speak: (figures: CandleFigures) => string) {
  const drawingRef = useRef<PriceDrawing>(undefined);
  const [spoken, setSpoken] = useState('');
  /** By its time: older candles that come before it leave it where it is. */
  const [cursor, onRead] = useState<number>();
  const last = candles.time.length - 1;
  const index = cursor === undefined ? last : Math.max(0, candleAt(candles.time, cursor));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key, shiftKey } = event;
    const next = cursorKey(event, index, last);
    if (key === '+' || key === '=') drawingRef.current?.zoom(1 / KEY_ZOOM);
    else if (key === '-' || key === '_') drawingRef.current?.zoom(KEY_ZOOM);
    else if (shiftKey && (key === 'ArrowLeft' || key === 'ArrowRight')) drawingRef.current?.pan(key === 'ArrowLeft' ? -KEY_PAN : KEY_PAN);
    else if (next !== undefined) {
      onRead(candles.time[next]!);
      setSpoken(speak(figuresAt(candles, next)));
      drawingRef.current?.read(next);
    } else return;
    event.preventDefault();
  };
  return { drawingRef, spoken, index, onRead, onKeyDown };
}

/** The chart of a price. Drag, wheel, fingers and keys move through time; arrows read; also as a table. Cheap to import: what draws comes lazily. */
export function PriceChart({
  label,
  candles,
  pricePrecision,
  height = 340,
  seconds,
  onOlder,
  overlays = NOTHING,
  panes = NOTHING,
  levels = NOTHING,
  zones = NOTHING,
  fills = NOTHING,
  preview,
  moves,
  room = 0.04,
  startsFit = false,
}: PriceChartProps) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const names = useMemo(() => (['time', 'o', 'h', 'l', 'c', 'v'] as const).map((column) => t(`chart.${column}`)), [t]);
  const [asTable, setAsTable] = useState(false);
  const [isFit, setFit] = useState(startsFit);
  const now = useMarketClock();
  const price = useCallback((value: number) => formatFixed(value.toFixed(pricePrecision), pricePrecision), [pricePrecision]);
  const cellsOf = ({ open, high, low, close, volume }: CandleFigures) => [
    ...[open, high, low, close].map(price),
    formatCompact(volume.toFixed(4)),
  ];
  const given = useCalm(
    useMemo(() => ({ label, candles, overlays, panes }), [label, candles, overlays, panes]),
    isTick,
  );
  const drawn = useMemo(() => drawnOf(given), [given]);
  const marks = useMemo(() => ({ levels, zones, fills, preview, isFit }), [levels, zones, fills, preview, isFit]);
  const summary = useSummary(label, useSpan(given.candles.close, given.candles.low, given.candles.high), price);
  const [places, setPlaces] = useState<readonly GripPlace[]>(NOTHING);
  const reading = useReading(drawn, (figures) => {
    const cells = cellsOf(figures);
    return `${moment(figures.time, language)}: ${cells.map((cell, at) => `${names[at + 1]} ${cell}`).join(', ')}`;
  });
  return (
    <ChartFrame
      label={label}
      summary={summary}
      spoken={reading.spoken}
      asTable={asTable}
      onAsTable={setAsTable}
      tools={
        levels.length > 0 && (
          <ChartButton isOn={isFit} onPress={() => setFit(!isFit)}>
            {t('chart.fitLevels')}
          </ChartButton>
        )
      }
      height={height + panes.length * PANE_HEIGHT}
      keys={t('chart.candleKeys')}
      onKeyDown={reading.onKeyDown}
      table={() => {
        const rows = mergeCandles(candles, Math.ceil(candles.time.length / TABLE_ROWS));
        return {
          head: names,
          rows: Array.from(rows.time, (key, index) => ({ key, cells: [moment(key, language), ...cellsOf(figuresAt(rows, index))] })),
        };
      }}
      readout={
        reading.index >= 0 && (
          <Readout
            drawn={drawn}
            index={reading.index}
            names={names.slice(1)}
            cells={cellsOf(figuresAt(drawn.candles, reading.index))}
            price={price}
          />
        )
      }
      over={
        <>
          {moves && <LevelGrips places={places} levels={levels} preview={preview} moves={moves} drawingRef={reading.drawingRef} />}
          <Credit />
        </>
      }
    >
      <Suspense fallback={<div className="skeleton" style={{ height: height + panes.length * PANE_HEIGHT }} />}>
        <PriceCanvas
          // Another chart, rather than one that is told of each of them.
          key={[label, language, pricePrecision, seconds, room].join()}
          drawn={drawn}
          marks={marks}
          height={height}
          paneHeight={PANE_HEIGHT}
          drawingRef={reading.drawingRef}
          language={language}
          price={price}
          seconds={seconds}
          room={room}
          now={now}
          onOlder={() => onOlder?.()}
          onRead={reading.onRead}
          onPlaced={setPlaces}
        />
      </Suspense>
    </ChartFrame>
  );
}

/** What the licence of lightweight-charts asks for on every page that shows it: its notice and a link. */
const Credit = () => (
  <a className="chart-credit" href="https://www.tradingview.com/" target="_blank" rel="noreferrer noopener" title={NOTICE}>
    TradingView
  </a>
);
const NOTICE = 'TradingView Lightweight Charts™, Copyright (c) 2026 TradingView, Inc. https://www.tradingview.com/';

const figure = (value: number | undefined, format: (value: number) => string): string =>
  value === undefined || Number.isNaN(value) ? '–' : format(value);

/** The figures of the candle under the cursor, or else of the newest. */
function Readout({
  drawn: { candles, overlays, panes },
  index,
  names,
  cells,
  price,
}: {
  drawn: Drawn;
  index: number;
  names: readonly string[];
  cells: readonly string[];
  price: (value: number) => string;
}) {
  const { i18n } = useTranslation();
  // Of the candle before, in percent; the first is compared to its own opening.
  const before = index > 0 ? candles.close[index - 1]! : candles.open[index]!;
  const moved = before ? ((candles.close[index]! - before) / before) * 100 : 0;
  return (
    <>
      <span>{moment(candles.time[index]!, i18n.language)}</span>
      {names.map((name, at) => (
        <Reading key={name} name={name}>
          {cells[at]!}
        </Reading>
      ))}
      <span className={moved > 0 ? 'gain' : moved < 0 ? 'loss' : undefined}>{formatPercent(moved.toFixed(2))}</span>
      {overlays.map(({ label, color, values }) => (
        <Reading key={label} name={label} color={color}>
          {figure(values[index], price)}
        </Reading>
      ))}
      {panes.map(({ label, values }) => (
        <Reading key={label} name={label} color="fg-muted">
          {figure(values[index], (value) => value.toFixed(1))}
        </Reading>
      ))}
    </>
  );
}
