import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { call, type Keys, Listener, row, signed } from '../../testing/exchange-client.ts';
import { BEGIN, flat, MINUTE, type Row, tapeFolder } from '../../testing/small-market.ts';
import { type Simulator, startSimulator } from '../app/simulator.ts';

const rising: Row = [50_000, 51_000, 49_000, 50_500, 40];
let simulator: Simulator;
let folder: string;
const listeners: Listener[] = [];
const listen = async (path: string): Promise<Listener> => {
  const listener = await Listener.open(simulator.wsOrigin + path);
  listeners.push(listener);
  return listener;
};

beforeEach(async () => {
  folder = await tapeFolder({ BTCUSDT: [...flat(50_000, 1), rising, rising, ...flat(50_500, 5)], ETHUSDT: flat(2_000, 8) });
  simulator = await startSimulator({
    market: { kind: 'replay', folder, start: BEGIN + MINUTE - 1 },
    paused: true,
    limits: { streamMessagesPerSecond: 100 },
  });
});
afterEach(async () => {
  for (const listener of listeners.splice(0)) listener.close();
  await simulator.close();
  await rm(folder, { recursive: true });
});

describe('market streams', () => {
  test('send every trade of a candle in order, and the candle when it closed', async () => {
    const stream = await listen('/stream?streams=btcusdt@trade/btcusdt@kline_1m/btcusdt@bookTicker/!miniTicker@arr');
    await simulator.clock.advance(MINUTE);
    const closed = await stream.find((message) => message.stream === 'btcusdt@kline_1m' && (message.data as { k: { x: boolean } }).k.x);
    const of = (name: string) =>
      stream.seen.filter((message) => message.stream === name).map((message) => message.data as Record<string, unknown>);
    expect(of('btcusdt@trade').map((trade) => [trade.p, trade.q, trade.T])).toEqual([
      ['50000.00000000', '10.00000000', BEGIN + MINUTE],
      ['49000.00000000', '10.00000000', BEGIN + MINUTE + 20_000],
      ['51000.00000000', '10.00000000', BEGIN + MINUTE + 40_000],
      ['50500.00000000', '10.00000000', BEGIN + 2 * MINUTE - 1],
    ]);
    expect(Object.keys(of('btcusdt@trade')[0]!)).toEqual(['e', 'E', 's', 't', 'p', 'q', 'T', 'm', 'M']);
    expect((closed.data as { k: object }).k).toMatchObject({
      t: BEGIN + MINUTE,
      o: '50000.00000000',
      h: '51000.00000000',
      l: '49000.00000000',
      c: '50500.00000000',
      v: '40.00000000',
      n: 4,
      i: '1m',
    });
    expect(Object.keys(of('btcusdt@bookTicker')[0]!)).toEqual(['u', 's', 'b', 'B', 'a', 'A']);
    expect(of('btcusdt@bookTicker')).toHaveLength(4);
    const minis = of('!miniTicker@arr').flat() as Record<string, unknown>[];
    expect(minis.map((mini) => mini.s)).toEqual(expect.arrayContaining(['BTCUSDT', 'ETHUSDT']));
    expect(Object.keys(minis[0]!)).toEqual(['e', 'E', 's', 'c', 'o', 'h', 'l', 'v', 'q']);
  });

  test('the market is told each second, also when nothing was traded in it', async () => {
    const stream = await listen('/stream?streams=!miniTicker@arr');
    // Trades come every twenty seconds.
    for (let second = 0; second < 15; second += 1) await simulator.clock.advance(1000);
    await stream.find(() => stream.seen.length === 15);
    expect(stream.seen.slice(1).map(({ data }) => data)).toEqual(Array.from({ length: 14 }, () => []));
  });

  test('a closed candle of the stream is the candle of REST', async () => {
    const stream = await listen('/ws/btcusdt@kline_3m');
    await simulator.clock.advance(3 * MINUTE);
    const { k } = (await stream.find((message) => (message.k as { x: boolean }).x)) as { k: Record<string, unknown> };
    const [candle] = (await call(`${simulator.origin}/api/v3/klines?symbol=BTCUSDT&interval=3m&startTime=${String(k.t)}&limit=1`))
      .body as unknown[][];
    expect([k.t, k.o, k.h, k.l, k.c, k.v, k.T, k.q, k.n, k.V, k.Q, k.B]).toEqual(candle);
  });

  test('a local book kept from the diffs equals the book of REST', async () => {
    const stream = await listen('/0');
    await stream.request(1, 'SUBSCRIBE', ['btcusdt@depth@100ms']);
    const snapshot = row(await call(`${simulator.origin}/api/v3/depth?symbol=BTCUSDT&limit=5000`));
    const book = { b: new Map(snapshot.bids as [string, string][]), a: new Map(snapshot.asks as [string, string][]) };
    for (let step = 0; step < 12; step += 1) await simulator.clock.advance(15_000);
    const after = row(await call(`${simulator.origin}/api/v3/depth?symbol=BTCUSDT&limit=5000`));
    await stream.find((message) => message.u === after.lastUpdateId);
    let updateId = snapshot.lastUpdateId as number;
    for (const event of stream.seen.filter((message) => message.e === 'depthUpdate')) {
      if ((event.u as number) <= updateId) continue;
      expect(event.U).toBe(updateId + 1);
      for (const side of ['b', 'a'] as const) {
        for (const [price, quantity] of event[side] as [string, string][]) {
          if (Number(quantity) === 0) book[side].delete(price);
          else book[side].set(price, quantity);
        }
      }
      updateId = event.u as number;
    }
    const sorted = (side: Map<string, string>, sign: number) => [...side].sort(([a], [b]) => (Number(a) - Number(b)) * sign);
    expect(sorted(book.b, -1)).toEqual(after.bids);
    expect(sorted(book.a, 1)).toEqual(after.asks);
  });

  test('the other streams have the documented keys', async () => {
    const names = ['aggTrade', 'miniTicker', 'ticker', 'avgPrice', 'depth5', 'ticker_1h'].map((type) => `btcusdt@${type}`);
    const stream = await listen(`/stream?streams=${names.join('/')}`);
    await simulator.clock.advance(MINUTE);
    const keysOf = async (name: string) => Object.keys((await stream.find((message) => message.stream === name)).data as object).join();
    expect(await keysOf('btcusdt@aggTrade')).toBe('e,E,s,a,p,q,f,l,T,m,M');
    expect(await keysOf('btcusdt@miniTicker')).toBe('e,E,s,c,o,h,l,v,q');
    expect(await keysOf('btcusdt@ticker')).toBe('e,E,s,p,P,w,x,c,Q,b,B,a,A,o,h,l,v,q,O,C,F,L,n');
    expect(await keysOf('btcusdt@avgPrice')).toBe('e,E,s,i,w,T');
    expect(await keysOf('btcusdt@depth5')).toBe('lastUpdateId,bids,asks');
    expect(await keysOf('btcusdt@ticker_1h')).toBe('e,E,s,p,P,o,h,l,c,w,v,q,O,C,F,L,n');
  });

  test('control messages', async () => {
    const stream = await listen('/ws');
    expect(await stream.request('a', 'SUBSCRIBE', ['btcusdt@trade', 'ethusdt@trade'])).toEqual({ result: null, id: 'a' });
    expect(await stream.request(2, 'LIST_SUBSCRIPTIONS')).toEqual({ result: ['btcusdt@trade', 'ethusdt@trade'], id: 2 });
    expect(await stream.request(3, 'UNSUBSCRIBE', ['ethusdt@trade'])).toEqual({ result: null, id: 3 });
    expect(await stream.request(4, 'SET_PROPERTY', ['combined', true])).toEqual({ result: null, id: 4 });
    expect(await stream.request(5, 'GET_PROPERTY', ['combined'])).toEqual({ result: true, id: 5 });
    expect(await stream.request(6, 'DANCE')).toMatchObject({ error: { code: 2 }, id: 6 });
    await simulator.clock.advance(MINUTE);
    expect(await stream.find((message) => message.stream === 'btcusdt@trade')).toMatchObject({ data: { s: 'BTCUSDT' } });
    expect(stream.seen.some((message) => message.stream === 'ethusdt@trade')).toBe(false);
    stream.socket.send('{nonsense');
    expect(await stream.find((message) => (message.error as { code: number } | undefined)?.code === 3)).toBeDefined();
  });

  test('unknown paths are refused', async () => {
    await expect(Listener.open(`${simulator.wsOrigin}/elsewhere`)).rejects.toThrow('404');
    await expect(Listener.open(`${simulator.wsOrigin}/ws/%E0%A4%A`)).rejects.toThrow('400');
    for (const path of ['/stream?streams=', '/stream/ws/0', '/3', '/ws/btcusdt@trade/ethusdt@trade'])
      (await Listener.open(simulator.wsOrigin + path)).close();
  });
});

