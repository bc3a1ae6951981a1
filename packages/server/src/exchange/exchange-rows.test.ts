import { toText } from '@pilotfish/core/money/decimal';
import { realTimers } from '@pilotfish/core/time/timers';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { createMetrics } from '../metrics/metrics.ts';
import { openExchange } from './exchange.ts';
import { ExchangeError } from './exchange-error.ts';
import { parseExchangeJson } from './exchange-json.ts';
import { amountText, idAfter, idText, readRow, requireRead, rowOf, rowsOf, sentIn, type UnreadRow, unreadOf } from './exchange-rows.ts';
import { signerFor } from './signing.ts';
import { unreadRows } from './unread-rows.ts';

const SECRET = 'canary-secret-canary-secret';

/** An exchange that answers each path with this text. */
function answering(answers: Readonly<Record<string, string>>) {
  const unread: UnreadRow[] = [];
  const exchange = openExchange({
    timers: realTimers,
    origins: { rest: 'http://exchange.test', stream: 'ws://exchange.test', api: 'ws://exchange.test' } as never,
    now: () => 0,
    random: () => 0,
    onUnread: (rows) => void unread.push(...rows),
    fetch: async (input) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      return new Response(pathname === '/api/v3/time' ? '{"serverTime":0}' : (answers[pathname] ?? '[]'));
    },
  });
  const names = () => unread.map(({ list, name, field }) => `${list} ${name}: ${field}`);
  return { exchange, names };
}
const signer = signerFor('key-key-key-key-key', SECRET);

test.each([
  ['{"orderId":930001112223334401}', { orderId: '930001112223334401' }],
  ['[930001112223334401,-9007199254740993]', ['930001112223334401', '-9007199254740993']],
  ['{"at":1790000000000123}', { at: 1790000000000123 }],
  ['{"text":"id 930001112223334401 \\"930001112223334402\\\\"}', { text: 'id 930001112223334401 "930001112223334402\\' }],
  ['{"930001112223334401":0.9300011122233344}', { '930001112223334401': 0.9300011122233344 }],
  ['[12345678901234567e-16, 1234567890123456.5]', [1.2345678901234567, 1234567890123456.5]],
])('a whole number that a double would round is kept as text: %s', (json, value) => {
  expect(parseExchangeJson(json)).toEqual(value);
});

test.each(['{"a":930001112223334401', '930001112223334401 "', '"930001112223334401'])('what is no JSON stays none: %s', (json) => {
  expect(() => parseExchangeJson(json)).toThrow(SyntaxError);
});

test('an id is never a number that was rounded', () => {
  expect(['7', 7].map((id) => idText.parse(id))).toEqual(['7', '7']);
  expect(idText.safeParse(2 ** 53).success).toBe(false);
  expect(idAfter(['9', '930001112223334401', '10'])).toBe('930001112223334402');
  expect(idAfter(['none'])).toBeUndefined();
});

const list = rowsOf('things', z.looseObject({ id: idText, amount: amountText }), ['id']);

test('one row that cannot be read costs nothing but itself', () => {
  const rows = list.parse([{ id: 1, amount: '4.2E-7' }, { id: 2, amount: 'much' }, null, { amount: '1' }, { id: 5, amount: '0.50' }]);
  expect(rows).toEqual([
    { id: '1', amount: '0.00000042' },
    { id: '5', amount: '0.50' },
  ]);
  expect(unreadOf(rows).map(({ name, field }) => `${name}: ${field}`)).toEqual(['2: amount', '#3: row', '#4: id']);
  expect(sentIn(rows)).toBe(5);
});

test('a row that may be one that cannot be read is not absent', () => {
  const rows = list.parse([
    { id: '1', amount: '1' },
    { id: '2', amount: '?' },
  ]);
  expect(rowOf(rows, 'id', '1')?.amount).toBe('1');
  expect(rowOf(rows, 'id', '3')).toBeUndefined();
  expect(() => rowOf(rows, 'id', '2')).toThrow(ExchangeError);
  expect(() => requireRead(rows)).toThrow("A row of the exchange's things cannot be read: 2 (amount).");
  // Without a name it may be any.
  expect(() => rowOf(list.parse([null]), 'id', '3')).toThrow(ExchangeError);
});

