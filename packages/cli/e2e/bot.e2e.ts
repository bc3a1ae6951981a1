/** @module-tag smoke */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AutoTrade, AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { StoredTrace } from '@pilotfish/core/auto-trades/trace';
import { until } from '@pilotfish/core/testing/until';
import { startTestServer, type TestServer } from '@pilotfish/server/app/testing/test-server';
import { totpCode } from '@pilotfish/server/auth/totp';
import { MARKET_START } from '@pilotfish/simulator/testing/test-market';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPipe, type Pipe } from './pipe.ts';
import type { Size } from './screen.ts';
import { openStage, type Stage, whileMoving } from './stage.ts';
import { openTerminal } from './terminal.ts';

// The whole way of a person with a terminal: account, demo account, wallet, bot, its live screen, and what scripts read.

let simulator: Stage['simulator'];
/** How long an access token lives here. */
const TOKEN_SECONDS = 15 * 60;
let server: TestServer;
let folder: string;
let env: Record<string, string>;
let pipe: ReturnType<typeof openPipe>;

beforeAll(async () => {
  ({ simulator } = await openStage());
  // One of its own: it records tapes, and its clock is moved by a quarter of an hour.
  server = await startTestServer({
    realClock: true,
    now: MARKET_START,
    settings: { exchangeRestUrl: simulator.origin, exchangeWsUrl: simulator.wsOrigin, recordTapes: true },
    auth: { accessTokenSeconds: TOKEN_SECONDS },
  });
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-cli-'));
  env = { XDG_CONFIG_HOME: folder, PILOTFISH_URL: server.url };
  pipe = openPipe(env, { now: server.now });
});
afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

const ESC = '\u001b\\[';
const ESCAPES = {
  cursorShown: new RegExp(`${ESC}\\?25h`, 'g'),
  colour: new RegExp(`${ESC}(3[0-8]|4[0-8]|9\\d)[;m]`),
};

const pilotfish: Pipe['run'] = (words, more) => pipe.run(words, more);
const json = <Answer>(...words: string[]) => pipe.json<Answer>(words);
const open = (words: readonly string[], size?: Size, more: Record<string, string> = {}) =>
  openTerminal(words, { ...env, ...more }, size, { now: server.now });

test('before anyone signs in: exit codes and where things go', async () => {
  expect(await pilotfish(['bots', 'ls'])).toMatchObject({ exit: 4, stdout: '', stderr: expect.stringContaining('pilotfish auth login') });
  expect(await pilotfish(['bots', 'ls', '--json'])).toMatchObject({ exit: 4, stdout: '' });
  expect(JSON.parse((await pilotfish(['bots', 'ls', '--json'])).stderr)).toMatchObject({ status: 401, code: 'unauthenticated' });
  expect(await pilotfish(['bots', 'lst'])).toMatchObject({ exit: 2, stderr: expect.stringContaining('Did you mean ls?') });
  expect(await pilotfish(['auth', 'login', '--username', 'ada'])).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('--password-stdin'),
  });
  expect(await pilotfish(['auth', 'register'])).toMatchObject({ exit: 2 });
  expect(await pilotfish(['prices', 'ls'], { env: { PILOTFISH_URL: 'http://127.0.0.1:1' } })).toMatchObject({
    exit: 1,
    stderr: expect.stringContaining('pilotfish serve'),
  });
});

let secretKey = '';

test('register in a terminal: secret, QR code, recovery codes once, a private session file', async () => {
  const terminal = open(['auth', 'register'], { rows: 60 });
  await terminal.see(/Username:$/);
  terminal.type('ada\r');
  await terminal.see(/E-mail:$/);
  terminal.type('ada@example.com\r');
  await terminal.see(/Password:$/);
  terminal.type('deep water forty-two\r');
  await terminal.see(/Password again:$/);
  terminal.type('deep water forty-two\r');
  const enrolment = await terminal.see(/otpauth:[\s\S]*Code:$/);
  expect(enrolment).toMatch(/[█▀▄]{20}/);
  secretKey = /secret=([A-Z2-7]+)/.exec(terminal.raw())?.[1] ?? '';
  // The rejected code keeps the step.
  terminal.type('000000\r');
  await terminal.see(/The code is wrong[\s\S]*Code:$/);
  terminal.type(`${totpCode(secretKey, server.now())}\r`);
  const codes = await terminal.see(/Type yes:$/);
  expect(codes.match(/^ {2}[A-Z0-9]{5}-[A-Z0-9]{5}$/gm)).toHaveLength(10);
  terminal.type('yes\r');
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 });
  expect(terminal.raw()).not.toContain('deep water');
  expect(await json('auth', 'status')).toMatchObject({ username: 'ada', roles: ['Admin'], store: 'file' });
});

test('a session of one server is not sent to another', async () => {
  const run = await pilotfish(['auth', 'status', '--url', server.url.replace('127.0.0.1', 'localhost')]);
  expect(run.exit).toBe(4);
});

