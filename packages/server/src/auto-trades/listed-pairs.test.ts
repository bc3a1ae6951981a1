import { btcusdt } from '@pilotfish/core/testing/pairs';
import { expect, test } from 'vitest';
import { withUnread } from '../exchange/exchange-rows.ts';
import { listedPairs } from './listed-pairs.ts';

const ethusdt = { ...btcusdt, symbol: 'ETHUSDT' };

test('a pair has left when the list says so, which is read once for all who ask; what cannot be read says nothing', async () => {
  let now = 0;
  let reads = 0;
  let listed = [btcusdt];
  let away = false;
  const pairs = listedPairs(
    {
      pairs: async () => {
        reads += 1;
        if (away) throw new Error('away');
        return listed;
      },
    },
    () => now,
  );
  const asked = () => Promise.all(['BTCUSDT', 'ETHUSDT', 'ETHUSDT'].map((symbol) => pairs.hasLeft(symbol)));
  expect(await asked()).toEqual([false, true, true]);
  expect([reads, pairs.isAway('ETHUSDT'), pairs.isAway('BTCUSDT')]).toEqual([1, true, false]);
  now = 20_000;
  away = true;
  expect(await asked()).toEqual([false, false, false]);
  away = false;
  expect(await asked()).toEqual([false, true, true]);
  now += 3_599_999;
  expect(pairs.isAway('ETHUSDT')).toBe(true);
  now += 1;
  expect(pairs.isAway('ETHUSDT')).toBe(false);
  listed = [];
  expect(await asked()).toEqual([false, false, false]);
  now += 20_000;
  listed = [btcusdt, ethusdt];
  expect(await asked()).toEqual([false, false, false]);
});

test('a pair whose row cannot be read has not left, nor has any where a row has no name', async () => {
  const unread = (given: unknown) => [{ list: 'symbols', name: '', field: 'filters', given }];
  const leaving = (given: unknown) => listedPairs({ pairs: async () => withUnread([btcusdt], unread(given)) }, () => 0).hasLeft('ETHUSDT');
  expect(await Promise.all([{ symbol: 'ETHUSDT' }, {}, { symbol: 'XRPUSDT' }].map(leaving))).toEqual([false, false, true]);
});
