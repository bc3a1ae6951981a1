import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Confirmed, Enrolment } from '@pilotfish/core/auth/auth-contract';
import type { AutoTrade, AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { rolldown } from 'rolldown';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { totpCode } from '../src/auth/totp.ts';
import { auditBots, flat, type Get, tracesOf } from './bot-audit.ts';

// The server dies at every single step between a decision and its stored fill: before and after each commit, before
// and after each request about an order. Whatever the moment, after the restart no order is doubled and none is lost.
// Without PILOTFISH_CRASHES=all only some of the moments are tried, spread evenly.

const OUTPUT = fileURLToPath(new URL(`../dist/e2e-crash-${process.pid}`, import.meta.url));
const SAMPLED = 5;
const MINUTE = 60_000;
const BEGIN = Date.UTC(2026, 0, 5);
const QUIET = 20;
/** Quiet, down by 2.4 %, up by 5 %, quiet: an entry, two rebuys, a resident stop that follows, a ladder of exits. */
const PATH = [
  ...Array.from({ length: QUIET + 4 }, () => 100_000),
  ...Array.from({ length: 12 }, (_, n) => 100_000 - (n + 1) * 200),
  ...Array.from({ length: 25 }, (_, n) => 97_600 + (n + 1) * 200),
  ...Array.from({ length: 200 }, () => 102_600),
];

let folder: string;
let market: string;
let simulator: Simulator | undefined;
let child: ChildProcess | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-crash-'));
  market = join(folder, 'market');
  mkdirSync(market);
  const lines = PATH.map((price, n) => {
    const open = PATH[n - 1] ?? price;
    const at = BEGIN + n * MINUTE;
    return [at, open, Math.max(open, price), Math.min(open, price), price, 50, at + MINUTE - 1, 50 * price, 100, 25, 25 * price, 0].join(
      ',',
    );
  });
  writeFileSync(join(market, 'BTCUSDT-1m-path.csv'), `${lines.join('\n')}\n`);
  const bundle = await rolldown({
    input: fileURLToPath(new URL('./crash-point-entry.ts', import.meta.url)),
    platform: 'node',
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('@pilotfish/'),
  });
  await bundle.write({ dir: OUTPUT, format: 'esm' });
  await bundle.close();
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await simulator?.close();
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(OUTPUT, { recursive: true, force: true });
});

