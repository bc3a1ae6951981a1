import { lazy, Suspense } from 'react';
import type { CandleColumns } from './candle-columns.ts';
import type { ChartColor } from './chart-axes.ts';
import type { Numbers } from './series-summary.ts';

const CandleChart = lazy(() => import('./candle-chart.tsx').then((module) => ({ default: module.CandleChart })));

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
  /** Share of the time axis that is left empty at the right, for the labels of levels: 0.25 in the cockpit. */
  room?: number;
};

const COLORS = { gain: 'gain', loss: 'loss', brand: 'brand-fg', neutral: 'fg-muted', warning: 'warning' } as const;

/** The chart of a price: candles with levels, zones, fills and the newest price. Cheap to import; what draws comes lazily. */
export function PriceChart({ levels = [], fills = [], height = 340, ...props }: PriceChartProps) {
  const lines = levels.map(({ label, note, price, tone, look }) => ({
    label: note === undefined ? label : `${label} · ${note}`,
    price,
    color: COLORS[tone],
    dashed: look !== 'solid',
  }));
  return (
    <Suspense fallback={<div className="skeleton" style={{ height: height + 40 }} />}>
      <CandleChart {...props} height={height} lines={lines} marks={fills.map((fill) => ({ label: '', ...fill }))} />
    </Suspense>
  );
}
