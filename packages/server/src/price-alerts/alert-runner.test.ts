import { newPriceAlertContext } from '@pilotfish/core/price-alerts/price-alert-machine';
import { type PriceAlertInput, priceAlertBody } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { realTimers } from '@pilotfish/core/time/timers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { alertRunner } from './alert-runner.ts';
import type { StoredAlert, Trigger } from './price-alerts-store.ts';

// The runner between a market and a store that the test moves by hand; waits are those of a clock that it turns.

const MINUTE = 60_000;
const BEGIN = Date.UTC(2026, 0, 5);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

type Bar = [number, string, string, string, string];
function stage(saved: StoredAlert[] = [], heardUntil = 0) {
  const written: string[] = [];
  const fired: (Trigger & { id: string })[] = [];
  const streams = new Map<string, (data: unknown) => void>();
  let onTick: (tick: { at: number; price: number; bid: number; ask: number }) => void = () => undefined;
  const columns = { at: [BEGIN], price: [99], bid: [98], ask: [100] };
  const world = {
    asOf: BEGIN,
    /** The wall's clock. */
    wall: 1,
    connected: true,
    failing: false,
    poison: false,
    canWrite: true,
    bars: [] as Bar[],
    asked: 0,
    feed: { heardUntil, pairs: '{}' },
  };
  const store = {
    all: async () => saved,
    feed: async () => world.feed,
    saveFeed: async (feed: typeof world.feed) => {
      world.feed = feed;
    },
    save: async ({ state }: StoredAlert) => void written.push(`save ${state}`),
    fire: async (alert: StoredAlert, trigger: Trigger) => {
      if (world.poison && alert.body.note === 'poison') throw new RangeError('too long');
      written.push(`fire ${alert.state}`);
      fired.push({ ...trigger, id: alert.id });
      return undefined;
    },
    canWrite: async () => world.canWrite,
  };
  const runner = alertRunner(
    {
      log: { error: () => undefined, warn: () => undefined },
      notifier: { wake: () => undefined },
      now: () => world.wall,
      timers: realTimers,
      stream: { publish: () => undefined },
    } as never,
    {
      store,
      market: {
        get asOf() {
          return world.asOf;
        },
        board: { index: () => 0, column: (name: keyof typeof columns) => columns[name] },
        pair: () => ({ pricePrecision: 2 }),
        watch: (_: string, listener: typeof onTick) => {
          onTick = listener;
          return () => undefined;
        },
      },
      exchange: {
        candles: async () => {
          world.asked += 1;
          if (world.failing) throw new Error('away');
          return world.bars;
        },
        stream: {
          get connected() {
            return world.connected;
          },
          subscribe: (name: string, listener: (data: unknown) => void) => {
            streams.set(name, listener);
            return () => streams.delete(name);
          },
        },
      },
    } as never,
  );
  return {
    runner,
    world,
    written,
    fired,
    columns,
    book: (bid: number, ask: number) => streams.get('btcusdt@bookTicker')?.({ b: String(bid), a: String(ask) }),
    /** A closed minute of the pair, as the stream tells it. */
    minute: (open: number, high: number) =>
      streams.get('btcusdt@kline_1m')?.({ k: { t: open, h: String(high), l: '99', c: '99', x: true } }),
    board: (after: number, price: number) => {
      world.asOf = BEGIN + after;
      columns.at[0] = world.asOf;
      columns.price[0] = price;
      streams.get('!miniTicker@arr')?.([]);
    },
    tick: (after: number, price: number) => {
      world.asOf = Math.max(world.asOf, BEGIN + after);
      onTick({ at: BEGIN + after, price, bid: price, ask: price });
    },
  };
}
const alert = (id: string, over: Partial<PriceAlertInput> = {}, more: Partial<StoredAlert> = {}): StoredAlert => ({
  id,
  accountId: 'a',
  body: { ...priceAlertBody.parse({ symbol: 'BTCUSDT', condition: { kind: 'above', level: '100' }, ...over }), expiresAt: null },
  state: 'armed',
  context: newPriceAlertContext({ repeat: over.repeat ?? 'once', needsHistory: false, snoozedUntil: null }),
  memory: { since: 0 },
  createdAt: 0,
  ...more,
});
/** Lets everything run that waits for nothing but a timer of at most so long. */
const pass = async (milliseconds = 0) => {
  await vi.advanceTimersByTimeAsync(milliseconds);
  await new Promise((done) => setImmediate(done));
};
/** An alert as it was stored below its level. */
const below = (since: number) => alert('old', {}, { memory: { since, rule: { mode: 'armed', ready: [true], fired: null } } });

