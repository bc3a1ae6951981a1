import type { Migration } from 'kysely';
import { TEXT, TIME } from '../database/column-types.ts';

export type AdminTables = {
  /** Texts this instance says differently from the bundle, or in addition to it. */
  localization_overrides: { key: string; en: string | null; tr: string | null; updated_at: number };
};

export const adminMigrations: Record<string, Migration> = {
  '0060-admin-localization-overrides': {
    up: async (db) => {
      await db.schema
        .createTable('localization_overrides')
        .addColumn('key', TEXT, (column) => column.primaryKey())
        .addColumn('en', TEXT)
        .addColumn('tr', TEXT)
        .addColumn('updated_at', TIME, (column) => column.notNull())
        .execute();
    },
  },
};
