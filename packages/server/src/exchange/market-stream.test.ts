import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { until } from '@pilotfish/core/testing/until';
import { type VirtualTime, virtualTime } from '@pilotfish/core/testing/virtual-time';
import { startSimulator } from '@pilotfish/simulator/app/simulator';
import { testMarket } from '@pilotfish/simulator/testing/test-market';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { connectionBudget } from './connection-budget.ts';
import { type MarketStream, marketStream } from './market-stream.ts';

let server: WebSocketServer;
let time: VirtualTime;
let stream: MarketStream;
let sockets: WebSocket[];
let gaps: number[];
let got: unknown[];
const budget = () => connectionBudget({ now: time.now, timers: time.timers, random: () => 0 });

beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  time = virtualTime();
  sockets = [];
  gaps = [];
  got = [];
  server.on('connection', (socket) => {
    sockets.push(socket);
    // Subscriptions are acknowledged, and that is no data.
    socket.on('message', (data) =>
      socket.send(JSON.stringify({ result: null, id: (JSON.parse(String(data as Buffer)) as { id: number }).id })),
    );
  });
  stream = marketStream({
    budget: budget(),
    timers: time.timers,
    origin: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    now: time.now,
    random: () => 0,
    onGap: (gapMs) => void gaps.push(gapMs),
  });
});
afterEach(async () => {
  await time.during(stream.close());
  server.close();
});

/** The first wait before a connection is opened anew, ms. */
const FIRST_WAIT = 250;
/** The stream is connected, for the `count`th time. */
async function connected(count: number): Promise<void> {
  await time.settled();
  expect([sockets.length, stream.connected]).toEqual([count, true]);
}
const speak = async (name = '!miniTicker@arr') => {
  const before = got.length;
  sockets.at(-1)!.send(JSON.stringify({ stream: name, data: {} }));
  await time.settled();
  expect(got).toHaveLength(before + 1);
};
/** A while in which the connection is alive by its pings and brings no data; answers after how many seconds it ended, if it did. */
async function pingsOnly(seconds: number): Promise<number | undefined> {
  for (let second = 1; second <= seconds; second += 1) {
    const socket = sockets.at(-1)!;
    await time.advance(1000);
    if (socket.readyState !== socket.OPEN) return second;
    const answered = once(socket, 'pong');
    socket.ping();
    await answered;
    await time.settled();
  }
  return undefined;
}

test('a connection that answers pings and brings no data is opened anew, with the gap since the last data', async () => {
  stream.subscribe('!miniTicker@arr', (data) => got.push(data));
  await connected(1);
  await speak();
  const { dataAt } = stream;
  expect(await pingsOnly(15)).toBeUndefined();
  expect([stream.isQuiet, sockets.length]).toEqual([false, 1]);
  expect(await pingsOnly(4)).toBeUndefined();
  expect(stream.isQuiet).toBe(true);
  // Silence is looked for every five seconds.
  expect(await pingsOnly(1)).toBe(1);
  await time.advance(FIRST_WAIT);
  await connected(2);
  expect(gaps).toEqual([20_000 + FIRST_WAIT]);
  // Opening is no word of the market: whoever asks since when nothing is heard is told the truth.
  expect(stream.dataAt).toBe(dataAt);
  await speak();
  expect(stream.dataAt).toBe(time.now());
});

test('an exchange that has nothing to say is asked ever more seldom', async () => {
  stream.subscribe('!miniTicker@arr', (data) => got.push(data));
  await connected(1);
  await speak();
  expect(await pingsOnly(60)).toBe(20);
  await time.advance(FIRST_WAIT);
  await connected(2);
  // The second connection is given thirty seconds, the third a minute.
  expect(await pingsOnly(60)).toBe(35);
  await connected(3);
  expect(await pingsOnly(120)).toBe(65);
});

test('one quiet pair is no silence', async () => {
  stream.subscribe('btcusdt@trade', (data) => got.push(data));
  await connected(1);
  expect(await pingsOnly(60)).toBeUndefined();
  expect(sockets).toHaveLength(1);
});

