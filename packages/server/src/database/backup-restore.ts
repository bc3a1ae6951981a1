import { closeSync, copyFileSync, existsSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import Libsql from 'libsql';
import { CHECK, masterKeyFile, readMasterKey } from '../secrets/master-key.ts';
import { secretBox } from '../secrets/secret-box.ts';
import { type BackupManifest, exchangeFolder, openArchive, piecesOf, sync, verifyArchive } from './backup-archive.ts';
import { BackupError } from './backup-error.ts';
import { openSealedKey } from './backup-key.ts';
import { sqliteFile } from './sqlite.ts';
import type { Random } from './uuid.ts';

/**
 * Puts a data folder back as an archive has it. What lies there goes into a folder beside it and is never deleted; the
 * caller holds the lock of the folder. Everything is read, checked and laid ready before anything is moved.
 * @param options.migrations steps of the schema that this version knows
 * @param options.passphrase asked for only where the archive has a key and the folder has not
 * @returns what was restored, and the folder that holds what lay there before
 * @throws BackupError as a sentence; nothing was moved
 */
export async function restoreArchive(options: {
  readonly dataDir: string;
  readonly file: string;
  readonly migrations: ReadonlySet<string>;
  readonly passphrase: () => Promise<string>;
  readonly at: number;
  readonly random: Random;
}): Promise<{ readonly manifest: BackupManifest; readonly replaced: string | undefined }> {
  const { dataDir, file, random } = options;
  const manifest = verifyArchive(file);
  const newer = manifest.migrations.filter((name) => !options.migrations.has(name));
  if (newer.length > 0)
    throw new BackupError(
      `${file} was made by version ${manifest.version}, whose database this version does not know. Restore it with that version.`,
    );
  const stage = join(dataDir, `restoring-${process.pid}`);
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true, mode: 0o700 });
  try {
    const found = readMasterKey(dataDir);
    const key = found ?? (await keyFrom(manifest, options));
    unpack(file, stage, Object.keys(manifest.files));
    requireKeyOf(join(stage, 'pilotfish.db'), key, dataDir, random);
    if (!found) writeFileSync(join(stage, 'master.key'), `${Buffer.from(key).toString('base64')}\n`, { mode: 0o600 });
    const replaced = moveAside(dataDir, options.at);
    if (!found) renameSync(join(stage, 'master.key'), masterKeyFile(dataDir));
    renameSync(join(stage, 'exchange'), exchangeFolder(dataDir));
    // Last: a folder without its database does not start, and says so.
    renameSync(join(stage, 'pilotfish.db'), sqliteFile(dataDir));
    sync(dataDir);
    return { manifest, replaced };
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

async function keyFrom(
  { key }: BackupManifest,
  options: { dataDir: string; passphrase: () => Promise<string>; random: Random },
): Promise<Uint8Array> {
  if (!key)
    throw new BackupError(
      `This backup holds no key, and there is no key file ${masterKeyFile(options.dataDir)}. Put the key file there first; without it the stored secrets cannot be read.`,
    );
  return Buffer.from((await openSealedKey(key, await options.passphrase(), options.random)).trim(), 'base64');
}

/** The database and the files of an archive as they lay in a data folder. */
function unpack(file: string, stage: string, names: readonly string[]): void {
  const target = join(stage, 'pilotfish.db');
  copyFileSync(file, target);
  const copy = new Libsql(target);
  try {
    copy.exec('drop table backup_manifest; drop table backup_files; vacuum');
  } finally {
    copy.close();
  }
  sync(target);
  const folder = join(stage, 'exchange');
  mkdirSync(folder, { mode: 0o700 });
  const archive = openArchive(file);
  try {
    for (const name of names) {
      const path = join(folder, basename(name));
      const handle = openSync(path, 'w', 0o600);
      try {
        for (const bytes of piecesOf(archive, name)) writeSync(handle, bytes);
      } finally {
        closeSync(handle);
      }
      sync(path);
    }
  } finally {
    archive.close();
  }
}

function requireKeyOf(file: string, key: Uint8Array, dataDir: string, random: Random): void {
  const database = new Libsql(file, { readonly: true } as Libsql.Options);
  try {
    const row = database.prepare('select key_check from instance').get() as { key_check: string } | undefined;
    if (row) secretBox(key, random).open(row.key_check, CHECK);
  } catch (error) {
    throw new BackupError(
      `The key file ${masterKeyFile(dataDir)} belongs to another database than this backup. Put the key file of the backup there.`,
      { cause: error },
    );
  } finally {
    database.close();
  }
}

/** What lies there now, into a folder of its own. */
function moveAside(dataDir: string, at: number): string | undefined {
  const file = sqliteFile(dataDir);
  const present = [file, `${file}-wal`, `${file}-shm`, exchangeFolder(dataDir)].filter((path) => existsSync(path));
  if (present.length === 0) return undefined;
  const aside = join(
    dataDir,
    `replaced-${new Date(at)
      .toISOString()
      .replace(/\.\d+Z$/, 'Z')
      .replaceAll(':', '-')}`,
  );
  mkdirSync(aside, { mode: 0o700 });
  for (const path of present) renameSync(path, join(aside, basename(path)));
  return aside;
}
