import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exchangeClock } from './exchange-clock.ts';

const START = 1_700_000_000_000;

/** A machine and an exchange whose clocks a test moves, all in ms. */
function stage() {
  const state = { exchange: START, running: 5000.25, wall: START, wayThere: 0, wayBack: 0, asked: 0, jumps: 0 };
  const pass = (ms: number, fast = 0): void => {
    state.exchange += ms;
    state.running += ms * (1 + fast);
    state.wall += ms;
  };
  const clock = exchangeClock({
    ask: async () => {
      state.asked += 1;
      pass(state.wayThere);
      const told = Math.floor(state.exchange);
      pass(state.wayBack);
      return told;
    },
    now: () => state.wall,
    timers: { running: () => state.running },
    onJump: () => {
      state.jumps += 1;
    },
  });
  return { state, clock, pass };
}

describe('the stamp of a request', () => {
  test('is the told time, counted on by the monotonic clock, wherever the wall clock is set to', async () => {
    const { state, clock, pass } = stage();
    await clock.sync();
    for (const wallJump of [0, 3_600_000, -7_200_000, 10 * 365 * 86_400_000, -START]) {
      state.wall += wallJump;
      pass(1000);
      expect(clock.stamp()).toBeLessThanOrEqual(state.exchange);
      expect(clock.stamp()).toBeGreaterThan(state.exchange - 10);
    }
  });

  test('is never ahead of the exchange, whatever the ways of the answers, the wall clock and a drift of 100 ppm do', async () => {
    const way = fc.nat({ max: 9000 });
    const step = fc.record({
      there: way,
      back: way,
      syncs: fc.boolean(),
      passMs: fc.nat({ max: 3_600_000 }),
      wallJump: fc.integer({ min: -86_400_000, max: 86_400_000 }),
      fast: fc.double({ min: -100e-6, max: 100e-6, noNaN: true }),
      asleepMs: fc.oneof(fc.constant(0), fc.nat({ max: 86_400_000 })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const { state, clock, pass } = stage();
        for (const { there, back, syncs, passMs, wallJump, fast, asleepMs } of steps) {
          Object.assign(state, { wayThere: there, wayBack: back });
          if (syncs) await clock.sync();
          state.wall += wallJump;
          pass(passMs, fast);
          // A machine that sleeps: the monotonic clock stands still.
          state.exchange += asleepMs;
          state.wall += asleepMs;
          const stamp = clock.stamp();
          if (stamp === undefined) continue;
          expect(stamp).toBeLessThanOrEqual(state.exchange);
          expect(Number.isSafeInteger(stamp)).toBe(true);
        }
      }),
    );
  });

  test('is not ahead after hours without an answer either, by a clock that runs 100 ppm too fast', async () => {
    const { state, clock, pass } = stage();
    await clock.sync();
    for (let minutes = 0; minutes < 600; minutes += 10) {
      pass(600_000, 100e-6);
      expect(clock.stamp()).toBeLessThanOrEqual(state.exchange);
    }
  });

  test('after ten minutes at 100 ppm is still well within the window', async () => {
    const { state, clock, pass } = stage();
    await clock.sync();
    pass(600_000, -100e-6);
    expect(state.exchange - clock.stamp()!).toBeLessThan(500);
  });

  test('is too old after the machine slept, until the time is asked for anew', async () => {
    const { state, clock, pass } = stage();
    await clock.sync();
    state.exchange += 3_600_000;
    state.wall += 3_600_000;
    pass(1000);
    expect(state.exchange - clock.stamp()!).toBeGreaterThan(3_599_000);
    await clock.sync();
    expect(state.exchange - clock.stamp()!).toBeLessThanOrEqual(1);
  });

  test('is not known before the exchange has told its time', () => {
    const { clock } = stage();
    expect([clock.told, clock.stamp()]).toEqual([undefined, undefined]);
  });
});

test('who asks while it is being asked for waits for the same answers', async () => {
  const { state, clock } = stage();
  await Promise.all([clock.sync(), clock.sync()]);
  expect(state.asked).toBe(3);
  await clock.sync();
  expect(state.asked).toBe(6);
});

describe('a jump of one clock against the other', () => {
  test.each([
    ['a slow answer is none', 900, 0, 0],
    ['a slow way there and back is none', 0, 4000, 0],
    ['a virtual machine that was paused', 60_000, 0, 1],
    ['an exchange that set its clock back', -10_000, 0, 1],
    ['an exchange that set its clock back, told slowly', -10_000, 500, 1],
  ])('%s', async (_what, exchangeMs, wayMs, jumps) => {
    const { state, clock, pass } = stage();
    await clock.sync();
    pass(20_000);
    state.exchange += exchangeMs;
    Object.assign(state, { wayThere: wayMs, wayBack: wayMs });
    await clock.sync();
    expect(state.jumps).toBe(jumps);
  });

  test('a wall clock that was far off before the first answer is one, as nothing else tells that a machine stood still', async () => {
    const { state, clock } = stage();
    state.wall -= 60_000;
    await clock.sync();
    expect(state.jumps).toBe(1);
  });
});
