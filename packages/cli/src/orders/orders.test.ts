import { stripVTControlCharacters } from 'node:util';
import type { Order, OrderPurpose } from '@pilotfish/core/orders/orders-contract';
import { expect, test } from 'vitest';
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
    return new Response(JSON.stringify(new URL(input).pathname.includes('/orders/') ? orders : account));
  }) as typeof globalThis.fetch;
  const host = fakeHost({ fetch, terminal: true, input: 'n\r', env: { PILOTFISH_TOKEN: 't', NO_COLOR: '1' } });
  const exit = await execute(['orders', 'cancel', 'BTCUSDT', ...words], host);
  return { exit, err: stripVTControlCharacters(host.err()), writes: calls.filter((method) => method !== 'GET') };
}

test('the bot whose protective stop would be cancelled is named, with what follows, before the question', async () => {
  const { exit, err, writes } = await asked([order('1', bot('Night shift', 'protect')), order('2', null)], '1');
  expect(err).toMatch(
    /^It is the protective stop of Night shift: [^\n]*nothing at the exchange protects the position\.\nCancel Buy 0\.001 BTCUSDT at/,
  );
  expect([exit, writes]).toEqual([1, []]);
});

test('of several orders each bot is named; an order of nobody’s bot names none', async () => {
  const orders = [order('1', bot('Night shift', 'entry')), order('2', null), order('3', bot('Day shift', 'protect'))];
  const { err, writes } = await asked(orders, '--all');
  expect(err).toMatch(/^Night shift placed it to enter: .*\nIt is the protective stop of Day shift: .*\nCancel all 3 open orders/);
  expect(writes).toEqual([]);
  expect((await asked(orders, '2')).err).not.toMatch(/shift/);
});
