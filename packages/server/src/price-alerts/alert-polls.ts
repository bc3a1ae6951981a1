import { toText } from '@pilotfish/core/money/decimal';
import { digits } from '@pilotfish/core/money/figure';
import { type AlertCondition, CHANGE_WINDOWS } from '@pilotfish/core/price-alerts/alert-kinds';
import { exactPrice } from '@pilotfish/core/price-alerts/level-rule';
import { intervalLength } from '@pilotfish/core/prices/candle-gaps';
import type { Candle, Pair } from '@pilotfish/core/prices/prices-contract';
import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import { type Rows, textOfUnread, unreadOf } from '../exchange/exchange-rows.ts';
import type { Market } from '../market/market.ts';
import type { AlertFeed } from './alert-feeds.ts';
import { candlesNeeded, isCandleCondition, judgeCandles, judgeChange, judgeTarget, judgeValue } from './alert-judge.ts';
import { isWatching, type LiveAlert } from './alert-live.ts';
import type { AlertRunner } from './alert-runner.ts';

const MINUTE = 60_000;
const DAY_MINUTES = 1440;
/** Pairs are asked for this often while an alert waits for news of them: 20 weight each. */
const PAIRS_MS = 60_000;
/** How often filters, positions and bots are looked at. */
const LOOK_MS = 2000;

/** What an open position of a pair is worth to an alert; percent. */
export type PositionLook = { readonly returnPct: number | null; readonly target: string | null; readonly targetDistancePct: number | null };

export type PollParts = {
  readonly runner: AlertRunner;
  readonly database: Database;
  readonly market: Pick<Market, 'asOf' | 'board' | 'minutes' | 'pair' | 'loaded' | 'stale' | 'price'>;
  /** Candles of any interval, oldest first. */
  readonly reader: { candles(symbol: string, interval: string, query: { limit: number; endTime?: number }): Promise<Candle[]> };
  readonly pairs: () => Promise<Rows<Pair>>;
  /** The coins of a filter; undefined for one that is gone. */
  readonly coinFilters: {
    coinsOf(filterId: string, accountId: string): Promise<{ coins: string[]; asOf: string; stale: boolean } | undefined>;
  };
  /** By symbol. */
  readonly positionsOf: (accountId: string) => Promise<ReadonlyMap<string, PositionLook>>;
  readonly now: () => number;
  readonly log: Logger;
};
/** More coins than this are counted only. */
const MOST_NAMES = 100;
const namesOf = (coins: readonly string[], most = MOST_NAMES): string =>
  coins.length === 0 ? '–' : coins.slice(0, most).join(', ') + (coins.length > most ? ` … (${coins.length})` : '');

type Of<Kind extends AlertCondition['kind']> = Extract<AlertCondition, { kind: Kind }>;

