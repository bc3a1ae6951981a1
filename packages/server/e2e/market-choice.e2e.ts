import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import type { MarketChoice } from '@pilotfish/core/admin/market-choice-contract';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { AppConfig } from '@pilotfish/core/prices/prices-contract';
import { until as untilSeen } from '@pilotfish/core/testing/until';
import { type VirtualTime, virtualTime } from '@pilotfish/core/testing/virtual-time';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { testMarket } from '@pilotfish/simulator/testing/test-market';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SignedInUser, startTestServer, type TestServer } from '../src/app/testing/test-server.ts';
import { BUYS_AT_ONCE } from './bot-stage.ts';

/** Two exchanges: one stands for the simulated market, one for Binance, behind a door that counts who comes. */
let time: VirtualTime;
let simulated: Simulator;
let binance: Simulator;
let door: { readonly port: number; readonly visits: () => number; close(): void };
let server: TestServer;
let admin: SignedInUser;

async function countingDoor(origin: string): Promise<typeof door> {
  let visits = 0;
  const target = Number(new URL(origin).port);
  const listener = createServer((socket) => {
    visits += 1;
    const onward = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const)
      from
        .on('error', () => to.destroy())
        .on('close', () => to.destroy())
        .pipe(to);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return { port: (listener.address() as AddressInfo).port, visits: () => visits, close: () => void listener.close() };
}

async function start(settings: object = {}): Promise<void> {
  server = await startTestServer({
    time,
    settings: {
      exchange: undefined,
      exchangesAt: {
        simulated: { rest: simulated.origin, ws: simulated.wsOrigin },
        binance: { rest: `http://127.0.0.1:${door.port}`, ws: `ws://127.0.0.1:${door.port}` },
      },
      ...settings,
    },
  });
  admin = await server.register();
}

beforeEach(async () => {
  time = virtualTime();
  const { now, timers } = time;
  simulated = await startSimulator({ market: testMarket(1), paused: true, now, timers });
  binance = await startSimulator({ market: testMarket(2), paused: true, now, timers });
  door = await countingDoor(binance.origin);
});
afterEach(async () => {
  await server.close();
  for (const simulator of [simulated, binance]) await time.during(simulator.close());
  door.close();
});

const until = (what: string, holds: () => Promise<boolean>) =>
  untilSeen(what, holds, {
    time,
    stepMs: 1000,
    meanwhile: async () => void (await Promise.all([simulated, binance].map((one) => one.clock.advance(1000)))),
  });
const choice = async () => (await admin.call<MarketChoice>('/bff/v2/admin/market')).body;
const choose = (market: string, rest?: boolean) =>
  admin.call<MarketChoice & { code?: string; detail?: string }>('/bff/v2/admin/market', { method: 'PUT', body: { market, rest } });
/** While it begins again it refuses connections. */
const isAt = (market: string) => async () =>
  await server.call<AppConfig>('/bff/v1/app-config').then(
    ({ body }) => body.exchange === market,
    () => false,
  );

test('nothing is asked of an exchange before an Admin chose it; the choice holds through restarts', async () => {
  await start();
  expect(await choice()).toMatchObject({ market: 'simulated', decidedBy: 'default', changingTo: null });
  await time.advance(60_000);
  expect(door.visits()).toBe(0);

  // The simulated market is what it works with already: nothing ends.
  const before = server.context;
  expect((await choose('simulated')).body).toMatchObject({ market: 'simulated', decidedBy: 'admin', changingTo: null });
  expect(server.context).toBe(before);

  const url = server.url;
  expect((await choose('binance')).body).toMatchObject({ market: 'simulated', changingTo: 'binance' });
  expect((await choose('binance')).body).toMatchObject({ code: 'not-possible-now' });
  await until('it begins again', isAt('binance'));
  // Whoever was signed in still is, at the same address.
  expect(server.url).toBe(url);
  await until('its prices are there', async () => (await choice()).reachable);
  expect(await choice()).toMatchObject({ market: 'binance', decidedBy: 'admin', changingTo: null });
  expect(door.visits()).toBeGreaterThan(0);

  await server.restart();
  expect(await choice()).toMatchObject({ market: 'binance', decidedBy: 'admin' });
});

test('an exchange that cannot be reached is said, and nothing falls back by itself', async () => {
  await start({
    exchangesAt: {
      simulated: { rest: simulated.origin, ws: simulated.wsOrigin },
      binance: { rest: 'http://127.0.0.1:1', ws: 'ws://127.0.0.1:1' },
    },
  });
  await choose('binance');
  await until('it begins again', isAt('binance'));
  await time.advance(60_000);
  expect(await choice()).toMatchObject({ market: 'binance', reachable: false, trouble: 'network' });
  await choose('simulated');
  await until('it is back', async () => (await isAt('simulated')()) && (await choice()).reachable);
});

test('what the environment says is not changed', async () => {
  await start({ exchange: 'simulated' });
  expect(await choice()).toMatchObject({ market: 'simulated', decidedBy: 'environment' });
  const refused = await choose('binance');
  expect(refused).toMatchObject({ status: 409, body: { code: 'not-possible-now' } });
  expect(refused.body.detail).toContain('PILOTFISH_EXCHANGE');
  expect(door.visits()).toBe(0);
});

test('a bot that runs is left to rest only where that is known', async () => {
  await start();
  const open = () =>
    admin.call<Wallet>('/bff/v2/wallets', { body: { name: 'Paper', mode: 'paper', currency: 'USDT', initialBalance: '1000' } });
  await until('the market is read', async () => (await open()).status === 201);
  const [wallet] = (await admin.call<Wallet[]>('/bff/v2/wallets')).body;
  const config = { ...BUYS_AT_ONCE, walletId: wallet!.id, entry: { ...BUYS_AT_ONCE.entry, size: { mode: 'fixed', value: '500' } } };
  const { body } = await admin.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', { body: config });
  expect((await admin.call(`/bff/v2/auto-trades/${body.autoTrade.id}/enable`, { method: 'POST', body: {} })).status).toBe(200);

  expect(await choose('binance')).toMatchObject({ status: 409, body: { code: 'in-use' } });
  expect((await choose('binance')).body.detail).toContain('Running bots: 1;');
  expect(await choice()).toMatchObject({ market: 'simulated', decidedBy: 'default', changingTo: null });
  expect((await choose('binance', true)).status).toBe(200);
  await until('it begins again', isAt('binance'));
});
