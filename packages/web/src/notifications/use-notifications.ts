import type { NotificationKind, OuterChannel } from '@pilotfish/core/notifications/notification-kinds';
import { NOTIFICATION_KIND_NAMES } from '@pilotfish/core/notifications/notification-kinds';
import type { NotificationSettings as Settings } from '@pilotfish/core/notifications/notifications-contract';
import { useApp } from '../platform/app-context.tsx';
import { useQuery } from '../platform/use-query.ts';

export const PAGE_SIZE = 20;

/** Kinds that can be asked for; a test is none. */
export const TOLD_KINDS = NOTIFICATION_KIND_NAMES.filter((kind) => kind !== 'test');

export type ListParams = { page: number; unread?: 'true'; kind?: NotificationKind };

/** A page of the list; loaded again whenever something is told or read. */
export const useNotificationList = (name: string, params: ListParams, enabled = true) =>
  useQuery(
    `notifications:${name}`,
    (client, asked: ListParams, signal) => client.listNotifications({ query: { ...asked, pageSize: PAGE_SIZE } }, { signal, quiet: true }),
    params,
    { enabled },
  );

export const useNotificationSettings = ({ enabled = true }: { enabled?: boolean } = {}) =>
  useQuery('notification-settings', (client, _: null, signal) => client.getNotificationSettings(undefined, { signal, quiet: true }), null, {
    enabled,
  });

/** Marks what was looked at; what was asked for with a button says when it was not done. The unread count comes back by the stream. */
export function useReading() {
  const app = useApp();
  const told = () => app.queries.invalidate('notifications', 'notifications-unread');
  return {
    read: (id: string) => app.client.readNotification({ params: { id } }, { quiet: true }).then(told, told),
    readAll: () => app.busy.during(app.client.readAllNotifications()).then(told, told),
  };
}

/** Says whether an outer channel works, and where its other end is set up. */
export const SET_UP: Readonly<Record<OuterChannel, string>> = {
  telegram: '/user/telegram-connect',
  email: '/user/my-account',
  push: '/user/notifications?tab=settings#push',
  webhook: '/user/notifications?tab=settings#webhook',
};

export type Choices = {
  readonly channels: Partial<Record<NotificationKind, OuterChannel[]>>;
  readonly quietHours: Settings['quietHours'];
};

/** What the settings are saved as: everything that was chosen. */
export const choicesOf = ({ kinds, quietHours }: Settings): Choices => ({
  channels: Object.fromEntries(kinds.map(({ kind, channels }) => [kind, channels])),
  quietHours,
});
