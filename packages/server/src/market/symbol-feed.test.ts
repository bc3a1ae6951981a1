import { beforeEach, expect, test } from 'vitest';
import { type SymbolFeed, symbolFeed } from './symbol-feed.ts';

let tell: Record<string, (data: unknown) => void>;
let feed: SymbolFeed;

beforeEach(() => {
  tell = {};
  feed = symbolFeed({ subscribe: (name: string, listener: (data: unknown) => void) => (tell[name] = listener) } as never, 'BTCUSDT', 1000);
});
const trade = (price: string) => tell['btcusdt@trade']!({ T: 1, p: price });

test('a price that no trade explains is counted from when it was first seen', () => {
  trade('100');
  expect(feed.lacksSince(100, 1000)).toBe(0);
  expect(feed.lacksSince(101, 2000)).toBe(0);
  expect(feed.lacksSince(102, 32_001)).toBe(30_001);
  trade('102');
  expect(feed.lacksSince(102, 33_000)).toBe(0);
});

test('a feed that trades and is only behind lacks nothing', () => {
  trade('100');
  for (let second = 0; second < 100; second += 1) {
    trade(String(100 + second));
    expect(feed.lacksSince(500 + second, second * 1000)).toBe(0);
  }
});

test('what was traded during a gap is not looked for afterwards', () => {
  trade('100');
  feed.lacksSince(105, 0);
  feed.missed();
  expect(feed.lacksSince(105, 60_000)).toBe(0);
  expect(feed.lacksSince(105, 600_000)).toBe(0);
});

test('before its first trade the price of the other source is where it begins', () => {
  expect(feed.lacksSince(100, 0)).toBe(0);
  expect(feed.lacksSince(100, 60_000)).toBe(0);
  feed.lacksSince(101, 61_000);
  expect(feed.lacksSince(101, 100_000)).toBe(39_000);
});

test('it tells when it was traded last, and before that since when it listens', () => {
  expect(feed.tradedAt).toBe(1000);
  tell['btcusdt@trade']!({ T: 2000, p: '100' });
  tell['btcusdt@bookTicker']!({ b: '99', a: '101' });
  expect(feed.tradedAt).toBe(2000);
});

test('a trade that two connections tell is one, a late one counts without going back in time; a market that counts from 1 again is listened to', () => {
  const heard: [number, number][] = [];
  feed.listen(({ price, at }) => void heard.push([price, at]));
  const told = (t: number, T: number, p: string) => tell['btcusdt@trade']!({ t, T, p });
  told(7, 2000, '100');
  told(8, 2000, '101');
  told(7, 2000, '100');
  told(8, 2000, '101');
  told(10, 2003, '102');
  told(9, 2001, '90');
  told(10, 2003, '102');
  told(7, 3000, '104');
  told(8, 3000, '105');
  expect(heard).toEqual([
    [100, 2000],
    [101, 2000],
    [102, 2003],
    [90, 2003],
    [104, 3000],
    [105, 3000],
  ]);
});
