import type { Migration } from 'kysely';
import { ID, TEXT, TIME } from './column-types.ts';

export type InstallationTables = {
  /**
   * One row: what the orders of this installation are known by at the exchange, its last start, when it ran last, and the market that an Admin chose;
   * null while the question of the first run is open.
   */
  installation: { id: string; tag: string; epoch: string; begun_at: number; seen_at: number | null; market: string | null };
};

export const installationMigrations: Record<string, Migration> = {
  '0005-installation': {
    up: async (db) => {
      await db.schema
        .createTable('installation')
        .addColumn('id', ID, (column) => column.primaryKey())
        .addColumn('tag', TEXT, (column) => column.notNull())
        .addColumn('epoch', TEXT, (column) => column.notNull())
        .addColumn('begun_at', TIME, (column) => column.notNull())
        .execute();
    },
  },
  '0006-installation-seen': {
    up: async (db) => {
      await db.schema.alterTable('installation').addColumn('seen_at', TIME).execute();
    },
  },
  '0007-installation-market': {
    up: async (db) => {
      await db.schema.alterTable('installation').addColumn('market', TEXT).execute();
    },
  },
};
