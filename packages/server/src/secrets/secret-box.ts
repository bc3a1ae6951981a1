import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync } from 'node:crypto';
import type { Random } from '../database/uuid.ts';

/** What a sealed text is bound to; opening it with any other binding fails. */
export type Binding = {
  /** Owner's id; `instance` for what belongs to nobody. */
  readonly user: string;
  /** Table or feature, e.g. `account`, `exchange-connection`. */
  readonly kind: string;
  readonly field: string;
};

/**
 * Envelope encryption at rest: every text gets a random data key (AES-256-GCM), itself wrapped by the key file's key.
 * Stored form, base64: version 1 · key id 1 · wrap IV 12 · wrapped key 32 · wrap tag 16 · IV 12 · tag 16 · ciphertext.
 * The binding is authenticated in both layers, so a row moved to another user or field does not open.
 */
export type SecretBox = {
  seal(plain: string, binding: Binding): string;
  /** @throws SecretBoxError when the text was altered, moved, or sealed with another key */
  open(sealed: string, binding: Binding): string;
  /** A key for another use (token signing, ...), derived from the key file; the same at every start. */
  deriveKey(purpose: string): Uint8Array;
  /** Keyed hash in hex, for codes too short to be kept as a plain hash: without the key file they cannot be guessed. */
  fingerprint(text: string): string;
  /** The same by every key this database had, newest first: what cannot be hashed anew is still found by its old hash. */
  fingerprints(text: string): readonly string[];
};

export class SecretBoxError extends Error {
  override readonly name = 'SecretBoxError';
}

/** The purpose of the key behind `fingerprint`. */
export const FINGERPRINT = 'fingerprint';

const VERSION = 1;
const IV = 12;
const TAG = 16;
const KEY = 32;
const HEADER = 2;
const ENVELOPE = HEADER + IV + KEY + TAG + IV + TAG;

const additionalData = ({ user, kind, field }: Binding, keyId: number): Buffer => {
  if (`${user}${kind}${field}`.includes('|')) throw new RangeError('A binding part must not contain "|"');
  return Buffer.from(`${VERSION}|${keyId}|${user}|${kind}|${field}`, 'utf8');
};

/** Short public name of a key, so that a later rotation knows which key opens a row. */
export const keyIdOf = (masterKey: Uint8Array): number =>
  createHash('sha256').update('pilotfish key id').update(masterKey).digest()[0] ?? 0;

/**
 * @param masterKey 32 bytes
 * @param retired fingerprint keys of earlier key files, newest first
 */
export function secretBox(masterKey: Uint8Array, random: Random, retired: readonly Uint8Array[] = []): SecretBox {
  if (masterKey.length !== KEY) throw new RangeError(`secretBox(): the key has ${masterKey.length} bytes, not ${KEY}`);
  const keyId = keyIdOf(masterKey);
  const deriveKey = (purpose: string) => new Uint8Array(hkdfSync('sha256', masterKey, Buffer.alloc(0), `pilotfish/${purpose}`, KEY));
  const wrapKey = deriveKey('wrap');
  const fingerprintKeys = [deriveKey(FINGERPRINT), ...retired];
  const fingerprintBy = (key: Uint8Array, text: string) => createHmac('sha256', key).update(text, 'utf8').digest('hex');

  const encrypt = (key: Uint8Array, plain: Uint8Array, aad: Buffer): { iv: Uint8Array; body: Buffer; tag: Buffer } => {
    const iv = random(IV);
    const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG }).setAAD(aad);
    const body = Buffer.concat([cipher.update(plain), cipher.final()]);
    return { iv, body, tag: cipher.getAuthTag() };
  };
  const decrypt = (key: Uint8Array, iv: Uint8Array, body: Uint8Array, tag: Uint8Array, aad: Buffer): Buffer => {
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG }).setAAD(aad).setAuthTag(tag);
    return Buffer.concat([decipher.update(body), decipher.final()]);
  };

  return {
    seal: (plain, binding) => {
      const aad = additionalData(binding, keyId);
      const dataKey = random(KEY);
      const wrapped = encrypt(wrapKey, dataKey, aad);
      const sealed = encrypt(dataKey, Buffer.from(plain, 'utf8'), aad);
      dataKey.fill(0);
      return Buffer.concat([
        Uint8Array.of(VERSION, keyId),
        wrapped.iv,
        wrapped.body,
        wrapped.tag,
        sealed.iv,
        sealed.tag,
        sealed.body,
      ]).toString('base64');
    },
    open: (text, binding) => {
      const bytes = Buffer.from(text, 'base64');
      if (bytes.length < ENVELOPE || bytes[0] !== VERSION) throw new SecretBoxError('This is not a sealed text.');
      if (bytes[1] !== keyId) throw new SecretBoxError('This text was sealed with another key file.');
      const aad = additionalData(binding, keyId);
      let at = HEADER;
      const take = (length: number): Buffer => {
        at += length;
        return bytes.subarray(at - length, at);
      };
      const [wrapIv, wrapped, wrapTag, iv, tag] = [take(IV), take(KEY), take(TAG), take(IV), take(TAG)];
      try {
        const dataKey = decrypt(wrapKey, wrapIv, wrapped, wrapTag, aad);
        return decrypt(dataKey, iv, bytes.subarray(at), tag, aad).toString('utf8');
      } catch (cause) {
        throw new SecretBoxError('A sealed text was altered or belongs to another row.', { cause });
      }
    },
    deriveKey,
    fingerprint: (text) => fingerprintBy(fingerprintKeys[0]!, text),
    fingerprints: (text) => fingerprintKeys.map((key) => fingerprintBy(key, text)),
  };
}

/** SHA-256 in hex: how tokens and codes of high entropy are kept. */
export const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');
