import type { Migration } from 'kysely';
import { ID, JSON_TEXT, TEXT, TIME } from '../database/column-types.ts';

export type TelegramTables = {
  /** The chat of each linked account. */
  telegram_chats: {
    account_id: string;
    /** Keyed hash of the chat id: how an incoming message finds its account. */
    chat_hash: string;
    /** Sealed chat id. */
    chat: string;
    connected_at: number;
    /** No messages until then; commands are still answered. */
    muted_until: number | null;
  };
  /** `start`: the app's code, shown in the deep link. `connect`: the bot's code, sent to the chat. Each works once. */
  telegram_codes: {
    code_hash: string;
    kind: 'start' | 'connect';
    /** Whose app made it; a `connect` code works only for the account whose `start` code was used. */
    account_id: string;
    /** Sealed chat id, of `connect` codes. */
    chat: string | null;
    created_at: number;
    expires_at: number;
    used_at: number | null;
  };
  /** Updates already taken up: a repeated one is never acted on twice. */
  telegram_updates: { update_id: number; taken_at: number };
  /** Commands that wait for their second tap. */
  telegram_confirmations: {
    id: string;
    account_id: string;
    chat_hash: string;
    command: string;
    created_at: number;
    expires_at: number;
    used_at: number | null;
  };
};

export const telegramMigrations: Record<string, Migration> = {
  '0210-telegram': {
    up: async (db) => {
      await db.schema
        .createTable('telegram_chats')
        .addColumn('account_id', ID, (column) => column.primaryKey().references('accounts.id').onDelete('cascade'))
        .addColumn('chat_hash', TEXT, (column) => column.notNull().unique())
        .addColumn('chat', TEXT, (column) => column.notNull())
        .addColumn('connected_at', TIME, (column) => column.notNull())
        .addColumn('muted_until', TIME)
        .execute();
      await db.schema
        .createTable('telegram_codes')
        .addColumn('code_hash', TEXT, (column) => column.primaryKey())
        .addColumn('kind', TEXT, (column) => column.notNull())
        .addColumn('account_id', ID, (column) => column.notNull().references('accounts.id').onDelete('cascade'))
        .addColumn('chat', TEXT)
        .addColumn('created_at', TIME, (column) => column.notNull())
        .addColumn('expires_at', TIME, (column) => column.notNull())
        .addColumn('used_at', TIME)
        .execute();
      await db.schema.createIndex('telegram_codes_account').on('telegram_codes').columns(['account_id', 'kind']).execute();
      await db.schema
        .createTable('telegram_updates')
        .addColumn('update_id', TIME, (column) => column.primaryKey())
        .addColumn('taken_at', TIME, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('telegram_confirmations')
        .addColumn('id', ID, (column) => column.primaryKey())
        .addColumn('account_id', ID, (column) => column.notNull().references('accounts.id').onDelete('cascade'))
        .addColumn('chat_hash', TEXT, (column) => column.notNull())
        .addColumn('command', JSON_TEXT, (column) => column.notNull())
        .addColumn('created_at', TIME, (column) => column.notNull())
        .addColumn('expires_at', TIME, (column) => column.notNull())
        .addColumn('used_at', TIME)
        .execute();
      await db.schema.createIndex('telegram_confirmations_account').on('telegram_confirmations').column('account_id').execute();
    },
  },
};
