import { PostgresDialect } from 'kysely';
import pg from 'pg';
import { DatabaseStartError } from './database-error.ts';

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

export const postgresDialect = (pool: pg.Pool): PostgresDialect => new PostgresDialect({ pool });

export function unreachable(error: unknown): string {
  const cause = error instanceof AggregateError ? error.errors.map((one) => (one as Error).message).join('; ') : (error as Error).message;
  return `The PostgreSQL server of DATABASE_URL does not answer as expected: ${cause}. Check the host, the database name and the user.`;
}
