import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold, quotesOf } from './pair-search.ts';
import { taggedSymbols, visibleRows } from './screener/visible-rows.ts';

const pair = (symbol: string, quoteAsset = 'USDT', status = 'TRADING') =>
  ({ symbol, baseAsset: symbol.replace(quoteAsset, ''), quoteAsset, status }) as never;
const row = (symbol: string, quoteAsset = 'USDT') => ({ symbol, baseAsset: symbol, quoteAsset, price: '1', values: {} });
const names = (rows: readonly { symbol: string }[]) => rows.map(({ symbol }) => symbol);
const everything = { search: '', quote: '', tagged: undefined, favourites: undefined };

describe('searching', () => {
  test.each(['link', 'LINK', 'lınk', 'LİNK', 'Link', ' li nk ', 'link/usdt', 'LINK-USDT'])('%s finds LINKUSDT', (search) => {
    expect(names(visibleRows([row('LINKUSDT'), row('BTCUSDT')], new Map(), { ...everything, search }))).toEqual(['LINKUSDT']);
  });
  test.each(['chainlink', 'CHAİN LİNK', 'coin'])('%s finds a pair by what its coin is called', (search) => {
    const called = new Map([
      ['LINKUSDT', 'ChainLink Coin'],
      ['BTCUSDT', 'Bit'],
    ]);
    const rows = [row('LINKUSDT'), row('BTCUSDT'), row('NEWUSDT')];
    expect(names(visibleRows(rows, new Map(), { ...everything, search, names: called }))).toEqual(['LINKUSDT']);
    expect(names(visibleRows(rows, new Map(), { ...everything, search }))).toEqual([]);
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
});

describe('narrowing', () => {
  const rows = [row('SOLUSDT'), row('BTCUSDT'), row('OLDUSDT'), row('ETHBTC', 'BTC')];
  const pairs = new Map([['OLDUSDT', pair('OLDUSDT', 'USDT', 'HALT')]]);
  test('keeps the order of the server and leaves halted pairs out', () => {
    expect(names(visibleRows(rows, pairs, everything))).toEqual(['SOLUSDT', 'BTCUSDT', 'ETHBTC']);
  });
  test('by quote, by favourites and by tags', () => {
    expect(names(visibleRows(rows, pairs, { ...everything, quote: 'BTC' }))).toEqual(['ETHBTC']);
    expect(names(visibleRows(rows, pairs, { ...everything, favourites: new Set(['BTCUSDT', 'OLDUSDT']) }))).toEqual(['BTCUSDT']);
    const tags = [
      { key: 'layer1', symbols: ['BTCUSDT', 'ETHBTC'] },
      { key: 'new', symbols: ['SOLUSDT'] },
    ];
    expect(names(visibleRows(rows, pairs, { ...everything, tagged: taggedSymbols(tags, ['layer1']) }))).toEqual(['BTCUSDT', 'ETHBTC']);
    expect(taggedSymbols(tags, [])).toBeUndefined();
  });
});

test('quote assets come by how many pairs trade in them', () => {
  expect(quotesOf([pair('A'), pair('B'), pair('C', 'BTC'), pair('D', 'EUR', 'HALT')])).toEqual(['USDT', 'BTC']);
});
