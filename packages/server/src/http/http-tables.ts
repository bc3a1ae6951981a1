import type { Migration } from 'kysely';
import { COUNT, ID, JSON_TEXT, TEXT, TIME } from '../database/column-types.ts';

export type HttpTables = {
  /** First answers of calls that carried an `Idempotency-Key`. */
  idempotent_calls: {
    account_id: string;
    key: string;
    endpoint: string;
    request_hash: string;
    /** Null while the first call is running. */
    status: number | null;
    answer: string | null;
    created_at: number;
  };
};

export const httpMigrations: Record<string, Migration> = {
  '0050-http-idempotent-calls': {
    up: async (db) => {
      await db.schema
        .createTable('idempotent_calls')
        .addColumn('account_id', ID, (column) => column.notNull().references('accounts.id').onDelete('cascade'))
        .addColumn('key', TEXT, (column) => column.notNull())
        .addColumn('endpoint', TEXT, (column) => column.notNull())
        .addColumn('request_hash', TEXT, (column) => column.notNull())
        .addColumn('status', COUNT)
        .addColumn('answer', JSON_TEXT)
        .addColumn('created_at', TIME, (column) => column.notNull())
        .addPrimaryKeyConstraint('idempotent_calls_key', ['account_id', 'key'])
        .execute();
      await db.schema.createIndex('idempotent_calls_age').on('idempotent_calls').column('created_at').execute();
    },
  },
};
