import { statfs } from 'node:fs/promises';
import type { Cancel } from '@pilotfish/core/time/timers';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import { adminNotices } from './admin-notices.ts';

const MINUTE = 60_000;
const DAY_MS = 24 * 60 * MINUTE;
const LOOK_MS = MINUTE;
/** The market must be silent for so long before anybody is told: connections are lost and found every day. */
const SILENT_MS = 5 * MINUTE;
/** A message that could not be sent for so long is stuck. */
const STUCK_MS = 30 * MINUTE;
/** Tries of a notification that take a quarter of an hour. */
const STUCK_TRIES = 10;
/** Less room on the disk than both of these is nearly none. */
const LEAST_SHARE = 0.05;
const LEAST_BYTES = 2 * 1024 ** 3;

type Outbox = 'mail' | 'sms';
/** What is told of an outbox that stands still, and that it moves again. */
const OUTBOXES = {
  mail: { stands: 'instance-outbox', moves: 'instance-outbox-back', key: 'outbox' },
  sms: { stands: 'instance-sms', moves: 'instance-sms-back', key: 'sms' },
} as const;

export type InstanceWatchParts = {
  /** Epoch ms at which the exchange's stream was last heard; 0 before the first word. */
  readonly heardAt: () => number;
  /** Room on the disk of the data folder, bytes. */
  readonly room?: () => Promise<{ readonly free: number; readonly size: number }>;
};
export type InstanceWatch = Feature & { readonly look: () => Promise<void> };

/** Tells the Admins what is wrong with the instance itself: once when it begins, what lasts once a day, and that it is over. */
export function instanceWatch(
  context: Pick<AppContext, 'database' | 'log' | 'notifier' | 'now' | 'settings' | 'timers'>,
  { heardAt, room }: InstanceWatchParts,
): InstanceWatch {
  const { database, log, now, settings, timers } = context;
  const { queries } = database;
  const roomOf =
    room ??
    (async () => {
      const { bavail, blocks, bsize } = await statfs(settings.dataDir);
      return { free: bavail * bsize, size: blocks * bsize };
    });
  const startedAt = now();
  /** When the outage that was told of began. */
  let silentSince: number | undefined;
  /** Since when nothing leaves, once that was told; 0 while it leaves; absent until an earlier run was asked. */
  const stoppedAt = new Map<Outbox, number>();
  let timer: Cancel | undefined;
  let running: Promise<void> | undefined;

  const tell = adminNotices(context);
  const today = (): number => Math.floor(now() / DAY_MS);

  async function lookAtStream(): Promise<void> {
    const last = heardAt();
    const since = last === 0 ? startedAt : last;
    if (silentSince === undefined && now() - since >= SILENT_MS) {
      silentSince = since;
      await tell('instance-stream-down', { sinceAt: since }, `stream-down:${since}`);
    } else if (silentSince !== undefined && last > silentSince && now() - last < SILENT_MS) {
      const began = silentSince;
      silentSince = undefined;
      await tell('instance-stream-back', { minutes: Math.round((last - began) / MINUTE), sinceAt: began }, `stream-back:${began}`);
    }
  }
  async function lookAtDisk(): Promise<void> {
    const { free, size } = await roomOf();
    if (free < LEAST_BYTES && free < size * LEAST_SHARE)
      await tell('instance-disk', { megabytes: Math.floor(free / 1024 ** 2) }, `disk:${today()}`);
  }
  async function lookAtOutbox(channel: Outbox): Promise<void> {
    const { stands, moves, key } = OUTBOXES[channel];
    const stopped = stoppedAt.get(channel) ?? (await toldOutage(channel));
    stoppedAt.set(channel, stopped);
    const lastSent = await lastSentAt(channel);
    if (stopped !== 0) {
      if (lastSent <= stopped) return;
      stoppedAt.set(channel, 0);
      await tell(moves, { sinceAt: stopped }, `${key}-back:${stopped}`);
      return;
    }
    // Of what was there before that, others got through: it is one receiver that says "later", and no outage.
    const { waiting, oldest } = await stuck(channel, lastSent);
    if (waiting === 0) return;
    stoppedAt.set(channel, oldest);
    await tell(stands, { waiting, sinceAt: oldest }, `${key}:${oldest}`);
  }
  /** Messages that have waited too long; mails wait in two outboxes. @param after epoch ms; older ones do not count */
  async function stuck(channel: Outbox, after: number): Promise<{ waiting: number; oldest: number }> {
    const before = now() - STUCK_MS;
    const messages = await queries
      .selectFrom('mail_outbox')
      .select((e) => [e.fn.countAll<number>().as('count'), e.fn.min('created_at').as('oldest')])
      .where('channel', '=', channel)
      .where('sent_at', 'is', null)
      .where('failed_at', 'is', null)
      .where('created_at', '>', after)
      .where('created_at', '<', before)
      .executeTakeFirstOrThrow();
    const found = [messages];
    // What waits for the end of quiet hours was never tried, and what waited for it is not late at its first tries.
    if (channel === 'mail')
      found.push(
        await queries
          .selectFrom('notification_deliveries')
          .select((e) => [e.fn.countAll<number>().as('count'), e.fn.min('created_at').as('oldest')])
          .where('state', '=', 'pending')
          .where('channel', '=', 'email')
          .where('attempts', '>=', STUCK_TRIES)
          .where('created_at', '>', after)
          .where('created_at', '<', before)
          .executeTakeFirstOrThrow(),
      );
    const oldest = Math.min(...found.map((each) => Number(each.oldest ?? Number.POSITIVE_INFINITY)));
    return { waiting: found.reduce((total, { count }) => total + Number(count), 0), oldest };
  }
  /** When a message last left; 0 for never. */
  async function lastSentAt(channel: Outbox): Promise<number> {
    const message = await queries
      .selectFrom('mail_outbox')
      .select((e) => e.fn.max('sent_at').as('at'))
      .where('channel', '=', channel)
      .where('failure', 'is', null)
      .executeTakeFirstOrThrow();
    if (channel === 'sms') return Number(message.at ?? 0);
    const delivery = await queries
      .selectFrom('notification_deliveries')
      .select((e) => e.fn.max('finished_at').as('at'))
      .where('state', '=', 'sent')
      .where('channel', '=', 'email')
      .executeTakeFirstOrThrow();
    return Math.max(Number(message.at ?? 0), Number(delivery.at ?? 0));
  }
  /** Since when an outbox stands still by what an earlier run told; 0 when it does not. */
  async function toldOutage(channel: Outbox): Promise<number> {
    const { stands, moves } = OUTBOXES[channel];
    const last = await queries
      .selectFrom('notifications')
      .select(['code', 'facts'])
      .where('code', 'in', [stands, moves])
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    return last?.code === stands ? Number((JSON.parse(last.facts) as { sinceAt?: number }).sinceAt ?? 1) : 0;
  }
  /** Looks at all of it; what cannot be looked at keeps nobody from the rest. */
  async function look(): Promise<void> {
    for (const part of [lookAtStream, lookAtDisk, () => lookAtOutbox('mail'), () => lookAtOutbox('sms')])
      await part().catch((error: unknown) => log.warn({ err: error }, 'a part of the instance could not be looked at'));
  }

  return {
    handlers: {},
    look,
    start: async () => {
      timer = timers.every(LOOK_MS, () => {
        running ??= look().finally(() => {
          running = undefined;
        });
      });
    },
    stop: async () => {
      timer?.();
      await running;
    },
  };
}
