import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import Libsql from 'libsql';
import { expect, test } from 'vitest';
import { openDatabase } from '../database/database.ts';
import { takeLease } from '../database/server-lease.ts';
import { sqliteFile } from '../database/sqlite.ts';
import { uuidGenerator } from '../database/uuid.ts';
import { accountFeatures } from './features.ts';
import { rekey } from './rekey.ts';
import { ENDED_BY_NEW_KEY, SEALED_COLUMNS } from './sealed-columns.ts';
import { startTestServer } from './testing/test-server.ts';

// What is sealed anew, and who may be killed when, is in e2e/rekey.e2e.ts.

test.runIf(process.env.PILOTFISH_TEST_DIALECT === 'postgres')(
  'PostgreSQL writes every table anew that held something sealed, also those that are emptied',
  async () => {
    const server = await startTestServer({ features: accountFeatures });
    const { settings } = server.context;
    const tables = [...new Set<string>([...SEALED_COLUMNS.map(({ table }) => table), ...ENDED_BY_NEW_KEY])];
    const files = async () => {
      const database = await openDatabase(settings);
      const found = new Map<string, number>();
      for (const table of tables) {
        const { rows } = await sql<{ file: number }>`select pg_relation_filenode(${table}::regclass)::int as file`.execute(
          database.queries,
        );
        found.set(table, rows[0]!.file);
      }
      await database.close();
      return found;
    };
    await server.restart(async () => {
      const before = await files();
      await rekey({ ...settings, random: randomBytes, now: server.now, newId: uuidGenerator(server.now, randomBytes) });
      const after = await files();
      expect(tables.filter((table) => before.get(table) === after.get(table))).toEqual([]);
    });
    await server.close();
  },
);

test.runIf(process.env.PILOTFISH_TEST_DIALECT === 'postgres')('a server of another data folder on this database is seen', async () => {
  const server = await startTestServer({ features: accountFeatures });
  const { settings } = server.context;
  const elsewhere = await takeLease({ databaseUrl: settings.databaseUrl!, purpose: 'look', onLost: () => undefined }).catch(
    (error: Error) => error.message,
  );
  expect(elsewhere).toMatch(/^Another Pilotfish works with this database: pilotfish server on .* since 20/);
  await server.restart(async () => {
    const other = await takeLease({ databaseUrl: settings.databaseUrl!, purpose: 'server', onLost: () => undefined });
    const done = rekey({ ...settings, random: randomBytes, now: server.now, newId: uuidGenerator(server.now, randomBytes) });
    await expect(done).rejects.toThrow('Another Pilotfish works with this database');
    await other.release();
  });
  await server.close();
});

test.runIf(process.env.PILOTFISH_TEST_DIALECT !== 'postgres')(
  'traces that cannot be removed are told as such: the new key counts all the same',
  async () => {
    const server = await startTestServer({ features: accountFeatures });
    const user = await server.register();
    const { settings } = server.context;
    await server.restart(async () => {
      let other: Libsql.Database | undefined;
      const at = (point: string) => {
        if (point !== 'adopted') return;
        other = new Libsql(sqliteFile(settings.dataDir));
        other.exec('begin immediate');
      };
      const done = rekey({ ...settings, random: randomBytes, now: server.now, newId: uuidGenerator(server.now, randomBytes), at });
      await expect(done).rejects.toThrow(/^Everything is sealed with the new key now; the key of before is .*master\.key\.before-/);
      other?.exec('rollback');
      other?.close();
    });
    user.session = await server.signIn(user);
    await server.close();
  },
);
