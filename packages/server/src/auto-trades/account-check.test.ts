import { clientOrderIdFor, orderPrefixFor, positionIdFor } from '@pilotfish/core/auto-trades/position/position-ids';
import { decimal, toText } from '@pilotfish/core/money/decimal';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { ExchangeError } from '../exchange/exchange-error.ts';
import { type Rows, type UnreadRow, unreadOf, withUnread } from '../exchange/exchange-rows.ts';
import type { OrderPayload } from '../exchange/payloads.ts';
import { accountCheck } from './account-check.ts';
import type { BotRow } from './auto-trades-store.ts';

const BOT = '01890000-0000-7000-8000-000000000001';
const bot = { id: BOT, accountId: 'a', context: { runNo: 1 } } as BotRow;
const position = (number: number) => positionIdFor(BOT, 1, 'BTCUSDT', number);
const order = (clientOrderId: string, executedQty = '1', status = 'FILLED'): OrderPayload => ({
  symbol: 'BTCUSDT',
  orderId: '1',
  clientOrderId,
  price: '0',
  origQty: '1',
  executedQty,
  cummulativeQuoteQty: '100',
  status,
  type: 'MARKET',
  side: 'BUY',
});

let orders: Rows<OrderPayload>;
let unreadBalances: UnreadRow[];
let known: string[];
let halted: number;
let cancelled: string[];
let asked: string[];
let failure: Error | undefined;
let saved: string[][];
let savedHeld: Record<string, string>[];
let unreadPairs: string[];
beforeEach(() => {
  [unreadBalances, savedHeld, unreadPairs] = [[], [], []];
  [orders, known, halted, cancelled, asked, failure, saved] = [[], [], 0, [], [], undefined, []];
});

function check(expected: Record<string, string> = { USDT: '5000' }) {
  const told = new Map<string, string>();
  return accountCheck({
    accounts: { get: async () => ({ signer: {} }) as never },
    exchange: {
      account: async () => {
        if (failure) throw failure;
        return { balances: withUnread([{ asset: 'USDT', free: '3900', locked: '100' }], unreadBalances) } as never;
      },
      openOrders: async () =>
        withUnread(
          orders.filter(({ status }) => status === 'NEW'),
          unreadOf(orders),
        ),
      ordersOf: async (_signer, symbol) => {
        asked.push(symbol);
        return orders as never;
      },
      cancelOrder: async (_signer, { origClientOrderId }) => {
        cancelled.push(String(origClientOrderId));
        return { ...orders[0]!, status: 'CANCELED' } as never;
      },
    },
    states: {
      expected: async () => new Map(Object.entries(expected).map(([asset, amount]) => [asset, decimal(amount)])),
      knownPositions: async (ids) => ids.filter((id) => id === position(3)),
      toldOrders: async () => told,
      save: async (state) => {
        saved.push(state.told.map(({ clientOrderId }) => clientOrderId));
        savedHeld.push(Object.fromEntries([...state.held].map(([asset, amount]) => [asset, toText(amount)])));
        for (const each of state.told) told.set(each.clientOrderId, each.executedQty);
      },
    },
    intents: { knownOrders: async (ids) => new Set(ids.filter((id) => known.includes(id))) },
    store: {
      appendLogs: async () => undefined,
      newestPositions: async () => [{ symbol: 'BTCUSDT', number: 3 }] as never,
    },
    queries: {} as never,
    tag: 'ours00',
    isUnread: (symbol) => unreadPairs.includes(symbol),
    pair: (symbol) =>
      symbol === 'BTCUSDT' && !unreadPairs.includes(symbol) ? ({ symbol, baseAsset: 'BTC', quoteAsset: 'USDT' } as Pair) : undefined,
    tradersOn: async () => [{ bot, symbols: ['BTCUSDT'] }],
    halt: async () => {
      halted += 1;
    },
    now: () => 0,
    newId: () => 'id',
    log: pino({ level: 'silent' }),
  });
}
const KEY = 'live:a';
const idOf = (tag: string) => clientOrderIdFor(position(9), 1, 0, orderPrefixFor(tag, '0zik0zjabcdef'));

test('an account that holds what the database says is asked for no pair', async () => {
  orders = [order(idOf('ours00'))];
  await check({ USDT: '4000' }).ensure(KEY);
  expect([asked, halted]).toEqual([[], 0]);
});

