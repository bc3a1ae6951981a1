import { realTimers } from '@pilotfish/core/time/timers';
import { expect, test } from 'vitest';
import { openExchange } from './exchange.ts';

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
