import type { CoinHalt } from '@pilotfish/core/auto-trades/auto-trade-actions-contract';
import type { Database, Queries } from '../database/database.ts';

export type CoinHaltRow = {
  readonly id: string;
  readonly accountId: string;
  /** Null: of every bot of the account. */
  readonly autoTradeId: string | null;
  readonly symbol: string;
  readonly reason: string;
  readonly haltedAt: number;
  readonly until: number;
};

/** Kill switches of single coins. Those in force are kept in memory, because every order that is signed asks for them. */
export function coinHaltsStore({ queries }: Database, now: () => number) {
  let rows: CoinHaltRow[] = [];
  const inForce = () => rows.filter((row) => row.until > now());
  return {
    load: async (): Promise<void> => {
      const stored = await queries.selectFrom('coin_halts').selectAll().where('until', '>', now()).execute();
      rows = stored.map((row) => ({
        id: row.id,
        accountId: row.account_id,
        autoTradeId: row.auto_trade_id,
        symbol: row.symbol,
        reason: row.reason,
        haltedAt: row.halted_at,
        until: row.until,
      }));
    },
    list: (accountId: string): readonly CoinHaltRow[] => inForce().filter((row) => row.accountId === accountId),
    /** The switch that holds a coin of a bot back, if any: the one that lasts longest. */
    of: (accountId: string, autoTradeId: string, symbol: string): CoinHaltRow | undefined =>
      inForce()
        .filter((row) => row.accountId === accountId && row.symbol === symbol && (row.autoTradeId ?? autoTradeId) === autoTradeId)
        .sort((a, b) => b.until - a.until)[0],
    /** In force from this call on, also before it is written. */
    hold: (row: CoinHaltRow): void => {
      rows = [...inForce(), row];
    },
    insert: async (row: CoinHaltRow, on: Queries): Promise<void> => {
      await on
        .insertInto('coin_halts')
        .values({
          id: row.id,
          account_id: row.accountId,
          auto_trade_id: row.autoTradeId,
          symbol: row.symbol,
          reason: row.reason,
          halted_at: row.haltedAt,
          until: row.until,
        })
        .execute();
    },
    find: (accountId: string, id: string): CoinHaltRow | undefined => rows.find((row) => row.id === id && row.accountId === accountId),
    remove: async (id: string, on: Queries): Promise<void> => {
      await on.deleteFrom('coin_halts').where('id', '=', id).execute();
    },
    release: (id: string): void => {
      rows = rows.filter((row) => row.id !== id);
    },
    purge: async (before: number): Promise<void> => {
      await queries.deleteFrom('coin_halts').where('until', '<', before).execute();
    },
  };
}
export type CoinHaltsStore = ReturnType<typeof coinHaltsStore>;

export const toCoinHalt = (row: CoinHaltRow): CoinHalt => ({
  id: row.id,
  symbol: row.symbol,
  autoTradeId: row.autoTradeId,
  reason: row.reason,
  haltedAt: new Date(row.haltedAt).toISOString(),
  until: new Date(row.until).toISOString(),
});
