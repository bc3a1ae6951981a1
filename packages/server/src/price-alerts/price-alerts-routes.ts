import { AppError, type FieldError } from '@pilotfish/core/http/problem';
import { type Decimal, divide, HUNDRED, multiply, subtract, toFixedText, toText } from '@pilotfish/core/money/decimal';
import { ALERT_KINDS } from '@pilotfish/core/price-alerts/alert-kinds';
import { exactPrice } from '@pilotfish/core/price-alerts/level-rule';
import {
  advancePriceAlert,
  allowedAlertActions,
  newPriceAlertContext,
  type PriceAlertEvent,
  wireState,
} from '@pilotfish/core/price-alerts/price-alert-machine';
import {
  DEFAULT_EXPIRY_DAYS,
  MOST_EXPIRY_DAYS,
  type PriceAlert,
  type PriceAlertBody,
} from '@pilotfish/core/price-alerts/price-alerts-contract';
import type { Cancel } from '@pilotfish/core/time/timers';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Language } from '../http/texts.ts';
import type { Market } from '../market/market.ts';
import { type LiveAlert, takes } from './alert-live.ts';
import { alertPolls, type PollParts } from './alert-polls.ts';
import { alertRunner } from './alert-runner.ts';
import { type PriceAlertsStore, priceAlertsStore, type StoredAlert } from './price-alerts-store.ts';

const DAY = 86_400_000;
const BEAT_MS = 1000;

export type PriceAlertsParts = {
  readonly market: Market;
  readonly exchange: Pick<Exchange, 'candles' | 'stream' | 'unread' | 'pairs'>;
  readonly reader: PollParts['reader'];
  readonly coinFilters: PollParts['coinFilters'] & { isKnown(filterId: string, accountId: string): Promise<boolean> };
  readonly positionsOf: PollParts['positionsOf'];
};
/** An armed alert with the level that fires it next; null for one that has none. */
export type ArmedAlert = { readonly alert: PriceAlert; readonly level: string | null };
export type PriceAlertsFeature = Feature & {
  /** Alerts of an account that watch and would be sent now. */
  readonly armed: (accountId: string) => ArmedAlert[];
  /** What fired since a moment, epoch ms by the server's clock, newest first. */
  readonly firedSince: PriceAlertsStore['firedSince'];
  /** The market stream was away: what was missed is read before anything newer is judged. */
  readonly onGap: () => void;
};

