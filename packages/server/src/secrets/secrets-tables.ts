import type { Migration } from 'kysely';
import { ID, TEXT, TIME } from '../database/column-types.ts';

export type SecretsTables = {
  /** One row: what binds this database to its key file. */
  instance: {
    id: string;
    /** A text sealed with the key file's key; opening it proves the file belongs here. */
    key_check: string;
    created_at: number;
    /** The account that completed 2FA first and became Admin. */
    first_account_id: string | null;
  };
  /** Keys behind the keyed hashes of earlier key files, each sealed with the one of now. */
  retired_keys: { id: string; key: string; retired_at: number };
};

export const secretsMigrations: Record<string, Migration> = {
  '0010-secrets-instance': {
    up: async (db) => {
      await db.schema
        .createTable('instance')
        .addColumn('id', ID, (column) => column.primaryKey())
        .addColumn('key_check', TEXT, (column) => column.notNull())
        .addColumn('created_at', TIME, (column) => column.notNull())
        .addColumn('first_account_id', ID)
        .execute();
    },
  },
  '0011-secrets-retired-keys': {
    up: async (db) => {
      await db.schema
        .createTable('retired_keys')
        .addColumn('id', ID, (column) => column.primaryKey())
        .addColumn('key', TEXT, (column) => column.notNull())
        .addColumn('retired_at', TIME, (column) => column.notNull())
        .execute();
    },
  },
};
