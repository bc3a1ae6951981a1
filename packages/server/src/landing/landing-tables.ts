import type { TradeMode } from '@pilotfish/core/http/wire';
import { type Migration, PostgresAdapter, sql } from 'kysely';
import { DECIMAL, ID, TEXT, TIME, YES_NO, type YesNo } from '../database/column-types.ts';

export type LandingTables = {
  /** When each pair was first seen at an exchange; 0 for those that were there when we first looked. */
  seen_pairs: { exchange: string; symbol: string; first_seen_at: number };
  /** Worth of each account over time, in the primary currency: of the connected one, and of its wallets on paper. */
  balance_snapshots: {
    account_id: string;
    mode: TradeMode;
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
  '0189-landing-balance-mode': {
    up: async (db) => {
      // The key grows by a column, which SQLite cannot alter: the table is written again. Nothing references it.
      await db.schema
        .createTable('balance_snapshots_by_mode')
        .addColumn('account_id', ID, (column) => column.notNull().references('accounts.id').onDelete('cascade'))
        .addColumn('market', TEXT, (column) => column.notNull().defaultTo(''))
        .addColumn('mode', TEXT, (column) => column.notNull())
        .addColumn('at', TIME, (column) => column.notNull())
        .addColumn('total', DECIMAL, (column) => column.notNull())
        .addColumn('invested', DECIMAL, (column) => column.notNull())
        .addColumn('available', DECIMAL, (column) => column.notNull())
        .addColumn('counts_earn', YES_NO, (column) => column.notNull().defaultTo(0))
        .addPrimaryKeyConstraint('balance_snapshots_by_mode_key', ['account_id', 'market', 'mode', 'at'])
        .execute();
      // Until now only connected accounts had points.
      await sql`insert into balance_snapshots_by_mode (account_id, market, mode, at, total, invested, available, counts_earn)
        select account_id, market, 'live', at, total, invested, available, counts_earn from balance_snapshots
        order by account_id, market, at`.execute(db);
      await db.schema.dropTable('balance_snapshots').execute();
      await db.schema.alterTable('balance_snapshots_by_mode').renameTo('balance_snapshots').execute();
      // PostgreSQL lets no two indexes have one name, not for a moment: the key takes that of the one before it afterwards.
      if (db.getExecutor().adapter instanceof PostgresAdapter)
        await sql`alter table balance_snapshots rename constraint balance_snapshots_by_mode_key to balance_snapshots_key`.execute(db);
    },
  },
};
