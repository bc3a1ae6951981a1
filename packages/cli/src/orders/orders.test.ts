import { stripVTControlCharacters } from 'node:util';
import type { Order, OrderPurpose } from '@pilotfish/core/orders/orders-contract';
import { expect, test } from 'vitest';
import { SimulatedClock } from 'xstate';
import { fakeHost } from '../../testing/fake-host.ts';
import { execute } from '../app/cli.ts';

const order = (orderId: string, bot: Order['bot']): Order => ({
  orderId,
  clientOrderId: `c${orderId}`,
  symbol: 'BTCUSDT',
  side: 'Buy',
  type: 'LIMIT',
  status: 'NEW',
  price: '50000',
  quantity: '0.001',
  executedQuantity: '0',
  quoteQuantity: '0',
  bot,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
});
const bot = (name: string, purpose: OrderPurpose) => ({ id: '01a1fc3a-46e6-72f7-a393-000000000001', name, purpose });

const account = {
  claims: [],
  exchanges: [{ name: 'Binance', tradeEnabled: true }],
  hasTelegram: false,
  username: 'ada',
  email: 'ada@example.com',
  emailConfirmed: true,
  createdAt: '2026-11-20T10:00:00.000Z',
};

/** What a person who answers No is asked, and what the server was then asked to do. */
async function asked(orders: Order[], ...words: string[]) {
  const calls: string[] = [];
  const fetch = (async (input: string, { method = 'GET' }: RequestInit = {}) => {
    calls.push(method);
    const { pathname } = new URL(input);
    const pairs = [{ symbol: 'BTCUSDT', pricePrecision: 2 }];
    return new Response(JSON.stringify(pathname.includes('/orders/') ? orders : pathname.endsWith('/pairs') ? pairs : account));
  }) as typeof globalThis.fetch;
  const host = fakeHost({ fetch, terminal: true, input: 'n\r', env: { PILOTFISH_TOKEN: 't', NO_COLOR: '1' } });
  const exit = await execute(['orders', 'cancel', 'BTCUSDT', ...words], host);
  return { exit, err: stripVTControlCharacters(host.err()), writes: calls.filter((method) => method !== 'GET') };
}

test('the bot whose protective stop would be cancelled is named, with what follows, before the question', async () => {
  const { exit, err, writes } = await asked([order('1', bot('Night shift', 'protect')), order('2', null)], '1');
  expect(err).toMatch(
    /^This is the protective stop of Night shift\. [^\n]*nothing at the exchange protects the position\.\nCancel Buy 0\.001 BTCUSDT at 50,000\.00\?/,
  );
  expect([exit, writes]).toEqual([1, []]);
});

test('of several orders each bot is named; an order of nobody’s bot names none', async () => {
  const orders = [order('1', bot('Night shift', 'entry')), order('2', null), order('3', bot('Day shift', 'protect'))];
  const { err, writes } = await asked(orders, '--all');
  expect(err).toMatch(
    /^Night shift placed this order to enter\. .*\nThis is the protective stop of Day shift\. .*\nCancel all 3 open orders/,
  );
  expect(writes).toEqual([]);
  expect((await asked(orders, '2')).err).not.toMatch(/shift/);
});

const LOST = new TypeError('the connection was cut');
type Reply = Order | Order[] | { status: number; code: string } | typeof LOST;

type Answers = readonly (readonly [RegExp, string])[];

/** Cancels orders at a server that answers each DELETE and each list after the first by the next of these. */
async function cancelling(words: string[], given: { cancels: Reply[]; looks: Reply[]; answers?: Answers; timers?: SimulatedClock }) {
  const orders = [order('1', null), order('2', null)];
  const lists: Reply[] = [orders, ...given.looks];
  const [cancels, deleted]: [Reply[], string[]] = [[...given.cancels], []];
  const fetch = (async (input: string, { method = 'GET' }: RequestInit = {}) => {
    const { pathname } = new URL(input);
    if (!pathname.includes('/orders/')) return new Response(JSON.stringify(account));
    if (method === 'DELETE') deleted.push(pathname.split('/').at(-1) ?? '');
    const reply = method === 'DELETE' ? cancels.shift() : lists.length > 1 ? lists.shift() : lists[0];
    if (reply instanceof Error || reply === undefined) throw reply ?? new Error(`${method} ${pathname} was not expected`);
    if ('code' in reply) return new Response(JSON.stringify({ title: reply.code, ...reply }), { status: reply.status });
    return new Response(JSON.stringify(reply));
  }) as typeof globalThis.fetch;
  const { answers, timers } = given;
  const host = fakeHost({ fetch, ...(answers && { answers }), ...(timers && { timers }), env: { PILOTFISH_TOKEN: 't', NO_COLOR: '1' } });
  const exit = await execute(['orders', 'cancel', 'BTCUSDT', ...words], host);
  return { exit, out: stripVTControlCharacters(host.out()), err: stripVTControlCharacters(host.err()), deleted };
}
const cancelled = (orderId: string): Order => ({ ...order(orderId, null), status: 'CANCELED' });

