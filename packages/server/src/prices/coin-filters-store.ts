import { nameKey } from '@pilotfish/core/fields/name-key';
import { type CoinFilter, type CoinFilterBody, coinFilterBody } from '@pilotfish/core/prices/screener-contract';
import * as z from 'zod';
import type { Database, Queries } from '../database/database.ts';

const lastCoins = z.object({ coins: z.array(z.string()), at: z.number() });
export type LastCoins = z.infer<typeof lastCoins>;
export type StoredCoinFilter = CoinFilter & { readonly accountId: string; readonly last: LastCoins | undefined };

export type CoinFiltersStore = ReturnType<typeof coinFiltersStore>;

export function coinFiltersStore(database: Database) {
  const { queries } = database;
  const toFilter = (row: {
    id: string;
    account_id: string;
    name: string;
    settings: string;
    last_coins: string | null;
  }): StoredCoinFilter => ({
    ...coinFilterBody.parse({ ...(JSON.parse(row.settings) as object), name: row.name }),
    id: row.id,
    accountId: row.account_id,
    last: row.last_coins === null ? undefined : lastCoins.parse(JSON.parse(row.last_coins)),
  });
  return {
    list: async (accountId: string): Promise<StoredCoinFilter[]> =>
      (await queries.selectFrom('coin_filters').selectAll().where('account_id', '=', accountId).orderBy('name_key').execute()).map(
        toFilter,
      ),
    find: async (id: string, accountId?: string): Promise<StoredCoinFilter | undefined> => {
      const query = queries.selectFrom('coin_filters').selectAll().where('id', '=', id);
      const row = await (accountId === undefined ? query : query.where('account_id', '=', accountId)).executeTakeFirst();
      return row && toFilter(row);
    },
    /** False when the name is taken. @param requireRoom throws where there are as many as may be */
    insert: async (
      filter: { id: string; accountId: string; at: number },
      { name, ...settings }: CoinFilterBody,
      requireRoom: (transaction: Queries) => Promise<void>,
    ): Promise<boolean> =>
      database.transaction(async (transaction) => {
        await requireRoom(transaction);
        const inserted = await transaction
          .insertInto('coin_filters')
          .values({
            id: filter.id,
            account_id: filter.accountId,
            name,
            name_key: nameKey(name),
            settings: JSON.stringify(settings),
            last_coins: null,
            created_at: filter.at,
          })
          .onConflict((conflict) => conflict.columns(['account_id', 'name_key']).doNothing())
          .returning('id')
          .executeTakeFirst();
        return inserted !== undefined;
      }),
    remove: async (accountId: string, id: string): Promise<boolean> =>
      (await queries.deleteFrom('coin_filters').where('account_id', '=', accountId).where('id', '=', id).returning('id').execute()).length >
      0,
    saveLast: async (id: string, last: LastCoins): Promise<void> => {
      await queries
        .updateTable('coin_filters')
        .set({ last_coins: JSON.stringify(last) })
        .where('id', '=', id)
        .execute();
    },
  };
}