describe('the WebSocket API', () => {
  let keys: Keys;
  beforeEach(async () => {
    keys = await simulator.createAccount({ balances: { USDT: '10000', BTC: '1' } });
  });
  const limit = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.1', price: '49500' };

  test('answers with the id, the status and the rate limits', async () => {
    const api = await listen('/ws-api/v3');
    const answer = await api.request('x-1', 'time');
    expect(answer).toMatchObject({
      id: 'x-1',
      status: 200,
      result: { serverTime: expect.any(Number) },
      rateLimits: [{ rateLimitType: 'REQUEST_WEIGHT', count: expect.any(Number) }],
    });
    expect(await api.request(2, 'v3/ping', { returnRateLimits: false })).toEqual({ id: 2, status: 200, result: {} });
    expect(await api.request(3, 'ticker.price', { symbol: 'NOSUCH' })).toMatchObject({ status: 400, error: { code: -1121 } });
    expect((await api.request(4, 'klines', { symbol: 'BTCUSDT', interval: '1m', limit: 1 })).result).toHaveLength(1);
    expect((await api.request(5, 'exchangeInfo', { symbols: ['ETHUSDT'] })).result).toMatchObject({ symbols: [{ symbol: 'ETHUSDT' }] });
    expect(await api.request(6, 'no.such.method')).toMatchObject({ status: 404 });
  });

  test('places, finds and cancels orders, and tells the user stream', async () => {
    const api = await listen('/ws-api/v3');
    expect(await api.signedRequest(1, 'userDataStream.subscribe.signature', keys)).toMatchObject({
      status: 200,
      result: { subscriptionId: 0 },
    });
    expect(await api.signedRequest(2, 'userDataStream.subscribe.signature', keys)).toMatchObject({ error: { code: -2035 } });
    const placed = (await api.signedRequest(3, 'order.place', keys, { ...limit, newClientOrderId: 'mine' })).result as Record<
      string,
      unknown
    >;
    expect(placed).toMatchObject({ status: 'NEW', clientOrderId: 'mine' });
    const events = () => api.seen.filter((message) => 'event' in message).map((message) => message.event as Record<string, unknown>);
    await api.find((message) => (message.event as Record<string, unknown> | undefined)?.e === 'outboundAccountPosition');
    expect(events().map((event) => event.e)).toEqual(['executionReport', 'outboundAccountPosition']);
    expect(events()[0]).toMatchObject({ x: 'NEW', X: 'NEW', i: 1, c: 'mine', C: '', N: null, t: -1, w: true });
    expect(events()[1]).toMatchObject({ B: [{ a: 'USDT', f: '5050.00000000', l: '4950.00000000' }] });

    await simulator.clock.advance(2 * MINUTE);
    const fill = (await api.find((message) => (message.event as Record<string, unknown> | undefined)?.X === 'FILLED')).event as Record<
      string,
      unknown
    >;
    expect(fill).toMatchObject({
      x: 'TRADE',
      l: '0.10000000',
      L: '49500.00000000',
      z: '0.10000000',
      Z: '4950.00000000',
      n: '0.00010000',
      N: 'BTC',
      m: true,
      T: BEGIN + MINUTE + 20_000,
    });
    for (const key of 'eEscSofqpPFgCxXrilzLnNTtIwmMOZYQVW') expect(fill).toHaveProperty(key);

    expect((await api.signedRequest(4, 'order.status', keys, { symbol: 'BTCUSDT', orderId: 1 })).result).toMatchObject({
      status: 'FILLED',
    });
    await api.signedRequest(5, 'order.place', keys, { ...limit, price: '40000' });
    expect((await api.signedRequest(6, 'openOrders.status', keys)).result).toMatchObject([{ orderId: 2 }]);
    expect(
      (await api.signedRequest(7, 'order.cancel', keys, { symbol: 'BTCUSDT', orderId: 2, newClientOrderId: 'bye' })).result,
    ).toMatchObject({ status: 'CANCELED' });
    const cancelled = (await api.find((message) => (message.event as Record<string, unknown> | undefined)?.x === 'CANCELED')).event;
    expect(cancelled).toMatchObject({ c: 'bye', C: placed.clientOrderId === 'mine' ? expect.stringMatching(/^sim/) : '' });
    expect((await api.signedRequest(8, 'myTrades', keys, { symbol: 'BTCUSDT' })).result).toHaveLength(1);
    expect((await api.signedRequest(9, 'allOrders', keys, { symbol: 'BTCUSDT' })).result).toHaveLength(2);
    expect((await api.signedRequest(10, 'account.status', keys)).result).toMatchObject({ canTrade: true });
    expect(await api.request(11, 'userDataStream.unsubscribe', { subscriptionId: 0 })).toMatchObject({ status: 200 });
    expect((await api.request(12, 'session.subscriptions')).result).toEqual([]);
  });

  test('an Ed25519 session needs no further signatures; HMAC keys cannot log on', async () => {
    const api = await listen('/ws-api/v3');
    const ed = await simulator.createAccount({ keyType: 'ed25519' });
    expect(await api.signedRequest(1, 'session.logon', keys)).toMatchObject({ status: 400 });
    expect(await api.request(2, 'userDataStream.subscribe')).toMatchObject({ status: 401, error: { code: -2015 } });
    expect(await api.signedRequest(3, 'session.logon', ed)).toMatchObject({
      status: 200,
      result: { apiKey: ed.apiKey, userDataStream: false },
    });
    expect(await api.request(4, 'userDataStream.subscribe')).toMatchObject({ result: { subscriptionId: 0 } });
    expect(await api.request(5, 'order.place', { ...limit, timestamp: Date.now() })).toMatchObject({
      status: 200,
      result: { status: 'NEW' },
    });
    expect(await api.request(6, 'session.status')).toMatchObject({ result: { apiKey: ed.apiKey, userDataStream: true } });
    expect(await api.request(7, 'session.logout')).toMatchObject({ result: { apiKey: null } });
    expect(await api.request(8, 'account.status', { timestamp: Date.now() })).toMatchObject({ status: 400 });
  });

  test('signs every parameter that was sent, also the ones about the answer', async () => {
    const api = await listen('/ws-api/v3');
    expect(await api.signedRequest('c1', 'account.status', keys, { returnRateLimits: false, omitZeroBalances: true })).toEqual({
      id: 'c1',
      status: 200,
      result: expect.objectContaining({ accountType: 'SPOT' }),
    });
  });

  test('refuses a signature of other parameters', async () => {
    const api = await listen('/ws-api/v3');
    const answer = await api.request(1, 'order.place', { ...limit, apiKey: keys.apiKey, timestamp: Date.now(), signature: 'a'.repeat(64) });
    expect(answer).toMatchObject({ status: 400, error: { code: -1022 } });
  });

  test('one connection carries several accounts; each event names its subscription, and each ends alone', async () => {
    const api = await listen('/ws-api/v3');
    const other = await simulator.createAccount({ balances: { USDT: '10000' } });
    const third = await simulator.createAccount({ balances: { USDT: '10000' } });
    const all = [keys, other, third];
    for (const [index, each] of all.entries())
      expect((await api.signedRequest(index, 'userDataStream.subscribe.signature', each)).result).toEqual({ subscriptionId: index });
    expect((await api.request(10, 'session.subscriptions')).result).toEqual([0, 1, 2].map((subscriptionId) => ({ subscriptionId })));
    // Ending needs no signature; the answer comes first, then the event that reports the end.
    expect(await api.request(11, 'userDataStream.unsubscribe', { subscriptionId: 1 })).toMatchObject({ status: 200, result: {} });
    const ended = await api.find((message) => 'event' in message);
    expect(ended).toEqual({ subscriptionId: 1, event: { e: 'eventStreamTerminated', E: expect.any(Number) } });
    expect(await api.request(12, 'userDataStream.unsubscribe', { subscriptionId: 1 })).toMatchObject({ error: { code: -2036 } });
    for (const each of all) await signed(simulator.origin, each, 'POST', '/api/v3/order', limit);
    await api.request(13, 'ping');
    const events = api.seen.filter((message) => (message.event as { e?: string } | undefined)?.e === 'executionReport');
    expect(events.map(({ subscriptionId }) => subscriptionId)).toEqual([0, 2]);
    // Names are not given twice; an account that has left may come back.
    expect((await api.signedRequest(14, 'userDataStream.subscribe.signature', other)).result).toEqual({ subscriptionId: 3 });
    await api.request(15, 'userDataStream.unsubscribe');
    expect((await api.request(16, 'session.subscriptions')).result).toEqual([]);
    const ends = api.seen.filter((message) => (message.event as { e?: string } | undefined)?.e === 'eventStreamTerminated');
    expect(ends.map(({ subscriptionId }) => subscriptionId)).toEqual([1, 0, 2, 3]);
  });

  test('events of one account are not told to another', async () => {
    const api = await listen('/ws-api/v3');
    const other = await simulator.createAccount({ balances: { USDT: '1' } });
    await api.signedRequest(1, 'userDataStream.subscribe.signature', other);
    await signed(simulator.origin, keys, 'POST', '/api/v3/order', limit);
    await api.request(2, 'ping');
    expect(api.seen.some((message) => 'event' in message)).toBe(false);
  });
});
