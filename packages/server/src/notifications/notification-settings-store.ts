import type { NotificationChoices } from '@pilotfish/core/notifications/notification-choices';
import type { AppContext } from '../app/context.ts';
import { choicesOf } from './notifier.ts';

export type Webhook = { url: string; secret: string };

export type NotificationSettingsStore = {
  choices(accountId: string): Promise<NotificationChoices>;
  webhook(accountId: string): Promise<Webhook | undefined>;
  /** @param webhook undefined leaves it as it is */
  save(accountId: string, choices: NotificationChoices, webhook: Webhook | null | undefined): Promise<void>;
  forget(accountId: string): Promise<void>;
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
}: Pick<AppContext, 'database' | 'secretBox' | 'now'>): NotificationSettingsStore {
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
            };
      const values = { choices: JSON.stringify(choices), updated_at: now(), ...sealed };
      await database.queries
        .insertInto('notification_settings')
        .values({ account_id: accountId, webhook_url: null, webhook_secret: null, ...values })
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
        .execute();
    },
    forget: async (accountId) => {
      await database.queries.deleteFrom('notification_settings').where('account_id', '=', accountId).execute();
      await database.queries.deleteFrom('push_subscriptions').where('account_id', '=', accountId).execute();
    },
  };
}
