// Holders that are killed or frozen are in e2e/one-server.e2e.ts.
import { deepTest } from '@pilotfish/core/testing/tiers';
import { realTimers, type Timers } from '@pilotfish/core/time/timers';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, type TestContext, test, vi } from 'vitest';
import { openDatabase } from './database.ts';
import { DatabaseAwayError } from './database-error.ts';
import { findPostgres, type PostgresOrReason } from './postgres-fixture.ts';
import { postgresProxy, transactionPooler } from './postgres-proxy.ts';
import { LEASE_MS, type LeaseLostError, type ServerLease, takeLease } from './server-lease.ts';

let found: PostgresOrReason;
let databaseUrl: string;
/** Connected to the database, and beside it: connections to it are forbidden from there only. */
let inside: pg.Client;
let beside: pg.Client;
let toEnd: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  found = await findPostgres();
  if ('skipped' in found) console.warn(`Tests of the hold on a database are skipped: ${found.skipped}.`);
}, 60_000);
afterAll(async () => {
  if ('postgres' in found) await found.postgres.stop();
});
beforeEach(async (context: TestContext) => {
  if ('skipped' in found) return context.skip(`PostgreSQL: ${found.skipped}`);
  databaseUrl = await found.postgres.createDatabase();
  toEnd = [];
  inside = await connected(databaseUrl);
  const other = new URL(databaseUrl);
  other.pathname = '/postgres';
  beside = await connected(other.href);
});
afterEach(async () => {
  for (const end of toEnd.reverse()) await end();
});

async function connected(url: string, name = 'test'): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: name });
  client.on('error', () => undefined);
  await client.connect();
  toEnd.push(() => client.end());
  return client;
}

type Taken = ServerLease & {
  readonly lost: LeaseLostError[];
  readonly log: { info: ReturnType<typeof vi.fn>; warn: ReturnType<typeof vi.fn> };
};
async function take(url = databaseUrl, more: { patienceMs?: number; timers?: Timers } = {}): Promise<Taken> {
  const lost: LeaseLostError[] = [];
  const log = { info: vi.fn(), warn: vi.fn() };
  const lease = await takeLease({ databaseUrl: url, purpose: 'server', onLost: (error) => lost.push(error), log, ...more });
  toEnd.push(lease.release);
  return Object.assign(lease, { lost, log });
}
const until = (holds: () => boolean, timeout?: number) =>
  vi.waitUntil(holds, { interval: 20, ...(timeout === undefined ? {} : { timeout }) });
