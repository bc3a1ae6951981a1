import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { call, Listener, row, rows, signed } from '../../testing/exchange-client.ts';
import { BEGIN, flat, MINUTE, tapeFolder } from '../../testing/small-market.ts';
import { type Simulator, startSimulator } from './simulator.ts';

let simulator: Simulator;
let folder: string;
const storageFolder = join(tmpdir(), `pilotfish-keys-${process.pid}`);
const start = () => startSimulator({ market: { kind: 'replay', folder, start: BEGIN + MINUTE - 1 }, paused: true, storageFolder });
beforeEach(async () => {
  folder = await tapeFolder({ BTCUSDT: flat(50_000, 5) });
  simulator = await start();
});
afterEach(async () => {
  await simulator.close();
  await rm(folder, { recursive: true });
  await rm(storageFolder, { recursive: true });
});

const deposit = (body: object) => call(`${simulator.origin}/sim/v1/deposits`, { method: 'POST', body: JSON.stringify(body) });

test('money that comes and goes is told and kept; more than is free cannot go', async () => {
  const keys = await simulator.createAccount({ balances: { USDT: '100' } });
  const api = await Listener.open(`${simulator.wsOrigin}/ws-api/v3`);
  await api.signedRequest(1, 'userDataStream.subscribe.signature', keys);
  expect((await deposit({ apiKey: keys.apiKey, asset: 'USDT', amount: '50.5' })).status).toBe(200);
  expect(await api.find((message) => 'event' in message)).toMatchObject({ event: { e: 'balanceUpdate', a: 'USDT', d: '50.50000000' } });
  expect((await deposit({ apiKey: keys.apiKey, asset: 'USDT', amount: '-200' })).body).toMatchObject({
    msg: 'amount is more than the free USDT.',
  });
  expect((await deposit({ apiKey: keys.apiKey, asset: 'usdt', amount: '1' })).body).toMatchObject({
    msg: expect.stringContaining('asset'),
  });
  expect((await deposit({ apiKey: 'x', asset: 'USDT', amount: '1' })).body).toMatchObject({ msg: expect.stringContaining('apiKey') });
  expect((await deposit({ apiKey: keys.apiKey, asset: 'USDT', amount: '-0.5' })).status).toBe(200);
  await simulator.close();
  simulator = await start();
  const account = row(await signed(simulator.origin, keys, 'GET', '/api/v3/account'));
  expect(account.balances).toEqual([{ asset: 'USDT', free: '150.00000000', locked: '0.00000000' }]);
  const told = async (path: string) => rows(await signed(simulator.origin, keys, 'GET', `/sapi/v1/capital/${path}`));
  expect(await told('deposit/hisrec')).toMatchObject([
    { coin: 'USDT', amount: '50.5', status: 1 },
    { coin: 'USDT', amount: '100', status: 1 },
  ]);
  expect(await told('withdraw/history')).toMatchObject([{ coin: 'USDT', amount: '0.5', transactionFee: '0', status: 6 }]);
});

test('a key that was taken back is refused at once and after a restart, and its streams end', async () => {
  const keys = await simulator.createAccount({ keyType: 'ed25519' });
  const api = await Listener.open(`${simulator.wsOrigin}/ws-api/v3`);
  await api.signedRequest(1, 'session.logon', keys);
  await api.request(2, 'userDataStream.subscribe');
  expect((await call(`${simulator.origin}/sim/v1/keys/${keys.apiKey}`, { method: 'DELETE' })).status).toBe(200);
  expect(await api.find((message) => 'event' in message)).toMatchObject({ event: { e: 'eventStreamTerminated' } });
  expect(await api.find((message) => message.id === null)).toMatchObject({ status: 401, error: { code: -2015 } });
  const refused = { status: 401, body: { code: -2015, msg: 'Invalid API-key, IP, or permissions for action.' } };
  expect(await signed(simulator.origin, keys, 'GET', '/api/v3/account')).toMatchObject(refused);
  await simulator.close();
  simulator = await start();
  expect(await signed(simulator.origin, keys, 'GET', '/api/v3/account')).toMatchObject(refused);
});

test('what a key may do is changed at once, and kept', async () => {
  const keys = await simulator.createAccount();
  const restrict = (restrictions: object) =>
    call(`${simulator.origin}/sim/v1/keys/${keys.apiKey}`, { method: 'PATCH', body: JSON.stringify({ restrictions }) });
  expect((await restrict({ enableSpotAndMarginTrading: false })).status).toBe(200);
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quoteOrderQty: '100' };
  expect(await signed(simulator.origin, keys, 'POST', '/api/v3/order', order)).toMatchObject({ status: 401, body: { code: -2015 } });
  expect((await restrict({ enableMagic: true })).body).toMatchObject({ msg: 'restrictions.enableMagic is not known.' });
  await simulator.close();
  simulator = await start();
  const told = async () => row(await signed(simulator.origin, keys, 'GET', '/sapi/v1/account/apiRestrictions'));
  expect(await told()).toMatchObject({ enableSpotAndMarginTrading: false, enableReading: true });
  await simulator.restrict(keys.apiKey, { enableSpotAndMarginTrading: true });
  expect((await signed(simulator.origin, keys, 'POST', '/api/v3/order', order)).status).toBe(200);
});

test('a journal from before order lists is read: its orders go on, each with amendments of its own', async () => {
  const keys = await simulator.createAccount({ balances: { USDT: '10000' } });
  const limit = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01', price: '49000' };
  for (let index = 0; index < 2; index += 1) await signed(simulator.origin, keys, 'POST', '/api/v3/order', limit);
  await simulator.close();
  const path = join(storageFolder, 'journal.jsonl');
  const newer = [
    'orderListId',
    'icebergQuantity',
    'trailingTime',
    'trailingTicks',
    'priceTicks',
    'stopTicks',
    'amendments',
    'lists',
    'nextListId',
    'nextExecutionId',
  ];
  const older = (await readFile(path, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.stringify(JSON.parse(line, (name, value: unknown) => (newer.includes(name) ? undefined : value))));
  await writeFile(path, `${older.join('\n')}\n`);
  simulator = await start();
  const amend = await signed(simulator.origin, keys, 'PUT', '/api/v3/order/amend/keepPriority', {
    symbol: 'BTCUSDT',
    orderId: 1,
    newQty: '0.005',
  });
  expect(amend).toMatchObject({ status: 200, body: { executionId: 1 } });
  const history = async (orderId: number) =>
    rows(await signed(simulator.origin, keys, 'GET', '/api/v3/order/amendments', { symbol: 'BTCUSDT', orderId }));
  expect([(await history(1)).length, (await history(2)).length]).toEqual([1, 0]);
  expect(rows(await signed(simulator.origin, keys, 'GET', '/api/v3/openOrders'))).toMatchObject([
    { orderListId: -1 },
    { orderListId: -1, icebergQty: '0.00000000' },
  ]);
  await simulator.clock.advance(MINUTE);
});