test('a restart while the exchange cannot be asked waits for it, and keeps where it stood', async () => {
  const { runner, world, fired, tick, columns } = stage([below(BEGIN - 10 * MINUTE)], BEGIN - 5 * MINUTE);
  columns.price[0] = Number.NaN;
  world.failing = true;
  world.bars = [[BEGIN - 3 * MINUTE, '99', '101', '99', '99']];
  await runner.start();
  await pass(60_000);
  // Whoever stops now must not believe that everything was heard.
  await runner.flush();
  expect(world.feed.heardUntil).toBe(BEGIN - 5 * MINUTE);
  expect(fired).toEqual([]);
  world.failing = false;
  await pass(16_000);
  expect(fired).toMatchObject([{ id: 'old', late: true, at: BEGIN - 3 * MINUTE, price: '101' }]);
  tick(MINUTE, 99);
  await runner.flush();
  expect(world.feed.heardUntil).toBe(BEGIN);
  await runner.stop();
});

test('where prices come and candles do not, the price of now tells at least that the level was passed', async () => {
  const { runner, world, fired, tick } = stage([below(BEGIN - 10 * MINUTE)], BEGIN - 5 * MINUTE);
  world.failing = true;
  await runner.start();
  await pass();
  tick(1000, 102);
  tick(2000, 103);
  expect(fired).toEqual([]);
  await pass(60_000);
  expect(fired).toMatchObject([{ id: 'old', late: true, price: '103' }]);
  await runner.stop();
});

test('what is so at the first look fires only where that was asked for; otherwise when it comes to be so', async () => {
  const { runner, fired } = stage();
  await runner.start();
  const condition = { kind: 'change', pct: '5', window: '1h' } as const;
  const look = (live: ReturnType<typeof runner.put>, truth: boolean, at: number) =>
    runner.heed(live, { truth, left: !truth, facts: {} }, { key: String(at), at, feedAt: at, price: '100', late: false });
  const waits = runner.put(alert('waits', { condition }));
  look(waits, true, BEGIN + 1);
  await pass();
  expect(fired).toEqual([]);
  look(waits, false, BEGIN + 2);
  look(waits, true, BEGIN + 3);
  look(runner.put(alert('at once', { condition, fireIfTrue: true })), true, BEGIN + 4);
  await pass();
  expect(fired.map(({ id, at }) => [id, at])).toEqual([
    ['waits', BEGIN + 3],
    ['at once', BEGIN + 4],
  ]);
  await runner.stop();
});

test('a restart within the minute of the last word loses no crossing', async () => {
  const { runner, world, fired } = stage([below(BEGIN - 20_000)], BEGIN - 15_000);
  world.bars = [[BEGIN - MINUTE, '99', '102', '98', '101']];
  await runner.start();
  await pass();
  expect(fired).toMatchObject([{ id: 'old', late: true, price: '101' }]);
  await runner.stop();
});

test('an alert made while the connection is lost is not told what was before it', async () => {
  const { runner, world, fired, tick } = stage();
  await runner.start();
  world.connected = false;
  runner.put(alert('new'));
  world.bars = [
    [BEGIN + MINUTE, '99', '105', '99', '99'],
    [BEGIN + 2 * MINUTE, '99', '99', '99', '99'],
  ];
  world.connected = true;
  runner.feeds.catchUp(BEGIN);
  await pass();
  expect(fired).toEqual([]);
  tick(3 * MINUTE, 99);
  tick(3 * MINUTE + 1, 101);
  await pass();
  expect(fired).toMatchObject([{ id: 'new', late: false }]);
  await runner.stop();
});

