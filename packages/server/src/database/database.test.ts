import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from './database.ts';
import { isUniqueViolation } from './database-error.ts';
import { describeEachDialect } from './database-fixture.ts';
import { sqliteFile } from './sqlite.ts';

const throttle = (key: string, failures = 0) => ({ key, failures, blocked_until: 1_763_690_000_123, updated_at: 0 });

describeEachDialect('database', (open, dialect) => {
  test('times come back as numbers, text as it was', async (context) => {
    const { queries } = await open(context);
    await queries.insertInto('throttles').values(throttle("o'clock İı", 3)).execute();
    const row = await queries.selectFrom('throttles').selectAll().executeTakeFirstOrThrow();
    expect(row).toEqual({ key: "o'clock İı", failures: 3, blocked_until: 1_763_690_000_123, updated_at: 0 });
    const count = await queries
      .selectFrom('throttles')
      .select((e) => e.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    expect(count.n).toBe(1);
  });

  test('a failed transaction leaves nothing', async (context) => {
    const database = await open(context);
    const failing = database.transaction(async (queries) => {
      await queries.insertInto('throttles').values(throttle('a')).execute();
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await database.queries.selectFrom('throttles').selectAll().execute()).toEqual([]);
  });

  test('50 concurrent read-then-write transactions on one row lose no update', async (context) => {
    const database = await open(context);
    await database.queries.insertInto('throttles').values(throttle('n')).execute();
    const increment = () =>
      database.transaction(async (queries) => {
        // Updating first takes the row's lock.
        await queries.updateTable('throttles').set({ updated_at: 1 }).where('key', '=', 'n').execute();
        const row = await queries.selectFrom('throttles').selectAll().where('key', '=', 'n').executeTakeFirstOrThrow();
        await new Promise((resolve) => setImmediate(resolve));
        await queries
          .updateTable('throttles')
          .set({ failures: row.failures + 1 })
          .where('key', '=', 'n')
          .execute();
      });
    await Promise.all(Array.from({ length: 50 }, increment));
    const row = await database.queries.selectFrom('throttles').selectAll().executeTakeFirstOrThrow();
    expect(row.failures).toBe(50);
  });

  test('a unique violation is told apart by column', async (context) => {
    const { queries } = await open(context);
    const account = (id: string, username: string, email: string) =>
      queries
        .insertInto('accounts')
        .values({
          id,
          username,
          username_key: username,
          email,
          email_key: email,
          password_hash: '',
          created_at: 0,
          updated_at: 0,
          deleted_at: null,
          email_confirmed: 0,
          phone_confirmed: 0,
          two_factor_confirmed: 0,
          language: 'en',
          phone: null,
          totp_secret: null,
        })
        .execute();
    await account('1', 'ann', 'ann@example.com');
    const error: unknown = await account('2', 'ann', 'bob@example.com').catch((reason: unknown) => reason);
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(error, 'username_key')).toBe(true);
    expect(isUniqueViolation(error, 'email_key')).toBe(false);
  });

  test('foreign keys are enforced and cascade', async (context) => {
    const { queries } = await open(context);
    const orphan = queries.insertInto('account_roles').values({ account_id: 'nobody', role: 'Admin', granted_at: 0 }).execute();
    await expect(orphan).rejects.toThrow();
  });

  test('size is known', async (context) => {
    const database = await open(context);
    expect(await database.size()).toBeGreaterThan(1000);
    expect(database.dialect).toBe(dialect);
  });
});

describe('sqlite only', () => {
  let dataDir: string;
  let database: Database | undefined;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'pilotfish-db-'));
  });
  afterEach(async () => {
    await database?.close();
    database = undefined;
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('the outer handle inside a transaction is an error, not a wait for ever', async () => {
    const opened = await openDatabase({ dataDir });
    database = opened;
    const work = opened.transaction(async () => opened.queries.selectFrom('throttles').selectAll().execute());
    await expect(work).rejects.toThrow('must use the handle');
    // The connection is free again.
    expect(await opened.queries.selectFrom('throttles').selectAll().execute()).toEqual([]);
  });

  test('a value the native library cannot bind is refused before it gets there', async () => {
    database = await openDatabase({ dataDir });
    const insert = database.queries.insertInto('throttles').values({ ...throttle('x'), failures: true as unknown as number });
    await expect(insert.execute()).rejects.toThrow(TypeError);
  });

  test('data survives closing and opening; migrations run once', async () => {
    database = await openDatabase({ dataDir });
    await database.queries.insertInto('throttles').values(throttle('kept')).execute();
    await database.close();
    database = await openDatabase({ dataDir });
    expect(await database.queries.selectFrom('throttles').select('key').execute()).toEqual([{ key: 'kept' }]);
  });

  test.each([
    ['a text file', () => Buffer.from('this is not a database, it is a letter to a friend, long enough to look like a file')],
    ['random bytes', () => randomBytes(20_000)],
  ])('%s is refused and left as it is', async (_, content) => {
    const file = sqliteFile(dataDir);
    const bytes = content();
    writeFileSync(file, bytes);
    await expect(openDatabase({ dataDir })).rejects.toThrow(/damaged.*Nothing was changed; restore a backup/);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  test('a database with damaged pages is refused and left as it is', async () => {
    const opened = await openDatabase({ dataDir });
    for (let index = 0; index < 500; index += 1)
      await opened.queries
        .insertInto('throttles')
        .values(throttle(`key ${index} ${'x'.repeat(200)}`))
        .execute();
    await opened.close();
    const file = sqliteFile(dataDir);
    const bytes = readFileSync(file);
    bytes.fill(0xa5, 4096, bytes.length - 4096);
    writeFileSync(file, bytes);
    await expect(openDatabase({ dataDir })).rejects.toThrow(/damaged.*Nothing was changed/);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  test('a schema from a newer version is refused', async () => {
    database = await openDatabase({ dataDir });
    await database.queries
      .insertInto('kysely_migration' as never)
      .values({ name: '9999-from-the-future', timestamp: '' } as never)
      .execute();
    await database.close();
    database = undefined;
    await expect(openDatabase({ dataDir })).rejects.toThrow(/newer version/);
  });
});
