import { type NotificationKind, notificationKind } from '@pilotfish/core/notifications/notification-kinds';
import { type Notification, notificationsContract } from '@pilotfish/core/notifications/notifications-contract';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure, UsageError } from '../app/failure.ts';
import type { Translate } from '../app/texts.ts';
import { formatOf, printRows, type Resource } from '../ui/output.ts';
import { follow, sayingAndAsking, untilAnswered, untilEnd } from '../ui/stream.ts';
import { localTime } from '../ui/times.ts';
import { wholeNumber } from '../ui/whole-number.ts';

const MOST = 200;

const notifications = (t: Translate, unicode: boolean): Resource<Notification> => ({
  empty: 'notifications',
  columns: [
    { key: 'at', value: ({ at }) => at, shown: ({ at }, paint) => paint.dim(localTime(at)) },
    {
      key: 'title',
      value: ({ title }) => title,
      shown: ({ title, read }, paint) => (read ? `  ${title}` : paint.bold(`${unicode ? '•' : '*'} ${title}`)),
    },
    { key: 'kind', value: ({ kind }) => kind, shown: ({ kind }) => t(`notifications.kinds.${kind}`), rank: 2 },
    { key: 'read', value: ({ read }) => String(read), dataOnly: true },
    {
      key: 'undelivered',
      value: ({ undelivered }) => undelivered.map(({ channel }) => channel).join(','),
      shown: ({ undelivered }, paint) => paint.red(undelivered.map(({ channel }) => channel).join(' ')),
      rank: 3,
    },
    { key: 'id', value: ({ id }) => id, shown: ({ id }, paint) => paint.dim(id), rank: 1 },
    { key: 'text', value: ({ text }) => text },
  ],
});

type ListFlags = { unread?: true; kind?: string; limit: string; watch?: true };

/** What happened, newest first. */
export async function list(context: Context, { unread, kind, limit, watch }: ListFlags): Promise<void> {
  const parsed = kind === undefined ? undefined : notificationKind.safeParse(kind);
  if (parsed && !parsed.success) throw new UsageError('invalidValue', { word: '--kind', allowed: notificationKind.options.join(', ') });
  const pageSize = Math.min(MOST, wholeNumber(limit, '--limit') ?? 25);
  const client = await context.client(notificationsContract);
  const query = {
    pageSize,
    ...(unread ? { unread: 'true' } : {}),
    ...(parsed?.data ? { kind: parsed.data as NotificationKind } : {}),
  };
  const load = async () => (await client.listNotifications({ query })).items;
  const resource = notifications(await context.texts(), context.unicode);
  if (watch) {
    const { watchRows } = await import('../ui/watch-rows.ts');
    return watchRows(context, resource, load, ['notifications']);
  }
  if (formatOf(context) === 'json') {
    context.stdout.write(`${JSON.stringify(await client.listNotifications({ query }), null, context.stdout.isTTY ? 2 : 0)}\n`);
    return;
  }
  await printRows(context, resource, await load());
}

/** Marks one as read, by its id or a part of it, or `all`. */
export async function read(context: Context, { notification }: { notification: string }): Promise<void> {
  const client = await context.client(notificationsContract);
  if (notification === 'all') {
    const { read: count } = await client.readAllNotifications();
    return context.say('cli.notifications.readAll', { count });
  }
  const { items } = await client.listNotifications({ query: { pageSize: MOST } });
  const found = items.filter(
    ({ id }) => id === notification || (notification.length >= 4 && (id.startsWith(notification) || id.endsWith(notification))),
  );
  if (found.length > 1)
    throw new LocalFailure('ambiguous', { wanted: notification, names: found.map(({ id }) => id).join(', ') }, { exit: EXIT.usage });
  const id = found[0]?.id ?? notification;
  if (!/^[\da-f-]{36}$/.test(id)) throw new LocalFailure('noSuchNotification', { wanted: notification }, { exit: EXIT.notFound });
  const { title } = await client.readNotification({ params: { id } });
  await context.say('cli.notifications.read', { title });
}

/** Every new notification as it comes, until the process ends; also those that came while the connection was lost. */
export async function watch(context: Context): Promise<void> {
  const client = await context.client(notificationsContract);
  const resource = notifications(await context.texts(), context.unicode);
  const asLines = { ...context, globals: { ...context.globals, jsonl: context.globals.jsonl || context.globals.json, json: false } };
  const told = new Set<string>();
  const page = async () => (await client.listNotifications({ query: { pageSize: MOST } })).items;
  let queue = Promise.resolve();
  const tell = (id: string, load: () => Promise<Notification | undefined>): void => {
    if (told.has(id)) return;
    told.add(id);
    queue = queue.then(load).then((item) => (item ? printRows(asLines, resource, [item]) : undefined));
  };
  for (const { id } of await page()) told.add(id);
  const ended = untilEnd(context);
  // The stream begins where it is opened: what came since the list was read is asked for once it stands.
  const catchUp = async (): Promise<void> => {
    for (const item of (await untilAnswered(page, ended.signal)).reverse()) tell(item.id, async () => item);
  };
  await context.say('cli.notifications.watching');
  await follow(context, {
    topics: ['notifications'],
    signal: ended.signal,
    onStatus: sayingAndAsking(context, () => void catchUp()),
    onReset: () => void catchUp(),
    onMessage: (topic, payload) => {
      // The stream speaks the account's language; here it is read in this terminal's.
      if (topic === 'notifications' && 'item' in payload && payload.item) {
        const { item } = payload;
        tell(item.id, async () => (await page().catch(() => [])).find(({ id }) => id === item.id) ?? item);
      }
    },
  });
  await queue;
}
