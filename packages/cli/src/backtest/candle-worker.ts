import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import type { CandleSeries } from '@pilotfish/core/prices/candle-series';
import { LocalFailure } from '../app/failure.ts';
import { readCandles } from './read-candles.ts';

/** The file that runs as a thread: this one, also when it is bundled. Imported dynamically, it is a bundle of its own. */
export const CANDLE_WORKER_FILE = import.meta.url;
export const CANDLE_WORKER_KIND = 'pilotfish-candles';

export type CandleJob = { readonly file: string; readonly symbol: string };
/** The candles of a file, or what is wrong with it. */
export type CandleNews = { readonly series: CandleSeries } | { readonly failure: Pick<LocalFailure, 'code' | 'values' | 'exit'> };

function read({ file, symbol }: CandleJob): CandleNews {
  try {
    return { series: readCandles(file, symbol) };
  } catch (error) {
    // Anything else is a fault of ours, and ends the thread.
    if (!(error instanceof LocalFailure)) throw error;
    const { code, values, exit } = error;
    return { failure: { code, values, exit } };
  }
}

const port = parentPort;
const data = workerData as { kind?: unknown; job?: CandleJob } | null;
if (!isMainThread && port !== null && data?.kind === CANDLE_WORKER_KIND && data.job) {
  const news = read(data.job);
  const columns = 'series' in news ? Object.values(news.series).filter((each) => each instanceof Float64Array) : [];
  // Columns go over as they are, without a copy. Two may be parts of one buffer.
  port.postMessage(news, [...new Set(columns.map(({ buffer }) => buffer as ArrayBuffer))]);
}
