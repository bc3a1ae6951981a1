import type { NotificationChoices } from '@pilotfish/core/notifications/notification-choices';
import type { AccountConnection, AppContext } from '../app/context.ts';
import { choicesOf } from './notifier.ts';

export type Webhook = { url: string; secret: string };

export type NotificationSettingsStore = {
  choices(accountId: string): Promise<NotificationChoices>;
  webhook(accountId: string): Promise<Webhook | undefined>;
  /** @param webhook undefined leaves it as it is */
  save(accountId: string, choices: NotificationChoices, webhook: Webhook | null | undefined): Promise<void>;
  forget(accountId: string): Promise<void>;
  /** Webhook and browsers, as links of the account. */
  readonly connections: readonly AccountConnection[];
};

export const notificationSettingsBinding = (accountId: string, field: 'webhook-url' | 'webhook-secret') => ({
  user: accountId,
  kind: 'notification-settings',
  field,
});

export function notificationSettingsStore({
  database,
  secretBox,
  now,
  audit,
}: Pick<AppContext, 'database' | 'secretBox' | 'now' | 'audit'>): NotificationSettingsStore {
  return {
    choices: (accountId) => choicesOf(database.queries, accountId),
    webhook: async (accountId) => {
      const row = await database.queries
        .selectFrom('notification_settings')
        .select(['webhook_url', 'webhook_secret'])
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      if (row?.webhook_url == null || row.webhook_secret === null) return undefined;
      return {
        url: secretBox.open(row.webhook_url, notificationSettingsBinding(accountId, 'webhook-url')),
        secret: secretBox.open(row.webhook_secret, notificationSettingsBinding(accountId, 'webhook-secret')),
      };
    },
    save: async (accountId, choices, webhook) => {
      const sealed =
        webhook === undefined
          ? {}
          : {
              webhook_url: webhook && secretBox.seal(webhook.url, notificationSettingsBinding(accountId, 'webhook-url')),
              webhook_secret: webhook && secretBox.seal(webhook.secret, notificationSettingsBinding(accountId, 'webhook-secret')),
              webhook_added_at: webhook && now(),
            };
      const values = { choices: JSON.stringify(choices), updated_at: now(), ...sealed };
      await database.queries
        .insertInto('notification_settings')
        .values({ account_id: accountId, webhook_url: null, webhook_secret: null, webhook_added_at: null, ...values })
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
        .execute();
    },
    connections: [
      {
        kind: 'webhook',
        list: async (accountId, queries) => {
          const row = await queries
            .selectFrom('notification_settings')
            .select(['webhook_url', 'webhook_added_at'])
            .where('account_id', '=', accountId)
            .executeTakeFirst();
          if (row?.webhook_url == null) return [];
          const url = secretBox.open(row.webhook_url, notificationSettingsBinding(accountId, 'webhook-url'));
          return [{ name: new URL(url).host, addedAt: row.webhook_added_at }];
        },
        end: async (accountId, origin) => {
          await database.transaction(async (queries) => {
            const none = { webhook_url: null, webhook_secret: null, webhook_added_at: null, updated_at: now() };
            await queries.updateTable('notification_settings').set(none).where('account_id', '=', accountId).execute();
            await audit.record({ accountId, action: 'notifications.settings', origin, details: { webhook: null } }, queries);
          });
        },
      },
      {
        kind: 'push',
        list: async (accountId, queries) => {
          const rows = await queries
            .selectFrom('push_subscriptions')
            .select(['device', 'created_at'])
            .where('account_id', '=', accountId)
            .orderBy('id')
            .execute();
          return rows.map((row) => ({ name: row.device, addedAt: row.created_at }));
        },
        end: async (accountId, origin) => {
          await database.transaction(async (queries) => {
            await queries.deleteFrom('push_subscriptions').where('account_id', '=', accountId).execute();
            await audit.record({ accountId, action: 'notifications.browser-removed', origin }, queries);
          });
        },
      },
    ],
    forget: async (accountId) => {
      await database.queries.deleteFrom('notification_settings').where('account_id', '=', accountId).execute();
      await database.queries.deleteFrom('push_subscriptions').where('account_id', '=', accountId).execute();
    },
  };
}
