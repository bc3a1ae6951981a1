import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { virtualTime } from '@pilotfish/core/testing/virtual-time';
import pino from 'pino';
import { expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { tradingAccounts } from './trading-accounts.ts';

test('the stream of an account is signed by the clock of the exchange, not by ours', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const subscribed = new Promise<{ params: { timestamp: number } }>((heard) =>
    server.once('connection', (socket) => socket.once('message', (data) => heard(JSON.parse((data as Buffer).toString('utf8'))))),
  );
  const time = virtualTime();
  const theirs = time.now() - 7000;
  const accounts = tradingAccounts({
    exchange: { origins: { api: `ws://127.0.0.1:${(server.address() as AddressInfo).port}` }, rest: { time: () => theirs } } as never,
    keys: async () => ({ apiKey: 'key-key-key-key-key', apiSecret: 'secret-secret-secret' }),
    now: time.now,
    timers: time.timers,
    random: () => 0,
    log: pino({ level: 'silent' }),
  });
  const account = await accounts.get('live:a');
  account.listen({ onExecution: () => undefined, onReady: () => undefined });
  expect((await subscribed).params.timestamp).toBe(theirs);
  await time.during(accounts.close());
  server.close();
});
