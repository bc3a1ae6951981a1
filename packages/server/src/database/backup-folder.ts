import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type BackupManifest, manifestOf, writeArchive } from './backup-archive.ts';
import { BackupError } from './backup-error.ts';
import type { SealedKey } from './backup-key.ts';

const SUFFIX = '.backup';
/** Of those made before the schema changes, however many scheduled ones are kept. */
const KEPT_OF_UPGRADES = 3;

export const backupFolder = (dataDir: string): string => join(dataDir, 'backups');

/** `2026-01-15T12-00-00Z`: sorts by time, and is a name on every file system. */
const stampOf = (at: number): string =>
  new Date(at)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-');

/** Where the next backup goes when no file is named. */
export function nextBackupFile(dataDir: string, reason: BackupManifest['reason'], at: number): string {
  const folder = backupFolder(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = join(folder, `pilotfish-${stampOf(at)}${reason === 'upgrade' ? '-before-upgrade' : ''}`);
  // A start that failed and begins again in the same second must not fail for the backup of before.
  for (let same = 1; ; same += 1) {
    const file = `${name}${same === 1 ? '' : `-${same}`}${SUFFIX}`;
    if (!existsSync(file)) return file;
  }
}

/** Backups of the folder, newest first. Files that are none are left out. */
export function backupsIn(dataDir: string): { readonly file: string; readonly manifest: BackupManifest }[] {
  const folder = backupFolder(dataDir);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(SUFFIX)) : [];
  return names
    .flatMap((name) => {
      const file = join(folder, name);
      try {
        return [{ file, manifest: manifestOf(file) }];
      } catch {
        return [];
      }
    })
    .sort((a, b) => (a.manifest.createdAt < b.manifest.createdAt ? 1 : -1));
}

/** The newest backup whose schema this version knows as a whole; undefined when there is none. */
export const fittingBackup = (dataDir: string, migrations: ReadonlySet<string>): { file: string; manifest: BackupManifest } | undefined =>
  backupsIn(dataDir).find(({ manifest }) => manifest.migrations.every((name) => migrations.has(name)));

/** Writes a backup into the folder, then lets go of the oldest of its kind. Those that a person made stay. */
export function keepBackup(options: {
  readonly dataDir: string;
  readonly version: string;
  readonly at: number;
  readonly reason: 'scheduled' | 'upgrade';
  /** How many scheduled ones are kept. */
  readonly keep?: number;
  readonly key?: SealedKey;
}): { readonly file: string; readonly manifest: BackupManifest; readonly removed: number } {
  const { dataDir, version, at, reason } = options;
  const file = nextBackupFile(dataDir, reason, at);
  const manifest = writeArchive({ dataDir, file, version, createdAt: at, reason });
  const kept = reason === 'upgrade' ? KEPT_OF_UPGRADES : (options.keep ?? Number.POSITIVE_INFINITY);
  const old = backupsIn(dataDir)
    .filter((each) => each.manifest.reason === reason && each.file !== file)
    .slice(Math.max(0, kept - 1));
  for (const each of old) rmSync(each.file, { force: true });
  return { file, manifest, removed: old.length };
}

/** Before the schema of an older version is changed. @throws BackupError: nothing is changed without it */
export function backupBeforeUpgrade(dataDir: string, version: string, at: number): string {
  try {
    return keepBackup({ dataDir, version, at, reason: 'upgrade' }).file;
  } catch (error) {
    throw new BackupError(
      `The database has to be changed for this version, and could not be backed up before: ${(error as Error).message} Nothing was changed. Make room, or start the version that was used last.`,
      { cause: error },
    );
  }
}
