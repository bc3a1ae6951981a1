import type { Facts } from '@pilotfish/core/notifications/notification-facts';
import { type NotificationKind, OUTER_CHANNELS, type OuterChannel } from '@pilotfish/core/notifications/notification-kinds';
import type { AppContext } from '../app/context.ts';
import type { Language } from '../http/texts.ts';
import type { ChannelTroubles } from './channel-troubles.ts';
import { DeliveryError } from './delivery-error.ts';
import { factsOf, linkIn, wordingOf } from './notification-texts.ts';
import { timeZoneOf, troubledChannels } from './notifier.ts';

/** One message on its way by one channel. */
export type Delivery = {
  /** The same at every try: receivers recognise a repetition by it. */
  readonly id: string;
  readonly accountId: string;
  readonly kind: NotificationKind;
  readonly code: string;
  readonly facts: Facts;
  readonly at: number;
  readonly title: string;
  readonly text: string;
  /** Path of the screen it is about, for the app's own pages, which may be found by several names. */
  readonly path: string | null;
  /** Whole address of that screen. */
  readonly link: string | null;
  readonly language: Language;
};

/** Both forms of the screen that a message is about. @param publicUrl where people find the server, without a slash at the end */
export const addressesOf = (path: string | null, publicUrl: string): Pick<Delivery, 'path' | 'link'> => ({
  path,
  link: path === null ? null : publicUrl + path,
});

/** Sends one message. @throws DeliveryError (anything else counts as one that may be tried again) */
export type Carrier = (delivery: Delivery) => Promise<void>;

export type DeliveryOutbox = {
  /** Starts sending what is due, each channel on its own. */
  deliver(): void;
  settle(): Promise<void>;
  /** Sends one delivery now, whatever its due time; resolves with its outcome. */
  sendNow(deliveryId: string): Promise<{ delivered: boolean; failure: string | null }>;
};

export const MOST_TRIES = 24;
/** While a message is being sent nobody else takes it up; longer than any carrier waits. */
const LEASE_MS = 30_000;
const BATCH = 100;
/** Accounts served side by side; a slow webhook of one does not hold up the others. */
const LANES = 16;

/** 1 s, 2 s, 4 s … 1 h. @param tries made so far, from 1 */
export const retryDelayMs = (tries: number): number => Math.min(3_600_000, 1000 * 2 ** (tries - 1));

type Row = { id: string; account_id: string; attempts: number };

/**
 * The durable outbox of notifications. A message is claimed by one conditional update, so two processes never send it
 * at the same time; it is sent at least once, under a key that stays the same.
 */
