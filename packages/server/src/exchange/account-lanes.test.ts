import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type VirtualTime, virtualTime } from '@pilotfish/core/testing/virtual-time';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { type AccountLanes, accountLanes } from './account-lanes.ts';
import { connectionBudget } from './connection-budget.ts';
import { signerFor } from './signing.ts';
import { type UserStream, userStream } from './user-stream.ts';

type Connection = {
  readonly socket: WebSocket;
  readonly names: Map<number, string>;
  readonly asked: { method: string; of: string; at: number }[];
};
type Account = { stream: UserStream; gaps: number[]; got: number; refused: (number | undefined)[]; isUrgent: boolean };

let server: WebSocketServer;
let time: VirtualTime;
let lanes: AccountLanes;
let connections: Connection[];
let accounts: Map<string, Account>;
/** What becomes of a subscription, by account and number of the connection. */
let answer: (of: string, connection: number) => 'accept' | 'nameless' | 'silent' | { status: number; code: number; retryAfter?: number };
/** Answers to the next requests to end a subscription; then each is accepted. */
let endRefusals: { status: number; code: number }[];
let random: () => number;
let spent: number;
/** Resolves when weight may be spent again. */
let pause: Promise<void>;
let limited: [number, number][];
/** When connections may be opened. */
let connectionsFrom: number;

beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  time = virtualTime();
  connections = [];
  accounts = new Map();
  answer = () => 'accept';
  endRefusals = [];
  random = () => 0;
  spent = 0;
  pause = Promise.resolve();
  limited = [];
  connectionsFrom = 0;
  server.on('connection', (socket) => {
    const connection: Connection = { socket, names: new Map(), asked: [] };
    const index = connections.push(connection) - 1;
    let next = 0;
    socket.on('message', (data) => {
      const { id, method, params } = JSON.parse(String(data as Buffer)) as {
        id: number;
        method: string;
        params: { apiKey: string; subscriptionId: number };
      };
      const of = method.endsWith('unsubscribe') ? (connection.names.get(params.subscriptionId) ?? '-') : params.apiKey.slice(4);
      connection.asked.push({ method: method.split('.')[1]!, of, at: time.elapsed });
      if (method.endsWith('unsubscribe')) {
        const refusal = endRefusals.shift();
        if (refusal) {
          socket.send(JSON.stringify({ id, status: refusal.status, error: { code: refusal.code, msg: 'no' } }));
          return;
        }
        connection.names.delete(params.subscriptionId);
        socket.send(JSON.stringify({ id, status: 200, result: {} }));
        return;
      }
      const said = answer(of, index);
      if (said === 'silent') return;
      if (typeof said === 'object') {
        const retryAfter = said.retryAfter ?? (said.status === 429 ? 7000 : undefined);
        const data = retryAfter === undefined ? {} : { data: { serverTime: 0, retryAfter } };
        socket.send(JSON.stringify({ id, status: said.status, error: { code: said.code, msg: 'no', ...data } }));
        return;
      }
      const subscriptionId = next++;
      if (said === 'accept') connection.names.set(subscriptionId, of);
      socket.send(JSON.stringify({ id, status: 200, result: said === 'accept' ? { subscriptionId } : {} }));
    });
  });
  lanes = accountLanes({
    origin: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    budget: connectionBudget({
      now: time.now,
      timers: time.timers,
      random: () => random(),
      gate: {
        connectionRefused: () => undefined,
        get connectionsFrom() {
          return connectionsFrom;
        },
      },
    }),
    spend: async (weight) => {
      await pause;
      spent += weight;
    },
    limited: (status, forMs) => void limited.push([status, forMs]),
    time: time.now,
    now: time.now,
    timers: time.timers,
    random: () => random(),
  });
});
afterEach(async () => {
  for (const { stream } of accounts.values()) stream.close();
  await time.during(lanes.close());
  server.close();
});

function open(...names: string[]): void {
  for (const name of names) {
    const account: Account = { stream: undefined as never, gaps: [], got: 0, refused: [], isUrgent: false };
    accounts.set(name, account);
    account.stream = userStream({
      lanes,
      signer: signerFor(`key-${name}`, 'secret-secret-secret'),
      isUrgent: () => account.isUrgent,
      now: time.now,
      timers: time.timers,
      onExecution: () => undefined,
      onUnread: () => undefined,
      onBalances: () => {
        account.got += 1;
      },
      onReady: (gapMs) => void account.gaps.push(gapMs),
      onRefused: (code) => void account.refused.push(code),
    });
  }
}
const account = (name: string): Account => accounts.get(name)!;
const twenty = Array.from({ length: 20 }, (_, index) => `account${index}`);
const isReady = (names: Iterable<string> = accounts.keys()) => [...names].every((name) => account(name).stream.ready);
/** Sends an event of an account on every connection that carries it. */
async function sendEvent(name: string, e = 'outboundAccountPosition', at = connections): Promise<void> {
  for (const { socket, names } of at)
    for (const [subscriptionId, of] of names) if (of === name) socket.send(JSON.stringify({ subscriptionId, event: { e } }));
  await time.settled();
}
const openSockets = () => connections.filter(({ socket }) => socket.readyState === socket.OPEN).length;