async function start(dataDir: string, crashAt: number): Promise<string> {
  const started = spawn(process.execPath, [join(OUTPUT, 'crash-point-entry.js')], {
    env: {
      ...process.env,
      PILOTFISH_PORT: '0',
      PILOTFISH_DATA_DIR: dataDir,
      PILOTFISH_LOG_LEVEL: 'warn',
      PILOTFISH_CRASH_AT: String(crashAt),
      PILOTFISH_EXCHANGE_REST_URL: simulator!.origin,
      PILOTFISH_EXCHANGE_WS_URL: simulator!.wsOrigin,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child = started;
  let said = '';
  return new Promise((done, fail) => {
    started.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const url = /listening (\S+)\n/.exec(said)?.[1];
      if (url) done(url);
    });
    started.once('exit', (code) => fail(new Error(`ended with ${code}: ${said}`)));
  });
}

type Run = { story: string[]; crossings: number; crashedAt: string | undefined };

/** One life of a position, with a death at the `crashAt`th step (0: none). */
async function run(name: string, crashAt: number): Promise<Run> {
  const dataDir = join(folder, name);
  simulator = await startSimulator({ market: { kind: 'replay', folder: market, start: BEGIN + QUIET * MINUTE }, paused: true });
  let url = await start(dataDir, crashAt);
  const headers = (token?: string) => ({ 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) });
  const post = async <Body>(path: string, body: unknown, token?: string): Promise<Body> => {
    const response = await fetch(`${url}${path}`, { method: 'POST', headers: headers(token), body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} answered ${response.status} ${await response.text()}`);
    return (await response.json()) as Body;
  };
  const enrolment = await post<Enrolment>('/gateway/v1/account/create', {
    username: 'ada',
    email: 'ada@example.com',
    password: 'deep water and old wood',
  });
  const { accessToken: token } = await post<Confirmed>('/gateway/v1/account/confirm-2fa', {
    otpCode: totpCode(enrolment.secretKey, Date.now()),
    confirmationCode: enrolment.code,
  });
  const get: Get = async <Body>(path: string): Promise<Body> =>
    (await (await fetch(`${url}${path}`, { headers: headers(token) })).json()) as Body;
  const keys = await simulator.createAccount({ burnBnb: false, balances: { USDT: '10000' } });
  await post('/gateway/v2/account/connect/binance', { clientId: keys.apiKey, clientSecret: keys.apiSecret }, token);
  const wallet = await post<Wallet>('/bff/v2/wallets', { name: 'Main', mode: 'live', initialBalance: '9000' }, token);
  const settings = {
    name: 'Steps',
    walletId: wallet.id,
    coins: { symbols: ['BTCUSDT'] },
    entry: {
      size: { mode: 'fixed', value: '1000' },
      trigger: { kind: 'immediate' },
      trailing: { enabled: false },
      order: { type: 'Market' },
      maxSpreadPct: '5',
    },
    rebuys: { levels: [{ dropPct: '0.8' }, { dropPct: '0.8' }], minMinutesBetween: 0 },
    takeProfit: {
      levels: [
        { gainPct: '1', sellPct: '50' },
        { gainPct: '2', sellPct: '50' },
      ],
    },
    stopLoss: { mode: 'percent', pct: '6' },
    protectiveStop: { enabled: true, limitOffsetPct: '1' },
    cooldown: { afterWinMin: 10_000, afterLossMin: 10_000 },
  };
  const { autoTrade: bot } = await post<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', settings, token);
  writeFileSync(join(dataDir, 'armed'), '');
  const died = once(child!, 'exit').then(() => true);
  let alive = true;
  const revive = async (): Promise<void> => {
    await died;
    url = await start(dataDir, 0);
    alive = true;
  };
  await post(`/bff/v2/auto-trades/${bot.id}/enable`, {}, token).catch(() => {
    alive = false;
  });
  for (let step = 0; step < PATH.length - QUIET; step += 1) {
    if (!alive || child!.exitCode !== null || child!.signalCode !== null) await revive();
    const detail = await get<AutoTradeDetail>(`/bff/v2/auto-trades/${bot.id}/detail`).catch(() => undefined);
    if (detail?.state === 'Disabled') await post(`/bff/v2/auto-trades/${bot.id}/enable`, {}, token).catch(() => undefined);
    if (detail?.lastTrace?.kind === 'Exit' && detail.lastTrace.reason !== 'Abandoned' && detail.openPositions === 0) break;
    await simulator.clock.advance(MINUTE);
    await new Promise((done) => setTimeout(done, 60));
  }
  if (child!.exitCode !== null || child!.signalCode !== null) await revive();
  await post(`/bff/v2/auto-trades/${bot.id}/disable`, {}, token);
  expect(await flat(get, [bot.id], 30_000)).toEqual([]);
  await auditBots({
    get,
    origin: simulator.origin,
    keys,
    autoTradeIds: [bot.id],
    walletIds: [wallet.id],
    symbols: ['BTCUSDT'],
    began: { USDT: '10000' },
  });
  const story = (await tracesOf(get, bot.id)).map(({ kind, reason, after }) => `${kind} ${reason} ${after.level ?? ''}`.trim());
  child!.kill('SIGTERM');
  await once(child!, 'exit');
  await simulator.close();
  simulator = undefined;
  const read = (file: string) => (existsSync(join(dataDir, file)) ? readFileSync(join(dataDir, file), 'utf8').trim() : undefined);
  return { story, crossings: Number(read('crossings') ?? 0), crashedAt: read('crashed') };
}

test('dead at any step from a decision to its stored fill: nothing doubled, nothing lost', { timeout: 3_600_000 }, async () => {
  const whole = await run('whole', 0);
  expect(whole.story[0]).toMatch(/^Entry/);
  expect(whole.story.at(-1)).toMatch(/^Exit TakeProfit/);
  expect(whole.crossings).toBeGreaterThan(30);
  const all = process.env.PILOTFISH_CRASHES === 'all';
  const points = Array.from({ length: whole.crossings }, (_, n) => n + 1).filter(
    (point) => all || point % Math.ceil(whole.crossings / SAMPLED) === 1,
  );
  let same = 0;
  let unreached = 0;
  const others: string[] = [];
  for (const point of points) {
    const crashed = await run(`crash-${point}`, point);
    // A run has a step more or less, as its answers and events happen to meet: the last ones may not be reached.
    if (crashed.crashedAt === undefined) {
      unreached += 1;
      continue;
    }
    // It ends the same way, whatever was abandoned in between.
    expect([point, crashed.story.at(-1)?.startsWith('Exit')]).toEqual([point, true]);
    if (crashed.story.join('\n') === whole.story.join('\n')) same += 1;
    else others.push(crashed.crashedAt!);
  }
  expect(unreached).toBeLessThanOrEqual(Math.ceil(points.length / 20));
  console.info(
    `${whole.crossings} steps, died at ${points.length - unreached} of them: account, ledger and traces agree each time; ` +
      `${same} told the very story of the undisturbed run; the others died ${others.join(', ') || '-'}`,
  );
});
