import type { NotificationKind, OuterChannel } from '@pilotfish/core/notifications/notification-kinds';
import type { Notification } from '@pilotfish/core/notifications/notifications-contract';
import type { Selectable } from 'kysely';
import type { AppContext } from '../app/context.ts';
import type { Language } from '../http/texts.ts';
import { factsOf, linkIn, wordingOf } from './notification-texts.ts';
import type { NotificationsTables } from './notifications-tables.ts';

export type NotificationRow = Selectable<NotificationsTables['notifications']>;

/** How long notifications are kept, and how many of one account. */
export const KEPT_DAYS = 90;
export const KEPT_PER_ACCOUNT = 2000;

export type NotificationsStore = {
  list(
    accountId: string,
    query: { page: number; pageSize: number; unread?: boolean | undefined; kind?: NotificationKind | undefined },
  ): Promise<{ rows: NotificationRow[]; total: number }>;
  find(accountId: string, id: string): Promise<NotificationRow | undefined>;
  byIds(ids: readonly string[]): Promise<NotificationRow[]>;
  unread(accountId: string): Promise<number>;
  /** @param id undefined for all. @returns how many were unread */
  markRead(accountId: string, id?: string): Promise<number>;
  /** In the wire's shape, with what did not get through. */
  toNotifications(rows: readonly NotificationRow[], language: Language, timeZone: string): Promise<Notification[]>;
  /** Removes what is too old or too much. */
  purge(): Promise<void>;
};

export function notificationsStore({
  database,
  marketSource,
  now,
  texts,
}: Pick<AppContext, 'database' | 'marketSource' | 'now' | 'texts'>): NotificationsStore {
  const { queries } = database;
  const count = async (accountId: string, unread: boolean | undefined, kind: NotificationKind | undefined): Promise<number> => {
    let query = queries
      .selectFrom('notifications')
      .select((build) => build.fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId);
    if (unread !== undefined) query = query.where('read_at', unread ? 'is' : 'is not', null);
    if (kind !== undefined) query = query.where('kind', '=', kind);
    return Number((await query.executeTakeFirstOrThrow()).count);
  };
  return {
    list: async (accountId, { page, pageSize, unread, kind }) => {
      let query = queries.selectFrom('notifications').selectAll().where('account_id', '=', accountId);
      if (unread !== undefined) query = query.where('read_at', unread ? 'is' : 'is not', null);
      if (kind !== undefined) query = query.where('kind', '=', kind);
      const rows = await query
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(pageSize)
        .offset((page - 1) * pageSize)
        .execute();
      return { rows, total: await count(accountId, unread, kind) };
    },
    find: (accountId, id) =>
      queries.selectFrom('notifications').selectAll().where('account_id', '=', accountId).where('id', '=', id).executeTakeFirst(),
    byIds: (ids) => queries.selectFrom('notifications').selectAll().where('id', 'in', ids).orderBy('created_at').orderBy('id').execute(),
    unread: (accountId) => count(accountId, true, undefined),
    markRead: async (accountId, id) => {
      let update = queries
        .updateTable('notifications')
        .set({ read_at: now() })
        .where('account_id', '=', accountId)
        .where('read_at', 'is', null);
      if (id !== undefined) update = update.where('id', '=', id);
      return Number((await update.executeTakeFirst()).numUpdatedRows);
    },
    toNotifications: async (rows, language, timeZone) => {
      if (rows.length === 0) return [];
      const failed = await queries
        .selectFrom('notification_deliveries')
        .select(['notification_id', 'channel', 'failure', 'attempts'])
        .where(
          'notification_id',
          'in',
          rows.map(({ id }) => id),
        )
        .where('state', '=', 'undelivered')
        .execute();
      const failures = new Map<string, { channel: OuterChannel; reason: string; attempts: number }[]>();
      for (const { notification_id, channel, failure, attempts } of failed)
        failures.set(notification_id, [...(failures.get(notification_id) ?? []), { channel, reason: failure ?? 'failed', attempts }]);
      return rows.map((row) => ({
        id: row.id,
        at: new Date(row.at).toISOString(),
        createdAt: new Date(row.created_at).toISOString(),
        kind: row.kind,
        ...wordingOf(row, language, timeZone, texts, marketSource),
        code: row.code,
        facts: factsOf(row),
        link: linkIn(row, marketSource),
        read: row.read_at !== null,
        undelivered: failures.get(row.id) ?? [],
      }));
    },
    purge: async () => {
      await queries
        .deleteFrom('notifications')
        .where('created_at', '<', now() - KEPT_DAYS * 86_400_000)
        .execute();
      const crowded = await queries
        .selectFrom('notifications')
        .select('account_id')
        .groupBy('account_id')
        .having((build) => build.fn.countAll(), '>', KEPT_PER_ACCOUNT)
        .execute();
      for (const { account_id } of crowded) {
        const oldest = await queries
          .selectFrom('notifications')
          .select(['created_at', 'id'])
          .where('account_id', '=', account_id)
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc')
          .offset(KEPT_PER_ACCOUNT)
          .limit(1)
          .executeTakeFirst();
        if (oldest === undefined) continue;
        await queries
          .deleteFrom('notifications')
          .where('account_id', '=', account_id)
          .where((build) =>
            build.or([
              build('created_at', '<', oldest.created_at),
              build.and([build('created_at', '=', oldest.created_at), build('id', '<=', oldest.id)]),
            ]),
          )
          .execute();
      }
    },
  };
}
