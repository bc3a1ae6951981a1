import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { runSweepSets, type SweepRow, type SweepTask } from '@pilotfish/core/backtest/sweep';
import type { SweepSet } from '@pilotfish/core/backtest/sweep-axes';

/** The file that runs as a worker: this one, also when it is bundled. */
export const WORKER_FILE = import.meta.url;
export type WorkerData = { readonly kind: typeof KIND; readonly task: SweepTask };
export type WorkerAnswer = { readonly rows: readonly SweepRow[] };
export const KIND = 'pilotfish-sweep';

const given = workerData as Partial<WorkerData> | null;
if (!isMainThread && given?.kind === KIND && given.task) {
  const { task } = given;
  parentPort?.on('message', (sets: readonly SweepSet[]) => {
    parentPort?.postMessage({ rows: runSweepSets(task, sets) } satisfies WorkerAnswer);
  });
}