test('a row is written down once by its name, bounded and without its values, and counted each time', async () => {
  const lines: unknown[] = [];
  const metrics = createMetrics(false);
  const note = unreadRows({ warn: (...line: unknown[]) => void lines.push(line) } as never, metrics);
  const odd = (id: string) => unreadOf(list.parse([{ id, amount: SECRET }]));
  for (let time = 0; time < 3; time += 1) note(odd(`a\n${'x'.repeat(200)}`));
  expect(lines).toEqual([
    [{ list: 'things', row: `a ${'x'.repeat(78)}`, field: 'amount' }, 'a row of the exchange could not be read; it is left out'],
  ]);
  for (let id = 0; id < 500; id += 1) note(odd(`row ${id}`));
  expect(lines.length).toBeLessThan(60);
  expect(JSON.stringify(lines)).not.toContain(SECRET);
  expect(await metrics.registry.metrics()).toContain('pilotfish_exchange_unread_rows_total{list="things"} 503');
});

const filters = (stepSize: unknown, more: unknown[] = []) => [
  { filterType: 'PRICE_FILTER', minPrice: '0.00000001', maxPrice: '922327.00000000', tickSize: '0.00000001' },
  { filterType: 'LOT_SIZE', minQty: '1.00000000', maxQty: '92141578.00000000', stepSize },
  ...more,
];
const pair = (symbol: string, stepSize: unknown, more: unknown[] = []) => ({
  symbol,
  status: 'TRADING',
  baseAsset: 'ODD',
  quoteAsset: 'USDT',
  baseAssetPrecision: 8,
  quoteAssetPrecision: 8,
  isSpotTradingAllowed: true,
  filters: filters(stepSize, more),
});

test('an odd row of the pairs costs itself: exponents are numbers, unused filters are passed over, a missing precision is named', async () => {
  const symbols = [
    pair('ODDUSDT', '1E-7'),
    { ...pair('HALFUSDT', '1'), baseAssetPrecision: null },
    pair('WRONGUSDT', 'none'),
    { ...pair('BAREUSDT', '1'), filters: [] },
    pair('OKUSDT', '1.00000000', [{ filterType: 'SOMETHING_NEW', limit: null }, null, { filterType: 'TRAILING_DELTA' }]),
  ];
  const { exchange, names } = answering({ '/api/v3/exchangeInfo': JSON.stringify({ rateLimits: [null], symbols }) });
  const pairs = await exchange.pairs();
  expect(pairs.map(({ symbol, filters: { stepSize }, quantityPrecision }) => [symbol, stepSize, quantityPrecision])).toEqual([
    ['ODDUSDT', '0.0000001', 7],
    ['OKUSDT', '1', 0],
  ]);
  expect(unreadOf(pairs).map(({ name }) => name)).toEqual(['HALFUSDT', 'WRONGUSDT', 'BAREUSDT']);
  expect(names()).toEqual([
    'rateLimits #1: row',
    'symbols HALFUSDT: baseAssetPrecision',
    'symbols WRONGUSDT: filters.LOT_SIZE.stepSize',
    'symbols BAREUSDT: filters.PRICE_FILTER',
  ]);
});

test.each([
  ['as text', '120', '7', [120, 7]],
  ['as numbers', 120, 7, [120, 7]],
  ['as null', null, null, [200, 5]],
  ['in words', 'many', '', [200, 5]],
])('how many orders may rest, %s, costs no pair', async (_what, maxNumOrders, maxNumAlgoOrders, most) => {
  const more = [
    { filterType: 'MAX_NUM_ORDERS', maxNumOrders },
    { filterType: 'MAX_NUM_ALGO_ORDERS', maxNumAlgoOrders },
  ];
  const symbols = [{ ...pair('AUSDT', '1', more), isSpotTradingAllowed: null }];
  const { exchange } = answering({ '/api/v3/exchangeInfo': JSON.stringify({ rateLimits: [], symbols }) });
  const pairs = await exchange.pairs();
  expect(pairs.map(({ filters: rules }) => [rules.maxNumOrders, rules.maxNumAlgoOrders])).toEqual([most]);
});

test('a list of which nothing can be read is another list, and no empty one', async () => {
  const { exchange } = answering({
    '/api/v3/exchangeInfo': JSON.stringify({ rateLimits: [], symbols: [pair('AUSDT', null)] }),
    '/api/v3/ticker/24hr': '[{"symbol":"AUSDT"}]',
  });
  await expect(exchange.pairs()).rejects.toThrow(ExchangeError);
  await expect(exchange.tickers()).rejects.toThrow(ExchangeError);
});

