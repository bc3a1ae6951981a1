import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { masterKeyFile, openSecretBox } from '../secrets/master-key.ts';
import { verifyArchive, writeArchive } from './backup-archive.ts';
import { backupFolder, backupsIn, keepBackup } from './backup-folder.ts';
import { sealKeyFile } from './backup-key.ts';
import { restoreArchive } from './backup-restore.ts';
import { type Database, openDatabase } from './database.ts';
import { MIGRATIONS } from './migrations.ts';
import { openSqlite, sqliteFile } from './sqlite.ts';

const AT = Date.UTC(2026, 0, 15, 12);
const KNOWN = new Set(Object.keys(MIGRATIONS));
const PASSPHRASE = 'deep water and old wood';
let folder: string;
let dataDir: string;
let database: Database;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-backup-'));
  dataDir = join(folder, 'data');
  mkdirSync(join(dataDir, 'exchange'), { recursive: true });
  writeFileSync(join(dataDir, 'exchange', 'journal.jsonl'), '{"market":1}\n');
  database = await openDatabase({ dataDir });
  await openSecretBox(database.queries, dataDir, () => AT, randomBytes);
  await write('first');
});
afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const write = (key: string) =>
  database.queries.insertInto('throttles').values({ key, failures: 0, blocked_until: 0, updated_at: 0 }).execute();
const archiveOf = (file = join(folder, 'one.backup'), key?: Awaited<ReturnType<typeof sealKeyFile>>) => {
  writeArchive({ dataDir, file, version: '0.2.0', createdAt: AT, reason: 'manual', key });
  return file;
};
const restore = (file: string, into: string, passphrase = PASSPHRASE) =>
  restoreArchive({ dataDir: into, file, migrations: KNOWN, passphrase: async () => passphrase, at: AT, random: randomBytes });
const keysIn = async (dir: string): Promise<string[]> => {
  const opened = await openDatabase({ dataDir: dir });
  try {
    return (await opened.queries.selectFrom('throttles').select('key').orderBy('key').execute()).map(({ key }) => key);
  } finally {
    await opened.close();
  }
};

describe('a backup', () => {
  test('is written while the database is worked with, and holds the newest rows and the exchange', async () => {
    const file = archiveOf();
    await write('second');
    expect(verifyArchive(file)).toMatchObject({ version: '0.2.0', reason: 'manual', key: null, tables: { throttles: { rows: 1 } } });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).sort()).toEqual(['data', 'one.backup']);
    // Restored beside it, with the key put there by hand.
    const other = join(folder, 'other');
    mkdirSync(other);
    copyFileSync(masterKeyFile(dataDir), masterKeyFile(other));
    expect((await restore(file, other)).replaced).toBeUndefined();
    expect(await keysIn(other)).toEqual(['first']);
    expect(readFileSync(join(other, 'exchange', 'journal.jsonl'), 'utf8')).toBe('{"market":1}\n');
    expect(readdirSync(other).filter((name) => name.startsWith('restoring'))).toEqual([]);
  });

  test('never holds the key as it is', async () => {
    const plain = readFileSync(masterKeyFile(dataDir));
    const raw = Buffer.from(plain.toString('utf8').trim(), 'base64');
    for (const file of [archiveOf(), archiveOf(join(folder, 'two.backup'), await sealKeyFile(dataDir, PASSPHRASE, randomBytes))]) {
      const bytes = readFileSync(file);
      expect([bytes.includes(plain.toString('utf8').trim()), bytes.includes(raw)]).toEqual([false, false]);
    }
  });

  test('with its key restores into an empty folder by the passphrase, and by no other one', async () => {
    const file = archiveOf(undefined, await sealKeyFile(dataDir, PASSPHRASE, randomBytes));
    const other = join(folder, 'other');
    mkdirSync(other);
    await expect(restore(file, other, 'another long passphrase')).rejects.toThrow('not the passphrase');
    expect(readdirSync(other)).toEqual([]);
    await restore(file, other);
    expect(readFileSync(masterKeyFile(other))).toEqual(readFileSync(masterKeyFile(dataDir)));
    expect(statSync(masterKeyFile(other)).mode & 0o777).toBe(0o600);
    await expect(sealKeyFile(dataDir, 'short', randomBytes)).rejects.toThrow('12 characters');
  });

  test('without its key needs the key file of its database', async () => {
    const file = archiveOf();
    const other = join(folder, 'other');
    mkdirSync(other);
    await expect(restore(file, other)).rejects.toThrow(/holds no key, and there is no key file/);
    writeFileSync(masterKeyFile(other), `${randomBytes(32).toString('base64')}\n`);
    await expect(restore(file, other)).rejects.toThrow(/belongs to another database/);
    expect(readdirSync(other)).toEqual(['master.key']);
  });

  test('moves aside what lies there, and loses nothing of it', async () => {
    const file = archiveOf();
    await write('second');
    await database.close();
    const { replaced } = await restore(file, dataDir);
    expect(await keysIn(dataDir)).toEqual(['first']);
    copyFileSync(masterKeyFile(dataDir), masterKeyFile(replaced!));
    expect(await keysIn(replaced!)).toEqual(['first', 'second']);
  });

  test.each([
    ['a changed cell', (file: string) => change(file, "update throttles set key = 'other'"), /table throttles/],
    ['a row that is gone', (file: string) => change(file, 'delete from throttles'), /table throttles/],
    ['a changed file', (file: string) => change(file, "update backup_files set bytes = x'00'"), /file journal\.jsonl/],
    ['cut off', (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 50_000)), /damaged|no backup/],
    ['of no bytes', (file: string) => writeFileSync(file, ''), /no backup of Pilotfish/],
    ['some other database', (file: string) => change(file, 'drop table backup_manifest'), /no backup of Pilotfish/],
  ])('that is damaged is told, and restores nothing: %s', async (_what, damage, found) => {
    const file = archiveOf();
    damage(file);
    expect(() => verifyArchive(file)).toThrow(found);
    await expect(restore(file, dataDir)).rejects.toThrow(found);
    expect(existsSync(sqliteFile(dataDir))).toBe(true);
  });

  test('that cannot be written leaves nothing', () => {
    expect(() => archiveOf(join(folder, 'missing', 'one.backup'))).toThrow(/could not be written \(ENOENT.*Nothing is left/);
    const file = archiveOf();
    expect(() => archiveOf(file)).toThrow('is there already');
    expect(readdirSync(folder).sort()).toEqual(['data', 'one.backup']);
  });
});

