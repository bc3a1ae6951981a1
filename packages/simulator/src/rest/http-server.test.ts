import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { call, type Keys, row, rows, signed, signText } from '../../testing/exchange-client.ts';
import { BEGIN, flat, MINUTE, tapeFolder } from '../../testing/small-market.ts';
import { testMarket } from '../../testing/test-market.ts';
import { type Simulator, startSimulator } from '../app/simulator.ts';

describe('the REST doors', () => {
  let simulator: Simulator;
  let keys: Keys;
  let folder: string;
  let wall: number;
  const get = (path: string) => call(`${simulator.origin}${path}`);

  // Each test has its own: some move the market on.
  beforeEach(async () => {
    wall = 1_800_000_000_000;
    folder = await tapeFolder({ BTCUSDT: flat(50_000, 20), ETHUSDT: flat(2_000, 20) });
    simulator = await startSimulator({ market: { kind: 'replay', folder, start: BEGIN + 10 * MINUTE - 1 }, paused: true, now: () => wall });
    keys = await simulator.createAccount();
  });
  afterEach(async () => {
    await simulator.close();
    await rm(folder, { recursive: true });
  });

  const account = (parameters: Record<string, string | number>) => signed(simulator.origin, keys, 'GET', '/api/v3/account', parameters);

  test('tell the wall clock, and market times by the market clock', async () => {
    expect((await get('/api/v3/time')).body).toEqual({ serverTime: wall });
    const [candle] = (await get('/api/v3/klines?symbol=BTCUSDT&interval=1m&limit=1')).body as number[][];
    expect(candle?.[0]).toBe(BEGIN + 9 * MINUTE);
    const micro = await call(`${simulator.origin}/api/v3/time`, { headers: { 'X-MBX-TIME-UNIT': 'MICROSECOND' } });
    expect(micro.body).toEqual({ serverTime: wall * 1000 });
  });

  test('describe every pair with its filters', async () => {
    const info = row(await get('/api/v3/exchangeInfo'));
    expect(Object.keys(info)).toEqual(['timezone', 'serverTime', 'rateLimits', 'exchangeFilters', 'symbols']);
    const symbols = info.symbols as Record<string, unknown>[];
    expect(symbols.map((one) => one.symbol)).toEqual(['BTCUSDT', 'ETHUSDT']);
    const filters = (symbols[0]!.filters as Record<string, unknown>[]).map((filter) => filter.filterType);
    expect(filters).toEqual([
      'PRICE_FILTER',
      'LOT_SIZE',
      'ICEBERG_PARTS',
      'MARKET_LOT_SIZE',
      'TRAILING_DELTA',
      'PERCENT_PRICE_BY_SIDE',
      'NOTIONAL',
      'MAX_NUM_ORDERS',
      'MAX_NUM_ORDER_LISTS',
      'MAX_NUM_ALGO_ORDERS',
      'MAX_NUM_ORDER_AMENDS',
    ]);
    expect((row(await get('/api/v3/exchangeInfo?symbols=["ETHUSDT"]')).symbols as unknown[]).length).toBe(1);
  });

  test('answer every public path with the documented keys', async () => {
    const keysOf = async (path: string) => Object.keys(row(await get(path)));
    expect(await keysOf('/api/v3/ticker/24hr?symbol=BTCUSDT')).toEqual([
      'symbol',
      'priceChange',
      'priceChangePercent',
      'weightedAvgPrice',
      'prevClosePrice',
      'lastPrice',
      'lastQty',
      'bidPrice',
      'bidQty',
      'askPrice',
      'askQty',
      'openPrice',
      'highPrice',
      'lowPrice',
      'volume',
      'quoteVolume',
      'openTime',
      'closeTime',
      'firstId',
      'lastId',
      'count',
    ]);
    expect(await keysOf('/api/v3/ticker/bookTicker?symbol=BTCUSDT')).toEqual(['symbol', 'bidPrice', 'bidQty', 'askPrice', 'askQty']);
    expect(await keysOf('/api/v3/avgPrice?symbol=BTCUSDT')).toEqual(['mins', 'price', 'closeTime']);
    expect((await get('/api/v3/ticker/price?symbol=BTCUSDT')).body).toEqual({ symbol: 'BTCUSDT', price: '50000.00000000' });
    expect(rows(await get('/api/v3/ticker/price'))).toHaveLength(2);
    expect(rows(await get('/api/v3/ticker/24hr?symbols=["BTCUSDT"]&type=MINI'))).toHaveLength(1);
    expect(Object.keys(rows(await get('/api/v3/trades?symbol=BTCUSDT&limit=3'))[2]!)).toEqual([
      'id',
      'price',
      'qty',
      'quoteQty',
      'time',
      'isBuyerMaker',
      'isBestMatch',
    ]);
    const aggregates = rows(await get('/api/v3/aggTrades?symbol=BTCUSDT&fromId=5&limit=3'));
    expect(aggregates.map((trade) => trade.a)).toEqual([5, 6, 7]);
    expect(Object.keys(aggregates[0]!)).toEqual(['a', 'p', 'q', 'f', 'l', 'T', 'm', 'M']);
    expect((await get('/api/v3/klines?symbol=BTCUSDT&interval=5m&limit=1')).body).toEqual([
      [
        BEGIN + 5 * MINUTE,
        '50000.00000000',
        '50000.00000000',
        '50000.00000000',
        '50000.00000000',
        '500.00000000',
        BEGIN + 10 * MINUTE - 1,
        '25000000.00000000',
        20,
        '375.00000000',
        '18750000.00000000',
        '0',
      ],
    ]);
    expect(row(await get('/api/v3/ticker?symbol=BTCUSDT&windowSize=5m'))).toMatchObject({ volume: '500.00000000', count: 20 });
    expect(row(await get('/fapi/v1/exchangeInfo')).symbols).toEqual([]);
  });

  test('refuse what the exchange refuses', async () => {
    expect(await get('/api/v3/klines?symbol=NOSUCH&interval=1m')).toMatchObject({
      status: 400,
      body: { code: -1121, msg: 'Invalid symbol.' },
    });
    expect((await get('/api/v3/klines?symbol=BTCUSDT&interval=1H')).body).toEqual({ code: -1120, msg: 'Invalid interval.' });
    expect((await get('/api/v3/klines?interval=1m')).body).toMatchObject({ code: -1102 });
    expect((await get('/api/v3/klines?symbol=BTCUSDT&interval=1m&lmit=3')).body).toMatchObject({ code: -1104 });
    expect((await get('/api/v3/ticker/price?symbol=')).body).toEqual({ code: -1105, msg: "Parameter 'symbol' was empty." });
    expect((await get('/api/v9/nothing')).status).toBe(404);
    expect((await call(`${simulator.origin}/api/v3/time`, { method: 'POST' })).status).toBe(405);
  });

  test('check key, clock and signature', async () => {
    expect((await account({ timestamp: wall })).status).toBe(200);
    expect((await account({ timestamp: wall - 5000 })).status).toBe(200);
    expect(await account({ timestamp: wall - 5001 })).toMatchObject({
      status: 400,
      body: { code: -1021, msg: 'Timestamp for this request is outside of the recvWindow.' },
    });
    expect((await account({ timestamp: wall - 9000, recvWindow: '9000.5' })).status).toBe(200);
    expect((await account({ timestamp: wall + 999 })).status).toBe(200);
    expect((await account({ timestamp: wall + 1000 })).body).toMatchObject({
      code: -1021,
      msg: "Timestamp for this request was 1000ms ahead of the server's time.",
    });
    expect((await account({ timestamp: wall, recvWindow: 60001 })).status).toBe(400);
    const wrong = { apiKey: keys.apiKey, apiSecret: 'x'.repeat(64) };
    expect(await signed(simulator.origin, wrong, 'GET', '/api/v3/account', { timestamp: wall })).toMatchObject({
      status: 400,
      body: { code: -1022 },
    });
    const stranger = { apiKey: 'A'.repeat(64), apiSecret: keys.apiSecret };
    expect(await signed(simulator.origin, stranger, 'GET', '/api/v3/account', { timestamp: wall })).toMatchObject({
      status: 401,
      body: { code: -2015 },
    });
    expect(await call(`${simulator.origin}/api/v3/account?timestamp=${wall}`, { headers: { 'X-MBX-APIKEY': 'short' } })).toMatchObject({
      body: { code: -2014 },
    });
    const headers = { 'X-MBX-APIKEY': keys.apiKey };
    expect((await call(`${simulator.origin}/api/v3/account?timestamp=${wall}`, { headers })).body).toMatchObject({
      code: -1102,
      msg: "Mandatory parameter 'signature' was not sent, was empty/null, or malformed.",
    });
  });

  test('accept a signed form body, and query and body mixed', async () => {
    const order = `side=BUY&type=MARKET&quantity=0.001&timestamp=${wall}`;
    const headers = { 'X-MBX-APIKEY': keys.apiKey, 'content-type': 'application/x-www-form-urlencoded' };
    const body = `symbol=BTCUSDT&${order}`;
    const post = (query: string, text: string) => call(`${simulator.origin}/api/v3/order${query}`, { method: 'POST', headers, body: text });
    expect((await post('', `${body}&signature=${signText(keys.apiSecret, body)}`)).body).toMatchObject({ status: 'FILLED' });
    const mixed = `symbol=BTCUSDT${order}`;
    expect((await post('?symbol=BTCUSDT', `${order}&signature=${signText(keys.apiSecret, mixed)}`)).body).toMatchObject({
      status: 'FILLED',
    });
  });

  test.each(['ed25519', 'rsa'] as const)('accept %s keys', async (keyType) => {
    const created = await call(`${simulator.origin}/sim/v1/accounts`, {
      method: 'POST',
      body: JSON.stringify({ keyType, balances: { USDT: '50' } }),
    });
    const other = created.body as Keys;
    const answer = await signed(simulator.origin, other, 'GET', '/api/v3/account', { timestamp: wall });
    expect(row(answer).balances).toEqual([{ asset: 'USDT', free: '50.00000000', locked: '0.00000000' }]);
  });

  test('give a new account its coins, and hold a key to what it may do', async () => {
    const { balances } = row(await account({ timestamp: wall })) as { balances: { asset: string }[] };
    expect(balances.map((one) => one.asset)).toEqual(['BTC', 'ETH', 'USDT']);
    const reader = await simulator.createAccount({ permissions: { enableSpotAndMarginTrading: false } });
    const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.001', timestamp: wall };
    expect(await signed(simulator.origin, reader, 'POST', '/api/v3/order', order)).toMatchObject({ status: 401, body: { code: -2015 } });
    const restrictions = row(await signed(simulator.origin, reader, 'GET', '/sapi/v1/account/apiRestrictions', { timestamp: wall }));
    expect(restrictions).toMatchObject({
      enableReading: true,
      enableSpotAndMarginTrading: false,
      enableWithdrawals: false,
      createTime: wall,
    });
    expect(rows(await signed(simulator.origin, reader, 'GET', '/sapi/v1/asset/tradeFee', { timestamp: wall }))).toHaveLength(2);
    expect(
      rows(await signed(simulator.origin, reader, 'GET', '/sapi/v1/capital/config/getall', { timestamp: wall })).map((one) => one.coin),
    ).toEqual(['BNB', 'BTC', 'ETH', 'USDT'].filter((coin) => coin !== 'BNB'));
    expect((await signed(simulator.origin, reader, 'GET', '/sapi/v1/margin/allPairs', { timestamp: wall })).body).toEqual([]);
    expect(
      row(await signed(simulator.origin, reader, 'GET', '/api/v3/account/commission', { timestamp: wall, symbol: 'BTCUSDT' })),
    ).toMatchObject({
      standardCommission: { maker: '0.00100000', taker: '0.00100000' },
      discount: { enabledForAccount: false, discount: '0.75000000' },
    });
  });

  test('refuse a wrong account wish by name', async () => {
    const create = (body: unknown) => call(`${simulator.origin}/sim/v1/accounts`, { method: 'POST', body: JSON.stringify(body) });
    expect(await create({ balances: { USDT: '-1' } })).toMatchObject({
      status: 400,
      body: { msg: expect.stringContaining('balances.USDT') },
    });
    expect(await create({ keyType: 'dsa' })).toMatchObject({ status: 400, body: { msg: expect.stringContaining('keyType') } });
    expect(await create({ restrictions: { enableMagic: true } })).toMatchObject({
      status: 400,
      body: { msg: expect.stringContaining('enableMagic') },
    });
  });

  test('turn the clock over HTTP', async () => {
    const before = row(await get('/sim/v1/status'));
    const after = row(await call(`${simulator.origin}/sim/v1/clock`, { method: 'POST', body: JSON.stringify({ advanceMs: MINUTE }) }));
    expect(after.marketTime).toBe((before.marketTime as number) + MINUTE);
    expect(after).toMatchObject({ kind: 'replay', symbols: 2, ended: false, paused: true });
    const end = row(await call(`${simulator.origin}/sim/v1/clock`, { method: 'POST', body: JSON.stringify({ advanceMs: 100 * MINUTE }) }));
    expect(end).toMatchObject({ ended: true, marketTime: BEGIN + 20 * MINUTE - 1 });
    expect((await get('/api/v3/ticker/price?symbol=BTCUSDT')).status).toBe(200);
  });

  test('count weight and orders by the wall clock', async () => {
    wall += MINUTE;
    const first = await get('/api/v3/ping');
    expect(first.headers.get('x-mbx-used-weight-1m')).toBe('1');
    expect((await get('/api/v3/exchangeInfo')).headers.get('x-mbx-used-weight-1m')).toBe('21');
    const rest = { symbol: 'ETHUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01', price: '1000', timestamp: wall };
    const resting = await signed(simulator.origin, keys, 'POST', '/api/v3/order', rest);
    expect(resting.headers.get('x-mbx-used-weight-1m')).toBe('21');
    expect(resting.headers.get('x-mbx-order-count-10s')).toBe('1');
    const bought = { symbol: 'ETHUSDT', side: 'BUY', type: 'MARKET', quantity: '0.01', timestamp: wall };
    // A filled order is no longer an unfilled one.
    expect((await signed(simulator.origin, keys, 'POST', '/api/v3/order', bought)).headers.get('x-mbx-order-count-10s')).toBe('1');
    const refused = await signed(simulator.origin, keys, 'POST', '/api/v3/order', { ...rest, quantity: '1000000' });
    expect(refused.status).toBe(400);
    expect((await get('/api/v3/ping')).headers.get('x-mbx-used-weight-1m')).toBe('23');
    expect(rows(await signed(simulator.origin, keys, 'GET', '/api/v3/rateLimit/order', { timestamp: wall }))).toMatchObject([
      { interval: 'SECOND', count: 1 },
      { interval: 'DAY', count: 1 },
    ]);
    wall += 10_000;
    expect(rows(await signed(simulator.origin, keys, 'GET', '/api/v3/rateLimit/order', { timestamp: wall }))).toMatchObject([
      { count: 0 },
      { count: 1 },
    ]);
  });
});

