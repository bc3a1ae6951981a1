import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { virtualTime } from '@pilotfish/core/testing/virtual-time';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { call, type Keys, Listener, row, rows, signed } from '../../testing/exchange-client.ts';
import { BEGIN, flat, MINUTE, tapeFolder } from '../../testing/small-market.ts';
import { type Simulator, startSimulator } from '../app/simulator.ts';

let simulator: Simulator;
let folder: string;
let keys: Keys;
beforeEach(async () => {
  folder = await tapeFolder({ BTCUSDT: flat(50_000, 30) });
  simulator = await startSimulator({ market: { kind: 'replay', folder, start: BEGIN + MINUTE - 1 }, paused: true });
  keys = await simulator.createAccount({ balances: { USDT: '100000', BTC: '1' } });
});
afterEach(async () => {
  await simulator.close();
  await rm(folder, { recursive: true });
});

const limit = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01', price: '49000' };
const market = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.01' };
const fault = (body: unknown, method = 'POST') => call(`${simulator.origin}/sim/v1/faults`, { method, body: JSON.stringify(body) });
const place = (parameters: Record<string, string>) => signed(simulator.origin, keys, 'POST', '/api/v3/order', parameters);
const closeOf = ({ socket }: Listener) => new Promise<number>((resolve) => socket.once('close', (code: number) => resolve(code)));

test('a shutdown is announced, and cuts after its grace only what was open when it was announced', async () => {
  const time = virtualTime();
  const { now, timers } = time;
  const slow = await startSimulator({ market: { kind: 'replay', folder, start: BEGIN + MINUTE - 1 }, paused: true, now, timers });
  const old = await Listener.open(`${slow.wsOrigin}/ws/btcusdt@trade`);
  let isClosed = false;
  const closed = closeOf(old).then((code) => {
    isClosed = true;
    return code;
  });
  slow.faults.apply({ kind: 'streams', action: 'shutdown', graceMs: 10_000 });
  await old.find(({ e }) => e === 'serverShutdown');
  const next = await Listener.open(`${slow.wsOrigin}/ws/btcusdt@trade`);
  await time.advance(9_999);
  await old.request(1, 'LIST_SUBSCRIPTIONS');
  expect(isClosed).toBe(false);
  await time.advance(1);
  expect(await closed).toBe(1001);
  expect(await next.request(2, 'LIST_SUBSCRIPTIONS')).toMatchObject({ result: ['btcusdt@trade'] });
  await time.during(slow.close());
});

test('connections of an address are counted, and one too many is refused with 429 and when to come again', async () => {
  // By a clock that stands: in the last minute of a window of five by the clock on the wall there is less to wait.
  const counted = await startSimulator({
    market: { kind: 'replay', folder, start: BEGIN + MINUTE - 1 },
    paused: true,
    now: () => BEGIN + MINUTE,
  });
  counted.faults.apply({ kind: 'limits', connectionsPer5Minutes: 2 });
  for (const path of ['/ws/btcusdt@trade', '/ws-api/v3']) await Listener.open(counted.wsOrigin + path);
  const refused = new WebSocket(`${counted.wsOrigin}/ws-api/v3`);
  const [, { statusCode, headers }] = (await once(refused, 'unexpected-response')) as [unknown, IncomingMessage];
  expect([statusCode, headers['retry-after']]).toEqual([429, '240']);
  await call(`${counted.origin}/sim/v1/faults`, { method: 'DELETE' });
  await Listener.open(`${counted.wsOrigin}/ws-api/v3`);
  await counted.close();
});

test('the weight of /sapi is a pool of its own', async () => {
  await fault({ kind: 'limits', sapiWeightPerMinute: 1, weightPerMinute: 30 });
  const wallet = () => signed(simulator.origin, keys, 'GET', '/sapi/v1/bnbBurn');
  const account = () => signed(simulator.origin, keys, 'GET', '/api/v3/account');
  const answers = [await wallet(), await wallet(), await account(), await account()];
  expect(answers.map(({ status }) => status)).toEqual([200, 429, 200, 429]);
});

