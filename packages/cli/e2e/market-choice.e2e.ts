import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MarketChoice } from '@pilotfish/core/admin/market-choice-contract';
import { startTestServer, type TestServer } from '@pilotfish/server/app/testing/test-server';
import { totpCode } from '@pilotfish/server/auth/totp';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { MARKET_START, testMarket } from '@pilotfish/simulator/testing/test-market';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPipe } from './pipe.ts';
import { openTerminal } from './terminal.ts';

// The market a server works with: asked of the first Admin in a terminal, changed while the server runs.

let simulator: Simulator;
let server: TestServer;
let folder: string;
beforeEach(async () => {
  simulator = await startSimulator({ market: testMarket(11), now: () => server?.now() ?? MARKET_START });
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-cli-'));
  const here = { rest: simulator.origin, ws: simulator.wsOrigin };
  const exchangesAt = { simulated: here, binance: here };
  server = await startTestServer({ realClock: true, now: MARKET_START, settings: { exchange: undefined, exchangesAt } });
});
afterEach(async () => {
  await server.close();
  await simulator.close();
  rmSync(folder, { recursive: true, force: true });
});

const env = () => ({ XDG_CONFIG_HOME: folder, PILOTFISH_URL: server.url, PILOTFISH_DATA_DIR: server.dataDir });
const open = (words: readonly string[]) => openTerminal(words, env(), { rows: 80, columns: 120 }, { now: server.now });
const choice = () => openPipe(env(), { now: server.now }).json<MarketChoice>(['admin', 'market']);
const DOWN = '\u001b[B';

/** Makes the first account, up to the question. */
async function register() {
  const terminal = open(['auth', 'register', '--username', 'ada', '--email', 'ada@example.com']);
  for (const what of [/Password:$/, /again:$/i]) {
    await terminal.see(what);
    terminal.type('plain walking stick\r');
  }
  await terminal.see(/Code:$/);
  const secret = /secret=([A-Z2-7]{32})/.exec(terminal.raw())?.[1] ?? '';
  terminal.type(`${totpCode(secret, server.now())}\r`);
  await terminal.see(/Type yes:$/);
  terminal.type('yes\r');
  await terminal.see(/Which market should Pilotfish use\?[\s\S]*❯ Practise on a simulated market[\s\S]*Works offline/);
  return { terminal, secret };
}

test('the first Admin is asked, the server begins again with the answer, and is changed back', { tags: ['smoke'] }, async () => {
  const { terminal } = await register();
  terminal.type(`${DOWN}\r`);
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 });
  expect(terminal.screen()).toMatch(/The server restarts with Binance…\nMarket: Binance\.$/);
  expect(await choice()).toMatchObject({ market: 'binance', decidedBy: 'admin', reachable: true });

  const back = open(['admin', 'market', 'use', 'simulated']);
  await back.see(/The server restarts with Simulated market, for all accounts[\s\S]*\[y\/N\]$/);
  back.type('y\r');
  expect(await back.ended()).toMatchObject({ exitCode: 0 });
  expect(back.screen()).toMatch(/Market: Simulated market\.\n[\s\S]*Decided by +an Admin\nPrices +arriving/);
});

test('left open, an Admin who signs in gets a line', async () => {
  const { terminal, secret } = await register();
  terminal.press('escape');
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 });
  expect(terminal.screen()).toMatch(/Choose at any time: pilotfish admin market use <market>$/);

  const login = open(['auth', 'login', '--username', 'ada']);
  await login.see(/Password:$/);
  login.type('plain walking stick\r');
  await login.see(/Code:$/);
  login.type(`${server.nextCode(secret)}\r`);
  expect(await login.ended()).toMatchObject({ exitCode: 0 });
  expect(login.screen()).toMatch(/No market is chosen yet; the server works with Simulated market\./);
});