const change = (file: string, statement: string): void => {
  const archive = new Libsql(file);
  archive.exec(statement);
  archive.close();
};

test('of scheduled backups the newest stay, and every one that a person made', () => {
  const made = (hour: number, reason: 'scheduled' | 'upgrade') =>
    keepBackup({ dataDir, version: '0.2.0', at: AT + hour * 3_600_000, reason, keep: 2 });
  writeArchive({ dataDir, file: join(folder, 'mine.backup'), version: '0.2.0', createdAt: AT, reason: 'manual' });
  mkdirSync(backupFolder(dataDir), { recursive: true });
  copyFileSync(join(folder, 'mine.backup'), join(backupFolder(dataDir), 'mine.backup'));
  expect([0, 1, 2, 3].map((hour) => made(hour, 'scheduled').removed)).toEqual([0, 0, 1, 1]);
  // A start that failed, and the next one in the same second.
  expect(new Set([made(4, 'upgrade').file, made(4, 'upgrade').file]).size).toBe(2);
  expect(backupsIn(dataDir).map(({ manifest }) => manifest.reason)).toEqual(['upgrade', 'upgrade', 'scheduled', 'scheduled', 'manual']);
});

describe('a database of another version', () => {
  /** As the version before the newest step left it. */
  const asOlder = async (): Promise<void> => {
    await database.close();
    change(
      sqliteFile(dataDir),
      "drop table account_states; drop table unknown_orders; delete from kysely_migration where name = '0125-account-states'",
    );
  };

  test('that is older is backed up before it is changed', async () => {
    await asOlder();
    database = await openDatabase({ dataDir, now: () => AT });
    const [only, ...others] = backupsIn(dataDir);
    expect(others).toEqual([]);
    expect(only?.manifest).toMatchObject({ reason: 'upgrade', tables: { throttles: { rows: 1 } } });
    expect(only?.manifest.migrations).not.toContain('0125-account-states');
    expect(verifyArchive(only!.file)).toEqual(only!.manifest);
  });

  test('that is older is not changed where it cannot be backed up', async () => {
    await asOlder();
    writeFileSync(backupFolder(dataDir), 'no folder');
    await expect(openDatabase({ dataDir, now: () => AT })).rejects.toThrow(/could not be backed up before: .*Nothing was changed/);
    rmSync(backupFolder(dataDir));
    database = await openDatabase({ dataDir, now: () => AT });
  });

  test('that is newer is refused, with the backup that this version can go on with', async () => {
    await database.close();
    const opening = () => openDatabase({ dataDir });
    change(sqliteFile(dataDir), "insert into kysely_migration values ('9999-of-tomorrow', '2026')");
    await expect(opening()).rejects.toThrow(/does not fit this version.*None in .* fits this version/);
    keepBackup({ dataDir, version: '0.9.0', at: AT + 1000, reason: 'scheduled' });
    change(sqliteFile(dataDir), "delete from kysely_migration where name = '9999-of-tomorrow'");
    const { file } = keepBackup({ dataDir, version: '0.3.0', at: AT, reason: 'upgrade' });
    change(sqliteFile(dataDir), "insert into kysely_migration values ('9999-of-tomorrow', '2026')");
    await expect(opening()).rejects.toThrow(`before the upgrade to 0.3.0, at 2026-01-15T12:00:00.000Z: pilotfish restore "${file}"`);
    change(sqliteFile(dataDir), "delete from kysely_migration where name = '9999-of-tomorrow'");
    database = await openDatabase({ dataDir });
  });
});

test('after a clean stop the file alone holds everything', async () => {
  await write('second');
  await database.close();
  expect(statSync(`${sqliteFile(dataDir)}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  const alone = join(folder, 'alone.db');
  copyFileSync(sqliteFile(dataDir), alone);
  const opened = openSqlite(alone);
  expect(opened.prepare('select key from throttles order by key').all()).toMatchObject([{ key: 'first' }, { key: 'second' }]);
  opened.close();
  database = await openDatabase({ dataDir });
});
