import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { VERSION } from '@pilotfish/server/app/version';
import { type BackupManifest, writeArchive } from '@pilotfish/server/database/backup-archive';
import { BackupError } from '@pilotfish/server/database/backup-error';
import { nextBackupFile } from '@pilotfish/server/database/backup-folder';
import { sealKeyFile } from '@pilotfish/server/database/backup-key';
import type { Context } from '../app/context.ts';
import { LocalFailure, UsageError } from '../app/failure.ts';
import { printOne, type Resource } from '../ui/output.ts';
import { CANCELLED, openPrompts, readStdin, requireTerminal } from '../ui/prompt.ts';
import { localTime } from '../ui/times.ts';
import { serverSettings } from './server-settings.ts';

export type BackupRow = { file: string; createdAt: string; version: string; rows: number; files: number; withKey: boolean };
export const backups: Pick<Resource<BackupRow>, 'columns'> = {
  columns: [
    { key: 'file', value: ({ file }) => file },
    { key: 'at', value: ({ createdAt }) => createdAt, shown: ({ createdAt }) => localTime(createdAt) },
    { key: 'version', value: ({ version }) => version },
    { key: 'rows', value: ({ rows }) => String(rows) },
    { key: 'files', value: ({ files }) => String(files) },
    { key: 'withKey', value: ({ withKey }) => String(withKey) },
  ],
};

export const rowOf = (file: string, manifest: BackupManifest): BackupRow => ({
  file,
  createdAt: manifest.createdAt,
  version: manifest.version,
  rows: Object.values(manifest.tables).reduce((total, { rows }) => total + rows, 0),
  files: Object.keys(manifest.files).length,
  withKey: manifest.key !== null,
});

/** Failures of backups are sentences already. */
export const told = (error: unknown): unknown =>
  error instanceof BackupError ? new LocalFailure('backup', { reason: error.message }, { cause: error }) : error;

/** A passphrase from a pipe, or typed unseen; never on the command line, where others could read it. */
export async function passphraseOf(context: Context, labels: readonly string[]): Promise<string> {
  if (!context.stdin.isTTY) return readStdin(context);
  requireTerminal(context, '--with-key');
  const t = await context.texts();
  const prompts = openPrompts(context);
  try {
    const answers: string[] = [];
    for (const label of labels) {
      const answer = await prompts.ask(t(label), { hidden: true });
      if (answer === CANCELLED) throw new UsageError('cancelled');
      answers.push(answer);
    }
    if (new Set(answers).size > 1) throw new UsageError('passphrasesDiffer');
    return answers[0] ?? '';
  } finally {
    prompts.close();
  }
}

type Options = { file?: string; withKey?: boolean; dataDir?: string };

/** Writes one archive of the data folder, beside a running server or without one. */
export async function run(context: Context, { file: named, withKey, dataDir: folder }: Options): Promise<void> {
  const { dataDir, databaseUrl } = serverSettings(context, folder);
  if (databaseUrl !== undefined) throw new LocalFailure('backupOfPostgres', { folder: dataDir });
  try {
    const key = withKey
      ? await sealKeyFile(dataDir, await passphraseOf(context, ['cli.backup.passphrase', 'cli.backup.again']), randomBytes)
      : undefined;
    const createdAt = context.now();
    const file = named === undefined ? nextBackupFile(dataDir, 'manual', createdAt) : resolve(named);
    const manifest = writeArchive({ dataDir, file, version: VERSION, createdAt, reason: 'manual', key });
    await printOne(context, backups, rowOf(file, manifest));
    await context.say(key ? 'cli.backup.writtenWithKey' : 'cli.backup.written', { file });
  } catch (error) {
    throw told(error);
  }
}
