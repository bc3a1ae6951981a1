import type { Migration } from 'kysely';
import { COUNT, ID, JSON_TEXT, TEXT, TIME, YES_NO, type YesNo } from '../database/column-types.ts';

export type AdminTables = {
  /** Texts this instance says differently from the bundle, or in addition to it. */
  localization_overrides: { key: string; en: string | null; tr: string | null; updated_at: number };
  /** What an Admin chose, JSON by key; a key without a row has its default. */
  app_settings: { key: string; value: string; updated_at: number };
  /** What this instance says of currencies; null leaves a field to the exchange. */
  currency_settings: {
    code: string;
    name: string | null;
    precision: number | null;
    enabled: YesNo | null;
    sort: number | null;
    /** A PNG, base64. */
    icon: string | null;
    updated_at: number;
  };
  /** Roles that Admins made; `permissions` is a JSON list. `account_roles` names them, as it names Admin. */
  roles: { id: string; name: string; name_key: string; permissions: string; updated_at: number };
  /** Tags of this instance beside the built-in ones; `assets` is a JSON list of codes. */
  custom_tags: { key: string; label_en: string; label_tr: string; assets: string; updated_at: number };
  /** Counts the changes of texts, settings, currencies and tags, so that every process notices them. */
  instance_revisions: { name: InstancePart; revision: number };
};

export type InstancePart = 'texts' | 'settings' | 'currencies' | 'tags';

export const adminMigrations: Record<string, Migration> = {
  '0060-admin-localization-overrides': {
    up: async (db) => {
      await db.schema
        .createTable('localization_overrides')
        .addColumn('key', TEXT, (column) => column.primaryKey())
        .addColumn('en', TEXT)
        .addColumn('tr', TEXT)
        .addColumn('updated_at', TIME, (column) => column.notNull())
        .execute();
    },
  },
  '0061-admin-instance': {
    up: async (db) => {
      await db.schema
        .createTable('app_settings')
        .addColumn('key', TEXT, (column) => column.primaryKey())
        .addColumn('value', JSON_TEXT, (column) => column.notNull())
        .addColumn('updated_at', TIME, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('currency_settings')
        .addColumn('code', TEXT, (column) => column.primaryKey())
        .addColumn('name', TEXT)
        .addColumn('precision', COUNT)
        .addColumn('enabled', YES_NO)
        .addColumn('sort', COUNT)
        .addColumn('icon', TEXT)
        .addColumn('updated_at', TIME, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('custom_tags')
        .addColumn('key', TEXT, (column) => column.primaryKey())
        .addColumn('label_en', TEXT, (column) => column.notNull())
        .addColumn('label_tr', TEXT, (column) => column.notNull())
        .addColumn('assets', JSON_TEXT, (column) => column.notNull())
        .addColumn('updated_at', TIME, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('instance_revisions')
        .addColumn('name', TEXT, (column) => column.primaryKey())
        .addColumn('revision', COUNT, (column) => column.notNull())
        .execute();
    },
  },
  '0062-admin-roles': {
    up: async (db) => {
      await db.schema
        .createTable('roles')
        .addColumn('id', ID, (column) => column.primaryKey())
        .addColumn('name', TEXT, (column) => column.notNull())
        .addColumn('name_key', TEXT, (column) => column.notNull().unique())
        .addColumn('permissions', JSON_TEXT, (column) => column.notNull())
        .addColumn('updated_at', TIME, (column) => column.notNull())
        .execute();
    },
  },
};
