import { factsAmong } from '@pilotfish/core/notifications/notification-facts';
import type { Activity } from '@pilotfish/core/overview/overview-contract';
import { alertSentence } from '@pilotfish/core/price-alerts/alert-sentence';
import type { PriceAlertContext, PriceAlertStateName } from '@pilotfish/core/price-alerts/price-alert-machine';
import { type AlertFiring, MOST_FIRINGS_PER_HOUR, type PriceAlertBody } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { quietUntil } from '@pilotfish/core/time/quiet-hours';
import type { Selectable } from 'kysely';
import type { AppContext } from '../app/context.ts';
import { yesNo } from '../database/column-types.ts';
import type { Queries } from '../database/database.ts';
import { storedRows, unreadableAmong } from '../database/stored-rows.ts';
import type { AlertMemory } from './alert-judge.ts';
import type { PriceAlertsTables } from './price-alerts-tables.ts';

const HOUR = 3600_000;

export type StoredAlert = {
  readonly id: string;
  readonly accountId: string;
  readonly body: PriceAlertBody & { readonly expiresAt: string | null };
  readonly state: PriceAlertStateName;
  readonly context: PriceAlertContext;
  readonly memory: AlertMemory;
  readonly createdAt: number;
};
/** Something that fired an alert, before it is told. Times in epoch ms. */
export type Trigger = {
  readonly key: string;
  readonly symbol: string | null;
  /** Market time of what happened, and of the figure that told it. */
  readonly at: number;
  readonly feedAt: number;
  readonly price: string | null;
  /** Decimals of prices of its pair, where it has one. */
  readonly places?: number | undefined;
  readonly late: boolean;
  readonly facts: Readonly<Record<string, string | number | boolean | null>>;
};
type FiringRow = Selectable<PriceAlertsTables['price_alert_firings']>;
export type PriceAlertsStore = ReturnType<typeof priceAlertsStore>;

const iso = (at: number): string => new Date(Number(at)).toISOString();
const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));

export function toFiring(row: FiringRow, deliveries: AlertFiring['deliveries'] = []): AlertFiring {
  return {
    id: row.id,
    priceAlertId: row.price_alert_id,
    symbol: row.symbol,
    condition: JSON.parse(row.condition) as AlertFiring['condition'],
    note: row.note,
    at: iso(row.at),
    recordedAt: iso(row.recorded_at),
    price: row.price,
    feedTime: iso(row.feed_at),
    latencyMs: Number(row.latency_ms),
    late: row.late === 1,
    facts: JSON.parse(row.facts) as AlertFiring['facts'],
    reminders: Number(row.reminders),
    acknowledgedAt: isoOrNull(row.acknowledged_at),
    delivery: row.delivery,
    heldUntil: isoOrNull(row.held_until),
    deliveries,
  };
}

/** A message takes so much of one fact; the rest is in the history. */
const MAX_FACT = 300;
const short = (text: string): string => (text.length > MAX_FACT ? `${text.slice(0, MAX_FACT - 1)}…` : text);

/** The code of the notification of a condition, and what its texts are filled with beside what the alert saw. */
function saidOf(alert: Parameters<typeof alertSentence>[0]) {
  const { key, parameters } = alertSentence(alert);
  return { code: `price-alert-${key.slice('alerts.say.'.length)}`, parameters };
}
const linkOf = (symbol: string | null): string => (symbol === null ? '/price-alerts' : `/price-alerts?pair=${symbol}`);

const noticeKey = (alertId: string, triggerKey: string) => `alert:${alertId}:${triggerKey}`;

