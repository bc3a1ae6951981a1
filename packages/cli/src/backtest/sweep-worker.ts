import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { runSweepSet, type SweepRow, type SweepTask } from '@pilotfish/core/backtest/sweep';
import type { SweepSet } from '@pilotfish/core/backtest/sweep-axes';

/** The file that runs as a worker: this one, also when it is bundled. */
export const WORKER_FILE = import.meta.url;
export type WorkerData = { readonly kind: typeof KIND; readonly task: SweepTask };
/** What a thread says of the set it was given: how far it is (0–1), or what it came to. */
export type WorkerNews = { readonly share: number } | { readonly row: SweepRow };
export const KIND = 'pilotfish-sweep';

const given = workerData as Partial<WorkerData> | null;
if (!isMainThread && given?.kind === KIND && given.task) {
  const { task } = given;
  const say = (news: WorkerNews) => parentPort?.postMessage(news);
  parentPort?.on('message', (set: SweepSet) => say({ row: runSweepSet(task, set, (share) => say({ share })) }));
}
