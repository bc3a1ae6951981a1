import { totpBinding } from '../auth/accounts-store.ts';
import type { Schema } from '../database/migrations.ts';
import { connectionBinding } from '../exchange-connection/exchange-connection-store.ts';
import { mailBinding } from '../mail/mailer.ts';
import { notificationSettingsBinding } from '../notifications/notification-settings-store.ts';
import { PUSH_KEY_BINDING, pushBinding } from '../notifications/push-channel.ts';
import { CHECK, retiredKeyBinding } from '../secrets/master-key.ts';
import type { Binding } from '../secrets/secret-box.ts';
import { chatBinding } from '../telegram/telegram-chats.ts';
import { walletBinding } from '../wallets/wallets-store.ts';

type TextRow = Readonly<Record<string, string>>;
export type SealedColumn = {
  readonly table: keyof Schema;
  readonly column: string;
  /** The column that names a row. */
  readonly id: string;
  /** Another column that the binding is made of. */
  readonly owner?: string;
  readonly binding: (row: TextRow) => Binding;
};

/** Every column that holds texts sealed with the key file. A sealed text found anywhere else fails a test. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'instance', column: 'key_check', id: 'id', binding: () => CHECK },
  { table: 'retired_keys', column: 'key', id: 'id', binding: ({ id = '' }) => retiredKeyBinding(id) },
  { table: 'accounts', column: 'totp_secret', id: 'id', binding: ({ id = '' }) => totpBinding(id) },
  ...(['api_key', 'api_secret'] as const).map((column) => ({
    table: 'exchange_connections' as const,
    column,
    id: 'account_id',
    binding: ({ account_id = '' }: TextRow) => connectionBinding(account_id, column),
  })),
  ...(['paper_key', 'paper_secret'] as const).map((column) => ({
    table: 'wallets' as const,
    column,
    id: 'id',
    owner: 'account_id',
    binding: ({ account_id = '' }: TextRow) => walletBinding(account_id, column),
  })),
  { table: 'mail_outbox', column: 'message', id: 'id', binding: ({ id = '' }) => mailBinding(id) },
  ...[['webhook_url', 'webhook-url'] as const, ['webhook_secret', 'webhook-secret'] as const].map(([column, field]) => ({
    table: 'notification_settings' as const,
    column,
    id: 'account_id',
    binding: ({ account_id = '' }: TextRow) => notificationSettingsBinding(account_id, field),
  })),
  { table: 'push_keys', column: 'private_key', id: 'id', binding: () => PUSH_KEY_BINDING },
  {
    table: 'push_subscriptions',
    column: 'subscription',
    id: 'id',
    owner: 'account_id',
    binding: ({ id = '', account_id = '' }) => pushBinding(account_id, id),
  },
  { table: 'telegram_chats', column: 'chat', id: 'account_id', binding: ({ account_id = '' }) => chatBinding(account_id) },
];

/** Tables of codes that live for minutes to a day and are found by a keyed hash: a change of keys ends them. */
export const ENDED_BY_NEW_KEY = ['one_time_codes', 'telegram_codes', 'telegram_confirmations'] as const;
