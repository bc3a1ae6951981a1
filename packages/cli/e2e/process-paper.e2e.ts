import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AutoTrade, AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import { until } from '@pilotfish/core/testing/until';
import { auditPaperBots } from '@pilotfish/server/app/testing/paper-audit';
import { totpCode } from '@pilotfish/server/auth/totp';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { MARKET_START, testMarket } from '@pilotfish/simulator/testing/test-market';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Pipe } from './pipe.ts';
import { openProcessPipe } from './process-pipe.ts';
import { openProcessTerminal, PROGRAM } from './process-terminal.ts';

// A bot on paper at the prices of an exchange that has no account of ours, in a terminal, with a server in a process of
// its own: it buys, the streams are cut, the server is killed and begun again, and one of its two coins is paused and taken off the list.

let folder: string;
let simulator: Simulator;
let child: ChildProcess | undefined;
/** The exchange's clock and its market begin at the same moment; the server counts on from what the exchange says. */
const ahead = MARKET_START - Date.now();
const now = () => Date.now() + ahead;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-paper-'));
  simulator = await startSimulator({ market: testMarket(11), now, limits: { weightPerMinute: 100_000 } });
});
afterEach(() => void child?.kill('SIGKILL'));
afterAll(async () => {
  await simulator?.close();
  rmSync(folder, { recursive: true, force: true });
});

