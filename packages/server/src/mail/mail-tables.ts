import type { Migration } from 'kysely';
import { COUNT, ID, TEXT, TIME } from '../database/column-types.ts';

export type MailTables = {
  /** Messages to be sent; written in the transaction of what caused them. */
  mail_outbox: {
    id: string;
    channel: 'mail' | 'sms';
    /** Sealed {to, subject, text}: a body may carry a one-time link. Emptied once sent. */
    message: string | null;
    attempts: number;
    due_at: number;
    created_at: number;
    sent_at: number | null;
    /** Given up then: it is tried no more, and kept for a while to be sent again by hand. */
    failed_at: number | null;
    /** Why the last try failed, as a code; `decoy` where nothing was to be sent. */
    failure: string | null;
  };
};

export const mailMigrations: Record<string, Migration> = {
  '0040-mail-outbox': {
    up: async (db) => {
      await db.schema
        .createTable('mail_outbox')
        .addColumn('id', ID, (column) => column.primaryKey())
        .addColumn('channel', TEXT, (column) => column.notNull())
        .addColumn('message', TEXT)
        .addColumn('attempts', COUNT, (column) => column.notNull().defaultTo(0))
        .addColumn('due_at', TIME, (column) => column.notNull())
        .addColumn('created_at', TIME, (column) => column.notNull())
        .addColumn('sent_at', TIME)
        .execute();
      await db.schema.createIndex('mail_outbox_due').on('mail_outbox').columns(['sent_at', 'due_at']).execute();
    },
  },
  '0041-mail-failures': {
    up: async (db) => {
      await db.schema.alterTable('mail_outbox').addColumn('failed_at', TIME).execute();
      await db.schema.alterTable('mail_outbox').addColumn('failure', TEXT).execute();
    },
  },
};
