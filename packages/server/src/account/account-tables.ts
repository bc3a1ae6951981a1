import type { Migration } from 'kysely';
import { COUNT, ID, JSON_TEXT, TEXT, TIME } from '../database/column-types.ts';

export type AccountTables = {
  /** What `preferencesSchema` and `viewChoicesSchema` say, but for the language, which stands in the account itself. */
  account_preferences: { account_id: string; choices: string; updated_at: number };
  /** The last export of each account; its file lies in the data folder until it expires. */
  account_exports: {
    account_id: string;
    state: 'running' | 'ready' | 'failed';
    done: number;
    total: number;
    row_count: number;
    bytes: number;
    started_at: number;
    expires_at: number | null;
  };
};

export const accountMigrations: Record<string, Migration> = {
  '0065-account-preferences': {
    up: async (db) => {
      await db.schema
        .createTable('account_preferences')
        .addColumn('account_id', ID, (column) => column.primaryKey().references('accounts.id').onDelete('cascade'))
        .addColumn('choices', JSON_TEXT, (column) => column.notNull())
        .addColumn('updated_at', TIME, (column) => column.notNull())
        .execute();
    },
  },
  '0066-account-exports': {
    up: async (db) => {
      await db.schema
        .createTable('account_exports')
        .addColumn('account_id', ID, (column) => column.primaryKey().references('accounts.id').onDelete('cascade'))
        .addColumn('state', TEXT, (column) => column.notNull())
        .addColumn('done', COUNT, (column) => column.notNull())
        .addColumn('total', COUNT, (column) => column.notNull())
        .addColumn('row_count', COUNT, (column) => column.notNull())
        .addColumn('bytes', COUNT, (column) => column.notNull())
        .addColumn('started_at', TIME, (column) => column.notNull())
        .addColumn('expires_at', TIME)
        .execute();
    },
  },
};
