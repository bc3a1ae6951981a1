import { readFileSync } from 'node:fs';
import { hashRaw } from '@node-rs/argon2';
import { masterKeyFile } from '../secrets/master-key.ts';
import { secretBox } from '../secrets/secret-box.ts';
import { BackupError } from './backup-error.ts';
import type { Random } from './uuid.ts';

/** A key file, sealed by a passphrase. Base64. */
export type SealedKey = { readonly salt: string; readonly sealed: string };

/** The library's `Algorithm.Argon2id`, an ambient enum that a single-file build cannot read. */
const ARGON2ID = 2;
/** Guessed on machines of others, for as long as they like: eight times the memory of a sign-in. */
const COST = { algorithm: ARGON2ID, memoryCost: 64 * 1024, timeCost: 3, parallelism: 1, outputLen: 32 };
const SALT_BYTES = 16;
/** What guards every stored secret is not guarded by less. */
export const LEAST_PASSPHRASE = 12;
const BINDING = { user: 'instance', kind: 'backup', field: 'master-key' } as const;

const keyOf = async (passphrase: string, salt: Uint8Array): Promise<Uint8Array> =>
  hashRaw(passphrase.normalize('NFKC'), { ...COST, salt: Buffer.from(salt) });

/** @throws BackupError when there is no key file, or the passphrase is too short */
export async function sealKeyFile(dataDir: string, passphrase: string, random: Random): Promise<SealedKey> {
  if (passphrase.length < LEAST_PASSPHRASE) throw new BackupError(`The passphrase must have ${LEAST_PASSPHRASE} characters or more.`);
  let key: string;
  try {
    key = readFileSync(masterKeyFile(dataDir), 'utf8');
  } catch (error) {
    throw new BackupError(`The key file ${masterKeyFile(dataDir)} cannot be read (${(error as Error).message}).`, { cause: error });
  }
  const salt = random(SALT_BYTES);
  const box = secretBox(await keyOf(passphrase, salt), random);
  return { salt: Buffer.from(salt).toString('base64'), sealed: box.seal(key, BINDING) };
}

/** The text of the key file. @throws BackupError when the passphrase is another one */
export async function openSealedKey({ salt, sealed }: SealedKey, passphrase: string, random: Random): Promise<string> {
  const key = await keyOf(passphrase, Buffer.from(salt, 'base64'));
  try {
    return secretBox(key, random).open(sealed, BINDING);
  } catch (error) {
    throw new BackupError('That is not the passphrase of this backup.', { cause: error });
  }
}
