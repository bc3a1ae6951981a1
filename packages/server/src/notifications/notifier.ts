import {
  afterQuietHours,
  DEFAULT_CHOICES,
  notificationChoicesSchema,
  outerChannelsOf,
} from '@pilotfish/core/notifications/notification-choices';
import type { Facts } from '@pilotfish/core/notifications/notification-facts';
import {
  NOTIFICATION_KINDS,
  type NotificationChannel,
  type NotificationKind,
  type OuterChannel,
} from '@pilotfish/core/notifications/notification-kinds';
import type { MarketSource } from '@pilotfish/core/prices/prices-contract';
import { isTimeZone } from '@pilotfish/core/time/calendar-day';
import { sql } from 'kysely';
import type { Queries } from '../database/database.ts';
import { sha256 } from '../secrets/secret-box.ts';
import { storedFacts } from './notification-texts.ts';

/** What is told. Its texts are looked up when it is read or sent, in the reader's language. */
export type Notice = {
  accountId: string;
  kind: NotificationKind;
  /** Texts `notifications.<code>.title` and `.text`. */
  code: string;
  /** Fill the texts, each as its kind is read; a fact named `xKey` is itself a text key and fills `{{x}}`. */
  facts: Facts;
  /** A path of the web app, e.g. `/price-alerts`. */
  link: string | null;
  /** Unique per account, e.g. `alert:<id>:<time>`: telling it again adds nothing. */
  key: string;
  /** Epoch ms of what happened, in the market's time where it is about the market; now when absent. */
  at?: number;
  /** Instead of what the reader chose for the kind. */
  channels?: readonly NotificationChannel[];
  /** Epoch ms before which nothing leaves the server. */
  notBefore?: number;
};

export type Notifier = {
  /**
   * Writes a notification and its deliveries in the caller's transaction; call `wake` after the commit.
   * @returns false when this key was told before
   */
  enqueue(queries: Queries, notice: Notice): Promise<boolean>;
  /** Tells accounts by every channel that they set up, without writing anything: what is not heard now is lost. */
  tellNow(accountIds: readonly string[], notice: Pick<Notice, 'kind' | 'code' | 'facts' | 'link'>): Promise<void>;
  /** Tells the apps and starts sending, without waiting. */
  wake(): void;
  /** Waits for the work that `wake` began. */
  settle(): Promise<void>;
  /** Given once, by the feature that tells the apps and sends. */
  attach(work: NotifierWork): void;
};

export type NotifierWork = {
  /** Tells the apps what was written; answers the ids it did not find, whose transaction may still be open. */
  tell(ids: readonly string[]): Promise<readonly string[]>;
  /** Starts sending what is due. */
  deliver(): void;
  /** Sends at once, without a row. */
  tellNow(accountId: string, notice: Pick<Notice, 'kind' | 'code' | 'facts' | 'link'>): Promise<void>;
  /** Waits for what is being sent. */
  settle(): Promise<void>;
};

/** Channels whose receiver refused for good, and that nobody mended since. @param emailKey of the address of now */
export async function troubledChannels(queries: Queries, accountId: string, emailKey: string): Promise<ReadonlySet<OuterChannel>> {
  const rows = await queries.selectFrom('channel_troubles').select(['channel', 'target']).where('account_id', '=', accountId).execute();
  return new Set(rows.filter(({ target }) => target === '' || target === sha256(emailKey)).map(({ channel }) => channel));
}

/** What an account set up, and what of it is in trouble: read in the transaction, so a channel lost meanwhile is not written to. */
export async function channelsOf(
  queries: Queries,
  accountId: string,
): Promise<{ setUp: ReadonlySet<OuterChannel>; troubled: ReadonlySet<OuterChannel> }> {
  const row = await queries
    .selectFrom('accounts')
    .leftJoin('telegram_chats', 'telegram_chats.account_id', 'accounts.id')
    .leftJoin('notification_settings', 'notification_settings.account_id', 'accounts.id')
    .select([
      'accounts.email_confirmed',
      'accounts.email_key',
      'telegram_chats.chat_hash',
      'notification_settings.webhook_url',
      sql<number>`(select count(*) from push_subscriptions where push_subscriptions.account_id = accounts.id)`.as('browsers'),
    ])
    .where('accounts.id', '=', accountId)
    .where('accounts.deleted_at', 'is', null)
    .executeTakeFirst();
  const setUp = new Set<OuterChannel>();
  if (row?.email_confirmed === 1) setUp.add('email');
  if (row?.chat_hash != null) setUp.add('telegram');
  if (row?.webhook_url != null) setUp.add('webhook');
  if (Number(row?.browsers ?? 0) > 0) setUp.add('push');
  return { setUp, troubled: await troubledChannels(queries, accountId, row?.email_key ?? '') };
}

