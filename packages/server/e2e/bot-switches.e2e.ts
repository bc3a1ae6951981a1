import type { AutoTrade, AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { StoredTrace } from '@pilotfish/core/auto-trades/trace';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SignedInUser, startTestServer, type TestServer } from '../src/app/testing/test-server.ts';
import { exchangeRest } from '../src/exchange/exchange-rest.ts';
import { ordersPayload } from '../src/exchange/payloads.ts';
import { signerFor } from '../src/exchange/signing.ts';
import { weightBudget } from '../src/exchange/weight-budget.ts';
import { auditBots, type Get } from './bot-audit.ts';

// A kill switch, a reset and a take-over that come at the worst moment. The market stands still unless it is moved.

let simulator: Simulator;
let server: TestServer;
let user: SignedInUser;
let keys: { apiKey: string; apiSecret: string };
let wallet: Wallet;

beforeEach(async () => {
  simulator = await startSimulator({ market: { kind: 'seeded', seed: 11 }, paused: true });
  server = await startTestServer({ realClock: true, settings: { exchangeRestUrl: simulator.origin, exchangeWsUrl: simulator.wsOrigin } });
  user = await server.register();
  keys = await simulator.createAccount({ burnBnb: false, balances: { USDT: '10000' } });
  const connected = await user.call('/gateway/v2/account/connect/binance', {
    body: { clientId: keys.apiKey, clientSecret: keys.apiSecret },
  });
  expect(connected.status).toBe(200);
  wallet = (await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Main', mode: 'live', initialBalance: '5000' } })).body;
});
afterEach(async () => {
  await server?.close();
  await simulator?.close();
});

async function enabled(over: Record<string, unknown> = {}): Promise<AutoTrade> {
  const body = {
    name: 'Switched',
    walletId: wallet.id,
    coins: { symbols: ['BTCUSDT'] },
    entry: {
      size: { mode: 'fixed', value: '1000' },
      trigger: { kind: 'immediate' },
      trailing: { enabled: false },
      order: { type: 'Market' },
      maxSpreadPct: '5',
    },
    takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] },
    stopLoss: { mode: 'percent', pct: '40' },
    cooldown: { afterWinMin: 600, afterLossMin: 600 },
    ...over,
  };
  const created = await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', { body });
  expect(created.status, JSON.stringify(created.body).slice(0, 300)).toBe(200);
  await ask(created.body.autoTrade, 'enable');
  return created.body.autoTrade;
}
const ask = (bot: AutoTrade, what: string, body: unknown = {}) =>
  user.call<AutoTrade>(`/bff/v2/auto-trades/${bot.id}/${what}`, { method: 'POST', body });
const get: Get = async <Body>(path: string) => (await user.call<Body>(path)).body;
const detail = (bot: AutoTrade) => get<AutoTradeDetail>(`/bff/v2/auto-trades/${bot.id}/detail`);
const story = async (bot: AutoTrade) =>
  (await get<{ items: StoredTrace[] }>(`/bff/v2/auto-trades/${bot.id}/traces?pageSize=200`)).items
    .reverse()
    .map(({ kind, reason }) => `${kind} ${reason}`);
const openOrders = () =>
  exchangeRest({ origin: simulator.origin, now: Date.now, budget: weightBudget({ limit: 6000, now: Date.now }) }).request({
    method: 'GET',
    path: '/api/v3/openOrders',
    weight: 6,
    signer: signerFor(keys.apiKey, keys.apiSecret),
    parameters: { symbol: 'BTCUSDT' },
    answer: ordersPayload,
  });

async function until(what: string, holds: () => Promise<boolean>, stepMs = 1000): Promise<void> {
  const end = Date.now() + 40_000;
  while (Date.now() < end) {
    if (await holds()) return;
    if (stepMs > 0) await simulator.clock.advance(stepMs);
    await new Promise((done) => setTimeout(done, 30));
  }
  throw new Error(`${what} did not happen`);
}
const isIn = (bot: AutoTrade, state: string) => async () => (await detail(bot)).positions.some((position) => position.state === state);

