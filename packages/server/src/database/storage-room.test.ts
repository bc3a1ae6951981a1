import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { virtualTime } from '@pilotfish/core/testing/virtual-time';
import { Kysely, sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from './database.ts';
import { isDiskFull } from './database-error.ts';
import { openSqlite, sqliteDialect } from './sqlite.ts';
import { fileReserve, storageRoom } from './storage-room.ts';

const MB = 1024 * 1024;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-room-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the reserve takes room on the disk, gives it up, and takes it again', () => {
  const reserve = fileReserve(folder);
  const taken = () => statSync(join(folder, 'reserve'), { throwIfNoEntry: false })?.blocks ?? 0;
  reserve.hold();
  expect(taken() * 512).toBeGreaterThanOrEqual(16 * MB);
  reserve.hold();
  reserve.release();
  expect(taken()).toBe(0);
  reserve.release();
  expect(reserve.free()).toBeGreaterThan(16 * MB);
  expect(() => fileReserve(join(folder, 'missing')).hold()).toThrow('ENOENT');
});

test('it is full from the first refusal on until there is room for the reserve again', async () => {
  const time = virtualTime();
  const told: boolean[] = [];
  const held: string[] = [];
  let free = 8 * MB;
  let mayHold = true;
  const reserve = {
    hold: () => {
      if (!mayHold) throw new Error('ENOSPC');
      held.push('held');
    },
    release: () => void held.push('released'),
    free: () => free,
  };
  const room = storageRoom({ reserve, timers: time.timers, log: pino({ level: 'silent' }) });
  room.onChange((full) => void told.push(full));
  expect([room.isFull(), held]).toEqual([false, ['held']]);
  room.refused();
  room.refused();
  expect([room.isFull(), held, told]).toEqual([true, ['held', 'released'], [true]]);
  await time.advance(60_000);
  expect(room.isFull()).toBe(true);
  [free, mayHold] = [32 * MB, false];
  await time.advance(60_000);
  expect(room.isFull()).toBe(true);
  mayHold = true;
  await time.advance(10_000);
  expect([room.isFull(), held, told]).toEqual([false, ['held', 'released', 'held'], [true, false]]);
  room.refused();
  expect(told).toEqual([true, false, true]);
  room.stop();
});

test('a disk that fills up again and again is believed later each time, until it has been calm for an hour', async () => {
  const time = virtualTime();
  const waits: number[] = [];
  const reserve = { hold: () => undefined, release: () => undefined, free: () => 64 * MB };
  const room = storageRoom({ reserve, timers: time.timers, log: pino({ level: 'silent' }) });
  const fullFor = async () => {
    const begun = time.elapsed;
    room.refused();
    while (room.isFull()) await time.jump();
    waits.push((time.elapsed - begun) / 1000);
  };
  for (let turn = 0; turn < 8; turn += 1) await fullFor();
  expect(waits).toEqual([10, 20, 40, 80, 160, 320, 600, 600]);
  await time.advance(60 * 60_000);
  await fullFor();
  expect(waits.at(-1)).toBe(10);
  room.stop();
});

const full = () => {
  throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
};

test.each([
  ['no room for the reserve', { hold: full, free: () => 3 * MB }],
  ['nothing beside the reserve', { hold: () => undefined, free: () => 4096 }],
])('a start with %s begins as full, and goes on when there is room', async (_case, disk) => {
  const time = virtualTime();
  const told: boolean[] = [];
  const released: true[] = [];
  const reserve = { ...disk, release: () => void released.push(true) };
  const room = storageRoom({ reserve, timers: time.timers, log: pino({ level: 'silent' }) });
  room.onChange((isFull) => void told.push(isFull));
  expect([room.isFull(), released]).toEqual([true, [true]]);
  Object.assign(reserve, { hold: () => undefined, free: () => 64 * MB });
  await time.advance(10_000);
  expect([room.isFull(), told]).toEqual([false, [false]]);
  room.stop();
});

test('a reserve that may not be written is no full disk', () => {
  const hold = () => {
    throw Object.assign(new Error('read-only file system'), { code: 'EROFS' });
  };
  const room = storageRoom({
    reserve: { hold, release: () => undefined, free: () => 64 * MB },
    timers: virtualTime().timers,
    log: pino({ level: 'silent' }),
  });
  expect(room.isFull()).toBe(false);
  room.stop();
});

describe('a database on a full disk', () => {
  const table = 'create table things (what text)';
  const grow = 'insert into things values (hex(randomblob(40000)))';

  test('a statement of its own is written with the room that is given up', async () => {
    const file = openSqlite(join(folder, 'full.db'));
    let full = 0;
    const queries = new Kysely<Record<string, never>>({
      dialect: sqliteDialect(file, () => {
        full += 1;
        file.exec('pragma max_page_count = 1000');
      }),
    });
    await sql.raw(table).execute(queries);
    file.exec('pragma max_page_count = 1');
    await sql.raw(grow).execute(queries);
    expect(full).toBe(1);
    expect((await sql.raw('select * from things').execute(queries)).rows).toHaveLength(1);
    await queries.destroy();
  });

  test('a transaction is repeated as a whole, and one that cannot be written says why', async () => {
    let gives = true;
    const database = await openDatabase({
      dataDir: folder,
      onFull: () => {
        if (gives) void sql`pragma max_page_count = 100000`.execute(database.queries);
      },
    });
    await sql.raw(table).execute(database.queries);
    const count = async () => (await sql.raw('select * from things').execute(database.queries)).rows.length;
    const twice = (swallow: boolean) =>
      database.transaction(async (queries) => {
        await sql.raw("insert into things values ('first')").execute(queries);
        await sql
          .raw(grow)
          .execute(queries)
          .catch((error: unknown) => {
            if (!swallow) throw error;
          });
        await sql.raw("insert into things values ('last')").execute(queries);
      });
    await sql`pragma max_page_count = 1`.execute(database.queries);
    await twice(false);
    expect(await count()).toBe(3);
    gives = false;
    await sql`pragma max_page_count = 1`.execute(database.queries);
    // Also who overlooks the failure writes nothing after it.
    for (const swallow of [false, true]) await expect(twice(swallow)).rejects.toSatisfy(isDiskFull);
    expect(await count()).toBe(3);
    await database.close();
  });
});
