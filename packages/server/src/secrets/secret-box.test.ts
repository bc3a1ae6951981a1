import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../database/database.ts';
import { masterKeyFile, openSecretBox, readMasterKey } from './master-key.ts';
import { SecretBoxError, secretBox } from './secret-box.ts';

const binding = { user: 'ann', kind: 'exchange-connection', field: 'secret' };
const box = secretBox(randomBytes(32), randomBytes);

describe('secret box', () => {
  test('what is sealed opens again, and never looks the same twice', () => {
    const sealed = box.seal('canary-ğ', binding);
    expect(box.open(sealed, binding)).toBe('canary-ğ');
    expect(sealed).not.toContain('canary');
    expect(box.seal('canary-ğ', binding)).not.toBe(sealed);
    expect(box.open(box.seal('', binding), binding)).toBe('');
  });

  test.each([
    ['another user', { ...binding, user: 'bob' }],
    ['another kind', { ...binding, kind: 'account' }],
    ['another field', { ...binding, field: 'key' }],
  ])('a row moved to %s is refused', (_, moved) => {
    const sealed = box.seal('canary', binding);
    expect(() => box.open(sealed, moved)).toThrow(SecretBoxError);
  });

  test('every altered byte is noticed', () => {
    const sealed = Buffer.from(box.seal('canary', binding), 'base64');
    for (let index = 0; index < sealed.length; index += 1) {
      const altered = Buffer.from(sealed);
      altered[index] = (altered[index] ?? 0) ^ 1;
      expect(() => box.open(altered.toString('base64'), binding), `byte ${index}`).toThrow(SecretBoxError);
    }
    expect(() => box.open(sealed.subarray(0, 40).toString('base64'), binding)).toThrow(SecretBoxError);
  });

  test('another key does not open it', () => {
    const sealed = box.seal('canary', binding);
    for (let round = 0; round < 20; round += 1)
      expect(() => secretBox(randomBytes(32), randomBytes).open(sealed, binding)).toThrow(SecretBoxError);
  });

  test('parts cannot be shifted across the binding', () => {
    expect(() => box.seal('x', { user: 'a|b', kind: 'c', field: 'd' })).toThrow(RangeError);
  });

  test('derived keys differ by purpose and are stable', () => {
    expect(box.deriveKey('a')).toEqual(box.deriveKey('a'));
    expect(box.deriveKey('a')).not.toEqual(box.deriveKey('b'));
  });
});

describe('key file', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'pilotfish-key-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  const start = async () => {
    const database = await openDatabase({ dataDir });
    try {
      return await openSecretBox(database.queries, dataDir, () => 0, randomBytes);
    } finally {
      await database.close();
    }
  };

  test('is made once, for its owner only, and found again', async () => {
    const sealed = (await start()).seal('canary', binding);
    expect(statSync(masterKeyFile(dataDir)).mode & 0o777).toBe(0o600);
    const bytes = readFileSync(masterKeyFile(dataDir), 'utf8');
    expect((await start()).open(sealed, binding)).toBe('canary');
    expect(readFileSync(masterKeyFile(dataDir), 'utf8')).toBe(bytes);
  });

  test('missing beside a used database: refused, and no new one is made', async () => {
    await start();
    rmSync(masterKeyFile(dataDir));
    await expect(start()).rejects.toThrow(/key file .*master\.key is missing/);
    expect(existsSync(masterKeyFile(dataDir))).toBe(false);
  });

  test("another database's key file is refused", async () => {
    await start();
    writeFileSync(masterKeyFile(dataDir), randomBytes(32).toString('base64'));
    await expect(start()).rejects.toThrow('belongs to another database');
  });

  test('a damaged key file is refused with its length', () => {
    writeFileSync(masterKeyFile(dataDir), 'short');
    expect(() => readMasterKey(dataDir)).toThrow(/damaged: it holds 3 bytes instead of 32/);
  });

  test('a key file readable by others is closed to them', () => {
    writeFileSync(masterKeyFile(dataDir), randomBytes(32).toString('base64'), { mode: 0o644 });
    expect(readMasterKey(dataDir)).toHaveLength(32);
    expect(statSync(masterKeyFile(dataDir)).mode & 0o777).toBe(0o600);
  });
});
