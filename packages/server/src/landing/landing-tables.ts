import type { Migration } from 'kysely';
import { DECIMAL, ID, TEXT, TIME, YES_NO, type YesNo } from '../database/column-types.ts';

export type LandingTables = {
  /** When each pair was first seen at an exchange; 0 for those that were there when we first looked. */
  seen_pairs: { exchange: string; symbol: string; first_seen_at: number };
  /** Worth of each connected account over time, in the primary currency. */
  balance_snapshots: {
    account_id: string;
    at: number;
    total: string;
    invested: string;
    available: string;
    /** 0 for those of versions that left coins in Simple Earn out: not to be compared with one that counts them. */
    counts_earn: YesNo;
  };
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
  '0071-landing-balance-snapshots': {
    up: async (db) => {
      await db.schema
        .createTable('balance_snapshots')
        .addColumn('account_id', ID, (column) => column.notNull().references('accounts.id').onDelete('cascade'))
        .addColumn('at', TIME, (column) => column.notNull())
        .addColumn('total', DECIMAL, (column) => column.notNull())
        .addColumn('invested', DECIMAL, (column) => column.notNull())
        .addColumn('available', DECIMAL, (column) => column.notNull())
        .addPrimaryKeyConstraint('balance_snapshots_key', ['account_id', 'at'])
        .execute();
    },
  },
  '0185-landing-balance-counts-earn': {
    up: async (db) => {
      await db.schema
        .alterTable('balance_snapshots')
        .addColumn('counts_earn', YES_NO, (column) => column.notNull().defaultTo(0))
        .execute();
    },
  },
};
