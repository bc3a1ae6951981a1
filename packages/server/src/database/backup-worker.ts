import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { keepBackup } from './backup-folder.ts';

/** The file that runs as a thread: this one, also when it is bundled. Imported dynamically, it is a bundle of its own. */
export const BACKUP_WORKER_FILE = import.meta.url;
export const BACKUP_WORKER_KIND = 'pilotfish-backup';

export type BackupJob = Parameters<typeof keepBackup>[0];
export type BackupNews =
  | { readonly kind: 'written'; readonly file: string; readonly removed: number }
  | { readonly kind: 'failed'; readonly message: string };

function run(job: BackupJob): BackupNews {
  try {
    const { file, removed } = keepBackup(job);
    return { kind: 'written', file, removed };
  } catch (error) {
    return { kind: 'failed', message: (error as Error).message };
  }
}

const port = parentPort;
const data = workerData as { kind?: unknown; job?: BackupJob } | null;
if (!isMainThread && port !== null && data?.kind === BACKUP_WORKER_KIND && data.job) port.postMessage(run(data.job));
