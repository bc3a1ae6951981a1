import { expect, test } from 'vitest';
import { countdown, levelText, pushedApart, widened } from './chart-levels.ts';

test('levels widen the scale to the nearest, as long as the candles keep a third of it', () => {
  expect(widened(100, 110, [])).toEqual([100, 110]);
  expect(widened(100, 110, [105, 120, 95])).toEqual([95, 120]);
  // The farther one would make them flat, whatever order they come in.
  expect(widened(100, 110, [150, 125])).toEqual([100, 125]);
  expect(widened(100, 110, [90, 128, 81])).toEqual([81, 110]);
  // All of them, if that is asked for.
  expect(widened(100, 110, [90, 150, 81], true)).toEqual([81, 150]);
  // A market that does not move.
  expect(widened(100, 100, [102, 200])).toEqual([100, 102]);
});

test('chips are pushed apart by as little as it takes, keep their order and stay inside', () => {
  expect(pushedApart([20, 60, 100], 20, 200)).toEqual([20, 60, 100]);
  expect(pushedApart([50, 54], 20, 200)).toEqual([42, 62]);
  expect(pushedApart([50, 54, 72], 20, 200)).toEqual([38.666666666666664, 58.666666666666664, 78.66666666666666]);
  expect(pushedApart([2, 4], 20, 200)).toEqual([10, 30]);
  expect(pushedApart([196, 199], 20, 200)).toEqual([170, 190]);
  expect(pushedApart([], 20, 200)).toEqual([]);
});

test('a level says as much as there is room for', () => {
  const level = { label: 'Take profit 1', note: 'sells 50%', short: 'TP 1' };
  expect(levelText(level, () => true)).toBe('Take profit 1 · sells 50%');
  expect(levelText(level, (text) => text.length < 15)).toBe('Take profit 1');
  expect(levelText(level, () => false)).toBe('TP 1');
  expect(levelText({ label: 'Stop' }, () => false)).toBe('Stop');
});

test('the countdown runs to the close of the candle and is gone behind it', () => {
  expect(countdown(900, 900, 900)).toBe('15:00');
  expect(countdown(900, 900, 1306)).toBe('08:14');
  expect(countdown(900, 900, 1306.4)).toBe('08:14');
  expect(countdown(0, 86_400, 60)).toBe('23:59:00');
  expect(countdown(900, 900, 1801)).toBeUndefined();
  // A clock that is behind that of the exchange.
  expect(countdown(900, 900, 890)).toBeUndefined();
  expect(countdown(900, Number.NaN, 900)).toBeUndefined();
});
