import { btcusdt } from '@pilotfish/core/testing/pairs';
import { describe, expect, test } from 'vitest';
import { findPairs, listKey, neighbour, readList } from './list-choice.ts';

const lists = [
  { name: 'Layer 1', symbols: ['SOLUSDT'] },
  { name: 'top', symbols: [] },
];
const reader = { lists, hasFavourites: false, signedIn: true };

describe('the list of an address', () => {
  test.each([
    ['held', { kind: 'held' }],
    ['table', { kind: 'table' }],
    ['my:Layer 1', { kind: 'own', name: 'Layer 1' }],
    // A list of one's own may be called like one that is there for everybody.
    ['my:top', { kind: 'own', name: 'top' }],
    ['my:gone', { kind: 'top' }],
    ['nonsense', { kind: 'top' }],
    [undefined, { kind: 'top' }],
  ])('%s', (text, choice) => expect(readList(text, reader)).toEqual(choice));
  test('favourites come first where there are some; a guest holds nothing', () => {
    expect(readList(undefined, { ...reader, hasFavourites: true })).toEqual({ kind: 'favourites' });
    expect(readList('held', { ...reader, signedIn: false })).toEqual({ kind: 'top' });
  });
  test('is written as it is read', () => {
    for (const text of ['top', 'favourites', 'held', 'table', 'my:Layer 1']) expect(listKey(readList(text, reader))).toBe(text);
  });
});

test('keys go from pair to pair, stop at the ends, and begin at the first of a list that does not have the pair', () => {
  const symbols = ['A', 'B', 'C'];
  expect([neighbour(symbols, 'A', 1), neighbour(symbols, 'C', 1), neighbour(symbols, 'A', -1)]).toEqual(['B', 'C', 'A']);
  expect([neighbour(symbols, 'X', -1), neighbour(symbols, undefined, 1), neighbour([], 'A', 1)]).toEqual(['A', 'A', undefined]);
});

test('a search finds pairs of the list first, then all others, by symbol and by the name of the coin', () => {
  const pairOf = new Map(['BTCUSDT', 'ETHUSDT', 'ETHBTC'].map((symbol) => [symbol, { ...btcusdt, symbol, baseAsset: symbol.slice(0, 3) }]));
  const names = new Map([['ETH', 'Ether coin']]);
  const find = (text: string) => findPairs(text, ['ETHUSDT'], ['BTCUSDT', 'ETHUSDT', 'ETHBTC'], { pairOf, names });
  expect(find('')).toEqual({ found: ['ETHUSDT'], more: [] });
  expect(find('eth')).toEqual({ found: ['ETHUSDT'], more: ['ETHBTC'] });
  expect(find('ethercoin')).toEqual({ found: ['ETHUSDT'], more: ['ETHBTC'] });
  expect(find('btc / usdt')).toEqual({ found: [], more: ['BTCUSDT'] });
  expect(find('nothing')).toEqual({ found: [], more: [] });
});