/** Ends the session of the holder, as an administrator or a restart of PostgreSQL would. */
const terminate = () =>
  inside.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'pilotfish server on %'`,
  );
const admitConnections = (admitted: boolean) =>
  beside.query(`alter database ${new URL(databaseUrl).pathname.slice(1)} with allow_connections ${admitted}`);

test('the second is refused with who holds it; after a goodbye the next need not wait', async () => {
  const first = await take();
  expect(first.held()).toBe(true);
  await expect(take()).rejects.toThrow(
    new RegExp(
      `^Another Pilotfish works with this database: pilotfish server on .* \\(pid ${process.pid}\\), connected from the same machine since 20.*Stop that one first`,
    ),
  );
  await first.release();
  expect(first.held()).toBe(false);
  const waits = vi.fn(realTimers.wait);
  const next = await take(databaseUrl, { timers: { ...realTimers, wait: waits } });
  expect(waits).not.toHaveBeenCalled();
  expect(next.held()).toBe(true);
  expect(next.log.info).not.toHaveBeenCalled();
});

test('another database of the same server, and another schema, are not held', async () => {
  await take();
  if ('postgres' in found) await take(await found.postgres.createDatabase());
  await inside.query('create schema beside');
  const schema = new URL(databaseUrl);
  schema.searchParams.set('options', '-c search_path=beside');
  await take(schema.href);
});

test('a session that was ended: not held until it is taken again, and then it is the same hold', async () => {
  const lease = await take();
  const database = await openDatabase({ dataDir: '', databaseUrl, lease });
  toEnd.push(() => database.close());
  await admitConnections(false);
  await terminate();
  await until(() => !lease.held());
  await vi.waitFor(() =>
    expect(lease.log.warn).toHaveBeenCalledWith(expect.anything(), expect.stringContaining('could not be taken again')),
  );
  expect(lease.held()).toBe(false);
  await admitConnections(true);
  await until(lease.held);
  expect(lease.lost).toEqual([]);
  await database.transaction(async () => undefined);
});

test('PostgreSQL goes away in the middle of a transaction: that one fails, the process and its hold go on', async () => {
  const uncaught: Error[] = [];
  const note = (error: Error) => uncaught.push(error);
  process.on('uncaughtExceptionMonitor', note);
  toEnd.push(async () => process.off('uncaughtExceptionMonitor', note));
  const lease = await take();
  const database = await openDatabase({ dataDir: '', databaseUrl, lease });
  toEnd.push(() => database.close());
  const others = `from pg_stat_activity where datname = current_database() and application_name like 'pilotfish%'`;
  const failing = database.transaction(async (queries) => {
    await inside.query(`select pg_terminate_backend(pid) ${others}`);
    // Told, not `held`: it can be back within a few milliseconds, and whoever looks now and then never sees it away.
    await until(() => lease.log.warn.mock.calls.some(([, told]) => String(told).includes('the hold on the database is away')));
    await sql`select 1`.execute(queries);
  });
  await expect(failing).rejects.toThrow(DatabaseAwayError);
  await until(lease.held);
  expect(await database.transaction(async () => 'written')).toBe('written');
  // Nobody gets in; then everybody again.
  await admitConnections(false);
  await inside.query(`select pg_terminate_backend(pid) ${others}`);
  await expect(database.queries.selectFrom('accounts').select('id').execute()).rejects.toThrow(DatabaseAwayError);
  await admitConnections(true);
  // Not the first question: another connection of the pool may learn only by it that it was ended, too.
  await vi.waitFor(() => expect(sql`select nothing`.execute(database.queries)).rejects.not.toThrow(DatabaseAwayError), {
    timeout: 20_000,
    interval: 20,
  });
  await until(lease.held);
  expect([uncaught, lease.lost]).toEqual([[], []]);
});

test('taken by another meanwhile: over for good, also when that one ends', async () => {
  const lease = await take();
  const other = await connected(databaseUrl, 'pilotfish, the other one');
  await admitConnections(false);
  await terminate();
  await other.query(`select pg_advisory_lock(x'50464953'::int, hashtext(current_schema())) as taken`);
  await admitConnections(true);
  await until(() => lease.lost.length > 0);
  expect(lease.lost[0]?.message).toMatch(/^Another server has taken over this database \(pilotfish, the other one, connected/);
  await other.end();
  expect(lease.held()).toBe(false);
  await expect(lease.fence(undefined as never)).rejects.toThrow('Another server has taken over');
  expect(lease.lost).toHaveLength(1);
});

test('whatever was decided before another took over is not written after', async () => {
  const lease = await take();
  const database = await openDatabase({ dataDir: '', databaseUrl, lease });
  toEnd.push(() => database.close());
  await inside.query('update server_lease set epoch = epoch + 1');
  await expect(database.transaction(async () => 'written')).rejects.toThrow('Another server has taken over');
  expect(lease.lost).toHaveLength(1);
  expect(lease.held()).toBe(false);
});

test('another takes over only after what is being written has been', async () => {
  const lease = await take();
  const database = await openDatabase({ dataDir: '', databaseUrl, lease });
  toEnd.push(() => database.close());
  const takeover = () => inside.query('select 1 from server_lease for update nowait');
  await database.transaction(async () => {
    await expect(takeover()).rejects.toThrow('could not obtain lock');
  });
  await takeover();
});

test('what another has changed in between ends it at the next sign of life', async () => {
  const lease = await take();
  await inside.query('update server_lease set epoch = epoch + 1');
  await until(() => lease.lost.length > 0);
  expect(lease.held()).toBe(false);
});

test.each(['running', 'wall'] as const)(
  'not held once the last sign of life is as old as the lease by the %s clock alone',
  async (clock) => {
    let ahead = 0;
    // Both clocks stand: a machine that is busy for seconds must not move one. In whole ms, whose differences are exact.
    const began = { running: Math.floor(realTimers.running()), wall: realTimers.wall() };
    const standing = { running: () => began.running, wall: () => began.wall };
    const silent: Timers = { ...realTimers, after: () => () => undefined, ...standing, [clock]: () => began[clock] + ahead };
    const lease = await take(databaseUrl, { timers: silent });
    // The sign of life was sent a moment before.
    ahead = LEASE_MS / 2;
    expect(lease.held()).toBe(true);
    ahead = LEASE_MS;
    expect(lease.held()).toBe(false);
  },
);

test('a sign of life counts from when it was sent, however late its answer comes', async () => {
  let ahead = 0;
  const beats: (() => void)[] = [];
  const lease = await take(databaseUrl, {
    timers: {
      ...realTimers,
      running: () => realTimers.running() + ahead,
      after: (ms, work) => {
        if (ms < LEASE_MS) beats.push(work);
        return () => undefined;
      },
    },
  });
  const blocker = await connected(databaseUrl);
  await blocker.query('begin');
  await blocker.query('update server_lease set epoch = epoch');
  const before = beats.length;
  beats.at(-1)!();
  // Another server may count the lease as over that long after it was sent.
  ahead = LEASE_MS;
  await blocker.query('rollback');
  await vi.waitUntil(() => beats.length > before);
  expect(lease.held()).toBe(false);
});

deepTest(
  'cut off without a word: not held after the lease; our own session of before is no other server',
  { timeout: 60_000 },
  async () => {
    const proxy = await postgresProxy(databaseUrl);
    toEnd.push(() => proxy.close());
    const lease = await take(proxy.url);
    const began = performance.now();
    proxy.block();
    // When it was seen held for the last time: a busy machine looks later, which says nothing of the lease.
    let seenHeldAt = began;
    await until(() => {
      const lookedAt = performance.now();
      const held = lease.held();
      if (held) seenHeldAt = lookedAt;
      return !held;
    });
    expect(performance.now() - began).toBeGreaterThan(LEASE_MS - 2500);
    expect(seenHeldAt - began).toBeLessThan(LEASE_MS);
    proxy.unblock();
    await until(() => lease.held(), 30_000);
    expect(lease.lost).toEqual([]);
  },
);

deepTest(
  'a database that takes no sign of life for long: none of our own sessions that waited there is another server',
  {
    timeout: 120_000,
  },
  async () => {
    const lease = await take();
    const blocker = await connected(databaseUrl);
    await blocker.query('begin');
    await blocker.query('lock table server_lease in access exclusive mode');
    // The first one is known as ours, and so is the one after it, which got the lock and was not answered either.
    const holders = new Set<number>();
    const holdersSoFar = async () => {
      const { rows } = await beside.query<{ pid: number }>(
        `select pid from pg_locks where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = $1)`,
        [new URL(databaseUrl).pathname.slice(1)],
      );
      for (const { pid } of rows) holders.add(pid);
      return holders.size;
    };
    await vi.waitUntil(async () => (await holdersSoFar()) >= 3 || lease.lost.length > 0, { timeout: 60_000, interval: 50 });
    await blocker.query('rollback');
    await until(() => lease.held() || lease.lost.length > 0, 30_000);
    expect(lease.lost).toEqual([]);
    expect(lease.held()).toBe(true);
  },
);

deepTest(
  'in doubt of the clocks: not held until there is a new sign of life, which is asked for at once',
  { timeout: 60_000 },
  async () => {
    const proxy = await postgresProxy(databaseUrl);
    toEnd.push(() => proxy.close());
    const lease = await take(proxy.url);
    const began = performance.now();
    lease.doubt();
    expect(lease.held()).toBe(false);
    await until(lease.held);
    expect(performance.now() - began).toBeLessThan(LEASE_MS / 6);
    // It goes on as before.
    await expect(until(() => !lease.held(), LEASE_MS + 1000)).rejects.toThrow();
    proxy.block();
    lease.doubt();
    await expect(until(lease.held, LEASE_MS / 2)).rejects.toThrow();
    proxy.unblock();
    await until(lease.held, 30_000);
    expect(lease.lost).toEqual([]);
  },
);

test('a copy that did not know the last holder yet gives no number twice', async () => {
  const proxy = await postgresProxy(databaseUrl);
  toEnd.push(() => proxy.close());
  const { rows } = await (await take()).release().then(() => inside.query<{ epoch: string }>('select epoch::text from server_lease'));
  const lease = await take(proxy.url);
  const database = await openDatabase({ dataDir: '', databaseUrl, lease });
  toEnd.push(() => database.close());
  proxy.block();
  await inside.query('update server_lease set epoch = $1, released = true', [rows[0]!.epoch]);
  await terminate();
  await take();
  await expect(database.transaction(async () => 'written')).rejects.toThrow('Another server has taken over');
});

deepTest(
  'cut off without a word while another waits: that one gets it only when nothing can be signed any more',
  {
    timeout: 60_000,
  },
  async () => {
    const proxy = await postgresProxy(databaseUrl);
    toEnd.push(() => proxy.close());
    const lease = await take(proxy.url);
    proxy.block();
    let bothHeld = false;
    let next: Taken | undefined;
    const taking = take(databaseUrl, { patienceMs: 40_000 }).then((taken) => {
      next = taken;
    });
    const watch = setInterval(() => {
      bothHeld ||= lease.held() && next !== undefined;
    }, 5);
    await taking;
    clearInterval(watch);
    expect(bothHeld).toBe(false);
    expect(next?.held()).toBe(true);
    proxy.unblock();
    await until(() => lease.lost.length > 0, 30_000);
  },
);

test('a program beside a server changes the schema only while there is none', async () => {
  const lease = await take();
  await expect(openDatabase({ dataDir: '', databaseUrl })).rejects.toThrow('Another Pilotfish works with this database');
  await (await openDatabase({ dataDir: '', databaseUrl, lease })).close();
  // Nothing is missing any more: it works beside the server.
  await (await openDatabase({ dataDir: '', databaseUrl })).close();
  expect(lease.held()).toBe(true);
});

test('a server of a version that knows no hold is seen by its connections, until one with it has been there', async () => {
  const old = await connected(databaseUrl, 'pilotfish');
  await expect(take()).rejects.toThrow('a server of an earlier version');
  await old.end();
  await (await take()).release();
  // From then on it is some command that works beside a server.
  await connected(databaseUrl, 'pilotfish');
  expect((await take()).held()).toBe(true);
});

test('a command that changed the schema beside a server of such a version does not hide it', async () => {
  const old = await connected(databaseUrl, 'pilotfish');
  await (await openDatabase({ dataDir: '', databaseUrl })).close();
  await expect(take()).rejects.toThrow('a server of an earlier version');
  await old.end();
  await (await take()).release();
  await connected(databaseUrl, 'pilotfish');
  expect((await take()).held()).toBe(true);
});

test('a pooler that gives each transaction another session is seen', async () => {
  const pooler = await transactionPooler(databaseUrl);
  toEnd.push(() => pooler.close());
  await expect(take(pooler.url)).rejects.toThrow('PgBouncer does with pool_mode=transaction');
});
