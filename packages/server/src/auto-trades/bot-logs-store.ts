import type { AutoTradeLog } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Queries } from '../database/database.ts';

/** The lines that bots write beside their traces; their owner may delete them. */
export function botLogsStore(queries: Queries) {
  const toLog = (row: {
    id: string;
    at: number;
    position_id: string | null;
    symbol: string | null;
    code: string;
    level: 'info' | 'warning' | 'error';
    facts: string;
  }): AutoTradeLog => ({
    id: row.id,
    at: new Date(row.at).toISOString(),
    positionId: row.position_id,
    symbol: row.symbol,
    code: row.code,
    level: row.level,
    facts: JSON.parse(row.facts) as AutoTradeLog['facts'],
  });

  return {
    appendLogs: async (autoTradeId: string, logs: readonly AutoTradeLog[], on: Queries): Promise<void> => {
      if (logs.length === 0) return;
      await on
        .insertInto('auto_trade_logs')
        .values(
          logs.map(({ id, at, positionId, symbol, code, level, facts }) => ({
            id,
            auto_trade_id: autoTradeId,
            position_id: positionId,
            symbol,
            at: Date.parse(at),
            code,
            level,
            facts: JSON.stringify(facts),
          })),
        )
        .execute();
    },
    logs: async (autoTradeId: string, query: { page: number; pageSize: number }): Promise<{ items: AutoTradeLog[]; total: number }> => {
      const all = queries.selectFrom('auto_trade_logs').where('auto_trade_id', '=', autoTradeId);
      const { total } = await all.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
      const rows = await all
        .selectAll()
        .orderBy('id', 'desc')
        .limit(query.pageSize)
        .offset((query.page - 1) * query.pageSize)
        .execute();
      return { items: rows.map(toLog), total: Number(total) };
    },
    positionLogs: async (autoTradeId: string, positionId: string): Promise<AutoTradeLog[]> =>
      (
        await queries
          .selectFrom('auto_trade_logs')
          .selectAll()
          .where('auto_trade_id', '=', autoTradeId)
          .where('position_id', '=', positionId)
          .orderBy('id')
          .execute()
      ).map(toLog),
    deleteLogs: async (autoTradeId: string): Promise<void> => {
      await queries.deleteFrom('auto_trade_logs').where('auto_trade_id', '=', autoTradeId).execute();
    },
  };
}
