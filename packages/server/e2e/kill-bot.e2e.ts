import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Confirmed, Enrolment } from '@pilotfish/core/auth/auth-contract';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { totpCode } from '../src/auth/totp.ts';
import { auditBots, flat } from './bot-audit.ts';

const OUTPUT = fileURLToPath(new URL(`../dist/e2e-bot-${process.pid}`, import.meta.url));
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
  timeout: 300_000 + KILLS * 4000,
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
      rebuys: { levels: [{ dropPct: '0.1' }, { dropPct: '0.1' }], minMinutesBetween: 0 },
      stopLoss: { mode: 'percent', pct: '0.4', basis: 'firstBuy' },
      protectiveStop: { enabled: true, limitOffsetPct: '0.5' },
      protections: { lossStreak: { count: 0 }, drawdown: { maxPct: '0' } },
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
  await post(`/bff/v2/auto-trades/${autoTrade.id}/disable`, {}, accessToken);
  expect(await flat(get, [autoTrade.id], 90_000)).toEqual([]);
  const { orders, executed, positions, traces } = await auditBots({
    get,
    origin: simulator.origin,
    keys: { apiKey: keys.clientId, apiSecret: keys.clientSecret },
    autoTradeIds: [autoTrade.id],
    walletIds: [wallet.id],
    symbols: ['BTCUSDT'],
    began: { USDT: '10000' },
  });
  console.info(
    `${KILLS} kills, ${orders} orders (${executed} executed), ${positions} positions, ${traces} traces: account and ledger equal`,
  );
  expect(executed).toBeGreaterThan(1);
});
