import { statSync } from 'node:fs';
import type { MarketSource } from '@pilotfish/core/prices/prices-contract';
import { Kysely, type Migration, Migrator, sql, type Transaction } from 'kysely';
import { VERSION } from '../app/version.ts';
import { backupBeforeUpgrade, backupFolder, fittingBackup } from './backup-folder.ts';
import { DatabaseStartError, isDiskFull } from './database-error.ts';
import { enterMarket } from './market-entry.ts';
import { marketScope } from './market-scope.ts';
import { MIGRATIONS, type Schema } from './migrations.ts';
import { openPostgres, postgresDialect, withoutHurry } from './postgres.ts';
import { type ServerLease, takeLease, UPGRADE } from './server-lease.ts';
import { openSqlite, sqliteDialect, sqliteFile, transactionScope } from './sqlite.ts';

export type Dialect = 'sqlite' | 'postgres';

/** What a query needs: the database itself or the handle of a transaction. */
export type Queries = Kysely<Schema>;

export type Database = {
  readonly dialect: Dialect;
  /** For single statements. Inside `transaction` use the callback's handle. */
  readonly queries: Queries;
  /**
   * Runs all or nothing. On SQLite transactions run one after the other; on PostgreSQL side by side (read committed),
   * so lock a row by updating it first. The callback may run again after a deadlock, and once
   * on a full disk, whose reserve was given up then: it must not act on the outside.
   */
  transaction<Result>(work: (queries: Transaction<Schema>) => Promise<Result>): Promise<Result>;
  /** Whose rows `queries` and `transaction` see and write; '' of a database that is open for all markets. */
  readonly market: MarketSource | '';
  /** Bytes on disk. */
  size(): Promise<number>;
  close(): Promise<void>;
};

/** A database as it is opened: its queries see the rows of all markets. */
export type WholeDatabase = Database & {
  /**
   * The same database for a server of one market: `OF_MARKET` says of which tables it sees its own rows only. The first
   * market takes over what an earlier version left without one.
   */
  forMarket(market: MarketSource): Promise<Database>;
};

/**
 * Opens the database and brings its schema up to date.
 * @param options.lease of who has the database for itself. Programs that work beside a server have none: they change the
 *   schema of a PostgreSQL only while nobody else has it
 * @throws DatabaseStartError as a sentence
 */
export async function openDatabase(options: {
  dataDir: string;
  databaseUrl?: string | undefined;
  lease?: Pick<ServerLease, 'fence'>;
  onError?: (error: Error) => void;
  /** Called before the first table is made; a throw leaves the database as it is. */
  onEmpty?: () => void;
  /** Called when the disk had no room for a write (SQLite only); what was written is written again after it. */
  onFull?: () => void;
  /** Epoch milliseconds; the wall clock when absent. */
  now?: () => number;
}): Promise<WholeDatabase> {
  const { databaseUrl, lease } = options;
  const database =
    databaseUrl === undefined
      ? fromSqlite(sqliteFile(options.dataDir), options.onFull)
      : await fromPostgres(databaseUrl, options.onError ?? (() => undefined), lease?.fence);
  try {
    const steps = await migratorOf(database.queries).getMigrations();
    const taken = steps.filter(({ executedAt }) => executedAt !== undefined);
    if (taken.length === 0) options.onEmpty?.();
    else if (databaseUrl === undefined && taken.length < steps.length)
      backupBeforeUpgrade(options.dataDir, VERSION, (options.now ?? Date.now)());
    if (databaseUrl === undefined || lease) await migrate(database.queries, () => olderBackup(options));
    else await migrateAlone(database.queries, databaseUrl);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

type Begun = (work: (queries: Transaction<Schema>) => Promise<unknown>) => (queries: Transaction<Schema>) => Promise<unknown>;

/** @param begun what comes first in every transaction */
function opened(all: Omit<Database, 'transaction' | 'market'>, begun: Begun = (work) => work): WholeDatabase {
  const on = (queries: Queries, market: Database['market']): Database => ({
    ...all,
    queries,
    market,
    transaction: <Result>(work: (queries: Transaction<Schema>) => Promise<Result>) => runTransaction(queries, begun(work) as typeof work),
  });
  const whole = on(all.queries, '');
  return {
    ...whole,
    forMarket: async (market) => {
      await enterMarket(whole, market);
      return on(all.queries.withPlugin(marketScope(market)), market);
    },
  };
}

function fromSqlite(file: string, onFull?: () => void): WholeDatabase {
  const queries = new Kysely<Schema>({ dialect: sqliteDialect(openSqlite(file), onFull) });
  return opened({
    dialect: 'sqlite',
    queries,
    size: async () => [file, `${file}-wal`].reduce((sum, part) => sum + (statSync(part, { throwIfNoEntry: false })?.size ?? 0), 0),
    close: async () => {
      // Else the newest rows stay in the log beside it, and a copy of the file alone would lack them.
      await sql`pragma wal_checkpoint(truncate)`.execute(queries).catch(() => undefined);
      await queries.destroy();
    },
  });
}

async function fromPostgres(url: string, onError: (error: Error) => void, fence?: ServerLease['fence']): Promise<WholeDatabase> {
  const queries = new Kysely<Schema>({ dialect: postgresDialect(await openPostgres(url, onError)) });
  const fenced: Begun = (work) => async (transaction) => {
    await fence?.(transaction);
    return work(transaction);
  };
  const all: Parameters<typeof opened>[0] = {
    dialect: 'postgres',
    queries,
    size: async () => {
      const { rows } = await sql<{ size: number }>`select pg_database_size(current_database()) as size`.execute(queries);
      return rows[0]?.size ?? 0;
    },
    close: () => queries.destroy(),
  };
  return opened(all, fenced);
}

const TRANSIENT = new Set(['40001', '40P01']);
const ATTEMPTS = 4;

async function runTransaction<Result>(queries: Queries, work: (queries: Transaction<Schema>) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await queries.transaction().execute(async (transaction) => {
        const scope = { open: true };
        try {
          return await transactionScope.run(scope, () => work(transaction));
        } finally {
          scope.open = false;
        }
      });
    } catch (error) {
      const again = isDiskFull(error) ? attempt === 1 : TRANSIENT.has(String((error as { code?: unknown }).code));
      if (attempt === ATTEMPTS || !again) throw error;
    }
  }
}