test('too much weight is 429 with Retry-After, going on is a ban', async () => {
  const folder = await tapeFolder({ BTCUSDT: flat(50_000, 3) });
  let wall = 1_800_000_000_000;
  const simulator = await startSimulator({
    market: { kind: 'replay', folder },
    paused: true,
    now: () => wall,
    limits: { weightPerMinute: 3, ordersPer10Seconds: 1 },
  });
  const ping = () => call(`${simulator.origin}/api/v3/ping`);
  for (let used = 1; used <= 3; used += 1) expect((await ping()).headers.get('x-mbx-used-weight-1m')).toBe(String(used));
  const refused = await ping();
  expect(refused).toMatchObject({ status: 429, body: { code: -1003, msg: expect.stringContaining('current limit is 3 request weight') } });
  expect(refused.headers.get('retry-after')).toBe('60');
  for (let tries = 0; tries < 20; tries += 1) await ping();
  const banned = await ping();
  expect(banned).toMatchObject({ status: 418, body: { code: -1003, msg: expect.stringContaining('IP banned until') } });
  expect(banned.headers.get('retry-after')).toBe('120');
  wall += 120_000;
  expect((await ping()).status).toBe(200);
  wall += 60_000;
  const keys = await simulator.createAccount();
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.001', price: '40000', timestamp: wall };
  expect((await signed(simulator.origin, keys, 'POST', '/api/v3/order', order)).status).toBe(200);
  expect(await signed(simulator.origin, keys, 'POST', '/api/v3/order', order)).toMatchObject({ status: 429, body: { code: -1015 } });
  await simulator.close();
  await rm(folder, { recursive: true });
});

