import { expect, test } from 'vitest';
import { LONGEST_WATCHLIST_NAME, VIEW_LIMITS } from './view-limits.ts';
import { findWatchlist, watchlistNameProblem, watchlistsFull, withoutWatchlist, withWatchlist } from './watchlists.ts';

const majors = { name: 'Majors', symbols: ['BTCUSDT', 'ETHUSDT'] };
const memes = { name: 'Memes', symbols: ['DOGEUSDT'] };

test('a name means a list whatever its case and the spaces around it', () => {
  expect(findWatchlist([majors, memes], ' memes ')).toBe(memes);
  expect(findWatchlist([majors, memes], 'meme')).toBeUndefined();
});

test('a name is there, fits, and is of one list only', () => {
  expect(watchlistNameProblem([majors], 'Memes')).toBeUndefined();
  expect(watchlistNameProblem([majors], ' ')).toBe('markets.nameMissing');
  expect(watchlistNameProblem([majors], 'x'.repeat(LONGEST_WATCHLIST_NAME))).toBeUndefined();
  expect(watchlistNameProblem([majors], 'x'.repeat(LONGEST_WATCHLIST_NAME + 1))).toBe('markets.nameTooLong');
  expect(watchlistNameProblem([majors], 'MAJORS ')).toBe('validation.watchlist_name');
  expect(watchlistNameProblem([majors, memes], 'majors', 'Majors')).toBeUndefined();
  expect(watchlistNameProblem([majors, memes], 'majors', 'Memes')).toBe('validation.watchlist_name');
});

test('a list takes the place of the one it replaces, or the last; one that goes leaves the others in their order', () => {
  const large = { name: 'Large', symbols: ['BTCUSDT'] };
  expect(withWatchlist([majors, memes], large, 'Majors')).toEqual([large, memes]);
  expect(withWatchlist([majors, memes], large)).toEqual([majors, memes, large]);
  expect(withoutWatchlist([majors, memes], 'Majors')).toEqual([memes]);
});

test('an account keeps so many lists', () => {
  const lists = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `List ${n}`, symbols: [] }));
  expect([watchlistsFull(lists(VIEW_LIMITS.watchlists - 1)), watchlistsFull(lists(VIEW_LIMITS.watchlists))]).toEqual([false, true]);
});