test('a connection may be ended by whoever knows better', async () => {
  stream.subscribe('!miniTicker@arr', (data) => got.push(data));
  await connected(1);
  await speak();
  await time.advance(3000);
  stream.renew();
  await time.settled();
  await time.advance(FIRST_WAIT);
  await connected(2);
  expect(gaps).toEqual([3000 + FIRST_WAIT]);
});

test('an exchange that ends every connection at once is asked ever more seldom: so many a minute and it bans the address', async () => {
  await connected(1);
  server.removeAllListeners('connection');
  const moments = [time.elapsed];
  server.on('connection', (socket) => {
    moments.push(time.elapsed);
    socket.terminate();
  });
  stream.renew();
  await time.advance(60_000);
  expect(moments.slice(1).map((moment, index) => moment - moments[index]!)).toEqual([250, 500, 1000, 2000, 4000, 8000, 15_000, 15_000]);
});

test('more streams than one connection takes go over several, told no faster than the exchange listens', async () => {
  const { now, timers } = time;
  const simulator = await startSimulator({ market: testMarket(3), paused: true, now, timers });
  const refused: string[] = [];
  const downs: string[] = [];
  const many = marketStream({
    budget: budget(),
    timers,
    origin: simulator.wsOrigin,
    now,
    random: () => 0,
    onDown: (reason) => void downs.push(reason),
    onRefused: (reason) => void refused.push(reason),
  });
  const board: unknown[] = [];
  const trades: unknown[] = [];
  const stops = Array.from({ length: 1500 }, (_, n) => many.subscribe(`pair${n}usdt@trade`, () => undefined));
  many.subscribe('!miniTicker@arr', (data) => board.push(data));
  const stop = many.subscribe('btcusdt@trade', (data) => trades.push(data));
  const hear = (heard: unknown[]) =>
    until('an event of the market', () => heard.length > 0, { time, meanwhile: () => simulator.clock.advance(2000) });
  await hear(board);
  await hear(trades);
  expect(many.connected).toBe(true);
  expect([refused, downs]).toEqual([[], []]);
  // The pair is on the second connection, which ends with the last of its streams; the first goes on.
  many.renew('btcusdt@trade');
  await time.settled();
  expect(downs).toHaveLength(1);
  trades.length = 0;
  await hear(trades);
  stop();
  for (const end of stops) end();
  board.length = 0;
  await hear(board);
  expect([many.connected, refused, downs.length]).toEqual([true, [], 1]);
  await time.during(many.close());
  await time.during(simulator.close());
});

test('a subscription that the exchange refuses is told', async () => {
  const refused: string[] = [];
  server.removeAllListeners('connection');
  server.on('connection', (socket) => {
    socket.on('message', () => socket.send(JSON.stringify({ error: { code: 2, msg: 'Invalid request: too many streams' }, id: 1 })));
  });
  const one = marketStream({
    budget: budget(),
    timers: time.timers,
    origin: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    now: time.now,
    random: () => 0,
    onRefused: (reason) => void refused.push(reason),
  });
  one.subscribe('btcusdt@trade', () => undefined);
  await time.settled();
  expect(refused).toEqual(['Invalid request: too many streams']);
  await time.during(one.close());
});

/** The exchange says that it will end the newest connection. */
const announce = () => sockets.at(-1)!.send(JSON.stringify({ stream: '!serverShutdown', data: { e: 'serverShutdown', E: 1 } }));

test('before the exchange ends a connection it moves over to a new one: nothing is missed, and no gap is told', async () => {
  stream.subscribe('!miniTicker@arr', (data) => got.push(data));
  await connected(1);
  const [old] = sockets;
  await speak();
  announce();
  await connected(2);
  // Both are read until every subscription of the new one is made.
  old!.send(JSON.stringify({ stream: '!miniTicker@arr', data: { from: 'old' } }));
  await time.settled();
  expect(got).toHaveLength(2);
  await speak();
  const closed = once(old!, 'close');
  await time.advance(3000);
  await closed;
  await speak();
  expect([gaps, stream.connected, stream.isQuiet]).toEqual([[], true, false]);
});

