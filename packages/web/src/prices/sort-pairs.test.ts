import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold, quotesOf, sortPairs } from './sort-pairs.ts';
import type { LiveTicker } from './ticker-store.ts';

const pair = (symbol: string, quoteAsset = 'USDT', status = 'TRADING') =>
  ({ symbol, baseAsset: symbol.replace(quoteAsset, ''), quoteAsset, status }) as never;
const ticker = (symbol: string, price: string) =>
  [symbol, { symbol, price, changePct: '0', quoteVolume: '0', high: '0', low: '0', direction: 0, moves: 0 }] as never;
const names = (pairs: { symbol: string }[]) => pairs.map(({ symbol }) => symbol);
const none: ReadonlyMap<string, LiveTicker> = new Map();
const everything = { search: '', quote: '', favourites: undefined };

describe('searching', () => {
  test.each(['link', 'LINK', 'lınk', 'LİNK', 'Link', ' li nk ', 'link/usdt', 'LINK-USDT'])('%s finds LINKUSDT', (search) => {
    expect(
      names(sortPairs([pair('LINKUSDT'), pair('BTCUSDT')], none, { ...everything, search }, { column: 'symbol', direction: 'asc' })),
    ).toEqual(['LINKUSDT']);
  });
  test('folding is the same for upper and lower case in both languages', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const language of ['en', 'tr']) {
          expect(fold(text.toLocaleUpperCase(language))).toBe(fold(text.toLocaleUpperCase('en')));
          expect(fold(fold(text))).toBe(fold(text));
        }
      }),
    );
    expect(fold('ŞĞÜÖÇİIıi')).toBe('sguociiii');
  });
  test('halted pairs are not offered; quote and favourites narrow', () => {
    const pairs = [pair('BTCUSDT'), pair('OLDUSDT', 'USDT', 'HALT'), pair('ETHBTC', 'BTC'), pair('ETHUSDT')];
    const order = { column: 'symbol', direction: 'asc' } as const;
    expect(names(sortPairs(pairs, none, everything, order))).toEqual(['BTCUSDT', 'ETHBTC', 'ETHUSDT']);
    expect(names(sortPairs(pairs, none, { ...everything, quote: 'USDT' }, order))).toEqual(['BTCUSDT', 'ETHUSDT']);
    expect(names(sortPairs(pairs, none, { ...everything, favourites: new Set(['ETHUSDT', 'OLDUSDT']) }, order))).toEqual(['ETHUSDT']);
    expect(quotesOf(pairs)).toEqual(['USDT', 'BTC']);
  });
});

test('figures sort as numbers both ways, and pairs without one come last', () => {
  const pairs = [pair('A'), pair('B'), pair('C'), pair('D')];
  const tickers: ReadonlyMap<string, LiveTicker> = new Map([ticker('A', '9'), ticker('B', '100'), ticker('C', '0.00000001')]);
  expect(names(sortPairs(pairs, tickers, everything, { column: 'price', direction: 'asc' }))).toEqual(['C', 'A', 'B', 'D']);
  expect(names(sortPairs(pairs, tickers, everything, { column: 'price', direction: 'desc' }))).toEqual(['B', 'A', 'C', 'D']);
});
