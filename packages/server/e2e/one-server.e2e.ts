import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { findPostgres, type PostgresOrReason } from '../src/database/postgres-fixture.ts';
import { LEASE_MS } from '../src/database/server-lease.ts';
import { masterKeyFile } from '../src/secrets/master-key.ts';
import { buildServerProgram, type ServerProcess, type ServerProgram } from './server-process.ts';

let found: PostgresOrReason;
let program: ServerProgram;
let databaseUrl: string;
let folder: string;
let children: ChildProcess[] = [];

beforeAll(async () => {
  found = await findPostgres();
  if ('skipped' in found) console.warn(`Two servers on one PostgreSQL are not tested: ${found.skipped}.`);
  program = await buildServerProgram('./process-entry.ts');
});
afterAll(async () => {
  program.remove();
  if ('postgres' in found) await found.postgres.stop();
});
beforeEach(async (context) => {
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-one-'));
  if ('skipped' in found) return context.skip(found.skipped);
  databaseUrl = await found.postgres.createDatabase();
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A server of its own data folder: another machine, as far as the database knows. */
async function start(dataDir: string): Promise<ServerProcess> {
  const started = await program.start(join(folder, dataDir), { DATABASE_URL: databaseUrl });
  children = [...children, started.child];
  return started;
}

/** What the database says of who has it, by its own clock. */
async function leaseOf(): Promise<{ released: boolean; beatenAt: number; now: number }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ released: boolean; beatenAt: number; now: number }>(
      `select released, (extract(epoch from beaten_at) * 1000)::float8 as "beatenAt",
        (extract(epoch from clock_timestamp()) * 1000)::float8 as now from server_lease`,
    );
    return rows[0]!;
  } finally {
    await client.end();
  }
}

test('a second server on the same database is refused, whatever its folder; after a goodbye it begins at once', async () => {
  const first = await start('a');
  await expect(start('b')).rejects.toThrow(/ended with 1: Another Pilotfish works with this database: pilotfish server on .*\(pid \d+\)/);
  first.child.kill('SIGTERM');
  await once(first.child, 'exit');
  // Said, so that the next need not wait whether anybody is still there.
  expect((await leaseOf()).released).toBe(true);
  await start('a');
});

test('kill -9: the next begins by itself, but not while the killed one could have signed', async () => {
  const first = await start('a');
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  const last = await leaseOf();
  expect(last.released).toBe(false);
  await start('a');
  // By the clock of the database, which both told their signs of life; the newer one tells its own while it waits.
  expect((await leaseOf()).now - last.beatenAt).toBeGreaterThan(LEASE_MS);
});

test('a server that stands still loses its place, and ends when it goes on', { timeout: 120_000 }, async () => {
  const first = await start('a');
  first.child.kill('SIGSTOP');
  // The key file belongs to the database: who moves a server to another machine takes it along.
  mkdirSync(join(folder, 'b'));
  copyFileSync(masterKeyFile(join(folder, 'a')), masterKeyFile(join(folder, 'b')));
  const next = await start('b');
  const ended = once(first.child, 'exit');
  first.child.kill('SIGCONT');
  expect((await ended)[0]).toBe(1);
  expect((await fetch(`${next.url}/readyz`)).status).toBe(200);
});
