import { AsyncLocalStorage } from 'node:async_hooks';
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  CompiledQuery,
  type DatabaseConnection,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely';
import Libsql from 'libsql';
import { DatabaseStartError, isDiskFull } from './database-error.ts';

export const sqliteFile = (dataDir: string): string => join(dataDir, 'pilotfish.db');

/** Larger files are checked by `pilotfish backup`, not at every start: the check reads the whole file. */
const QUICK_CHECK_LIMIT = 128 * 1024 * 1024;

const CORRUPT = new Set(['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_CORRUPT_VTAB', 'SQLITE_CORRUPT_INDEX']);

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/**
 * Opens the file with the durability the product promises: an acknowledged write survives kill -9 and a power cut.
 * @throws DatabaseStartError when the file is not a healthy database; the file is then untouched.
 */
export function openSqlite(file: string): Libsql.Database {
  const existed = existsSync(file) && statSync(file).size > 0;
  if (existed && !hasSqliteHeader(file)) throw corrupt(file, 'it is not a database file');
  let database: Libsql.Database;
  try {
    // It holds hashes, addresses and trades. Its log and index files take over the permissions of the file itself.
    if (file !== ':memory:' && !existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    database = new Libsql(file);
  } catch (error) {
    throw new DatabaseStartError(
      `The database ${file} cannot be opened: ${(error as Error).message}. Check that the folder exists and is writable.`,
    );
  }
  try {
    database.exec('PRAGMA busy_timeout = 5000');
    // Before anything that could write.
    if (existed) checkHealth(database, file);
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL');
    database.exec('PRAGMA foreign_keys = ON');
  } catch (error) {
    database.close();
    if (CORRUPT.has(codeOf(error))) throw corrupt(file, (error as Error).message);
    if (codeOf(error).startsWith('SQLITE_READONLY') || codeOf(error) === 'SQLITE_CANTOPEN')
      throw new DatabaseStartError(
        `The database ${file} cannot be written: ${(error as Error).message}. Give this user write access to the file and its folder.`,
      );
    throw error;
  }
  return database;
}

const SQLITE_MAGIC = 'SQLite format 3\0';

export function hasSqliteHeader(file: string): boolean {
  const handle = openSync(file, 'r');
  try {
    const header = Buffer.alloc(16);
    readSync(handle, header, 0, 16, 0);
    return header.toString('latin1') === SQLITE_MAGIC;
  } finally {
    closeSync(handle);
  }
}

function checkHealth(database: Libsql.Database, file: string): void {
  database.prepare('SELECT count(*) FROM sqlite_master').all();
  if (statSync(file).size > QUICK_CHECK_LIMIT) return;
  const rows = database.prepare('PRAGMA quick_check(1)').all() as { quick_check?: string }[];
  const found = rows[0] === undefined ? '' : String(Object.values(rows[0])[0]);
  if (found !== 'ok') throw corrupt(file, found);
}

const corrupt = (file: string, found: string): DatabaseStartError =>
  new DatabaseStartError(
    `The database ${file} is damaged (${found}). Nothing was changed; restore a backup with "pilotfish restore", or move the file away to start empty.`,
  );

/** True while the current asynchronous flow is inside a transaction callback. */
export const transactionScope = new AsyncLocalStorage<{ open: boolean }>();

/**
 * Kysely's driver hands out its single connection one holder at a time, so concurrent transactions queue up.
 * Two additions: writers take the lock at `begin` (no upgrade can fail half-way when a second process, such as a
 * backup, reads), and asking for the connection from inside a transaction is an error instead of a wait for ever.
 */
class SerialSqliteDriver extends SqliteDriver {
  override async acquireConnection(): Promise<DatabaseConnection> {
    if (transactionScope.getStore()?.open === true)
      throw new Error('A query inside transaction() must use the handle the callback was given; the outer one would wait for itself.');
    return super.acquireConnection();
  }
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      // On a full disk SQLite has rolled back by itself; its complaint would hide the reason.
      if (!/no transaction is active/.test((error as Error).message)) throw error;
    }
  }
}

class SerialSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;
  constructor(config: SqliteDialectConfig) {
    super(config);
    this.#config = config;
  }
  override createDriver(): SqliteDriver {
    return new SerialSqliteDriver(this.#config);
  }
  override createAdapter(): SqliteAdapter {
    return new TransactionalSqliteAdapter();
  }
}

/** SQLite can roll back schema changes; saying so makes the migrator apply all steps or none. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Prepared statements kept per connection; preparing costs more than most of our queries. */
const STATEMENTS_KEPT = 300;

/** @param onFull called when the disk had no room for a write */
export function sqliteDialect(database: Libsql.Database, onFull: () => void = () => undefined): SqliteDialect {
  const statements = new Map<string, ReturnType<SqliteDatabase['prepare']>>();
  return new SerialSqliteDialect({
    database: {
      close: () => {
        statements.clear();
        database.close();
      },
      prepare: (sql) => {
        const known = statements.get(sql);
        if (known !== undefined) return known;
        const statement = guarded(database, database.prepare(sql), onFull);
        // Statements of the schema itself are one-offs.
        if (/^\s*(select|insert|update|delete|with)\b/i.test(sql)) {
          if (statements.size >= STATEMENTS_KEPT) statements.delete(statements.keys().next().value ?? '');
          statements.set(sql, statement);
        }
        return statement;
      },
    },
  });
}

/** The native library ends the process on a value it cannot bind (a boolean, an object), so none may reach it. */
function guarded(database: Libsql.Database, statement: Libsql.Statement, onFull: () => void): ReturnType<SqliteDatabase['prepare']> {
  const told = <Result>(work: () => Result): Result => {
    const isAlone = !database.inTransaction;
    // Who went on after the failure would write the second half of what was undone.
    if (isAlone && transactionScope.getStore()?.open === true)
      throw Object.assign(new Error('The full disk has ended this transaction.'), { code: 'SQLITE_FULL' });
    try {
      return work();
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      // Whoever hears of it asks the database on its own, not as a part of the transaction that failed.
      transactionScope.exit(onFull);
      // With the room that was given up it fits; a transaction is repeated as a whole.
      if (isAlone) return work();
      throw error;
    }
  };
  const check = (parameters: readonly unknown[]): unknown[] => {
    for (const [index, value] of parameters.entries())
      if (
        !(
          value === null ||
          typeof value === 'string' ||
          typeof value === 'bigint' ||
          Buffer.isBuffer(value) ||
          (typeof value === 'number' && !Number.isNaN(value))
        )
      )
        throw new TypeError(
          `Parameter ${index + 1} is ${value === undefined ? 'undefined' : `a ${typeof value}`}; the database takes text, numbers, bytes and null (booleans as 0 and 1).`,
        );
    return parameters as unknown[];
  };
  return {
    reader: statement.reader,
    all: (parameters) => told(() => statement.all(check(parameters))),
    run: (parameters) => told(() => statement.run(check(parameters))),
    iterate: (parameters) => statement.iterate(check(parameters)),
  };
}
