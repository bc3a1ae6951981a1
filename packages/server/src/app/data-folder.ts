import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Libsql from 'libsql';
import { isDiskFull } from '../database/database-error.ts';
import { sqliteFile } from '../database/sqlite.ts';
import { masterKeyFile, missingKey } from '../secrets/master-key.ts';

/** Why the process cannot start; the message is a sentence for the person at the terminal. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? 'unknown reason';

/** Like `mkdir -p`. Node's own recursive form loops for ever where a parent exists but refuses (as in /proc). */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** @throws StartError when the folder cannot be made or written */
export function prepareDataFolder(dataDir: string): void {
  try {
    makeFolder(dataDir);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    // Root passes every permission check, yet a read-only file system refuses: only a write tells.
    const probe = join(dataDir, `.write-probe-${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    throw new StartError(
      `The data folder ${dataDir} cannot be written (${codeOf(error)}). Give this user write access to it, or name another one by PILOTFISH_DATA_DIR.`,
      { cause: error },
    );
  }
}

const bytesOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Database and key file belong together: one without the other is what a failed copy or a full disk leaves.
 * @throws DatabaseStartError when a database file lies there without its key file
 * @throws StartError when the key file, or the simulated exchange, lies there without its database; before anything is opened
 */
export function requireWholeFolder(dataDir: string, usesSqlite: boolean, isFresh = false): void {
  if (!usesSqlite) return;
  const file = sqliteFile(dataDir);
  // A database of which nothing has come to its file yet lies in the log beside it.
  if (bytesOf(file) + bytesOf(`${file}-wal`) === 0)
    requireNothingBefore(dataDir, `the database ${file} is ${existsSync(file) ? 'empty' : 'missing'}`, isFresh);
  else if (!existsSync(masterKeyFile(dataDir))) throw missingKey(dataDir);
}

/**
 * An empty database is for an empty folder: beside the key of another one it would hide that everything is gone.
 * @param found what is wrong with the database, as the middle of a sentence
 * @throws StartError unless somebody wants it so
 */
export function requireNothingBefore(dataDir: string, found: string, isFresh: boolean): void {
  const left = existsSync(masterKeyFile(dataDir))
    ? 'a key file'
    : isFilled(join(dataDir, 'exchange'))
      ? 'accounts of the simulated exchange'
      : undefined;
  if (isFresh || left === undefined) return;
  throw new StartError(
    `The data folder ${dataDir} holds ${left}, but ${found}. Put the database back, restore a backup with "pilotfish restore", or begin with an empty one: "pilotfish serve --fresh".`,
  );
}

const isFilled = (folder: string): boolean => existsSync(folder) && readdirSync(folder).length > 0;

export type FolderLock = { readonly release: () => void };

/**
 * Takes the folder for this process. The lock is one of the operating system (an exclusive SQLite transaction held
 * for as long as the process lives), so it ends with the process however that dies, and a reused pid cannot fake it.
 * @throws StartError "already running (pid n)"
 */
export function lockDataFolder(dataDir: string): FolderLock {
  const file = join(dataDir, 'pilotfish.lock');
  const pidFile = join(dataDir, 'pilotfish.pid');
  const lock = new Libsql(file);
  try {
    lock.exec('PRAGMA busy_timeout = 0');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!codeOf(error).startsWith('SQLITE_BUSY')) throw error;
    const pid = existsSync(pidFile) ? readFileSync(pidFile, 'utf8').trim() || 'unknown' : 'unknown';
    throw new StartError(
      `Pilotfish is already running (pid ${pid}) on the data folder ${dataDir}. Stop it first, or name another folder by PILOTFISH_DATA_DIR.`,
    );
  }
  try {
    writeFileSync(pidFile, `${process.pid}\n`);
  } catch (error) {
    // It only names who has the lock. On a full disk the reserve is given up later.
    if (!isDiskFull(error)) throw error;
  }
  return {
    release: () => {
      rmSync(pidFile, { force: true });
      lock.exec('ROLLBACK');
      lock.close();
    },
  };
}