/** Alerts, what fired them, and what is told of it: a firing is one transaction with the state it leads to. */
export function priceAlertsStore({
  database,
  log,
  newId,
  notifier,
  now,
}: Pick<AppContext, 'database' | 'log' | 'newId' | 'notifier' | 'now'>) {
  const { queries } = database;
  const readable = storedRows(log);
  const columns = (alert: Pick<StoredAlert, 'state' | 'context' | 'memory'>) => ({
    state: alert.state,
    context: JSON.stringify(alert.context),
    memory: JSON.stringify(alert.memory),
    updated_at: now(),
  });
  const toAlert = (row: Selectable<PriceAlertsTables['price_alerts']>): StoredAlert => ({
    id: row.id,
    accountId: row.account_id,
    body: JSON.parse(row.body) as StoredAlert['body'],
    state: row.state as PriceAlertStateName,
    context: JSON.parse(row.context) as PriceAlertContext,
    memory: JSON.parse(row.memory) as AlertMemory,
    createdAt: Number(row.created_at),
  });

  async function enqueue(transaction: Queries, alert: StoredAlert, trigger: Trigger, key: string, notBefore: number | null): Promise<void> {
    const { code, parameters } = saidOf({ ...alert.body, symbol: trigger.symbol ?? alert.body.symbol });
    await notifier.enqueue(transaction, {
      accountId: alert.accountId,
      kind: 'price-alert',
      code,
      facts: {
        ...factsAmong(
          Object.fromEntries(
            Object.entries(trigger.facts).map(([name, value]) => [name, typeof value === 'string' ? short(value) : value]),
          ),
        ),
        ...parameters,
        found: short(String(trigger.facts.found ?? '')),
        price: trigger.price ?? '–',
        ...(trigger.places === undefined ? {} : { places: trigger.places }),
        note: alert.body.note,
        alertId: alert.id,
        ...(trigger.late ? { lateAt: trigger.at } : {}),
      },
      link: linkOf(trigger.symbol),
      key,
      at: trigger.at,
      channels: alert.body.channels,
      ...(notBefore === null ? {} : { notBefore }),
    });
  }

  return {
    all: async (): Promise<StoredAlert[]> =>
      readable('price_alerts', await queries.selectFrom('price_alerts').selectAll().orderBy('id').execute(), toAlert),
    /** Ids of those that cannot be read; they watch nothing. */
    unreadable: async (accountId: string): Promise<string[]> => {
      const rows = queries.selectFrom('price_alerts').selectAll().where('account_id', '=', accountId).orderBy('id');
      return (await unreadableAmong(await rows.execute(), toAlert)).map(({ id }) => id);
    },
    /** @returns false when the account has `most` of them */
    /** @param requireRoom throws where there are as many as may be */
    insert: async (alert: StoredAlert, requireRoom: (transaction: Queries) => Promise<void>): Promise<void> => {
      await database.transaction(async (transaction) => {
        await requireRoom(transaction);
        await transaction
          .insertInto('price_alerts')
          .values({
            id: alert.id,
            account_id: alert.accountId,
            body: JSON.stringify(alert.body),
            created_at: alert.createdAt,
            ...columns(alert),
          })
          .execute();
      });
    },
    save: async (alert: StoredAlert, transaction: Queries = queries): Promise<void> => {
      await transaction
        .updateTable('price_alerts')
        .set({ body: JSON.stringify(alert.body), ...columns(alert) })
        .where('id', '=', alert.id)
        .execute();
    },
    /** Whether the database takes anything at all. */
    canWrite: async (): Promise<boolean> =>
      queries
        .updateTable('price_alert_feed')
        .set((e) => ({ id: e.ref('id') }))
        .execute()
        .then(
          () => true,
          () => false,
        ),
    remove: async (id: string): Promise<void> => {
      await queries.deleteFrom('price_alerts').where('id', '=', id).execute();
    },
    /** Where the feed stands and what the judges of some alerts know, as of one moment. */
    saveFeed: async (feed: { heardUntil: number; pairs: string }, alerts: readonly StoredAlert[]): Promise<void> => {
      await database.transaction(async (transaction) => {
        const values = { id: 'feed', heard_until: feed.heardUntil, pairs: feed.pairs };
        await transaction
          .insertInto('price_alert_feed')
          .values(values)
          .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
          .execute();
        for (const alert of alerts) await transaction.updateTable('price_alerts').set(columns(alert)).where('id', '=', alert.id).execute();
      });
    },
    feed: async (): Promise<{ heardUntil: number; pairs: string } | undefined> => {
      const row = await queries.selectFrom('price_alert_feed').selectAll().executeTakeFirst();
      return row && { heardUntil: Number(row.heard_until), pairs: row.pairs };
    },
    /**
     * The firing, the state it leads to, and what is told of it, all or nothing.
     * @returns undefined when the same has fired before, or the alert is gone
     */
    fire: async (alert: StoredAlert, trigger: Trigger): Promise<AlertFiring | undefined> =>
      database.transaction(async (transaction) => {
        const time = now();
        const updated = await transaction
          .updateTable('price_alerts')
          .set(columns(alert))
          .where('id', '=', alert.id)
          .returning('id')
          .execute();
        if (updated.length === 0) return undefined;
        const { count } = await transaction
          .selectFrom('price_alert_firings')
          .select((e) => e.fn.countAll<number>().as('count'))
          .where('account_id', '=', alert.accountId)
          .where('recorded_at', '>', time - HOUR)
          // Only what was told: who fires all the time is told sixty an hour, every hour.
          .where('delivery', 'in', ['sent', 'held'])
          .executeTakeFirstOrThrow();
        const tooMany = Number(count) >= MOST_FIRINGS_PER_HOUR;
        const quiet = alert.body.quietHours;
        const wake = quiet === null ? null : quietUntil(time, quiet);
        const delivery = wake !== null && quiet?.onWake === 'drop' ? 'dropped' : tooMany ? 'digest' : wake === null ? 'sent' : 'held';
        const row: FiringRow = {
          id: newId(),
          account_id: alert.accountId,
          price_alert_id: alert.id,
          trigger_key: trigger.key,
          symbol: trigger.symbol ?? alert.body.symbol ?? null,
          condition: JSON.stringify(alert.body.condition),
          note: alert.body.note,
          at: trigger.at,
          recorded_at: time,
          price: trigger.price,
          feed_at: trigger.feedAt,
          latency_ms: Math.max(0, Math.round(time - trigger.feedAt)),
          late: yesNo(trigger.late),
          facts: JSON.stringify(trigger.facts),
          reminders: 0,
          acknowledged_at: null,
          delivery,
          held_until: delivery === 'held' ? wake : null,
        };
        const inserted = await transaction
          .insertInto('price_alert_firings')
          .values(row)
          .onConflict((conflict) => conflict.columns(['price_alert_id', 'trigger_key']).doNothing())
          .returning('id')
          .executeTakeFirst();
        if (inserted === undefined) return undefined;
        if (delivery === 'digest') {
          const told = await transaction
            .selectFrom('notifications')
            .select('id')
            .where('account_id', '=', alert.accountId)
            .where('kind', '=', 'price-alert-digest')
            .where('created_at', '>', time - HOUR)
            .limit(1)
            .executeTakeFirst();
          if (told === undefined)
            await notifier.enqueue(transaction, {
              accountId: alert.accountId,
              kind: 'price-alert-digest',
              code: 'price-alert-digest',
              facts: { most: MOST_FIRINGS_PER_HOUR },
              link: '/price-alerts',
              key: `alert-digest:${row.id}`,
              at: trigger.at,
              ...(wake === null ? {} : { notBefore: wake }),
            });
        } else if (delivery !== 'dropped') await enqueue(transaction, alert, trigger, noticeKey(alert.id, trigger.key), wake);
        return toFiring(row);
      }),
    /** Tells the newest firing of an alert once more. @returns it, or undefined when there is none */
    remind: async (alert: StoredAlert): Promise<AlertFiring | undefined> =>
      database.transaction(async (transaction) => {
        await transaction.updateTable('price_alerts').set(columns(alert)).where('id', '=', alert.id).execute();
        const row = await transaction
          .selectFrom('price_alert_firings')
          .selectAll()
          .where('price_alert_id', '=', alert.id)
          .orderBy('id', 'desc')
          .limit(1)
          .executeTakeFirst();
        if (row === undefined) return undefined;
        const reminders = Number(row.reminders) + 1;
        await transaction.updateTable('price_alert_firings').set({ reminders }).where('id', '=', row.id).execute();
        const wake = alert.body.quietHours === null ? null : quietUntil(now(), alert.body.quietHours);
        const facts = JSON.parse(row.facts) as Trigger['facts'];
        const trigger = {
          key: row.trigger_key,
          symbol: row.symbol,
          at: Number(row.at),
          feedAt: Number(row.feed_at),
          price: row.price,
          late: row.late === 1,
          facts,
        };
        if (wake === null || alert.body.quietHours?.onWake === 'deliver')
          await enqueue(transaction, alert, trigger, `${noticeKey(alert.id, row.trigger_key)}:${reminders}`, wake);
        return toFiring({ ...row, reminders });
      }),
    acknowledge: async (alert: StoredAlert): Promise<void> =>
      database.transaction(async (transaction) => {
        await transaction.updateTable('price_alerts').set(columns(alert)).where('id', '=', alert.id).execute();
        await transaction
          .updateTable('price_alert_firings')
          .set({ acknowledged_at: now() })
          .where('price_alert_id', '=', alert.id)
          .where('acknowledged_at', 'is', null)
          .execute();
      }),
    history: async (
      accountId: string,
      {
        page,
        pageSize,
        priceAlertId,
        symbol,
      }: { page: number; pageSize: number; priceAlertId?: string | undefined; symbol?: string | undefined },
    ): Promise<{ items: AlertFiring[]; total: number }> => {
      let query = queries.selectFrom('price_alert_firings').where('account_id', '=', accountId);
      if (priceAlertId !== undefined) query = query.where('price_alert_id', '=', priceAlertId);
      if (symbol !== undefined) query = query.where('symbol', '=', symbol);
      const { count } = await query.select((e) => e.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
      const rows = await query
        .selectAll()
        .orderBy('recorded_at', 'desc')
        .orderBy('id', 'desc')
        .limit(pageSize)
        .offset((page - 1) * pageSize)
        .execute();
      const keys = new Map(rows.map((row) => [noticeKey(row.price_alert_id, row.trigger_key), row.id]));
      const deliveries = new Map<string, AlertFiring['deliveries']>();
      if (keys.size > 0) {
        const sent = await queries
          .selectFrom('notifications')
          .leftJoin('notification_deliveries as delivery', 'delivery.notification_id', 'notifications.id')
          .select(['notifications.key', 'delivery.channel', 'delivery.state', 'delivery.attempts'])
          .where('notifications.account_id', '=', accountId)
          .where('notifications.key', 'in', [...keys.keys()])
          .execute();
        for (const { key, channel, state, attempts } of sent) {
          const id = keys.get(key)!;
          const known = deliveries.get(id) ?? [{ channel: 'app', state: 'sent', attempts: 1 }];
          if (channel !== null) known.push({ channel, state: state ?? 'pending', attempts: Number(attempts ?? 0) });
          deliveries.set(id, known);
        }
      }
      const items = await readable('price_alert_firings', rows, (row) => toFiring(row, deliveries.get(row.id)));
      return { items, total: Number(count) };
    },
    /** What fired since a moment, epoch ms, newest first, as the home screen lists it. */
    firedSince: async (accountId: string, from: number, limit: number): Promise<Activity[]> => {
      const rows = await queries
        .selectFrom('price_alert_firings')
        .select(['id', 'symbol', 'condition', 'price', 'recorded_at'])
        .where('account_id', '=', accountId)
        .where('recorded_at', '>=', from)
        .orderBy('recorded_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return readable('price_alert_firings', rows, ({ id, symbol, condition, price, recorded_at }): Activity => {
        const { code, parameters } = saidOf({
          condition: JSON.parse(condition) as AlertFiring['condition'],
          ...(symbol !== null && { symbol }),
        });
        const of = { autoTradeId: null, botName: null, mode: null, result: null, currency: null };
        const facts = { ...parameters, price: price ?? undefined } as Activity['facts'];
        return { ...of, id: `alert:${id}`, at: iso(recorded_at), kind: 'alert', code, facts, symbol, link: linkOf(symbol) };
      });
    },
    fired24h: async (): Promise<number> => {
      const { count } = await queries
        .selectFrom('price_alert_firings')
        .select((e) => e.fn.countAll<number>().as('count'))
        .where('recorded_at', '>', now() - 24 * HOUR)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
  };
}
