import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decimal, multiply, rescale, toFixedText } from '@pilotfish/core/money/decimal';
import { type VirtualTime, virtualTime } from '@pilotfish/core/testing/virtual-time';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { call, type Keys, Listener, row, rows, signed } from '../../testing/exchange-client.ts';
import { BEGIN, flat, MINUTE, tapeFolder } from '../../testing/small-market.ts';
import { type Simulator, startSimulator } from './simulator.ts';

let simulator: Simulator;
let folder: string;
let storageFolder: string;
let time: VirtualTime;
const start = () => {
  const { now, timers } = time;
  return startSimulator({ market: { kind: 'replay', folder, start: BEGIN + 3 * MINUTE - 1 }, paused: true, storageFolder, now, timers });
};
beforeEach(async () => {
  time = virtualTime();
  // Level at 50,000, from the fifth minute on at 49,000.
  folder = await tapeFolder({ BTCUSDT: [...flat(50_000, 4), ...flat(49_000, 60, 4)], USDCUSDT: flat(1, 60) });
  storageFolder = await mkdtemp(join(tmpdir(), 'terms-'));
  simulator = await start();
});
afterEach(async () => {
  await simulator.close();
  await rm(folder, { recursive: true });
  await rm(storageFolder, { recursive: true });
});

const send = (keys: Keys, method: string, path: string, parameters: Record<string, string | number> = {}) =>
  signed(simulator.origin, keys, method, path, { ...parameters, timestamp: time.now() });
const place = (keys: Keys, order: Record<string, string>) => send(keys, 'POST', '/api/v3/order', { symbol: 'BTCUSDT', ...order });
const buys = { side: 'BUY', type: 'MARKET', quantity: '0.01' };
const rests = { side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '2', price: '49500', newClientOrderId: 'rests' };
const order = async (keys: Keys, origClientOrderId = 'rests') =>
  row(await send(keys, 'GET', '/api/v3/order', { symbol: 'BTCUSDT', origClientOrderId }));
const trades = async (keys: Keys) => rows(await send(keys, 'GET', '/api/v3/myTrades', { symbol: 'BTCUSDT' }));
const setTerms = (keys: Keys, terms: object) =>
  call(`${simulator.origin}/sim/v1/accounts/${keys.apiKey}`, { method: 'PATCH', body: JSON.stringify(terms) });
const restart = async () => {
  await simulator.close();
  simulator = await start();
};

describe('fees of an account', () => {
  test('each part of an order pays what its order was placed with, as maker or as taker, to the last digit', async () => {
    const keys = await simulator.createAccount({ balances: { USDT: '1000000' }, makerCommission: '0.00075', takerCommission: '0.0012' });
    await place(keys, { ...buys, quantity: '0.01234' });
    await place(keys, rests);
    await simulator.clock.advance(90_000);
    expect(await order(keys)).toMatchObject({ status: 'PARTIALLY_FILLED' });
    // Changed between two parts of an order: its own fees stay, through a restart, too.
    expect((await setTerms(keys, { makerCommission: '0.05', takerCommission: '0' })).status).toBe(200);
    await place(keys, buys);
    await restart();
    await simulator.clock.advance(10 * MINUTE);
    expect(await order(keys)).toMatchObject({ status: 'FILLED' });
    const fills = await trades(keys);
    expect(fills.filter(({ isMaker }) => isMaker).length).toBeGreaterThan(2);
    const rateOf = ({ isMaker, orderId }: Record<string, unknown>) => (isMaker ? '0.00075' : orderId === 1 ? '0.0012' : '0');
    const feeOf = (fill: Record<string, unknown>) =>
      toFixedText(rescale(multiply(decimal(String(fill.qty)), decimal(rateOf(fill))), 8, 'down'), 8);
    expect(fills.map(({ commission }) => commission)).toEqual(fills.map(feeOf));
  });

  test('what the exchange says of fees is what it takes; pairs that are free stay free', async () => {
    const keys = await simulator.createAccount({ balances: { USDT: '1000' }, makerCommission: '0.00075', takerCommission: '0.0012' });
    const told = async (symbol: string) => row(await send(keys, 'GET', '/api/v3/account/commission', { symbol })).standardCommission;
    expect(await told('BTCUSDT')).toMatchObject({ maker: '0.00075000', taker: '0.00120000' });
    expect(await told('USDCUSDT')).toMatchObject({ maker: '0.00000000', taker: '0.00000000' });
    expect(row(await send(keys, 'GET', '/api/v3/account'))).toMatchObject({
      makerCommission: 8,
      takerCommission: 12,
      commissionRates: { maker: '0.00075000', taker: '0.00120000' },
    });
    const fees = rows(await send(keys, 'GET', '/sapi/v1/asset/tradeFee', { symbol: 'BTCUSDT' }));
    expect(fees).toEqual([{ symbol: 'BTCUSDT', makerCommission: '0.00075', takerCommission: '0.0012' }]);
    const test = { symbol: 'BTCUSDT', ...buys, computeCommissionRates: 'true' };
    expect(row(await send(keys, 'POST', '/api/v3/order/test', test)).standardCommissionForOrder).toEqual({
      maker: '0.00075000',
      taker: '0.00120000',
    });
  });

  test.each([
    [{ makerCommission: '0.0500001' }, 'makerCommission'],
    [{ takerCommission: '0.000000001' }, 'takerCommission'],
    [{ takerCommission: '-0.001' }, 'takerCommission'],
    [{ takerCommission: 0.001 }, 'takerCommission'],
    [{ latencyMs: 3001 }, 'latencyMs'],
    [{ latencyMs: 0.5 }, 'latencyMs'],
  ])('terms that cannot be are refused, and nothing of them is taken: %j', async (terms, field) => {
    const keys = await simulator.createAccount();
    const refused = { status: 400, body: { code: -1130, msg: expect.stringContaining(field) } };
    expect(await setTerms(keys, { makerCommission: '0.002', ...terms })).toMatchObject(refused);
    expect(await call(`${simulator.origin}/sim/v1/accounts`, { method: 'POST', body: JSON.stringify(terms) })).toMatchObject(refused);
    expect((await setTerms(keys, {})).body).toEqual({ makerCommission: '0.001', takerCommission: '0.001', latencyMs: 0 });
    expect(await setTerms({ ...keys, apiKey: 'x' }, {})).toMatchObject({ status: 400, body: { msg: 'apiKey is not known.' } });
  });
});

