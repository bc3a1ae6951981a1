import type { StoredTrace } from '@pilotfish/core/auto-trades/trace';
import { useQuery } from '../platform/use-query.ts';
import type { RecordingAnswer, RecordingTask } from './recording-worker.ts';

const PAGE = 200;

/** Runs in a thread of its own, which ends with its answer or when no one waits for it any more. */
function inWorker(task: RecordingTask, signal: AbortSignal): Promise<RecordingAnswer> {
  const worker = new Worker(new URL('./recording-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<RecordingAnswer>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
    worker.addEventListener('message', ({ data }: MessageEvent<RecordingAnswer>) => resolve(data));
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      reject(new Error(event.message));
    });
    worker.postMessage(task);
  }).finally(() => worker.terminate());
}

/**
 * A bot beside a backtest over its recording.
 * @param latencyMs of the backtest's orders
 * @param recording name of the backtest
 */
export const useRecording = (id: string, latencyMs: number, recording: string) =>
  useQuery(
    `recording:${id}`,
    async (client, params: { latencyMs: number; recording: string }, signal): Promise<RecordingAnswer> => {
      const tape = await client.downloadAutoTradeTape({ params: { id } }, { signal });
      if (tape === '') return { wrong: 'noTape' };
      const { name, mode, currency, config } = await client.getAutoTrade({ params: { id } }, { signal });
      const stored: StoredTrace[] = [];
      for (let page = 1; ; page += 1) {
        const { items, total } = await client.listAutoTradeTraces({ params: { id }, query: { page, pageSize: PAGE } }, { signal });
        stored.push(...items);
        if (items.length < PAGE || stored.length >= total) break;
      }
      const known = await client.listKnownPositions({ params: { id } }, { signal });
      return inWorker({ bot: { id, name, mode, currency, slots: config.maxOpenPositions }, tape, stored, known, ...params }, signal);
    },
    { latencyMs, recording },
  );
