import type { OrderInput } from '@pilotfish/core/auto-trades/engine/engine-inputs';
import { type OrderInFlight, UNLISTED } from '@pilotfish/core/auto-trades/position/position-state';
import { beforeEach, expect, test } from 'vitest';
import type { ExecutionReport } from '../exchange/payloads.ts';
import type { RunningBot } from './bot-runner.ts';
import type { IntentRow } from './order-intents-store.ts';
import { orderReports } from './order-reports.ts';

const BOT = 'bot';
type InFlight = { symbol: string; attention?: string; order: { clientOrderId: string; executed?: string; cancelRequested?: boolean } };

let inFlight: InFlight[];
let stored: string[];
let away: string[];
let pending: string[];
let done: string[];
let heard: OrderInput[];
/** What became of an order that is asked for: it is over, and its bot hears so. */
let over: string[];

beforeEach(() => {
  [inFlight, stored, away, pending, done, heard, over] = [[], [], [], [], [], [], []];
});

const bot = {
  bot: { id: BOT },
  inFlight: () => inFlight as never,
  executedOf: (id: string) => {
    const order = over.includes(id) ? undefined : inFlight.find((each) => each.order.clientOrderId === id)?.order;
    return order && (order.executed ?? '0');
  },
  order: (input: OrderInput) => void heard.push(input),
} as unknown as RunningBot;
const intentOf = (clientOrderId: string) => ({ clientOrderId, kind: 'place', order: {} as OrderInFlight }) as IntentRow;

const reports = () =>
  orderReports({
    running: new Map([[BOT, bot]]),
    intents: {
      intentOf: async (id) => (stored.includes(id) ? intentOf(id) : undefined),
      pendingCancels: async () => pending.map(intentOf),
    } as Parameters<typeof orderReports>[0]['intents'],
    executor: {
      reconcile: async ({ clientOrderId }) => void done.push(`asks ${clientOrderId}`),
      submit: ({ clientOrderId, kind, symbol }) => void done.push(`${kind} ${clientOrderId} ${symbol ?? ''}`.trim()),
    },
    settled: async () => void done.push('written'),
    isAway: (symbol) => away.includes(symbol),
    now: () => 1_800_000_000_000,
  });

test('after a restart every order in flight is asked for, once what was decided is written', async () => {
  inFlight = [
    { symbol: 'BTCUSDT', order: { clientOrderId: 'a' } },
    { symbol: 'ETHUSDT', order: { clientOrderId: 'b' } },
  ];
  stored = ['a', 'b'];
  await reports().reconcile(bot);
  expect(done.slice(0, 2)).toEqual(['written', 'written']);
  expect(done.slice(2).sort()).toEqual(['asks a', 'asks b']);
  expect(heard).toEqual([]);
});

test('one whose cancel was wanted is cancelled again while it stands, and not once it is over', async () => {
  inFlight = ['a', 'b'].map((clientOrderId) => ({ symbol: 'BTCUSDT', order: { clientOrderId, cancelRequested: true } }));
  [stored, over] = [['a', 'b'], ['b']];
  await reports().reconcile(bot);
  expect(done.filter((each) => each !== 'written').sort()).toEqual(['asks a', 'asks b', 'cancel a BTCUSDT']);
});

test('one that nobody wrote down never left; one of a pair that is away waits until it is back', async () => {
  inFlight = [
    { symbol: 'BTCUSDT', order: { clientOrderId: 'a' } },
    { symbol: 'GONE', attention: UNLISTED, order: { clientOrderId: 'b' } },
    { symbol: 'BACK', attention: UNLISTED, order: { clientOrderId: 'c' } },
  ];
  [stored, away] = [['b', 'c'], ['GONE']];
  await reports().reconcile(bot);
  expect(heard).toEqual([{ type: 'lost', clientOrderId: 'a', code: 'NO_INTENT' }]);
  expect(done.filter((each) => each !== 'written')).toEqual(['asks c']);
});

test('cancels that an earlier process did not come to are gone on with, once', async () => {
  pending = ['a'];
  const of = reports();
  await of.resumeCancels();
  await of.resumeCancels();
  expect(done).toEqual(['place a']);
});

test('an event tells the fill, and the end only when everything executed was heard of', async () => {
  inFlight = [{ symbol: 'BTCUSDT', order: { clientOrderId: 'a', executed: '1' } }];
  stored = ['a'];
  const of = reports();
  const event = {
    c: 'a',
    C: '',
    i: '7',
    x: 'TRADE',
    t: '9',
    L: '100',
    l: '1',
    Y: '100',
    n: '0.1',
    N: 'USDT',
    T: 5,
    X: 'FILLED',
    r: 'NONE',
  };
  await of.onExecution(BOT, { ...event, z: '1' } as ExecutionReport);
  expect(heard).toMatchObject([
    { type: 'filled', clientOrderId: 'a', orderId: '7', tradeId: '9', price: '100', quantity: '1', fee: '0.1', feeAsset: 'USDT' },
    { type: 'ended', clientOrderId: 'a', status: 'FILLED', code: null },
  ]);
  heard = [];
  // Two were executed and one was heard of: ended now, the other would be lost.
  await of.onExecution(BOT, { ...event, z: '2' } as ExecutionReport);
  expect(heard.map(({ type }) => type)).toEqual(['filled']);
  expect(done).toEqual(['written', 'asks a']);
  heard = [];
  await of.onExecution(BOT, { ...event, c: 'somebody else', z: '1' } as ExecutionReport);
  expect(heard).toEqual([]);
});

test('a TRADE of nothing fills nothing, and only ends its order; one without a price or a trade asks for the trades', async () => {
  inFlight = [{ symbol: 'BTCUSDT', order: { clientOrderId: 'a' } }];
  stored = ['a'];
  const of = reports();
  const event = {
    c: 'a',
    C: '',
    i: '7',
    x: 'TRADE',
    t: '-1',
    L: '0',
    l: '0',
    Y: '0',
    n: '0',
    N: null,
    T: 5,
    X: 'EXPIRED',
    r: 'NONE',
    z: '0',
  };
  await of.onExecution(BOT, event as ExecutionReport);
  await of.onExecution(BOT, { ...event, eR: 'INSUFFICIENT_LIQUIDITY' } as ExecutionReport);
  const ended = { type: 'ended', clientOrderId: 'a', status: 'EXPIRED', code: null, at: 5 };
  expect(heard).toEqual([ended, { ...ended, expiryReason: 'INSUFFICIENT_LIQUIDITY' }]);
  heard = [];
  const prevented = { x: 'TRADE_PREVENTION', v: 3, A: '1', B: '1', u: -1, U: 8, Cs: 'BTCUSDT', pl: '1', pL: '100', pY: '100' };
  // What lost only a part of its quantity to an order of its own account goes on.
  await of.onExecution(BOT, { ...event, ...prevented, X: 'NEW' } as unknown as ExecutionReport);
  expect(heard).toEqual([]);
  await of.onExecution(BOT, { ...event, ...prevented, X: 'EXPIRED_IN_MATCH' } as unknown as ExecutionReport);
  expect(heard).toEqual([{ ...ended, expiryReason: 'EXPIRED_IN_MATCH' }]);
  heard = [];
  for (const odd of [
    { L: '0.00000000', t: '9' },
    { L: '100', t: '-1' },
  ]) {
    done = [];
    await of.onExecution(BOT, { ...event, ...odd, l: '1', z: '1', X: 'FILLED' } as ExecutionReport);
    expect([heard, done]).toEqual([[], ['written', 'asks a']]);
  }
});
