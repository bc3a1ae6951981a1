import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realTimers } from '@pilotfish/core/time/timers';
import { afterEach, describe, expect, test } from 'vitest';
import { directUpstream } from '../../testing/direct-upstream.ts';
import { call, type Keys, Listener, row, signed } from '../../testing/exchange-client.ts';
import { BEGIN, flat, MINUTE, type Row, tapeFolder } from '../../testing/small-market.ts';
import { type Simulator, startSimulator } from '../app/simulator.ts';
import type { Upstream } from './upstream.ts';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** An exchange that stands at the end of its third candle, and how to mirror it. */
async function source(tapes: Record<string, readonly Row[]>) {
  const folder = await tapeFolder(tapes);
  const storageFolder = await mkdtemp(join(tmpdir(), 'mirror-'));
  const exchange = await startSimulator({ market: { kind: 'replay', folder, start: BEGIN + 3 * MINUTE - 1 }, paused: true });
  open.push(async () => {
    await exchange.close();
    await rm(folder, { recursive: true });
    await rm(storageFolder, { recursive: true });
  });
  const now = () => exchange.clock.now();
  const mirror = async () => {
    const upstream = directUpstream(exchange);
    const delayed: (() => unknown)[] = [];
    const hold = (run: () => unknown) => {
      delayed.push(run);
      return () => undefined;
    };
    // Only what waits for another try is held back.
    const after: typeof realTimers.after = (ms, run, more) => (ms === 5000 ? hold(run) : realTimers.after(ms, run, more));
    const mirrored = await startSimulator({ market: { kind: 'mirror', upstream }, now, storageFolder, timers: { ...realTimers, after } });
    const stop = async () => {
      upstream.close();
      await mirrored.close();
    };
    open.push(stop);
    const later = async () => {
      for (const run of delayed.splice(0)) run();
    };
    return { mirrored, upstream, later, stop: () => open.splice(open.indexOf(stop), 1)[0]!() };
  };
  const order = (at: Simulator, keys: Keys, parameters: Record<string, string | number>, method = 'POST') =>
    signed(at.origin, keys, method, '/api/v3/order', { symbol: 'BTCUSDT', ...parameters, timestamp: now() });
  return { exchange, mirror, order, now };
}

