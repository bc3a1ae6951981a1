import { AppError } from '@pilotfish/core/http/problem';
import { outerChannelsOf } from '@pilotfish/core/notifications/notification-choices';
import { NOTIFICATION_KINDS, OUTER_CHANNELS, type OuterChannel, ROUTED_KINDS } from '@pilotfish/core/notifications/notification-kinds';
import type { ChannelState, NotificationSettings } from '@pilotfish/core/notifications/notifications-contract';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import { AddressRefused, checkedUrl } from '../http/outbound-address.ts';
import { writeLimiter } from '../http/write-limiter.ts';
import type { ChannelTroubles } from './channel-troubles.ts';
import type { DeliveryOutbox } from './delivery-outbox.ts';
import type { NotificationSettingsStore, Webhook } from './notification-settings-store.ts';
import { channelsOf } from './notifier.ts';
import type { PushStore } from './push-channel.ts';

export type SettingsParts = {
  readonly settings: NotificationSettingsStore;
  readonly push: PushStore;
  readonly outbox: DeliveryOutbox;
  readonly troubles: Pick<ChannelTroubles, 'heal'>;
  /** Channels this instance can send by. */
  readonly offered: ReadonlySet<OuterChannel>;
};

/** `ma…@example.com`: recognised by its owner, of no use to who looks over the shoulder. */
const masked = (email: string): string => email.replace(/^(.{0,2})[^@]*/, '$1…');

