import { decimal } from '@pilotfish/core/money/decimal';
import { expect, test } from 'vitest';
import { accountPictures, type Drifts, isHidden, movedCoins, touchedByGap } from './history-sync-gap.ts';

const PAIRS = ['BTCUSDT', 'ETHUSDT', 'BNBUSDT', 'ETHBTC', 'SOLUSDT'].map((symbol) => {
  const quoteAsset = symbol.endsWith('BTC') ? 'BTC' : 'USDT';
  return { symbol, baseAsset: symbol.slice(0, -quoteAsset.length), quoteAsset };
});
const START = { BTC: '0.5', ETH: '2', BNB: '1', SOL: '0', USDT: '-12.5' };
type Orders = Readonly<Record<string, readonly [symbol: string, executed: string]>>;

const pictureOf = (drifts: Readonly<Record<string, string>>, orders: Orders = {}, unread: readonly string[] = []) => ({
  drifts: new Map(Object.entries(drifts).map(([coin, drift]) => [coin, decimal(drift)])),
  unread: new Set(unread),
  orders: new Map(Object.entries(orders).map(([id, [symbol, executed]]) => [id, { symbol, executed }])),
});
const coinOf = (asset: string) => asset.replace(/^LD/, '');

test.each<[string, Readonly<Record<string, string>>, Orders, Orders, string[]]>([
  ['nothing happened', {}, { 1: ['SOLUSDT', '0'] }, { 1: ['SOLUSDT', '0.00'] }, []],
  ['an order was filled elsewhere, its fee of the bought coin', { ETH: '2.999', USDT: '-2012.5' }, {}, {}, ['ETHUSDT']],
  ['the same, its fee in BNB', { ETH: '3', USDT: '-2012.5', BNB: '0.99' }, {}, {}, ['BNBUSDT', 'ETHUSDT']],
  ['less than any tolerance was filled', { SOL: '0.00000001', USDT: '-12.50000001' }, {}, {}, ['SOLUSDT']],
  ['a coin that was not held before', { BTC: '0.4', ETH: '3', NEW: '1' }, {}, {}, ['ETHBTC']],
  ['a coin was paid in: it has no pair with itself', { SOL: '4' }, {}, {}, []],
  ['an order that was open is open no more', {}, { 1: ['SOLUSDT', '0'], 2: ['ETHUSDT', '0'] }, { 2: ['ETHUSDT', '0'] }, ['SOLUSDT']],
  ['more of an open order is executed', {}, { 1: ['SOLUSDT', '0.1'] }, { 1: ['SOLUSDT', '0.2'] }, ['SOLUSDT']],
  ['an order came, and a part of it is executed', {}, {}, { 1: ['SOLUSDT', '0.2'], 2: ['ETHUSDT', '0'] }, ['SOLUSDT']],
])('pairs that a gap touched: %s', (_, moved, before, after, symbols) => {
  const touched = touchedByGap(pictureOf(START, before), pictureOf({ ...START, ...moved }, after), PAIRS, coinOf);
  expect(touched.sort()).toEqual(symbols);
});

test('a coin that is gone has moved; one that could not be read has where another did', () => {
  const { ETH, ...without } = START;
  expect(movedCoins(pictureOf(START), pictureOf(without))).toEqual(new Set(['ETH']));
  expect(ETH).toBe('2');
  const unread = pictureOf(without, {}, ['ETH']);
  expect(touchedByGap(pictureOf(START), unread, PAIRS, coinOf)).toEqual([]);
  const bought = pictureOf({ ...without, USDT: '-500' }, {}, ['ETH']);
  expect(touchedByGap(pictureOf(START), bought, PAIRS, coinOf)).toEqual(['ETHUSDT']);
});

test.each<[string, boolean, number | undefined, number | undefined, Readonly<Record<string, string>>, Orders]>([
  ['bought and sold again at one price, without a fee', true, 7, 8, {}, {}],
  ['nothing', false, 7, 7, {}, {}],
  ['the exchange does not say', false, 7, undefined, {}, {}],
  ['it is not known how it was', false, undefined, 8, {}, {}],
  ['an order came', false, 7, 8, {}, { 2: ['SOLUSDT', '0'] }],
  ['a deposit', false, 7, 8, { SOL: '4' }, {}],
])('an account that changed without a trace in balances and orders: %s', (_, hidden, updatedBefore, updatedAt, moved, came) => {
  const orders: Orders = { 1: ['SOLUSDT', '0'] };
  const after = { ...pictureOf({ ...START, ...moved }, { ...orders, ...came }), updatedAt };
  expect(isHidden(pictureOf(START, orders), after, updatedBefore)).toBe(hidden);
});

test('a picture counts for a gap that began ten seconds after it at the earliest, and for a day', () => {
  let now = 1_000_000;
  const pictures = accountPictures(() => now);
  const drifts: Drifts = pictureOf(START);
  const report = (X: string, z = '0', i = '1') => pictures.reported('a', { i, s: 'SOLUSDT', X, z });
  expect(pictures.before('a', now)).toBeUndefined();
  pictures.listed('a', []);
  pictures.complete('a', drifts);
  expect(pictures.before('a', now + 9999)).toBeUndefined();
  report('NEW');
  report('NEW', '0', '2');
  report('PARTIALLY_FILLED', '0.5');
  report('CANCELED', '0', '2');
  expect(pictures.before('a', now + 10_000)?.orders).toEqual(new Map([['1', { symbol: 'SOLUSDT', executed: '0.5' }]]));
  now += 86_400_000;
  expect(pictures.before('a', now)).toBeUndefined();
  pictures.complete('a', drifts);
  pictures.forget('a');
  expect(pictures.before('a', now + 10_000)).toBeUndefined();
});
