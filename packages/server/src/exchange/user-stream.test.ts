import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type VirtualTime, virtualTime } from '@pilotfish/core/testing/virtual-time';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { type AccountLanes, accountLanes } from './account-lanes.ts';
import { connectionBudget } from './connection-budget.ts';
import { signerFor } from './signing.ts';
import { type UserStream, userStream } from './user-stream.ts';

let server: WebSocketServer;
let lanes: AccountLanes;
let stream: UserStream;
let asked: { id: number; method: string }[];
let time: VirtualTime;
let readyCount: number;
let balances: number;
const executed: string[] = [];
const unread: string[] = [];
const refused: (number | undefined)[] = [];

beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  asked = [];
  readyCount = 0;
  balances = 0;
  time = virtualTime();
  refused.length = 0;
  unread.length = 0;
  executed.length = 0;
});
afterEach(async () => {
  stream.close();
  await time.during(lanes.close());
  server.close();
});

const open = () => {
  const { now, timers } = time;
  const random = () => 0;
  lanes = accountLanes({
    origin: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    budget: connectionBudget({ now, timers, random }),
    spend: async () => undefined,
    limited: () => undefined,
    time: now,
    now,
    timers,
    random,
  });
  stream = userStream({
    lanes,
    signer: signerFor('key-key-key-key-key', 'secret-secret-secret'),
    now,
    timers,
    onExecution: ({ i, t }) => void executed.push(`${i} ${t}`),
    onUnread: (rows) => void unread.push(...rows.map(({ name, field }) => `${name} ${field}`)),
    onBalances: () => {
      balances += 1;
    },
    onReady: () => {
      readyCount += 1;
    },
    onRefused: (code) => void refused.push(code),
  });
};
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
  void serve([refuse, refuse, accept]);
  open();
  // After two seconds, and after four more.
  await time.advance(5999);
  expect(refused).toHaveLength(2);
  expect(stream.ready).toBe(false);
  await time.advance(1);
  expect(asked.map(({ method }) => method)).toEqual(Array(3).fill('userDataStream.subscribe.signature'));
  expect(refused).toEqual([-1021, -1021]);
  expect(stream.ready).toBe(true);
});

test('a subscription that the exchange ended is taken up again, and its owner asks what it missed', async () => {
  const socket = serve([accept]);
  open();
  await time.settled();
  expect(readyCount).toBe(1);
  (await socket).send(JSON.stringify({ subscriptionId: 0, event: { e: 'eventStreamTerminated', E: 1 } }));
  await time.advance(50);
  expect(asked).toHaveLength(2);
  expect(readyCount).toBe(2);
});

test('a subscription that is ended again and again is taken up ever more seldom', async () => {
  const socket = serve([accept]);
  open();
  await time.settled();
  for (const [seconds, count] of [
    [1, 2],
    [1, 2],
    [2, 3],
    [3, 3],
    [2, 4],
  ] as const) {
    if (stream.ready) (await socket).send(JSON.stringify({ subscriptionId: 0, event: { e: 'eventStreamTerminated', E: 1 } }));
    await time.advance(seconds * 1000);
    expect(asked).toHaveLength(count);
  }
});

test('a connection that listens already is one that listens', async () => {
  void serve([(id) => ({ id, status: 400, error: { code: -2035, msg: 'User Data Stream subscription already active.' } })]);
  open();
  await time.settled();
  expect([stream.ready, readyCount, refused]).toEqual([true, 1, []]);
});

test('a subscription that is never answered is asked for by another connection: pings alone would keep this one for hours', async () => {
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
  open();
  await time.advance(14_999);
  expect([connections, readyCount]).toEqual([1, 0]);
  // The wait for an answer is over; the new connection is made half a first back-off later.
  await time.advance(251);
  expect([connections, asked.length, readyCount]).toEqual([2, 2, 1]);
  expect(stream.ready).toBe(true);
});

const report =
  '{"e":"executionReport","E":1,"s":"AUSDT","c":"x","S":"BUY","o":"LIMIT","f":"GTC","q":"1","p":"1","P":"0","F":"0","g":-1,"C":"","x":"TRADE","X":"FILLED","r":"NONE","i":930001112223334401,"l":"1.00000000","z":"1.00000000","L":"4.2E-7","n":"0","N":null,"T":1700000000000,"t":930001112223334417,"Z":"1","Y":"1","I":1,"w":false,"m":false,"M":false,"O":1,"Q":"0"}';

test('ids of reports keep every digit; a report that cannot be read is told as such', async () => {
  const socket = serve([accept]);
  open();
  await time.settled();
  const send = async (event: string) => (await socket).send(`{"subscriptionId":0,"event":${event}}`);
  await send(report);
  await send(report.replace('"l":"1.00000000"', '"l":null'));
  await time.settled();
  expect([executed, unread]).toEqual([['930001112223334401 930001112223334417'], ['AUSDT 930001112223334401 930001112223334417 l']]);
});

test('a report without its last quote amount is read; what another system locks changes balances', async () => {
  const socket = serve([accept]);
  open();
  await time.settled();
  const send = async (event: string) => (await socket).send(`{"subscriptionId":0,"event":${event}}`);
  const { Y: _, ...without } = JSON.parse(report) as Record<string, unknown>;
  await send(JSON.stringify({ ...without, i: '7', t: '8' }));
  await send('{"e":"externalLockUpdate","E":1581557507324,"a":"NEO","d":"10.00000000","T":1581557507268}');
  await time.settled();
  expect([executed, unread, balances]).toEqual([['7 8'], [], 1]);
});
