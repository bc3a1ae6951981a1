import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, type TestContext } from 'vitest';
import { type Database, type Dialect, openDatabase, type WholeDatabase } from './database.ts';
import { findPostgres, type PostgresOrReason } from './postgres-fixture.ts';
import { requireMarkets } from './testing/any-row.ts';

/** Gives each test a fresh, migrated database of the simulated market; skips it, saying why, when the dialect is not to be had. */
export type OpenTestDatabase = (test: TestContext) => Promise<Database & { readonly whole: WholeDatabase }>;

/**
 * Declares the same tests once per dialect: on SQLite always, on PostgreSQL when one can be had.
 * `body` is called once for each with `open`.
 */
export function describeEachDialect(title: string, body: (open: OpenTestDatabase, dialect: Dialect) => void): void {
  describe(`${title} [sqlite]`, () => {
    const cleanups: (() => Promise<void>)[] = [];
    afterEach(() => runAll(cleanups));
    body(async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'pilotfish-db-'));
      const database = await openDatabase({ dataDir });
      cleanups.push(async () => {
        await requireMarkets(database).finally(() => database.close());
        rmSync(dataDir, { recursive: true, force: true });
      });
      return { ...(await database.forMarket('simulated')), whole: database };
    }, 'sqlite');
  });

  describe(`${title} [postgres]`, () => {
    let found: PostgresOrReason;
    const cleanups: (() => Promise<void>)[] = [];
    beforeAll(async () => {
      found = await findPostgres();
      if ('skipped' in found) console.warn(`PostgreSQL tests of "${title}" are skipped: ${found.skipped}.`);
    }, 60_000);
    afterEach(() => runAll(cleanups));
    afterAll(async () => {
      if ('postgres' in found) await found.postgres.stop();
    });
    body(async (test) => {
      if ('skipped' in found) return test.skip(`PostgreSQL: ${found.skipped}`);
      const { postgres } = found;
      const url = await postgres.createMigratedDatabase();
      const database = await openDatabase({ dataDir: '', databaseUrl: url });
      cleanups.push(async () => {
        await requireMarkets(database).finally(() => database.close());
        await postgres.dropDatabase(url);
      });
      return { ...(await database.forMarket('simulated')), whole: database };
    }, 'postgres');
  });
}

async function runAll(cleanups: (() => Promise<void>)[]): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}
