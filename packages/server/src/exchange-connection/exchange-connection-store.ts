import { type Permissions, permissionsSchema } from '@pilotfish/core/exchange-connection/exchange-connection-contract';
import type { Database, Queries } from '../database/database.ts';
import type { Binding, SecretBox } from '../secrets/secret-box.ts';

export type Keys = { readonly apiKey: string; readonly apiSecret: string };

export const connectionBinding = (accountId: string, field: 'api_key' | 'api_secret'): Binding => ({
  user: accountId,
  kind: 'exchange-connection',
  field,
});

/** Keys at rest: sealed for their account, opened only where a request is signed. */
export function exchangeConnectionStore({ queries }: Database, secretBox: SecretBox) {
  return {
    save: async (
      accountId: string,
      exchange: string,
      keys: Keys,
      uid: string,
      permissions: Permissions,
      at: number,
      on: Queries = queries,
    ): Promise<void> => {
      const row = {
        exchange,
        api_key: secretBox.seal(keys.apiKey, connectionBinding(accountId, 'api_key')),
        api_secret: secretBox.seal(keys.apiSecret, connectionBinding(accountId, 'api_secret')),
        key_ending: keys.apiKey.slice(-4),
        uid,
        permissions: JSON.stringify(permissions),
        connected_at: at,
        checked_at: at,
      };
      await on
        .insertInto('exchange_connections')
        .values({ account_id: accountId, ...row })
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
        .execute();
    },
    savePermissions: async (accountId: string, permissions: Permissions, at: number): Promise<void> => {
      await queries
        .updateTable('exchange_connections')
        .set({ permissions: JSON.stringify(permissions), checked_at: at })
        .where('account_id', '=', accountId)
        .execute();
    },
    /** What is known without asking the exchange. */
    find: async (
      accountId: string,
    ): Promise<{ exchange: string; keyEnding: string; uid: string; permissions: Permissions } | undefined> => {
      const row = await queries.selectFrom('exchange_connections').selectAll().where('account_id', '=', accountId).executeTakeFirst();
      return (
        row && {
          exchange: row.exchange,
          keyEnding: row.key_ending,
          uid: row.uid,
          permissions: permissionsSchema.parse(JSON.parse(row.permissions)),
        }
      );
    },
    keys: async (accountId: string): Promise<Keys | undefined> => {
      const row = await queries
        .selectFrom('exchange_connections')
        .select(['api_key', 'api_secret'])
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return (
        row && {
          apiKey: secretBox.open(row.api_key, connectionBinding(accountId, 'api_key')),
          apiSecret: secretBox.open(row.api_secret, connectionBinding(accountId, 'api_secret')),
        }
      );
    },
    /** Accounts with a connection. */
    connectedAccounts: async (): Promise<string[]> => {
      const rows = await queries.selectFrom('exchange_connections').select('account_id').orderBy('account_id').execute();
      return rows.map((row) => row.account_id);
    },
    remove: async (accountId: string, on: Queries = queries): Promise<boolean> => {
      const result = await on.deleteFrom('exchange_connections').where('account_id', '=', accountId).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },
  };
}
export type ExchangeConnectionStore = ReturnType<typeof exchangeConnectionStore>;
