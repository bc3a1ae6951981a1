import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { virtualTime } from '@pilotfish/core/testing/virtual-time';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { backupFolder, backupsIn } from '../database/backup-folder.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { startBackups } from './backup-schedule.ts';
import { createLog } from './log.ts';

const HOUR = 3_600_000;
let dataDir: string;
let database: Database;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'pilotfish-schedule-'));
  database = await openDatabase({ dataDir });
});
afterEach(async () => {
  await database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test('backups come by the clock, the oldest go, a restart repeats none, and a failure is told', async () => {
  const time = virtualTime();
  const failures: string[] = [];
  const run = (more: { databaseUrl?: string; backupHours?: number } = {}) =>
    startBackups({
      settings: { dataDir, databaseUrl: undefined, backupHours: 6, backupsKept: 2, ...more },
      onFailed: async (reason) => void failures.push(reason),
      now: time.now,
      timers: time.timers,
      log: createLog('silent'),
    });
  const ages = () => backupsIn(dataDir).map(({ manifest }) => Math.round((time.now() - Date.parse(manifest.createdAt)) / HOUR));
  let stop = run();
  await time.during(stop());
  expect(ages()).toEqual([0]);
  stop = run();
  await time.advance(5 * HOUR);
  await time.during(stop());
  expect(ages()).toEqual([5]);
  for (const hours of [1, 6, 6]) {
    await time.advance(hours * HOUR);
    await time.during(run()());
  }
  expect(ages()).toEqual([0, 6]);
  expect(failures).toEqual([]);

  rmSync(backupFolder(dataDir), { recursive: true });
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(backupFolder(dataDir), 'no folder');
  await time.during(run()());
  expect(failures).toHaveLength(1);

  expect(() => run({ databaseUrl: 'postgres://here' })).toThrow('pg_dump');
  await run({ databaseUrl: 'postgres://here', backupHours: 0 })();
});
