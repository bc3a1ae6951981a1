/** @module-tag smoke */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openProcessPipe } from './process-pipe.ts';

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
/** The wallets of a server whose contract has no `currency` yet. */
function beforeCurrencies(body: object): { status: number; said: object } {
  sent.push(body);
  const errors = [{ path: 'currency', code: 'unknown_field', message: 'unknown' }];
  if ('currency' in body) return { status: 400, said: { type: 'about:blank', title: 'x', status: 400, code: 'invalid', errors } };
  const amounts = { free: '5', reserved: '0', invested: '0', realised: '0', deposits: '5', withdrawals: '0' };
  const wallet = { id: '00000000-0000-4000-8000-000000000000', ...body, currency: 'USDT', reservePct: '1', status: 'Ready', ...amounts };
  return { status: 201, said: { ...wallet, createdAt: ticker.at } };
}
const sent: object[] = [];
let answers: Record<string, unknown>;
let server: Server;
let folder: string;

beforeAll(async () => {
  answers = {
    '/bff/v1/pairs': [],
    '/bff/v1/tickers': { items: [ticker], asOf: ticker.at, stale: false },
    '/bff/v2/positions/open': open,
  };
  server = createServer(async (request, reply) => {
    reply.setHeader('content-type', 'application/json');
    if (request.method === 'POST') {
      const { status, said } = beforeCurrencies(JSON.parse(await text(request)) as object);
      return void reply.writeHead(status).end(JSON.stringify(said));
    }
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
  const done = await openProcessPipe({ XDG_CONFIG_HOME: folder, PILOTFISH_URL: url, PILOTFISH_TOKEN: 'x', NODE_V8_COVERAGE: coverage }).run(
    words,
  );
  const scripts = readdirSync(coverage).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(coverage, name), 'utf8')) as { result: { url: string }[] };
    return result.map((each) => each.url);
  });
  const files = scripts
    .filter((each) => each.startsWith('file:') && each.includes('/cli/dist/'))
    .map((each) => readFileSync(fileURLToPath(each), 'utf8'));
  return { ...done, files: files.length, bytes: files.join('').length, schemas: files.some((code) => code.includes('ZodError')) };
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
  const run = await loadedBy(['--version']);
  expect(run).toMatchObject({ exit: 0, stdout: '0.1.0\n' });
  expect(run.bytes).toBeLessThan(2000);
});

test('an answer that breaks the contract is refused although there are no schemas', async () => {
  answers['/bff/v2/positions/open'] = { ...open, items: [{ symbol: 'BTCUSDT' }] };
  const run = await loadedBy(['positions', 'open', '--json']);
  expect(run).toMatchObject({ stdout: '', schemas: false });
  expect(run.exit).not.toBe(0);
});

test('an older server is sent no field that says nothing, though there are no schemas; what was asked for it refuses', async () => {
  const add = ['wallets', 'add', 'Main', '--balance', '5', '--json'];
  expect(await loadedBy(add)).toMatchObject({ exit: 0, stderr: '' });
  expect(sent).toEqual([
    { name: 'Main', mode: 'paper', currency: 'USDT', initialBalance: '5' },
    { name: 'Main', mode: 'paper', initialBalance: '5' },
  ]);
  const refused = await loadedBy([...add, '--currency', 'EUR']);
  expect(refused.exit).not.toBe(0);
  expect(refused.stderr).toContain('currency');
  expect(sent).toHaveLength(3);
});
