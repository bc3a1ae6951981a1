import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { PROGRAM } from './process-terminal.ts';

// Programs that serve until they are stopped, as a service manager and `npm start` run them.

let folder: string;
const children: ChildProcess[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-serve-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program until it names the address it serves on, until it logs what is wanted, and how it ends. */
function serving(program: string, words: readonly string[], wanted = /^$/) {
  const env = { ...process.env, LANG: 'en_US.UTF-8', NO_COLOR: '1', PILOTFISH_EXCHANGE: 'simulated' };
  const child = spawn(process.execPath, [program, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  let said = '';
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const url = new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
      if (found) resolve(found);
    });
    void ended.then((exit) => reject(new Error(`ended with ${exit}: ${said}`)));
  });
  url.catch(() => undefined);
  const logged = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      if (wanted.test(chunk.toString())) resolve();
    });
  });
  return { url, ended, logged, said: () => said, stop: (signal: NodeJS.Signals) => child.kill(signal) };
}
const health = async (url: string) => (await fetch(`${url}/bff/v1/tickers`)).status;

test.each(['SIGINT', 'SIGTERM'] as const)('serve answers, and %s ends it in order', async (signal) => {
  const server = serving(PROGRAM, ['serve', '--port', '0', '--data-dir', join(folder, signal)]);
  expect(await health(await server.url)).toBe(200);
  server.stop(signal);
  expect(await server.ended).toBe(0);
});

test('SIGTERM in the moment that the port opens ends it in order, ten times of ten', async () => {
  for (let round = 0; round < 10; round += 1) {
    const server = serving(PROGRAM, ['serve', '--port', '0', '--data-dir', join(folder, 'early')], /Pilotfish is ready/);
    await server.logged;
    server.stop('SIGTERM');
    expect([round, await server.ended]).toEqual([round, 0]);
  }
});

test('SIGTERM while it starts ends it in order', async () => {
  const folderOfIt = join(folder, 'starting');
  const server = serving(PROGRAM, ['serve', '--port', '0', '--data-dir', folderOfIt]);
  // Made by the start, long before the port opens.
  while (!existsSync(join(folderOfIt, 'pilotfish.pid'))) await new Promise((resolve) => setImmediate(resolve));
  server.stop('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(existsSync(join(folderOfIt, 'pilotfish.pid'))).toBe(false);
});

test('serve on a port that is taken says so and ends with 1', async () => {
  const first = serving(PROGRAM, ['serve', '--port', '0', '--data-dir', join(folder, 'first')]);
  const { port } = new URL(await first.url);
  const second = serving(PROGRAM, ['serve', '--port', port, '--data-dir', join(folder, 'second')]);
  expect(await second.ended).toBe(1);
  expect(second.said()).toContain('in use by another program');
});

test('the simulator answers, and SIGTERM ends it in order', async () => {
  const simulator = serving(PROGRAM, ['simulator', '--port', '0', '--seed', '7']);
  const answer = await fetch(`${await simulator.url}/api/v3/ticker/price?symbol=BTCUSDT`);
  expect(await answer.json()).toMatchObject({ symbol: 'BTCUSDT' });
  simulator.stop('SIGTERM');
  expect(await simulator.ended).toBe(0);
});

test('npm start serves the app', async () => {
  const script = fileURLToPath(new URL('../../../scripts/start.mjs', import.meta.url));
  const server = serving(script, ['--port', '0', '--data-dir', join(folder, 'start')]);
  const page = await fetch(await server.url);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<html')]);
  server.stop('SIGTERM');
  expect(await server.ended).toBe(0);
});
