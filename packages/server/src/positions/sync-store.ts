import { yesNo } from '../database/column-types.ts';
import type { Database, Queries } from '../database/database.ts';

/** How far the trades of one pair were read from one account at the exchange. */
export type SyncCursor = {
  readonly symbol: string;
  readonly nextTradeId: number;
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

/** Where the reading of trade histories stands. `uid` is the exchange's own number of the account. */
export function syncStore(database: Database) {
  return {
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
          { symbol, nextTradeId: next_trade_id, trades, readAt: read_at, refused: refused === 1, isAsked: is_asked === 1 },
        ]),
      );
    },
    saveCursor: async (accountId: string, uid: string, cursor: SyncCursor, on: Queries = database.queries): Promise<void> => {
      const row = {
        next_trade_id: cursor.nextTradeId,
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
  };
}
