import type { Migration } from 'kysely';
import { ID, JSON_TEXT, TEXT, TIME } from '../database/column-types.ts';

export type BotTemplatesTables = {
  bot_templates: {
    id: string;
    account_id: string;
    name: string;
    /** `nameKey`: case does not tell two names apart, in Turkish neither. */
    name_key: string;
    /** JSON: settings of a bot without name, wallet and coins. */
    settings: string;
    /** What its amounts are in. */
    currency: string | null;
    created_at: number;
    updated_at: number;
  };
};

export const botTemplatesMigrations: Record<string, Migration> = {
  '0212-bot-templates': {
    up: async (db) => {
      await db.schema
        .createTable('bot_templates')
        .addColumn('id', ID, (column) => column.primaryKey())
        .addColumn('account_id', ID, (column) => column.notNull().references('accounts.id').onDelete('cascade'))
        .addColumn('name', TEXT, (column) => column.notNull())
        .addColumn('name_key', TEXT, (column) => column.notNull())
        .addColumn('settings', JSON_TEXT, (column) => column.notNull())
        .addColumn('currency', TEXT)
        .addColumn('created_at', TIME, (column) => column.notNull())
        .addColumn('updated_at', TIME, (column) => column.notNull())
        .addUniqueConstraint('bot_templates_name', ['account_id', 'name_key'])
        .execute();
    },
  },
};
