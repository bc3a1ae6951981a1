import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VIRTUAL_START, virtualTime } from '@pilotfish/core/testing/virtual-time';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { call, type Keys, Listener, row, rows, signed } from '../../testing/exchange-client.ts';
import { BEGIN, flat, MINUTE, tapeFolder } from '../../testing/small-market.ts';
import { type Simulator, startSimulator } from '../app/simulator.ts';
import { runSimulator } from '../app/simulator-command.ts';
import { readFaultScript } from './fault-contract.ts';

let simulator: Simulator;
let folder: string;
let keys: Keys;
beforeEach(async () => {
  folder = await tapeFolder({ BTCUSDT: flat(50_000, 30), ETHUSDT: flat(2000, 30) });
  simulator = await startSimulator({ market: { kind: 'replay', folder, start: BEGIN + MINUTE - 1 }, paused: true });
  keys = await simulator.createAccount({ balances: { USDT: '100000', BTC: '1' } });
});
afterEach(async () => {
  await simulator.close();
  await rm(folder, { recursive: true });
});

const limit = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01', price: '49000' };
const fault = (body: unknown, method = 'POST') => call(`${simulator.origin}/sim/v1/faults`, { method, body: JSON.stringify(body) });
const place = (parameters: Record<string, string> = limit) => signed(simulator.origin, keys, 'POST', '/api/v3/order', parameters);
const market = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.01' };

async function userStream(): Promise<{ api: Listener; events: () => Record<string, unknown>[] }> {
  const api = await Listener.open(`${simulator.wsOrigin}/ws-api/v3`);
  await api.signedRequest('user', 'userDataStream.subscribe.signature', keys);
  return {
    api,
    events: () => api.seen.flatMap((message) => ('event' in message ? [message.event as Record<string, unknown>] : [])),
  };
}
/** A request and its answer: what was sent before it has arrived after it. */
const roundTrip = (api: Listener, id: string) => api.request(id, 'ping');

describe('requests', () => {
  test('a 5xx after execution leaves an order that was placed; before execution it leaves none', async () => {
    await fault({ method: 'POST', path: '/api/v3/order', status: 503, code: -1007, msg: 'Timeout.', when: 'after' });
    expect(await place()).toMatchObject({ status: 503, body: { code: -1007, msg: 'Timeout.' } });
    expect(rows(await signed(simulator.origin, keys, 'GET', '/api/v3/openOrders'))).toHaveLength(1);
    await fault({ method: 'POST', path: '/api/v3/order', status: 503, when: 'before' });
    expect((await place()).status).toBe(503);
    expect(rows(await signed(simulator.origin, keys, 'GET', '/api/v3/openOrders'))).toHaveLength(1);
  });

  test('the WebSocket API suffers the same faults: refusals, and answers that never come', async () => {
    const api = await Listener.open(`${simulator.wsOrigin}/ws-api/v3`);
    await fault({ method: 'POST', path: '/api/v3/order', status: 503, code: -1007, when: 'after' });
    expect(await api.signedRequest(1, 'order.place', keys, limit)).toMatchObject({ status: 503, error: { code: -1007 } });
    await fault({ method: 'POST', path: '/api/v3/order', loseAnswer: true });
    const closed = new Promise((resolve) => api.socket.once('close', resolve));
    void api.signedRequest(2, 'order.place', keys, limit);
    expect(await closed).toBe(1006);
    expect(rows(await signed(simulator.origin, keys, 'GET', '/api/v3/openOrders'))).toHaveLength(2);
  });

  test('latency delays the execution, not only the answer', async () => {
    const time = virtualTime();
    const { now, timers } = time;
    const slow = await startSimulator({ market: { kind: 'replay', folder, start: BEGIN + MINUTE - 1 }, paused: true, now, timers });
    const owner = await slow.createAccount({ balances: { USDT: '100000' } });
    const send = (method: string, path: string, parameters = {}) =>
      signed(slow.origin, owner, method, path, { ...parameters, timestamp: now() });
    slow.faults.next({ method: 'POST', path: '/api/v3/order', delayMs: 1000 });
    const late = send('POST', '/api/v3/order', limit);
    expect(await time.advance(999)).toMatchObject({ time: VIRTUAL_START + 999 });
    expect(rows(await send('GET', '/api/v3/openOrders'))).toEqual([]);
    await time.advance(1);
    expect(rows(await send('GET', '/api/v3/openOrders'))).toHaveLength(1);
    expect((await late).status).toBe(200);
    await time.during(slow.close());
  });

  test('429 and 418 come with the exchange’s words and Retry-After', async () => {
    await fault({ kind: 'limit', status: 429, retryAfter: 7 });
    const slow = await call(`${simulator.origin}/api/v3/ping`);
    expect(slow.status).toBe(429);
    expect(slow.headers.get('retry-after')).toBe('7');
    expect(slow.body).toMatchObject({ code: -1003 });
    await fault({ kind: 'limit', status: 418, retryAfter: 120, times: 2 });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const banned = await call(`${simulator.origin}/api/v3/time`);
      expect(banned.status).toBe(418);
      expect(row(banned).msg).toMatch(/IP banned until \d{13}/);
    }
    expect((await call(`${simulator.origin}/api/v3/time`)).status).toBe(200);
    const api = await Listener.open(`${simulator.wsOrigin}/ws-api/v3`);
    await fault({ kind: 'limit', status: 429, retryAfter: 3 });
    const refused = await api.request('x', 'time');
    const data = (refused.error as { data: { serverTime: number; retryAfter: number } }).data;
    expect(refused.status).toBe(429);
    expect(data.retryAfter - data.serverTime).toBe(3000);
  });
});