const order = { symbol: 'AUSDT', orderId: 1, clientOrderId: 'x', side: 'BUY', type: 'LIMIT', status: 'NEW' };
const amounts = { price: '1', origQty: '1', executedQty: '0', cummulativeQuoteQty: '0' };
const trade = { symbol: 'AUSDT', id: 1, orderId: 2, price: '1', qty: '1', quoteQty: '1', commissionAsset: 'USDT', time: 1, isBuyer: true };

test('lists of an account, prices and books are read row by row, and ids keep every digit', async () => {
  const { exchange, names } = answering({
    '/api/v3/account': JSON.stringify({
      uid: 7,
      balances: [
        { asset: '币安人生', free: '1', locked: '0' },
        { asset: 'AAA', free: null, locked: '0' },
      ],
    }),
    '/api/v3/openOrders': JSON.stringify([
      { ...order, ...amounts },
      { ...order, ...amounts, executedQty: '?' },
    ]).replaceAll('"orderId":1', '"orderId":930001112223334401'),
    '/api/v3/myTrades': JSON.stringify([
      { ...trade, commission: '0' },
      { ...trade, id: 9, commission: null },
    ]),
    '/api/v3/klines': '[[60000,"1","2","1","2","5",119999],[120000,"1",null,"1","2","5",179999]]',
    '/api/v3/depth': '{"bids":[["1","1"],["?","1"]],"asks":[["2E-1","1"]]}',
    '/api/v3/ticker/24hr':
      '[{"symbol":"AUSDT","lastPrice":"1","openPrice":"1","highPrice":"1","lowPrice":"1","volume":"1","quoteVolume":"1","closeTime":1},{"symbol":"BUSDT"}]',
  });
  expect((await exchange.account(signer)).balances).toEqual([{ asset: '币安人生', free: '1', locked: '0' }]);
  expect((await exchange.openOrders(signer, undefined)).map(({ orderId }) => orderId)).toEqual(['930001112223334401']);
  expect(await exchange.tradesFrom(signer, 'AUSDT', '0')).toHaveLength(1);
  expect(await exchange.candles('AUSDT', '1m', { limit: 2 })).toHaveLength(1);
  expect(await exchange.depth('AUSDT')).toEqual({ bids: [['1', '1']], asks: [['0.2', '1']] });
  expect(await exchange.tickers()).toHaveLength(1);
  expect(names()).toEqual([
    'balances AAA: free',
    'orders AUSDT 930001112223334401 x: executedQty',
    'trades AUSDT 9: commission',
    'klines 120000: 2',
    'depth ?: 0',
    'tickers BUSDT: lastPrice',
  ]);
});

test('what came in and went out is no sum without one of its rows', async () => {
  const { exchange } = answering({ '/sapi/v1/capital/deposit/hisrec': '[{"id":"d","amount":"5","status":1},{"id":"e","status":1}]' });
  await expect(exchange.transferred(signer, 'AAA', 0)).rejects.toThrow('deposits cannot be read: e (amount)');
});

test('what came to the funding wallet, or left it, does not move the spot balance', async () => {
  const { exchange } = answering({
    '/sapi/v1/capital/deposit/hisrec':
      '[{"id":"d","amount":"5","status":1,"walletType":0},{"id":"e","amount":"7","status":1,"walletType":1},{"id":"f","amount":"1","status":1}]',
    '/sapi/v1/capital/withdraw/history':
      '[{"id":"w","amount":"2","transactionFee":"0","status":6,"walletType":1},{"id":"v","amount":"3","transactionFee":"0","status":6,"walletType":0}]',
  });
  expect(toText(await exchange.transferred(signer, 'AAA', 0))).toBe('3');
});

test('what comes one by one is told as unread, too', () => {
  const told: UnreadRow[] = [];
  const thing = { list: 'things', row: z.looseObject({ id: idText }), names: ['id'] };
  expect(readRow(thing, { id: 4 }, undefined)).toEqual({ id: '4' });
  expect(readRow(thing, { id: null }, (rows) => void told.push(...rows))).toBeUndefined();
  expect(told).toMatchObject([{ list: 'things', name: '#1', field: 'id' }]);
});
