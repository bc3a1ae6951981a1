import { isTradeEnabled } from '@pilotfish/core/account/claims';
import { type Permissions, permissionsSchema } from '@pilotfish/core/exchange-connection/exchange-connection-contract';
import { AppError } from '@pilotfish/core/http/problem';
import type { Database, Queries } from '../database/database.ts';
import { isUniqueViolation } from '../database/database-error.ts';
import type { Binding, SecretBox } from '../secrets/secret-box.ts';
import { claimOf } from './exchange-connection-tables.ts';

export type Keys = { readonly apiKey: string; readonly apiSecret: string };
/** Keys and the exchange's own number of the account that they are of, from one row; '' where the exchange names none. */
export type OwnedKeys = Keys & { readonly uid: string };

export const connectionBinding = (accountId: string, field: 'api_key' | 'api_secret'): Binding => ({
  user: accountId,
  kind: 'exchange-connection',
  field,
});

/** Keys at rest: sealed for their account, opened only where a request is signed. */
export function exchangeConnectionStore({ queries }: Database, secretBox: SecretBox) {
  /** Everybody else who has connected the same account of the exchange. */
  const othersOf = async (accountId: string, exchange: string, uid: string, on: Queries): Promise<string[]> => {
    if (uid === '') return [];
    const rows = await on
      .selectFrom('exchange_connections')
      .select('account_id')
      .where('exchange', '=', exchange)
      .where('uid', '=', uid)
      .where('account_id', '!=', accountId)
      .orderBy('account_id')
      .execute();
    return rows.map((row) => row.account_id);
  };
  return {
    /** @throws AppError `exchange-account-taken` when somebody else has connected that account of the exchange */
    save: async (
      accountId: string,
      exchange: string,
      keys: Keys,
      uid: string,
      permissions: Permissions,
      at: number,
      on: Queries = queries,
    ): Promise<void> => {
      const others = await othersOf(accountId, exchange, uid, on);
      if (others.length > 0) {
        // Two who shared it before that was refused go on, and may replace their keys.
        const before = await on
          .selectFrom('exchange_connections')
          .select(['exchange', 'uid'])
          .where('account_id', '=', accountId)
          .executeTakeFirst();
        if (before?.exchange !== exchange || before.uid !== uid) throw new AppError('exchange-account-taken');
      }
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
      // One that is shared stays claimed by whoever has it.
      const claim = others.length > 0 ? {} : { claim: claimOf(exchange, uid) };
      await on
        .insertInto('exchange_connections')
        .values({ account_id: accountId, claim: null, ...row, ...claim })
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ ...row, ...claim }))
        .execute()
        .catch((error: unknown) => {
          throw isUniqueViolation(error, 'claim') ? new AppError('exchange-account-taken') : error;
        });
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
    keys: async (accountId: string): Promise<OwnedKeys | undefined> => {
      const row = await queries
        .selectFrom('exchange_connections')
        .select(['api_key', 'api_secret', 'uid'])
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return (
        row && {
          apiKey: secretBox.open(row.api_key, connectionBinding(accountId, 'api_key')),
          apiSecret: secretBox.open(row.api_secret, connectionBinding(accountId, 'api_secret')),
          uid: row.uid,
        }
      );
    },
    /** The account and everybody else who has connected the same account of the exchange, in a fixed order. */
    sharers: async (accountId: string): Promise<string[]> => {
      const row = await queries
        .selectFrom('exchange_connections')
        .select(['exchange', 'uid'])
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return row === undefined ? [accountId] : [accountId, ...(await othersOf(accountId, row.exchange, row.uid, queries))].sort();
    },
    /** Accounts with a connection to an account of the exchange that somebody else has connected, too. */
    shared: async (): Promise<{ accountId: string; claim: string }[]> => {
      const rows = await queries
        .selectFrom('exchange_connections as own')
        .innerJoin('exchange_connections as other', (join) =>
          join
            .onRef('own.exchange', '=', 'other.exchange')
            .onRef('own.uid', '=', 'other.uid')
            .onRef('own.account_id', '!=', 'other.account_id'),
        )
        .select(['own.account_id', 'own.exchange', 'own.uid'])
        .where('own.uid', '!=', '')
        .distinct()
        .orderBy('own.account_id')
        .execute();
      return rows.map(({ account_id, exchange, uid }) => ({ accountId: account_id, claim: `${exchange}:${uid}` }));
    },
    /** Accounts with a connection. */
    connectedAccounts: async (): Promise<string[]> => {
      const rows = await queries.selectFrom('exchange_connections').select('account_id').orderBy('account_id').execute();
      return rows.map((row) => row.account_id);
    },
    /** Accounts whose keys may not trade, as the exchange last said. */
    deniedAccounts: async (): Promise<string[]> => {
      const rows = await queries.selectFrom('exchange_connections').select(['account_id', 'permissions']).execute();
      return rows
        .filter(({ permissions }) => !isTradeEnabled(permissionsSchema.parse(JSON.parse(permissions))))
        .map((row) => row.account_id);
    },
    /** Every connection of the account, also those of markets that this server does not work with. */
    listEverywhere: async (
      accountId: string,
      on: Queries = queries,
    ): Promise<{ exchange: string; keyEnding: string; connectedAt: number }[]> => {
      const rows = await on
        .withoutPlugins()
        .selectFrom('exchange_connections')
        .select(['exchange', 'key_ending', 'connected_at'])
        .where('account_id', '=', accountId)
        .orderBy('exchange')
        .execute();
      return rows.map((row) => ({ exchange: row.exchange, keyEnding: row.key_ending, connectedAt: row.connected_at }));
    },
    /** Removes keys of a market that this server does not work with. */
    removeElsewhere: async (accountId: string, exchange: string, on: Queries): Promise<void> => {
      const all = on.withoutPlugins().deleteFrom('exchange_connections');
      await all.where('account_id', '=', accountId).where('exchange', '=', exchange).execute();
    },
    remove: async (accountId: string, on: Queries = queries): Promise<boolean> => {
      const result = await on.deleteFrom('exchange_connections').where('account_id', '=', accountId).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },
  };
}
export type ExchangeConnectionStore = ReturnType<typeof exchangeConnectionStore>;