/** Candles of a tape: level at 50,000, at 49,000 in the fifth minute, back again. */
const dip = (): Row[] => [...flat(50_000, 4), ...flat(49_000, 1, 4), ...flat(50_000, 300, 5)];
const buy = { side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01', price: '49500', newClientOrderId: 'rests' };
const asked = { origClientOrderId: 'rests' };
const publicly = async (at: Simulator, path: string) => (await call(`${at.origin}${path}`)).body;

/** How often an upstream is asked for trades from now on. */
function countOf(upstream: { get: Upstream['get'] }): () => number {
  const { get } = upstream;
  let count = 0;
  upstream.get = (path, ...more) => {
    if (path === '/api/v3/aggTrades') count += 1;
    return get(path, ...more);
  };
  return () => count;
}

describe('what is public', () => {
  test.each([
    '/api/v3/klines?symbol=BTCUSDT&interval=1m',
    '/api/v3/ticker/24hr?symbol=BTCUSDT',
    '/api/v3/depth?symbol=BTCUSDT&limit=5',
    '/api/v3/ticker/price?symbol=NOSUCH',
  ])('is the answer of the mirrored exchange: %s', async (path) => {
    const { exchange, mirror } = await source({ BTCUSDT: dip() });
    const { mirrored } = await mirror();
    expect(await publicly(mirrored, path)).toEqual(await publicly(exchange, path));
  });

  test('reaches those who listen to a stream, and those who ask by the WebSocket API', async () => {
    const { exchange, mirror } = await source({ BTCUSDT: dip() });
    const { mirrored, upstream } = await mirror();
    const [here, there] = await Promise.all(
      [mirrored, exchange].map(({ wsOrigin }) => Listener.open(`${wsOrigin}/stream?streams=btcusdt@trade`)),
    );
    open.push(() => here!.close());
    open.push(() => there!.close());
    await here!.request(1, 'LIST_SUBSCRIPTIONS');
    await upstream.ready();
    await exchange.clock.advance(MINUTE);
    const isTrade = (message: Record<string, unknown>) => message.stream === 'btcusdt@trade';
    expect(await here!.find(isTrade)).toEqual(await there!.find(isTrade));
    const api = await Listener.open(`${mirrored.wsOrigin}/ws-api/v3`);
    open.push(() => api.close());
    const price = await api.request('p', 'ticker.price', { symbol: 'BTCUSDT' });
    expect(price.result).toEqual(await publicly(exchange, '/api/v3/ticker/price?symbol=BTCUSDT'));
    const refused = await api.request('q', 'ticker.price', { symbol: 'NOSUCH' });
    expect(refused).toMatchObject({ status: 400, error: { code: -1121 } });
  });
});

describe('orders on a mirrored market', () => {
  test('a market order walks the book of the other exchange, where nothing happens', async () => {
    const { exchange, mirror, order } = await source({ BTCUSDT: dip() });
    const { mirrored } = await mirror();
    const keys = await mirrored.createAccount({ balances: { USDT: '10000' } });
    const book = (await publicly(exchange, '/api/v3/depth?symbol=BTCUSDT&limit=5')) as { asks: [string, string][] };
    const bought = row(await order(mirrored, keys, { side: 'BUY', type: 'MARKET', quantity: '0.01' }));
    expect(bought).toMatchObject({ status: 'FILLED', executedQty: '0.01000000' });
    expect((bought.fills as { price: string }[])[0]!.price).toBe(book.asks[0]![0]);
    expect(exchange.status().accounts).toBe(0);
  });

  test('a limit order waits for a trade through its price, and its account hears of it', async () => {
    const { exchange, mirror, order, now } = await source({ BTCUSDT: dip() });
    const { mirrored, upstream } = await mirror();
    const keys = await mirrored.createAccount({ balances: { USDT: '10000' } });
    expect(row(await order(mirrored, keys, buy))).toMatchObject({ status: 'NEW' });
    await upstream.ready();
    await exchange.clock.advance(MINUTE);
    expect(row(await order(mirrored, keys, asked, 'GET'))).toMatchObject({ status: 'NEW' });
    await exchange.clock.advance(MINUTE);
    // By the connection that the trades came by: when it answers, they are there.
    await upstream.ready();
    await expect.poll(async () => row(await order(mirrored, keys, asked, 'GET')).status).toBe('FILLED');
    const filled = row(await order(mirrored, keys, asked, 'GET'));
    expect(filled.cummulativeQuoteQty).toBe('495.00000000');
    const account = row(await signed(mirrored.origin, keys, 'GET', '/api/v3/account', { timestamp: now() }));
    expect(account.balances).toContainEqual({ asset: 'BTC', free: '0.00999000', locked: '0.00000000' });
  });

  test('what was traded while the connection was cut fills orders all the same', async () => {
    const { exchange, mirror, order } = await source({ BTCUSDT: dip() });
    const { mirrored, upstream } = await mirror();
    const keys = await mirrored.createAccount({ balances: { USDT: '10000' } });
    await order(mirrored, keys, buy);
    await upstream.ready();
    exchange.faults.dropSockets();
    // Down and up again before the mirror listens: only the trades between, asked for afterwards, show it.
    await exchange.clock.advance(3 * MINUTE);
    await expect.poll(async () => row(await order(mirrored, keys, asked, 'GET')).status).toBe('FILLED');
  });

  test('a stop that was reached while the connection was cut sells by the book of after it', async () => {
    const { exchange, mirror, order } = await source({ BTCUSDT: dip() });
    const { mirrored, upstream } = await mirror();
    // The stream's next picture of the book comes after the trades that were missed.
    const subscribe = upstream.subscribe.bind(upstream);
    upstream.subscribe = (stream, listener) => (stream.includes('@depth') ? () => undefined : subscribe(stream, listener));
    const keys = await mirrored.createAccount({ balances: { BTC: '1' } });
    const stop = { side: 'SELL', type: 'STOP_LOSS', quantity: '0.01', stopPrice: '49500', newClientOrderId: 'rests' };
    expect(row(await order(mirrored, keys, stop))).toMatchObject({ orderId: 1 });
    await upstream.ready();
    exchange.faults.dropSockets();
    await exchange.clock.advance(3 * MINUTE);
    await expect.poll(async () => row(await order(mirrored, keys, asked, 'GET')).status).not.toBe('NEW');
    expect(row(await order(mirrored, keys, asked, 'GET'))).toMatchObject({ status: 'FILLED', executedQty: '0.01000000' });
  });

  test.each([
    ['minutes, by its trades', 10],
    ['hours, by its candles', 200],
  ])('what was traded while the mirror was not there fills orders all the same: %s', async (_name, minutes) => {
    const { exchange, mirror, order } = await source({ BTCUSDT: dip() });
    const before = await mirror();
    const keys = await before.mirrored.createAccount({ balances: { USDT: '10000' } });
    await order(before.mirrored, keys, buy);
    await before.stop();
    await exchange.clock.advance(minutes * MINUTE);
    const { mirrored } = await mirror();
    expect(row(await order(mirrored, keys, asked, 'GET'))).toMatchObject({ status: 'FILLED', cummulativeQuoteQty: '495.00000000' });
  });

  test('a pair that is not traded takes no orders, and one that leaves ends those it has', async () => {
    const { exchange, mirror, order, now } = await source({ BTCUSDT: dip(), ETHUSDT: dip() });
    const { mirrored } = await mirror();
    const keys = await mirrored.createAccount({ balances: { USDT: '10000' } });
    await order(mirrored, keys, buy);
    exchange.faults.apply({ kind: 'symbol', symbol: 'BTCUSDT', status: 'HALT' });
    await exchange.clock.advance(MINUTE);
    expect(row(await order(mirrored, keys, { ...buy, newClientOrderId: 'late' }))).toMatchObject({ code: -2010, msg: 'Market is closed.' });
    exchange.faults.apply({ kind: 'symbol', symbol: 'BTCUSDT', status: 'DELISTED' });
    await exchange.clock.advance(MINUTE);
    expect(row(await order(mirrored, keys, { ...buy, newClientOrderId: 'later' }))).toMatchObject({ code: -1121 });
    const account = row(await signed(mirrored.origin, keys, 'GET', '/api/v3/account', { timestamp: now(), omitZeroBalances: 'true' }));
    expect(account.balances).toEqual([{ asset: 'USDT', free: '10000.00000000', locked: '0.00000000' }]);
  });

  test('the filters are those of the other exchange, also when they change', async () => {
    const { exchange, mirror, order } = await source({ BTCUSDT: dip() });
    const { mirrored } = await mirror();
    const keys = await mirrored.createAccount({ balances: { USDT: '10000' } });
    const filters = [
      { filterType: 'NOTIONAL', minNotional: '600', applyMinToMarket: true, maxNotional: '0', applyMaxToMarket: false, avgPriceMins: 5 },
    ] as const;
    exchange.faults.apply({ kind: 'filters', symbol: 'BTCUSDT', filters: [...filters] });
    await exchange.clock.advance(MINUTE);
    expect(row(await order(mirrored, keys, buy))).toMatchObject({ code: -1013, msg: 'Filter failure: NOTIONAL' });
  });

  test('where the other exchange does not answer, an order is refused and nothing has happened', async () => {
    const { exchange, mirror, order, now } = await source({ BTCUSDT: dip() });
    const { mirrored } = await mirror();
    const keys = await mirrored.createAccount({ balances: { USDT: '10000' } });
    exchange.faults.next({ path: '/api/v3/depth', status: 500 });
    const refused = await order(mirrored, keys, { side: 'BUY', type: 'MARKET', quantity: '0.01' });
    expect(refused).toMatchObject({ status: 503, body: { code: -1008 } });
    const account = row(await signed(mirrored.origin, keys, 'GET', '/api/v3/account', { timestamp: now(), omitZeroBalances: 'true' }));
    expect(account.balances).toEqual([{ asset: 'USDT', free: '10000.00000000', locked: '0.00000000' }]);
    expect(row(await order(mirrored, keys, { side: 'BUY', type: 'MARKET', quantity: '0.01' }))).toMatchObject({ status: 'FILLED' });
  });

  test('it starts while the other exchange is away, and answers nothing of accounts until that is back', async () => {
    const { exchange, mirror, order } = await source({ BTCUSDT: dip() });
    const before = await mirror();
    const keys = await before.mirrored.createAccount({ balances: { USDT: '10000' } });
    await order(before.mirrored, keys, buy);
    await before.stop();
    exchange.faults.next({ path: '/api/v3/exchangeInfo', status: 500 });
    const { mirrored, later } = await mirror();
    expect(await order(mirrored, keys, asked, 'GET')).toMatchObject({ status: 503, body: { code: -1008 } });
    const api = await Listener.open(`${mirrored.wsOrigin}/ws-api/v3`);
    open.push(() => api.close());
    expect(await api.request('s', 'session.status')).toMatchObject({ status: 503, error: { code: -1008 } });
    await later();
    expect(row(await order(mirrored, keys, asked, 'GET'))).toMatchObject({ status: 'NEW' });
  });

  test('a hole that cannot be filled is asked for again after a pause, and no order stands on top of it', async () => {
    const { exchange, mirror, order } = await source({ BTCUSDT: dip() });
    const { mirrored, upstream, later } = await mirror();
    const keys = await mirrored.createAccount({ balances: { USDT: '10000' } });
    await order(mirrored, keys, buy);
    await upstream.ready();
    const asks = countOf(upstream);
    exchange.faults.next({ path: '/api/v3/aggTrades', status: 500, times: 1000 });
    exchange.faults.dropSockets();
    await exchange.clock.advance(3 * MINUTE);
    await expect.poll(asks).toBe(1);
    expect(await order(mirrored, keys, { ...buy, newClientOrderId: 'late' })).toMatchObject({ status: 503, body: { code: -1008 } });
    await exchange.clock.advance(MINUTE);
    expect(asks()).toBe(2);
    exchange.faults.clear();
    await later();
    await expect.poll(async () => row(await order(mirrored, keys, asked, 'GET')).status).toBe('FILLED');
  });

  test('its clock is not ours to turn', async () => {
    const { mirror } = await source({ BTCUSDT: dip() });
    const { mirrored } = await mirror();
    const answer = await call(`${mirrored.origin}/sim/v1/clock`, { method: 'POST', body: JSON.stringify({ advanceMs: 1 }) });
    expect(answer.status).toBe(400);
  });
});
