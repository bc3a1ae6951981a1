import type { Migration } from 'kysely';
import { ID, JSON_TEXT, TEXT, TIME } from '../database/column-types.ts';

export type ExchangeConnectionTables = {
  /** Keys of a user's exchange account. Key and secret are sealed: no query can answer them. */
  exchange_connections: {
    account_id: string;
    exchange: string;
    api_key: string;
    api_secret: string;
    key_ending: string;
    /** The exchange's number of the account: new keys of the same one may replace old ones at any time. */
    uid: string;
    /**
     * Exchange and uid of an account that nobody else may connect. Null where the exchange names no uid, and for those
     * that had connected an account of somebody else before this was refused.
     */
    claim: string | null;
    /** The permission answer of the last check, JSON. */
    permissions: string;
    connected_at: number;
    checked_at: number;
  };
};

export const exchangeConnectionMigrations: Record<string, Migration> = {
  '0100-exchange-connections': {
    up: async (db) => {
      await db.schema
        .createTable('exchange_connections')
        .addColumn('account_id', ID, (column) => column.primaryKey().references('accounts.id').onDelete('cascade'))
        .addColumn('exchange', TEXT, (column) => column.notNull())
        .addColumn('api_key', TEXT, (column) => column.notNull())
        .addColumn('api_secret', TEXT, (column) => column.notNull())
        .addColumn('key_ending', TEXT, (column) => column.notNull())
        .addColumn('uid', TEXT, (column) => column.notNull())
        .addColumn('permissions', JSON_TEXT, (column) => column.notNull())
        .addColumn('connected_at', TIME, (column) => column.notNull())
        .addColumn('checked_at', TIME, (column) => column.notNull())
        .execute();
    },
  },
  '0101-exchange-accounts-once': {
    up: async (db) => {
      await db.schema.alterTable('exchange_connections').addColumn('claim', TEXT).execute();
      const rows: Pick<ExchangeConnectionTables['exchange_connections'], 'account_id' | 'exchange' | 'uid'>[] = await db
        .selectFrom('exchange_connections')
        .select(['account_id', 'exchange', 'uid'])
        .orderBy('connected_at')
        .orderBy('account_id')
        .execute();
      const claimed = new Set<string | null>([null]);
      // Whoever came first has it; the others go on without, and are told.
      for (const { account_id: accountId, exchange, uid } of rows) {
        const claim = claimOf(exchange, uid);
        if (claimed.has(claim)) continue;
        claimed.add(claim);
        await db.updateTable('exchange_connections').set({ claim }).where('account_id', '=', accountId).execute();
      }
      await db.schema.createIndex('exchange_connections_claim').unique().on('exchange_connections').column('claim').execute();
    },
  },
};

/** What only one connection may have: an account of an exchange; null while the exchange does not name it. */
export const claimOf = (exchange: string, uid: string): string | null => (uid === '' ? null : `${exchange}:${uid}`);
