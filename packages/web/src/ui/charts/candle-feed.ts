import type uPlot from 'uplot';
import type { CandleColumns } from './candle-columns.ts';
import type { PriceLine, TradeMark } from './candle-drawing.ts';
import type { ChartColor } from './chart-axes.ts';
import type { Numbers } from './series-summary.ts';

/** A line over the candles, on their price scale: an average, a band. NaN until it has enough history. */
export type Overlay = { label: string; values: Numbers; color: ChartColor; dashed?: boolean };

/** A line between 0 and 100 with its two thresholds, below the candles it was made from. */
export type Pane = { label: string; values: Numbers; low: number; high: number };

/** What of them stays as values come. */
export type OverlayLook = Pick<Overlay, 'label' | 'color'> & { dashed: boolean | undefined };
export type PaneLook = Omit<Pane, 'values'>;

/** All that is drawn at a time, and what uPlot is given of it. */
export type Shown = {
  data: uPlot.AlignedData;
  candles: CandleColumns;
  overlays: readonly Overlay[];
  panes: readonly Pane[];
  lines: readonly PriceLine[];
  marks: readonly TradeMark[];
  onOlder: (() => void) | undefined;
};

/**
 * What a chart of candles shows, beside React: a tick reaches the canvas and the readout without anything else being
 * rendered.
 */
export type CandleFeed = {
  now: () => Shown;
  /** Which candle is told of: the one under the cursor, or else the newest; -1 when there is none. */
  told: () => number;
  /** Something else is shown; whoever tells of it is called. */
  show: (shown: Shown) => void;
  /** Calls whoever draws it: once what is rendered with it stands. */
  draw: (shown: Shown) => void;
  /** The cursor is on another candle, or on none. */
  read: (index: number | undefined) => void;
  onShown: (listener: () => void) => () => void;
  onTold: (listener: () => void) => () => void;
};

const listeners = () => {
  const all = new Set<() => void>();
  return {
    add: (listener: () => void) => {
      all.add(listener);
      return () => void all.delete(listener);
    },
    call: () => {
      for (const listener of all) listener();
    },
  };
};

export function createCandleFeed(first: Shown): CandleFeed {
  let shown = first;
  let cursor: number | undefined;
  const [drawers, tellers] = [listeners(), listeners()];
  return {
    now: () => shown,
    told: () => {
      const last = shown.candles.time.length - 1;
      return cursor !== undefined && cursor <= last ? cursor : last;
    },
    show: (next) => {
      shown = next;
      tellers.call();
    },
    draw: (given) => {
      // A newer one is drawn when its own turn comes.
      if (given === shown) drawers.call();
    },
    read: (index) => {
      if (index === cursor) return;
      cursor = index;
      tellers.call();
    },
    onShown: drawers.add,
    onTold: tellers.add,
  };
}

/** The figures of one candle. */
export type Figures = Record<'open' | 'high' | 'low' | 'close' | 'volume', number>;

export const figuresAt = ({ open, high, low, close, volume }: CandleColumns, index: number): Figures => ({
  open: open[index]!,
  high: high[index]!,
  low: low[index]!,
  close: close[index]!,
  volume: volume[index]!,
});