test('twenty accounts share a connection; each gets its own events, and weight is taken for each message', async () => {
  open(...twenty);
  await time.advance(2000);
  expect([connections.length, lanes.sizes, isReady()]).toEqual([1, [20], true]);
  expect(spent).toBe(2 + 20 * 2);
  // Not all in one moment: 25 ms apart at least.
  const moments = connections[0]!.asked.map(({ at }) => at);
  expect(moments.at(-1)! - moments[0]!).toBe(19 * 25);
  await sendEvent('account7');
  await sendEvent('account7');
  await sendEvent('account11');
  connections[0]!.socket.send(JSON.stringify({ subscriptionId: 99, event: { e: 'balanceUpdate' } }));
  connections[0]!.socket.send(JSON.stringify({ event: { e: 'balanceUpdate' } }));
  await time.settled();
  expect(twenty.map((name) => account(name).got)).toEqual(twenty.map((name) => ({ account7: 2, account11: 1 })[name] ?? 0));
});

test('an account that is refused, ended or removed does not touch the others', async () => {
  answer = (of) => (of === 'bad' ? { status: 400, code: -2015 } : 'accept');
  open('good', 'bad', 'other', 'last');
  // At 0, 2 and 6 seconds.
  for (let second = 0; second < 10; second += 1) await time.advance(1000);
  expect(account('bad').refused).toEqual([-2015, -2015, -2015]);
  await sendEvent('other', 'eventStreamTerminated');
  await time.advance(100);
  account('last').stream.close();
  await time.advance(100);
  await sendEvent('good');
  expect(connections).toHaveLength(1);
  expect([account('good').gaps, account('other').gaps, account('last').gaps]).toEqual([[0], [0, expect.any(Number)], [0]]);
  expect(isReady(['good', 'other'])).toBe(true);
  expect(connections[0]!.asked.at(-1)).toMatchObject({ method: 'unsubscribe', of: 'last' });
  expect(account('good').got).toBe(1);
});

test('after a cut all subscribe again, urgent ones first, each with its gap', async () => {
  open(...twenty);
  await time.advance(2000);
  account('account15').isUrgent = true;
  connections[0]!.socket.terminate();
  await time.advance(249);
  expect([connections.length, isReady(['account3'])]).toEqual([1, false]);
  await time.advance(2000);
  expect([connections.length, isReady()]).toEqual([2, true]);
  expect(connections[1]!.asked.slice(0, 2).map(({ of }) => of)).toEqual(['account15', 'account0']);
  // From the last frame of the connection, not from the account's last event.
  const last = connections[0]!.asked.at(-1)!.at;
  expect(account('account15').gaps).toEqual([0, 2000 - last + 250]);
  expect(account('account0').gaps).toEqual([0, 2000 - last + 250 + 25]);
});

test('an account whose answer does not come moves to another connection, and no other account does', async () => {
  open('a', 'b');
  await time.advance(100);
  answer = (of, connection) => (of === 'c' && connection < 2 ? 'silent' : 'accept');
  open('c');
  await time.advance(15_100);
  expect([connections.length, openSockets(), account('c').stream.ready]).toEqual([2, 2, false]);
  await time.advance(30_000);
  expect([connections.length, openSockets(), account('c').stream.ready]).toEqual([3, 2, true]);
  expect([account('a').gaps, account('b').gaps, account('c').gaps]).toEqual([[0], [0], [0]]);
  expect(connections[0]!.asked.map(({ of }) => of)).toEqual(['a', 'b', 'c']);
});

test('an answer that comes after its account has moved ends that subscription', async () => {
  let id = 0;
  open('a');
  await time.advance(100);
  answer = (of, connection) => (of === 'b' && connection === 0 ? 'silent' : 'accept');
  connections[0]!.socket.on('message', (data) => {
    id = (JSON.parse(String(data as Buffer)) as { id: number }).id;
  });
  open('b');
  await time.advance(16_000);
  connections[0]!.names.set(7, 'b');
  connections[0]!.socket.send(JSON.stringify({ id, status: 200, result: { subscriptionId: 7 } }));
  await time.advance(100);
  expect(connections[0]!.asked.at(-1)).toMatchObject({ method: 'unsubscribe', of: 'b' });
  await sendEvent('b');
  expect([account('b').got, account('b').gaps, account('a').gaps]).toEqual([1, [0], [0]]);
});