test('connect a demo account, open a wallet, look at prices', async () => {
  expect((await pilotfish(['exchange', 'status'])).exit).toBe(6);
  const connected = await pilotfish(['exchange', 'connect', '--demo', '--json']);
  expect(JSON.parse(connected.stdout)).toMatchObject({ exchange: 'simulated', enableSpotAndMarginTrading: true });
  expect(await json('wallets', 'add', 'Main', '--balance', '5000')).toMatchObject({ name: 'Main', free: '5000', mode: 'paper' });
  expect((await pilotfish(['wallets', 'ls', '--csv', '--fields', 'name,free'])).stdout).toBe('name,free\r\nMain,5000\r\n');
  expect((await pilotfish(['wallets', 'ls', '--fields', 'name,free'])).stdout).toBe('Main\t5000\n');
  expect(await pilotfish(['wallets', 'add', 'Main'])).toMatchObject({ exit: 8 });
  const prices = await json<{ symbol: string }[]>('prices', 'ls', '--quote', 'USDT', '--limit', '3', '--fields', 'symbol,price');
  expect(prices.map((row) => Object.keys(row))).toEqual([
    ['symbol', 'price'],
    ['symbol', 'price'],
    ['symbol', 'price'],
  ]);
  expect(await json('prices', 'show', 'btcusdt')).toMatchObject({ symbol: 'BTCUSDT', interval: '1h' });
  expect(await json('orders', 'ls')).toEqual([]);
});

const MINUTE = 60_000;

const settings = `name: Dip
wallet: Main
coins: {symbols: [BTCUSDT, ETHUSDT]}
entry:
  size: {mode: fixed, value: 500}
  trigger: {kind: drop, dropPct: 0.1, lookbackMin: 60}
  trailing: {reboundPct: 0.1}
  order: {type: Market}
takeProfit: {levels: [{gainPct: 1, sellPct: 100}]}
trailingCost: {enabled: true, armGainPct: 0.5, distancePct: 0.2}
stopLoss: {mode: percent, pct: 8}
`;

test('create a bot from a file: broken rules are named, a dry run saves nothing', async () => {
  const file = join(folder, 'bot.yaml');
  writeFileSync(file, settings);
  const broken = await pilotfish(['bots', 'create', '-f', file, '--rebound', '0.01']);
  expect(broken).toMatchObject({ exit: 2, stderr: expect.stringContaining('entry.trailing.reboundPct') });
  const noStop = await pilotfish(['bots', 'create', '--name', 'X', '--wallet', 'Main', '--coins', 'BTCUSDT']);
  expect(noStop).toMatchObject({ exit: 2, stderr: expect.stringContaining('stopLoss') });
  expect(await pilotfish(['bots', 'create', '-f', file, '--dry-run'])).toMatchObject({
    exit: 0,
    stderr: expect.stringContaining('nothing was saved'),
  });
  expect(await json('bots', 'ls')).toEqual([]);
  expect(await json('bots', 'create', '-f', file)).toMatchObject({ name: 'Dip', state: 'Disabled' });
  expect(await pilotfish(['bots', 'create', '-f', '-'], { input: settings })).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('Dip'),
  });
});

test('enable it, and watch it live at 80 by 24; the terminal is left as it was found', async () => {
  expect(await json('bots', 'enable', 'dip')).toMatchObject({ state: 'Running' });
  const terminal = open(['bots', 'show', 'Dip', '--watch'], {}, { NO_COLOR: '1' });
  await terminal.see(/Dip +Running +SIMULATED.*Live/);
  expect(terminal.buffer()).toBe('alternate');
  const screen = await whileMoving(simulator, terminal.see(/Bought [\s\S]*q quit/), MINUTE);
  const lines = screen.split('\n');
  expect(lines.length).toBeLessThan(24);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  terminal.resize(120, 40);
  await terminal.see(/─{90}/);
  terminal.type('q');
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 });
  expect(terminal.buffer()).toBe('normal');
  expect(terminal.raw().match(ESCAPES.cursorShown)).not.toBeNull();
  // Colours and backgrounds: none. Bold and dim may stay.
  expect(terminal.raw()).not.toMatch(ESCAPES.colour);
});

test('ctrl-c leaves the live screen with 130 and the terminal restored', async () => {
  const terminal = open(['bots', 'show', 'Dip', '--watch']);
  await terminal.see(/Live/);
  expect(terminal.raw()).toMatch(ESCAPES.colour);
  terminal.press('ctrl-c');
  expect(await terminal.ended()).toMatchObject({ exitCode: 130 });
  expect(terminal.buffer()).toBe('normal');
});

