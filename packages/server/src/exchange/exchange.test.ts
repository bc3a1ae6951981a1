import { toText } from '@pilotfish/core/money/decimal';
import { realTimers } from '@pilotfish/core/time/timers';
import { expect, test } from 'vitest';
import { openExchange } from './exchange.ts';
import { signerFor } from './signing.ts';

const limit = (row: Record<string, unknown>) => ({ rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, ...row });

/** An exchange that says these limits, and lists these pairs. */
const saying = (rateLimits: readonly unknown[], symbols: readonly unknown[] = []) =>
  openExchange({
    timers: realTimers,
    origins: { rest: 'http://exchange.test', stream: 'ws://exchange.test', api: 'ws://exchange.test' } as never,
    now: () => 0,
    random: () => 0,
    fetch: async () => new Response(JSON.stringify({ timezone: 'UTC', serverTime: 0, rateLimits, exchangeFilters: [], symbols })),
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

const PRICE = { filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '0', tickSize: '0.01' };
const LOT = { filterType: 'LOT_SIZE', minQty: '0.001', maxQty: '0', stepSize: '0.001' };
/** A row of the list as the exchange writes it. */
const listed = (more: Record<string, unknown>, ...filters: object[]) => ({
  symbol: 'BTCUSDT',
  status: 'TRADING',
  baseAsset: 'BTC',
  quoteAsset: 'USDT',
  baseAssetPrecision: 8,
  quoteAssetPrecision: 8,
  filters: [PRICE, LOT, ...filters],
  ...more,
});

test.each([
  ['LIMIT, LIMIT_MAKER, MARKET, STOP_LOSS, STOP_LOSS_LIMIT', undefined],
  ['LIMIT, LIMIT_MAKER, MARKET', ['StopLimit']],
  ['LIMIT', ['Market', 'StopLimit']],
  ['', undefined],
])('a pair is known with the kinds of orders that it does not take: %s', async (types, withoutOrders) => {
  const orderTypes = types === '' ? [] : types.split(', ');
  const [pair] = await saying([], [listed({ orderTypes })]).pairs();
  expect(pair?.filters.withoutOrders).toEqual(withoutOrders);
  const [odd] = await saying([], [listed({ orderTypes: 'all', permissionSets: 'any' })]).pairs();
  expect([odd?.symbol, odd?.filters.withoutOrders]).toEqual(['BTCUSDT', undefined]);
});

const NOTIONAL = { filterType: 'NOTIONAL', minNotional: '10', applyMinToMarket: false, maxNotional: '500', applyMaxToMarket: true };
const LEAST = { filterType: 'MIN_NOTIONAL', minNotional: '5', applyToMarket: true, avgPriceMins: 0 };
test.each([
  [[NOTIONAL], { minNotional: '10', maxNotional: '500', marketMinNotional: '0', marketMaxNotional: '500' }],
  [
    [{ ...NOTIONAL, applyMinToMarket: true, applyMaxToMarket: false, avgPriceMins: 5 }],
    { minNotional: '10', maxNotional: '500', marketMinNotional: '10', marketMaxNotional: '0', averageMinutes: 5 },
  ],
  [[LEAST], { minNotional: '5', maxNotional: '0', marketMinNotional: '5', marketMaxNotional: '0', averageMinutes: 0 }],
  [[{ ...LEAST, applyToMarket: false }], { minNotional: '5', marketMinNotional: '0' }],
  [[NOTIONAL, LEAST], { minNotional: '10', maxNotional: '500', marketMinNotional: '5', marketMaxNotional: '500', averageMinutes: 0 }],
])('what an order must and may be worth, at the market, too: %j', async (filters, expected) => {
  const [pair] = await saying([], [listed({}, ...filters)]).pairs();
  expect(pair?.filters).toMatchObject(expected);
});

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

test.each([
  ['This symbol is not permitted for this account.', 1],
  ['This symbol is restricted for this account.', 1],
  ['Account has insufficient balance for requested action.', 0],
])('a refused order says whether its account may not trade the pair: %s', async (msg, times) => {
  const told: unknown[] = [];
  const exchange = openExchange({
    timers: realTimers,
    origins: { rest: 'http://exchange.test', stream: 'ws://exchange.test', api: 'ws://exchange.test' },
    now: () => 0,
    random: () => 0,
    fetch: async (input) =>
      new URL(input instanceof Request ? input.url : input).pathname.endsWith('/time')
        ? new Response(JSON.stringify({ serverTime: 0 }))
        : new Response(JSON.stringify({ code: -2010, msg }), { status: 400 }),
    onNotPermitted: (signer) => void told.push(signer),
  });
  const signer = signerFor('key-key-key-key-key', 'secret-secret-secret');
  await expect(exchange.placeOrder(signer, {}, { urgent: true, beforeSigning: () => undefined })).rejects.toThrow(msg);
  expect(told).toEqual(Array(times).fill(signer));
});
