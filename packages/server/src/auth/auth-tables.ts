import type { Migration } from 'kysely';
import { COUNT, ID, TEXT, TIME, YES_NO, type YesNo } from '../database/column-types.ts';

export type CodeKind = 'enrol' | 'verify' | 'reset' | 'email' | 'phone' | 'step-up' | 'email-change' | 'replace-2fa';

export type AuthTables = {
  accounts: {
    id: string;
    username: string;
    /** Folded forms: what is unique and what is looked up. */
    username_key: string;
    email: string;
    email_key: string;
    email_confirmed: YesNo;
    password_hash: string;
    phone: string | null;
    phone_confirmed: YesNo;
    two_factor_confirmed: YesNo;
    /** Sealed; null until the authenticator is confirmed. */
    totp_secret: string | null;
    language: string;
    created_at: number;
    updated_at: number;
    /** Set when an Admin deleted the account: its names are free, its trades are kept for a while. */
    deleted_at: number | null;
  };
  account_roles: { account_id: string; role: string; granted_at: number };
  /** The newest TOTP step each account has used; older or equal ones are refused. */
  totp_steps: { account_id: string; last_step: number };
  recovery_codes: { id: string; account_id: string; code_hash: string; created_at: number; used_at: number | null };
  one_time_codes: {
    id: string;
    account_id: string | null;
    kind: CodeKind;
    code_hash: string;
    /** Sealed: the TOTP secret being enrolled, the phone number being confirmed. */
    payload: string | null;
    tries: number;
    created_at: number;
    expires_at: number;
    used_at: number | null;
  };
  /** A signed-in device; its refresh tokens form one family. */
  sessions: {
    id: string;
    account_id: string;
    created_at: number;
    last_used_at: number;
    expires_at: number;
    address: string;
    device: string;
    /** When a second factor was last given in it. */
    second_factor_at: number | null;
    revoked_at: number | null;
    revoked_reason: string | null;
  };
  refresh_tokens: { token_hash: string; session_id: string; created_at: number; spent_at: number | null };
  throttles: { key: string; failures: number; blocked_until: number; updated_at: number };
};

export const authMigrations: Record<string, Migration> = {
  '0020-auth-accounts': {
    up: async (db) => {
      await db.schema
        .createTable('accounts')
        .addColumn('id', ID, (column) => column.primaryKey())
        .addColumn('username', TEXT, (column) => column.notNull())
        .addColumn('username_key', TEXT, (column) => column.notNull().unique())
        .addColumn('email', TEXT, (column) => column.notNull())
        .addColumn('email_key', TEXT, (column) => column.notNull().unique())
        .addColumn('email_confirmed', YES_NO, (column) => column.notNull().defaultTo(0))
        .addColumn('password_hash', TEXT, (column) => column.notNull())
        .addColumn('phone', TEXT)
        .addColumn('phone_confirmed', YES_NO, (column) => column.notNull().defaultTo(0))
        .addColumn('two_factor_confirmed', YES_NO, (column) => column.notNull().defaultTo(0))
        .addColumn('totp_secret', TEXT)
        .addColumn('language', TEXT, (column) => column.notNull().defaultTo('en'))
        .addColumn('created_at', TIME, (column) => column.notNull())
        .addColumn('updated_at', TIME, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('account_roles')
        .addColumn('account_id', ID, (column) => column.notNull().references('accounts.id').onDelete('cascade'))
        .addColumn('role', TEXT, (column) => column.notNull())
        .addColumn('granted_at', TIME, (column) => column.notNull())
        .addPrimaryKeyConstraint('account_roles_key', ['account_id', 'role'])
        .execute();
      await db.schema
        .createTable('totp_steps')
        .addColumn('account_id', ID, (column) => column.primaryKey().references('accounts.id').onDelete('cascade'))
        .addColumn('last_step', COUNT, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('recovery_codes')
        .addColumn('id', ID, (column) => column.primaryKey())
        .addColumn('account_id', ID, (column) => column.notNull().references('accounts.id').onDelete('cascade'))
        .addColumn('code_hash', TEXT, (column) => column.notNull())
        .addColumn('created_at', TIME, (column) => column.notNull())
        .addColumn('used_at', TIME)
        .execute();
      await db.schema.createIndex('recovery_codes_account').on('recovery_codes').column('account_id').execute();
      await db.schema
        .createTable('one_time_codes')
        .addColumn('id', ID, (column) => column.primaryKey())
        .addColumn('account_id', ID, (column) => column.references('accounts.id').onDelete('cascade'))
        .addColumn('kind', TEXT, (column) => column.notNull())
        .addColumn('code_hash', TEXT, (column) => column.notNull().unique())
        .addColumn('payload', TEXT)
        .addColumn('tries', COUNT, (column) => column.notNull().defaultTo(0))
        .addColumn('created_at', TIME, (column) => column.notNull())
        .addColumn('expires_at', TIME, (column) => column.notNull())
        .addColumn('used_at', TIME)
        .execute();
      await db.schema.createIndex('one_time_codes_account').on('one_time_codes').columns(['account_id', 'kind']).execute();
      await db.schema.createIndex('one_time_codes_expiry').on('one_time_codes').column('expires_at').execute();
      await db.schema
        .createTable('sessions')
        .addColumn('id', ID, (column) => column.primaryKey())
        .addColumn('account_id', ID, (column) => column.notNull().references('accounts.id').onDelete('cascade'))
        .addColumn('created_at', TIME, (column) => column.notNull())
        .addColumn('last_used_at', TIME, (column) => column.notNull())
        .addColumn('expires_at', TIME, (column) => column.notNull())
        .addColumn('address', TEXT, (column) => column.notNull())
        .addColumn('device', TEXT, (column) => column.notNull())
        .addColumn('revoked_at', TIME)
        .addColumn('revoked_reason', TEXT)
        .execute();
      await db.schema.createIndex('sessions_account').on('sessions').column('account_id').execute();
      await db.schema.createIndex('sessions_expiry').on('sessions').column('expires_at').execute();
      await db.schema
        .createTable('refresh_tokens')
        .addColumn('token_hash', TEXT, (column) => column.primaryKey())
        .addColumn('session_id', ID, (column) => column.notNull().references('sessions.id').onDelete('cascade'))
        .addColumn('created_at', TIME, (column) => column.notNull())
        .addColumn('spent_at', TIME)
        .execute();
      await db.schema.createIndex('refresh_tokens_session').on('refresh_tokens').column('session_id').execute();
      await db.schema
        .createTable('throttles')
        .addColumn('key', TEXT, (column) => column.primaryKey())
        .addColumn('failures', COUNT, (column) => column.notNull())
        .addColumn('blocked_until', TIME, (column) => column.notNull())
        .addColumn('updated_at', TIME, (column) => column.notNull())
        .execute();
    },
  },
  '0021-auth-deleted-accounts': {
    up: async (db) => {
      await db.schema.alterTable('accounts').addColumn('deleted_at', TIME).execute();
    },
  },
  '0022-auth-session-second-factor': {
    up: async (db) => {
      await db.schema.alterTable('sessions').addColumn('second_factor_at', TIME).execute();
    },
  },
};
