import type { NotificationKind, OuterChannel } from '@pilotfish/core/notifications/notification-kinds';
import type { Migration } from 'kysely';
import { COUNT, ID, JSON_TEXT, TEXT, TIME } from '../database/column-types.ts';

/** `pending` is still to be sent; the others are final. `dropped`: nobody to send to any more, or muted. */
export type DeliveryState = 'pending' | 'sent' | 'undelivered' | 'dropped';

export type NotificationsTables = {
  notifications: {
    id: string;
    account_id: string;
    kind: NotificationKind;
    /** Texts are `notifications.<code>.title|text`, filled from the facts in the reader's language. */
    code: string;
    facts: string;
    link: string | null;
    /** Unique per account: whoever tells the same thing twice adds nothing. */
    key: string;
    at: number;
    created_at: number;
    read_at: number | null;
  };
  notification_deliveries: {
    id: string;
    notification_id: string;
    account_id: string;
    channel: OuterChannel;
    state: DeliveryState;
    attempts: number;
    due_at: number;
    created_at: number;
    finished_at: number | null;
    /** Why the last try failed, as a code. */
    failure: string | null;
  };
  notification_settings: {
    account_id: string;
    /** JSON: what `notificationChoicesSchema` says. */
    choices: string;
    /** Sealed: the address often carries a token. */
    webhook_url: string | null;
    webhook_secret: string | null;
    /** Null for addresses of before it was kept. */
    webhook_added_at: number | null;
    updated_at: number;
  };
  /** Channels whose receiver refused for good: nothing is sent there until they work again. */
  channel_troubles: {
    account_id: string;
    channel: OuterChannel;
    /** Hash of the address it was; another address has no trouble. Empty for a webhook. */
    target: string;
    /** A code of `notifications.failures`. */
    reason: string;
    since: number;
  };
  push_subscriptions: {
    id: string;
    account_id: string;
    endpoint_hash: string;
    /** Sealed {endpoint, keys}: who knows them can write to the browser. */
    subscription: string;
    device: string;
    created_at: number;
  };
  /** The instance's own key pair for web push, sealed. */
  push_keys: { id: string; public_key: string; private_key: string };
};

export const notificationsMigrations: Record<string, Migration> = {
  '0200-notifications': {
    up: async (db) => {
      await db.schema
        .createTable('notifications')
        .addColumn('id', ID, (column) => column.primaryKey())
        .addColumn('account_id', ID, (column) => column.notNull().references('accounts.id').onDelete('cascade'))
        .addColumn('kind', TEXT, (column) => column.notNull())
        .addColumn('code', TEXT, (column) => column.notNull())
        .addColumn('facts', JSON_TEXT, (column) => column.notNull())
        .addColumn('link', TEXT)
        .addColumn('key', TEXT, (column) => column.notNull())
        .addColumn('at', TIME, (column) => column.notNull())
        .addColumn('created_at', TIME, (column) => column.notNull())
        .addColumn('read_at', TIME)
        .addUniqueConstraint('notifications_told_once', ['account_id', 'key'])
        .execute();
      await db.schema.createIndex('notifications_newest').on('notifications').columns(['account_id', 'created_at', 'id']).execute();
      await db.schema.createIndex('notifications_age').on('notifications').column('created_at').execute();
      await db.schema
        .createTable('notification_deliveries')
        .addColumn('id', ID, (column) => column.primaryKey())
        .addColumn('notification_id', ID, (column) => column.notNull().references('notifications.id').onDelete('cascade'))
        .addColumn('account_id', ID, (column) => column.notNull().references('accounts.id').onDelete('cascade'))
        .addColumn('channel', TEXT, (column) => column.notNull())
        .addColumn('state', TEXT, (column) => column.notNull())
        .addColumn('attempts', COUNT, (column) => column.notNull().defaultTo(0))
        .addColumn('due_at', TIME, (column) => column.notNull())
        .addColumn('created_at', TIME, (column) => column.notNull())
        .addColumn('finished_at', TIME)
        .addColumn('failure', TEXT)
        .addUniqueConstraint('notification_deliveries_once', ['notification_id', 'channel'])
        .execute();
      await db.schema.createIndex('notification_deliveries_due').on('notification_deliveries').columns(['state', 'due_at']).execute();
      await db.schema
        .createIndex('notification_deliveries_account')
        .on('notification_deliveries')
        .columns(['account_id', 'created_at'])
        .execute();
      await db.schema
        .createTable('notification_settings')
        .addColumn('account_id', ID, (column) => column.primaryKey().references('accounts.id').onDelete('cascade'))
        .addColumn('choices', JSON_TEXT, (column) => column.notNull())
        .addColumn('webhook_url', TEXT)
        .addColumn('webhook_secret', TEXT)
        .addColumn('updated_at', TIME, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('push_subscriptions')
        .addColumn('id', ID, (column) => column.primaryKey())
        .addColumn('account_id', ID, (column) => column.notNull().references('accounts.id').onDelete('cascade'))
        .addColumn('endpoint_hash', TEXT, (column) => column.notNull().unique())
        .addColumn('subscription', TEXT, (column) => column.notNull())
        .addColumn('device', TEXT, (column) => column.notNull())
        .addColumn('created_at', TIME, (column) => column.notNull())
        .execute();
      await db.schema.createIndex('push_subscriptions_account').on('push_subscriptions').column('account_id').execute();
      await db.schema
        .createTable('push_keys')
        .addColumn('id', ID, (column) => column.primaryKey())
        .addColumn('public_key', TEXT, (column) => column.notNull())
        .addColumn('private_key', TEXT, (column) => column.notNull())
        .execute();
    },
  },
  '0201-notifications-channel-troubles': {
    up: async (db) => {
      await db.schema
        .createTable('channel_troubles')
        .addColumn('account_id', ID, (column) => column.notNull().references('accounts.id').onDelete('cascade'))
        .addColumn('channel', TEXT, (column) => column.notNull())
        .addColumn('target', TEXT, (column) => column.notNull())
        .addColumn('reason', TEXT, (column) => column.notNull())
        .addColumn('since', TIME, (column) => column.notNull())
        .addPrimaryKeyConstraint('channel_troubles_one', ['account_id', 'channel'])
        .execute();
    },
  },
  '0202-notifications-webhook-age': {
    up: async (db) => {
      await db.schema.alterTable('notification_settings').addColumn('webhook_added_at', TIME).execute();
    },
  },
};
