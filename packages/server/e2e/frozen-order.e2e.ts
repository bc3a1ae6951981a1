import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@pilotfish/core/testing/until';
import { realTimers } from '@pilotfish/core/time/timers';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { testMarket } from '@pilotfish/simulator/testing/test-market';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openExchange } from '../src/exchange/exchange.ts';
import { RECV_WINDOW_MS } from '../src/exchange/exchange-rest.ts';
import { signerFor } from '../src/exchange/signing.ts';
import { buildServerProgram, type ServerProgram } from './server-process.ts';

// A process is frozen (SIGSTOP) between the signing of an order and its sending, for longer than the receive window: when it
// goes on the exchange refuses the order, and nobody signs it anew. With a window of a minute it is executed, late.

let folder: string;
let simulator: Simulator;
let program: ServerProgram;
const children: ChildProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-frozen-'));
  program = await buildServerProgram('./frozen-order-entry.ts');
  simulator = await startSimulator({ market: testMarket(7), paused: true });
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await simulator?.close();
  program?.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Where the kernel tells of its processes; elsewhere a signal that was sent has to do. */
const standsStill = ({ pid }: ChildProcess): boolean =>
  !existsSync('/proc/self/stat') || /\) T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

type Outcome = { readonly said: readonly string[]; readonly orders: readonly string[] };

/** The life of one order of a process that stands still after signing it, for longer than the window of the product. */
async function frozen(name: string, side: 'Buy' | 'Sell', window: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const keys = await simulator.createAccount({ balances: { USDT: '10000', BTC: '1' } });
  const dataDir = join(folder, name);
  mkdirSync(dataDir);
  const origins = { rest: simulator.origin, stream: simulator.wsOrigin, api: simulator.wsOrigin };
  const venue = openExchange({ origins, now: Date.now, timers: realTimers, random: () => 0.5 });
  // What it says on arrival is the time that its order bears.
  const { child, url: stamp } = await program.start(dataDir, {
    PILOTFISH_EXCHANGE_REST_URL: simulator.origin,
    PILOTFISH_EXCHANGE_WS_URL: simulator.wsOrigin,
    PILOTFISH_TEST_KEY: keys.apiKey,
    PILOTFISH_TEST_SECRET: keys.apiSecret,
    PILOTFISH_TEST_SIDE: side,
    ...window,
  });
  children.push(child);
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  child.kill('SIGSTOP');
  await until('the process standing still', () => standsStill(child));
  writeFileSync(join(dataDir, 'go'), '');
  await until('the end of the window at the exchange', async () => (await venue.rest.serverTime()) > Number(stamp) + RECV_WINDOW_MS);
  expect(said).toBe('');
  const ended = once(child, 'close');
  child.kill('SIGCONT');
  await ended;
  const orders = await venue.ordersOf(signerFor(keys.apiKey, keys.apiSecret), 'BTCUSDT');
  await venue.close();
  return { said: said.trim().split('\n'), orders: orders.map(({ status }) => status) };
}

test('an order of a process that was frozen after signing it is refused by the exchange, and not signed anew', async () => {
  const [bought, sold, control] = await Promise.all([
    frozen('buy', 'Buy'),
    frozen('sell', 'Sell'),
    // The control: it shows that nothing else keeps the order from being executed late.
    frozen('control', 'Buy', { PILOTFISH_RECV_WINDOW_MS: '60000' }),
  ]);
  expect(bought).toEqual({ said: ['told ended REJECTED LATE', 'idle'], orders: [] });
  expect(sold).toEqual({ said: ['told ended REJECTED LATE', 'idle'], orders: [] });
  expect(control.orders).toEqual(['FILLED']);
  expect(control.said).toContain('told ended FILLED null');
  expect(control.said).not.toContain('sent again');
});