test('a list of trades lacks what was executed a moment ago, while the order is filled', async () => {
  const trades = async () => rows(await signed(simulator.origin, keys, 'GET', '/api/v3/myTrades', { symbol: 'BTCUSDT' })).length;
  await place(market);
  await fault({ kind: 'trades', symbol: 'BTCUSDT', times: 2 });
  expect((await place(market)).body).toMatchObject({ status: 'FILLED' });
  expect([await trades(), await trades(), await trades()]).toEqual([1, 1, 2]);
});

test('a trickle fills a resting order by a smaller share of the trades that go through it', async () => {
  const tape = await tapeFolder({ BTCUSDT: [...flat(50_000, 1), [50_000, 50_000, 48_000, 48_000, 100], ...flat(48_000, 3)] });
  const filled = async (share?: number) => {
    const other = await startSimulator({ market: { kind: 'replay', folder: tape, start: BEGIN + MINUTE - 1 }, paused: true });
    const owner = await other.createAccount({ balances: { USDT: '1000000' } });
    if (share !== undefined) other.faults.apply({ kind: 'trickle', share, symbol: 'BTCUSDT' });
    const { orderId } = row(await signed(other.origin, owner, 'POST', '/api/v3/order', { ...limit, quantity: '15' }));
    await other.clock.advance(MINUTE);
    const order = row(await signed(other.origin, owner, 'GET', '/api/v3/order', { symbol: 'BTCUSDT', orderId: Number(orderId) }));
    await other.close();
    return Number(order.executedQty);
  };
  const [usual, slow] = [await filled(), await filled(0.005)];
  await rm(tape, { recursive: true });
  expect(slow).toBeGreaterThan(0);
  expect(usual / slow).toBeGreaterThan(8);
});

test('pings count as messages, and more in a second than are allowed end a market stream', async () => {
  await fault({ kind: 'limits', streamMessagesPerSecond: 1 });
  const stream = await Listener.open(`${simulator.wsOrigin}/ws/btcusdt@trade`);
  const closed = closeOf(stream);
  // Two seconds can begin while they are under way, and three messages still are too many for one of them.
  for (let sent = 0; sent < 5; sent += 1) stream.socket.ping();
  expect(await closed).toBe(1008);
});

test('a price range expires what would execute outside of it, and says so with the reference price', async () => {
  const ask = (path: string) => call(`${simulator.origin}/api/v3/${path}?symbol=BTCUSDT`);
  expect((await ask('referencePrice')).body).toEqual({ code: -2043, msg: "This symbol doesn't have a reference price." });
  const range = { bidLimitMultUp: '1.01', bidLimitMultDown: '0.99' };
  await fault({ kind: 'range', symbol: 'BTCUSDT', referencePrice: '40000.00', ...range });
  expect(row(await ask('executionRules')).symbolRules).toEqual([{ symbol: 'BTCUSDT', rules: [{ ruleType: 'PRICE_RANGE', ...range }] }]);
  expect((await ask('referencePrice')).body).toEqual({ symbol: 'BTCUSDT', referencePrice: '40000.00', timestamp: simulator.clock.now() });
  expect((await ask('referencePrice/calculation')).body).toEqual({
    symbol: 'BTCUSDT',
    calculationType: 'EXTERNAL',
    externalCalculationId: 0,
  });
  const outside = { status: 'EXPIRED', executedQty: '0.00000000', expiryReason: 'EXECUTION_RULE_PRICE_RANGE_EXCEEDED' };
  expect((await place(market)).body).toMatchObject(outside);
  expect((await place({ ...market, side: 'SELL' })).body).toMatchObject({ status: 'FILLED' });
  // A range that the average would be outside of: without a reference price it binds nothing, with the average as one it does.
  const low = { bidLimitMultUp: '0.9', bidLimitMultDown: '0.8' };
  await fault({ kind: 'range', symbol: 'BTCUSDT', referencePrice: null, ...low });
  expect((await place(market)).body).toMatchObject({ status: 'FILLED' });
  await fault({ kind: 'range', symbol: 'BTCUSDT', ...low });
  expect((await place(market)).body).toMatchObject(outside);
  await fault({ kind: 'range', symbol: 'BTCUSDT', ...range });
  expect(row(await ask('referencePrice'))).toMatchObject({ referencePrice: '50000.00' });
  expect((await place(market)).body).toMatchObject({ status: 'FILLED' });
});

