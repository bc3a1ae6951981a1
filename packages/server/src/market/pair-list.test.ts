import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { beforeEach, expect, test } from 'vitest';
import { type Rows, withUnread } from '../exchange/exchange-rows.ts';
import { pairList } from './pair-list.ts';

const pair = (symbol: string, status: Pair['status'] = 'TRADING') => ({ symbol, status }) as Pair;
let listed: Rows<Pair>;
let readings: number;
let now: number;
let prices: Record<string, string>;
let list: ReturnType<typeof pairList>;
const status = (symbol: string) => list.get(symbol)?.status;
/** Long enough for a reading of whoever does not wait for it. */
const settled = () => new Promise((done) => setImmediate(done));

beforeEach(async () => {
  readings = 0;
  now = 0;
  prices = { AUSDT: '10', BUSDT: '20' };
  listed = [pair('AUSDT'), pair('BUSDT', 'BREAK')];
  list = pairList({
    exchange: {
      pairs: async () => {
        readings += 1;
        return listed;
      },
    },
    price: (symbol) => prices[symbol],
    now: () => now,
    log: { warn: () => undefined },
  });
  await list.read();
});

test('a pair that has left stays known as one that does not trade, until it is back', async () => {
  listed = [pair('BUSDT')];
  await list.read();
  expect([status('AUSDT'), status('BUSDT'), list.size]).toEqual(['BREAK', 'TRADING', 2]);
  listed = [pair('AUSDT'), pair('BUSDT')];
  await list.read();
  expect(status('AUSDT')).toBe('TRADING');
});

test('a pair whose row cannot be read stays what it was, and all do where such a row has no name', async () => {
  const unread = (given: unknown) => [{ list: 'symbols', name: '', field: 'filters', given }];
  listed = withUnread([pair('BUSDT')], unread({ symbol: 'AUSDT' }));
  await list.read();
  expect([status('AUSDT'), status('BUSDT')]).toEqual(['TRADING', 'TRADING']);
  listed = withUnread([pair('BUSDT', 'HALT')], unread({}));
  await list.read();
  expect([status('AUSDT'), status('BUSDT')]).toEqual(['TRADING', 'HALT']);
});

test('which unknown pairs may be those of rows that cannot be read is known from the last list', async () => {
  const unread = (given: unknown) => [{ list: 'symbols', name: '', field: 'filters', given }];
  const which = () => ['AUSDT', 'CUSDT', 'DUSDT'].filter((symbol) => list.isUnread(symbol));
  listed = withUnread([pair('BUSDT')], [...unread({ symbol: 'AUSDT' }), ...unread({ symbol: 'CUSDT' })]);
  await list.read();
  // What was known stays known.
  expect(which()).toEqual(['CUSDT']);
  listed = withUnread([pair('BUSDT')], unread({}));
  await list.read();
  expect(which()).toEqual(['CUSDT', 'DUSDT']);
  listed = [pair('BUSDT')];
  await list.read();
  expect(which()).toEqual([]);
});

test('a pair that left while it was halted is told as it was told last', async () => {
  listed = [pair('AUSDT', 'HALT')];
  await list.read();
  listed = [pair('BUSDT')];
  await list.read();
  expect(status('AUSDT')).toBe('HALT');
});

test('an answer without any pair takes none away', async () => {
  listed = [];
  await list.read();
  expect([status('AUSDT'), list.size]).toEqual(['TRADING', 2]);
});

test('a new price of a pair that does not trade has the pairs read again; the price it stands at does not', async () => {
  list.heard([
    ['AUSDT', '11'],
    ['BUSDT', '20'],
  ]);
  expect(readings).toBe(1);
  listed = [pair('AUSDT'), pair('BUSDT')];
  prices.BUSDT = '21';
  list.heard([['BUSDT', '21']]);
  await settled();
  expect([readings, status('BUSDT')]).toEqual([2, 'TRADING']);
  now += 60_000;
  list.heard([['BUSDT', '22']]);
  expect(readings).toBe(2);
});

test('one that goes on changing without trading is asked for once in ten seconds', async () => {
  for (let second = 0; second < 20; second += 1) {
    now = second * 1000;
    prices.BUSDT = String(30 + second);
    list.heard([['BUSDT', prices.BUSDT]]);
    await settled();
  }
  expect(readings).toBe(3);
});

test('figures that are read for the first time are no news', () => {
  delete prices.BUSDT;
  list.noteResting();
  prices.BUSDT = '20';
  list.noteResting();
  list.heard([['BUSDT', '20']]);
  expect(readings).toBe(1);
});

test('before the first list any pair may be listed: no name is taken apart', async () => {
  const early = pairList({
    exchange: { pairs: async () => listed },
    price: () => undefined,
    now: () => 0,
    log: { warn: () => undefined },
  });
  expect(early.isUnread('GONEUSDT')).toBe(true);
  await early.read();
  expect([early.isUnread('GONEUSDT'), early.isUnread('AUSDT')]).toEqual([false, false]);
});