test('what scripts read: state, positions, traces, reasons, and lines that stream', async () => {
  const detail = await json<AutoTradeDetail>('bots', 'show', 'Dip');
  expect(detail).toMatchObject({ name: 'Dip', state: 'Running', mode: 'paper' });
  expect(detail.evaluations.map(({ symbol }) => symbol).sort()).toEqual(['BTCUSDT', 'ETHUSDT']);
  const traces = await json<StoredTrace[]>('bots', 'trace', 'Dip');
  expect(traces[0]).toMatchObject({ seq: 1, kind: 'Entry', reason: 'Drop' });
  const why = await pilotfish(['bots', 'why', 'Dip', 'BTCUSDT']);
  expect(why.stdout.split('\t')[0]).toBe('BTCUSDT');
  expect(await pilotfish(['bots', 'why', 'Dip', 'XRPUSDT'])).toMatchObject({ exit: 7 });
  expect((await pilotfish(['bots', 'logs', 'Dip', '-n', '5'])).stdout.trim().split('\n').length).toBeLessThanOrEqual(5);
  const turkish = await pilotfish(['bots', 'trace', 'Dip', '-n', '1', '--lang', 'tr', '--fields', 'text']);
  const english = await pilotfish(['bots', 'trace', 'Dip', '-n', '1', '--fields', 'text']);
  expect(turkish.stdout).not.toBe(english.stdout);
});

test('a watched list prints what changes, as lines', async () => {
  const terminal = open(['bots', 'ls', '--watch', '--jsonl', '--fields', 'name,state']);
  await terminal.see('{"name":"Dip","state":"Running"}');
  expect(await json('bots', 'disable', 'Dip')).toMatchObject({ state: 'Disabled' });
  await terminal.see('{"name":"Dip","state":"Disabled"}');
  expect(await json('bots', 'enable', 'Dip')).toMatchObject({ state: 'Running' });
  await terminal.see(/"Disabled"}\s+{"name":"Dip","state":"Running"}/);
  terminal.press('ctrl-c');
  expect(await terminal.ended()).toMatchObject({ exitCode: 130 });
});

test('destructive verbs ask first, and tell a script which flag is missing', async () => {
  expect(await pilotfish(['bots', 'rm', 'Dip'])).toMatchObject({ exit: 2, stderr: expect.stringContaining('--yes') });
  expect(await pilotfish(['bots', 'reset', 'Dip', '--yes'])).toMatchObject({ exit: 8 });
  const terminal = open(['bots', 'rm', 'Dip']);
  await terminal.see(/Delete Dip\?/);
  terminal.type('n\r');
  expect(await terminal.ended()).toMatchObject({ exitCode: 1 });
  expect(await json<AutoTrade[]>('bots', 'ls')).toHaveLength(1);
});

test('the kill switch halts it; its tape, replayed, gives the traces the server wrote', async () => {
  expect(await pilotfish(['bots', 'halt', 'Dip', '--yes', '--reason', 'test'])).toMatchObject({ exit: 0 });
  const bot = await json<AutoTradeDetail>('bots', 'show', 'Dip');
  expect(bot.state).toBe('Halted');
  const tape = join(server.dataDir, 'tapes', `${bot.id}.jsonl`);
  await until('the tape', async () => (existsSync(tape) && readFileSync(tape, 'utf8').endsWith('\n') ? true : undefined));
  expect(await pilotfish(['replay', tape, '--check'])).toMatchObject({ exit: 0, stderr: expect.stringContaining('are the same') });
  expect(await pilotfish(['replay', join(folder, 'bot.yaml')])).toMatchObject({ exit: 2 });
  const sizes = await pilotfish(['admin', 'tapes', '--data-dir', server.dataDir, '--json']);
  expect(sizes.stderr).toMatch(/All tapes: \d+\.\d MB of 2048 MB/);
  expect(JSON.parse(sizes.stdout)).toMatchObject([{ autoTradeId: bot.id, bytes: expect.any(Number) }]);
});

test('twenty commands at once with a spent token refresh once and none is signed out', async () => {
  // The access token dies; the refresh token is used up by whoever comes first, and found renewed by the others.
  server.advance((TOKEN_SECONDS + 60) * 1000);
  const runs = await Promise.all(Array.from({ length: 20 }, () => pilotfish(['wallets', 'ls', '--fields', 'name'])));
  expect(runs.map(({ exit, stdout }) => `${exit} ${stdout.trim()}`)).toEqual(Array.from({ length: 20 }, () => '0 Main'));
  // A second time, to show that the session they left behind is whole.
  expect((await pilotfish(['auth', 'status'])).exit).toBe(0);
});

test('sign out, and in again by a script', async () => {
  expect(await pilotfish(['auth', 'logout'])).toMatchObject({ exit: 0 });
  expect((await pilotfish(['auth', 'status'])).exit).toBe(4);
  const words = ['auth', 'login', '--username', 'ada', '--password-stdin', '--otp'];
  expect(await pilotfish([...words, '000000'], { input: 'deep water forty-two\n' })).toMatchObject({ exit: 4 });
  const signedIn = await pilotfish([...words, server.nextCode(secretKey)], { input: 'deep water forty-two\n' });
  expect(signedIn).toMatchObject({ exit: 0, stdout: '' });
  expect(signedIn.stderr).not.toContain('deep water');
  expect((await pilotfish(['auth', 'status'])).exit).toBe(0);
});
