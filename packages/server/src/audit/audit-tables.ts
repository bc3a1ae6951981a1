import type { Migration } from 'kysely';
import { ID, JSON_TEXT, TEXT, TIME } from '../database/column-types.ts';

export type AuditTables = {
  /** Append-only: no statement of the product updates or deletes a row. Accounts are named by id, so rows outlive them. */
  audit_log: {
    id: string;
    at: number;
    /** Whose log shows the entry; null when nobody is known (a login with an unknown name). */
    account_id: string | null;
    /** Who did it, when that is somebody else (an Admin). */
    actor_id: string | null;
    action: string;
    target: string | null;
    outcome: 'success' | 'failure';
    address: string;
    device: string;
    request_id: string;
    /** Before and after, without secrets. */
    details: string | null;
  };
};

export const auditMigrations: Record<string, Migration> = {
  '0030-audit-log': {
    up: async (db) => {
      await db.schema
        .createTable('audit_log')
        .addColumn('id', ID, (column) => column.primaryKey())
        .addColumn('at', TIME, (column) => column.notNull())
        .addColumn('account_id', ID)
        .addColumn('actor_id', ID)
        .addColumn('action', TEXT, (column) => column.notNull())
        .addColumn('target', TEXT)
        .addColumn('outcome', TEXT, (column) => column.notNull())
        .addColumn('address', TEXT, (column) => column.notNull())
        .addColumn('device', TEXT, (column) => column.notNull())
        .addColumn('request_id', TEXT, (column) => column.notNull())
        .addColumn('details', JSON_TEXT)
        .execute();
      await db.schema.createIndex('audit_log_account').on('audit_log').columns(['account_id', 'id']).execute();
    },
  },
};
