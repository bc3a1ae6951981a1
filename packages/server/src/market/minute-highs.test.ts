import { expect, test } from 'vitest';
import { highsSinceJump, type Minute } from './minute-highs.ts';

const at = (minute: number, open: number, close: number, volume = 1): Minute => [
  minute * 60_000,
  String(open),
  String(Math.max(open, close) + 1),
  String(Math.min(open, close)),
  String(close),
  String(volume),
  minute * 60_000 + 59_999,
];

test('highs of before a standstill with a jump are left out, whether its minutes are missing or empty', () => {
  const after = [at(4, 1, 1.1), at(5, 1.1, 1)];
  const highs = [
    [240_000, 2.1],
    [300_000, 2.1],
  ];
  expect(highsSinceJump([at(0, 100, 101), at(1, 101, 100), ...after])).toEqual(highs);
  expect(highsSinceJump([at(1, 100, 100), at(2, 100, 100, 0), at(3, 100, 100, 0), ...after])).toEqual(highs);
});

test('a fall without a standstill, or by less, keeps what is known; a minute without a trade has no high', () => {
  expect(highsSinceJump([at(0, 100, 100), at(1, 1, 1)])).toHaveLength(2);
  expect(highsSinceJump([at(0, 100, 100), at(5, 34, 34)])).toHaveLength(2);
  expect(highsSinceJump([at(0, 100, 100), at(1, 100, 100, 0)])).toEqual([[0, 101]]);
});
