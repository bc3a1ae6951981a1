import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Queries } from '../database/database.ts';
import { DatabaseStartError } from '../database/database-error.ts';
import type { Random } from '../database/uuid.ts';
import { keyIdOf, type SecretBox, secretBox } from './secret-box.ts';

const KEY_BYTES = 32;
/** What proves that a key file belongs to a database. */
export const CHECK = { user: 'instance', kind: 'instance', field: 'key_check' } as const;

export const retiredKeyBinding = (id: string) => ({ user: 'instance', kind: 'retired-key', field: id });

export const masterKeyFile = (dataDir: string): string => join(dataDir, 'master.key');

/**
 * Reads the key file.
 * @returns undefined when there is none
 * @throws DatabaseStartError when it is not a key
 */
export function readMasterKey(dataDir: string): Uint8Array | undefined {
  const file = masterKeyFile(dataDir);
  return existsSync(file) ? readKeyFile(file) : undefined;
}

function readKeyFile(file: string): Uint8Array {
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  if (key.length !== KEY_BYTES)
    throw new DatabaseStartError(
      `The key file ${file} is damaged: it holds ${key.length} bytes instead of ${KEY_BYTES}. Put the right key file back; without it the stored secrets cannot be read.`,
    );
  // A file copied back from a backup may be readable by others.
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  return key;
}

/** Writes bytes to a file that its owner only may read, and waits for the disk. */
function writeKey(file: string, key: Uint8Array): void {
  const handle = openSync(file, 'wx', 0o600);
  try {
    writeSync(handle, `${Buffer.from(key).toString('base64')}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
/** Names in a folder are on the disk only once the folder is. */
function syncFolder(dataDir: string): void {
  const handle = openSync(dataDir, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Writes a new key file, whole or not at all, readable by its owner only; an existing one is never replaced. */
function createMasterKey(dataDir: string, random: Random): Uint8Array {
  const file = masterKeyFile(dataDir);
  const key = random(KEY_BYTES);
  const temporary = `${file}.${process.pid}.new`;
  writeKey(temporary, key);
  try {
    linkSync(temporary, file);
  } finally {
    rmSync(temporary);
  }
  return key;
}

/** The key that is to replace the one of now: it is there before anything is sealed with it. */
const nextKeyFile = (dataDir: string): string => `${masterKeyFile(dataDir)}.next`;

/** Makes the next key; one of an attempt that ended early was never used and goes. */
export function createNextKey(dataDir: string, random: Random, current: Uint8Array): Uint8Array {
  rmSync(nextKeyFile(dataDir), { force: true });
  let key = random(KEY_BYTES);
  // The short name of a key tells sealed texts apart: two that follow each other must not share it.
  while (keyIdOf(key) === keyIdOf(current)) key = random(KEY_BYTES);
  writeKey(nextKeyFile(dataDir), key);
  syncFolder(dataDir);
  return key;
}

/**
 * Makes the next key the one of now and keeps the one of before beside it, for backups that were sealed with it.
 * @returns where that is
 */
export function adoptNextKey(dataDir: string): string {
  const [file, next] = [masterKeyFile(dataDir), nextKeyFile(dataDir)];
  const kept = `${file}.before-${keyName(readKeyFile(next))}`;
  // The one of before gets its second name first: at no moment is there no file, or a name for nothing.
  rmSync(kept, { force: true });
  linkSync(file, kept);
  renameSync(next, file);
  syncFolder(dataDir);
  return kept;
}
/** Eight letters that tell key files apart and say nothing of them. */
const keyName = (key: Uint8Array): string => createHash('sha256').update('pilotfish key name').update(key).digest('hex').slice(0, 8);

/** The sentence for a database whose key is gone. */
export const missingKey = (dataDir: string): DatabaseStartError =>
  new DatabaseStartError(
    `The database exists but its key file ${masterKeyFile(dataDir)} is missing. Put the key file back from where you keep it; a new one could not read the stored secrets.`,
  );

/**
 * Opens the secrets of this database: makes the key file at the first start, and afterwards insists on that very file.
 * @throws DatabaseStartError when the key file is missing, damaged or belongs to another database
 */
export async function openSecretBox(queries: Queries, dataDir: string, now: () => number, random: Random): Promise<SecretBox> {
  const instance = await queries.selectFrom('instance').selectAll().executeTakeFirst();
  const found = readMasterKey(dataDir);
  if (instance === undefined) {
    const box = secretBox(found ?? createMasterKey(dataDir, random), random);
    const row = { id: 'instance', key_check: box.seal('pilotfish', CHECK), created_at: now(), first_account_id: null };
    const inserted = await queries
      .insertInto('instance')
      .values(row)
      .onConflict((c) => c.column('id').doNothing())
      .executeTakeFirst();
    return inserted.numInsertedOrUpdatedRows === 0n ? openSecretBox(queries, dataDir, now, random) : box;
  }
  if (found === undefined) throw missingKey(dataDir);
  const opens = (key: Uint8Array): boolean => {
    try {
      secretBox(key, random).open(instance.key_check, CHECK);
      return true;
    } catch {
      return false;
    }
  };
  let key = found;
  if (!opens(found)) {
    // A change of keys that ended between the database and the files: all of it is sealed with the next one already.
    const next = existsSync(nextKeyFile(dataDir)) ? readKeyFile(nextKeyFile(dataDir)) : undefined;
    if (next === undefined || !opens(next))
      throw new DatabaseStartError(
        `The key file ${masterKeyFile(dataDir)} belongs to another database. Put the key file of this database there.`,
      );
    adoptNextKey(dataDir);
    key = next;
  }
  const plain = secretBox(key, random);
  const rows = await queries.selectFrom('retired_keys').selectAll().orderBy('retired_at', 'desc').execute();
  return secretBox(
    key,
    random,
    rows.map(({ id, key: sealed }) => Buffer.from(plain.open(sealed, retiredKeyBinding(id)), 'base64')),
  );
}
