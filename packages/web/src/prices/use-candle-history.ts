import { useCallback, useEffect, useMemo, useReducer, useRef } from 'react';
import { useApp } from '../platform/app-context.tsx';
import { emptyHistory, historyStep } from './candle-history.ts';
import { CANDLES_PAGE, type ChartInterval, toColumns, useNewestCandles, useTicker, withPrice } from './use-prices.ts';

/** Candles as far back as somebody panned, the newest one moving with the ticker. */
export function useCandleHistory(symbol: string, interval: ChartInterval) {
  const app = useApp();
  const key = `${symbol}:${interval}`;
  const newest = useNewestCandles(symbol, interval);
  const [history, step] = useReducer(historyStep, key, emptyHistory);
  const data = newest.data?.interval === interval ? newest.data : undefined;
  useEffect(() => {
    if (data) step({ type: 'newest', key, items: data.items });
  }, [data, key]);

  const leave = useRef<AbortController>(undefined);
  useEffect(() => () => leave.current?.abort(), []);
  const current = useRef(history);
  useEffect(() => {
    current.current = history;
  }, [history]);
  const onOlder = useCallback(() => {
    const { items, complete, older, key: held } = current.current;
    const first = items[0];
    if (!first || complete || older !== 'idle' || held !== key) return;
    current.current = { ...current.current, older: 'loading' };
    step({ type: 'older.asked', key });
    leave.current = new AbortController();
    const { signal } = leave.current;
    const endTime = new Date(Date.parse(first.openTime) - 1).toISOString();
    app.client
      .listCandles({ params: { symbol }, query: { interval, limit: CANDLES_PAGE, endTime } }, { signal, quiet: true })
      .then((answer) => step({ type: 'older.came', key, items: answer.items, wanted: CANDLES_PAGE }))
      .catch(() => !signal.aborted && step({ type: 'older.failed', key }));
  }, [app, symbol, interval, key]);

  const price = useTicker(symbol)?.price;
  const isCurrent = history.key === key;
  const closed = useMemo(() => (isCurrent && history.items.length > 0 ? toColumns(history.items) : undefined), [history.items, isCurrent]);
  const columns = useMemo(() => closed && withPrice(closed, price), [closed, price]);
  return {
    ...newest,
    columns: columns ?? (data ? toColumns(data.items) : undefined),
    older: isCurrent ? history.older : 'idle',
    onOlder,
    /** After a failure: by hand, so that panning does not hammer what does not answer. */
    retryOlder: useCallback(() => {
      current.current = { ...current.current, older: 'idle' };
      onOlder();
    }, [onOlder]),
  };
}
