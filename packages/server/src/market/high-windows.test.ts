import { realTimers } from '@pilotfish/core/time/timers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ExchangeError } from '../exchange/exchange-error.ts';
import { highWindows } from './high-windows.ts';
import type { TickListener } from './symbol-feed.ts';

const MINUTE = 60_000;
const AT = 1_700_000_040_000;

/** A market that tells what it is told, and counts the questions. */
function fixture(highs: [number, number][]) {
  const listeners = new Set<TickListener>();
  const state = {
    asked: 0,
    minutes: new Map<string, number>(),
    fails: false,
    failures: new Map<string, Error>(),
    highs,
    hold: Promise.resolve(),
    asOf: AT,
    afterGap: (_since: number): void => undefined,
  };
  return {
    state,
    listeners,
    tell: (at: number, price: number) => {
      for (const listener of listeners) listener({ at, price, bid: price, ask: price });
    },
    windows: highWindows(
      {
        get asOf() {
          return state.asOf;
        },
        afterGap: (listener) => {
          state.afterGap = listener;
          return () => undefined;
        },
        watch: (_symbol, listener) => {
          listeners.add(listener);
          return () => void listeners.delete(listener);
        },
        minuteHighs: async (symbol, minutes) => {
          state.asked += 1;
          state.minutes.set(symbol, minutes);
          await state.hold;
          if (state.fails) throw new Error('away');
          if (state.failures.has(symbol)) throw state.failures.get(symbol)!;
          return state.highs;
        },
      },
      realTimers,
      () => undefined,
    ),
  };
}

test('two that ask for the same window share it, and the history is read once', async () => {
  const { windows, state, tell } = fixture([[AT - 2 * MINUTE, 120]]);
  const [one, other] = await Promise.all([windows.join('BTCUSDT', 10), windows.join('BTCUSDT', 10)]);
  expect(one.window).toBe(other.window);
  expect([state.asked, windows.size]).toEqual([1, 1]);
  tell(AT, 130);
  expect(one.window.high).toBe(130);
  expect(await windows.join('BTCUSDT', 20).then(({ window }) => window === one.window)).toBe(false);
});

test('prices that come while the history is read count after it, however much lower', async () => {
  let go: () => void = () => undefined;
  const { windows, state, tell } = fixture([[AT - MINUTE, 120]]);
  state.hold = new Promise((done) => {
    go = done;
  });
  const joining = windows.join('BTCUSDT', 10);
  tell(AT, 100);
  go();
  const { window } = await joining;
  expect(window.entries()).toEqual([
    [AT - MINUTE, 120].map((value, index) => (index === 0 ? Math.floor(value / MINUTE) * MINUTE : value)),
    [Math.floor(AT / MINUTE) * MINUTE, 100],
  ]);
});

test('the last one to leave closes it; one that leaves twice closes it for nobody else', async () => {
  const { windows, listeners } = fixture([]);
  const [one, other] = await Promise.all([windows.join('BTCUSDT', 10), windows.join('BTCUSDT', 10)]);
  one.leave();
  one.leave();
  expect([listeners.size, windows.size]).toEqual([1, 1]);
  other.leave();
  expect([listeners.size, windows.size]).toEqual([0, 0]);
});

test('a history that cannot be read is asked for anew by the next one', async () => {
  const { windows, state, listeners } = fixture([]);
  state.fails = true;
  await expect(windows.join('BTCUSDT', 10)).rejects.toThrow('away');
  expect([listeners.size, windows.size]).toEqual([0, 0]);
  state.fails = false;
  await windows.join('BTCUSDT', 10);
  expect(state.asked).toBe(2);
});

test('after a gap the highs that were missed are filled in at their minutes, and told to who wants to know', async () => {
  const history: [number, number][] = [[AT - 5 * MINUTE, 100]];
  const { windows, state, tell } = fixture(history);
  const told: [number, number][] = [];
  const { window } = await windows.join('BTCUSDT', 6, (at, price) => told.push([at, price]));
  tell(AT - 4 * MINUTE, 90);
  // Away for three minutes; the first price after it is heard before the highs are read.
  history.splice(0, 1, [AT - 5 * MINUTE, 100], [AT - 4 * MINUTE, 95], [AT - 2 * MINUTE, 130], [AT, 80]);
  tell(AT, 80);
  expect(window.high).toBe(100);
  state.afterGap(AT - 4 * MINUTE);
  await vi.waitFor(() => expect(window.high).toBe(130));
  expect(told).toEqual([
    [AT - 4 * MINUTE, 95],
    [AT - 2 * MINUTE, 130],
    [AT, 80],
  ]);
  // It leaves the window with its minute, not later.
  tell(AT + 4 * MINUTE, 70);
  expect(window.high).toBe(130);
  tell(AT + 5 * MINUTE, 70);
  expect(window.high).toBe(80);
});

test('what a gap hid is read until it is known: one pair that fails or is gone keeps none of the others from it', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { windows, state } = fixture([[AT, 130]]);
  const joined = await Promise.all(['GONEUSDT', 'AUSDT', 'BUSDT'].map((symbol) => windows.join(symbol, 10)));
  state.failures.set('GONEUSDT', new ExchangeError('refused', 'Invalid symbol.'));
  state.failures.set('AUSDT', new ExchangeError('unreachable', 'away'));
  state.highs = [[AT + MINUTE, 150]];
  state.afterGap(AT);
  await vi.advanceTimersByTimeAsync(10_000);
  state.failures.delete('AUSDT');
  // Time goes on meanwhile: what was missed lies farther back.
  state.asOf = AT + 5 * MINUTE;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(joined.map(({ window }) => window.high)).toEqual([130, 150, 150]);
  expect(state.minutes.get('AUSDT')).toBe(6);
});

test('gaps that come while highs are read are read together, once, from the oldest of them', async () => {
  const { windows, state } = fixture([[AT, 130]]);
  const { window } = await windows.join('BTCUSDT', 10);
  let go: () => void = () => undefined;
  state.hold = new Promise((done) => {
    go = done;
  });
  state.afterGap(AT);
  await vi.waitFor(() => expect(state.asked).toBe(2));
  for (const since of [AT + 2 * MINUTE, AT - MINUTE, AT + 3 * MINUTE]) state.afterGap(since);
  state.highs = [
    [AT - MINUTE, 150],
    [AT, 130],
  ];
  go();
  await vi.waitFor(() => expect(window.high).toBe(150));
  state.afterGap(AT);
  await vi.waitFor(() => expect(state.asked).toBe(4));
});
