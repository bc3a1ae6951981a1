import { expect, test } from 'vitest';
import { alertEndings, marketClock } from './alert-endings.ts';
import type { LiveAlert } from './alert-live.ts';

const HOUR = 3_600_000;
const live = { state: 'armed', isGone: false, rule: {}, memory: {}, body: { symbol: 'BTCUSDT', condition: { kind: 'above', level: '1' } } };

test('an alert that waited to wake waits as long again for its end, and no longer than an hour', () => {
  let [time, isDeaf] = [0, true];
  const clock = marketClock(() => time);
  const endings = alertEndings({ clock, isDeaf: () => isDeaf, now: () => time });
  const mayEnd = (end: number) => endings.mayEnd(live as unknown as LiveAlert, end);
  expect(mayEnd(0)).toBe(false);
  time = 20_000;
  isDeaf = false;
  expect(mayEnd(0)).toBe(true);
  // Hours later nothing is heard again, just when it is over.
  time = 3 * HOUR;
  isDeaf = true;
  expect(mayEnd(3 * HOUR)).toBe(false);
  time = 4 * HOUR - 1;
  expect(mayEnd(3 * HOUR)).toBe(false);
  time = 4 * HOUR;
  expect(mayEnd(3 * HOUR)).toBe(true);
});