test('a kill switch that sells off sells also what an entry on its way has bought, once that is known', async () => {
  // The entry is executed, and for a while nobody can say so.
  simulator.faults.apply({ kind: 'request', method: 'POST', path: '/api/v3/order', loseAnswer: true });
  simulator.faults.apply({ kind: 'events', action: 'drop', times: 20 });
  simulator.faults.apply({ kind: 'request', method: 'GET', path: '/api/v3/order', delayMs: 1500, times: 2 });
  const bot = await enabled();
  await until('an entry in flight', async () => (await story(bot)).includes('Entry Immediate'));
  const halted = await user.call('/bff/v2/auto-trades/halt', { body: { scope: 'bot', autoTradeId: bot.id, liquidate: true } });
  expect(halted.status).toBe(200);
  expect(await story(bot)).toEqual(['Entry Immediate']);
  await until('the sale of all', async () => (await story(bot)).includes('Exit KillSwitch'));
  expect((await detail(bot)).state).toBe('Halted');
  const counts = await auditBots({
    get,
    origin: simulator.origin,
    keys,
    autoTradeIds: [bot.id],
    walletIds: [wallet.id],
    symbols: ['BTCUSDT'],
    began: { USDT: '10000' },
  });
  expect(counts).toMatchObject({ positions: 1, executed: 2 });
});

const guarded = { protectiveStop: { enabled: true, limitOffsetPct: '0.5' }, stopLoss: { mode: 'percent', pct: '5' } };
const stopRests = async () => (await openOrders()).length === 1;

test('a bot whose stop rests at the exchange is reset when its position is let go, and the stop goes with it', async () => {
  const bot = await enabled(guarded);
  await until('a stop at the exchange', stopRests);
  await ask(bot, 'disable');
  expect((await ask(bot, 'reset')).status).toBe(409);
  expect((await ask(bot, 'reset', { detach: true })).status).toBe(200);
  await until('the end of the stop', async () => (await openOrders()).length === 0, 0);
  expect(await get<Wallet>(`/bff/v2/wallets/${wallet.id}`)).toMatchObject({ reserved: '0', invested: '0' });
});

test('a stop that was to be cancelled when the process ended is cancelled by the next one', async () => {
  const bot = await enabled(guarded);
  await until('a stop at the exchange', stopRests);
  const position = (await detail(bot)).positions.find(({ closedAt }) => closedAt === null)!;
  await ask(bot, 'disable');
  simulator.faults.apply({ kind: 'request', method: 'DELETE', path: '/api/v3/order', status: 503, when: 'before', times: 1000 });
  const detached = await user.call(`/bff/v2/auto-trades/${bot.id}/positions/${position.id}/detach`, { method: 'POST', body: {} });
  expect(detached.status, JSON.stringify(detached.body)).toBe(200);
  expect(await openOrders()).toHaveLength(1);
  await server.restart();
  simulator.faults.clear();
  await until('the end of the stop', async () => (await openOrders()).length === 0, 0);
});

test('a sale while trading of its coin pauses is no reason to need a person: it is decided anew', async () => {
  const bot = await enabled();
  await until('an open position', isIn(bot, 'Open'));
  const { id } = (await detail(bot)).positions[0]!;
  const sell = () => user.call(`/bff/v2/auto-trades/${bot.id}/positions/${id}/sell`, { method: 'POST', body: {} });
  simulator.faults.apply({ kind: 'symbol', symbol: 'BTCUSDT', status: 'BREAK' });
  expect((await sell()).status).toBe(200);
  const refusals = async () => (await get<{ items: { facts: object }[] }>(`/bff/v2/auto-trades/${bot.id}/logs`)).items;
  await until('the refusal', async () => (await refusals()).some(({ facts }) => JSON.stringify(facts).includes('MARKET_CLOSED')));
  expect((await detail(bot)).positions[0]).toMatchObject({ state: 'Open', attention: null });
  simulator.faults.apply({ kind: 'symbol', symbol: 'BTCUSDT', status: 'TRADING' });
  expect((await sell()).status).toBe(200);
  await until('the exit', async () => (await story(bot)).includes('Exit Manual'));
});

test('a coin is halted for whole milliseconds, however short', async () => {
  const bot = await enabled();
  await until('an open position', isIn(bot, 'Open'));
  const body = { scope: 'coin', symbol: 'BTCUSDT', hours: 0.00012345 };
  expect((await user.call('/bff/v2/auto-trades/halt', { body })).status).toBe(200);
  const { queries } = server.context.database;
  const rows = await queries.selectFrom('coin_halts').select('until').execute();
  expect(rows.map(({ until: end }) => Number.isInteger(end))).toEqual([true]);
});
