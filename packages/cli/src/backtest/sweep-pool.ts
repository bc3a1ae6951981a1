import { Worker } from 'node:worker_threads';
import type { BacktestCoin } from '@pilotfish/core/backtest/backtest';
import type { SweepRow, SweepTask } from '@pilotfish/core/backtest/sweep';
import type { SweepSet } from '@pilotfish/core/backtest/sweep-axes';
import { type CandleSeries, mapColumns } from '@pilotfish/core/prices/candle-series';
import { KIND, WORKER_FILE, type WorkerAnswer, type WorkerData } from './sweep-worker.ts';

/** Most sets that are handed over at once, and how fast one must be for that. */
const MOST_SETS = 16;
const QUICK_MS = 100;

const shared = (column: Float64Array): Float64Array => {
  const copy = new Float64Array(new SharedArrayBuffer(column.length * 8));
  copy.set(column);
  return copy;
};
const sharedSeries = (series: CandleSeries): CandleSeries => mapColumns(series, shared);

/** The candles in memory that all workers read; they are there once, however many workers there are. */
export const sharedCoins = (coins: readonly BacktestCoin[]): BacktestCoin[] =>
  coins.map((coin) => ({
    ...coin,
    candles: sharedSeries(coin.candles),
    ...(coin.zoom ? { zoom: sharedSeries(coin.zoom) } : {}),
    ...(coin.history ? { history: coin.history.map(sharedSeries) } : {}),
  }));

/**
 * Runs every set on `count` threads and hands over each row as it is done. Rejects with the first failure; an abort
 * ends the threads and rejects with its reason. Rows that were handed over stay done.
 */
export async function runSets(
  task: SweepTask,
  sets: readonly SweepSet[],
  count: number,
  onRow: (row: SweepRow) => void,
  signal?: AbortSignal,
): Promise<void> {
  let next = 0;
  let done = 0;
  const workers: Worker[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      if (sets.length === 0) return resolve();
      const stop = () => reject(signal?.reason as Error);
      if (signal?.aborted) return stop();
      signal?.addEventListener('abort', stop, { once: true });
      const feed = (worker: Worker, most: number) => {
        // So many that each thread has some to the end.
        const size = Math.min(most, Math.ceil((sets.length - next) / count));
        if (size === 0) return;
        worker.postMessage(sets.slice(next, next + size));
        next += size;
      };
      for (let index = 0; index < Math.min(count, sets.length); index += 1) {
        const worker = new Worker(new URL(WORKER_FILE), { workerData: { kind: KIND, task } satisfies WorkerData });
        workers.push(worker);
        // Sets that are run together share what they read. Slow ones are handed over one by one: they can be watched, and little is lost.
        let most = 1;
        let since = performance.now();
        worker.on('message', ({ rows }: WorkerAnswer) => {
          const now = performance.now();
          if (now - since < QUICK_MS * rows.length) most = Math.min(MOST_SETS, most * 2);
          else most = 1;
          since = now;
          for (const row of rows) onRow(row);
          done += rows.length;
          if (done === sets.length) resolve();
          else feed(worker, most);
        });
        worker.on('error', reject);
        worker.on('exit', (code) => code !== 0 && reject(new Error(`a worker ended with ${code}`)));
        feed(worker, most);
      }
    });
  } finally {
    await Promise.all(
      workers.map((worker) => {
        worker.removeAllListeners('exit');
        return worker.terminate();
      }),
    );
  }
}