export async function choicesOf(queries: Queries, accountId: string) {
  const row = await queries.selectFrom('notification_settings').select('choices').where('account_id', '=', accountId).executeTakeFirst();
  if (row === undefined) return DEFAULT_CHOICES;
  // Bots write through here: choices that cannot be read any more must not keep a trade from being written.
  return notificationChoicesSchema.catch(DEFAULT_CHOICES).parse(JSON.parse(row.choices));
}

/** The zone of an account's times, days and months: chosen, else that of its quiet hours, else UTC. docs/decisions/time-zone.md */
export async function timeZoneOf(queries: Queries, accountId: string): Promise<string> {
  const row = await queries.selectFrom('account_preferences').select('choices').where('account_id', '=', accountId).executeTakeFirst();
  const { timeZone } = (row === undefined ? {} : JSON.parse(row.choices)) as { timeZone?: unknown };
  if (typeof timeZone === 'string' && timeZone !== '' && isTimeZone(timeZone)) return timeZone;
  return (await choicesOf(queries, accountId)).quietHours.timeZone;
}

const MAX_FACTS = 4000;
/** How often an id is looked for before its transaction counts as undone. */
const LOOKS = 20;

export function createNotifier(options: {
  /** What the server works with: what is told is of it. */
  market: MarketSource;
  now: () => number;
  newId: () => string;
  onError: (error: unknown) => void;
}): Notifier {
  const { market, now, newId, onError } = options;
  let work: NotifierWork | undefined;
  /** Written and not told yet, with how often each was looked for in vain. */
  const fresh = new Map<string, number>();
  let running: Promise<void> | undefined;
  let again = false;

  const tell = async (): Promise<void> => {
    const ids = [...fresh.keys()];
    if (work === undefined || ids.length === 0) return;
    const missing = new Set(await work.tell(ids));
    for (const id of ids) {
      const looks = (fresh.get(id) ?? 0) + 1;
      if (missing.has(id) && looks < LOOKS) fresh.set(id, looks);
      else fresh.delete(id);
    }
  };

  const wake = (): void => {
    if (running !== undefined) {
      again = true;
      return;
    }
    running = new Promise<void>((resolve) => setImmediate(resolve))
      .then(tell)
      .then(() => work?.deliver())
      .catch(onError)
      .finally(() => {
        running = undefined;
        if (!again) return;
        again = false;
        wake();
      });
  };

  return {
    enqueue: async (queries, notice) => {
      const { accountId, kind, code, link, key, channels, notBefore } = notice;
      const facts = storedFacts(kind, notice.facts, market);
      if (facts.length > MAX_FACTS) throw new RangeError(`the facts of ${code} are too long`);
      const time = now();
      const id = newId();
      const written = await queries
        .insertInto('notifications')
        .values({ id, account_id: accountId, kind, code, facts, link, key, at: notice.at ?? time, created_at: time, read_at: null })
        .onConflict((conflict) => conflict.columns(['account_id', 'key']).doNothing())
        .executeTakeFirst();
      if (written.numInsertedOrUpdatedRows === 0n) return false;
      const choices = await choicesOf(queries, accountId);
      const { setUp, troubled } = await channelsOf(queries, accountId);
      const targets = outerChannelsOf(kind, choices, channels).filter(
        (channel) => setUp.has(channel) && (kind === 'test' || !troubled.has(channel)),
      );
      if (targets.length > 0) {
        const quiet = NOTIFICATION_KINDS[kind].urgent ? time : afterQuietHours(time, choices.quietHours);
        await queries
          .insertInto('notification_deliveries')
          .values(
            targets.map((channel) => ({
              id: newId(),
              notification_id: id,
              account_id: accountId,
              channel,
              state: 'pending' as const,
              attempts: 0,
              due_at: Math.max(quiet, notBefore ?? 0),
              created_at: time,
              finished_at: null,
              failure: null,
            })),
          )
          .execute();
      }
      fresh.set(id, 0);
      return true;
    },
    tellNow: async (accountIds, notice) => {
      await Promise.all(accountIds.map(async (accountId) => work?.tellNow(accountId, notice).catch(onError)));
    },
    wake,
    settle: async () => {
      while (running !== undefined) await running;
      await work?.settle();
    },
    attach: (given) => {
      work = given;
    },
  };
}