describe('events and streams', () => {
  test('events come twice, in the wrong order, or never', async () => {
    const { api, events } = await userStream();
    await fault({ kind: 'events', action: 'duplicate', event: 'executionReport' });
    await place({ ...limit, newClientOrderId: 'twice' });
    await roundTrip(api, 'a');
    expect(events().map(({ e }) => e)).toEqual(['executionReport', 'executionReport', 'outboundAccountPosition']);
    expect(events()[0]).toEqual(events()[1]);
    await fault({ kind: 'events', action: 'reorder' });
    await place({ ...limit, newClientOrderId: 'late' });
    await roundTrip(api, 'b');
    expect(
      events()
        .slice(3)
        .map(({ e }) => e),
    ).toEqual(['outboundAccountPosition', 'executionReport']);
    await fault({ kind: 'events', action: 'drop', times: 2 });
    await place({ ...limit, newClientOrderId: 'lost' });
    await roundTrip(api, 'c');
    expect(events()).toHaveLength(5);
  });

  test('a stream goes mute, is cut for one door only, or ends with a word', async () => {
    const { api, events } = await userStream();
    const stream = await Listener.open(`${simulator.wsOrigin}/ws/btcusdt@trade`);
    await fault({ kind: 'streams', action: 'silence' });
    await place();
    await simulator.clock.advance(MINUTE);
    await roundTrip(api, 'a');
    expect(await stream.request(1, 'LIST_SUBSCRIPTIONS')).toMatchObject({ result: ['btcusdt@trade'] });
    expect([events(), stream.seen.filter((message) => message.e === 'trade')]).toEqual([[], []]);
    await fault({}, 'DELETE');
    await simulator.clock.advance(MINUTE);
    await stream.find((message) => message.e === 'trade');

    await fault({ kind: 'streams', action: 'terminate' });
    expect(await api.find((message) => 'event' in message)).toMatchObject({ subscriptionId: 0, event: { e: 'eventStreamTerminated' } });
    expect(simulator.status().userStreams).toBe(0);
    const cut = new Promise((resolve) => stream.socket.once('close', resolve));
    await fault({ kind: 'streams', action: 'cut', of: 'market' });
    expect(await cut).toBe(1006);
    expect(await roundTrip(api, 'b')).toMatchObject({ status: 200 });
  });

  test('a silence that has an end ends by itself', async () => {
    let now = Date.now();
    const other = await startSimulator({
      market: { kind: 'replay', folder, start: BEGIN + MINUTE - 1 },
      paused: true,
      now: () => now,
    });
    const stream = await Listener.open(`${other.wsOrigin}/ws/btcusdt@trade`);
    other.faults.apply({ kind: 'streams', action: 'silence', of: 'market', forMs: 1000 });
    await other.clock.advance(MINUTE);
    now += 1001;
    await other.clock.advance(MINUTE);
    const first = await stream.find((message) => message.e === 'trade');
    expect(first.T).toBeGreaterThanOrEqual(BEGIN + 2 * MINUTE);
    await other.close();
  });
});