test('best prices change as often as is asked, between trades, and their update ids never go back', async () => {
  const stream = await Listener.open(`${simulator.wsOrigin}/ws/btcusdt@bookTicker`);
  await fault({ kind: 'bookTickers', symbol: 'BTCUSDT', perSecond: 200 });
  await simulator.clock.advance(10_000);
  await stream.request(1, 'LIST_SUBSCRIPTIONS');
  const events = stream.seen.filter(({ s }) => s === 'BTCUSDT');
  expect(events.length).toBeGreaterThanOrEqual(900);
  const ids = events.map(({ u }) => Number(u));
  expect(ids.every((id, n) => n === 0 || id > ids[n - 1]!)).toBe(true);
  expect(Object.keys(events.at(-1)!)).toEqual(['u', 's', 'b', 'B', 'a', 'A']);
});

test('a redenomination ends the orders of a coin and multiplies what accounts hold of it, in no list of transfers', async () => {
  const { orderId } = row(await place({ ...limit, side: 'SELL', price: '60000' }));
  const deposits = async () => rows(await signed(simulator.origin, keys, 'GET', '/sapi/v1/capital/deposit/hisrec')).length;
  const before = await deposits();
  await fault({ kind: 'redenomination', asset: 'BTC', factor: '100' });
  const { balances } = row(await signed(simulator.origin, keys, 'GET', '/api/v3/account'));
  expect(balances).toContainEqual({ asset: 'BTC', free: '100.00000000', locked: '0.00000000' });
  const order = row(await signed(simulator.origin, keys, 'GET', '/api/v3/order', { symbol: 'BTCUSDT', orderId: Number(orderId) }));
  expect([order.status, order.expiryReason, await deposits()]).toEqual(['EXPIRED', 'EXCHANGE_CANCELED', before]);
  expect((await fault({ kind: 'redenomination', asset: 'NONE', factor: '100' })).status).toBe(400);
});

test('a market that trades only every few minutes is silent in between, and its last price and orders stand still', async () => {
  const tape = await tapeFolder({
    BTCUSDT: [...flat(50_000, 1), ...flat(50_000, 4, 0), [48_000, 48_000, 48_000, 48_000, 100], ...flat(48_000, 2, 0)],
  });
  const slow = await startSimulator({ market: { kind: 'replay', folder: tape, start: BEGIN + MINUTE - 1 }, paused: true });
  const owner = await slow.createAccount({ balances: { USDT: '100000' } });
  const stream = await Listener.open(`${slow.wsOrigin}/ws/btcusdt@trade/btcusdt@bookTicker`);
  await signed(slow.origin, owner, 'POST', '/api/v3/order', limit);
  const seen = async () => {
    await stream.request(slow.clock.now(), 'LIST_SUBSCRIPTIONS');
    return stream.seen.filter(({ s }) => s === 'BTCUSDT').length;
  };
  const price = async () => row(await call(`${slow.origin}/api/v3/ticker/price?symbol=BTCUSDT`)).price;
  await slow.clock.advance(4 * MINUTE);
  expect([await seen(), await price(), rows(await signed(slow.origin, owner, 'GET', '/api/v3/openOrders')).length]).toEqual([
    0,
    '50000.00000000',
    1,
  ]);
  await slow.clock.advance(MINUTE);
  expect(await seen()).toBeGreaterThan(0);
  expect([await price(), rows(await signed(slow.origin, owner, 'GET', '/api/v3/openOrders')).length]).toEqual(['48000.00000000', 0]);
  await slow.close();
  await rm(tape, { recursive: true });
});
