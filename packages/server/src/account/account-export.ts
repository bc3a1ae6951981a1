import { createWriteStream, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AccountExport } from '@pilotfish/core/account/account-contract';
import { AppError } from '@pilotfish/core/http/problem';
import { sql } from 'kysely';
import type { AppContext } from '../app/context.ts';
import type { Origin } from '../http/endpoint-handler.ts';
import { EXPORTED, type ExportedTable } from './exported-tables.ts';

const PAGE = 500;
const KEPT_MS = 24 * 3_600_000;
const NONE: AccountExport = { state: 'none', done: 0, total: 0, rows: 0, bytes: 0, startedAt: null, expiresAt: null };

type Row = Record<string, unknown>;

/** What a document holds; one that is torn as it is stored, so that it costs its owner no other row. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** Times as people read them; documents as what they hold; secrets not at all. */
function written(row: Row, { without = [], json = [] }: ExportedTable): Row {
  const shown: Row = {};
  for (const [column, value] of Object.entries(row)) {
    if (without.includes(column)) continue;
    if (json.includes(column) && typeof value === 'string') shown[column] = parsed(value);
    else if (/(^|_)(at|until)$/.test(column) && typeof value === 'number') shown[column] = new Date(value).toISOString();
    else shown[column] = value;
  }
  return shown;
}

/**
 * Everything an account owns as one JSON document `{format, exportedAt, tables: {name: [row, …]}}`. Written page by
 * page into a file of the data folder, one export after the other, so that memory stays what a page needs.
 */
