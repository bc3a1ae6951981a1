import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Libsql from 'libsql';
import { sqliteFile } from '../database/database.ts';
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

/** @throws DatabaseStartError when a database file lies there without its key file; before anything is opened */
export function requireKeyBesideDatabase(dataDir: string, usesSqlite: boolean): void {
  if (usesSqlite && existsSync(sqliteFile(dataDir)) && !existsSync(masterKeyFile(dataDir))) throw missingKey(dataDir);
}

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
    const pid = existsSync(pidFile) ? readFileSync(pidFile, 'utf8').trim() : 'unknown';
    throw new StartError(
      `Pilotfish is already running (pid ${pid}) on the data folder ${dataDir}. Stop it first, or name another folder by PILOTFISH_DATA_DIR.`,
    );
  }
  writeFileSync(pidFile, `${process.pid}\n`);
  return {
    release: () => {
      rmSync(pidFile, { force: true });
      lock.exec('ROLLBACK');
      lock.close();
    },
  };
}
