import { Worker } from 'node:worker_threads';
import type { Timers } from '@pilotfish/core/time/timers';
import type { Logger } from 'pino';
import { backupsIn } from '../database/backup-folder.ts';
import type { BackupJob, BackupNews } from '../database/backup-worker.ts';
import { StartError } from './data-folder.ts';
import type { Settings } from './settings.ts';
import { VERSION } from './version.ts';

const LOOK_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;

/** Writes a backup in a thread: the copy of a large database would keep the process from its orders. */
export async function backupInThread(job: BackupJob, timers: Pick<Timers, 'meanwhile'>): Promise<BackupNews> {
  const { BACKUP_WORKER_FILE, BACKUP_WORKER_KIND } = await import('../database/backup-worker.ts');
  const worker = new Worker(new URL(BACKUP_WORKER_FILE), { workerData: { kind: BACKUP_WORKER_KIND, job }, env: {} });
  return timers.meanwhile(
    new Promise<BackupNews>((resolve) => {
      worker.once('message', resolve);
      worker.once('error', (error: Error) => resolve({ kind: 'failed', message: error.message }));
      worker.once('exit', (code) => resolve({ kind: 'failed', message: `its thread ended with ${code}` }));
    }),
  );
}

/**
 * Backups by the setting `PILOTFISH_BACKUP_HOURS`. The age of the newest file counts, so that restarts neither repeat
 * nor put off one. Answers how to stop.
 * @throws StartError where there is no file to back up
 */
export function startBackups(parts: {
  readonly settings: Pick<Settings, 'dataDir' | 'databaseUrl' | 'backupHours' | 'backupsKept'>;
  /** Its Admins learn that a backup failed. */
  readonly onFailed: (reason: string) => Promise<void>;
  readonly now: () => number;
  readonly timers: Pick<Timers, 'every' | 'meanwhile'>;
  readonly log: Logger;
}): () => Promise<void> {
  const { settings, now, timers, log } = parts;
  const { dataDir, backupHours, backupsKept } = settings;
  if (backupHours === 0) return async () => undefined;
  if (settings.databaseUrl !== undefined)
    throw new StartError(
      'PILOTFISH_BACKUP_HOURS is for the SQLite file. Back up PostgreSQL with pg_dump, and set PILOTFISH_BACKUP_HOURS=0.',
    );
  let running: Promise<void> | undefined;

  async function look(): Promise<void> {
    const last = backupsIn(dataDir).find(({ manifest }) => manifest.reason === 'scheduled')?.manifest.createdAt;
    if (last !== undefined && now() - Date.parse(last) < backupHours * HOUR_MS) return;
    const done = await backupInThread({ dataDir, version: VERSION, at: now(), reason: 'scheduled', keep: backupsKept }, timers);
    if (done.kind === 'failed') throw new Error(done.message);
    log.info({ file: done.file, removed: done.removed }, 'a backup was written');
  }
  async function failed(error: Error): Promise<void> {
    log.error({ err: error }, 'a backup could not be written');
    await parts
      .onFailed(error.message)
      .catch((reason: unknown) => log.error({ err: reason }, 'nobody could be told of a backup that failed'));
  }
  const round = (): void => {
    running ??= look()
      .catch(failed)
      .finally(() => {
        running = undefined;
      });
  };
  const cancel = timers.every(LOOK_MS, round);
  round();
  return async () => {
    cancel();
    await running;
  };
}
