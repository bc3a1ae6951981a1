import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { CandleSeries } from '@pilotfish/core/prices/candle-series';
import { LocalFailure } from '../app/failure.ts';
import type { CandleNews } from './candle-worker.ts';
import { readCandles } from './read-candles.ts';

/** So much is read in a moment. */
const APART_FROM = 1_000_000;

/** Bytes of a file; of a pipe nobody knows how many there are. */
function sizeOf(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? 0 : found.isFile() ? found.size : Number.POSITIVE_INFINITY;
}

/**
 * Candles of a CSV file, plain, gzip or zip. Years of minutes are read in a thread of their own, which ends with the
 * process: half a minute without an ear for Ctrl-C is too long.
 * @throws LocalFailure naming the file and what is wrong with it
 */
export async function candlesOfFile(file: string, symbol: string, apartFrom = APART_FROM): Promise<CandleSeries> {
  if (sizeOf(file) < apartFrom) return readCandles(file, symbol);
  const { CANDLE_WORKER_FILE, CANDLE_WORKER_KIND } = await import('./candle-worker.ts');
  const worker = new Worker(new URL(CANDLE_WORKER_FILE), { workerData: { kind: CANDLE_WORKER_KIND, job: { file, symbol } }, env: {} });
  return new Promise((resolve, reject) => {
    worker.once('message', (news: CandleNews) => {
      if ('series' in news) resolve(news.series);
      else reject(new LocalFailure(news.failure.code, news.failure.values, { exit: news.failure.exit }));
    });
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the thread that read ${file} ended with ${code}`)));
  });
}