test('a firing is written before the state it leads to, however soon that is stored', async () => {
  const { runner, written } = stage();
  await runner.start();
  const live = runner.put(alert('bot', { condition: { kind: 'above', level: '100' } }));
  runner.trigger(live, { key: 'k', symbol: null, at: 1, feedAt: 1, price: null, late: false, facts: {} });
  runner.settle(live);
  await runner.written();
  expect(written).toEqual(['save armed', 'fire fired', 'save fired']);
  await runner.stop();
});

test('where an alert began is stored after the alert as it was given, and of one that was replaced not at all', async () => {
  const { runner, written } = stage();
  await runner.start();
  const given = (word: string) => runner.write('an alert', async () => void written.push(word));
  runner.put(alert('a'));
  await given('first');
  await runner.written();
  expect(written).toEqual(['first', 'save armed']);
  runner.put(alert('a', { condition: { kind: 'above', level: '200' } }));
  runner.put(alert('a', { condition: { kind: 'above', level: '300' } }));
  await given('third');
  await runner.written();
  expect(written).toEqual(['first', 'save armed', 'third', 'save armed']);
  await runner.stop();
});

test('what alone cannot be written holds up nobody; a database that is away loses nothing', async () => {
  const { runner, world, fired, tick } = stage();
  await runner.start();
  runner.put(alert('bad', { note: 'poison' }));
  runner.put(alert('good', { condition: { kind: 'above', level: '100.5' } }));
  world.poison = true;
  world.canWrite = false;
  tick(1, 99);
  tick(2, 101);
  await pass(60_000);
  expect(fired).toEqual([]);
  world.canWrite = true;
  await pass(2000);
  expect(fired).toMatchObject([{ id: 'good' }]);
  await runner.stop();
});

test('the middle of the book is never a last price, and not a book of some seconds ago', async () => {
  const { runner, fired, board, book, columns } = stage();
  [columns.bid[0], columns.ask[0]] = [Number.NaN, Number.NaN];
  await runner.start();
  runner.put(alert('mid', { priceSource: 'mark-mid' }));
  // The last price is below the level; the middle is above it from its first word on.
  board(1000, 90);
  book(100, 102);
  board(2000, 90);
  [columns.bid[0], columns.ask[0]] = [98, 99];
  board(3000, 90);
  book(100, 104);
  await pass();
  expect(fired).toEqual([]);
  book(98, 100);
  book(100, 101);
  await pass();
  expect(fired).toMatchObject([{ id: 'mid', price: '100.5', late: false }]);
  await runner.stop();
});

/** Minutes after the beginning whose end the market stands at while they are read; high and low of each, from 1 on. */
function missed(world: ReturnType<typeof stage>['world'], ranges: readonly [high: string, low: string][]): void {
  world.bars = ranges.map(([high, low], n) => [BEGIN + (n + 1) * MINUTE, low, high, low, low]);
  world.asOf = BEGIN + (ranges.length + 1) * MINUTE;
  world.wall = world.asOf;
}
const QUIET: [string, string] = ['99', '98'];
const ABOVE: [string, string] = ['103', '98'];

test('a cooldown that ends while nobody listens ends in its own minute: what comes after it fires, late', async () => {
  const { runner, world, fired, tick } = stage();
  await runner.start();
  runner.put(alert('often', { repeat: 'every', cooldownMin: 5 }));
  tick(1, 99);
  tick(2, 101);
  await pass();
  expect(fired).toMatchObject([{ id: 'often', late: false }]);
  missed(world, [QUIET, QUIET, ABOVE, QUIET, QUIET, QUIET, QUIET, ABOVE, QUIET, QUIET]);
  runner.feeds.catchUp(BEGIN + 2);
  // The clocks are beyond its end already; the past is not read yet.
  runner.beat();
  await pass();
  expect(fired.slice(1)).toMatchObject([{ id: 'often', late: true, at: BEGIN + 8 * MINUTE }]);
  await runner.stop();
});