export function deliveryOutbox(
  context: Pick<AppContext, 'database' | 'marketSource' | 'now' | 'log' | 'texts' | 'publicUrl'>,
  carriers: Partial<Record<OuterChannel, Carrier>>,
  onUndelivered: (accountId: string, notificationId: string) => void,
  troubles: Pick<ChannelTroubles, 'lost' | 'heal'>,
): DeliveryOutbox {
  const { database, marketSource, now, log, texts, publicUrl } = context;
  const { queries } = database;

  const load = async (id: string) => {
    const row = await queries
      .selectFrom('notification_deliveries as delivery')
      .innerJoin('notifications as notification', 'notification.id', 'delivery.notification_id')
      .innerJoin('accounts', 'accounts.id', 'delivery.account_id')
      .select(['delivery.id', 'delivery.account_id', 'delivery.notification_id', 'accounts.language', 'accounts.deleted_at'])
      .select(['delivery.channel', 'accounts.email_key'])
      .select(['notification.kind', 'notification.code', 'notification.facts', 'notification.link', 'notification.at'])
      .where('delivery.id', '=', id)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const language: Language = row.language === 'tr' ? 'tr' : 'en';
    const timeZone = await timeZoneOf(queries, row.account_id);
    const delivery: Delivery = {
      id: row.id,
      accountId: row.account_id,
      kind: row.kind,
      code: row.code,
      facts: factsOf(row),
      at: row.at,
      ...wordingOf(row, language, timeZone, texts, marketSource),
      ...addressesOf(linkIn(row, marketSource), publicUrl()),
      language,
    };
    const inTrouble = (await troubledChannels(queries, row.account_id, row.email_key)).has(row.channel);
    return { delivery, notificationId: row.notification_id, deleted: row.deleted_at !== null, inTrouble };
  };

  const finish = (id: string, state: 'sent' | 'undelivered' | 'dropped', failure: string | null) =>
    queries.updateTable('notification_deliveries').set({ state, failure, finished_at: now() }).where('id', '=', id).execute();

  /** Answers undefined when somebody else has it. */
  const sendOne = async (channel: OuterChannel, row: Row): Promise<{ delivered: boolean; failure: string | null } | undefined> => {
    const tries = row.attempts + 1;
    const claimed = await queries
      .updateTable('notification_deliveries')
      .set({ attempts: tries, due_at: now() + LEASE_MS })
      .where('id', '=', row.id)
      .where('attempts', '=', row.attempts)
      .where('state', '=', 'pending')
      .executeTakeFirst();
    if (claimed.numUpdatedRows === 0n) return undefined;
    const carrier = carriers[channel];
    let loaded: Awaited<ReturnType<typeof load>>;
    try {
      // What cannot be worded fails like what cannot be sent: the messages behind it go on.
      loaded = await load(row.id);
      if (loaded === undefined || loaded.deleted || carrier === undefined) {
        await finish(row.id, 'dropped', 'channel-gone');
        return { delivered: false, failure: 'channel-gone' };
      }
      // Only a test finds out whether the receiver takes messages again.
      if (loaded.inTrouble && loaded.delivery.kind !== 'test') throw new DeliveryError('needs-attention', { permanent: true });
      await carrier(loaded.delivery);
      await finish(row.id, 'sent', null);
      if (loaded.inTrouble) await troubles.heal(row.account_id, channel);
      return { delivered: true, failure: null };
    } catch (error) {
      const failure = error instanceof DeliveryError ? error : new DeliveryError('failed', { cause: error });
      // Only the code: messages of libraries name addresses and tokens.
      log.warn({ channel, failure: failure.code, tries, kind: loaded?.delivery.kind }, 'a notification did not get through');
      if (failure.code === 'channel-gone' || failure.code === 'muted') await finish(row.id, 'dropped', failure.code);
      else if (failure.permanent || tries >= MOST_TRIES) {
        await finish(row.id, 'undelivered', failure.code);
        if (loaded !== undefined) onUndelivered(row.account_id, loaded.notificationId);
        if (failure.channelLost) await troubles.lost(row.account_id, channel, failure.code);
      } else
        await queries
          .updateTable('notification_deliveries')
          .set({ due_at: now() + Math.max(retryDelayMs(tries), failure.retryAfterMs ?? 0), failure: failure.code })
          .where('id', '=', row.id)
          .where('state', '=', 'pending')
          .execute();
      return { delivered: false, failure: failure.code };
    }
  };

  /** One account's messages go one after the other, in the order they became due. */
  const drain = async (channel: OuterChannel): Promise<void> => {
    for (;;) {
      const rows = await queries
        .selectFrom('notification_deliveries')
        .select(['id', 'account_id', 'attempts'])
        .where('state', '=', 'pending')
        .where('due_at', '<=', now())
        .where('channel', '=', channel)
        .orderBy('due_at')
        .orderBy('id')
        .limit(BATCH)
        .execute();
      if (rows.length === 0) return;
      const groups = new Map<string, Row[]>();
      for (const row of rows) groups.set(row.account_id, [...(groups.get(row.account_id) ?? []), row]);
      const byAccount = [...groups.values()];
      const lane = async () => {
        for (let mine = byAccount.shift(); mine !== undefined; mine = byAccount.shift())
          for (const row of mine) await sendOne(channel, row);
      };
      await Promise.all(Array.from({ length: Math.min(LANES, byAccount.length) }, lane));
    }
  };

  const running = new Map<OuterChannel, Promise<void>>();
  const again = new Set<OuterChannel>();
  const start = (channel: OuterChannel): void => {
    if (running.has(channel)) return void again.add(channel);
    running.set(
      channel,
      drain(channel)
        .catch((error: unknown) => log.error({ err: error, channel }, 'the outbox of notifications could not be read'))
        .finally(() => {
          running.delete(channel);
          if (again.delete(channel)) start(channel);
        }),
    );
  };

  return {
    deliver: () => {
      for (const channel of OUTER_CHANNELS) start(channel);
    },
    settle: async () => {
      while (running.size > 0) await Promise.all(running.values());
    },
    sendNow: async (deliveryId) => {
      const row = await queries
        .selectFrom('notification_deliveries')
        .select(['id', 'account_id', 'attempts', 'channel', 'state', 'failure'])
        .where('id', '=', deliveryId)
        .executeTakeFirstOrThrow();
      const outcome = row.state === 'pending' ? await sendOne(row.channel, row) : undefined;
      return outcome ?? { delivered: row.state === 'sent', failure: row.failure };
    },
  };
}
