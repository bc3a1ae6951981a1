import type { Migration } from 'kysely';
import { COUNT, DECIMAL, ID, JSON_TEXT, TEXT, TIME, YES_NO, type YesNo } from '../database/column-types.ts';

export type PriceAlertsTables = {
  price_alerts: {
    id: string;
    account_id: string;
    /** JSON: what `priceAlertBody` says, with `expiresAt` settled. */
    body: string;
    /** State of the alert's machine, and its context as JSON. */
    state: string;
    context: string;
    /** JSON: what its judge goes on from after a restart. */
    memory: string;
    created_at: number;
    updated_at: number;
  };
  price_alert_firings: {
    id: string;
    account_id: string;
    price_alert_id: string;
    /** What fired it, unique within the alert: the same is never told twice. */
    trigger_key: string;
    symbol: string | null;
    condition: string;
    note: string;
    at: number;
    recorded_at: number;
    price: string | null;
    feed_at: number;
    latency_ms: number;
    late: YesNo;
    facts: string;
    reminders: number;
    acknowledged_at: number | null;
    delivery: 'sent' | 'held' | 'dropped' | 'digest';
    held_until: number | null;
  };
  /** One row: up to where in market time every price was heard, and which pairs there were. */
  price_alert_feed: { id: string; heard_until: number; pairs: string };
};

export const priceAlertsMigrations: Record<string, Migration> = {
  '0210-price-alerts': {
    up: async (db) => {
      await db.schema
        .createTable('price_alerts')
        .addColumn('id', ID, (column) => column.primaryKey())
        .addColumn('account_id', ID, (column) => column.notNull().references('accounts.id').onDelete('cascade'))
        .addColumn('body', JSON_TEXT, (column) => column.notNull())
        .addColumn('state', TEXT, (column) => column.notNull())
        .addColumn('context', JSON_TEXT, (column) => column.notNull())
        .addColumn('memory', JSON_TEXT, (column) => column.notNull())
        .addColumn('created_at', TIME, (column) => column.notNull())
        .addColumn('updated_at', TIME, (column) => column.notNull())
        .execute();
      await db.schema.createIndex('price_alerts_account').on('price_alerts').columns(['account_id', 'id']).execute();
      await db.schema
        .createTable('price_alert_firings')
        .addColumn('id', ID, (column) => column.primaryKey())
        .addColumn('account_id', ID, (column) => column.notNull().references('accounts.id').onDelete('cascade'))
        .addColumn('price_alert_id', ID, (column) => column.notNull())
        .addColumn('trigger_key', TEXT, (column) => column.notNull())
        .addColumn('symbol', TEXT)
        .addColumn('condition', JSON_TEXT, (column) => column.notNull())
        .addColumn('note', TEXT, (column) => column.notNull())
        .addColumn('at', TIME, (column) => column.notNull())
        .addColumn('recorded_at', TIME, (column) => column.notNull())
        .addColumn('price', DECIMAL)
        .addColumn('feed_at', TIME, (column) => column.notNull())
        .addColumn('latency_ms', COUNT, (column) => column.notNull())
        .addColumn('late', YES_NO, (column) => column.notNull())
        .addColumn('facts', JSON_TEXT, (column) => column.notNull())
        .addColumn('reminders', COUNT, (column) => column.notNull())
        .addColumn('acknowledged_at', TIME)
        .addColumn('delivery', TEXT, (column) => column.notNull())
        .addColumn('held_until', TIME)
        .addUniqueConstraint('price_alert_firings_once', ['price_alert_id', 'trigger_key'])
        .execute();
      await db.schema.createIndex('price_alert_firings_account').on('price_alert_firings').columns(['account_id', 'recorded_at']).execute();
      await db.schema
        .createTable('price_alert_feed')
        .addColumn('id', ID, (column) => column.primaryKey())
        .addColumn('heard_until', TIME, (column) => column.notNull())
        .addColumn('pairs', JSON_TEXT, (column) => column.notNull())
        .execute();
    },
  },
};
