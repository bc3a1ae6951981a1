import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPipe } from './pipe.ts';

// What a command loads is what it takes to start. Files and bytes are counted, not milliseconds: those belong to the bench.

const ticker = {
  symbol: 'BTCUSDT',
  price: '1',
  open: '1',
  high: '1',
  low: '1',
  volume: '1',
  quoteVolume: '1',
  changePct: '0',
  at: '2026-11-21T02:30:00.000Z',
};
const open = { items: [], totals: [], asOf: '2026-11-21T02:30:00.000Z' };
let answers: Record<string, unknown>;
let server: Server;
let folder: string;

beforeAll(async () => {
  answers = { '/bff/v1/tickers': { items: [ticker], asOf: ticker.at, stale: false }, '/bff/v2/positions/open': open };
  server = createServer((request, reply) => {
    reply.setHeader('content-type', 'application/json');
    reply.end(JSON.stringify(answers[request.url ?? '']));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-start-'));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs it and tells which of our files it loaded. */
async function loadedBy(words: readonly string[]) {
  const coverage = mkdtempSync(join(folder, 'run-'));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const done = await openPipe({ XDG_CONFIG_HOME: folder, PILOTFISH_URL: url, PILOTFISH_TOKEN: 'x', NODE_V8_COVERAGE: coverage }).run(words);
  const scripts = readdirSync(coverage).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(coverage, name), 'utf8')) as { result: { url: string }[] };
    return result.map((each) => each.url);
  });
  const files = scripts
    .filter((each) => each.startsWith('file:') && each.includes('/cli/dist/'))
    .map((each) => readFileSync(fileURLToPath(each), 'utf8'));
  return { ...done, files: files.length, bytes: files.join('').length, schemas: files.some((text) => text.includes('ZodError')) };
}

test.each([
  ['prices', 'ls'],
  ['positions', 'open'],
])('%s %s --json loads a few files, and no schemas', async (...words) => {
  const run = await loadedBy([...words, '--json']);
  expect(run).toMatchObject({ exit: 0, stderr: '', schemas: false });
  expect(run.files).toBeGreaterThan(2);
  expect(run.files).toBeLessThanOrEqual(10);
  expect(run.bytes).toBeLessThan(230_000);
});

test('the version is told before anything is loaded', async () => {
  expect((await loadedBy(['--version'])).bytes).toBeLessThan(2000);
});

test('an answer that breaks the contract is refused although there are no schemas', async () => {
  answers['/bff/v2/positions/open'] = { ...open, items: [{ symbol: 'BTCUSDT' }] };
  const run = await loadedBy(['positions', 'open', '--json']);
  expect(run).toMatchObject({ stdout: '', schemas: false });
  expect(run.exit).not.toBe(0);
});
