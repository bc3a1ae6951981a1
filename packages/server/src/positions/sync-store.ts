import { VERSION } from '../app/version.ts';
import { yesNo } from '../database/column-types.ts';
import type { Database, Queries } from '../database/database.ts';
import type { UnreadRow } from '../exchange/exchange-rows.ts';

/** A row that could not be read is asked for again after this, for the exchange may have put it right. */
const AGAIN_MS = 7 * 86_400_000;
/** Rows of one list that are remembered by name. */
const MOST_UNREAD = 100;

/** How far the trades of one pair were read from one account at the exchange. */
export type SyncCursor = {
  readonly symbol: string;
  readonly nextTradeId: string;
  readonly trades: number;
  readonly readAt: number | null;
  /** The exchange does not answer for this pair. */
  readonly refused: boolean;
  readonly isAsked: boolean;
};

export type SyncRun = {
  readonly state: 'running' | 'done' | 'failed';
  readonly remaining: readonly string[];
  readonly done: number;
  readonly total: number;
  readonly tradesFound: number;
  readonly startedAt: number;
  readonly finishedAt: number | null;
  readonly error: string | null;
};

export type SyncStore = ReturnType<typeof syncStore>;

/**
 * The column holds a double. Trades from the largest number that one holds exactly are read again each time: the ledger has
 * one name for each.
 */
const columnOf = (tradeId: string): number => Math.min(Number(tradeId), Number.MAX_SAFE_INTEGER);

/**
 * Where the reading of trade histories stands. `uid` is the exchange's own number of the account.
 * @param version of the product: what another could not read is read again by this one
 */
export function syncStore(database: Database, version = VERSION) {
  return {
    together: (work: (queries: Queries) => Promise<void>): Promise<void> => database.transaction(work),
    cursors: async (accountId: string, uid: string): Promise<Map<string, SyncCursor>> => {
      const rows = await database.queries
        .selectFrom('sync_cursors')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('uid', '=', uid)
        .execute();
      return new Map(
        rows.map(({ symbol, next_trade_id, trades, read_at, refused, is_asked }) => [
          symbol,
          { symbol, nextTradeId: String(next_trade_id), trades, readAt: read_at, refused: refused === 1, isAsked: is_asked === 1 },
        ]),
      );
    },
    saveCursor: async (accountId: string, uid: string, cursor: SyncCursor, on: Queries = database.queries): Promise<void> => {
      const row = {
        next_trade_id: columnOf(cursor.nextTradeId),
        trades: cursor.trades,
        read_at: cursor.readAt,
        refused: yesNo(cursor.refused),
        is_asked: yesNo(cursor.isAsked),
      };
      await on
        .insertInto('sync_cursors')
        .values({ account_id: accountId, uid, symbol: cursor.symbol, ...row })
        .onConflict((conflict) => conflict.columns(['account_id', 'uid', 'symbol']).doUpdateSet(row))
        .execute();
    },
    run: async (accountId: string): Promise<SyncRun | undefined> => {
      const row = await database.queries.selectFrom('sync_runs').selectAll().where('account_id', '=', accountId).executeTakeFirst();
      return (
        row && {
          state: row.state,
          remaining: JSON.parse(row.remaining) as string[],
          done: row.done,
          total: row.total,
          tradesFound: row.trades_found,
          startedAt: row.started_at,
          finishedAt: row.finished_at,
          error: row.error,
        }
      );
    },
    saveRun: async (accountId: string, run: SyncRun, on: Queries = database.queries): Promise<void> => {
      const row = {
        state: run.state,
        remaining: JSON.stringify(run.remaining),
        done: run.done,
        total: run.total,
        trades_found: run.tradesFound,
        started_at: run.startedAt,
        finished_at: run.finishedAt,
        error: run.error,
      };
      await on
        .insertInto('sync_runs')
        .values({ account_id: accountId, ...row })
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
        .execute();
    },
    transferCursors: async (accountId: string, uid: string): Promise<Map<string, number>> => {
      const rows = await database.queries
        .selectFrom('transfer_cursors')
        .select(['kind', 'read_to'])
        .where('account_id', '=', accountId)
        .where('uid', '=', uid)
        .execute();
      return new Map(rows.map(({ kind, read_to }) => [kind, read_to]));
    },
    saveTransferCursor: async (accountId: string, uid: string, kind: string, readTo: number, on: Queries): Promise<void> => {
      await on
        .insertInto('transfer_cursors')
        .values({ account_id: accountId, uid, kind, read_to: readTo })
        .onConflict((conflict) => conflict.columns(['account_id', 'uid', 'kind']).doUpdateSet({ read_to: readTo }))
        .execute();
    },
    /** What of the histories of an account could not be read, by list and name. */
    unread: (accountId: string, uid: string): Promise<{ list: string; name: string; field: string }[]> =>
      database.queries
        .selectFrom('unread_rows')
        .select(['list', 'name', 'field'])
        .where('account_id', '=', accountId)
        .where('uid', '=', uid)
        .orderBy('list')
        .orderBy('name')
        .limit(MOST_UNREAD)
        .execute(),
    /** Whether a list has rows that were not read and may be by now: then it has to be read from its beginning. */
    mayBeReadNow: async (accountId: string, uid: string, list: string, at: number): Promise<boolean> =>
      (await database.queries
        .selectFrom('unread_rows')
        .select('name')
        .where('account_id', '=', accountId)
        .where('uid', '=', uid)
        .where('list', '=', list)
        .where((row) => row.or([row('version', '<>', version), row('seen_at', '<', at - AGAIN_MS)]))
        .limit(1)
        .executeTakeFirst()) !== undefined,
    /** Notes the rows of a list that could not be read. `isFirst`: it was begun anew, and what was noted before is judged again. */
    saveUnread: async (
      { accountId, uid, list, isFirst, at }: { accountId: string; uid: string; list: string; isFirst: boolean; at: number },
      rows: readonly UnreadRow[],
      on: Queries,
    ): Promise<void> => {
      const whose = { account_id: accountId, uid, list };
      if (isFirst)
        await on.deleteFrom('unread_rows').where('account_id', '=', accountId).where('uid', '=', uid).where('list', '=', list).execute();
      for (const { name, field } of rows.slice(0, MOST_UNREAD))
        await on
          .insertInto('unread_rows')
          .values({ ...whose, name, field, version, seen_at: at })
          .onConflict((conflict) => conflict.columns(['account_id', 'uid', 'list', 'name']).doUpdateSet({ field, version, seen_at: at }))
          .execute();
    },
  };
}