/** Handlers of the settings, the test message and the browsers. */
export function settingsHandlers(context: AppContext, { settings, push, outbox, troubles, offered }: SettingsParts): Feature['handlers'] {
  const { audit, database, newId, notifier, now, quotas, random, sessions } = context;
  const allowPrivate = context.settings.allowPrivateWebhooks;
  const tests = writeLimiter(now, { perMinute: 2, burst: 5 });

  const requireAllowed = (url: string): void => {
    try {
      checkedUrl(url, allowPrivate);
    } catch (error) {
      throw error instanceof AddressRefused ? new AppError('address-refused', { cause: error }) : error;
    }
  };

  const channelStates = async (accountId: string): Promise<{ channels: ChannelState[]; mutedUntil: number | null }> => {
    const [{ setUp, troubled }, webhook, browsers, account, chat] = await Promise.all([
      channelsOf(database.queries, accountId),
      settings.webhook(accountId),
      push.list(accountId),
      database.queries.selectFrom('accounts').select('email').where('id', '=', accountId).executeTakeFirst(),
      database.queries.selectFrom('telegram_chats').select('muted_until').where('account_id', '=', accountId).executeTakeFirst(),
    ]);
    const mutedUntil = chat?.muted_until != null && chat.muted_until > now() ? chat.muted_until : null;
    const missing = { telegram: 'not-connected', email: 'not-confirmed', push: 'no-browser', webhook: 'no-address' } as const;
    const targets: Record<OuterChannel, string | null> = {
      telegram: null,
      email: account === undefined ? null : masked(account.email),
      push: browsers.length === 0 ? null : String(browsers.length),
      webhook: webhook === undefined ? null : new URL(webhook.url).host,
    };
    const channels = OUTER_CHANNELS.map((channel): ChannelState => {
      const muted = channel === 'telegram' && mutedUntil !== null ? ('muted' as const) : null;
      const inTrouble = troubled.has(channel) ? ('needs-attention' as const) : null;
      const reason = !offered.has(channel) ? ('not-configured' as const) : setUp.has(channel) ? (inTrouble ?? muted) : missing[channel];
      return { channel, available: offered.has(channel) && setUp.has(channel) && inTrouble === null, reason, target: targets[channel] };
    });
    return { channels, mutedUntil };
  };

  const answer = async (accountId: string): Promise<NotificationSettings> => {
    const choices = await settings.choices(accountId);
    const { channels, mutedUntil } = await channelStates(accountId);
    // What is wrong with the instance is told to those who look after it.
    const isAdmin = await database.queries
      .selectFrom('account_roles')
      .select('role')
      .where('account_id', '=', accountId)
      .where('role', '=', 'Admin')
      .executeTakeFirst();
    const kinds = ROUTED_KINDS.filter((kind) => kind !== 'instance' || isAdmin !== undefined);
    return {
      kinds: kinds.map((kind) => ({
        kind,
        urgent: NOTIFICATION_KINDS[kind].urgent,
        channels: outerChannelsOf(kind, choices),
        defaults: outerChannelsOf(kind, { ...choices, channels: {} }),
      })),
      quietHours: choices.quietHours,
      channels,
      telegramMutedUntil: mutedUntil === null ? null : new Date(mutedUntil).toISOString(),
    };
  };

  return {
    getNotificationSettings: ({ account }) => answer(account.id),
    saveNotificationSettings: async ({ account, origin, body: { webhookUrl, newWebhookSecret, ...choices } }) => {
      if (webhookUrl != null) requireAllowed(webhookUrl);
      const before = await settings.webhook(account.id);
      const url = webhookUrl === undefined ? before?.url : webhookUrl;
      const changed = url !== before?.url || newWebhookSecret;
      if (url != null && changed) await sessions.requireSecondFactor(account);
      const webhook: Webhook | null | undefined =
        url == null
          ? webhookUrl === null
            ? null
            : undefined
          : changed
            ? { url, secret: Buffer.from(random(32)).toString('base64url') }
            : undefined;
      await settings.save(account.id, choices, webhook);
      // Naming the address again says that it was mended.
      if (webhookUrl !== undefined) await troubles.heal(account.id, 'webhook');
      await audit.record({
        accountId: account.id,
        action: 'notifications.settings',
        origin,
        details: { webhook: url == null ? null : new URL(url).host, quietHours: choices.quietHours.enabled },
      });
      return { ...(await answer(account.id)), webhookSecret: webhook?.secret ?? null };
    },
    sendTestNotification: async ({ account, body: { channel } }) => {
      const { channels } = await channelStates(account.id);
      if (!channels.some((each) => each.channel === channel && (each.available || each.reason === 'needs-attention')))
        throw new AppError('channel-unavailable');
      const wait = tests.take(account.id);
      if (wait > 0) throw new AppError('throttled', { retryAfter: wait });
      const key = `test:${newId()}`;
      await database.transaction((queries) =>
        notifier.enqueue(queries, { accountId: account.id, kind: 'test', code: 'test', facts: {}, link: null, key, channels: [channel] }),
      );
      const row = await database.queries
        .selectFrom('notification_deliveries as delivery')
        .innerJoin('notifications as notification', 'notification.id', 'delivery.notification_id')
        .select('delivery.id')
        .where('notification.account_id', '=', account.id)
        .where('notification.key', '=', key)
        .executeTakeFirst();
      const outcome = row === undefined ? { delivered: false, failure: 'channel-gone' } : await outbox.sendNow(row.id);
      notifier.wake();
      return outcome;
    },
    getPushKey: async ({ account }) => {
      const { publicKey } = await push.keys();
      const browsers = await push.list(account.id);
      return {
        publicKey,
        browsers: browsers.map(({ id, device, createdAt }) => ({ id, device, createdAt: new Date(createdAt).toISOString() })),
      };
    },
    addPushSubscription: async ({ account, origin, body, language }) => {
      requireAllowed(body.endpoint);
      const point = Buffer.from(body.keys.p256dh, 'base64url');
      if (point.length !== 65 || point[0] !== 4 || Buffer.from(body.keys.auth, 'base64url').length !== 16)
        throw new AppError('invalid', { fields: [{ path: 'keys', code: 'invalid_format', message: '' }] });
      const id = await push.add(account.id, body, origin.device, (queries) =>
        quotas.requireRoom(queries, account.id, 'browsers', language),
      );
      await audit.record({ accountId: account.id, action: 'notifications.browser-added', target: id, origin });
      return { id };
    },
    removePushSubscription: async ({ account, origin, params }) => {
      if (!(await push.remove(account.id, params.id))) throw new AppError('not-found');
      await audit.record({ accountId: account.id, action: 'notifications.browser-removed', target: params.id, origin });
    },
  };
}
