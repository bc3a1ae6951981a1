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

test('the minute in which the market fell silent has no close until it is read; what comes after in it counts', () => {
  const closes = minuteCloses();
  for (let minute = 0; minute <= 5; minute += 1) for (const pair of [0, 1]) closes.note(pair, minute * MINUTE + 10_000, 100 + minute);
  closes.cut(5 * MINUTE + 10_000);
  // Three minutes later it is back; the second pair does not trade.
  closes.note(0, 8 * MINUTE, 200);
  closes.note(0, 9 * MINUTE, 201);
  const at = 9 * MINUTE;
  expect([closes.before(0, at, 3), closes.before(1, at, 3)]).toEqual([Number.NaN, Number.NaN]);
  expect([closes.before(0, at, 4), closes.before(0, at, 0)]).toEqual([104, 200]);
  expect(closes.before(1, at, 0)).toBeNaN();
  expect(closes.cutAt).toBe(5 * MINUTE + 10_000);
  closes.seed(
    1,
    [4, 5, 6, 7, 8].map((minute) => [minute * MINUTE, 300 + minute] as const),
  );
  expect([closes.before(1, at, 4), closes.before(1, at, 3), closes.before(1, at, 0)]).toEqual([104, 305, 308]);
});

test('a gap within a minute: a pair that says nothing after it does not count with what it said before', () => {
  const closes = minuteCloses();
  for (const pair of [0, 1]) closes.note(pair, MINUTE, 7);
  for (const pair of [0, 1]) closes.note(pair, 2 * MINUTE, 8);
  closes.cut(2 * MINUTE);
  closes.note(0, 2 * MINUTE + 40_000, 9);
  expect([closes.before(0, 3 * MINUTE, 0), closes.before(1, 3 * MINUTE, 0)]).toEqual([9, Number.NaN]);
});
