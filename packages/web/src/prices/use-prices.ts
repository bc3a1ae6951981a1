import type { Percent, Price } from '@pilotfish/core/money/figure';
import { isOffered } from '@pilotfish/core/prices/currency';
import type { Candle, Pair } from '@pilotfish/core/prices/prices-contract';
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { App } from '../platform/app.ts';
import { useApp } from '../platform/app-context.tsx';
import { useQuery } from '../platform/use-query.ts';
import type { CandleColumns } from '../ui/charts/candle-columns.ts';
import { atNextBeat, useCalm } from '../ui/use-calm.ts';
import { createTickerStore, type LiveTicker, type TickerStore } from './ticker-store.ts';

// One ticker store per app, however many screens look at it.
const stores = new WeakMap<App, TickerStore>();
function useTickers(): TickerStore {
  const app = useApp();
  const known = stores.get(app) ?? createTickerStore();
  stores.set(app, known);
  return known;
}

const usePairsQuery = () => useQuery('pairs', (client, _: null, signal) => client.listPairs(undefined, { signal }), null, { keep: true });

/** Asks anew what coins are called and which are offered when an Admin has changed something. */
function useFreshCurrencies(): void {
  const app = useApp();
  useEffect(
    () =>
      app.live.on('instance', () => {
        for (const name of ['pairs', 'currencies', 'screener']) app.queries.invalidate(name);
      }),
    [app],
  );
}

/** Pairs and their tickers, kept live while mounted. */
export function useMarket() {
  const app = useApp();
  useFreshCurrencies();
  const tickers = useTickers();
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
  const tickers = useTickers();
  useEffect(() => app.live.on('tickers', ({ items }) => tickers.apply(items)), [app, tickers]);
}

/** Made once of each answer: every row of a list may ask for its pair. */
const maps = new WeakMap<readonly Pair[], ReadonlyMap<string, Pair>>();
function bySymbol(pairs: readonly Pair[]): ReadonlyMap<string, Pair> {
  const known = maps.get(pairs) ?? new Map(pairs.map((pair) => [pair.symbol, pair]));
  maps.set(pairs, known);
  return known;
}
/** Pairs by symbol, for screens that need precisions. */
export function usePairs(): ReadonlyMap<string, Pair> | undefined {
  const { data } = usePairsQuery();
  return data && bySymbol(data);
}

/** Pairs that can be found and chosen; those held or watched already may be others (`usePairs`). */
export function useOfferedPairs(): ReadonlyMap<string, Pair> | undefined {
  useFreshCurrencies();
  const pairs = usePairs();
  return useMemo(() => pairs && new Map([...pairs].filter(([, pair]) => isOffered(pair))), [pairs]);
}

/** What currencies are called, by code. */
export function useCurrencyNames(): ReadonlyMap<string, string> | undefined {
  const { data } = useQuery('currencies', (client, _: null, signal) => client.listCurrencies(undefined, { signal, quiet: true }), null, {
    keep: true,
  });
  return useMemo(() => data && new Map(data.map(({ code, name }) => [code, name])), [data]);
}

/** The live ticker of one pair; renders only when that pair changes, at most once per frame. */
export function useTicker(symbol: string): LiveTicker | undefined {
  const tickers = useTickers();
  return useSyncExternalStore(
    useCallback((listener) => tickers.subscribe(symbol, listener), [tickers, symbol]),
    () => tickers.get(symbol),
  );
}

type Seen = { readonly symbol: string; readonly price: Price | undefined };
const isTick = (before: Seen, after: Seen): boolean =>
  before.symbol === after.symbol && before.price !== undefined && after.price !== undefined;

/** The newest price of a pair, the same everywhere on the page at one moment, charts included: it moves at most four times a second. */
export function useCalmPrice(symbol: string): Price | undefined {
  const price = useTicker(symbol)?.price;
  return useCalm(
    useMemo(() => ({ symbol, price }), [symbol, price]),
    isTick,
  ).price;
}

const isTickerTick = (before: LiveTicker | undefined, after: LiveTicker | undefined): boolean =>
  before !== undefined && after !== undefined && before.symbol === after.symbol;

/** The live ticker of one pair, with the beat of `useCalmPrice`. */
export const useCalmTicker = (symbol: string): LiveTicker | undefined => useCalm(useTicker(symbol), isTickerTick);

type Calm<Value> = (symbols: readonly string[]) => ReadonlyMap<string, Value>;

/** One figure of the tickers of some pairs, those that are known, at the beat of the page. */
function useCalmFigures<Value>(symbols: readonly string[], figureOf: (ticker: LiveTicker) => Value): ReadonlyMap<string, Value> {
  const tickers = useTickers();
  const key = symbols.join();
  const [figures, setFigures] = useState<ReadonlyMap<string, Value>>(() => new Map());
  useEffect(() => {
    const wanted = key === '' ? [] : key.split(',');
    const read = () =>
      setFigures((before) => {
        const next = new Map(
          wanted.flatMap((symbol) => {
            const ticker = tickers.get(symbol);
            return ticker === undefined ? [] : [[symbol, figureOf(ticker)] as const];
          }),
        );
        return next.size === before.size && [...next].every(([symbol, figure]) => before.get(symbol) === figure) ? before : next;
      });
    let stop: (() => void) | undefined;
    const soon = () => {
      stop ??= atNextBeat(() => {
        stop = undefined;
        read();
      });
    };
    read();
    const stops = wanted.map((symbol) => tickers.subscribe(symbol, soon));
    return () => {
      for (const each of stops) each();
      stop?.();
    };
  }, [tickers, key, figureOf]);
  return figures;
}

const priceOf = ({ price }: LiveTicker): Price => price;
const changeOf = ({ changePct }: LiveTicker): Percent => changePct;
/** The newest prices of some pairs, those that are known: they move with the same beat as one alone does. */
export const useCalmPrices: Calm<Price> = (symbols) => useCalmFigures(symbols, priceOf);
/** Their changes in 24 hours, with the same beat. */
export const useCalmChanges: Calm<Percent> = (symbols) => useCalmFigures(symbols, changeOf);

export const CHART_INTERVALS = ['1m', '5m', '15m', '1h', '4h', '1d'] as const;
export type ChartInterval = (typeof CHART_INTERVALS)[number];

const CANDLES_MS = 20_000;
export const CANDLES_PAGE = 500;

/** The newest candles of a pair. The ticker moves the last one; that a new one has begun is asked for. */
export function useNewestCandles(symbol: string, interval: ChartInterval) {
  const app = useApp();
  const query = useQuery(
    // Each length of a candle has its own answer: a page may show one pair in two of them.
    `candles:${symbol}:${interval}`,
    (client, params: { interval: ChartInterval }, signal) =>
      client.listCandles({ params: { symbol }, query: { interval: params.interval, limit: CANDLES_PAGE } }, { signal, quiet: true }),
    { interval },
  );
  useEffect(() => {
    const timer = setInterval(
      () => document.visibilityState === 'visible' && app.queries.invalidate(`candles:${symbol}:${interval}`),
      CANDLES_MS,
    );
    return () => clearInterval(timer);
  }, [app, symbol, interval]);
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
export function withPrice(columns: CandleColumns, price: Price | undefined): CandleColumns {
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