test('an alert whose time ended while nobody listens fires for what was before its end, and for nothing after', async () => {
  const { runner, world, fired, tick } = stage();
  world.wall = BEGIN;
  await runner.start();
  const over = new Date(BEGIN + 5 * MINUTE + 1).toISOString();
  const put = (id: string, level: string) => {
    const made = alert(id, { condition: { kind: 'above', level } });
    return runner.put({ ...made, body: { ...made.body, expiresAt: over } });
  };
  const [before, after] = [put('before', '102'), put('after', '105')];
  tick(1, 99);
  missed(world, [QUIET, QUIET, ABOVE, QUIET, QUIET, QUIET, ['106', '98'], QUIET]);
  runner.feeds.catchUp(BEGIN + 2);
  runner.beat();
  expect([before.state, after.state]).toEqual(['armed', 'armed']);
  await pass();
  runner.beat();
  expect(fired).toMatchObject([{ id: 'before', late: true, at: BEGIN + 3 * MINUTE }]);
  expect([before.state, after.state]).toEqual(['fired', 'expired']);
  await runner.stop();
});

test('a connection that is lost when the time of an alert ends: it ends when the market is heard again', async () => {
  const { runner, world, fired, board, tick } = stage();
  world.wall = BEGIN;
  await runner.start();
  const made = alert('over', { condition: { kind: 'above', level: '102' } });
  const live = runner.put({ ...made, body: { ...made.body, expiresAt: new Date(BEGIN + 5 * MINUTE).toISOString() } });
  tick(1, 99);
  world.connected = false;
  runner.beat();
  world.wall = BEGIN + 6 * MINUTE;
  runner.beat();
  expect(live.state).toBe('armed');
  world.connected = true;
  missed(world, [QUIET, ABOVE, QUIET, QUIET, QUIET]);
  board(6 * MINUTE, 98);
  runner.beat();
  await pass();
  expect(fired).toMatchObject([{ id: 'over', late: true, at: BEGIN + 2 * MINUTE }]);
  await runner.stop();
});

test.each([
  ['on the clock of the wall', 300],
  ['on a clock of its own', 3_600_000],
])(
  'a minute or a candle that closed before the end counts however late it comes, one that closed after does not, %s',
  async (_, behind) => {
    const { runner, world, fired, tick, minute, board } = stage();
    world.wall = BEGIN + behind;
    await runner.start();
    // The market's five minutes and half a second, as the wall has it; what is on the same clock only takes a moment to come.
    const end = BEGIN + 5 * MINUTE + 500 + (behind > MINUTE ? behind : 0);
    const rsi = { kind: 'rsi', interval: '1m', period: 14, relation: 'above', value: '70' } as const;
    const put = (id: string, over: Partial<PriceAlertInput>) => {
      const made = alert(id, over, { memory: { since: 0, truth: false, candle: BEGIN + 3 * MINUTE } });
      return runner.put({ ...made, body: { ...made.body, expiresAt: new Date(end).toISOString() } });
    };
    const wick = put('wick', { condition: { kind: 'above', level: '102' } });
    const higher = put('higher', { condition: { kind: 'above', level: '105' } });
    const candle = put('candle', { condition: rsi });
    const next = put('next', { condition: rsi });
    tick(1, 99);
    for (const heard of [1, 2, 3, 4]) {
      world.wall = BEGIN + heard * MINUTE + behind;
      board(heard * MINUTE, 99);
    }
    // Over, and the last words of the market are of before the close.
    world.wall = BEGIN + 5 * MINUTE - 200 + behind;
    tick(5 * MINUTE - 200, 99);
    world.wall = end + 700;
    runner.beat();
    expect([wick, higher, candle, next].map(({ state }) => state)).toEqual(Array(4).fill('armed'));
    minute(BEGIN + 4 * MINUTE, 103);
    const judged = { key: 'c', price: '99', late: false };
    const told = { truth: true, left: false, facts: {} };
    for (const live of [candle, next]) live.memory = { ...live.memory, candle: BEGIN + 4 * MINUTE };
    runner.heed(candle, told, { ...judged, at: BEGIN + 5 * MINUTE, feedAt: BEGIN + 5 * MINUTE }, BEGIN + 5 * MINUTE);
    runner.heed(next, told, { ...judged, at: BEGIN + 6 * MINUTE, feedAt: BEGIN + 6 * MINUTE }, BEGIN + 6 * MINUTE);
    world.wall = BEGIN + 5 * MINUTE + 3000 + behind;
    board(5 * MINUTE + 3000, 106);
    await pass();
    runner.beat();
    await pass();
    expect(fired.map(({ id }) => id).sort()).toEqual(['candle', 'wick']);
    expect([higher.state, next.state]).toEqual(['expired', 'expired']);
    await runner.stop();
  },
);

