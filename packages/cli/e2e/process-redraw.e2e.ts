import { startTestServer, type TestServer } from '@pilotfish/server/app/testing/test-server';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { testMarket } from '@pilotfish/simulator/testing/test-market';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openProcessTerminal } from './process-terminal.ts';
import { type Account, openAccount } from './stage.ts';

// How often a screen is drawn while prices pour in is about real time, so the market of this file runs by itself.

let simulator: Simulator;
let server: TestServer;
let account: Account;

beforeAll(async () => {
  simulator = await startSimulator({ market: testMarket(7), speed: 1000 });
  server = await startTestServer({
    realClock: true,
    settings: { exchangeRestUrl: simulator.origin, exchangeWsUrl: simulator.wsOrigin },
  });
  account = await openAccount({ server });
  const { pipe } = account;
  expect((await pipe.run(['wallets', 'add', 'Main', '--balance', '5000'])).exit).toBe(0);
  const words = ['bots', 'create', '--name', 'Dip', '--wallet', 'Main', '--coins', 'BTCUSDT,ETHUSDT', '--stop-loss', '8'];
  expect(await pipe.run(words)).toMatchObject({ exit: 0 });
  expect((await pipe.run(['bots', 'enable', 'Dip'])).exit).toBe(0);
});
afterAll(async () => {
  await server?.close();
  await simulator?.close();
  account?.close();
});

const FRAME = '\u001b[?2026h';
const FRAMES = 6;
/** Frames that may have been drawn before the test looked, where this process had to wait for its turn. */
const BACKLOG = 2;

test.each([[['bots', 'show', 'Dip', '--watch']], [['prices', 'watch', '--quote', 'USDT', '--limit', '8']]])(
  '%j is drawn fifteen times a second at most',
  async (words) => {
    const terminal = openProcessTerminal(words, account.env);
    await terminal.see(/Live/);
    const before = terminal.raw().length;
    const started = performance.now();
    await terminal.written((raw) => raw.slice(before).split(FRAME).length > FRAMES);
    // A slow machine only takes longer.
    expect((performance.now() - started) / 1000).toBeGreaterThan((FRAMES - BACKLOG) / 15);
    terminal.press('ctrl-c');
    expect(await terminal.ended()).toMatchObject({ exitCode: 130 });
  },
);
