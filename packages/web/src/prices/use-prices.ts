import type { Candle, Pair } from '@pilotfish/core/prices/prices-contract';
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { App } from '../app/app.ts';
import { useApp } from '../app/app-context.tsx';
import { createStore, type Store } from '../app/store.ts';
import { useQuery } from '../app/use-query.ts';
import type { CandleColumns } from '../ui/charts/bucket-candles.ts';
import { createTickerStore, type LiveTicker, type TickerStore } from './ticker-store.ts';

// One ticker store per app, however many screens look at it.
const stores = new WeakMap<App, { tickers: TickerStore; favourites: Store<ReadonlySet<string>> }>();
function useStores() {
  const app = useApp();
  let known = stores.get(app);
  if (!known) {
    known = {
      tickers: createTickerStore(),
      favourites: createStore<ReadonlySet<string>>(readFavourites(app.browser.storage.get(FAVOURITES_KEY))),
    };
    stores.set(app, known);
  }
  return known;
}

const FAVOURITES_KEY = 'favourite_pairs';
function readFavourites(text: string | null): ReadonlySet<string> {
  try {
    const parsed: unknown = JSON.parse(text ?? '[]');
    return new Set(Array.isArray(parsed) ? parsed.filter((symbol): symbol is string => typeof symbol === 'string').slice(0, 500) : []);
  } catch {
    return new Set();
  }
}

export function useFavourites() {
  const app = useApp();
  const { favourites } = useStores();
  const current = useSyncExternalStore(favourites.subscribe, favourites.get);
  const toggle = useCallback(
    (symbol: string) => {
      const next = new Set(favourites.get());
      if (!next.delete(symbol)) next.add(symbol);
      app.browser.storage.set(FAVOURITES_KEY, JSON.stringify([...next]));
      favourites.set(next);
    },
    [app, favourites],
  );
  return { favourites: current, toggle };
}

const usePairsQuery = () => useQuery('pairs', (client, _: null, signal) => client.listPairs(undefined, { signal }), null, { keep: true });

/** Pairs and their tickers, kept live while mounted. */
export function useMarket() {
  const app = useApp();
  const { tickers } = useStores();
  const pairs = usePairsQuery();
  const snapshot = useQuery('tickers', (client, _: null, signal) => client.listTickers(undefined, { signal }), null);
  useEffect(() => {
    if (snapshot.data) tickers.load(snapshot.data.items);
  }, [snapshot.data, tickers]);
  useEffect(() => app.live.on('tickers', ({ items }) => tickers.apply(items)), [app, tickers]);
  return { pairs, snapshot, tickers };
}

/** Keeps tickers flowing while a screen needs the price of some pair. */
export function useLiveTickers(): void {
  const app = useApp();
  const { tickers } = useStores();
  useEffect(() => app.live.on('tickers', ({ items }) => tickers.apply(items)), [app, tickers]);
}

/** Pairs by symbol, for screens that need precisions. */
export function usePairs(): ReadonlyMap<string, Pair> | undefined {
  const { data } = usePairsQuery();
  return useMemo(() => data && new Map(data.map((pair) => [pair.symbol, pair])), [data]);
}

/** The live ticker of one pair; renders only when that pair changes, at most once per frame. */
export function useTicker(symbol: string): LiveTicker | undefined {
  const { tickers } = useStores();
  return useSyncExternalStore(
    useCallback((listener) => tickers.subscribe(symbol, listener), [tickers, symbol]),
    () => tickers.get(symbol),
  );
}

export const CHART_INTERVALS = ['1m', '5m', '15m', '1h', '4h', '1d'] as const;
export type ChartInterval = (typeof CHART_INTERVALS)[number];

const CANDLES_MS = 20_000;
export const CANDLES_PAGE = 500;

/** The newest candles of a pair. The ticker moves the last one; that a new one has begun is asked for. */
export function useNewestCandles(symbol: string, interval: ChartInterval) {
  const app = useApp();
  const query = useQuery(
    `candles:${symbol}`,
    (client, params: { interval: ChartInterval }, signal) =>
      client.listCandles({ params: { symbol }, query: { interval: params.interval, limit: CANDLES_PAGE } }, { signal, quiet: true }),
    { interval },
  );
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && app.queries.invalidate(`candles:${symbol}`), CANDLES_MS);
    return () => clearInterval(timer);
  }, [app, symbol]);
  return query;
}

/** Candles of a pair as columns, the newest one moving with the ticker. */
export function useCandles(symbol: string, interval: ChartInterval) {
  const query = useNewestCandles(symbol, interval);
  const price = useTicker(symbol)?.price;
  const closed = useMemo(() => query.data && toColumns(query.data.items), [query.data]);
  const columns = useMemo(() => closed && withPrice(closed, price), [closed, price]);
  return { ...query, columns };
}

/** Candles as columns; binary floats are for drawing only. */
export function toColumns(items: readonly Candle[]): CandleColumns {
  const column = (pick: (candle: Candle) => number) => Float64Array.from(items, pick);
  return {
    time: column(({ openTime }) => Date.parse(openTime) / 1000),
    open: column(({ open }) => Number(open)),
    high: column(({ high }) => Number(high)),
    low: column(({ low }) => Number(low)),
    close: column(({ close }) => Number(close)),
    volume: column(({ volume }) => Number(volume)),
  };
}

/** The last candle stretched to the newest price. */
export function withPrice(columns: CandleColumns, price: string | undefined): CandleColumns {
  const last = columns.time.length - 1;
  if (last < 0 || price === undefined) return columns;
  const now = Number(price);
  const [high, low, close] = [columns.high, columns.low, columns.close].map((column) => Float64Array.from(column)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  close[last] = now;
  high[last] = Math.max(high[last]!, now);
  low[last] = Math.min(low[last]!, now);
  return { ...columns, high, low, close };
}