test('a subscription is asked to end until the exchange confirms it: it counts there, and its events go on', async () => {
  endRefusals = [
    { status: 429, code: -1003 },
    { status: 500, code: -1000 },
  ];
  open('a', 'b');
  await time.advance(1000);
  account('b').stream.close();
  const pass = async (seconds: number) => {
    for (let passed = 0; passed < seconds; passed += 20) {
      await time.advance(20_000);
      connections[0]!.socket.ping();
      await time.settled();
    }
  };
  await pass(200);
  const [{ asked, names }] = connections as [Connection];
  expect(asked.filter(({ method }) => method === 'unsubscribe').map(({ at }) => at)).toEqual([1000, 16_000, 46_000]);
  expect([[...names.values()], limited]).toEqual([['a'], [[429, 60_000]]]);
  // One that is gone already has ended.
  endRefusals = [{ status: 400, code: -2036 }];
  open('c');
  await time.advance(1000);
  account('c').stream.close();
  await pass(60);
  expect([connections.length, asked.filter(({ method, of }) => method === 'unsubscribe' && of === 'c').length]).toEqual([1, 1]);
});

test.each([
  ['still answers', [0]],
  ['has died without a word', [0, 15_000 + 3000]],
])('a connection that an account leaves and that %s', async (state, gaps) => {
  answer = (_, connection) => (connection === 1 ? 'silent' : 'accept');
  open('a');
  await time.advance(1000);
  connections[0]!.socket.send(JSON.stringify({ event: { e: 'serverShutdown', E: 1 } }));
  await time.settled();
  if (state !== 'still answers') connections[0]!.socket.pause();
  await time.advance(25_000);
  // The second connection owes its answer for fifteen seconds; both the first and the third are read for three.
  expect([account('a').gaps, connections.length, isReady()]).toEqual([gaps, 3, true]);
});

test('one that is not believed moves away with the gap since its last event; the others stay', async () => {
  open('a', 'b');
  await time.advance(1000);
  await sendEvent('a');
  await time.advance(5000);
  account('a').stream.renew();
  await time.advance(1000);
  expect([lanes.sizes, account('a').gaps, account('b').gaps]).toEqual([[1, 1], [0, 5000], [0]]);
  expect(connections[0]!.asked.at(-1)).toMatchObject({ method: 'unsubscribe', of: 'a' });
});

test.each(['its end is announced', 'its day is nearly over'])('a connection is left without a gap when %s', async (reason) => {
  open(...twenty);
  await time.advance(2000);
  if (reason === 'its end is announced') connections[0]!.socket.send(JSON.stringify({ event: { e: 'serverShutdown', E: 1 } }));
  else {
    // Kept alive by its pings.
    for (let hour = 2000; hour < 23 * 3_600_000 - 30_000; hour += 30_000) {
      connections[0]!.socket.ping();
      await time.settled();
      await time.advance(30_000);
    }
    expect(connections).toHaveLength(1);
    connections[0]!.socket.ping();
    while (connections.length === 1) await time.advance(1000);
  }
  await time.advance(1000);
  expect([connections.length, openSockets(), isReady()]).toEqual([2, 2, true]);
  // Both bring it for a moment.
  await sendEvent('account4');
  expect(account('account4').got).toBe(2);
  await time.advance(4000);
  expect([openSockets(), isReady(), lanes.sizes]).toEqual([1, true, [20]]);
  await sendEvent('account4');
  expect(account('account4').got).toBe(3);
  expect(twenty.map((name) => account(name).gaps)).toEqual(twenty.map(() => [0]));
});

test('a connection that ends while its accounts move leaves a gap only to those that had not arrived', async () => {
  answer = (of, connection) => (of === 'late' && connection === 1 ? 'silent' : 'accept');
  open('early', 'late');
  await time.advance(1000);
  connections[0]!.socket.send(JSON.stringify({ event: { e: 'serverShutdown', E: 1 } }));
  await time.advance(500);
  // A new account gets no connection that is about to end.
  open('new');
  await time.advance(100);
  expect(connections[0]!.asked.map(({ of }) => of)).toEqual(['early', 'late']);
  connections[0]!.socket.terminate();
  await time.settled();
  expect([isReady(['early', 'new']), isReady(['late'])]).toEqual([true, false]);
  await time.advance(60_000);
  expect([isReady(), account('early').gaps, account('late').gaps]).toEqual([true, [0], [0, expect.any(Number)]]);
  expect(connections).toHaveLength(3);
});

test('an account that its new connection has turned away for now is asked for again when the old one ends', async () => {
  open('a', 'b');
  await time.advance(1000);
  let refusals = 2;
  answer = (of, connection) => (of === 'a' && connection === 1 && refusals-- > 0 ? { status: 400, code: -1021 } : 'accept');
  connections[0]!.socket.send(JSON.stringify({ event: { e: 'serverShutdown', E: 1 } }));
  await time.advance(1000);
  connections[0]!.socket.terminate();
  await time.settled();
  expect([isReady(['a']), isReady(['b'])]).toEqual([false, true]);
  await time.advance(10_000);
  expect([isReady(), account('a').gaps, connections.length]).toEqual([true, [0, expect.any(Number)], 2]);
});