describe('clock, fills, symbols and rules', () => {
  test('a wrong clock refuses signatures of those who keep the right time', async () => {
    await fault({ kind: 'clock', skewMs: 10_000 });
    const before = Date.now();
    const { serverTime } = row(await call(`${simulator.origin}/api/v3/time`)) as { serverTime: number };
    expect(serverTime - before).toBeGreaterThanOrEqual(10_000);
    expect((await place()).body).toEqual({ code: -1021, msg: 'Timestamp for this request is outside of the recvWindow.' });
    await fault({ kind: 'clock', skewMs: -10_000 });
    expect((await place()).body).toEqual({ code: -1021, msg: "Timestamp for this request was 1000ms ahead of the server's time." });
    await fault({}, 'DELETE');
    expect((await place()).status).toBe(200);
  });

  test('takers get a part: a market order expires with the rest, a limit order rests with it', async () => {
    await fault({ kind: 'fill', share: 0.4, times: 2 });
    expect(row(await place({ ...market, newOrderRespType: 'RESULT' }))).toMatchObject({
      status: 'EXPIRED',
      executedQty: '0.00400000',
      expiryReason: 'INSUFFICIENT_LIQUIDITY',
    });
    expect(row(await place({ ...limit, price: '50000' }))).toMatchObject({ status: 'PARTIALLY_FILLED', executedQty: '0.00400000' });
    expect(row(await place(market))).toMatchObject({ status: 'FILLED' });
  });

  test('CANCEL_ONLY refuses orders, lets cancels through and stops the trades', async () => {
    const { orderId } = row(await place()) as { orderId: number };
    await fault({ kind: 'symbol', symbol: 'BTCUSDT', status: 'CANCEL_ONLY' });
    const info = row(await call(`${simulator.origin}/api/v3/exchangeInfo?symbol=BTCUSDT`));
    expect(info.symbols).toMatchObject([{ status: 'CANCEL_ONLY' }]);
    expect((await place()).body).toEqual({ code: -2010, msg: 'Market is closed.' });
    const stream = await Listener.open(
      `${simulator.wsOrigin}/stream?streams=btcusdt@kline_1m/btcusdt@trade/btcusdt@ticker_1h/ethusdt@kline_1m`,
    );
    const seen = () =>
      Promise.all(
        ['ticker/24hr?', 'ticker?windowSize=1h&', 'klines?interval=1m&', 'trades?', 'depth?limit=5&', 'avgPrice?'].map(
          async (path) => (await call(`${simulator.origin}/api/v3/${path}symbol=BTCUSDT`)).body,
        ),
      );
    const [day, window, ...before] = await seen();
    await simulator.clock.advance(5 * MINUTE);
    const [dayAfter, windowAfter, ...after] = await seen();
    expect(after).toEqual(before);
    const ids = (ticker: unknown) => (ticker as { lastId: number }).lastId;
    expect([ids(dayAfter), ids(windowAfter)]).toEqual([ids(day), ids(window)]);
    await stream.find((message) => message.stream === 'ethusdt@kline_1m');
    // A ticker tells once where things stand; nothing of what did not happen follows.
    const told = stream.seen.filter((message) => String(message.stream).startsWith('btcusdt'));
    expect(told.map((message) => [message.stream, (message.data as { L: number }).L])).toEqual([['btcusdt@ticker_1h', ids(window)]]);
    expect((await signed(simulator.origin, keys, 'DELETE', '/api/v3/order', { symbol: 'BTCUSDT', orderId })).status).toBe(200);
    await fault({ kind: 'symbol', symbol: 'BTCUSDT', status: 'TRADING' });
    expect((await place()).status).toBe(200);
  });

  test('a delisted symbol is in BREAK first, then its orders expire and it is gone', async () => {
    const { api, events } = await userStream();
    const { orderId } = row(await place()) as { orderId: number };
    await fault({ kind: 'symbol', symbol: 'BTCUSDT', status: 'DELISTED', afterMs: 2 * MINUTE });
    expect(row(await call(`${simulator.origin}/api/v3/exchangeInfo?symbol=BTCUSDT`)).symbols).toMatchObject([{ status: 'BREAK' }]);
    expect(row(await signed(simulator.origin, keys, 'GET', '/api/v3/order', { symbol: 'BTCUSDT', orderId }))).toMatchObject({
      status: 'NEW',
    });
    await simulator.clock.advance(3 * MINUTE);
    expect((await call(`${simulator.origin}/api/v3/exchangeInfo?symbol=BTCUSDT`)).body).toMatchObject({ code: -1121 });
    await roundTrip(api, 'a');
    expect(events().filter(({ e }) => e === 'executionReport')).toMatchObject([
      { x: 'NEW' },
      { x: 'EXPIRED', X: 'EXPIRED', eR: 'EXCHANGE_CANCELED' },
    ]);
    const account = row(await signed(simulator.origin, keys, 'GET', '/api/v3/account'));
    expect((account.balances as { asset: string; locked: string }[]).find(({ asset }) => asset === 'USDT')?.locked).toBe('0.00000000');
    expect((row(await call(`${simulator.origin}/api/v3/exchangeInfo`)).symbols as { symbol: string }[]).map((one) => one.symbol)).toEqual([
      'ETHUSDT',
    ]);
  });

  test.each([
    [{ permissionSets: [['SPOT', 'TRD_GRP_004'], ['TRD_GRP_005']] }, limit, 'This symbol is not permitted for this account.'],
    [{ orderTypes: ['LIMIT'] }, market, 'Market orders are not supported for this symbol.'],
    [
      { orderTypes: ['LIMIT', 'MARKET'] },
      {
        symbol: 'BTCUSDT',
        side: 'SELL',
        type: 'STOP_LOSS_LIMIT',
        quantity: '0.01',
        timeInForce: 'GTC',
        price: '39000',
        stopPrice: '40000',
      },
      'Stop loss limit orders are not supported for this symbol.',
    ],
    [
      { quoteOrderQtyMarketAllowed: false },
      { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quoteOrderQty: '100' },
      'Quote order qty market orders are not support for this symbol.',
    ],
  ])('rights of a symbol are told and bind its orders: %j', async (fields, order, msg) => {
    expect((await fault({ kind: 'row', symbol: 'BTCUSDT', fields })).status).toBe(200);
    const told = row(await call(`${simulator.origin}/api/v3/exchangeInfo?symbol=BTCUSDT`)).symbols as unknown[];
    expect(told[0]).toMatchObject(fields);
    expect((await place(order as Record<string, string>)).body).toEqual({ code: -2010, msg });
    await fault({ kind: 'row', symbol: 'BTCUSDT', fields: { permissionSets: [['SPOT', 'MARGIN']] } });
    expect((await place(limit)).status).toBe(200);
  });

  test.each([
    [{ filterType: 'MARKET_LOT_SIZE', minQty: '0', maxQty: '0.005', stepSize: '0' }, market],
    [{ filterType: 'PERCENT_PRICE', multiplierUp: '1.01', multiplierDown: '0.99', avgPriceMins: 5 }, limit],
    [
      {
        filterType: 'PERCENT_PRICE_BY_SIDE',
        bidMultiplierUp: '1.1',
        bidMultiplierDown: '0.99',
        askMultiplierUp: '5',
        askMultiplierDown: '0.2',
        avgPriceMins: 0,
      },
      limit,
    ],
    [{ filterType: 'MIN_NOTIONAL', minNotional: '5000', applyToMarket: true, avgPriceMins: 5 }, market],
    [
      { filterType: 'NOTIONAL', minNotional: '5', applyMinToMarket: true, maxNotional: '100', applyMaxToMarket: true, avgPriceMins: 5 },
      market,
    ],
    [
      { filterType: 'ICEBERG_PARTS', limit: 2 },
      { ...limit, icebergQty: '0.004' },
    ],
    [
      {
        filterType: 'TRAILING_DELTA',
        minTrailingAboveDelta: 10,
        maxTrailingAboveDelta: 2000,
        minTrailingBelowDelta: 100,
        maxTrailingBelowDelta: 200,
      },
      { symbol: 'BTCUSDT', side: 'SELL', type: 'STOP_LOSS', quantity: '0.01', trailingDelta: '50' },
    ],
    [{ filterType: 'MAX_NUM_ORDERS', maxNumOrders: 1 }, limit],
    [
      { filterType: 'MAX_NUM_ALGO_ORDERS', maxNumAlgoOrders: 0 },
      { symbol: 'BTCUSDT', side: 'SELL', type: 'STOP_LOSS', quantity: '0.01', stopPrice: '40000' },
    ],
    [
      { filterType: 'MAX_NUM_ICEBERG_ORDERS', maxNumIcebergOrders: 0 },
      { ...limit, icebergQty: '0.005' },
    ],
    [{ filterType: 'MAX_POSITION', maxPosition: '1.015' }, limit],
    [{ filterType: 'MAX_ASSET', asset: 'USDT', limit: '400' }, limit],
    [
      { filterType: 'EXCHANGE_MAX_NUM_ORDERS', maxNumOrders: 1 },
      { ...limit, symbol: 'ETHUSDT', price: '1900', quantity: '1' },
    ],
    [
      { filterType: 'EXCHANGE_MAX_NUM_ALGO_ORDERS', maxNumAlgoOrders: 0 },
      { symbol: 'BTCUSDT', side: 'SELL', type: 'STOP_LOSS', quantity: '0.01', stopPrice: '40000' },
    ],
    [
      { filterType: 'EXCHANGE_MAX_NUM_ICEBERG_ORDERS', maxNumIcebergOrders: 0 },
      { ...limit, icebergQty: '0.005' },
    ],
  ])('a rule in force is told and fails by its name: %j', async (filter, order) => {
    await place({ ...limit, newClientOrderId: 'first' });
    expect((await fault({ kind: 'filters', symbol: 'BTCUSDT', filters: [filter] })).status).toBe(200);
    expect((await place(order as Record<string, string>)).body).toEqual({ code: -1013, msg: `Filter failure: ${filter.filterType}` });
    const mine = row(await signed(simulator.origin, keys, 'GET', '/api/v3/myFilters', { symbol: 'BTCUSDT' }));
    expect([mine.symbolFilters, mine.exchangeFilters, mine.assetFilters].flat()).toContainEqual(filter);
    await fault({}, 'DELETE');
    expect((await place(order as Record<string, string>)).status).toBe(200);
  });
});

