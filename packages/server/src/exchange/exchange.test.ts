import { toText } from '@pilotfish/core/money/decimal';
import { realTimers } from '@pilotfish/core/time/timers';
import { expect, test } from 'vitest';
import { openExchange } from './exchange.ts';
import { signerFor } from './signing.ts';

const limit = (row: Record<string, unknown>) => ({ rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, ...row });

/** An exchange whose list of pairs is empty and says these limits. */
const saying = (rateLimits: readonly unknown[]) =>
  openExchange({
    timers: realTimers,
    origins: { rest: 'http://exchange.test', stream: 'ws://exchange.test', api: 'ws://exchange.test' } as never,
    now: () => 0,
    random: () => 0,
    fetch: async () => new Response(JSON.stringify({ timezone: 'UTC', serverTime: 0, rateLimits, exchangeFilters: [], symbols: [] })),
  });

test('what may be spent in a minute is what the exchange says with its list of pairs', async () => {
  const exchange = saying([
    limit({ rateLimitType: 'ORDERS', interval: 'SECOND', intervalNum: 10, limit: 100 }),
    limit({ interval: 'HOUR', limit: 99 }),
    limit({ limit: 1200 }),
  ]);
  expect(exchange.rest.weightLimit).toBe(6000);
  await exchange.pairs();
  expect(exchange.rest.weightLimit).toBe(1200);
});

test.each([[[]], [[limit({ limit: 0 })]], [[limit({ rateLimitType: 'RAW_REQUESTS', limit: 61_000 })]]])(
  'a list without a usable limit leaves the known one: %j',
  async (rateLimits) => {
    const exchange = saying(rateLimits);
    await exchange.pairs();
    expect(exchange.rest.weightLimit).toBe(6000);
  },
);

test('without a wallet no wallet path is called: what a key may do is what its account may trade', async () => {
  const asked: string[] = [];
  const exchange = openExchange({
    timers: realTimers,
    origins: { rest: 'http://exchange.test', stream: 'ws://exchange.test', api: 'ws://exchange.test' } as never,
    hasWallet: false,
    now: () => 0,
    random: () => 0,
    fetch: async (input) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      if (pathname === '/api/v3/time') return new Response('{"serverTime":0}');
      asked.push(pathname);
      return new Response('{"canTrade":false,"canWithdraw":true,"balances":[]}');
    },
  });
  const signer = signerFor('key-key-key-key-key', 'secret-secret-secret');
  // The account's right to withdraw is not the key's: nothing is said of it.
  expect(await exchange.restrictions(signer)).toEqual({ enableReading: true, enableSpotAndMarginTrading: false });
  expect(toText(await exchange.transferred(signer, 'BTC', 0))).toBe('0');
  expect(asked).toEqual(['/api/v3/account']);
});
