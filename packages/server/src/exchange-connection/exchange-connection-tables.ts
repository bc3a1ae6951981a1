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
};
