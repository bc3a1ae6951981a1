import type { TickerRow } from '@pilotfish/core/http/stream-contract';
import type { Ticker } from '@pilotfish/core/prices/prices-contract';

/** A ticker as the grid draws it: texts for the cells, numbers for sorting, and which way the price last went. */
export type LiveTicker = Readonly<Pick<Ticker, 'symbol' | 'price' | 'changePct' | 'quoteVolume' | 'high' | 'low'>> & {
  /** 1 up, -1 down, 0 unknown; `moves` grows with every change so that a flash can restart. */
  readonly direction: -1 | 0 | 1;
  readonly moves: number;
};

/**
 * The newest ticker of every pair. Writes are immediate; listeners hear of them once per frame, and only those of
 * rows that changed. No tick ever reaches a machine or a component that does not show it.
 */
export function createTickerStore(schedule: (flush: () => void) => void = (flush) => requestAnimationFrame(flush)) {
  const tickers = new Map<string, LiveTicker>();
  const listeners = new Map<string, Set<() => void>>();
  const changed = new Set<string>();
  const flush = () => {
    const symbols = [...changed];
    changed.clear();
    for (const symbol of symbols) for (const listener of listeners.get(symbol) ?? []) listener();
  };
  const put = (...[symbol, price, changePct, quoteVolume, high, low]: TickerRow) => {
    const before = tickers.get(symbol);
    if (before && before.price === price && before.changePct === changePct && before.quoteVolume === quoteVolume) return;
    const moved = before !== undefined && before.price !== price;
    const direction = moved ? (Number(price) > Number(before.price) ? 1 : -1) : (before?.direction ?? 0);
    tickers.set(symbol, { symbol, price, changePct, quoteVolume, high, low, direction, moves: (before?.moves ?? 0) + (moved ? 1 : 0) });
    // Of a thousand ticks a second a screen shows a few: no frame is asked for the others.
    if (!listeners.has(symbol)) return;
    if (changed.size === 0) schedule(flush);
    changed.add(symbol);
  };
  return {
    get: (symbol: string): LiveTicker | undefined => tickers.get(symbol),
    all: (): ReadonlyMap<string, LiveTicker> => tickers,
    load: (items: readonly Ticker[]) => {
      for (const { symbol, price, changePct, quoteVolume, high, low } of items) put(symbol, price, changePct, quoteVolume, high, low);
    },
    apply: (rows: readonly TickerRow[]) => {
      for (const [symbol, price, changePct, quoteVolume, high, low] of rows) put(symbol, price, changePct, quoteVolume, high, low);
    },
    subscribe: (symbol: string, listener: () => void) => {
      const set = listeners.get(symbol) ?? new Set();
      listeners.set(symbol, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0) listeners.delete(symbol);
      };
    },
  };
}
export type TickerStore = ReturnType<typeof createTickerStore>;
