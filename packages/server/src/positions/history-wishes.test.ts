import { AppError } from '@pilotfish/core/http/problem';
import { realTimers } from '@pilotfish/core/time/timers';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SyncWish } from './history-sync.ts';
import { historyWishes } from './history-wishes.ts';

let isReachable: boolean;
let begun: SyncWish[];
let tries: number;
let wishes: ReturnType<typeof historyWishes>;

beforeEach(() => {
  vi.useFakeTimers();
  isReachable = false;
  begun = [];
  tries = 0;
  wishes = historyWishes(
    async (_accountId, wish) => {
      tries += 1;
      if (!isReachable) throw new AppError('exchange-unreachable');
      if (wish.symbols?.includes('BAD')) throw new AppError('not-connected');
      begun.push(wish);
    },
    realTimers,
    pino({ level: 'silent' }),
  );
});
afterEach(() => {
  wishes.stop();
  vi.useRealTimers();
});

test('a plain reading does not replace one that waits', async () => {
  const named: SyncWish = { assets: ['ETH'], only: true };
  wishes.read('ada', named);
  await vi.advanceTimersByTimeAsync(0);
  wishes.read('ada');
  wishes.read('ada');
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toEqual([]);
  isReachable = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(begun).toEqual([named, {}]);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(begun).toHaveLength(2);
});

test('what the exchange does not answer is asked ever more seldom, what is refused not again', async () => {
  wishes.read('ada', { symbols: ['BAD'] });
  wishes.read('ada', { symbols: ['BTCUSDT'] });
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(tries).toBeGreaterThan(60);
  expect(tries).toBeLessThan(70);
  isReachable = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(begun).toEqual([{ symbols: ['BTCUSDT'] }]);
});

test('an account that is gone is not read, and another one is not held up', async () => {
  wishes.read('ada');
  wishes.read('bob');
  await vi.advanceTimersByTimeAsync(0);
  wishes.forget('ada');
  isReachable = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(begun).toHaveLength(1);
});

test('gaps that come while one is looked into become one, from the first on; so do those that wait for the exchange', async () => {
  const gaps = (...since: number[]) => {
    for (const gapSince of since) wishes.read('ada', { gapSince });
  };
  gaps(500);
  await vi.advanceTimersByTimeAsync(0);
  gaps(300, 400);
  isReachable = true;
  await vi.advanceTimersByTimeAsync(500);
  gaps(600);
  wishes.read('ada', { symbols: ['BTCUSDT'] });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(begun).toEqual([{ gapSince: 300 }, { symbols: ['BTCUSDT'] }]);
  gaps(700, 900, 800);
  await vi.advanceTimersByTimeAsync(0);
  expect(begun.slice(2)).toEqual([{ gapSince: 700 }, { gapSince: 800 }]);
});
