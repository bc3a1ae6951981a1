import { expect, test } from 'vitest';
import type { Context } from './context.ts';
import { pricePlaces } from './price-places.ts';

const contextWith = (listPairs: () => Promise<object[]>) => ({ client: async () => ({ listPairs }) }) as unknown as Context;

test('the pairs are asked for once a command', async () => {
  let asked = 0;
  const context = contextWith(async () => {
    asked += 1;
    return [{ symbol: 'PEPEUSDT', pricePrecision: 8 }];
  });
  const [places, again] = [await pricePlaces(context), await pricePlaces(context)];
  expect([places('PEPEUSDT'), again('NEWUSDT'), asked]).toEqual([8, undefined, 1]);
});

test('a list without an answer about pairs is a list all the same', async () => {
  const places = await pricePlaces(contextWith(() => Promise.reject(new Error('offline'))));
  expect(places('BTCUSDT')).toBeUndefined();
});
