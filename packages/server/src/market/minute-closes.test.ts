import { expect, test } from 'vitest';
import { minuteCloses } from './minute-closes.ts';

const MINUTE = 60_000;

test('changes are measured from the close before the whole minutes', () => {
  const closes = minuteCloses();
  for (let minute = 0; minute <= 10; minute += 1) {
    closes.note(0, minute * MINUTE + 1000, 100 + minute);
    closes.note(0, minute * MINUTE + 59_000, 200 + minute);
  }
  const at = 10 * MINUTE + 59_500;
  expect([closes.before(0, at, 1), closes.before(0, at, 5), closes.before(0, at, 9)]).toEqual([208, 204, 200]);
  expect(closes.before(0, at, 10)).toBeNaN();
  expect(closes.before(7, at, 1)).toBeNaN();
  expect(closes.last(0, at, 3)).toEqual([207, 208, 209]);
  expect(closes.last(0, at, 30)).toEqual([]);
});

test('a pair that does not trade keeps its price; while nothing is heard at all, nothing is known', () => {
  const closes = minuteCloses();
  closes.note(0, 0, 5);
  for (let minute = 0; minute <= 30; minute += 1) closes.note(1, minute * MINUTE, minute);
  expect(closes.before(0, 30 * MINUTE, 1)).toBe(5);
  expect(closes.before(0, 30 * MINUTE, 29)).toBe(5);
  // The stream was away for ten minutes.
  closes.note(0, 41 * MINUTE, 6);
  expect(closes.before(0, 41 * MINUTE, 1)).toBeNaN();
  expect(closes.before(0, 41 * MINUTE, 15)).toBe(5);
  expect(closes.complete(0, 41 * MINUTE)).toBe(false);
  closes.seed(
    0,
    Array.from({ length: 242 }, (_, n) => [(n - 200) * MINUTE, n === 241 ? 99 : 7]),
  );
  expect(closes.before(0, 41 * MINUTE, 1)).toBe(7);
  // What was heard is kept: minute 41 said 6.
  closes.note(1, 43 * MINUTE, 1);
  expect(closes.before(0, 43 * MINUTE, 1)).toBe(6);
  expect(closes.complete(0, 41 * MINUTE)).toBe(true);
});

test('four hours and no more are kept', () => {
  const closes = minuteCloses();
  for (let minute = 0; minute <= 1000; minute += 1) closes.note(0, minute * MINUTE, minute);
  const at = 1000 * MINUTE;
  expect(closes.complete(0, at)).toBe(true);
  expect([closes.before(0, at, 240), closes.before(0, at, 241)]).toEqual([759, Number.NaN]);
});
