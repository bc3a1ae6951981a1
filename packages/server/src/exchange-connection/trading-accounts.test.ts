import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type VirtualTime, virtualTime } from '@pilotfish/core/testing/virtual-time';
import pino from 'pino';
import { expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { accountLanes } from '../exchange/account-lanes.ts';
import { connectionBudget } from '../exchange/connection-budget.ts';
import { openExchange } from '../exchange/exchange.ts';
import { tradingAccounts } from './trading-accounts.ts';

/** The connections of an exchange that is nothing else. */
const lanesAt = (server: WebSocketServer, time: VirtualTime, theirs = time.now) =>
  accountLanes({
    origin: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    budget: connectionBudget({ now: time.now, timers: time.timers, random: () => 0 }),
    spend: async () => undefined,
    limited: () => undefined,
    time: theirs,
    now: time.now,
    timers: time.timers,
    random: () => 0,
  });

test('the stream of an account is signed by the clock of the exchange, not by ours', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const subscribed = new Promise<{ params: { timestamp: number } }>((heard) =>
    server.once('connection', (socket) => socket.once('message', (data) => heard(JSON.parse((data as Buffer).toString('utf8'))))),
  );
  const time = virtualTime();
  const theirs = time.now() - 7000;
  const lanes = lanesAt(server, time, () => theirs);
  const accounts = tradingAccounts({
    exchange: { lanesOf: () => lanes } as never,
    keys: async () => ({ apiKey: 'key-key-key-key-key', apiSecret: 'secret-secret-secret' }),
    now: time.now,
    timers: time.timers,
    log: pino({ level: 'silent' }),
  });
  const account = await accounts.get('live:a');
  account.listen({ onExecution: () => undefined, onReady: () => undefined });
  expect((await subscribed).params.timestamp).toBe(theirs);
  accounts.close();
  await time.during(lanes.close());
  server.close();
});

test('a stream that is refused for its time has the time asked for anew: the monotonic clock of a machine that slept is behind', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const time = virtualTime();
  let theirs = time.now();
  const windows: number[] = [];
  server.on('connection', (socket) =>
    socket.on('message', (data) => {
      const { id, params } = JSON.parse((data as Buffer).toString('utf8')) as {
        id: number;
        params: { timestamp: number; recvWindow: number };
      };
      windows.push(params.recvWindow);
      const late = theirs - params.timestamp > params.recvWindow;
      socket.send(
        JSON.stringify(late ? { id, status: 400, error: { code: -1021, msg: 'outside of the recvWindow' } } : { id, status: 200 }),
      );
    }),
  );
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const exchange = openExchange({
    origins: { rest: `http://${address}`, stream: `ws://${address}`, api: `ws://${address}` },
    now: time.now,
    timers: time.timers,
    random: () => 0,
    fetch: async () => new Response(JSON.stringify({ serverTime: theirs })),
  });
  await exchange.rest.syncClock();
  theirs += 3_600_000;
  const accounts = tradingAccounts({
    exchange,
    keys: async () => ({ apiKey: 'key-key-key-key-key', apiSecret: 'secret-secret-secret' }),
    now: time.now,
    timers: time.timers,
    log: pino({ level: 'silent' }),
  });
  const account = await accounts.get('live:a');
  await time.during(new Promise<void>((ready) => account.listen({ onExecution: () => undefined, onReady: () => ready() })));
  expect(windows).toEqual([5000, 5000]);
  accounts.close();
  await time.during(exchange.close());
  server.close();
});

test('a report that cannot be read has everybody who listens ask for what was missed, once for several', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const time = virtualTime();
  const event = { subscriptionId: 0, event: { e: 'executionReport', s: 'AUSDT', i: 7 } };
  server.on('connection', (socket) =>
    socket.on('message', (data) => {
      const { id } = JSON.parse((data as Buffer).toString('utf8')) as { id: number };
      socket.send(JSON.stringify({ id, status: 200 }));
      socket.send(JSON.stringify(event));
      socket.send(JSON.stringify(event));
    }),
  );
  const unread: string[] = [];
  const lanes = lanesAt(server, time);
  const accounts = tradingAccounts({
    exchange: {
      lanesOf: () => lanes,
      unread: (rows: readonly { name: string }[]) => void unread.push(...rows.map(({ name }) => name)),
    } as never,
    keys: async () => ({ apiKey: 'key-key-key-key-key', apiSecret: 'secret-secret-secret' }),
    now: time.now,
    timers: time.timers,
    log: pino({ level: 'silent' }),
  });
  const account = await accounts.get('live:a');
  const asked: number[] = [];
  account.listen({ onExecution: () => undefined, onReady: (gapMs) => void asked.push(gapMs) });
  await time.settled();
  expect([unread, asked]).toEqual([['AUSDT 7', 'AUSDT 7'], [0]]);
  await time.advance(1000);
  expect(asked).toEqual([0, 1000]);
  accounts.close();
  await time.during(lanes.close());
  server.close();
});

test('keys and the account of the exchange that they are of belong together, also while others are stored', async () => {
  const of = (name: string) => ({ apiKey: `${name}-key-key-key-key`, apiSecret: 'secret-secret-secret', uid: name });
  let stored = of('old');
  let reading: Promise<void> | undefined;
  const accounts = tradingAccounts({
    exchange: {} as never,
    keys: async () => {
      const read = stored;
      await reading;
      return read;
    },
    now: () => 0,
    timers: virtualTime().timers,
    log: pino({ level: 'silent' }),
  });
  const read = async () => {
    const { signer, uid } = await accounts.get('live:a');
    return [signer.apiKey.slice(0, 3), uid];
  };
  expect(await read()).toEqual(['old', 'old']);
  stored = of('new');
  expect(await read()).toEqual(['old', 'old']);
  accounts.forget('live:a');
  expect(await read()).toEqual(['new', 'new']);
  // Keys that were read before others were stored are not opened after.
  accounts.forget('live:a');
  let end: () => void = () => undefined;
  reading = new Promise((resolve) => {
    end = resolve;
  });
  const asked = read();
  stored = of('one');
  accounts.forget('live:a');
  end();
  expect([await asked, await read()]).toEqual([
    ['one', 'one'],
    ['one', 'one'],
  ]);
  accounts.close();
});
