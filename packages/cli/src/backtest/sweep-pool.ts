import { Worker } from 'node:worker_threads';
import type { BacktestCoin } from '@pilotfish/core/backtest/backtest';
import type { SweepRow, SweepTask } from '@pilotfish/core/backtest/sweep';
import type { SweepSet } from '@pilotfish/core/backtest/sweep-axes';
import { type CandleSeries, mapColumns } from '@pilotfish/core/prices/candle-series';
import { KIND, WORKER_FILE, type WorkerData, type WorkerNews } from './sweep-worker.ts';

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

export type SweepHooks = {
  readonly onRow: (row: SweepRow) => void;
  /** Told with the share of all sets that is done (0–1), those that are running in part. */
  readonly onProgress: (done: number) => void;
  readonly signal: AbortSignal;
};

/**
 * Runs every set on `count` threads and hands over each row as it is done. Rejects with the first failure; an abort
 * ends the threads and rejects with its reason. Rows that were handed over stay done.
 */
export async function runSets(
  task: SweepTask,
  sets: readonly SweepSet[],
  count: number,
  { onRow, onProgress, signal }: SweepHooks,
): Promise<void> {
  if (sets.length === 0) return;
  let next = 0;
  let done = 0;
  const workers: Worker[] = [];
  const shares: number[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      const stop = () => reject(signal.reason as Error);
      if (signal.aborted) return stop();
      signal.addEventListener('abort', stop, { once: true });
      for (let index = 0; index < Math.min(count, sets.length); index += 1) {
        const worker = new Worker(new URL(WORKER_FILE), { workerData: { kind: KIND, task } satisfies WorkerData });
        workers.push(worker);
        const feed = () => {
          shares[index] = 0;
          if (next < sets.length) worker.postMessage(sets[next++]);
        };
        worker.on('message', (news: WorkerNews) => {
          if (signal.aborted) return;
          if ('row' in news) {
            try {
              onRow(news.row);
            } catch (error) {
              return reject(error as Error);
            }
            done += 1;
            feed();
          } else shares[index] = news.share;
          onProgress((done + shares.reduce((sum, share) => sum + share, 0)) / sets.length);
          if (done === sets.length) resolve();
        });
        worker.on('error', reject);
        worker.on('exit', (code) => code !== 0 && reject(new Error(`a worker ended with ${code}`)));
        feed();
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
