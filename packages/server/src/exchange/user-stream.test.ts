import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { signerFor } from './signing.ts';
import { type UserStream, userStream } from './user-stream.ts';

let server: WebSocketServer;
let stream: UserStream;
let asked: { id: number; method: string }[];
let readied: () => void;
let readyCount: number;
const refused: (number | undefined)[] = [];

beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  asked = [];
  readyCount = 0;
  readied = () => undefined;
  refused.length = 0;
});
afterEach(async () => {
  await stream.close();
  server.close();
});

const open = (more: { answerMs?: number } = {}) => {
  stream = userStream({
    origin: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    signer: signerFor('key-key-key-key-key', 'secret-secret-secret'),
    time: () => 1000,
    now: () => 1000,
    random: () => 0,
    onExecution: () => undefined,
    onBalances: () => undefined,
    onReady: () => {
      readyCount += 1;
      readied();
    },
    onRefused: (code) => void refused.push(code),
    retryMs: 1,
    ...more,
  });
};
const nextReady = () => new Promise<void>((done) => (readied = done));

/** Answers subscriptions one after the other by what is given; the last answer goes on. */
function serve(answers: readonly ((id: number) => unknown)[]): Promise<WebSocket> {
  return new Promise((done) => {
    server.once('connection', (socket) => {
      socket.on('message', (data) => {
        const message = JSON.parse((data as Buffer).toString('utf8')) as { id: number; method: string };
        asked.push(message);
        socket.send(JSON.stringify(answers[Math.min(asked.length, answers.length) - 1]!(message.id)));
      });
      done(socket);
    });
  });
}
const accept = (id: number) => ({ id, status: 200, result: { subscriptionId: 0 } });
const refuse = (id: number) => ({
  id,
  status: 400,
  error: { code: -1021, msg: 'Timestamp for this request is outside of the recvWindow.' },
});

test('a refused subscription is asked for again: an account must not stay unheard', async () => {
  const ready = nextReady();
  void serve([refuse, refuse, accept]);
  open();
  await ready;
  expect(asked.map(({ method }) => method)).toEqual(Array(3).fill('userDataStream.subscribe.signature'));
  expect(refused).toEqual([-1021, -1021]);
  expect(stream.ready).toBe(true);
});

test('a subscription that the exchange ended is taken up again, and its owner asks what it missed', async () => {
  const first = nextReady();
  const socket = serve([accept]);
  open();
  await first;
  const second = nextReady();
  (await socket).send(JSON.stringify({ subscriptionId: 0, event: { e: 'eventStreamTerminated', E: 1 } }));
  await second;
  expect(asked).toHaveLength(2);
  expect(readyCount).toBe(2);
});

test('a subscription that is never answered is asked for by another connection: pings alone would keep this one for hours', async () => {
  const ready = nextReady();
  let connections = 0;
  server.on('connection', (socket) => {
    connections += 1;
    const isDeaf = connections === 1;
    socket.on('message', (data) => {
      const message = JSON.parse((data as Buffer).toString('utf8')) as { id: number; method: string };
      asked.push(message);
      if (!isDeaf) socket.send(JSON.stringify(accept(message.id)));
    });
  });
  // Long enough for the second connection, which answers at once, also where the machine stops for a moment.
  open({ answerMs: 1000 });
  await ready;
  expect([connections, asked.length, readyCount]).toEqual([2, 2, 1]);
  expect(stream.ready).toBe(true);
});