test('a lost answer is looked up and never sent a second time', async () => {
  const done = await cancelling(['1', '--yes'], { cancels: [LOST], looks: [[]] });
  expect(done).toMatchObject({ exit: 7, out: '', deleted: ['1'] });
  expect(done.err).toMatch(/^No answer came to the cancel of Buy 0\.001 BTCUSDT at 50,000\S*; checking the order…\n/);
  expect(done.err).toMatch(/is no longer open: it was cancelled or filled\. \(orderGone\)\n.*positions show BTCUSDT\n$/);
});

test('what still stands fails in a script and where the yes was given beforehand; a person is asked', async () => {
  const standing = { cancels: [LOST, cancelled('1')], looks: [[order('1', null)]] };
  for (const answers of [undefined, []]) {
    const failed = await cancelling(['1', '--yes'], { ...standing, ...(answers && { answers }) });
    expect(failed).toMatchObject({ exit: 8, out: '', deleted: ['1'] });
    expect(failed.err).toMatch(/is still open\. \(orderStands\)\n.*orders cancel BTCUSDT 1\n$/);
  }
  const first = [/^Cancel Buy .*\[y\/N\]/, 'y\r'] as const;
  const second = /is still open\. Cancel again\? \[y\/N\]/;
  const again = await cancelling(['1', '--json'], { ...standing, answers: [first, [second, 'y\r']] });
  expect(again).toMatchObject({ exit: 0, deleted: ['1', '1'] });
  expect(JSON.parse(again.out)).toEqual(cancelled('1'));
  expect(await cancelling(['1'], { ...standing, answers: [first, [second, '\r']] })).toMatchObject({ exit: 8, out: '', deleted: ['1'] });
});

test('what was filled before it could be cancelled is no success, nor what was refused; neither is looked up', async () => {
  const filled = await cancelling(['1', '--yes'], { cancels: [{ ...order('1', null), status: 'FILLED' }], looks: [LOST] });
  expect(filled).toMatchObject({ exit: 8, out: '', err: expect.stringContaining('was filled before it could be cancelled.') });
  const refused = await cancelling(['1', '--yes'], { cancels: [{ status: 422, code: 'trading-disabled' }], looks: [LOST] });
  expect(refused).toMatchObject({ exit: 6, out: '', err: expect.stringContaining('(trading-disabled)') });
  expect(refused.err).not.toContain('hecking the order');
});

test('a cancel that failed, or is not carried out yet, is not told as a lost answer', async () => {
  const failed = await cancelling(['1', '--yes'], { cancels: [{ status: 422, code: 'order-rejected' }], looks: [[order('1', null)]] });
  expect(failed.err).toMatch(/^The cancel of Buy [^\n]* returned an error: [^\n]+ Checking the order…\n/);
  const taken = await cancelling(['1', '--yes'], { cancels: [{ ...order('1', null), status: 'PENDING_CANCEL' }], looks: [[]] });
  expect(taken.err).toMatch(/^The exchange accepted the cancel of Buy [^\n]* but has not carried it out yet/);
});

test('after a minute without an answer it is said that nobody knows, and how to look', async () => {
  const clock = new SimulatedClock();
  let isOver = false;
  const run = cancelling(['1', '--yes'], { cancels: [LOST], looks: [LOST], timers: clock }).finally(() => {
    isOver = true;
  });
  let seconds = 0;
  while (!isOver) {
    await new Promise((done) => setImmediate(done));
    await new Promise((done) => setImmediate(done));
    clock.increment(1000);
    seconds += 1;
  }
  const done = await run;
  expect(done).toMatchObject({ exit: 1, out: '', deleted: ['1'] });
  expect(done.err.match(/keeps asking; nothing is sent twice\./g)).toHaveLength(1);
  expect(done.err).toMatch(/may be cancelled, filled or still open\. \(orderUnknown\)\n.*orders ls BTCUSDT\n$/);
  expect(seconds).toBeGreaterThan(60);
});

test('of all, each has its own outcome: what was cancelled is printed, every other one is named', async () => {
  const done = await cancelling(['--all', '--yes', '--json'], { cancels: [LOST, cancelled('2')], looks: [[order('2', null)]] });
  expect(done).toMatchObject({ exit: 7, deleted: ['1', '2'] });
  expect(JSON.parse(done.out)).toEqual([cancelled('2')]);
  expect(JSON.parse(done.err.trim().split('\n').at(-1) ?? '')).toMatchObject({ code: 'orderGone', status: 404 });
  const refused = { status: 422, code: 'trading-disabled' };
  const none = await cancelling(['--all', '--yes'], { cancels: [refused, refused], looks: [] });
  expect(none).toMatchObject({ exit: 6, out: '', deleted: ['1', '2'] });
  expect(none.err.match(/^Buy 0\.001 BTCUSDT at 50,000\S* was not cancelled:\nError:/gm)).toHaveLength(2);
});