/** Alerts over HTTP, and what runs them. */
export function priceAlertsFeature(context: AppContext, parts: PriceAlertsParts): PriceAlertsFeature {
  const { accountExtras, database, log, newId, now, quotas, stream, texts, timers } = context;
  const { market, exchange } = parts;
  const store = priceAlertsStore(context);
  const runner = alertRunner(context, { store, market, exchange });
  const polls = alertPolls({ ...parts, runner, database, pairs: exchange.pairs, now, log });
  let timer: Cancel | undefined;
  let isStarted = false;

  const refusal = (language: Language, fields: readonly { path: string; code: string; limit?: string }[]) =>
    new AppError('invalid', {
      fields: fields.map(
        (field): FieldError => ({ ...field, message: texts.text(language, `validation.${field.code}`, { limit: field.limit ?? '' }) }),
      ),
    });
  const mine = (accountId: string, id: string): LiveAlert => {
    const live = runner.alerts.get(id);
    if (live?.accountId !== accountId) throw new AppError('not-found');
    return live;
  };

  /** @throws AppError `not-possible-now` where its machine does not take the event */
  function ask(live: LiveAlert, event: PriceAlertEvent, action: 'snooze' | 'acknowledge'): void {
    if (!takes(live, event)) throw new AppError('not-possible-now', { parameters: { context: `alert_${action}` } });
    runner.advance(live, event);
  }

  /** What names something must name something of one's own. */
  async function check(accountId: string, body: PriceAlertBody, language: Language): Promise<void> {
    if (body.symbol !== undefined) {
      if (!market.loaded) throw new AppError('exchange-unreachable');
      if (market.pair(body.symbol) === undefined) throw refusal(language, [{ path: 'symbol', code: 'unknown_pair', limit: body.symbol }]);
    }
    if (body.coinFilterId !== undefined && !(await parts.coinFilters.isKnown(body.coinFilterId, accountId)))
      throw refusal(language, [{ path: 'coinFilterId', code: 'unknown_filter' }]);
    if (body.autoTradeId !== undefined) {
      const bot = await database.queries
        .selectFrom('auto_trades')
        .select('id')
        .where('id', '=', body.autoTradeId)
        .where('account_id', '=', accountId)
        .where('state', '!=', 'deleted')
        .executeTakeFirst();
      if (bot === undefined) throw refusal(language, [{ path: 'autoTradeId', code: 'unknown_bot' }]);
    }
    const { expiresAt } = body;
    if (expiresAt == null) return;
    const left = Date.parse(expiresAt) - now();
    if (left <= 0) throw refusal(language, [{ path: 'expiresAt', code: 'in_the_past' }]);
    if (left > MOST_EXPIRY_DAYS * DAY) throw refusal(language, [{ path: 'expiresAt', code: 'too_far', limit: String(MOST_EXPIRY_DAYS) }]);
  }

  /** An alert at the beginning of its life; a replaced one keeps its id, its age and how often it fired. */
  function fresh(accountId: string, given: PriceAlertBody, before?: LiveAlert): StoredAlert {
    const needsHistory = ALERT_KINDS[given.condition.kind].history !== 'none';
    const isSnoozed = given.snoozedUntil !== null && Date.parse(given.snoozedUntil) > now();
    const machine = newPriceAlertContext({
      repeat: given.repeat,
      needsHistory,
      snoozedUntil: isSnoozed ? Date.parse(given.snoozedUntil!) : null,
      firedCount: before?.context.firedCount ?? 0,
    });
    return {
      id: before?.id ?? newId(),
      accountId,
      body: {
        ...given,
        snoozedUntil: isSnoozed ? given.snoozedUntil : null,
        expiresAt: given.expiresAt === undefined ? new Date(now() + DEFAULT_EXPIRY_DAYS * DAY).toISOString() : given.expiresAt,
      },
      state: !given.enabled ? 'disabled' : needsHistory ? 'warming' : 'armed',
      context: { ...machine, firedAt: before?.context.firedAt ?? null, reason: given.enabled ? machine.reason : null },
      memory: { since: market.asOf, armedAt: now() },
      createdAt: before?.createdAt ?? now(),
    };
  }

  function levelOf(live: LiveAlert): Decimal | undefined {
    const price = runner.priceOf(live);
    return price === undefined ? undefined : live.rule?.nearest(price);
  }

  function toWire(live: LiveAlert): PriceAlert {
    const { body, context: machine } = live;
    const price = runner.priceOf(live);
    const level = levelOf(live);
    const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());
    const last = body.symbol === undefined ? undefined : (price ?? Number(market.price(body.symbol) ?? Number.NaN));
    const exact = last === undefined || !(last > 0) ? undefined : exactPrice(last);
    return {
      ...body,
      id: live.id,
      enabled: live.state !== 'disabled',
      snoozedUntil: iso(machine.snoozedUntil),
      state: wireState(live.state),
      allowed: allowedAlertActions(live.state, machine),
      reason: machine.reason,
      createdAt: new Date(live.createdAt).toISOString(),
      lastFiredAt: iso(machine.firedAt),
      firedCount: machine.firedCount,
      lastPrice: exact === undefined ? null : toFixedText(exact, market.pair(body.symbol ?? '')?.pricePrecision ?? 8),
      distancePct:
        level === undefined || exact === undefined ? null : toFixedText(divide(multiply(subtract(level, exact), HUNDRED), exact), 4),
      anchor: live.memory.anchor ?? null,
      cooldownUntil: live.state === 'cooldown' && machine.firedAt !== null ? iso(machine.firedAt + body.cooldownMin * 60_000) : null,
    };
  }
  const saved = async (live: LiveAlert): Promise<PriceAlert> => {
    runner.settle(live);
    await runner.written();
    return toWire(live);
  };

  const beat = (): void => {
    try {
      runner.beat();
      polls.beat();
    } catch (error) {
      log.error({ err: error }, 'a beat of the alerts failed');
    }
  };

  return {
    armed: (accountId) =>
      [...runner.alerts.values()].flatMap((live) => {
        const { snoozedUntil } = live.context;
        if (live.accountId !== accountId || live.state !== 'armed' || (snoozedUntil !== null && snoozedUntil > now())) return [];
        const level = levelOf(live);
        return [{ alert: toWire(live), level: level === undefined ? null : toText(level) }];
      }),
    firedSince: store.firedSince,
    onGap: () => {
      if (isStarted) runner.feeds.catchUp();
    },
    handlers: {
      listPriceAlerts: ({ account }) =>
        [...runner.alerts.values()]
          .filter((live) => live.accountId === account.id)
          .sort((a, b) => (a.id < b.id ? 1 : -1))
          .map(toWire),
      createPriceAlert: async ({ account, body, language }) => {
        await check(account.id, body, language);
        const alert = fresh(account.id, body);
        await store.insert(alert, (queries) => quotas.requireRoom(queries, account.id, 'alerts', language));
        const live = runner.put(alert);
        runner.publish(live);
        polls.beat();
        return toWire(live);
      },
      updatePriceAlert: async ({ account, params, body, language }) => {
        const known = mine(account.id, params.id);
        await check(account.id, body, language);
        if (known.isGone) throw new AppError('not-found');
        const alert = fresh(account.id, body, known);
        // What fired before this is written before it, and nothing of the old one after.
        const live = runner.put(alert);
        await runner.write('an alert', () => store.save(alert));
        runner.publish(live);
        polls.beat();
        return toWire(live);
      },
      deletePriceAlert: async ({ account, params }) => {
        const live = mine(account.id, params.id);
        runner.drop(live);
        await runner.write('a deletion', () => store.remove(live.id));
        stream.publish('price-alerts', { priceAlertId: live.id, state: null }, account.id);
      },
      getPriceAlertHistory: async ({ account, query }) => {
        const { items, total } = await store.history(account.id, query);
        return { items, total, page: query.page, pageSize: query.pageSize };
      },
      snoozePriceAlert: async ({ account, params, body, language }) => {
        const live = mine(account.id, params.id);
        const until = 'minutes' in body ? now() + body.minutes * 60_000 : body.until === null ? null : Date.parse(body.until);
        if (until !== null && until <= now()) throw refusal(language, [{ path: 'until', code: 'in_the_past' }]);
        ask(live, { type: 'alert.snoozed', until }, 'snooze');
        live.body = { ...live.body, snoozedUntil: until === null ? null : new Date(until).toISOString() };
        return saved(live);
      },
      acknowledgePriceAlert: async ({ account, params }) => {
        const live = mine(account.id, params.id);
        ask(live, { type: 'alert.acknowledged', now: now() }, 'acknowledge');
        const stored = runner.snapshot(live);
        await runner.write('an acknowledgement', () => store.acknowledge(stored));
        runner.publish(live);
        return toWire(live);
      },
      enablePriceAlert: async ({ account, params, language }) => {
        const live = mine(account.id, params.id);
        const enabled = () => advancePriceAlert(live.state, live.context, { type: 'alert.enabled' });
        // It watches already: that is what was asked for.
        if (enabled() === undefined) return toWire(live);
        const isOver = live.body.expiresAt !== null && Date.parse(live.body.expiresAt) <= now();
        const body = { ...live.body, enabled: true, ...(isOver ? { expiresAt: undefined } : {}) };
        await check(account.id, body, language);
        const alert = { ...fresh(account.id, body, live), ...enabled() };
        const armed = runner.put(alert);
        await runner.write('an alert', () => store.save(alert));
        runner.publish(armed);
        polls.beat();
        return toWire(armed);
      },
      disablePriceAlert: async ({ account, params }) => {
        const live = mine(account.id, params.id);
        runner.advance(live, { type: 'alert.disabled', reason: null });
        live.body = { ...live.body, enabled: false };
        return saved(live);
      },
    },
    start: async () => {
      accountExtras.unreadable.push(async (accountId) =>
        (await store.unreadable(accountId)).map((id) => ({ kind: 'price-alert', id, name: null, halted: false })),
      );
      accountExtras.stats.push(async () => ({ alertsFired24h: await store.fired24h() }));
      accountExtras.beforeDelete.push(async (accountId) => {
        for (const live of runner.alerts.values()) if (live.accountId === accountId) runner.drop(live);
        await runner.written();
      });
      await runner.start();
      isStarted = true;
      timer = timers.every(BEAT_MS, beat);
    },
    stop: async () => {
      timer?.();
      await polls.settled();
      await runner.stop();
    },
  };
}