test.each([
  ['of this installation', idOf('ours00'), 1],
  ['of another installation on the same account', idOf('other0'), 0],
  ['of a position of version 0.1.0', clientOrderIdFor(position(3), 7, 0), 1],
  ['of a position that came after the copy of version 0.1.0', clientOrderIdFor(position(40), 1, 0), 1],
  ['of another installation of version 0.1.0', clientOrderIdFor(positionIdFor('other', 1, 'BTCUSDT', 3), 1, 0), 0],
  ['of the owner', 'web_123', 0],
])('an executed order %s', async (_what, clientOrderId, halts) => {
  orders = [order(clientOrderId)];
  const account = check();
  await account.ensure(KEY);
  expect([asked, halted]).toEqual([['BTCUSDT'], halts]);
  // What its owner was told of is told once, unless more of it is executed.
  account.forget(KEY);
  await account.ensure(KEY);
  expect(halted).toBe(halts);
  orders = [order(clientOrderId, '2')];
  account.forget(KEY);
  await account.ensure(KEY);
  expect(halted).toBe(halts * 2);
});

test('beside what was executed, what rests stays: it may protect a position', async () => {
  orders = [order(idOf('ours00')), order(clientOrderIdFor(position(9), 2, 0, orderPrefixFor('ours00', '0zik0zjabcdef')), '0', 'NEW')];
  await check().ensure(KEY);
  expect([halted, cancelled]).toEqual([1, []]);
  expect(saved[0]).toHaveLength(2);
});

test('one that is executed while it is withdrawn is not overlooked', async () => {
  orders = [{ ...order(idOf('ours00'), '0', 'NEW') }];
  const account = check();
  const first = orders[0]!;
  orders = [first];
  await Promise.all([account.ensure(KEY), Promise.resolve().then(() => (first.executedQty = '1'))]);
  expect(halted).toBe(1);
});

test('an account that cannot be asked is asked again, and nothing counts as checked before', async () => {
  const account = check();
  failure = new ExchangeError('unreachable', 'away');
  await expect(account.ensure(KEY)).rejects.toBe(failure);
  failure = undefined;
  orders = [order(idOf('ours00'))];
  await account.ensure(KEY);
  expect(halted).toBe(1);
});

test('of a balance that cannot be read it is not known that it is what the database says: its pairs are asked for', async () => {
  unreadBalances = [{ list: 'balances', name: 'BTC', field: 'free', given: { asset: 'BTC', free: null } }];
  orders = [order(idOf('ours00'))];
  await check({ USDT: '4000' }).ensure(KEY);
  expect([asked, halted]).toEqual([['BTCUSDT'], 1]);
});

test.each([
  ['of this installation that the database does not know', idOf('ours00'), false],
  ['without an id', null, false],
  ['that the database knows', 'known', true],
  ['of the owner', 'web_123', true],
])('an order %s that cannot be read: nothing is signed where it may have executed something', async (_what, id, isChecked) => {
  const clientOrderId = id === 'known' ? idOf('ours00') : id;
  known = id === 'known' ? [idOf('ours00')] : [];
  orders = withUnread([], [{ list: 'orders', name: 'BTCUSDT', field: 'executedQty', given: { clientOrderId } }]);
  const outcome = await check({ USDT: '4000' })
    .ensure(KEY)
    .then(() => true)
    .catch((error: unknown) => !(error instanceof ExchangeError));
  expect([outcome, saved.length]).toEqual([isChecked, isChecked ? 1 : 0]);
});

test.each([
  ['names its asset', { asset: 'BTC', free: null }, { USDT: '4000', BTC: '2' }],
  ['names none', { free: null }, { USDT: '4000', BTC: '2', ETH: '3' }],
])('a balance that cannot be read and %s is kept as it was expected', async (_what, given, held) => {
  unreadBalances = [{ list: 'balances', name: '', field: 'free', given }];
  await check({ USDT: '4100', BTC: '2', ETH: '3' }).ensure(KEY);
  expect(savedHeld).toEqual([held]);
});

test('while a pair that a bot trades cannot be read nothing is signed, and the account is checked once it can', async () => {
  orders = [order(idOf('ours00'))];
  unreadPairs = ['BTCUSDT'];
  const account = check();
  await expect(account.ensure(KEY)).rejects.toThrow(ExchangeError);
  expect([saved, [...account.unreadPairs]]).toEqual([[], [[KEY, 'BTCUSDT']]]);
  unreadPairs = [];
  await account.ensure(KEY);
  expect(account.unreadPairs.size).toBe(0);
  expect([asked, halted, saved.length]).toEqual([['BTCUSDT'], 1, 1]);
});

test('nor while a pair cannot be read that only a bot which is gone traded: what it bought in it would not be asked for', async () => {
  unreadPairs = ['SOLUSDT'];
  const account = check({ USDT: '4000', SOL: '1' });
  await expect(account.ensure(KEY)).rejects.toThrow('SOLUSDT cannot be read');
  expect(saved).toEqual([]);
  unreadPairs = [];
  await account.ensure(KEY);
  expect(saved).toHaveLength(1);
});
