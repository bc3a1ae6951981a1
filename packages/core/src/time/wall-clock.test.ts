import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { wallClock } from './wall-clock.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});
const clock = () =>
  wallClock({ now: () => Date.now(), setTimeout: (run, ms) => setTimeout(run, ms), clearTimeout: (handle) => clearTimeout(handle) });

test('forty days are waited for, not overflowed into a millisecond', () => {
  const run = vi.fn();
  clock().setTimeout(run, 40 * DAY);
  vi.advanceTimersByTime(40 * DAY - 1);
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(30_000);
  expect(run).toHaveBeenCalledTimes(1);
});

test('after eight hours asleep a one-hour timer fires within one step', () => {
  const run = vi.fn();
  clock().setTimeout(run, HOUR);
  vi.setSystemTime(8 * HOUR);
  vi.advanceTimersByTime(30_000);
  expect(run).toHaveBeenCalledTimes(1);
});

test('waking fires what is due at once and leaves the rest running', () => {
  const [due, later] = [vi.fn(), vi.fn()];
  const walls = clock();
  walls.setTimeout(due, HOUR);
  walls.setTimeout(later, 9 * HOUR);
  vi.setSystemTime(8 * HOUR);
  walls.wake();
  expect(due).toHaveBeenCalledTimes(1);
  expect(later).not.toHaveBeenCalled();
  vi.advanceTimersByTime(HOUR + 30_000);
  expect(due).toHaveBeenCalledTimes(1);
  expect(later).toHaveBeenCalledTimes(1);
});

test('a cleared timer never fires, also when cleared twice or by another that fires first', () => {
  const run = vi.fn();
  const walls = clock();
  const victim = walls.setTimeout(run, 10);
  walls.clearTimeout(victim);
  walls.clearTimeout(victim);
  walls.clearTimeout(undefined);
  const second = walls.setTimeout(() => walls.clearTimeout(third), 10);
  const third = walls.setTimeout(run, 20);
  vi.setSystemTime(100);
  walls.wake();
  expect(second).toBeDefined();
  expect(run).not.toHaveBeenCalled();
});