/** Everything an alert can wait for besides levels: looked at when a price, a candle, or a moment is due. */
export function alertPolls(parts: PollParts) {
  const { runner, database, market, reader, now, log } = parts;
  const { queries } = database;
  const busy = new Set<string>();
  /** Price that a change is measured from, by symbol and window, and the minute it is good for. */
  const references = new Map<string, { minute: number; price: number }>();
  let lookedAt = 0;
  let pairsAt = 0;
  let running: Promise<unknown> = Promise.resolve();

  /** One at a time of each; a failure is told and tried again at the next beat. */
  function once(name: string, work: () => Promise<void>): void {
    if (busy.has(name)) return;
    busy.add(name);
    const run = work()
      .catch((error: unknown) => log.warn({ reason: (error as Error).message, name }, 'alerts could not be looked at; trying again'))
      .finally(() => busy.delete(name));
    running = Promise.all([running, run]);
  }
  const live = (...kinds: AlertCondition['kind'][]): LiveAlert[] =>
    [...runner.alerts.values()].filter((alert) => isWatching(alert) && kinds.includes(alert.body.condition.kind));

  /** Where a change is measured from now; undefined until enough of the past is known. */
  function reference(symbol: string, window: Of<'change'>['window'], at: number): number | undefined {
    const minutes = CHANGE_WINDOWS[window];
    const index = market.board.index(symbol);
    if (index === undefined) return undefined;
    if (minutes === DAY_MINUTES) {
      const open = market.board.column('open')[index]!;
      return open > 0 ? open : undefined;
    }
    if (minutes < DAY_MINUTES) {
      const price = market.minutes.before(index, at, minutes);
      if (price > 0) return price;
    }
    const known = references.get(`${symbol} ${window}`);
    const minute = Math.floor(at / MINUTE);
    if (known !== undefined && known.minute === minute) return known.price;
    once(`reference ${symbol} ${window}`, async () => {
      // The close of the minute, or of the hour, that ended as long ago as the window is long.
      const interval = minutes < DAY_MINUTES ? '1m' : '1h';
      const candles = await reader.candles(symbol, interval, { limit: minutes < DAY_MINUTES ? minutes + 2 : minutes / 60 + 2 });
      if (minutes < DAY_MINUTES) {
        market.minutes.seed(
          index,
          candles.filter(({ closed }) => closed).map(({ openTime, close }) => [Date.parse(openTime), Number(close)]),
        );
      }
      const from = at - minutes * MINUTE;
      const found = candles.findLast(({ openTime }) => Date.parse(openTime) + (interval === '1m' ? MINUTE : 60 * MINUTE) <= from);
      if (found !== undefined) references.set(`${symbol} ${window}`, { minute, price: Number(found.close) });
    });
    // The one of a minute ago is as good as none only when it is older than the window.
    return known !== undefined && minute - known.minute <= 2 ? known.price : undefined;
  }

  function judgePrice(alert: LiveAlert, feed: AlertFeed): void {
    const { condition, hysteresisPct } = alert.body;
    const given = { key: String(feed.at), at: feed.at, feedAt: feed.at, price: toText(exactPrice(feed.price)), late: false };
    if (condition.kind === 'change') {
      const from = reference(feed.symbol, condition.window, feed.at);
      if (from !== undefined) runner.heed(alert, judgeChange(condition, feed.price, from, hysteresisPct), given);
    } else if (condition.kind === 'volume') {
      const volume = Number(market.board.row(feed.symbol)?.quoteVolume ?? Number.NaN);
      const bound = Number(condition.amount);
      if (!Number.isNaN(volume)) runner.heed(alert, judgeValue(volume, 'above', bound, (bound * Number(hysteresisPct)) / 100), given);
    }
  }

  /** Alerts of one pair and interval: every candle that closed since the last one judged. */
  async function judgeCandleGroup(symbol: string, interval: string, alerts: readonly LiveAlert[]): Promise<void> {
    const length = intervalLength(interval)!;
    const conditions = alerts.map((alert) => alert.body.condition).filter(isCandleCondition);
    const missed = Math.max(
      0,
      ...alerts.map(({ memory }) => (memory.candle === undefined ? 0 : Math.ceil((market.asOf - memory.candle) / length))),
    );
    const limit = Math.min(1000, Math.max(...conditions.map(candlesNeeded)) + missed + 2);
    const candles = (await reader.candles(symbol, interval, { limit })).filter(({ closed }) => closed);
    const closes = candles.map(({ close }) => Number(close));
    const volumes = candles.map(({ volume }) => Number(volume));
    const timeOf = ({ openTime }: Candle) => Date.parse(openTime);
    for (const alert of alerts) {
      const { condition, hysteresisPct } = alert.body;
      if (!isCandleCondition(condition)) continue;
      for (const [place, candle] of candles.entries()) {
        const openTime = timeOf(candle);
        // The first look is at the newest candle alone: it says how things stand.
        const isNew = alert.memory.candle === undefined ? place === candles.length - 1 : openTime > alert.memory.candle;
        if (!isNew) continue;
        const verdict = judgeCandles(condition, closes.slice(0, place + 1), volumes.slice(0, place + 1), hysteresisPct);
        if (verdict === undefined) continue;
        alert.memory = { ...alert.memory, candle: openTime };
        alert.isDirty = true;
        const closeTime = openTime + length;
        const late = market.asOf - closeTime > length + MINUTE;
        const given = { key: String(openTime), at: late ? openTime : closeTime, feedAt: closeTime, price: digits(candle.close), late };
        runner.heed(alert, verdict, given, closeTime);
      }
    }
  }
  function judgeCandleAlerts(): void {
    const groups = new Map<string, LiveAlert[]>();
    for (const alert of live('rsi', 'ema', 'sma', 'macd', 'bollinger', 'volumeSpike')) {
      const { condition, symbol } = alert.body;
      if (!isCandleCondition(condition) || symbol === undefined) continue;
      const length = intervalLength(condition.interval)!;
      const isDue = alert.memory.candle === undefined || market.asOf >= alert.memory.candle + 2 * length;
      if (isDue) groups.set(`${symbol} ${condition.interval}`, [...(groups.get(`${symbol} ${condition.interval}`) ?? []), alert]);
    }
    for (const [name, alerts] of groups) {
      const [symbol = '', interval = ''] = name.split(' ');
      once(`candles ${name}`, () => judgeCandleGroup(symbol, interval, alerts));
    }
  }

  /** Which coins came into a filter and which left since it was last looked at. */
  async function judgeFilter(alert: LiveAlert): Promise<void> {
    const { coinFilterId, condition } = alert.body;
    if (coinFilterId === undefined || condition.kind !== 'screener') return;
    const found = await parts.coinFilters.coinsOf(coinFilterId, alert.accountId);
    if (!isWatching(alert)) return;
    if (found === undefined) return runner.fail(alert, 'filter-gone');
    if (found.stale) return;
    const before = alert.memory.coins;
    const asOf = Date.parse(found.asOf);
    if (before !== undefined && alert.state === 'cooldown') {
      // What changes meanwhile is told when it is over.
      if (!alert.context.hasLeft) runner.advance(alert, { type: 'price.left' });
      return;
    }
    const entered = before === undefined ? [] : found.coins.filter((coin) => !before.includes(coin));
    const leftIt = before === undefined ? [] : before.filter((coin) => !found.coins.includes(coin));
    const told = [...(condition.event === 'exit' ? [] : entered), ...(condition.event === 'enter' ? [] : leftIt)];
    alert.memory = { ...alert.memory, coins: found.coins };
    alert.isDirty = true;
    if (told.length === 0) return;
    const [only] = told;
    runner.trigger(alert, {
      key: String(asOf),
      symbol: told.length === 1 ? only! : null,
      at: asOf,
      feedAt: asOf,
      price: told.length === 1 ? (market.price(only!) ?? null) : null,
      late: false,
      facts: { entered: namesOf(entered), left: namesOf(leftIt), found: namesOf(told, 20) },
    });
    if (!isWatching(alert)) runner.settle(alert);
  }

  function judgeTargetOf(
    alert: LiveAlert,
    { pct }: Of<'positionTarget'>,
    { target, distancePct }: { target: string; distancePct: number },
    given: Parameters<typeof runner.heed>[2],
  ): void {
    const { memory } = alert;
    // Another target begins anew, on the side where it lies.
    const side = memory.target === target && memory.side !== undefined ? memory.side : distancePct < 0 ? -1 : 1;
    if (memory.target !== target || memory.side !== side) {
      alert.memory = { ...memory, target, side };
      alert.isDirty = true;
    }
    runner.heed(alert, judgeTarget(distancePct, side, Number(pct), Number(alert.body.hysteresisPct)), given);
  }

  async function judgePositions(alerts: readonly LiveAlert[]): Promise<void> {
    for (const accountId of new Set(alerts.map((alert) => alert.accountId))) {
      const positions = await parts.positionsOf(accountId);
      for (const alert of alerts) {
        const { condition, symbol, hysteresisPct } = alert.body;
        if (alert.accountId !== accountId || symbol === undefined || !isWatching(alert)) continue;
        const position = positions.get(symbol);
        const at = market.asOf;
        const given = { key: String(at), at, feedAt: at, price: market.price(symbol) ?? null, late: false };
        // Without a position nothing is so: one that is opened later begins anew.
        if (position === undefined) runner.heed(alert, { truth: false, left: true, facts: {} }, given);
        else if (condition.kind === 'positionPnl' && position.returnPct !== null)
          runner.heed(alert, judgeValue(position.returnPct, condition.relation, Number(condition.pct), Number(hysteresisPct)), given);
        else if (condition.kind === 'positionTarget' && position.targetDistancePct !== null)
          judgeTargetOf(alert, condition, { target: position.target!, distancePct: position.targetDistancePct }, given);
      }
    }
  }

  const STATES: Readonly<Record<string, string>> = { paused: 'Paused', blocked: 'Blocked', halted: 'Halted', disabled: 'Disabled' };
  /** What the account's bots did since the last look. */
  async function judgeBots(alert: LiveAlert): Promise<void> {
    const { condition, autoTradeId } = alert.body;
    if (condition.kind !== 'botEvent') return;
    let bots = queries
      .selectFrom('auto_trades')
      .select(['id', 'name', 'state'])
      .where('account_id', '=', alert.accountId)
      .where('state', '!=', 'deleted');
    if (autoTradeId !== undefined) bots = bots.where('id', '=', autoTradeId);
    const found = await bots.execute();
    if (!isWatching(alert)) return;
    if (found.length === 0 && autoTradeId !== undefined) return runner.fail(alert, 'bot-gone');
    const ids = found.map(({ id }) => id);
    const names = new Map(found.map(({ id, name }) => [id, name]));
    const states = Object.fromEntries(found.map(({ id, state }) => [id, state]));
    const newest = async (): Promise<string> => {
      if (ids.length === 0) return '';
      const row = await queries
        .selectFrom('auto_trade_traces')
        .select('id')
        .where('auto_trade_id', 'in', ids)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row?.id ?? '';
    };
    const { cursor, states: before } = alert.memory;
    if (cursor === undefined || before === undefined) {
      alert.memory = { ...alert.memory, cursor: await newest(), states };
      alert.isDirty = true;
      return;
    }
    if (alert.state === 'cooldown') {
      if (!alert.context.hasLeft) runner.advance(alert, { type: 'price.left' });
      return;
    }
    const traces =
      ids.length === 0
        ? []
        : await queries
            .selectFrom('auto_trade_traces')
            .select(['id', 'auto_trade_id', 'kind', 'symbol', 'at', 'body'])
            .where('auto_trade_id', 'in', ids)
            .where('id', '>', cursor)
            .orderBy('id')
            .limit(200)
            .execute();
    const wanted = (event: string) => condition.event === 'any' || condition.event === event;
    for (const trace of traces) {
      if (!isWatching(alert) || alert.state !== 'armed') break;
      alert.memory = { ...alert.memory, cursor: trace.id };
      alert.isDirty = true;
      if (!wanted(trace.kind)) continue;
      const body = JSON.parse(trace.body) as { price?: string; reason?: string };
      const facts = {
        event: trace.kind,
        reason: body.reason ?? '',
        bot: names.get(trace.auto_trade_id) ?? '',
        found: `${names.get(trace.auto_trade_id)}: ${trace.kind}`,
      };
      runner.trigger(alert, {
        key: trace.id,
        symbol: trace.symbol,
        at: Number(trace.at),
        feedAt: Number(trace.at),
        price: body.price ?? null,
        late: false,
        facts,
      });
    }
    for (const { id, state, name } of found) {
      if (alert.state !== 'armed' || before[id] === state) continue;
      alert.memory = { ...alert.memory, states: { ...alert.memory.states, [id]: state } };
      alert.isDirty = true;
      const event = STATES[state];
      // A bot that is new is not one that was disabled.
      if (event === undefined || before[id] === undefined || !wanted(event)) continue;
      const at = market.asOf || now();
      runner.trigger(alert, {
        key: `${id} ${event} ${at}`,
        symbol: null,
        at,
        feedAt: at,
        price: null,
        late: false,
        facts: { event, bot: name, found: `${name}: ${event}` },
      });
    }
    if (!isWatching(alert)) runner.settle(alert);
  }

  /** Pairs that are new, gone, or in another state than they were. */
  async function judgePairs(): Promise<void> {
    const pairs = await parts.pairs();
    const states = new Map(pairs.map(({ symbol, status }): [string, string] => [symbol, status]));
    if (states.size === 0) return;
    const listed = new Set(states.keys());
    const known = new Map(Object.entries(JSON.parse(runner.pairs.get()) as Record<string, string>));
    // A row that cannot be read says nothing of its pair, and one without a name nothing of any that is missing: it is as it was.
    const unread = new Set(unreadOf(pairs).map((row) => textOfUnread(row, 'symbol')));
    const isUnread = (symbol: string) => !listed.has(symbol) && (unread.has(symbol) || unread.has(undefined));
    for (const [symbol, status] of known) if (isUnread(symbol)) states.set(symbol, status);
    // At the first look it is there already, in a state that is not known.
    if (known.size === 0) for (const symbol of unread) if (symbol !== undefined && isUnread(symbol)) states.set(symbol, '');
    runner.pairs.set(JSON.stringify(Object.fromEntries(states)));
    const at = market.asOf || now();
    const fire = (alert: LiveAlert, symbols: readonly string[], facts: Record<string, string>): boolean => {
      const [only = ''] = symbols;
      const symbol = symbols.length === 1 ? only : null;
      const price = symbol === null ? null : (market.price(symbol) ?? null);
      const fired = runner.trigger(alert, { key: `${only} ${at}`, symbol, at, feedAt: at, price, late: false, facts });
      if (!isWatching(alert)) runner.settle(alert);
      return fired;
    };
    const fresh = known.size === 0 ? [] : pairs.filter(({ symbol }) => !known.has(symbol));
    for (const alert of live('newListing', 'statusChange')) {
      const { condition, symbol = '' } = alert.body;
      if (alert.state === 'cooldown' && !alert.context.hasLeft) runner.advance(alert, { type: 'price.left' });
      const { memory } = alert;
      if (condition.kind === 'newListing') {
        // After a crash the pairs known may be those of before the firing.
        const told = (memory.told ?? []).filter((each) => !known.has(each));
        const found = fresh.filter(
          (pair) => (condition.quoteAsset === undefined || condition.quoteAsset === pair.quoteAsset) && !told.includes(pair.symbol),
        );
        const listed = [...new Set([...(memory.listed ?? []), ...found.map((pair) => pair.symbol)])];
        alert.isDirty = true;
        alert.memory = { ...memory, told, listed };
        // What comes while it cools down is told when that is over; all of them at once.
        if (listed.length === 0 || alert.state !== 'armed') continue;
        const quoteAsset = pairs.find((pair) => pair.symbol === listed[0])?.quoteAsset ?? condition.quoteAsset ?? '';
        alert.memory = { ...memory, told: listed, listed: [] };
        fire(alert, listed, { found: namesOf(listed, 20), quoteAsset });
      } else if (condition.kind === 'statusChange' && alert.state === 'armed' && !isUnread(symbol)) {
        const before = memory.states?.[symbol] ?? known.get(symbol);
        const status = states.get(symbol) ?? 'DELISTED';
        alert.memory = { ...memory, states: { [symbol]: status } };
        alert.isDirty = true;
        if (before && before !== status && (condition.status ?? status) === status)
          fire(alert, [symbol], { before, status, found: `${before} → ${status}` });
      }
    }
    // Whoever waits for a price of a pair that is gone would wait for ever.
    for (const alert of runner.alerts.values())
      if (
        isWatching(alert) &&
        alert.body.symbol !== undefined &&
        alert.body.condition.kind !== 'statusChange' &&
        !listed.has(alert.body.symbol) &&
        !isUnread(alert.body.symbol)
      )
        runner.fail(alert, 'pair-delisted');
  }

  runner.judgePricesBy(judgePrice);
  return {
    /** A second of the wall's clock. */
    beat: (): void => {
      if (!market.loaded) return;
      judgeCandleAlerts();
      // Changes of pairs that nobody trades go on: what they are measured from moves.
      for (const alert of live('change', 'volume')) {
        const feed = runner.feedOf(alert);
        if (feed !== undefined && feed.price > 0 && !feed.isHeld && !market.stale())
          judgePrice(alert, { ...feed, at: Math.max(feed.at, market.asOf) });
      }
      const time = now();
      if (time - lookedAt >= LOOK_MS || time < lookedAt) {
        lookedAt = time;
        for (const alert of live('screener')) once(`filter ${alert.id}`, () => judgeFilter(alert));
        for (const alert of live('botEvent')) once(`bots ${alert.id}`, () => judgeBots(alert));
        const onPositions = live('positionPnl', 'positionTarget');
        if (onPositions.length > 0) once('positions', () => judgePositions(onPositions));
      }
      if (time - pairsAt >= PAIRS_MS || time < pairsAt) {
        pairsAt = time;
        // Also while nobody waits: to an alert of tomorrow what is listed today is not new.
        once('pairs', judgePairs);
      }
    },
    settled: async (): Promise<void> => void (await running),
    judgePairs,
  };
}
