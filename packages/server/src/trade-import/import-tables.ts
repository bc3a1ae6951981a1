import type { Generated, Migration } from 'kysely';
import { COUNT, ID, JSON_TEXT, TEXT, TIME } from '../database/column-types.ts';

export type ImportTables = {
  /** Files whose rows are in the ledger; what they brought carries the batch's id. */
  import_batches: {
    id: string;
    account_id: string;
    file_name: string;
    format: string;
    at: number;
    /** Counts of the rows by result, and the period they cover, as JSON. */
    counts: string;
    period: string;
    /** Written by earlier versions: entries that gave way to this import, as JSON. Now they say so themselves. */
    replaced: string;
    /** What its entries take as text; of imports of earlier versions about as much. Zero for costs that were carried over. */
    bytes: Generated<number>;
  };
  /** What operations of statements mean that the program does not know, as their owner said. */
  import_operations: {
    account_id: string;
    /** In small letters. */
    operation: string;
    meaning: string;
    at: number;
  };
};

/** What an entry took as text in files of every format, rounded up. */
const BYTES_OF_AN_ENTRY = 500;

export const importMigrations: Record<string, Migration> = {
  '0180-import-batches': {
    up: async (db) => {
      await db.schema
        .createTable('import_batches')
        .addColumn('id', ID, (column) => column.primaryKey())
        .addColumn('account_id', ID, (column) => column.notNull().references('accounts.id').onDelete('cascade'))
        .addColumn('file_name', TEXT, (column) => column.notNull())
        .addColumn('format', TEXT, (column) => column.notNull())
        .addColumn('at', TIME, (column) => column.notNull())
        .addColumn('counts', JSON_TEXT, (column) => column.notNull())
        .addColumn('period', JSON_TEXT, (column) => column.notNull())
        .addColumn('replaced', JSON_TEXT, (column) => column.notNull())
        .execute();
      await db.schema.createIndex('import_batches_account').on('import_batches').columns(['account_id', 'at']).execute();
    },
  },
  '0181-import-operations': {
    up: async (db) => {
      await db.schema
        .createTable('import_operations')
        .addColumn('account_id', ID, (column) => column.notNull().references('accounts.id').onDelete('cascade'))
        .addColumn('operation', TEXT, (column) => column.notNull())
        .addColumn('meaning', TEXT, (column) => column.notNull())
        .addColumn('at', TIME, (column) => column.notNull())
        .addPrimaryKeyConstraint('import_operations_pk', ['account_id', 'operation'])
        .execute();
    },
  },
  '0186-import-bytes': {
    up: async (db) => {
      await db.schema
        .alterTable('import_batches')
        .addColumn('bytes', COUNT, (column) => column.notNull().defaultTo(0))
        .execute();
      for (const { id, counts } of await db.selectFrom('import_batches').select(['id', 'counts']).execute()) {
        const { imported = 0 } = JSON.parse(String(counts)) as { imported?: number };
        await db
          .updateTable('import_batches')
          .set({ bytes: imported * BYTES_OF_AN_ENTRY })
          .where('id', '=', id)
          .execute();
      }
    },
  },
};