const UNHURRIED: Readonly<Record<string, Migration>> = Object.fromEntries(
  Object.entries(MIGRATIONS).map(([name, step]) => [
    name,
    {
      up: async (queries) => {
        await withoutHurry(queries);
        await step.up(queries);
      },
    },
  ]),
);

const migratorOf = (queries: Queries): Migrator =>
  new Migrator({
    db: queries,
    provider: { getMigrations: async () => UNHURRIED },
    // Features number their own steps, so a new one may sort before one that has run.
    allowUnorderedMigrations: true,
  });

/** Which backup this version can go on with, as a sentence. */
function olderBackup({ dataDir, databaseUrl }: { dataDir: string; databaseUrl?: string | undefined }): string {
  if (databaseUrl !== undefined) return 'Backups of a PostgreSQL database are your own (pg_dump).';
  const fitting = fittingBackup(dataDir, new Set(Object.keys(MIGRATIONS)));
  if (!fitting) return `None in ${backupFolder(dataDir)} fits this version.`;
  const { createdAt, version, reason } = fitting.manifest;
  const made = reason === 'upgrade' ? `before the upgrade to ${version}` : `by version ${version}`;
  return `The newest that fits was made ${made}, at ${createdAt}: pilotfish restore "${fitting.file}". What happened since is not in it.`;
}

/** A server of another version may be at work: what is missing is run when there is none. */
async function migrateAlone(queries: Queries, databaseUrl: string): Promise<void> {
  if ((await migratorOf(queries).getMigrations()).every(({ executedAt }) => executedAt !== undefined)) return migrate(queries);
  const lease = await takeLease({ databaseUrl, purpose: UPGRADE, onLost: () => undefined });
  try {
    await migrate(queries);
  } finally {
    await lease.release();
  }
}

/** Runs the missing steps, all of them or none. */
async function migrate(queries: Queries, olderBackup = () => ''): Promise<void> {
  const { error, results } = await migratorOf(queries).migrateToLatest();
  if (error === undefined) return;
  const failed = results?.find((result) => result.status === 'Error')?.migrationName;
  const reason = error instanceof Error ? error.message : 'unknown reason';
  throw new DatabaseStartError(
    failed === undefined
      ? `The database schema does not fit this version: ${reason}. A newer version may have used it; start that version, or restore a backup. ${olderBackup()}`.trimEnd()
      : `Step "${failed}" of the database schema failed: ${reason}. Nothing was changed.`,
  );
}
