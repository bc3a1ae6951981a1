import { realTimers } from '@pilotfish/core/time/timers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type StreamDoubts, streamDoubts } from './stream-doubts.ts';

const MINUTE = 60_000;
let renewed: string[];
let isReady: boolean;
let doubts: StreamDoubts;

beforeEach(() => {
  vi.useFakeTimers({ now: 10_000_000 });
  renewed = [];
  isReady = true;
  doubts = streamDoubts({ timers: realTimers, isReady: () => isReady, renew: (why) => void renewed.push(why), now: () => Date.now() });
});
afterEach(() => {
  doubts.stop();
  vi.useRealTimers();
});

test('an order whose event comes, before its answer or after, raises no doubt', () => {
  doubts.spoke('early');
  doubts.expect('early');
  doubts.expect('late');
  vi.advanceTimersByTime(9000);
  doubts.spoke('late');
  vi.advanceTimersByTime(MINUTE);
  expect(renewed).toEqual([]);
});

test('an order whose event does not come has the stream opened anew within seconds', () => {
  doubts.expect('lost');
  vi.advanceTimersByTime(9999);
  expect(renewed).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(renewed).toEqual(['an order was not told of']);
});

test('a stream that is away is not doubted: it has everything asked for when it is back', () => {
  isReady = false;
  doubts.expect('lost');
  vi.advanceTimersByTime(MINUTE);
  expect(renewed).toEqual([]);
});

test('one that stays silent is opened anew ever more seldom, and at once again after it spoke', () => {
  for (let minute = 0; minute < 60; minute += 1) {
    doubts.expect(`order ${minute}`);
    vi.advanceTimersByTime(MINUTE);
  }
  expect(renewed.length).toBeGreaterThan(3);
  expect(renewed.length).toBeLessThan(8);
  const before = renewed.length;
  vi.advanceTimersByTime(60 * MINUTE);
  doubts.expect('before it speaks');
  vi.advanceTimersByTime(MINUTE);
  doubts.spoke();
  for (let time = 0; time < 3; time += 1) {
    doubts.expect(`again ${time}`);
    vi.advanceTimersByTime(2 * MINUTE);
    doubts.spoke();
  }
  expect(renewed.length).toBe(before + 4);
});

test('balances that moved raise a doubt only of a stream that said nothing lately', () => {
  doubts.spoke();
  vi.advanceTimersByTime(MINUTE);
  doubts.doubt('balances');
  expect(renewed).toEqual([]);
  vi.advanceTimersByTime(1);
  doubts.doubt('balances');
  expect(renewed).toEqual(['balances']);
});