test('asleep is asleep also for what is found late, and awake for what came after', async () => {
  const { runner, world, fired, tick } = stage();
  world.wall = BEGIN;
  await runner.start();
  const live = runner.put(alert('asleep', { condition: { kind: 'crosses', direction: 'up', level: '100' } }));
  runner.advance(live, { type: 'alert.snoozed', until: BEGIN + 5 * MINUTE });
  tick(1, 99);
  missed(world, [QUIET, ABOVE, QUIET, QUIET, QUIET, QUIET, ABOVE, QUIET]);
  runner.feeds.catchUp(BEGIN + 2);
  runner.beat();
  await pass();
  expect(fired).toMatchObject([{ id: 'asleep', late: true, at: BEGIN + 7 * MINUTE }]);
  await runner.stop();
});

test('what is over and slept is left alone: its sleep is not ended again with every beat', async () => {
  const past = { ...newPriceAlertContext({ repeat: 'once', needsHistory: false, snoozedUntil: BEGIN }) };
  const { runner, world, written } = stage([alert('over', {}, { state: 'expired', context: past })]);
  world.wall = BEGIN + MINUTE;
  await runner.start();
  written.length = 0;
  for (let beats = 0; beats < 3; beats += 1) runner.beat();
  await pass();
  expect(written).toEqual([]);
  await runner.stop();
});

test('over while it cools down, it is over: nothing is told after that', async () => {
  const { runner, world, fired, tick } = stage();
  world.wall = BEGIN;
  await runner.start();
  const made = alert('short', { repeat: 'every', cooldownMin: 10 });
  const live = runner.put({ ...made, body: { ...made.body, expiresAt: new Date(BEGIN + 5 * MINUTE).toISOString() } });
  tick(1, 99);
  tick(2, 101);
  await pass();
  expect(live.state).toBe('cooldown');
  world.wall = BEGIN + 5 * MINUTE;
  runner.beat();
  expect(live.state).toBe('expired');
  world.wall = BEGIN + 12 * MINUTE;
  for (const [minute, price] of [
    [6, 98],
    [11, 98],
    [12, 102],
  ] as const)
    tick(minute * MINUTE, price);
  runner.beat();
  await pass();
  expect(fired).toHaveLength(1);
  expect(live.state).toBe('expired');
  await runner.stop();
});

test('the first word after a gap may be a trade: the past is read before it counts, and once', async () => {
  const { runner, world, fired, tick, board } = stage();
  await runner.start();
  runner.put(alert('level'));
  tick(1, 99);
  world.bars = [
    [BEGIN + MINUTE, '99', '101', '99', '101'],
    [BEGIN + 2 * MINUTE, '101', '102', '101', '102'],
  ];
  tick(3 * MINUTE, 102);
  await pass();
  expect(fired).toMatchObject([{ id: 'level', late: true, at: BEGIN + MINUTE }]);
  board(3 * MINUTE + 500, 102);
  tick(3 * MINUTE + 600, 102);
  await pass();
  expect(world.asked).toBe(1);
  await runner.stop();
});
