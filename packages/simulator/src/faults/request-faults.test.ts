import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { call, Listener, rows, signed } from '../../testing/exchange-client.ts';
import { BEGIN, flat, MINUTE, tapeFolder } from '../../testing/small-market.ts';
import { type Simulator, startSimulator } from '../app/simulator.ts';

let simulator: Simulator;
let folder: string;
beforeEach(async () => {
  folder = await tapeFolder({ BTCUSDT: flat(50_000, 5) });
  simulator = await startSimulator({ market: { kind: 'replay', folder, start: BEGIN + MINUTE - 1 }, paused: true });
});
afterEach(async () => {
  await simulator.close();
  await rm(folder, { recursive: true });
});

const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01', price: '49000' };
const fault = (body: unknown, method = 'POST') => call(`${simulator.origin}/sim/v1/faults`, { method, body: JSON.stringify(body) });

test('a refusal hits the asked number of matching requests and changes nothing', async () => {
  const keys = await simulator.createAccount();
  await fault({ method: 'POST', path: '/api/v3/order', times: 2, status: 503, code: -1007, msg: 'Timeout waiting for response.' });
  expect((await call(`${simulator.origin}/api/v3/ping`)).status).toBe(200);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    expect(await signed(simulator.origin, keys, 'POST', '/api/v3/order', order)).toMatchObject({ status: 503, body: { code: -1007 } });
  }
  expect(rows(await signed(simulator.origin, keys, 'GET', '/api/v3/openOrders'))).toEqual([]);
  expect((await signed(simulator.origin, keys, 'POST', '/api/v3/order', order)).status).toBe(200);
});

test('a refusal of one symbol lets the others through, by either API', async () => {
  const keys = await simulator.createAccount();
  const msg = 'This symbol is not permitted for this account.';
  await fault({ method: 'POST', path: '/api/v3/order', symbol: 'ETHUSDT', times: 2, status: 400, code: -2010, msg });
  expect((await signed(simulator.origin, keys, 'POST', '/api/v3/order', order)).status).toBe(200);
  const refused = { status: 400, body: { code: -2010, msg } };
  expect(await signed(simulator.origin, keys, 'POST', '/api/v3/order', { ...order, symbol: 'ETHUSDT' })).toMatchObject(refused);
  const api = await Listener.open(`${simulator.wsOrigin}/ws-api/v3`);
  expect(await api.signedRequest(1, 'order.place', keys, order)).toMatchObject({ status: 200 });
  const other = { ...order, symbol: 'ETHUSDT' };
  expect(await api.signedRequest(2, 'order.place', keys, other)).toMatchObject({ status: 400, error: { code: -2010, msg } });
});

test('an order whose answer is lost was placed', async () => {
  const keys = await simulator.createAccount();
  simulator.faults.next({ method: 'POST', path: '/api/v3/order', loseAnswer: true });
  await expect(signed(simulator.origin, keys, 'POST', '/api/v3/order', order)).rejects.toThrow();
  expect(rows(await signed(simulator.origin, keys, 'GET', '/api/v3/openOrders'))).toHaveLength(1);
});

test('sockets can be cut, with or without a word', async () => {
  const stream = await Listener.open(`${simulator.wsOrigin}/stream`);
  const api = await Listener.open(`${simulator.wsOrigin}/ws-api/v3`);
  const closed = Promise.all([stream, api].map(({ socket }) => new Promise((resolve) => socket.once('close', resolve))));
  await fault({ dropSockets: true, announce: true });
  expect(await stream.find((message) => message.stream === '!serverShutdown')).toMatchObject({ data: { e: 'serverShutdown' } });
  expect(await api.find((message) => 'event' in message)).toMatchObject({ event: { e: 'serverShutdown' } });
  expect(await closed).toEqual([1001, 1001]);
  const other = await Listener.open(`${simulator.wsOrigin}/ws`);
  const cut = new Promise((resolve) => other.socket.once('close', resolve));
  simulator.faults.dropSockets();
  expect(await cut).toBe(1006);
});

test('a wrong fault is told by field, and waiting ones can be cleared', async () => {
  expect(await fault({ colour: 'red' })).toMatchObject({ status: 400, body: { msg: 'colour is not a field of a fault.' } });
  expect(await fault({ status: '503' })).toMatchObject({ status: 400, body: { msg: 'status must be a number.' } });
  expect(await fault({ status: 200 })).toMatchObject({ status: 400 });
  await fault({ status: 500 });
  await fault({}, 'DELETE');
  expect((await call(`${simulator.origin}/api/v3/ping`)).status).toBe(200);
});
