import { toText } from '@pilotfish/core/money/decimal';
import { exactPrice, levelRule, levelsOf } from '@pilotfish/core/price-alerts/level-rule';
import { levelWatch } from '@pilotfish/core/price-alerts/level-watch';
import { advancePriceAlert, type PriceAlertEvent, wireState } from '@pilotfish/core/price-alerts/price-alert-machine';
import type { AppContext } from '../app/context.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Market } from '../market/market.ts';
import { alertEndings, marketClock } from './alert-endings.ts';
import { type AlertFeed, alertFeeds } from './alert-feeds.ts';
import { stepBand, type Verdict } from './alert-judge.ts';
import { isWatching, type LiveAlert, liveOf, storedOf, takes, WOKEN } from './alert-live.ts';
import type { PriceAlertsStore, StoredAlert, Trigger } from './price-alerts-store.ts';

const MINUTE = 60_000;
/** How often what judges remember is written while nothing fires, ms. */
const FLUSH_MS = 5000;
const RETRY_MS = 1000;
const MOST_TRIES = 5;

export type AlertRunner = ReturnType<typeof alertRunner>;

/** Runs alerts: judges levels at every price, and writes what fires in the order in which it fired. */
export function alertRunner(
  context: Pick<AppContext, 'log' | 'notifier' | 'now' | 'stream' | 'timers'>,
  parts: { store: PriceAlertsStore; market: Market; exchange: Pick<Exchange, 'candles' | 'stream' | 'unread'> },
) {
  const { log, notifier, now, stream, timers } = context;
  const { store, market } = parts;
  const alerts = new Map<string, LiveAlert>();
  const feedOf = new Map<LiveAlert, AlertFeed>();
  const users = new Map<AlertFeed, Set<LiveAlert>>();
  /** Those that look at every price themselves: few, and never the ones of a level. */
  const judged = new Map<AlertFeed, Set<LiveAlert>>();
  const cooling = new Set<LiveAlert>();
  /** Feeds with alerts that have no price yet. */
  const unbegun = new Set<AlertFeed>();
  let flushedAt = 0;
  let isLate = false;
  let feedTime = 0;
  /** When, by the wall, the minute closed that is looked at just now. */
  let closedAt: number | undefined;
  const clock = marketClock(now);
  let stopped = false;
  let writes: Promise<void> = Promise.resolve();
  /** What looks at the price of a pair besides levels, e.g. changes. */
  let priceJudge: (live: LiveAlert, feed: AlertFeed) => void = () => undefined;

  const watch = levelWatch<LiveAlert>(({ key: live, what, price, at }) => {
    live.isDirty = true;
    if (what === 'left') {
      left(live, price);
      return;
    }
    const given: Trigger = {
      key: String(at),
      symbol: live.body.symbol ?? null,
      at,
      feedAt: feedTime,
      price: toText(exactPrice(price)),
      late: isLate,
      facts: live.body.condition.kind === 'step' ? { anchor: live.memory.anchor ?? null } : {},
    };
    const fired = trigger(live, given, closedAt);
    if (!fired) live.rule?.arm(price);
    else if (live.body.condition.kind === 'step') reanchor(live, price, at);
    else if (live.state !== 'cooldown') watch.remove(live);
  });
  const feeds = alertFeeds({
    market,
    exchange: parts.exchange,
    timers,
    log,
    onTime: (at) => {
      clock.note(at);
      coolDown(at);
    },
    onPrice: (feed) => {
      isLate = false;
      feedTime = feed.at;
      if (unbegun.delete(feed)) begin(feed);
      watch.tick(feed.index, feed.price, feed.at);
      for (const live of judged.get(feed) ?? []) priceJudge(live, feed);
    },
    onBar: (feed, bar, late) => {
      isLate = late;
      feedTime = late ? bar.openTime + MINUTE : market.asOf;
      closedAt = late ? undefined : clock.wallOf(bar.openTime + MINUTE - 1);
      watch.bar(feed.index, bar);
      isLate = false;
      closedAt = undefined;
      // Of the past that is read minute by minute, cooldowns end in theirs: at the price with which it ended.
      if (late) coolDown(bar.openTime + MINUTE, { feed, price: bar.close });
    },
    onResume: (feed) => {
      begin(feed);
      for (const live of users.get(feed) ?? []) {
        if (live.rule === undefined || live.state !== 'armed') continue;
        const before = JSON.stringify(live.rule.memory);
        live.rule.begin(feed.price);
        live.isDirty = true;
        watch.changed(live, JSON.stringify(live.rule.memory) === before ? (watch.since(live) ?? feed.at) : feed.at);
      }
    },
  });

  /**
   * Writes one after the other; a database that is away for a moment loses nothing. What alone cannot be written,
   * while others can, is given up: everybody's alerts stand behind it.
   */
  function write(what: string, work: () => Promise<void>): Promise<void> {
    const attempt = async (tries: number): Promise<void> => {
      try {
        await work();
      } catch (error) {
        const isHopeless = tries >= MOST_TRIES && (await store.canWrite());
        log.error({ err: error }, `${what} could not be written; ${isHopeless ? 'it is given up' : 'trying again'}`);
        if (stopped || isHopeless) return;
        return timers.wait(RETRY_MS, { ref: true }).then(() => attempt(tries + 1));
      }
    };
    writes = writes.then(() => attempt(1));
    return writes;
  }
  const snapshot = (live: LiveAlert): StoredAlert => storedOf(live, watch.since(live));
  const publish = (live: LiveAlert): void =>
    stream.publish('price-alerts', { priceAlertId: live.id, state: wireState(live.state) }, live.accountId);

  function advance(live: LiveAlert, event: PriceAlertEvent): boolean {
    const next = advancePriceAlert(live.state, live.context, event);
    if (next === undefined) return false;
    const moved = next.state !== live.state;
    live.state = next.state;
    live.context = next.context;
    live.isDirty = true;
    if (live.state === 'cooldown' && !live.context.hasCooled) cooling.add(live);
    return moved;
  }

  const endings = alertEndings({ clock, isDeaf: (live) => feeds.isBehind(feedOf.get(live)), now });

  /** Whoever arms an alert anew is told the same price again; until then it is the same firing. */
  const keyOf = ({ memory }: StoredAlert, key: string): string => (memory.armedAt === undefined ? key : `${memory.armedAt} ${key}`);
  /**
   * @param wallAt when it happened, where that is known better than by when it was heard
   * @returns false when it does not fire: asleep, cooling down, or over
   */
  function trigger(live: LiveAlert, given: Trigger, wallAt?: number): boolean {
    if (live.isGone) return false;
    const { firedCount } = live.context;
    const { expiresAt } = live.body;
    // What is found late happened at another time of the wall: it counts as the owner wanted it then.
    const then = wallAt ?? (given.late ? now() - Math.max(0, market.asOf - given.at) : now());
    if (expiresAt !== null && Date.parse(expiresAt) <= then) return false;
    advance(live, { type: 'alert.triggered', at: given.at, now: then });
    if (live.context.firedCount === firedCount) return false;
    live.memory = { ...live.memory, remindedAt: now() };
    // A step counts on from where it fired: there is nothing to leave.
    if (live.body.condition.kind === 'step') advance(live, { type: 'price.left' });
    // Written after whoever fired it has brought its judge to rest, in this same turn.
    queueMicrotask(() => {
      const stored = snapshot(live);
      void write('a firing', async () => {
        const places = given.symbol === null ? undefined : market.pair(given.symbol)?.pricePrecision;
        const firing = await store.fire(stored, { ...given, places, key: keyOf(stored, given.key) });
        if (firing === undefined) return;
        stream.publish('price-alerts', { priceAlertId: live.id, state: wireState(stored.state), firing }, live.accountId);
        notifier.wake();
      });
    });
    return true;
  }
  function left(live: LiveAlert, price: number): void {
    const armed = advance(live, { type: 'price.left' });
    if (armed && live.state === 'armed') {
      live.rule?.arm(price);
      publish(live);
    } else live.rule?.restore({ mode: 'unset', ready: [], fired: null });
  }
  function reanchor(live: LiveAlert, price: number, at: number): void {
    const { condition } = live.body;
    const feed = feedOf.get(live);
    if (condition.kind !== 'step' || feed === undefined) return;
    const anchor = toText(exactPrice(price));
    live.memory = { ...live.memory, anchor };
    if (live.state === 'fired') {
      watch.remove(live);
      return;
    }
    live.rule = levelRule(stepBand(condition.pct, anchor, price).condition, '0');
    live.rule.begin(price);
    watch.add(live, feed.index, live.rule, at);
  }

  /** Gives alerts that have no price yet their first: it only says on which side they begin. */
  function begin(feed: AlertFeed): void {
    if (!(feed.price > 0) || feed.isHeld) return;
    for (const live of users.get(feed) ?? []) beginOne(live, feed);
  }
  function beginOne(live: LiveAlert, feed: AlertFeed): void {
    const { condition } = live.body;
    if (condition.kind === 'step' && live.rule === undefined) {
      const { anchor, condition: band } = stepBand(
        condition.pct,
        live.memory.anchor ?? condition.anchor ?? toText(exactPrice(feed.price)),
        feed.price,
      );
      live.memory = { ...live.memory, anchor };
      live.rule = levelRule(band, '0');
      live.isDirty = true;
    }
    const { rule } = live;
    if (rule === undefined || rule.memory.mode !== 'unset' || live.state !== 'armed') return;
    const isFresh = live.memory.truth === undefined;
    live.isDirty = !isFresh;
    live.memory = { ...live.memory, truth: false };
    if (isFresh && live.body.fireIfTrue && condition.kind !== 'step' && rule.holds(feed.price)) {
      const fired = trigger(live, {
        key: String(feed.at),
        symbol: live.body.symbol ?? null,
        at: feed.at,
        feedAt: feed.at,
        price: toText(exactPrice(feed.price)),
        late: false,
        facts: { alreadyTrue: true },
      });
      if (fired) {
        rule.fire(feed.price);
        if (isWatching(live)) watch.add(live, feed.index, rule, feed.at);
        return;
      }
    }
    rule.begin(feed.price);
    watch.add(live, feed.index, rule, feed.at);
    // Whoever dies now must still know on which side it began. Written after what else of this turn stores it as given.
    if (!isFresh) return;
    const stored = snapshot(live);
    queueMicrotask(() => {
      if (!live.isGone) void write('an alert', () => store.save(stored));
    });
  }

  function attach(live: LiveAlert): void {
    const { condition, symbol, priceSource } = live.body;
    if (live.state === 'cooldown' && !live.context.hasCooled) cooling.add(live);
    if (!isWatching(live) || symbol === undefined || feedOf.has(live)) return;
    const feed = feeds.join(symbol, priceSource);
    feedOf.set(live, feed);
    const listen = (to: typeof users): void => {
      to.set(feed, (to.get(feed) ?? new Set()).add(live));
    };
    listen(users);
    if (condition.kind === 'change' || condition.kind === 'volume') listen(judged);
    const levels = levelsOf(condition);
    if (levels !== undefined) live.rule = levelRule(levels, live.body.hysteresisPct);
    if (condition.kind === 'step' && live.memory.anchor !== undefined && live.memory.rule !== undefined) {
      // As it stood: the price may have moved by more than a step while nobody listened.
      const band = stepBand(condition.pct, live.memory.anchor, Number(live.memory.anchor)).condition;
      live.rule = levelRule(band, '0');
    }
    if (live.rule !== undefined && live.memory.rule !== undefined) {
      live.rule.restore(live.memory.rule);
      watch.add(live, feed.index, live.rule, live.memory.since);
    }
    if (live.context.hasLeft) live.rule?.restore({ mode: 'unset', ready: [], fired: null });
    // A price from before the connection was lost is none to begin at: what happened until now is not this alert's.
    if (feed.price > 0 && !feed.isHeld && parts.exchange.stream.connected) beginOne(live, feed);
    else unbegun.add(feed);
  }
  function detach(live: LiveAlert): void {
    watch.remove(live);
    const feed = feedOf.get(live);
    if (feed === undefined) return;
    feedOf.delete(live);
    for (const lists of [users, judged]) {
      const list = lists.get(feed);
      list?.delete(live);
      if (list?.size === 0) lists.delete(feed);
    }
    feeds.leave(feed);
  }
  /** After a change of state by its owner or by time: listens, or stops listening, as the state says. */
  function settle(live: LiveAlert): void {
    if (!isWatching(live)) detach(live);
    else attach(live);
    publish(live);
    live.isDirty = false;
    // After a firing of this same turn: its state must never be stored without it.
    queueMicrotask(() => {
      if (live.isGone) return;
      const stored = snapshot(live);
      void write('an alert', () => store.save(stored));
    });
  }

  /**
   * Ends the cooldowns that are over by the market's clock; the price of before is where they begin anew. While the past
   * of a pair is read, only its minutes tell the time.
   */
  function coolDown(at: number, past?: { readonly feed: AlertFeed; readonly price: number }): void {
    for (const live of cooling) {
      if (live.isGone || live.state !== 'cooldown' || live.context.hasCooled) {
        cooling.delete(live);
        continue;
      }
      if (past === undefined ? feedOf.get(live)?.isHeld === true : feedOf.get(live) !== past.feed) continue;
      if (at < (live.context.firedAt ?? 0) + live.body.cooldownMin * MINUTE) continue;
      cooling.delete(live);
      if (!advance(live, { type: 'cooldown.ended' })) continue;
      const feed = feedOf.get(live);
      if (live.rule !== undefined && feed !== undefined && live.body.condition.kind !== 'step') {
        live.rule.arm(past?.price ?? feed.price);
        watch.add(live, feed.index, live.rule, past === undefined ? feed.at : at);
      }
      settle(live);
    }
  }
  /** A second of the wall's clock: what ends by itself. */
  function beat(): void {
    const time = now();
    feeds.beat();
    clock.note(market.asOf);
    coolDown(market.asOf);
    for (const live of alerts.values()) {
      const { expiresAt, cooldownMin } = live.body;
      const end = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
      if (end <= time && endings.mayEnd(live, end) && advance(live, { type: 'alert.expired' })) {
        settle(live);
        continue;
      }
      const { snoozedUntil } = live.context;
      if (snoozedUntil !== null && snoozedUntil <= time && endings.mayEnd(live, snoozedUntil) && takes(live, WOKEN)) {
        advance(live, WOKEN);
        live.body = { ...live.body, snoozedUntil: null };
        settle(live);
      }
      const reminds = live.state === 'fired' && live.body.repeat === 'untilAcknowledged' && live.context.acknowledgedAt === null;
      if (reminds && time >= (live.memory.remindedAt ?? 0) + cooldownMin * MINUTE && (live.context.snoozedUntil ?? 0) <= time) {
        live.memory = { ...live.memory, remindedAt: time };
        const stored = snapshot(live);
        void write('a reminder', async () => {
          const firing = await store.remind(stored);
          if (firing === undefined) return;
          stream.publish('price-alerts', { priceAlertId: live.id, state: wireState(stored.state), firing }, live.accountId);
          notifier.wake();
        });
      }
    }
    if (time - flushedAt >= FLUSH_MS) {
      flushedAt = time;
      void flush();
    }
  }
  let pairsText = '{}';
  function flush(): Promise<void> {
    const dirty = [...alerts.values()].filter((live) => live.isDirty);
    for (const live of dirty) live.isDirty = false;
    const stored = dirty.map(snapshot);
    const heardUntil = feeds.heardUntil;
    return write('the state of alerts', () => store.saveFeed({ heardUntil, pairs: pairsText }, stored));
  }

  return {
    alerts,
    feeds,
    trigger,
    advance,
    settle,
    publish,
    write,
    snapshot,
    beat,
    feedOf: (live: LiveAlert) => feedOf.get(live),
    /** The price that an alert looks at. */
    priceOf: (live: LiveAlert): number | undefined => {
      const price = feedOf.get(live)?.price;
      return price !== undefined && price > 0 ? price : undefined;
    },
    judgePricesBy: (judge: typeof priceJudge): void => {
      priceJudge = judge;
    },
    /** A verdict of anything but levels: fires when it comes to be true, and is armed again once it is far from it. */
    heed: (live: LiveAlert, verdict: Verdict, given: Omit<Trigger, 'facts' | 'symbol'>, candleClosedAt?: number): void => {
      if (!isWatching(live)) return;
      if (live.state === 'warming' && advance(live, { type: 'history.known' })) publish(live);
      const before = live.memory.truth;
      if (before !== verdict.truth) {
        live.memory = { ...live.memory, truth: verdict.truth };
        live.isDirty = true;
      }
      if (live.state === 'cooldown' && verdict.left && !live.context.hasLeft && advance(live, { type: 'price.left' })) publish(live);
      const becomesTrue = verdict.truth && (before === false || (before === undefined && live.body.fireIfTrue));
      if (live.state === 'armed' && becomesTrue) {
        // A candle belongs to the time in which it closed, whenever it is judged.
        const wallAt = candleClosedAt === undefined ? undefined : clock.wallOf(candleClosedAt - 1);
        const fired = trigger(live, { ...given, symbol: live.body.symbol ?? null, facts: verdict.facts }, wallAt);
        if (fired && !isWatching(live)) detach(live);
      }
    },
    /** Begins to run an alert, in place of the one of its id. */
    put: (stored: StoredAlert): LiveAlert => {
      const known = alerts.get(stored.id);
      if (known !== undefined) {
        known.isGone = true;
        detach(known);
      }
      const live = liveOf(stored);
      alerts.set(live.id, live);
      attach(live);
      return live;
    },
    drop: (live: LiveAlert): void => {
      live.isGone = true;
      detach(live);
      alerts.delete(live.id);
    },
    fail: (live: LiveAlert, reason: string): void => {
      if (advance(live, { type: 'alert.failed', reason })) settle(live);
    },
    /** Reads the pairs that were known, and writes them from now on. */
    pairs: {
      get: (): string => pairsText,
      set: (text: string): void => {
        pairsText = text;
      },
    },
    start: async (): Promise<void> => {
      const feed = await store.feed();
      if (feed !== undefined) pairsText = feed.pairs;
      for (const stored of await store.all()) {
        const live = liveOf(stored);
        alerts.set(live.id, live);
      }
      // Nothing is begun at a price of now before the minutes since then were read.
      feeds.start();
      for (const live of alerts.values()) attach(live);
      if (feed !== undefined && feed.heardUntil > 0) feeds.catchUp(feed.heardUntil);
    },
    flush,
    /** Waits until everything that fired is written. */
    written: (): Promise<void> => Promise.resolve().then(() => writes),
    stop: async (): Promise<void> => {
      await flush();
      stopped = true;
      await feeds.stop();
      await writes;
    },
  };
}