test('a new connection that is deaf for an account is not taken while the old one brings events', async () => {
  open('a');
  await time.advance(1000);
  connections[0]!.socket.send(JSON.stringify({ event: { e: 'serverShutdown', E: 1 } }));
  await time.advance(500);
  for (let second = 0; second < 20; second += 1) {
    await sendEvent('a', 'balanceUpdate', connections.slice(0, 1));
    await time.advance(1000);
  }
  expect([connections[0]!.socket.readyState, account('a').got, account('a').gaps]).toEqual([1, 20, [0]]);
  expect(openSockets()).toBe(1);
  // Once it falls the connection that takes its place is one like any other.
  connections[0]!.socket.terminate();
  await time.advance(1000);
  open('b');
  await time.advance(1000);
  expect([lanes.sizes, openSockets(), isReady()]).toEqual([[2], 1, true]);
});

test('subscriptions without a name get a connection each: events on a shared one could not be assigned', async () => {
  answer = () => 'nameless';
  open('a', 'b', 'c');
  await time.advance(2000);
  expect([openSockets(), lanes.sizes, isReady()]).toEqual([3, [1, 1, 1], true]);
  const ofB = connections.find(({ socket, asked }) => socket.readyState === socket.OPEN && asked[0]?.of === 'b');
  ofB!.socket.send(JSON.stringify({ event: { e: 'balanceUpdate' } }));
  ofB!.socket.send(JSON.stringify({ subscriptionId: 0, event: { e: 'balanceUpdate' } }));
  await time.settled();
  expect(['a', 'b', 'c'].map((name) => account(name).got)).toEqual([0, 2, 0]);
});

test('an account that a connection carries already by other keys goes to another connection', async () => {
  answer = (of, connection) => (of === 'b' && connection === 0 ? { status: 400, code: -2035 } : 'accept');
  open('a', 'b', 'c');
  await time.advance(3000);
  expect([lanes.sizes, isReady(), account('a').gaps, account('c').gaps]).toEqual([[2, 1], true, [0], [0]]);
  await sendEvent('b');
  expect(['a', 'b', 'c'].map((name) => account(name).got)).toEqual([0, 1, 0]);
});

test('a limit holds back everything that uses the weight, for as long as the exchange says', async () => {
  let count = 0;
  answer = () => (count++ === 0 ? { status: 429, code: -1003 } : 'accept');
  open('a');
  await time.advance(6900);
  expect([limited, isReady()]).toEqual([[[429, 7000]], false]);
  await time.advance(200);
  expect(isReady()).toBe(true);
});

test.each([
  ['has ended, by its clock', -1, 1000],
  ['does not end', Number.MAX_SAFE_INTEGER, 3 * 86_400_000],
])('a ban that %s counts for no less than a second and no more than the longest', async (_, retryAfter, forMs) => {
  let count = 0;
  answer = () => (count++ === 0 ? { status: 418, code: -1003, retryAfter } : 'accept');
  open('a');
  await time.advance(1000);
  expect(limited).toEqual([[418, forMs]]);
});

test('while nothing may leave no connection is opened either', async () => {
  let end: () => void = () => undefined;
  pause = new Promise((resolve) => {
    end = resolve;
  });
  open('a');
  await time.advance(60_000);
  expect(connections).toHaveLength(0);
  end();
  await time.advance(100);
  expect([connections.length, isReady()]).toEqual([1, true]);
});

test('a connection that waited for its weight is not opened while connections have to wait', async () => {
  let end: () => void = () => undefined;
  pause = new Promise((resolve) => {
    end = resolve;
  });
  open('a');
  await time.advance(1000);
  // The handshake of another one was answered with 429.
  connectionsFrom = time.now() + 60_000;
  end();
  await time.advance(59_000);
  expect(connections).toHaveLength(0);
  await time.advance(1100);
  expect([connections.length, isReady()]).toEqual([1, true]);
});

test('connections that are cut at once do not come back in the same moment', async () => {
  open(...Array.from({ length: 601 }, (_, index) => `account${index}`));
  await time.advance(20_000);
  expect(lanes.sizes).toEqual([200, 200, 200, 1]);
  let draws = 0;
  random = () => (draws++ * 0.37) % 1;
  const moments: number[] = [];
  server.on('connection', () => void moments.push(time.elapsed));
  for (const { socket } of connections.slice()) socket.terminate();
  await time.advance(1000);
  expect(new Set(moments).size).toBe(4);
});
