import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type VirtualTime, virtualTime } from '@pilotfish/core/testing/virtual-time';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { type Exchange, openExchange } from './exchange.ts';
import { liveSocket } from './live-socket.ts';
import { signerFor } from './signing.ts';
import { userStream } from './user-stream.ts';

const STREAM = '/stream';
const API = '/ws-api/v3';
const REST = '/api/v3/time';

let time: VirtualTime;
let server: Server;
let sockets: WebSocketServer;
let origin: string;
/** Everything that reached the exchange: when, and its path. */
let arrived: [number, string][];
/** Answers to the next requests and handshakes; then each is served. */
let refusals: { status: number; retryAfter?: string }[];

beforeEach(async () => {
  time = virtualTime();
  arrived = [];
  refusals = [];
  sockets = new WebSocketServer({ noServer: true });
  server = createServer((request, response) => {
    arrived.push([time.elapsed, request.url!]);
    const { status, retryAfter } = refusals.shift() ?? { status: 200 };
    response.writeHead(status, { connection: 'close', ...(retryAfter !== undefined && { 'retry-after': retryAfter }) });
    response.end(JSON.stringify(status === 200 ? { serverTime: time.now() } : { code: -1003, msg: 'no' }));
  });
  server.on('upgrade', (request, socket, head) => {
    arrived.push([time.elapsed, request.url!]);
    const refusal = refusals.shift();
    if (!refusal) return sockets.handleUpgrade(request, socket, head, () => undefined);
    const header = refusal.retryAfter === undefined ? '' : `Retry-After: ${refusal.retryAfter}\r\n`;
    socket.end(`HTTP/1.1 ${refusal.status} No\r\n${header}Content-Length: 0\r\nConnection: close\r\n\r\n`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  for (const client of sockets.clients) client.terminate();
  server.closeAllConnections();
  server.close();
});
const of = (path: string) => arrived.filter(([, each]) => each === path).map(([at]) => at);

describe('one exchange with market streams, account events and REST', () => {
  let exchange: Exchange;
  let close: () => void;
  beforeEach(() => {
    const { now, timers } = time;
    exchange = openExchange({
      origins: { rest: `http://${origin}`, stream: `ws://${origin}`, api: `ws://${origin}` },
      now,
      timers,
      random: () => 0,
    });
  });
  afterEach(async () => {
    close();
    await time.during(exchange.close());
  });
  const listen = () => {
    const nothing = () => undefined;
    const stream = userStream({
      lanes: exchange.lanesOf({}),
      signer: signerFor('key-key-key-key-key', 'secret-secret-secret'),
      now: time.now,
      timers: time.timers,
      onExecution: nothing,
      onUnread: nothing,
      onBalances: nothing,
      onReady: nothing,
      onRefused: nothing,
    });
    close = () => stream.close();
  };

  test.each([
    // status, header, and when the refused socket, another one and a request come
    [418, '300', 300_000, 300_000, 300_000],
    [418, undefined, 120_000, 120_000, 120_000],
    [418, 'Wed, 21 Oct 2026 07:28:00 GMT', 120_000, 120_000, 120_000],
    [429, '40', 40_000, 40_000, 1000],
    [403, undefined, 60_000, 1000, 1000],
    [451, undefined, 60_000, 1000, 1000],
    [503, undefined, 250, 1000, 1000],
    [503, '86400', 60_000, 1000, 1000],
  ])('a handshake answered with %i, Retry-After %s, is tried again after %i ms', async (status, retryAfter, own, other, request) => {
    refusals.push({ status, ...(retryAfter !== undefined && { retryAfter }) });
    exchange.stream.subscribe('!miniTicker@arr', () => undefined);
    await time.advance(1000);
    listen();
    const asked = exchange.rest.serverTime();
    // Both sides of a wait may share a millisecond.
    await time.advance(310_000);
    await asked;
    expect([of(STREAM).slice(0, 2), of(API)[0], of(REST)]).toEqual([[0, own], other, [request]]);
  });

  test('while a ban is known no socket is opened, and one that is cut stays closed', async () => {
    exchange.stream.subscribe('!miniTicker@arr', () => undefined);
    await time.settled();
    expect(of(STREAM)).toEqual([0]);
    refusals.push({ status: 418, retryAfter: '120' });
    await expect(time.during(exchange.rest.serverTime())).rejects.toMatchObject({ kind: 'limited', retryAfterMs: 120_000 });
    for (const client of sockets.clients) client.terminate();
    listen();
    await time.advance(119_999);
    expect([of(STREAM), of(API)]).toEqual([[0], []]);
    await time.advance(1);
    expect([of(STREAM), of(API)]).toEqual([[0, 120_000], [120_000]]);
  });
});

test('a listener that throws or closes when the connection ends leaves no half-set timer', async () => {
  const permits: (() => void)[] = [];
  let fail = true;
  const socket = liveSocket({
    url: () => 'no address',
    now: time.now,
    timers: time.timers,
    random: () => 0,
    onOpen: () => undefined,
    onMessage: () => false,
    permit: (open) => {
      permits.push(open);
      return () => undefined;
    },
    onDown: () => {
      if (fail) throw new Error('a listener that fails');
      void socket.close();
    },
  });
  expect(permits[0]).toThrow('a listener that fails');
  await time.advance(250);
  expect(permits).toHaveLength(2);
  fail = false;
  permits[1]!();
  expect(socket.state).toBe('closed');
  expect(await time.jump()).toBe(false);
});

test.each([
  ['still answers', [0]],
  ['has died without a word', [0, 23_000]],
])('a connection that is left for a new one and %s', async (state, gaps) => {
  const seen: number[] = [];
  const socket = liveSocket({
    url: () => `ws://${origin}${STREAM}`,
    now: time.now,
    timers: time.timers,
    random: () => 0,
    onOpen: () => undefined,
    onGap: (gapMs) => void seen.push(gapMs),
    onMessage: () => true,
    // The budget of connections lets the second one wait.
    permit: (open) => time.timers.after(of(STREAM).length === 0 ? 0 : 20_000, open),
  });
  await time.advance(1000);
  const [old] = sockets.clients;
  // Data, and the word that the connection will end.
  for (const message of [{ e: 'trade' }, { e: 'serverShutdown' }]) old!.send(JSON.stringify(message));
  await time.settled();
  // Its side reads nothing from here, so it answers no ping.
  if (state !== 'still answers') old!.pause();
  await time.advance(25_000);
  expect([of(STREAM), [0, ...seen]]).toEqual([[0, 21_000], gaps]);
  await time.during(socket.close());
});

test('a new connection that falls at once hides no gap of the old one, which had died without a word', async () => {
  const seen: number[] = [];
  const socket = liveSocket({
    url: () => `ws://${origin}${STREAM}`,
    now: time.now,
    timers: time.timers,
    random: () => 0,
    onOpen: () => undefined,
    onGap: (gapMs) => void seen.push(gapMs),
    onMessage: () => true,
    permit: (open) => time.timers.after(of(STREAM).length === 1 ? 20_000 : 0, open),
  });
  await time.advance(1000);
  const [old] = sockets.clients;
  for (const message of [{ e: 'trade' }, { e: 'serverShutdown' }]) old!.send(JSON.stringify(message));
  await time.settled();
  old!.pause();
  await time.advance(21_000);
  const [, fresh] = sockets.clients;
  fresh!.send(JSON.stringify({ e: 'trade' }));
  await time.settled();
  fresh!.terminate();
  await time.advance(4000);
  expect(Math.max(...seen)).toBeGreaterThanOrEqual(20_000);
  await time.during(socket.close());
});
