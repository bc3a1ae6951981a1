import type { Ticker } from '@pilotfish/core/prices/prices-contract';
import { btcusdt } from '@pilotfish/core/testing/pairs';
import { expect, test } from 'vitest';
import { byVolume, listSymbols, MOST_LISTED } from './use-list-symbols.ts';

const ticker = (symbol: string, quoteVolume: string) => ({ symbol, quoteVolume }) as Ticker;
const pairOf = new Map([
  ['BTCUSDT', btcusdt],
  ['ETHUSDT', { ...btcusdt, symbol: 'ETHUSDT' }],
  ['ETHBTC', { ...btcusdt, symbol: 'ETHBTC', quoteAsset: 'BTC' }],
  ['OLDUSDT', { ...btcusdt, symbol: 'OLDUSDT', status: 'BREAK' as const }],
  ['OFFUSDT', { ...btcusdt, symbol: 'OFFUSDT', offered: false }],
]);
const tickers = [
  ticker('ETHUSDT', '9.5'),
  ticker('BTCUSDT', '10'),
  ticker('ETHBTC', '50'),
  ticker('OLDUSDT', '99'),
  ticker('OFFUSDT', '98'),
];
const held = { live: new Set<string>(), all: ['OLDUSDT', 'GONEUSDT'], isSignedIn: true, isKnown: true };
const known = { ranked: ['BTCUSDT'], favourites: new Set(['ETHBTC', 'GONEUSDT']), held, lists: [], rows: undefined, pairOf };

test('the most traded first; what is not traded or not offered is no pair to find', () => {
  expect(byVolume(tickers, pairOf, 'USDT')).toEqual(['BTCUSDT', 'ETHUSDT']);
  expect(byVolume(tickers, pairOf, '')).toEqual(['ETHBTC', 'BTCUSDT', 'ETHUSDT']);
});

test('lists have the pairs that there are, also those that are not traded now', () => {
  expect(listSymbols({ kind: 'favourites' }, known)).toEqual(['ETHBTC']);
  expect(listSymbols({ kind: 'held' }, known)).toEqual(['OLDUSDT']);
  expect(listSymbols({ kind: 'own', name: 'A' }, { ...known, lists: [{ name: 'A', symbols: ['OLDUSDT', 'GONEUSDT'] }] })).toEqual([
    'OLDUSDT',
  ]);
});

test('nothing is a list before it is known', () => {
  expect(listSymbols({ kind: 'favourites' }, { ...known, pairOf: new Map() })).toBeUndefined();
  expect(listSymbols({ kind: 'held' }, { ...known, held: { ...held, isKnown: false } })).toBeUndefined();
  expect(listSymbols({ kind: 'table' }, known)).toBeUndefined();
  const many = Array.from({ length: MOST_LISTED + 1 }, (_, index) => `S${index}`);
  expect(listSymbols({ kind: 'table' }, { ...known, rows: many })).toHaveLength(MOST_LISTED);
});
