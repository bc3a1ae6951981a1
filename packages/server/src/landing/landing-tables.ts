import type { Migration } from 'kysely';
import { TEXT, TIME } from '../database/column-types.ts';

export type LandingTables = {
  /** When each pair was first seen at an exchange; 0 for those that were there when we first looked. */
  seen_pairs: { exchange: string; symbol: string; first_seen_at: number };
};

export const landingMigrations: Record<string, Migration> = {
  '0070-landing-seen-pairs': {
    up: async (db) => {
      await db.schema
        .createTable('seen_pairs')
        .addColumn('exchange', TEXT, (column) => column.notNull())
        .addColumn('symbol', TEXT, (column) => column.notNull())
        .addColumn('first_seen_at', TIME, (column) => column.notNull())
        .addPrimaryKeyConstraint('seen_pairs_key', ['exchange', 'symbol'])
        .execute();
      await db.schema.createIndex('seen_pairs_time').on('seen_pairs').columns(['exchange', 'first_seen_at']).execute();
    },
  },
};
