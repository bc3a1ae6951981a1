/** @module-tag smoke */
import type { Order } from '@pilotfish/core/orders/orders-contract';
import type { Simulator } from '@pilotfish/simulator/app/simulator';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SignedInUser, TestServer } from '../src/app/testing/test-server.ts';
import type { Exchange } from '../src/exchange/exchange.ts';
import { type Signer, signerFor } from '../src/exchange/signing.ts';
import { type ExchangeStage, startExchangeStage } from './exchange-stage.ts';

// A cancel is sent once; whatever becomes of its answer, what is told is what the exchange says of the order.

let simulator: Simulator;
let server: TestServer;
let stage: ExchangeStage;
let user: SignedInUser;
let signer: Signer;
let venue: Exchange;

beforeEach(async () => {
  stage = await startExchangeStage(11);
  ({ simulator, server, venue } = stage);
  user = await server.register();
  const { apiKey, apiSecret } = await simulator.createAccount({ balances: { USDT: '10000' } });
  signer = signerFor(apiKey, apiSecret);
  await user.call('/gateway/v2/account/connect/binance', { body: { clientId: apiKey, clientSecret: apiSecret } });
});
afterEach(async () => {
  await stage?.close();
});

/** An order that rests far below the market. */
async function rest(symbol = 'BTCUSDT'): Promise<string> {
  const { price } = await venue.moment(symbol);
  const placed = await venue.placeOrder(
    signer,
    { symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', price: (price * 0.9).toFixed(2), quantity: '0.01' },
    { urgent: true, beforeSigning: () => undefined },
  );
  return String(placed.orderId);
}
const list = async (symbol: string) => (await user.call<Order[]>(`/bff/v2/orders/Binance/${symbol}`)).body;
const cancel = (symbol: string, orderId: string) =>
  user.call<Order & { code: string }>(`/bff/v2/orders/Binance/${symbol}/${orderId}`, { method: 'DELETE' });
const at = (method: 'DELETE' | 'GET', more: object) => simulator.faults.next({ method, path: '/api/v3/order', times: 1, ...more } as never);

test('open orders of one pair and of all, and one cancelled', async () => {
  const [bitcoin, ether] = [await rest(), await rest('ETHUSDT')];
  expect((await list('BTCUSDT')).map(({ orderId }) => orderId)).toEqual([bitcoin]);
  expect(new Set((await list('all')).map(({ orderId }) => orderId))).toEqual(new Set([bitcoin, ether]));
  const cancelled = await cancel('BTCUSDT', bitcoin);
  expect(cancelled.body).toMatchObject({ orderId: bitcoin, status: 'CANCELED', quantity: '0.01', executedQuantity: '0' });
  expect((await list('all')).map(({ orderId }) => orderId)).toEqual([ether]);
});

test('the exchange cancels, and its answer is lost: the order is asked for', async () => {
  const order = await rest();
  at('DELETE', { loseAnswer: true });
  expect((await cancel('BTCUSDT', order)).body).toMatchObject({ orderId: order, status: 'CANCELED' });
});

test('the cancel never arrives: the order is told as standing, and not cancelled behind the back', async () => {
  const order = await rest();
  at('DELETE', { status: 502 });
  expect((await cancel('BTCUSDT', order)).body).toMatchObject({ orderId: order, status: 'NEW' });
  expect((await list('BTCUSDT')).map(({ orderId }) => orderId)).toEqual([order]);
});

test('the answer is lost, and so is the first one to the question', async () => {
  const order = await rest();
  at('DELETE', { loseAnswer: true });
  at('GET', { status: 503 });
  expect((await cancel('BTCUSDT', order)).body).toMatchObject({ status: 'CANCELED' });
});

test('nobody can say: that is an error, not a guess', async () => {
  const order = await rest();
  at('DELETE', { loseAnswer: true });
  at('GET', { status: 503, times: 10 });
  expect(await cancel('BTCUSDT', order)).toMatchObject({ status: 502, body: { code: 'exchange-unreachable' } });
  simulator.faults.clear();
  expect(await list('BTCUSDT')).toEqual([]);
});

test('an order that is over already is told as what it is; one that never was, is not found', async () => {
  const order = await rest();
  await cancel('BTCUSDT', order);
  expect((await cancel('BTCUSDT', order)).body).toMatchObject({ orderId: order, status: 'CANCELED' });
  expect(await cancel('BTCUSDT', '999999999')).toMatchObject({ status: 404, body: { code: 'unknown-order' } });
});
