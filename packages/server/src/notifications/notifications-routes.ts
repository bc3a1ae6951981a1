import { AppError } from '@pilotfish/core/http/problem';
import type { OuterChannel } from '@pilotfish/core/notifications/notification-kinds';
import type { Cancel } from '@pilotfish/core/time/timers';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import { type OutboundRequest, outboundRequest } from '../http/outbound-request.ts';
import type { Language } from '../http/texts.ts';
import { channelTroubles } from './channel-troubles.ts';
import { addressesOf, type Carrier, deliveryOutbox } from './delivery-outbox.ts';
import { emailChannel } from './email-channel.ts';
import { settingsHandlers } from './notification-settings-routes.ts';
import { notificationSettingsStore } from './notification-settings-store.ts';
import { wordingOf } from './notification-texts.ts';
import { type NotificationRow, notificationsStore } from './notifications-store.ts';
import { channelsOf, timeZoneOf } from './notifier.ts';
import { pushChannel, pushStore } from './push-channel.ts';
import { storageNotices } from './storage-notices.ts';
import { webhookChannel } from './webhook-channel.ts';

/** How often messages whose time has come are looked for. */
const LOOK_MS = 1000;
const PURGE_MS = 3_600_000;

export type NotificationsParts = {
  /** Sends to the linked chat; absent on an instance without a bot. */
  readonly telegram: Carrier | undefined;
  readonly request?: OutboundRequest;
};

/** The list of notifications, its settings, and the sending. */
export function notificationsFeature(context: AppContext, parts: NotificationsParts): Feature {
  const { accountExtras, database, log, notifier, stream, timers } = context;
  const store = notificationsStore(context);
  const settings = notificationSettingsStore(context);
  const push = pushStore(context);
  accountExtras.connections.push(...settings.connections);
  const request = parts.request ?? outboundRequest({ allowPrivate: context.settings.allowPrivateWebhooks, timers });
  const carriers: Partial<Record<OuterChannel, Carrier>> = {
    email: emailChannel(context),
    webhook: webhookChannel(context, { settings, request }),
    push: pushChannel(context, { store: push, request }),
    ...(parts.telegram && { telegram: parts.telegram }),
  };

  const languageOf = async (accountId: string): Promise<Language> => {
    const row = await database.queries.selectFrom('accounts').select('language').where('id', '=', accountId).executeTakeFirst();
    return row?.language === 'tr' ? 'tr' : 'en';
  };
  const worded = async (accountId: string, rows: readonly NotificationRow[], language: Language) =>
    store.toNotifications(rows, language, await timeZoneOf(database.queries, accountId));

  const publish = async (accountId: string, row: NotificationRow): Promise<void> => {
    const [item = null] = await worded(accountId, [row], await languageOf(accountId));
    stream.publish('notifications', { notificationId: row.id, unread: await store.unread(accountId), item }, accountId);
  };
  const publishCount = async (accountId: string, notificationId: string | null): Promise<number> => {
    const unread = await store.unread(accountId);
    stream.publish('notifications', { notificationId, unread, item: null }, accountId);
    return unread;
  };

  const troubles = channelTroubles(context);
  context.mailer.onOutcome((to, outcome) => troubles.mailOutcome(to, outcome));
  const showUndelivered = (accountId: string, id: string): void => {
    const told = async () => {
      const row = await store.find(accountId, id);
      if (row !== undefined) await publish(accountId, row);
    };
    told().catch((error: unknown) => log.error({ err: error }, 'an undelivered notification could not be shown'));
  };
  const outbox = deliveryOutbox(context, carriers, showUndelivered, troubles);
  notifier.attach({
    tell: async (ids) => {
      const rows = await store.byIds(ids);
      for (const row of rows) await publish(row.account_id, row);
      const found = new Set(rows.map(({ id }) => id));
      return ids.filter((id) => !found.has(id));
    },
    tellNow: async (accountId, { kind, code, facts, link }) => {
      const [language, at, id] = [await languageOf(accountId), context.now(), context.newId()];
      const row = { kind, code, link, at, id, account_id: accountId, facts: JSON.stringify(facts), key: id, created_at: at, read_at: null };
      const wording = wordingOf(row, language, await timeZoneOf(database.queries, accountId), context.texts, context.marketSource);
      await publish(accountId, row);
      const { setUp, troubled } = await channelsOf(database.queries, accountId);
      const addresses = addressesOf(link, context.publicUrl());
      for (const channel of setUp)
        if (!troubled.has(channel))
          await carriers[channel]?.({ id, accountId, kind, code, facts, at, ...wording, ...addresses, language }).catch((error: unknown) =>
            log.warn({ channel, reason: (error as Error).message }, 'a message that is not stored could not be sent'),
          );
    },
    deliver: () => outbox.deliver(),
    settle: () => outbox.settle(),
  });

  const storageTold = storageNotices(context);
  accountExtras.beforeDelete.push((accountId) => settings.forget(accountId));
  accountExtras.stats.push(async () => {
    const { count } = await database.queries
      .selectFrom('notification_deliveries')
      .select((build) => build.fn.countAll<number>().as('count'))
      .where('state', '=', 'pending')
      .executeTakeFirstOrThrow();
    return { queueDepths: { notifications: Number(count) } };
  });

  const cancels: Cancel[] = [];
  const purge = () => store.purge().catch((error: unknown) => log.error({ err: error }, 'old notifications could not be cleared'));
  return {
    handlers: {
      ...settingsHandlers(context, { settings, push, outbox, troubles, offered: new Set(Object.keys(carriers) as OuterChannel[]) }),
      listNotifications: async ({ account, query, language }) => {
        const { rows, total } = await store.list(account.id, query);
        return {
          items: await worded(account.id, rows, language),
          page: query.page,
          pageSize: query.pageSize,
          total,
          unread: await store.unread(account.id),
        };
      },
      readNotification: async ({ account, params, language }) => {
        const changed = await store.markRead(account.id, params.id);
        const row = await store.find(account.id, params.id);
        if (row === undefined) throw new AppError('not-found');
        if (changed > 0) await publishCount(account.id, row.id);
        const [item] = await worded(account.id, [row], language);
        return item!;
      },
      readAllNotifications: async ({ account }) => {
        const read = await store.markRead(account.id);
        return { read, unread: await publishCount(account.id, null) };
      },
    },
    start: async () => {
      await store.purge();
      cancels.push(
        timers.every(LOOK_MS, () => notifier.wake()),
        timers.every(PURGE_MS, () => void purge()),
      );
      notifier.wake();
      storageTold.start();
    },
    stop: async () => {
      for (const cancel of cancels) cancel();
      await notifier.settle();
    },
  };
}
