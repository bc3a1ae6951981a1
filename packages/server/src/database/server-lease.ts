import { hostname } from 'node:os';
import { type Cancel, realTimers, type Timers } from '@pilotfish/core/time/timers';
import { sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { DatabaseStartError } from './database-error.ts';
import type { Schema } from './migrations.ts';
import { unreachable } from './postgres.ts';

/** How long the last sign of life counts. Nothing is signed beyond it. */
export const LEASE_MS = 6000;
const BEAT_MS = 2000;
/** A holder that ended without a word may have signed until its lease was over, and a little for the way. */
const SUCCESSION_MS = LEASE_MS + 1000;
/** PostgreSQL ends a session that says nothing for so long, and with it its hold: longer than the lease. */
const SILENCE_MS = 15_000;
/** No answer for so long: the connection is given up. */
const ANSWER_MS = 10_000;
/** How long a start waits for a holder that says nothing any more. */
const PATIENCE_MS = 25_000;
const ASK_MS = 500;
const LOCK_CLASS = 0x50_46_49_53;

/** Not on every PostgreSQL and not on every kind of connection: what is refused is done without. */
const SESSION_SETTINGS = [
  `set idle_session_timeout = ${SILENCE_MS}`,
  'set tcp_keepalives_idle = 5',
  'set tcp_keepalives_interval = 2',
  'set tcp_keepalives_count = 3',
  `set tcp_user_timeout = ${ANSWER_MS}`,
  // A sign of life need not outlive a power cut, and must not wait for a slow disk.
  'set synchronous_commit = off',
];

/** The right to work with a database: nobody else has it at the same time. */
export type ServerLease = {
  /** False: another server may have it by now, and nothing may be signed. To be asked in the turn of signing. */
  readonly held: () => boolean;
  /** The clocks of this machine cannot be believed, by which a sign of life is old: not held until there is another. */
  readonly doubt: () => void;
  /** Runs first in every transaction. Throws when another server has taken over since: what was decided here counts no more. */
  readonly fence: (queries: Transaction<Schema>) => Promise<void>;
  /** Lets go, and says so: whoever comes next need not wait. */
  readonly release: () => Promise<void>;
};

/** A file has the lock of its folder, which ends with the process and never before. */
export const LEASE_OF_A_FILE: ServerLease = {
  held: () => true,
  doubt: () => undefined,
  fence: async () => undefined,
  release: async () => undefined,
};

/** Another server works with the database now. This one must not go on, not even when that one ends. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

/** What a program beside a server takes a database for, to change its schema. */
export const UPGRADE = 'upgrade';
const holderName = (purpose: string): string => `pilotfish ${purpose}`;

type Holder = { readonly pid: number; readonly since: string | null; readonly told: string };
type Session = { readonly client: pg.Client; readonly pid: number; readonly since: string };
type Mark = { readonly running: number; readonly wall: number };

/** What no other session ever was: the numbers of processes come again. */
const nameOf = ({ pid, since }: Pick<Holder, 'pid' | 'since'>): string => `${pid} ${since}`;
const NEVER: Mark = { running: Number.NEGATIVE_INFINITY, wall: Number.NEGATIVE_INFINITY };
const LOCK = `${LOCK_CLASS}, hashtext(coalesce(current_schema(), ''))`;
const LOCK_ROWS = `pg_locks where locktype = 'advisory' and granted and objsubid = 2
  and database = (select oid from pg_database where datname = current_database())
  and classid::bigint = ${LOCK_CLASS} and objid::bigint = (hashtext(coalesce(current_schema(), ''))::bigint & 4294967295)`;

/**
 * Takes a PostgreSQL database for this process: two servers on one would both run every bot.
 *
 * The lock is one of a session (advisory), so it ends with the process. A connection can die on one side only, so the
 * lock alone proves nothing to its holder: it counts for `LEASE_MS` after the last answer, PostgreSQL keeps it for
 * longer than that, and who takes it after a holder that did not say goodbye waits until that one's lease is over.
 * Every holder has a number of its own (`epoch`), which each transaction of it looks at.
 * @param options.onLost another server has it: end
 * @throws DatabaseStartError who holds it
 */
export async function takeLease(options: {
  readonly databaseUrl: string;
  /** What it is taken for, as others are told: `server`, `rekey`, `UPGRADE`. */
  readonly purpose: string;
  readonly onLost: (error: LeaseLostError) => void;
  readonly log?: Pick<Logger, 'info' | 'warn'>;
  readonly timers?: Timers;
  readonly patienceMs?: number;
}): Promise<ServerLease> {
  const { databaseUrl, log, timers = realTimers } = options;
  const mark = (): Mark => ({ running: timers.running(), wall: timers.wall() });
  /**
   * Neither clock alone: one stands still while a machine sleeps, the other may be set back. Both stand still while a
   * virtual machine is paused; that shows at another clock only (`doubt`).
   */
  const ageOf = ({ running, wall }: Mark): number => Math.max(timers.running() - running, timers.wall() - wall);
  const pause = (ms: number) => timers.wait(ms, { ref: true });
  const name = `${holderName(options.purpose)} on ${hostname()} (pid ${process.pid})`.slice(0, 63);
  let session: Session | undefined;
  /** Sessions of this process: PostgreSQL may keep one, and the lock with it, that nobody is at the other end of. */
  const own = new Set<string>();
  let epoch = '';
  let beatAt = NEVER;
  let doubts = 0;
  let over = false;
  let lost: LeaseLostError | undefined;
  let timer: Cancel | undefined;

  async function connect(): Promise<Session> {
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: name,
      connectionTimeoutMillis: 5000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5000,
    });
    client.on('error', (error) => away(client, error.message));
    client.on('end', () => away(client, 'the connection has ended'));
    try {
      await client.connect();
      for (const setting of SESSION_SETTINGS) await client.query(setting).catch(() => undefined);
      const { rows } = await client.query<{ pid: number; since: string }>(
        `select pg_backend_pid() as pid,
          (select backend_start::text from pg_stat_activity where pid = pg_backend_pid()) as since`,
      );
      own.add(nameOf(rows[0]!));
      return { client, ...rows[0]! };
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
  }

  const tryLock = async ({ client }: Session): Promise<boolean> =>
    (await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${LOCK}) as taken`)).rows[0]!.taken;

  async function holderSeenBy({ client }: Session): Promise<Holder | undefined> {
    const { rows } = await client.query<{
      pid: number;
      since: string | null;
      at: Date | null;
      name: string | null;
      address: string | null;
    }>(
      `select lock.pid, activity.backend_start::text as since, activity.backend_start as at,
        activity.application_name as name, host(activity.client_addr) as address
       from (select pid from ${LOCK_ROWS}) lock left join pg_stat_activity activity using (pid)`,
    );
    const row = rows[0];
    if (!row) return undefined;
    const since = row.at ? ` since ${row.at.toISOString()}` : '';
    return {
      pid: row.pid,
      since: row.since,
      told: `${row.name || 'a program'}, connected from ${row.address ?? 'the same machine'}${since}`,
    };
  }

  /** The row that holders keep; undefined before the first of them has made it. */
  async function state({ client }: Session): Promise<{ holder: string; released: boolean; beat: string; silentMs: number } | undefined> {
    const { rows: tables } = await client.query<{ there: boolean }>(`select to_regclass('server_lease') is not null as there`);
    if (!tables[0]!.there) return undefined;
    const { rows } = await client.query<{ holder: string; released: boolean; beat: string; silent: number }>(
      `select holder, released, beaten_at::text as beat,
        (extract(epoch from clock_timestamp() - beaten_at) * 1000)::float8 as silent from server_lease`,
    );
    const row = rows[0];
    return row && { holder: row.holder, released: row.released, beat: row.beat, silentMs: row.silent };
  }

  /** Not through a pooler that gives each transaction another session: the lock would be anybody's. */
  async function requireOwnSession(held: Session): Promise<void> {
    const second = await connect();
    const shared = second.pid === held.pid;
    await second.client.end().catch(() => undefined);
    if (shared || (await tryPid(held)) !== held.pid) throw new DatabaseStartError(POOLED);
  }
  const tryPid = async ({ client }: Session): Promise<number> =>
    (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid;

  /** The first server with this lock: servers of versions before it do not have it, and are known by their connections only. */
  async function requireNoneOfBefore({ client }: Session): Promise<void> {
    const { rows } = await client.query<{ address: string | null }>(
      `select host(client_addr) as address from pg_stat_activity
       where datname = current_database() and application_name = 'pilotfish' and backend_start <
         (select backend_start from pg_stat_activity where pid = pg_backend_pid()) limit 1`,
    );
    if (rows[0])
      throw new DatabaseStartError(refusal(`a server of an earlier version, connected from ${rows[0].address ?? 'the same machine'}`));
  }

  /** The lock, from nobody or from a holder that has gone silent. */
  async function queue(waiting: Session): Promise<void> {
    const since = mark();
    let seen: string | undefined;
    for (let asked = 0; !(await tryLock(waiting)); asked += 1) {
      const holder = await holderSeenBy(waiting);
      const beat = holder && (await state(waiting))?.beat;
      const alive = seen !== undefined && beat !== undefined && beat !== seen;
      seen ??= beat;
      if (holder && (alive || ageOf(since) > (options.patienceMs ?? PATIENCE_MS))) throw new DatabaseStartError(refusal(holder.told));
      if (holder && asked === 0)
        log?.warn({ holder: holder.told }, 'another Pilotfish holds the database; waiting whether it is still there');
      await pause(ASK_MS);
    }
  }

  /** One sign of life; the time before it was sent is what counts. */
  async function beat(held: Session): Promise<void> {
    const sentAt = mark();
    const doubtsBefore = doubts;
    const { rows } = await answered(
      held.client.query<{ pid: number; held: boolean }>(
        `update server_lease set beaten_at = clock_timestamp() where epoch = $1
         returning pg_backend_pid() as pid, exists (select from ${LOCK_ROWS} and pid = pg_backend_pid()) as held`,
        [epoch],
      ),
    );
    if (rows.length === 0) return lose('Another server has taken over this database');
    if (rows[0]!.pid !== held.pid || !rows[0]!.held) throw new Error(POOLED);
    if (doubts === doubtsBefore) beatAt = sentAt;
  }

  function keepBeating(held: Session, afterMs = BEAT_MS): void {
    timer?.();
    timer = timers.after(afterMs, () => {
      beat(held).then(
        () => {
          if (session === held) keepBeating(held);
        },
        (error: unknown) => away(held.client, (error as Error).message),
      );
    });
  }

  function away(client: pg.Client, reason: string): void {
    if (session?.client !== client) return;
    session = undefined;
    timer?.();
    void client.end().catch(() => undefined);
    if (over || lost) return;
    log?.warn({ reason }, 'the hold on the database is away: nothing is signed until it is back');
    void regain();
  }

  /** Until it is back, or another server has it. */
  async function regain(): Promise<void> {
    for (let attempt = 0; !over && !lost; attempt += 1) {
      if (attempt > 0) await pause(ASK_MS);
      let next: Session | undefined;
      try {
        next = await connect();
        if (!(await answered(tryLock(next)))) {
          const holder = await answered(holderSeenBy(next));
          if (holder && own.has(nameOf(holder))) await answered(next.client.query('select pg_terminate_backend($1)', [holder.pid]));
          else if (holder) lose(`Another server has taken over this database (${holder.told})`);
          void next.client.end().catch(() => undefined);
          continue;
        }
        await beat(next);
        if (over || lost) return void next.client.end().catch(() => undefined);
        hold(next);
        return log?.info('the hold on the database is back');
      } catch (error) {
        log?.warn({ reason: (error as Error).message }, 'the hold on the database could not be taken again yet');
        void next?.client.end().catch(() => undefined);
      }
    }
  }

  function hold(next: Session): void {
    session = next;
    keepBeating(next);
  }

  function lose(reason: string): void {
    if (lost || over) return;
    lost = new LeaseLostError(`${reason}. This one has stopped trading and ends.`);
    timer?.();
    const ended = session;
    session = undefined;
    void ended?.client.end().catch(() => undefined);
    options.onLost(lost);
  }

  /** An answer that does not come is a connection that is gone. */
  async function answered<Answer>(asked: Promise<Answer>): Promise<Answer> {
    let cancel: Cancel | undefined;
    const late = new Promise<never>((_, fails) => {
      const fail = () => fails(new Error(`PostgreSQL did not answer within ${ANSWER_MS / 1000} s`));
      cancel = timers.after(ANSWER_MS, fail, { ref: true });
    });
    asked.catch(() => undefined);
    return Promise.race([asked, late]).finally(cancel);
  }

  const first = await connect().catch((error: unknown) => {
    throw new DatabaseStartError(unreachable(error));
  });
  try {
    await requireOwnSession(first);
    await queue(first);
    const before = await state(first);
    // A program beside a server has opened its own connections by now, and waits for nobody. Nor does it prove that
    // no server of before is there.
    if (options.purpose !== UPGRADE && (!before || before.holder.startsWith(holderName(UPGRADE)))) await requireNoneOfBefore(first);
    if (!before) {
      await first.client.query(
        'create table if not exists server_lease (epoch bigint primary key, holder text not null, beaten_at timestamptz not null, released boolean not null)',
      );
      await first.client.query(`insert into server_lease values (0, '', clock_timestamp(), true)`);
    }
    const sentAt = mark();
    // Waits for transactions of an earlier holder that are under way; later ones of it find the number changed. Not just
    // the next number: a copy that took over from its original may not know the last one yet, and give it twice.
    const { rows } = await first.client.query<{ epoch: string }>(
      `update server_lease set epoch = greatest(epoch + 1, (extract(epoch from clock_timestamp()) * 1000)::bigint), holder = $1,
        beaten_at = clock_timestamp(), released = false returning epoch::text`,
      [name],
    );
    epoch = rows[0]!.epoch;
    beatAt = sentAt;
    hold(first);
    const wait = before && !before.released ? Math.min(SUCCESSION_MS, SUCCESSION_MS - before.silentMs) : 0;
    if (wait > 0) {
      log?.info({ ms: Math.round(wait) }, 'the last server ended without a word: waiting until it can sign nothing any more');
      await pause(wait);
    }
  } catch (error) {
    over = true;
    timer?.();
    await first.client.end().catch(() => undefined);
    throw error;
  }
  if (lost) throw lost;

  return {
    held: () => session !== undefined && !lost && !over && ageOf(beatAt) < LEASE_MS,
    doubt: () => {
      doubts += 1;
      beatAt = NEVER;
      if (session) keepBeating(session, 0);
    },
    fence: async (queries) => {
      if (lost) throw lost;
      const { rows } = await sql`select 1 from server_lease where epoch = ${epoch}::bigint for key share`.execute(queries);
      if (rows.length > 0) return;
      lose('Another server has taken over this database');
      throw lost ?? new LeaseLostError('This server has let go of the database.');
    },
    release: async () => {
      if (over) return;
      over = true;
      timer?.();
      const held = session;
      session = undefined;
      if (!held) return;
      await answered(held.client.query('update server_lease set released = true where epoch = $1', [epoch])).catch(() => undefined);
      await answered(held.client.end()).catch(() => undefined);
    },
  };
}

const POOLED =
  'DATABASE_URL leads to a connection pooler that gives each transaction another session (as PgBouncer does with pool_mode=transaction), so a hold on the database cannot be kept. Name PostgreSQL itself, or a pool with pool_mode=session.';

const refusal = (told: string): string =>
  `Another Pilotfish works with this database: ${told}. Two at once would run every bot twice. Stop that one first; if it is already gone, PostgreSQL lets go of it within ${SILENCE_MS / 1000} seconds.`;
