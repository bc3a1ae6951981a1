import {
  type NotificationKind,
  OUTER_CHANNELS,
  type OuterChannel,
  outerChannel,
  ROUTED_KINDS,
} from '@pilotfish/core/notifications/notification-kinds';
import { type NotificationSettings, notificationsContract } from '@pilotfish/core/notifications/notifications-contract';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, UsageError } from '../app/failure.ts';
import type { Translate } from '../app/texts.ts';
import { formatOf, printRows, type Resource } from '../ui/output.ts';
import { localTime } from '../ui/times.ts';

type Row = NotificationSettings['kinds'][number];

const kinds = (t: Translate): Resource<Row> => ({
  empty: 'notifications',
  columns: [
    { key: 'kind', value: ({ kind }) => kind, shown: ({ kind }, paint) => paint.bold(kind) },
    { key: 'title', value: ({ kind }) => t(`notifications.kinds.${kind}`), rank: 2 },
    { key: 'channels', value: ({ channels }) => ['app', ...channels].join(',') },
    { key: 'urgent', value: ({ urgent }) => String(urgent), shown: ({ urgent }) => (urgent ? t('cli.notifications.urgent') : ''), rank: 1 },
  ],
});

async function print(context: Context, settings: NotificationSettings): Promise<void> {
  const format = formatOf(context);
  if (format === 'json') {
    context.stdout.write(`${JSON.stringify(settings, null, context.stdout.isTTY ? 2 : 0)}\n`);
    return;
  }
  const t = await context.texts();
  await printRows(context, kinds(t), settings.kinds);
  if (format !== 'table') return;
  const { quietHours, channels, telegramMutedUntil } = settings;
  const lines = [
    quietHours.enabled
      ? t('cli.notifications.quietFrom', { from: quietHours.from, to: quietHours.to, zone: quietHours.timeZone })
      : t('cli.notifications.quietOff'),
    ...channels.map(({ channel, available, reason, target }) =>
      available
        ? t('cli.notifications.works', { channel, target: target ?? '' }).trimEnd()
        : t('cli.notifications.worksNot', { channel, reason: reason ? t(`notifications.channelReasons.${reason}`) : '' }),
    ),
    ...(telegramMutedUntil ? [t('cli.notifications.muted', { at: localTime(telegramMutedUntil) })] : []),
  ];
  context.stdout.write(`\n${lines.join('\n')}\n`);
}

export async function show(context: Context): Promise<void> {
  const client = await context.client(notificationsContract);
  await print(context, await client.getNotificationSettings());
}

/** The choices as they are now, to be saved again with one of them changed. */
const choicesOf = ({ kinds: rows, quietHours }: NotificationSettings) => ({
  channels: Object.fromEntries(rows.map(({ kind, channels }) => [kind, channels])) as Partial<Record<NotificationKind, OuterChannel[]>>,
  quietHours,
});

/** Where a kind goes besides the list in the apps: `telegram,email`, or `none`. */
export async function setChannels(context: Context, { kind, channels }: { kind: string; channels: string }): Promise<void> {
  if (!(ROUTED_KINDS as readonly string[]).includes(kind))
    throw new UsageError('invalidValue', { word: 'kind', allowed: ROUTED_KINDS.join(', ') });
  const wanted = channels === 'none' ? [] : channels.split(',').map((each) => each.trim());
  if (wanted.some((each) => !outerChannel.safeParse(each).success))
    throw new UsageError('invalidValue', { word: 'channels', allowed: [...OUTER_CHANNELS, 'none'].join(', ') });
  const client = await context.client(notificationsContract);
  const before = choicesOf(await client.getNotificationSettings());
  const body = { ...before, channels: { ...before.channels, [kind]: wanted as OuterChannel[] } };
  await print(context, await client.saveNotificationSettings({ body }));
}

/** `23:00-08:00`, or `off`. */
export async function quiet(context: Context, { hours, zone }: { hours: string; zone?: string }): Promise<void> {
  const [, from, to] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(hours) ?? [];
  if (hours !== 'off' && (from === undefined || to === undefined))
    throw new UsageError('invalidValue', { word: 'hours', allowed: '23:00-08:00, off' });
  const client = await context.client(notificationsContract);
  const before = choicesOf(await client.getNotificationSettings());
  const timeZone = zone ?? (hours === 'off' ? before.quietHours.timeZone : await context.zone());
  const quietHours = from && to ? { enabled: true, from, to, timeZone } : { ...before.quietHours, enabled: false };
  await print(context, await client.saveNotificationSettings({ body: { ...before, quietHours } }));
}

/** The address that is posted to, or `off`; its key is printed once, alone on stdout. */
export async function webhook(context: Context, { address }: { address: string }): Promise<void> {
  const client = await context.client(notificationsContract);
  const before = choicesOf(await client.getNotificationSettings());
  const { webhookSecret } = await client.saveNotificationSettings({ body: { ...before, webhookUrl: address === 'off' ? null : address } });
  if (webhookSecret === null) return context.say('cli.notifications.webhookOff');
  await context.say('cli.notifications.webhookKey');
  context.stdout.write(`${webhookSecret}\n`);
}

export async function test(context: Context, { channel }: { channel: string }): Promise<void> {
  const parsed = outerChannel.safeParse(channel);
  if (!parsed.success) throw new UsageError('invalidValue', { word: 'channel', allowed: OUTER_CHANNELS.join(', ') });
  const client = await context.client(notificationsContract);
  const { delivered, failure } = await client.sendTestNotification({ body: { channel: parsed.data } });
  const t = await context.texts();
  if (delivered) return context.say('cli.notifications.testSent', { channel });
  await context.say('cli.notifications.testFailed', {
    channel,
    reason: failure ? t(`notifications.failures.${failure}`, { defaultValue: failure }) : '',
  });
  throw new Ended(EXIT.failed);
}
