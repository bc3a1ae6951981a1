import { useSyncExternalStore } from 'react';
import type { App } from '../platform/app.ts';
import { useApp } from '../platform/app-context.tsx';
import { type BacktestRun, createBacktestRun, type RunState } from './backtest-run.ts';

/** Candles that one call brings. */
const PAGE = 1000;
const runs = new WeakMap<object, Map<string, BacktestRun>>();

/** The run of a bot, while the app is open. */
function runOf(app: App, botId: string): BacktestRun {
  const own = runs.get(app) ?? new Map<string, BacktestRun>();
  runs.set(app, own);
  const known = own.get(botId);
  if (known) return known;
  const run = createBacktestRun({
    page: async (symbol, interval, endTime, signal) =>
      (await app.client.listCandles({ params: { symbol }, query: { interval, limit: PAGE, endTime } }, { signal, quiet: true })).items,
    months: async (query, signal) => (await app.client.listCandleMonths({ query }, { signal, quiet: true })).items,
    readMonth: (params, signal) => app.client.readCandleMonth({ params }, { signal, quiet: true }),
    createWorker: () => new Worker(new URL('./backtest-worker.ts', import.meta.url), { type: 'module' }),
    now: () => Date.now(),
  });
  own.set(botId, run);
  return run;
}

export function useBacktest(botId: string): { run: BacktestRun; state: RunState } {
  const run = runOf(useApp(), botId);
  return { run, state: useSyncExternalStore(run.subscribe, run.get) };
}
