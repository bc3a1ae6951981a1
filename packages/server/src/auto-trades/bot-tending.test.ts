import { virtualTime } from '@pilotfish/core/testing/virtual-time';
import { realTimers } from '@pilotfish/core/time/timers';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { RunningBot } from './bot-runner.ts';
import { botTending } from './bot-tending.ts';

/** A bot that has one order in flight, or none, and nothing else to look after. */
const bot = (orders: number) =>
  ({
    bot: {
      id: `b${orders}`,
      accountId: 'a',
      config: { entry: { trigger: { kind: 'immediate' } }, exit: {}, coins: { symbols: [], coinFilterIds: [] } },
    },
    inFlight: () => Array.from({ length: orders }, () => ({})),
    unvaluedFees: () => [],
    engine: { symbols: [] },
    noteStandstills: () => undefined,
    followPairs: async () => undefined,
    setForbidden: () => undefined,
    symbols: () => [],
  }) as unknown as RunningBot;

test('orders in flight are asked for every two minutes, whatever the stream says; an exchange that is away stops nothing', async () => {
  let now = 0;
  const asked: string[] = [];
  const [waiting, idle] = [bot(1), bot(0)];
  const tending = botTending({
    timers: realTimers,
    running: new Map([
      ['w', waiting],
      ['i', idle],
    ]),
    conditions: undefined as never,
    coins: undefined as never,
    market: { loaded: true } as never,
    filledAt: undefined as never,
    rateAt: undefined as never,
    fees: { ofCoins: async () => undefined, round: async () => undefined },
    permitted: { forbidden: async () => [] },
    valueLateFees: async () => undefined,
    expireHalts: () => undefined,
    jumpStands: async () => undefined,
    reconcile: async (each) => {
      asked.push(each.bot.id);
      throw new Error('away');
    },
    now: () => now,
    log: pino({ level: 'silent' }),
  });
  for (const second of [0, 60, 119, 120, 180, 239, 240]) {
    now = second * 1000;
    await tending.round();
  }
  expect(asked).toEqual(['b1', 'b1']);
});

test('bots learn every ten seconds that the market connection is up, and nothing while it is down', async () => {
  const time = virtualTime();
  const calls: number[] = [];
  const state = { loaded: true, isStale: false };
  const tending = botTending({
    timers: time.timers,
    running: new Map([['b', { ...bot(0), connected: () => void calls.push(time.now()) }]]) as never,
    conditions: undefined as never,
    coins: undefined as never,
    market: {
      get loaded() {
        return state.loaded;
      },
      stale: () => state.isStale,
    } as never,
    fees: { ofCoins: async () => undefined, round: async () => undefined },
    permitted: { forbidden: async () => [] },
    filledAt: undefined as never,
    rateAt: undefined as never,
    valueLateFees: async () => undefined,
    expireHalts: () => undefined,
    jumpStands: async () => undefined,
    reconcile: async () => undefined,
    now: time.now,
    log: pino({ level: 'silent' }),
  });
  tending.start();
  await time.advance(30_000);
  expect(calls).toHaveLength(3);
  for (const [loaded, isStale] of [
    [true, true],
    [false, false],
  ] as const) {
    Object.assign(state, { loaded, isStale });
    await time.advance(30_000);
    expect(calls).toHaveLength(3);
  }
  tending.stop();
});

test('the pairs of a bot are looked at in its first round and then once a minute; what hinders one hinders no other', async () => {
  let now = 0;
  const looked: string[] = [];
  const looking = (id: string, fails: boolean) => ({
    ...bot(0),
    bot: { ...bot(0).bot, id },
    followPairs: async () => {
      looked.push(`${id} ${now / 1000}`);
      if (fails) throw new Error('away');
    },
  });
  const running = new Map([['a', looking('a', true)]]);
  const tending = botTending({
    timers: realTimers,
    running: running as never,
    conditions: undefined as never,
    coins: undefined as never,
    market: { loaded: true } as never,
    filledAt: undefined as never,
    rateAt: undefined as never,
    fees: { ofCoins: async () => undefined, round: async () => undefined },
    permitted: { forbidden: async () => [] },
    valueLateFees: async () => undefined,
    expireHalts: () => undefined,
    jumpStands: async () => undefined,
    reconcile: async () => undefined,
    now: () => now,
    log: pino({ level: 'silent' }),
  });
  for (const second of [0, 1, 30, 59, 60, 61, 119, 120]) {
    now = second * 1000;
    if (second === 30) running.set('b', looking('b', false));
    await tending.round();
  }
  expect(looked).toEqual(['a 0', 'b 30', 'a 60', 'b 119', 'a 120']);
});

test('a jump that nobody has decided about is told once in every hour of the market', async () => {
  let now = 0;
  const told: number[] = [];
  const jump = {
    attention: 'PRICE_JUMP',
    positionId: 'p',
    settings: { pricePrecision: 2 },
    jump: { at: 1_000_000, before: '100', price: '1' },
  };
  const market = { loaded: true, asOf: jump.jump.at };
  let context: object = jump;
  const engine = { symbols: ['BTCUSDT'], inspect: () => ({ context }) };
  const tending = botTending({
    timers: realTimers,
    running: new Map([['b', { ...bot(0), engine }]]) as never,
    conditions: undefined as never,
    coins: undefined as never,
    market: market as never,
    filledAt: undefined as never,
    rateAt: undefined as never,
    fees: { ofCoins: async () => undefined, round: async () => undefined },
    permitted: { forbidden: async () => [] },
    valueLateFees: async () => undefined,
    expireHalts: () => undefined,
    jumpStands: async (_bot, _jump, hours) => void told.push(hours),
    reconcile: async () => undefined,
    now: () => now,
    log: pino({ level: 'silent' }),
  });
  for (let minute = 0; minute <= 130; minute += 1) {
    now = minute * 60_000;
    market.asOf = jump.jump.at + now;
    await tending.round();
  }
  // The key of each hour is told once: see the notices.
  expect([...new Set(told)]).toEqual([1, 2]);
  context = { ...jump, attention: null };
  told.length = 0;
  now += 3_600_000;
  await tending.round();
  expect(told).toEqual([]);
});
