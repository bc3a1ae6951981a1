import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Confirmed, Enrolment } from '@pilotfish/core/auth/auth-contract';
import type { AutoTrade, AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { positionIdOfOrder } from '@pilotfish/core/auto-trades/position-ids';
import { grammarViolation, type StoredTrace } from '@pilotfish/core/auto-trades/trace';
import { add, decimal, subtract, toText } from '@pilotfish/core/money/decimal';
import { walletBalances } from '@pilotfish/core/wallets/wallet-book';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { totpCode } from '../src/auth/totp.ts';
import { exchangeRest } from '../src/exchange/exchange-rest.ts';
import { accountPayload, ordersPayload } from '../src/exchange/payloads.ts';
import { signerFor } from '../src/exchange/signing.ts';
import { weightBudget } from '../src/exchange/weight-budget.ts';

const OUTPUT = fileURLToPath(new URL('../dist/e2e-bot', import.meta.url));
const KILLS = Number(process.env.PILOTFISH_KILLS ?? 12);
const recorded = resolve(import.meta.dirname, '../../../../shared/data/klines');
const candles = existsSync(recorded) ? readdirSync(recorded).find((name) => name.startsWith('BTCUSDT-1m')) : undefined;
if (!candles) console.warn('No recorded candles beside the project: the killed bot trades on the seeded market instead.');

let folder: string;
let simulator: Simulator;
let child: ChildProcess | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-kill-'));
  if (candles) symlinkSync(join(recorded, candles), join(folder, candles));
  const bundle = await rolldown({
    input: fileURLToPath(new URL('./bot-process-entry.ts', import.meta.url)),
    platform: 'node',
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('@pilotfish/'),
  });
  await bundle.write({ dir: OUTPUT, format: 'esm' });
  await bundle.close();
  simulator = await startSimulator({
    market: candles ? { kind: 'replay', folder } : { kind: 'seeded', seed: 5 },
    speed: 1500,
    limits: { weightPerMinute: 1_000_000 },
  });
});
afterAll(async () => {
  child?.kill('SIGKILL');
  await simulator?.close();
  rmSync(folder, { recursive: true, force: true });
  rmSync(OUTPUT, { recursive: true, force: true });
});