describe('the way of an order', () => {
  const LATENCY = { balances: { USDT: '1000000' }, latencyMs: 150 };
  const isKnown = async (keys: Keys) => rows(await send(keys, 'GET', '/api/v3/allOrders', { symbol: 'BTCUSDT' })).length > 0;

  test('it meets the book of its arrival, and is not there before', async () => {
    const keys = await simulator.createAccount(LATENCY);
    const bought = place(keys, buys);
    await time.advance(149);
    expect(await isKnown(keys)).toBe(false);
    await simulator.clock.advance(3 * MINUTE);
    await time.advance(1);
    const [fill] = row(await bought).fills as { price: string }[];
    expect(Math.round(Number(fill!.price) / 100)).toBe(490);
  });

  test('a cancel is under way as long, and can be too late', async () => {
    const keys = await simulator.createAccount({ ...LATENCY, latencyMs: 0 });
    await place(keys, { ...rests, quantity: '0.01' });
    await setTerms(keys, { latencyMs: 150 });
    const cancel = () => send(keys, 'DELETE', '/api/v3/order', { symbol: 'BTCUSDT', origClientOrderId: 'rests' });
    const late = cancel();
    await time.advance(149);
    await simulator.clock.advance(3 * MINUTE);
    await time.advance(1);
    expect(await late).toMatchObject({ status: 400, body: { code: -2011 } });
    expect(await order(keys)).toMatchObject({ status: 'FILLED', executedQty: '0.01000000' });
  });

  test('orders that are sent together by one connection arrive together, and what is asked does not wait', async () => {
    const keys = await simulator.createAccount({ ...LATENCY, keyType: 'ed25519' });
    const api = await Listener.open(`${simulator.wsOrigin}/ws-api/v3`);
    expect((await time.during(api.signedRequest('s', 'session.logon', keys, { timestamp: time.now() }))).status).toBe(200);
    const begun = time.now();
    const placed = ['a', 'b'].map((id) =>
      api.request(id, 'order.place', { symbol: 'BTCUSDT', ...buys, newClientOrderId: id, timestamp: begun }),
    );
    const answers = await time.during(Promise.all(placed));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(time.now() - begun).toBe(150);
    expect((await send(keys, 'GET', '/api/v3/openOrders')).status).toBe(200);
    api.close();
  });

  test('one that arrives after its receive window is refused', async () => {
    const keys = await simulator.createAccount(LATENCY);
    const late = place(keys, { ...buys, recvWindow: '100' });
    await time.advance(150);
    expect(await late).toMatchObject({ status: 400, body: { code: -1021 } });
  });

  test('what is under way when the exchange ends never arrives: it is not known afterwards, holds nothing, and can be sent again', async () => {
    const keys = await simulator.createAccount(LATENCY);
    const lost = place(keys, rests).then(
      ({ status }) => status,
      () => 'no answer',
    );
    await time.advance(100);
    await restart();
    expect([500, 'no answer']).toContain(await lost);
    await time.advance(1000);
    expect(await order(keys)).toMatchObject({ code: -2013 });
    const again = place(keys, rests);
    // Its account is as far away as before.
    await time.advance(149);
    expect(await isKnown(keys)).toBe(false);
    await time.advance(1);
    expect(row(await again).status).toBe('NEW');
    expect(rows(await send(keys, 'GET', '/api/v3/allOrders', { symbol: 'BTCUSDT' }))).toHaveLength(1);
    expect(row(await send(keys, 'GET', '/api/v3/account', { omitZeroBalances: 'true' })).balances).toEqual([
      { asset: 'USDT', free: '901000.00000000', locked: '99000.00000000' },
    ]);
  });
});
