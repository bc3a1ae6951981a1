import type { AutoTradeConfig } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { type ConditionProblem, runProblems } from '@pilotfish/core/backtest/backtest-conditions';
import type { BacktestDocument } from '@pilotfish/core/backtest/backtest-contract';
import { withHistory } from '@pilotfish/core/backtest/figure-history';
import { candleLoader, type LoaderParts } from '@pilotfish/core/candles/candle-loader';
import type { Interval } from '@pilotfish/core/http/wire';
import type { CandleLoader, CandlePage } from '@pilotfish/core/prices/candle-pages';
import type { CandleSeries } from '@pilotfish/core/prices/candle-series';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import type { WorkerNews, WorkerTask } from './backtest-worker.ts';

/** What is to be run. Times in epoch ms. */
export type BacktestPlan = {
  readonly config: AutoTradeConfig;
  readonly pairs: readonly Pair[];
  readonly interval: Interval;
  readonly from: number;
  readonly to: number;
  readonly startBalance: string;
};

/** Where a run stands. `done` is the share of the whole (0–1), `left` the seconds it will still take, when that can be said. */
export type RunState =
  | { readonly at: 'idle' }
  | { readonly at: 'loading' | 'running'; readonly done: number; readonly left: number | undefined; readonly candles: number }
  | { readonly at: 'done'; readonly document: BacktestDocument; readonly candles: readonly CandleSeries[]; readonly tookMs: number }
  | { readonly at: 'refused'; readonly problems: readonly ConditionProblem[] }
  | { readonly at: 'failed'; readonly code: 'noCandles' | 'load' | 'run'; readonly detail: string };

/** Too early a guess is none. */
const LEAST_SHARE = 0.02;

export type RunParts = {
  readonly page: (symbol: string, interval: Interval, endTime: string, signal: AbortSignal) => ReturnType<CandlePage>;
  readonly months: (query: Parameters<LoaderParts['months']>[0], signal: AbortSignal) => ReturnType<LoaderParts['months']>;
  readonly readMonth: (month: Parameters<LoaderParts['read']>[0], signal: AbortSignal) => Promise<string>;
  readonly createWorker: () => Worker;
  readonly now: () => number;
};

/**
 * One backtest in the browser: candles from the server, the run in a worker. It belongs to its bot, not to a screen, so
 * that it goes on while one looks elsewhere; a new start or a cancel ends the one before at once.
 */
export function createBacktestRun({ page, months, readMonth, createWorker, now }: RunParts) {
  let state: RunState = { at: 'idle' };
  let abort = new AbortController();
  let worker: Worker | undefined;
  const listeners = new Set<() => void>();
  const set = (next: RunState) => {
    state = next;
    for (const listener of listeners) listener();
  };
  const stop = () => {
    abort.abort();
    abort = new AbortController();
    worker?.terminate();
    worker = undefined;
  };

  const left = (done: number, since: number): number | undefined =>
    done > LEAST_SHARE ? Math.ceil(((now() - since) / 1000 / done) * (1 - done)) : undefined;

  /** Stored months first, and the exchange for the rest. */
  const loaderOf = (signal: AbortSignal): CandleLoader =>
    candleLoader({
      page: (symbol, interval, endTime) => page(symbol, interval, endTime, signal),
      months: (query) => months(query, signal),
      read: (month) => readMonth(month, signal),
    });

  async function load(plan: BacktestPlan, since: number, signal: AbortSignal): Promise<CandleSeries[]> {
    const { interval, from, to } = plan;
    const found: CandleSeries[] = [];
    for (const [index, { symbol }] of plan.pairs.entries()) {
      const had = found.reduce((sum, { openTime }) => sum + openTime.length, 0);
      const series = await loaderOf(signal)({ symbol, interval, from, to }, (done) => {
        const share = (index + done) / plan.pairs.length;
        if (!signal.aborted) set({ at: 'loading', done: share, left: left(share, since), candles: had });
      });
      if (series.openTime.length > 0) found.push(series);
    }
    return found;
  }

  function work(task: WorkerTask, candles: readonly CandleSeries[], signal: AbortSignal): void {
    const since = now();
    const count = candles.reduce((sum, { openTime }) => sum + openTime.length, 0);
    set({ at: 'running', done: 0, left: undefined, candles: count });
    const own = createWorker();
    worker = own;
    own.addEventListener('message', ({ data }: MessageEvent<WorkerNews>) => {
      if (signal.aborted) return;
      if (data.type === 'progress') return set({ at: 'running', done: data.done, left: left(data.done, since), candles: count });
      set({ at: 'done', document: data.document, candles, tookMs: now() - since });
      own.terminate();
    });
    own.addEventListener('error', (event) => {
      event.preventDefault();
      if (!signal.aborted) set({ at: 'failed', code: 'run', detail: event.message });
      own.terminate();
    });
    own.postMessage(task);
  }

  /** Candles, and what the figures of the bot reach back to; then the run, unless they cannot answer its rules. */
  async function prepare(plan: BacktestPlan, since: number, signal: AbortSignal): Promise<void> {
    const { config, interval, startBalance } = plan;
    const candles = await load(plan, since, signal);
    if (signal.aborted) return;
    if (candles.length === 0) return set({ at: 'failed', code: 'noCandles', detail: '' });
    const pairOf = new Map(plan.pairs.map((pair) => [pair.symbol, pair]));
    const coins = candles.map((series) => ({ pair: pairOf.get(series.symbol)!, candles: series }));
    const back = await withHistory(config, coins, interval, loaderOf(signal));
    if (signal.aborted) return;
    const problems = runProblems(config, back.coins, back.reference);
    if (problems.length > 0) return set({ at: 'refused', problems });
    work({ config, ...back, startBalance }, candles, signal);
  }

  return {
    get: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    start: (plan: BacktestPlan): void => {
      stop();
      const { signal } = abort;
      const since = now();
      set({ at: 'loading', done: 0, left: undefined, candles: 0 });
      prepare(plan, since, signal).catch((error: unknown) => {
        if (!signal.aborted) set({ at: 'failed', code: 'load', detail: (error as Error).message });
      });
    },
    cancel: (): void => {
      stop();
      set({ at: 'idle' });
    },
  };
}
export type BacktestRun = ReturnType<typeof createBacktestRun>;
