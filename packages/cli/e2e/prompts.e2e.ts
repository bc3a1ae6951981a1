import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountFeatures } from '@pilotfish/server/app/features';
import { startTestServer, type TestServer } from '@pilotfish/server/app/testing/test-server';
import { totpCode } from '@pilotfish/server/auth/totp';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { openPipe } from './pipe.ts';
import { openTerminal } from './terminal.ts';

// How questions behave: what is wrong stands at the field, what was right is not asked again, and leaving leaves nothing behind.

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await startTestServer({ features: accountFeatures });
});
afterAll(() => server.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-cli-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (words: readonly string[], env: Record<string, string> = {}, columns = 100) =>
  openTerminal([...words, '--url', server.url], { XDG_CONFIG_HOME: folder, ...env }, { rows: 60, columns }, { now: server.now });
const hasSession = () => existsSync(join(folder, 'pilotfish/sessions')) && readdirSync(join(folder, 'pilotfish/sessions')).length > 0;

test('a wrong answer is refused at its field, and only that field is asked again', async () => {
  const terminal = open(['auth', 'register']);
  await terminal.see(/Username:$/);
  terminal.press('enter');
  await terminal.see(/Type an answer, or press Esc[^\n]*\nUsername:$/);
  terminal.type('grace\rnot an address\rplain walking stick\rplain walking\r');
  await terminal.see(/The two passwords differ\.\nPassword:$/);
  terminal.type('plain walking stick\rplain walking stick\r');
  // The server names the field; name and password stand.
  await terminal.see(/not an e-mail address\.\nE-mail:$/);
  terminal.type('grace@example.com\r');
  await terminal.see(/secret=[A-Z2-7]{32}[\s\S]*\nCode:$/);
  const secret = /secret=([A-Z2-7]{32})/.exec(terminal.raw())?.[1] ?? '';
  const code = totpCode(secret, server.now());
  terminal.type(`${code}\r`);
  await terminal.see(/Type yes:$/);
  terminal.press('escape');
  await terminal.see(/Confirm this to continue\.\n[^\n]*Type yes:$/);
  terminal.type('yes\r');
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 });
  expect(hasSession()).toBe(true);
  for (const hidden of ['walking stick', code]) expect(terminal.raw()).not.toContain(hidden);
});

test.each([
  ['escape', 2],
  ['ctrl-c', 130],
] as const)('%s in the middle leaves nothing behind, and the terminal as it was', async (key, exitCode) => {
  const terminal = open(['auth', 'register']);
  await terminal.see(/Username:$/);
  terminal.type('alan\ralan@exa');
  await terminal.see(/E-mail: alan@exa$/);
  terminal.press(key);
  expect(await terminal.ended()).toMatchObject({ exitCode });
  expect(hasSession()).toBe(false);
  expect(terminal.raw().lastIndexOf('\u001b[?25h')).toBeGreaterThan(terminal.raw().lastIndexOf('\u001b[?25l'));
  expect(await server.context.database.queries.selectFrom('accounts').where('username', '=', 'alan').selectAll().execute()).toEqual([]);
});

test('questions are Turkish where the terminal is, and have no colour where none is wanted', async () => {
  const terminal = open(['auth', 'register', '--lang', 'tr'], { NO_COLOR: '1' });
  await terminal.see(/Kullanıcı adı:$/);
  terminal.press('enter');
  await terminal.see(/Bir yanıt yazın[^\n]*\nKullanıcı adı:$/);
  for (const colour of ['\u001b[31m', '\u001b[7m']) expect(terminal.raw()).not.toContain(colour);
  terminal.press('ctrl-c');
  expect(await terminal.ended()).toMatchObject({ exitCode: 130 });
});

test('what a server says is shown, not obeyed', async () => {
  const evilServer = createServer((_, reply) =>
    reply
      .writeHead(401, { 'content-type': 'application/problem+json' })
      .end(JSON.stringify({ title: 'x', status: 401, code: 'invalid-credentials', detail: 'no \u001b]0;owned\u0007\u001b[2J' })),
  );
  await new Promise<void>((resolve) => evilServer.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void evilServer.close());
  const url = `http://127.0.0.1:${(evilServer.address() as AddressInfo).port}`;
  const evil = openTerminal(['auth', 'login', '--username', 'ada', '--url', url], { XDG_CONFIG_HOME: folder }, { rows: 60 });
  await evil.see(/Password:$/);
  evil.type('long password\r');
  await evil.see('no ␛]0;owned');
  expect(evil.raw()).not.toContain('\u001b]0;');
  evil.press('ctrl-c');
  await evil.ended();
});

test('without a terminal nothing is asked: a password from stdin and a code sign in, or the flag is named', async () => {
  const { session: _, ...user } = await server.register({ username: 'turing' });
  const pipe = openPipe({ XDG_CONFIG_HOME: folder, PILOTFISH_URL: server.url }, { now: server.now });
  const login = (password: string, words: readonly string[]) =>
    pipe.run(['auth', 'login', '--username', 'turing', '--password-stdin', ...words], { input: password });
  expect(await login(user.password, [])).toMatchObject({ exit: 2, stderr: expect.stringContaining('--otp') });
  expect(await login('a guess', ['--otp', '123456'])).toMatchObject({ exit: 4 });
  expect(hasSession()).toBe(false);
  // As authenticators show it.
  const code = server.nextCode(user.secretKey);
  expect(await login(user.password, ['--otp', `${code.slice(0, 3)} ${code.slice(3)}`])).toMatchObject({ exit: 0 });
  expect(hasSession()).toBe(true);
});