export function accountExports({ database, settings, now, log, audit }: AppContext) {
  const folder = join(settings.dataDir, 'exports');
  const fileOf = (accountId: string) => join(folder, `${accountId}.json`);
  /** Progress of those that run or wait in this process. */
  const running = new Map<string, { done: number; rows: number; total: number; stop: AbortController }>();
  let queue: Promise<void> = Promise.resolve();

  /** Ids of the account's rows in the tables above, from the inside out: `x in (select id from parent where …)`. */
  const belongs = ({ of, owner = 'account_id' }: ExportedTable, accountId: string): ReturnType<typeof sql<boolean>> => {
    if (of === undefined) return sql<boolean>`${sql.ref(owner)} = ${accountId}`;
    const [column, parent] = of;
    return sql<boolean>`${sql.ref(column)} in (select id from ${sql.table(parent)} where ${belongs(EXPORTED[parent] ?? { key: [] }, accountId)})`;
  };
  const page = async (name: string, table: ExportedTable, accountId: string, after: readonly unknown[] | undefined): Promise<Row[]> => {
    const columns = sql.join(table.key.map((column) => sql.ref(column)));
    const onward = after === undefined ? sql`` : sql` and (${columns}) > (${sql.join(after)})`;
    const { rows } = await sql<Row>`select * from ${sql.table(name)} where ${belongs(table, accountId)}${onward}
      order by ${columns} limit ${PAGE}`.execute(database.queries);
    return rows;
  };

  async function* document(accountId: string, progress: { done: number; rows: number }, signal: AbortSignal): AsyncGenerator<string> {
    yield `{"format":"pilotfish-account-1","exportedAt":${JSON.stringify(new Date(now()).toISOString())},"tables":{`;
    let first = true;
    const present = new Set((await database.queries.introspection.getTables()).map(({ name }) => name));
    for (const [name, table] of Object.entries(EXPORTED)) {
      if (present.has(name)) {
        yield `${first ? '' : ','}\n${JSON.stringify(name)}:[`;
        first = false;
        let after: unknown[] | undefined;
        for (let rows = await page(name, table, accountId, after); rows.length > 0; rows = await page(name, table, accountId, after)) {
          signal.throwIfAborted();
          const last = rows.at(-1) ?? {};
          const text = rows.map((row) => `\n${JSON.stringify(written(row, table))}`).join(',');
          yield after === undefined ? text : `,${text}`;
          after = table.key.map((column) => last[column]);
          progress.rows += rows.length;
          if (rows.length < PAGE) break;
        }
        yield ']';
      }
      progress.done += 1;
    }
    yield '}}\n';
  }

  const finish = (accountId: string, change: { state: 'ready' | 'failed'; done: number; row_count: number; bytes: number }) =>
    database.queries
      .updateTable('account_exports')
      .set({ ...change, expires_at: change.state === 'ready' ? now() + KEPT_MS : null })
      .where('account_id', '=', accountId)
      .executeTakeFirst();

  async function write(accountId: string): Promise<void> {
    const progress = running.get(accountId);
    if (progress === undefined) return;
    const { signal } = progress.stop;
    const unfinished = `${fileOf(accountId)}.new`;
    try {
      signal.throwIfAborted();
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const source = Readable.from(document(accountId, progress, signal));
      await pipeline(source, createWriteStream(unfinished, { mode: 0o600 }), { signal });
      renameSync(unfinished, fileOf(accountId));
      const { size } = statSync(fileOf(accountId));
      const { numUpdatedRows } = await finish(accountId, { state: 'ready', done: progress.done, row_count: progress.rows, bytes: size });
      // The account was deleted meanwhile: nobody would ever clear the file.
      if (numUpdatedRows === 0n) rmSync(fileOf(accountId), { force: true });
    } catch (error) {
      rmSync(unfinished, { force: true });
      if (signal.aborted) return;
      log.error({ err: error }, 'an account could not be exported');
      await finish(accountId, { state: 'failed', done: progress.done, row_count: progress.rows, bytes: 0 });
    } finally {
      running.delete(accountId);
    }
  }

  const status = async (accountId: string): Promise<AccountExport> => {
    const row = await database.queries.selectFrom('account_exports').selectAll().where('account_id', '=', accountId).executeTakeFirst();
    if (row === undefined || (row.expires_at !== null && row.expires_at <= now())) return NONE;
    const live = running.get(accountId);
    return {
      // One that another run of the process began and did not end.
      state: row.state === 'running' && live === undefined ? 'failed' : row.state,
      done: live?.done ?? row.done,
      total: row.total,
      rows: live?.rows ?? row.row_count,
      bytes: row.bytes,
      startedAt: new Date(row.started_at).toISOString(),
      expiresAt: row.expires_at === null ? null : new Date(row.expires_at).toISOString(),
    };
  };
  const remove = async (accountId: string): Promise<void> => {
    running.get(accountId)?.stop.abort();
    rmSync(fileOf(accountId), { force: true });
    await database.queries.deleteFrom('account_exports').where('account_id', '=', accountId).execute();
  };

  return {
    status,
    /** @throws AppError `conflict` while one runs */
    /** How often it was begun. @param since epoch ms */
    startedSince: async (accountId: string, since: number): Promise<number> => {
      const { count } = await database.queries
        .selectFrom('audit_log')
        .select((e) => e.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .where('action', '=', 'account.export')
        .where('at', '>', since)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    start: async (accountId: string, origin: Origin): Promise<AccountExport> => {
      if (running.has(accountId)) throw new AppError('conflict', { parameters: { context: 'export_running' } });
      const total = Object.keys(EXPORTED).length;
      running.set(accountId, { done: 0, rows: 0, total, stop: new AbortController() });
      try {
        const row = { state: 'running' as const, done: 0, total, row_count: 0, bytes: 0, started_at: now(), expires_at: null };
        await database.transaction(async (queries) => {
          await queries
            .insertInto('account_exports')
            .values({ account_id: accountId, ...row })
            .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
            .execute();
          await audit.record({ accountId, action: 'account.export', origin }, queries);
        });
      } catch (error) {
        running.delete(accountId);
        throw error;
      }
      queue = queue.then(() => write(accountId));
      return status(accountId);
    },
    /** @throws AppError `not-found` where there is none, or no longer */
    file: async (accountId: string): Promise<string> => {
      if ((await status(accountId)).state !== 'ready') throw new AppError('not-found');
      return fileOf(accountId);
    },
    remove,
    /** Removes what expired. */
    purge: async (): Promise<void> => {
      const old = await database.queries.selectFrom('account_exports').select('account_id').where('expires_at', '<=', now()).execute();
      for (const row of old) await remove(row.account_id);
    },
    stop: async (): Promise<void> => {
      for (const { stop } of running.values()) stop.abort();
      await queue;
    },
    /** Resolves when nothing is being written. */
    settled: (): Promise<void> => queue,
  };
}
export type AccountExports = ReturnType<typeof accountExports>;