async function start(): Promise<string> {
  const process_ = spawn(process.execPath, [join(OUTPUT, 'bot-process-entry.js')], {
    env: {
      ...process.env,
      PILOTFISH_PORT: '0',
      PILOTFISH_DATA_DIR: join(folder, 'data'),
      PILOTFISH_LOG_LEVEL: 'warn',
      PILOTFISH_EXCHANGE_REST_URL: simulator.origin,
      PILOTFISH_EXCHANGE_WS_URL: simulator.wsOrigin,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child = process_;
  let said = '';
  return new Promise((done, fail) => {
    process_.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const url = /listening (\S+)\n/.exec(said)?.[1];
      if (url) done(url);
    });
    process_.once('exit', (code) => fail(new Error(`ended with ${code}: ${said}`)));
  });
}

/** Small and seeded: the moments of the kills are those of the last run too. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test(`kill -9 at random, ${KILLS} times while a bot trades: no order doubled, none lost, ledger equals account`, {
  timeout: 300_000,
}, async () => {
  let url = await start();
  const post = async <Body>(path: string, body: unknown, token?: string): Promise<Body> => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status} ${await response.text()}`);
    return (await response.json()) as Body;
  };
  const enrolment = await post<Enrolment>('/gateway/v1/account/create', {
    username: 'ada',
    email: 'ada@example.com',
    password: 'deep water and old wood',
  });
  const { accessToken } = await post<Confirmed>('/gateway/v1/account/confirm-2fa', {
    otpCode: totpCode(enrolment.secretKey, Date.now()),
    confirmationCode: enrolment.code,
  });
  const get = async <Body>(path: string): Promise<Body> =>
    (await (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${accessToken}` } })).json()) as Body;
  const keys = await post<{ clientId: string; clientSecret: string }>('/gateway/v2/account/connect/binance/demo', {}, accessToken);
  await post('/gateway/v2/account/connect/binance', keys, accessToken);
  const wallet = await post<Wallet>('/bff/v2/wallets', { name: 'Main', mode: 'live', initialBalance: '5000' }, accessToken);
  const { autoTrade } = await post<{ autoTrade: AutoTrade }>(
    '/bff/v2/auto-trades',
    {
      name: 'Busy',
      walletId: wallet.id,
      coins: { symbols: ['BTCUSDT'] },
      entry: {
        size: { mode: 'fixed', value: '1000' },
        trigger: { kind: 'drop', dropPct: '0.05', lookbackMin: 30 },
        trailing: { enabled: false },
        order: { type: 'Limit', timeoutSec: 120, onTimeout: 'reprice' },
        maxSpreadPct: '1',
      },
      takeProfit: {
        levels: [
          { gainPct: '0.25', sellPct: '50' },
          { gainPct: '0.5', sellPct: '50' },
        ],
      },
      trailingCost: { enabled: true, armGainPct: '0.22', distancePct: '0.05', stepPct: '0.01' },
      stopLoss: { mode: 'percent', pct: '0.4' },
      cooldown: { afterWinMin: 0, afterLossMin: 0 },
    },
    accessToken,
  );
  await post(`/bff/v2/auto-trades/${autoTrade.id}/enable`, {}, accessToken);

  const draw = random(20_261_121);
  for (let kill = 0; kill < KILLS; kill += 1) {
    await new Promise((done) => setTimeout(done, 150 + draw() * 1200));
    const victim = child!;
    victim.kill('SIGKILL');
    await once(victim, 'exit');
    url = await start();
  }
  // Long enough for every order in flight to be asked for; then it is wound up by hand.
  const end = Date.now() + 90_000;
  await post(`/bff/v2/auto-trades/${autoTrade.id}/disable`, {}, accessToken);
  let detail = await get<AutoTradeDetail>(`/bff/v2/auto-trades/${autoTrade.id}/detail`);
  while (Date.now() < end && detail.openPositions > 0) {
    await new Promise((done) => setTimeout(done, 200));
    detail = await get<AutoTradeDetail>(`/bff/v2/auto-trades/${autoTrade.id}/detail`);
  }
  expect(detail.openPositions).toBe(0);

  const traces: StoredTrace[] = [];
  for (let page = 1; ; page += 1) {
    const { items, total } = await get<{ items: StoredTrace[]; total: number }>(
      `/bff/v2/auto-trades/${autoTrade.id}/traces?pageSize=200&page=${page}`,
    );
    traces.unshift(...items.reverse());
    if (traces.length >= total) break;
  }
  expect(traces.map((trace) => trace.seq)).toEqual(traces.map((_, index) => index + 1));
  const ids = [...new Set(traces.map((trace) => trace.positionId))];
  for (const id of ids)
    expect(
      grammarViolation(
        traces.filter((trace) => trace.positionId === id),
        true,
      ),
    ).toBeUndefined();

  const rest = exchangeRest({ origin: simulator.origin, now: Date.now, budget: weightBudget({ limit: 1_000_000, now: Date.now }) });
  const signer = signerFor(keys.clientId, keys.clientSecret);
  const account = await rest.request({ method: 'GET', path: '/api/v3/account', weight: 20, signer, answer: accountPayload });
  const orders = await rest.request({
    method: 'GET',
    path: '/api/v3/allOrders',
    weight: 20,
    signer,
    parameters: { symbol: 'BTCUSDT', limit: 1000 },
    answer: ordersPayload,
  });
  const executed = orders.filter((order) => Number(order.executedQty) > 0);
  const filled = new Map<string, ReturnType<typeof decimal>>();
  let usdt = decimal('10000');
  let btc = decimal('0');
  for (const { kind, after, clientOrderId } of traces) {
    if (kind !== 'Buy' && kind !== 'Sell') continue;
    const quantity = decimal(String(after.quantity));
    filled.set(clientOrderId!, add(filled.get(clientOrderId!) ?? decimal('0'), quantity));
    btc = kind === 'Buy' ? subtract(add(btc, quantity), decimal(String(after.fee))) : subtract(btc, quantity);
    const quote = decimal(String(after.quoteQuantity));
    usdt = kind === 'Buy' ? subtract(usdt, quote) : subtract(add(usdt, quote), decimal(String(after.fee)));
  }
  // Every order the exchange executed is in the traces with its whole quantity, and no other is.
  expect(new Set(orders.map((order) => order.clientOrderId)).size).toBe(orders.length);
  for (const order of orders) expect(ids).toContain(positionIdOfOrder(order.clientOrderId));
  expect(Object.fromEntries(executed.map((order) => [order.clientOrderId, toText(decimal(order.executedQty))]))).toEqual(
    Object.fromEntries([...filled].map(([id, quantity]) => [id, toText(quantity)])),
  );
  const balance = (asset: string) => account.balances.find((each) => each.asset === asset)!;
  expect([toText(decimal(balance('USDT').free)), toText(decimal(balance('BTC').free))]).toEqual([toText(usdt), toText(btc)]);
  const after = await get<Wallet>(`/bff/v2/wallets/${wallet.id}`);
  expect(walletBalances(after)).toBe(true);
  expect(after.reserved).toBe('0');
  console.info(
    `${KILLS} kills, ${orders.length} orders (${executed.length} executed), ${ids.length} positions, ${traces.length} traces: account and ledger equal`,
  );
  expect(executed.length).toBeGreaterThan(1);
});