const dataDir = () => join(folder, 'data');
/** Starts the server, at the address of its last run if there was one. */
async function serve(before = 'http://127.0.0.1:0'): Promise<string> {
  const started = spawn(process.execPath, [PROGRAM, 'serve', '--port', new URL(before).port || '0', '--data-dir', dataDir()], {
    env: {
      ...process.env,
      LANG: 'en_US.UTF-8',
      NO_COLOR: '1',
      PILOTFISH_EXCHANGE: 'binance',
      PILOTFISH_EXCHANGE_REST_URL: simulator.origin,
      PILOTFISH_EXCHANGE_WS_URL: simulator.wsOrigin,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child = started;
  let said = '';
  return new Promise((resolve, reject) => {
    started.stderr.on('data', (chunk: Buffer) => {
      said += chunk;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
      if (found) resolve(found);
    });
    started.once('exit', (exit) => reject(new Error(`ended with ${exit}: ${said}`)));
  });
}
/** Another run at the same address. A killed one keeps the database to itself for a while, an ended one does not. */
async function again(url: string, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const before = child!;
  before.kill(signal);
  await once(before, 'exit');
  expect(await serve(url)).toBe(url);
}
const setStatus = (status: 'BREAK' | 'DELISTED') => simulator.faults.apply({ kind: 'symbol', symbol: 'ETHUSDT', status });

const BOT = `name: Both
wallet: Play
coins: {symbols: [BTCUSDT, ETHUSDT]}
maxOpenPositions: 2
entry:
  size: {mode: fixed, value: 200}
  trigger: {kind: immediate}
  trailing: {enabled: false}
  order: {type: Market}
takeProfit: {levels: [{gainPct: 50, sellPct: 100}]}
stopLoss: {mode: percent, pct: 15}
`;

test('what its owner reads through cuts, kill -9 and a delisting; account, ledger and traces agree', async () => {
  const url = await serve();
  const env = { XDG_CONFIG_HOME: folder, PILOTFISH_URL: url, PILOTFISH_DATA_DIR: dataDir() };
  const pipe = openProcessPipe(env);
  const run: Pipe['run'] = (words, more) => pipe.run(words, more);
  const open = (...words: string[]) => openProcessTerminal(words, { ...env, NO_COLOR: '1' }, { rows: 50, columns: 120 });

  const registering = open('auth', 'register', '--username', 'ada', '--email', 'ada@example.com');
  for (const what of [/Password:$/, /again:$/i]) {
    await registering.see(what);
    registering.type('plain walking stick\r');
  }
  await registering.see(/Code:$/);
  registering.type(`${totpCode(/secret=([A-Z2-7]{32})/.exec(registering.raw())?.[1] ?? '', Date.now())}\r`);
  await registering.see(/Type yes:$/);
  registering.type('yes\r');
  expect(await registering.ended()).toMatchObject({ exitCode: 0 });

  expect(await pipe.json(['wallets', 'add', 'Play', '--balance', '1000'])).toMatchObject({ mode: 'paper', free: '1000' });
  expect(await run(['bots', 'create', '-f', '-', '--json'], { input: BOT })).toMatchObject({ exit: 0, stderr: '' });
  expect(await pipe.json(['bots', 'enable', 'Both'])).toMatchObject({ state: 'Running' });
  const watch = open('bots', 'show', 'Both', '--watch');
  for (const symbol of ['BTCUSDT', 'ETHUSDT']) await watch.see(new RegExp(`${symbol} +Open  [\\d.,]+  [\\d.]+ at `));

  const { accessToken } = JSON.parse(readFileSync(join(folder, 'pilotfish/sessions/default.json'), 'utf8')) as { accessToken: string };
  const get = async <Body>(path: string) => {
    const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${accessToken}` } });
    return (await answer.json()) as Body;
  };
  const [{ id, walletId }] = (await get<[AutoTrade]>('/bff/v2/auto-trades'))!;
  const detail = () => get<Partial<AutoTradeDetail>>(`/bff/v2/auto-trades/${id}/detail`);
  const evaluated = async (symbol: string) => (await detail()).evaluations?.find((each) => each.symbol === symbol);
  const stateOf = async (symbol: string) => (await detail()).positions?.find((each) => each.symbol === symbol)?.state;
  const isPaused = async () => (await evaluated('ETHUSDT'))?.waitsFor?.code === 'trading';

  const cutAt = simulator.clock.now();
  simulator.faults.apply({ kind: 'streams', action: 'cut', of: 'market' });
  await until('a price after the cut', async () => Date.parse((await evaluated('BTCUSDT'))?.at ?? '') > cutAt);

  // Killed while it holds both; trading of the one pauses meanwhile. No price that stands is shown as what it is worth.
  setStatus('BREAK');
  await again(url, 'SIGKILL');
  await until('the pause being known', isPaused);
  expect((await run(['bots', 'why', 'Both', 'ETHUSDT'])).stdout).toContain(en.waitsFor.trading);
  await watch.see(new RegExp(`ETHUSDT +Open  ${en.waitsFor.trading}  [\\d.]+ at [\\d.,]+ *\\n`));
  watch.type('q');
  expect(await watch.ended()).toMatchObject({ exitCode: 0 });
  const asked = open('bots', 'sell', 'Both', 'ETHUSDT');
  await asked.see(/cannot be sold now: [\s\S]*\[y\/N\]$/);
  asked.type('n\r');
  await asked.ended();

  setStatus('DELISTED');
  await again(url, 'SIGTERM');
  await until('the bot being at work', isPaused);
  const refused = await run(['bots', 'sell', 'Both', 'ETHUSDT', '--yes']);
  expect(refused).toMatchObject({ exit: 8, stderr: expect.stringContaining(en.errors['not-trading'].detail) });

  // Its owner takes it over, sells the other one and ends the bot.
  const takenOver = (await detail()).positions?.find(({ symbol }) => symbol === 'ETHUSDT')?.id ?? '';
  expect(await run(['bots', 'detach', 'Both', 'ETHUSDT', '--yes'])).toMatchObject({ exit: 0 });
  expect(await pipe.json(['bots', 'disable', 'Both'])).toMatchObject({ state: 'Disabled' });
  expect(await run(['bots', 'sell', 'Both', 'BTCUSDT', '--yes'])).toMatchObject({ exit: 0 });
  await until('the sale', async () => (await stateOf('BTCUSDT')) === 'Closed');
  expect(await stateOf('ETHUSDT')).toBe('Detached');

  // The audit asks for orders of both, which takes a list that has both.
  simulator.faults.clear();
  const counts = await auditPaperBots({
    get,
    dataDir: dataDir(),
    exchange: simulator,
    now,
    autoTradeIds: [id],
    walletIds: [walletId],
    symbols: ['BTCUSDT', 'ETHUSDT'],
    detached: new Set([takenOver]),
  });
  expect(counts).toMatchObject({ executed: 3, positions: 2 });
});
