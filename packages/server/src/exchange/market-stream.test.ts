import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { startSimulator } from '@pilotfish/simulator/app/simulator';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { type MarketStream, marketStream } from './market-stream.ts';

let server: WebSocketServer;
let stream: MarketStream;
let sockets: WebSocket[];
let gaps: number[];
let got: unknown[];
let now: number;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  sockets = [];
  gaps = [];
  got = [];
  now = 1_000_000;
  server.on('connection', (socket) => {
    sockets.push(socket);
    // Subscriptions are acknowledged, and that is no data.
    socket.on('message', (data) =>
      socket.send(JSON.stringify({ result: null, id: (JSON.parse(String(data as Buffer)) as { id: number }).id })),
    );
  });
  stream = marketStream({
    origin: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    now: () => now,
    random: () => 0,
    onGap: (gapMs) => void gaps.push(gapMs),
  });
});
afterEach(async () => {
  await stream.close();
  server.close();
  vi.useRealTimers();
});

const connections = (count: number) => vi.waitFor(() => expect(sockets).toHaveLength(count), { timeout: 5000 });
const speak = async (name = '!miniTicker@arr') => {
  const before = got.length;
  sockets.at(-1)!.send(JSON.stringify({ stream: name, data: {} }));
  await vi.waitFor(() => expect(got.length).toBeGreaterThan(before));
};
/** A while in which the connection is alive by its pings, looked at many times. */
async function pingsOnly(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    now += 1000;
    const socket = sockets.at(-1)!;
    if (socket.readyState !== socket.OPEN) return;
    const done = new AbortController();
    const answered = once(socket, 'pong', { signal: done.signal });
    const ended = once(socket, 'close', { signal: done.signal });
    socket.ping();
    await Promise.race([answered, ended]);
    done.abort();
    await Promise.allSettled([answered, ended]);
    vi.advanceTimersByTime(5000);
  }
}

test('a connection that answers pings and brings no data is opened anew, with the gap since the last data', async () => {
  stream.subscribe('!miniTicker@arr', (data) => got.push(data));
  await connections(1);
  await vi.waitFor(() => expect(stream.connected).toBe(true));
  await speak();
  const { dataAt } = stream;
  await pingsOnly(14);
  expect(stream.isQuiet).toBe(false);
  expect(sockets).toHaveLength(1);
  await pingsOnly(3);
  await connections(2);
  await vi.waitFor(() => expect(stream.connected).toBe(true));
  expect(gaps).toHaveLength(1);
  expect(gaps[0]).toBe(now - dataAt);
  // Opening is no word of the market: whoever asks since when nothing is heard is told the truth.
  expect(stream.dataAt).toBe(dataAt);
  await speak();
  expect(stream.dataAt).toBe(now);
});

test('an exchange that has nothing to say is asked ever more seldom', async () => {
  stream.subscribe('!miniTicker@arr', (data) => got.push(data));
  await connections(1);
  await vi.waitFor(() => expect(stream.connected).toBe(true));
  await speak();
  await pingsOnly(17);
  await connections(2);
  await vi.waitFor(() => expect(stream.connected).toBe(true));
  await pingsOnly(25);
  expect(sockets).toHaveLength(2);
  await pingsOnly(8);
  await connections(3);
});

test('one quiet pair is no silence', async () => {
  stream.subscribe('btcusdt@trade', (data) => got.push(data));
  await connections(1);
  await vi.waitFor(() => expect(stream.connected).toBe(true));
  await pingsOnly(60);
  expect(sockets).toHaveLength(1);
});

test('a connection may be ended by whoever knows better', async () => {
  stream.subscribe('!miniTicker@arr', (data) => got.push(data));
  await connections(1);
  await vi.waitFor(() => expect(stream.connected).toBe(true));
  await speak();
  now += 3000;
  stream.renew();
  await connections(2);
  await vi.waitFor(() => expect(gaps).toEqual([3000]));
});

test('an exchange that ends every connection at once is asked ever more seldom: so many a minute and it bans the address', async () => {
  await connections(1);
  await vi.waitFor(() => expect(stream.connected).toBe(true));
  server.removeAllListeners('connection');
  server.on('connection', (socket) => {
    sockets.push(socket);
    socket.terminate();
  });
  const waits = vi.spyOn(globalThis, 'setTimeout');
  stream.renew();
  await connections(4);
  const first = [250, 500, 1000];
  expect(waits.mock.calls.map(([, wait]) => wait).filter((wait) => first.includes(wait ?? 0))).toEqual(first);
  waits.mockRestore();
});

test('more streams than one connection takes go over several, told no faster than the exchange listens', async () => {
  const simulator = await startSimulator({ market: { kind: 'seeded', seed: 3 }, paused: true });
  const refused: string[] = [];
  const downs: string[] = [];
  const many = marketStream({
    origin: simulator.wsOrigin,
    now: Date.now,
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
    vi.waitFor(
      async () => {
        await simulator.clock.advance(2000);
        expect(heard.length).toBeGreaterThan(0);
      },
      { timeout: 15_000, interval: 100 },
    );
  await hear(board);
  await hear(trades);
  expect(many.connected).toBe(true);
  expect([refused, downs]).toEqual([[], []]);
  // The pair is on the second connection, which ends with the last of its streams; the first goes on.
  many.renew('btcusdt@trade');
  await vi.waitFor(() => expect(downs).toHaveLength(1));
  trades.length = 0;
  await hear(trades);
  stop();
  for (const end of stops) end();
  board.length = 0;
  await hear(board);
  expect([many.connected, refused, downs.length]).toEqual([true, [], 1]);
  await many.close();
  await simulator.close();
}, 60_000);

test('a subscription that the exchange refuses is told', async () => {
  const refused: string[] = [];
  server.removeAllListeners('connection');
  server.on('connection', (socket) => {
    socket.on('message', () => socket.send(JSON.stringify({ error: { code: 2, msg: 'Invalid request: too many streams' }, id: 1 })));
  });
  const one = marketStream({
    origin: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    now: () => now,
    random: () => 0,
    onRefused: (reason) => void refused.push(reason),
  });
  one.subscribe('btcusdt@trade', () => undefined);
  await vi.waitFor(() => expect(refused).toEqual(['Invalid request: too many streams']));
  await one.close();
});
