import { chmodSync, closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Queries } from '../database/database.ts';
import { DatabaseStartError } from '../database/database-error.ts';
import type { Random } from '../database/uuid.ts';
import { type SecretBox, secretBox } from './secret-box.ts';

const KEY_BYTES = 32;
const CHECK = { user: 'instance', kind: 'instance', field: 'key_check' } as const;

export const masterKeyFile = (dataDir: string): string => join(dataDir, 'master.key');

/**
 * Reads the key file.
 * @returns undefined when there is none
 * @throws DatabaseStartError when it is not a key
 */
export function readMasterKey(dataDir: string): Uint8Array | undefined {
  const file = masterKeyFile(dataDir);
  if (!existsSync(file)) return undefined;
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  if (key.length !== KEY_BYTES)
    throw new DatabaseStartError(
      `The key file ${file} is damaged: it holds ${key.length} bytes instead of ${KEY_BYTES}. Put the right key file back; without it the stored secrets cannot be read.`,
    );
  // A file copied back from a backup may be readable by others.
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  return key;
}

/** Writes a new key file, whole or not at all, readable by its owner only; an existing one is never replaced. */
function createMasterKey(dataDir: string, random: Random): Uint8Array {
  const file = masterKeyFile(dataDir);
  const key = random(KEY_BYTES);
  const temporary = `${file}.${process.pid}.new`;
  const handle = openSync(temporary, 'wx', 0o600);
  try {
    writeSync(handle, `${Buffer.from(key).toString('base64')}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  try {
    linkSync(temporary, file);
  } finally {
    rmSync(temporary);
  }
  return key;
}

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
  const box = secretBox(found, random);
  try {
    box.open(instance.key_check, CHECK);
  } catch (cause) {
    throw new DatabaseStartError(
      `The key file ${masterKeyFile(dataDir)} belongs to another database. Put the key file of this database there.`,
      { cause },
    );
  }
  return box;
}