test('fields of a row in the list of symbols hold what they were given, and its orders work on', async () => {
  const of = async (symbol: string) => {
    const { symbols } = row(await call(`${simulator.origin}/api/v3/exchangeInfo?symbol=${symbol}`));
    return (symbols as Record<string, unknown>[])[0]!;
  };
  const before = await of('BTCUSDT');
  expect((await fault({ kind: 'row', symbol: 'BTCUSDT', fields: { baseAssetPrecision: 'eight' } })).status).toBe(200);
  expect(await of('BTCUSDT')).toEqual({ ...before, baseAssetPrecision: 'eight' });
  expect((await of('ETHUSDT')).baseAssetPrecision).toBe(8);
  expect((await place()).status).toBe(200);
  await fault({}, 'DELETE');
  expect(await of('BTCUSDT')).toEqual(before);
});

describe('asking for faults', () => {
  test.each([
    [{ kind: 'storm' }, 'kind is not known.'],
    [{ kind: 'clock', skewMs: 'much' }, 'skewMs must be a number.'],
    [{ kind: 'fill', share: 2 }, 'share: '],
    [{ kind: 'symbol', symbol: 'NOSUCH', status: 'BREAK' }, 'symbol NOSUCH is not in this market.'],
    [{ kind: 'symbol', symbol: 'BTCUSDT', status: 'OPEN' }, 'status must be TRADING, '],
    [
      { kind: 'filters', symbol: 'BTCUSDT', filters: [{ filterType: 'LOT_SIZE', minQty: '1e-3', maxQty: '1', stepSize: '0' }] },
      'filters.0.minQty: must be a decimal text',
    ],
    [{ kind: 'limit', status: 500, retryAfter: 1 }, 'status'],
    [{ times: 0 }, 'times: '],
  ])('%j names the field', async (body, message) => {
    const answer = await fault(body);
    expect(answer.status).toBe(400);
    expect(row(answer).msg).toContain(message);
  });

  test('what waits and what holds can be read', async () => {
    await fault({ path: '/api/v3/order', status: 500, times: 3 });
    await fault({ kind: 'clock', skewMs: 1 });
    await fault({ kind: 'symbol', symbol: 'ETHUSDT', status: 'HALT' });
    expect((await call(`${simulator.origin}/sim/v1/faults`)).body).toMatchObject({
      requests: [{ path: '/api/v3/order', status: 500, times: 3 }],
      clockSkewMs: 1,
      symbols: { ETHUSDT: 'HALT' },
    });
  });

  test('a script puts faults in force at their market time', async () => {
    const home = await mkdtemp(join(tmpdir(), 'pilotfish-script-'));
    const path = join(home, 'faults.json');
    const entries = [
      { afterMs: 2 * MINUTE, fault: { kind: 'symbol', symbol: 'BTCUSDT', status: 'HALT' } },
      { fault: { path: '/api/v3/ping', status: 500 } },
    ];
    await writeFile(path, JSON.stringify({ faults: entries }));
    const lines: string[] = [];
    const scripted = await runSimulator({ replay: folder, start: String(BEGIN + MINUTE - 1), faults: path, speed: '0.001' }, (line) =>
      lines.push(line),
    );
    expect(lines.join('\n')).toContain(`Faults of ${path}: 2`);
    expect((await call(`${scripted.origin}/api/v3/ping`)).status).toBe(500);
    const status = async () => row(await call(`${scripted.origin}/api/v3/exchangeInfo?symbol=BTCUSDT`)).symbols as { status: string }[];
    await scripted.clock.advance(MINUTE);
    expect(await status()).toMatchObject([{ status: 'TRADING' }]);
    await scripted.clock.advance(MINUTE);
    expect(await status()).toMatchObject([{ status: 'HALT' }]);
    await scripted.close();
    await writeFile(path, JSON.stringify({ faults: [{ fault: { kind: 'clock', skewMs: 1.5 } }] }));
    await expect(runSimulator({ replay: folder, faults: path }, () => undefined)).rejects.toThrow(/faults\.0\.fault\.skewMs/);
    await rm(home, { recursive: true });
  });

  test('a script that is not one says where it is wrong', () => {
    expect(() => readFaultScript('{')).toThrow(/not JSON/);
    expect(() => readFaultScript('{"faults":{}}')).toThrow('faults must be a list.');
    expect(() => readFaultScript('{"faults":[{"after":1,"fault":{}}]}')).toThrow('after is not a field');
    expect(() => readFaultScript('{"faults":[{"fault":{"kind":"symbol"}}]}')).toThrow('faults.0.fault.symbol');
  });
});
