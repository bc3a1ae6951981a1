import { type Kysely, PostgresAdapter, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely';
import pg from 'pg';
import { DatabaseAwayError, DatabaseStartError } from './database-error.ts';

const INT8 = 20;

/** Epoch milliseconds and counts fit a double exactly; everything else keeps pg's own parsing. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? (text: string) => Number(text) : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};

/**
 * A pool with time limits: a frozen process must not hold row locks, and no statement may hang the server.
 * @param onError a pool without this listener ends the process when an idle connection drops
 * @throws DatabaseStartError when the server does not answer or refuses
 */
export async function openPostgres(url: string, onError: (error: Error) => void, poolSize = 10): Promise<pg.Pool> {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    types,
    connectionTimeoutMillis: 10_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 3_000,
    application_name: 'pilotfish',
  });
  pool.on('error', onError);
  // The pool hears of its idle ones only. One that is lost between two queries of a transaction would end the process:
  // its next query fails, and says so to whoever asks it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  try {
    await pool.query('select 1');
  } catch (error) {
    await pool.end();
    throw new DatabaseStartError(unreachable(error));
  }
  return pool;
}

/**
 * Lifts the time limit of statements until this transaction ends: going through a long ledger once takes longer than a
 * statement of a running server may.
 */
// biome-ignore lint/suspicious/noExplicitAny: whatever the tables are.
export async function withoutHurry(transaction: Kysely<any>): Promise<void> {
  if (transaction.getExecutor().adapter instanceof PostgresAdapter) await sql`set local statement_timeout = 0`.execute(transaction);
}

/** Its errors of the connection are a `DatabaseAwayError`; what PostgreSQL says of a statement stays as it is. */
export const postgresDialect = (pool: pg.Pool): PostgresDialect => new PostgresDialect({ pool: tellingAway(pool) });

function tellingAway(pool: pg.Pool): PostgresPool {
  return {
    connect: async () => {
      try {
        return clientTellingAway(await pool.connect());
      } catch (error) {
        throw pool.ending ? error : away(error);
      }
    },
    end: () => pool.end(),
  };
}

const clientTellingAway = (client: pg.PoolClient): PostgresPoolClient => ({
  // Statements only: there are no cursors here.
  query: (async (sql: string, parameters: unknown[]) => {
    try {
      return await client.query(sql, parameters);
    } catch (error) {
      throw isAway(error) ? away(error) : error;
    }
  }) as unknown as PostgresPoolClient['query'],
  release: () => client.release(),
});

/**
 * States in which PostgreSQL ends a session or lets none begin: connection failures (class 08), too many connections,
 * shut down by an operator, crashed, starting, database dropped, idle for too long.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const AWAY_STATE = /^(?:08...|53300|57P0[1-5])$/;
/** What the driver says of a connection that has ended; only these have neither a state nor a system call. */
const AWAY_MESSAGE = /^(?:Connection terminated|Client (?:has encountered a connection error|was closed))/;

function isAway(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return AWAY_STATE.test(error.code ?? '');
  return error instanceof Error && ('syscall' in error || AWAY_MESSAGE.test(error.message));
}

const away = (cause: unknown): DatabaseAwayError => new DatabaseAwayError((cause as Error).message, { cause });

export function unreachable(error: unknown): string {
  const cause = error instanceof AggregateError ? error.errors.map((one) => (one as Error).message).join('; ') : (error as Error).message;
  return `The PostgreSQL server of DATABASE_URL does not answer as expected: ${cause}. Check the host, the database name and the user.`;
}
