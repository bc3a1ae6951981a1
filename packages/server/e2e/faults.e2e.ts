import type { AutoTrade, AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { StoredTrace } from '@pilotfish/core/auto-trades/trace';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SignedInUser, startTestServer, type TestServer } from '../src/app/testing/test-server.ts';
import { exchangeRest } from '../src/exchange/exchange-rest.ts';
import { ordersPayload } from '../src/exchange/payloads.ts';
import { signerFor } from '../src/exchange/signing.ts';
import { weightBudget } from '../src/exchange/weight-budget.ts';

// The simulated exchange stands still unless it is moved, so every fault falls where the test puts it.

let simulator: Simulator;
let server: TestServer;
let user: SignedInUser;
let keys: { clientId: string; clientSecret: string };
let bot: AutoTrade;

beforeEach(async () => {
  simulator = await startSimulator({ market: { kind: 'seeded', seed: 11 }, paused: true });
  server = await startTestServer({ realClock: true, settings: { exchangeRestUrl: simulator.origin, exchangeWsUrl: simulator.wsOrigin } });
  user = await server.register();
  keys = (await user.call<typeof keys>('/gateway/v2/account/connect/binance/demo', { method: 'POST' })).body;
  await user.call('/gateway/v2/account/connect/binance', { body: keys });
  const wallet = await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Main', mode: 'live', initialBalance: '1000' } });
  const created = await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', {
    body: {
      name: 'Now',
      walletId: wallet.body.id,
      coins: { symbols: ['BTCUSDT'] },
      entry: {
        size: { mode: 'fixed', value: '500' },
        trigger: { kind: 'immediate' },
        trailing: { enabled: false },
        order: { type: 'Market' },
        maxSpreadPct: '5',
      },
      takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] },
      stopLoss: { mode: 'none' },
    },
  });
  bot = created.body.autoTrade;
});
afterEach(async () => {
  await server.close();
  await simulator.close();
});

const enable = () => user.call<AutoTrade>(`/bff/v2/auto-trades/${bot.id}/enable`, { method: 'POST', body: {} });
const detail = async () => (await user.call<AutoTradeDetail>(`/bff/v2/auto-trades/${bot.id}/detail`)).body;
const kinds = async () => {
  const { body } = await user.call<{ items: StoredTrace[] }>(`/bff/v2/auto-trades/${bot.id}/traces?pageSize=200`);
  return body.items.reverse().map((trace) => trace.kind);
};

/** Moves the market a little until something is so. */
async function until(what: string, holds: () => Promise<boolean>, move = true): Promise<void> {
  const end = Date.now() + 40_000;
  while (Date.now() < end) {
    if (await holds()) return;
    if (move) await simulator.clock.advance(1000);
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`${what} did not happen`);
}

async function ordersAtExchange() {
  const rest = exchangeRest({ origin: simulator.origin, now: Date.now, budget: weightBudget({ limit: 6000, now: Date.now }) });
  return rest.request({
    method: 'GET',
    path: '/api/v3/allOrders',
    weight: 20,
    parameters: { symbol: 'BTCUSDT' },
    signer: signerFor(keys.clientId, keys.clientSecret),
    answer: ordersPayload,
  });
}

describe('an order is never doubled and never lost', () => {
  test('the exchange executes it and the answer is lost', async () => {
    simulator.faults.next({ method: 'POST', path: '/api/v3/order', times: 1, loseAnswer: true });
    await enable();
    await until('the buy', async () => (await kinds()).includes('Buy'));
    expect(await kinds()).toEqual(['Entry', 'Buy']);
    expect(await ordersAtExchange()).toHaveLength(1);
  });

  test('the exchange answers 502 and had not executed it', async () => {
    simulator.faults.next({ method: 'POST', path: '/api/v3/order', times: 1, status: 502 });
    await enable();
    await until('the entry to be given up', async () => (await kinds()).includes('Exit'));
    expect((await kinds()).slice(0, 2)).toEqual(['Entry', 'Exit']);
    const orders = await ordersAtExchange();
    const bought = (await kinds()).filter((kind) => kind === 'Buy').length;
    expect(orders.length).toBe(bought);
  });

  test('the trades cannot be read after the order was placed', async () => {
    simulator.faults.next({ method: 'GET', path: '/api/v3/myTrades', times: 2, status: 503 });
    await enable();
    await until('the buy', async () => (await kinds()).includes('Buy'));
    expect(await kinds()).toEqual(['Entry', 'Buy']);
    expect(await ordersAtExchange()).toHaveLength(1);
  });

  test('the server restarts while the position is open', async () => {
    await enable();
    await until('the buy', async () => (await kinds()).includes('Buy'));
    await until('the position being open', async () => (await detail()).positions[0]?.state === 'Open');
    const before = (await detail()).positions[0];
    await server.restart();
    await until('the bot being back', async () => (await detail()).evaluations.length > 0, false);
    expect((await detail()).positions[0]).toEqual(before);
    await simulator.clock.advance(5000);
    expect(await ordersAtExchange()).toHaveLength(1);
  });

  test('the streams are cut while the position is open', async () => {
    await enable();
    await until('the buy', async () => (await kinds()).includes('Buy'));
    simulator.faults.dropSockets();
    await until('prices coming again', async () => {
      const at = (await detail()).evaluations[0]?.at;
      return at !== null && at !== undefined && Date.parse(at) > simulator.clock.now() - 1500;
    });
    expect(await ordersAtExchange()).toHaveLength(1);
  });
});

describe('the kill switch', () => {
  test('from its answer on nothing is signed', async () => {
    // The order waits for the exchange's weight; the switch falls while it waits.
    await enable();
    const halted = await user.call('/bff/v2/auto-trades/halt', { body: { scope: 'all', reason: 'test' } });
    expect(halted.body).toEqual({ halted: 1, liquidating: 0 });
    const before = (await ordersAtExchange()).length;
    await simulator.clock.advance(20_000);
    await new Promise((done) => setTimeout(done, 300));
    expect((await ordersAtExchange()).length).toBe(before);
    expect((await detail()).state).toBe('Halted');
    const again = await enable();
    expect(again.status).toBe(409);
    await server.restart();
    expect((await detail()).state).toBe('Halted');
    const acknowledged = await user.call<AutoTrade>(`/bff/v2/auto-trades/${bot.id}/enable`, {
      method: 'POST',
      body: { acknowledge: true },
    });
    expect(acknowledged.body).toMatchObject({ state: 'Running' });
  });
});

test('a key that no longer works blocks the bot instead of trying on', async () => {
  simulator.faults.next({
    method: 'POST',
    path: '/api/v3/order',
    times: 1,
    status: 401,
    code: -2015,
    msg: 'Invalid API-key, IP, or permissions for action.',
  });
  await enable();
  await until('the bot being blocked', async () => (await detail()).state === 'Blocked');
  expect((await detail()).stateReason).toBe('invalid-key');
  expect(await ordersAtExchange()).toHaveLength(0);
});
