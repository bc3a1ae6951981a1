import { btcusdt } from '@pilotfish/core/testing/pairs';
import { expect, test } from 'vitest';
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
