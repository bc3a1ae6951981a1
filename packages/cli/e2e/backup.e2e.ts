import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestServer, type TestServer } from '@pilotfish/server/app/testing/test-server';
import { keepBackup } from '@pilotfish/server/database/backup-folder';
import { openDatabase } from '@pilotfish/server/database/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPipe } from './pipe.ts';

let server: TestServer;
let folder: string;
const pipe = openPipe({});
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-backup-'));
  server = await startTestServer({ realClock: true });
});
afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a backup beside a running server, checked, restored elsewhere by its passphrase, and served', async () => {
  const user = await server.register({ username: 'ada' });
  const file = join(folder, 'one.backup');
  const PASSPHRASE = 'deep water and old wood';
  const made = await pipe.run(['backup', file, '--with-key', '--data-dir', server.dataDir, '--json'], { input: `${PASSPHRASE}\n` });
  expect(made.exit, made.stderr).toBe(0);
  expect(JSON.parse(made.stdout)).toMatchObject({ file, withKey: true });
  expect(made.stderr).toContain('sealed by your passphrase');

  const checked = await pipe.run(['restore', file, '--verify']);
  expect([checked.exit, checked.stderr]).toEqual([0, expect.stringContaining('is intact')]);
  // Nobody restores over a server that runs.
  const refused = await pipe.run(['restore', file, '--data-dir', server.dataDir, '--yes'], { input: PASSPHRASE });
  expect([refused.exit, refused.stderr]).toEqual([1, expect.stringContaining('already running')]);

  const dataDir = join(folder, 'restored');
  const done = await pipe.run(['restore', file, '--data-dir', dataDir, '--yes'], { input: PASSPHRASE });
  expect([done.exit, done.stderr]).toEqual([0, expect.stringContaining('is restored')]);
  const other = await startTestServer({ realClock: true, settings: { dataDir } });
  const { username, password } = user;
  expect((await other.call('/gateway/v1/account/login', { body: { username, password } })).status).toBe(200);
  await other.close();
});

test('without a name it goes into the folder of backups; a file that is none is told', async () => {
  const { exit, stderr } = await pipe.run(['backup', '--data-dir', server.dataDir]);
  expect([exit, stderr]).toEqual([0, expect.stringContaining('everything except the key file')]);
  expect(readdirSync(join(server.dataDir, 'backups'))).toEqual([expect.stringMatching(/^pilotfish-.*\.backup$/)]);
  const other = join(folder, 'other.backup');
  writeFileSync(other, 'something');
  for (const words of [
    ['restore', other, '--verify'],
    ['restore', join(folder, 'none.backup'), '--yes', '--data-dir', folder],
  ]) {
    const told = await pipe.run([...words, '--json']);
    expect([told.exit, JSON.parse(told.stderr)]).toEqual([1, expect.objectContaining({ code: 'backup' })]);
  }
  expect(existsSync(join(folder, 'pilotfish.db'))).toBe(false);
});

test('going back to this version: the start names the backup that fits, and restoring it as it says works', async () => {
  const dataDir = join(folder, 'downgraded');
  const before = await startTestServer({ realClock: true, settings: { dataDir } });
  const { username, password } = await before.register({ username: 'grace' });
  await before.close();
  // What a later version does: a backup, then its own steps, then its work.
  keepBackup({ dataDir, version: '9.0.0', at: Date.UTC(2026, 0, 15), reason: 'upgrade' });
  const later = await openDatabase({ dataDir });
  await later.queries
    .insertInto('kysely_migration' as never)
    .values({ name: '9999-of-tomorrow', timestamp: '2026-01-15' } as never)
    .execute();
  await later.queries.updateTable('accounts').set({ username: 'renamed', username_key: 'renamed' }).execute();
  await later.close();

  const start = startTestServer({ realClock: true, settings: { dataDir } });
  const told = await start.then(
    () => 'it started',
    (error: Error) => error.message,
  );
  const [, file] = /made before the upgrade to 9\.0\.0.*: pilotfish restore "(.+?)"/.exec(told) ?? [];
  expect(file, told).toBeDefined();
  const done = await pipe.run(['restore', file!, '--data-dir', dataDir, '--yes']);
  expect([done.exit, done.stderr]).toEqual([0, expect.stringContaining('is restored')]);
  const after = await startTestServer({ realClock: true, settings: { dataDir } });
  expect((await after.call('/gateway/v1/account/login', { body: { username, password } })).status).toBe(200);
  await after.close();
});