test('a new connection that brings nothing while the old one does is given up: the old one stays, and is moved from later', async () => {
  stream.subscribe('!miniTicker@arr', (data) => got.push(data));
  await connected(1);
  const [old] = sockets;
  announce();
  await connected(2);
  const [, deaf] = sockets;
  const asked: string[] = [];
  old!.on('message', (data) => asked.push(...(JSON.parse(String(data as Buffer)) as { params: string[] }).params));
  // Asked for on the new connection alone, while there are two.
  stream.subscribe('btcusdt@trade', (data) => got.push(data));
  const oldSpeaks = async () => {
    old!.send(JSON.stringify({ stream: '!miniTicker@arr', data: {} }));
    await time.settled();
  };
  for (let second = 0; second < 14; second += 1) {
    await oldSpeaks();
    await time.advance(1000);
  }
  expect([old!.readyState, deaf!.readyState]).toEqual([old!.OPEN, old!.OPEN]);
  const given = once(deaf!, 'close');
  await oldSpeaks();
  await time.advance(2000);
  await given;
  await oldSpeaks();
  expect([got.length, gaps, stream.connected, old!.readyState]).toEqual([16, [], true, old!.OPEN]);
  expect(asked).toContain('btcusdt@trade');
});

test('a connection that is cut while the new one is on its way is a gap, of that moment alone', async () => {
  stream.subscribe('!miniTicker@arr', (data) => got.push(data));
  await connected(1);
  await speak();
  const spoken = time.now();
  await time.advance(1000);
  // It ends before the other is open.
  announce();
  sockets[0]!.terminate();
  await connected(2);
  await speak();
  expect(gaps).toEqual([time.now() - spoken]);
  await time.advance(10_000);
  expect(sockets).toHaveLength(2);
});

test('a connection is renewed before its day is over, without a gap; where none can be had, it is tried seldom', async () => {
  stream.subscribe('btcusdt@trade', (data) => got.push(data));
  await connected(1);
  const passes = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 50_000) {
      await time.advance(50_000);
      await speak('btcusdt@trade');
    }
  };
  await passes(23 * 3600_000 - 100_000);
  expect(sockets).toHaveLength(1);
  const [old] = sockets;
  const turnedAway: number[] = [];
  server.options.verifyClient = () => {
    turnedAway.push(time.now());
    return false;
  };
  await passes(15 * 60_000);
  expect(turnedAway).toHaveLength(3);
  expect(old!.readyState).toBe(old!.OPEN);
  server.options.verifyClient = () => true;
  await passes(5 * 60_000);
  await connected(2);
  expect(gaps).toEqual([]);
});

test('a stream host that cannot be reached gives its place to the next; after data the first one is tried again', async () => {
  await connected(1);
  const { port } = server.address() as AddressInfo;
  // Nothing listens there: a port of a server that is closed.
  const closed = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(closed, 'listening');
  const { port: nobody } = closed.address() as AddressInfo;
  await new Promise((done) => closed.close(done));
  const one = marketStream({
    budget: budget(),
    timers: time.timers,
    origin: `ws://127.0.0.1:${nobody}`,
    others: [`ws://127.0.0.1:${port}`, `ws://127.0.0.1:${port}`],
    now: time.now,
    random: () => 0,
  });
  one.subscribe('!miniTicker@arr', (data) => got.push(data));
  await time.settled();
  await time.advance(FIRST_WAIT);
  await time.settled();
  expect(sockets).toHaveLength(2);
  await speak();
  const again = new WebSocketServer({ port: nobody, host: '127.0.0.1' });
  await once(again, 'listening');
  let returned = 0;
  again.on('connection', () => {
    returned += 1;
  });
  sockets.at(-1)!.terminate();
  await time.settled();
  await time.advance(FIRST_WAIT);
  await time.settled();
  expect([returned, sockets.length]).toEqual([1, 2]);
  await time.during(one.close());
  again.close();
});
