import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { botCoins } from './bot-coins.ts';

const pair = (symbol: string) => ({ symbol, quoteAsset: symbol.endsWith('USDT') ? 'USDT' : 'BTC' }) as Pair;
const coinsOf = (lists: Record<string, string[]>) => async (id: string, accountId: string) =>
  accountId === 'ann' && lists[id] ? { coins: lists[id], asOf: '', stale: false } : undefined;
const log = pino({ level: 'silent' });
const config = (coinFilterIds: string[], symbols: string[] = []) => ({ coins: { symbols, coinFilterIds } });

test('named coins are what was named', async () => {
  const coins = botCoins({ filters: { coinsOf: coinsOf({}) }, pair, most: () => 500, log });
  expect(await coins.of('ann', config([], ['BTCUSDT']), 'USDT')).toEqual(['BTCUSDT']);
});

test('several filters come one after the other, each coin once, other quotes left out', async () => {
  const coins = botCoins({
    filters: { coinsOf: coinsOf({ a: ['BUSDT', 'AUSDT'], b: ['AUSDT', 'ETHBTC', 'CUSDT'] }) },
    pair,
    most: () => 500,
    log,
  });
  expect(await coins.of('ann', config(['a', 'b']), 'USDT')).toEqual(['BUSDT', 'AUSDT', 'CUSDT']);
});

test('a filter of somebody else selects nothing', async () => {
  const coins = botCoins({ filters: { coinsOf: coinsOf({ a: ['AUSDT'] }) }, pair, most: () => 500, log });
  expect(await coins.of('bob', config(['a']), 'USDT')).toEqual([]);
});

test('what was selected last stays while a filter cannot be asked', async () => {
  const filters = {
    coinsOf: async () => {
      throw new Error('away');
    },
  };
  expect(await botCoins({ filters, pair, most: () => 500, log }).of('ann', config(['a']), 'USDT', ['AUSDT'])).toEqual(['AUSDT']);
});

test('filters cannot make a bot watch the whole market', async () => {
  const many = Array.from({ length: 900 }, (_, n) => `C${n}USDT`);
  const coins = botCoins({ filters: { coinsOf: coinsOf({ a: many }) }, pair, most: () => 500, log });
  expect(await coins.of('ann', config(['a']), 'USDT')).toHaveLength(500);
});