describe('the control calls', () => {
  const paths = ['POST /sim/v1/accounts', 'GET /sim/v1/status', 'POST /sim/v1/clock', 'DELETE /sim/v1/faults', 'POST /sim/v1/faults'];
  const ask = async (simulator: Simulator, each: string, headers: Record<string, string> = {}) => {
    const [method = 'GET', path = ''] = each.split(' ');
    return (await fetch(`${simulator.origin}${path}`, { method, headers, ...(method === 'POST' ? { body: '{}' } : {}) })).status;
  };

  test('of an exchange with a key are for who shows it', async () => {
    const simulator = await startSimulator({ market: testMarket(1), paused: true, controlKey: 'of-this-process' });
    for (const path of paths) {
      expect([path, await ask(simulator, path)]).toEqual([path, 401]);
      expect([path, await ask(simulator, path, { 'x-sim-key': 'of-another-one' })]).toEqual([path, 401]);
    }
    expect(await ask(simulator, 'POST /sim/v1/accounts', { 'x-sim-key': 'of-this-process' })).toBe(200);
    expect(simulator.status().accounts).toBe(1);
    expect(await ask(simulator, 'GET /api/v3/time')).toBe(200);
    await simulator.close();
  });

  test('are refused to pages of other origins, with a key or without', async () => {
    const simulator = await startSimulator({ market: testMarket(1), paused: true });
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1'])
      for (const path of paths) expect([path, await ask(simulator, path, { origin })]).toEqual([path, 403]);
    expect(simulator.status().accounts).toBe(0);
    expect(await ask(simulator, 'POST /sim/v1/accounts', { origin: simulator.origin })).toBe(200);
    expect(await ask(simulator, 'POST /sim/v1/accounts')).toBe(200);
    await simulator.close();
  });
});
