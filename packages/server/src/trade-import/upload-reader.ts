import { Worker } from 'node:worker_threads';
import { AppError } from '@pilotfish/core/http/problem';
import type { Cancel, Timers } from '@pilotfish/core/time/timers';
import { FileRefused } from './file-refused.ts';
import type { Reading } from './import-reading.ts';
import type { UploadJob, UploadNews } from './upload-worker.ts';

/** What one upload may take while it is read. */
export type UploadLimits = {
  /** JavaScript objects of the thread, MB. */
  readonly memoryMb: number;
  readonly seconds: number;
};
/** Half a million rows of an export take a fifth of the memory and a tenth of the time. */
export const UPLOAD_LIMITS: UploadLimits = { memoryMb: 384, seconds: 180 };
/** A thread without work is kept so long: a second file is read without its start-up. */
const WARM_MS = 60_000;

export type UploadReading = { readonly reading: Reading; readonly rows: number };
export type UploadReader = {
  /**
   * Reads a saved upload in a thread of its own, whose memory and time are limited.
   * @throws FileRefused, also for a limit; the reason of the signal, which ends the thread at once
   */
  read(job: UploadJob, more?: { signal?: AbortSignal; onRows?: (done: number) => void }): Promise<UploadReading>;
  stop(): Promise<void>;
};

/** By name: Node keeps listeners of its own on the thread, and without them its messages stay away. */
const letGo = (worker: Worker): void => {
  for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
};

/** An error on the way to the end is of no interest any more. */
const ended = (worker: Worker): Promise<number> => {
  worker.on('error', () => undefined);
  return worker.terminate();
};

/** Threads that read what people upload: nothing in a file can keep the process from its orders, or fill its memory. */
export function uploadReader(timers: Pick<Timers, 'after' | 'meanwhile'>, limits = UPLOAD_LIMITS): UploadReader {
  /** At most one: others end with their work. */
  let warm: { worker: Worker; cancel: Cancel } | undefined;
  const busy = new Set<Worker>();
  let isStopped = false;

  async function take(): Promise<Worker> {
    const kept = warm;
    warm = undefined;
    kept?.cancel();
    if (kept !== undefined) {
      letGo(kept.worker);
      return kept.worker;
    }
    const { UPLOAD_WORKER_FILE, UPLOAD_WORKER_KIND } = await import('./upload-worker.ts');
    return new Worker(new URL(UPLOAD_WORKER_FILE), {
      workerData: { kind: UPLOAD_WORKER_KIND },
      // No secret of the process is in reach of a parser.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb, maxYoungGenerationSizeMb: 32 },
    });
  }

  function keep(worker: Worker): void {
    if (warm !== undefined) return void ended(worker);
    worker.unref();
    const forget = () => {
      if (warm?.worker === worker) warm = undefined;
    };
    const cancel = timers.after(WARM_MS, () => {
      forget();
      void ended(worker);
    });
    worker.once('exit', forget);
    worker.on('error', forget);
    warm = { worker, cancel };
  }

  const outcome = (worker: Worker, job: UploadJob, onRows: ((done: number) => void) | undefined): Promise<UploadReading> =>
    new Promise((resolve, reject) => {
      worker.on('message', (news: UploadNews) => {
        if (news.kind === 'rows') onRows?.(news.done);
        else if (news.kind === 'read') resolve(news);
        else if (news.kind === 'refused') reject(new FileRefused(news.code, news.limit));
        else reject(new Error(`an upload could not be read: ${news.message}`, { cause: news.stack }));
      });
      worker.on('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new FileRefused('tooMuchMemory', limits.memoryMb) : error),
      );
      worker.on('exit', (code) =>
        reject(
          isStopped ? new AppError('shutting-down', { retryAfter: 5 }) : new Error(`the thread that read an upload ended with ${code}`),
        ),
      );
      worker.postMessage(job);
    });

  return {
    read: async (job, { signal, onRows } = {}) => {
      signal?.throwIfAborted();
      const worker = await take();
      worker.ref();
      busy.add(worker);
      const stop = new AbortController();
      const onGone = () => stop.abort(signal?.reason);
      signal?.addEventListener('abort', onGone, { once: true });
      const cancelDeadline = timers.after(limits.seconds * 1000, () => stop.abort(new FileRefused('tookTooLong', limits.seconds)));
      const stopped = new Promise<never>((_, reject) => {
        stop.signal.addEventListener('abort', () => reject(stop.signal.reason as Error), { once: true });
      });
      // Gone while the thread was started.
      if (signal?.aborted) onGone();
      try {
        const read = await timers.meanwhile(Promise.race([outcome(worker, job, onRows), stopped]));
        letGo(worker);
        keep(worker);
        return read;
      } catch (error) {
        letGo(worker);
        // A refusal leaves the thread as good as new; anything else ends it.
        if (error instanceof FileRefused && !stop.signal.aborted && error.code !== 'tooMuchMemory') keep(worker);
        // Waited for: what it has open lies in a folder that is removed next.
        else await ended(worker);
        throw error;
      } finally {
        busy.delete(worker);
        cancelDeadline();
        signal?.removeEventListener('abort', onGone);
      }
    },
    stop: async () => {
      isStopped = true;
      const rest = [...busy, ...(warm === undefined ? [] : [warm.worker])];
      warm?.cancel();
      warm = undefined;
      await Promise.all(rest.map(ended));
    },
  };
}
