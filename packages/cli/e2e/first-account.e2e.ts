/** @module-tag smoke */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountFeatures } from '@pilotfish/server/app/features';
import { startTestServer, type TestServer } from '@pilotfish/server/app/testing/test-server';
import { totpCode } from '@pilotfish/server/auth/totp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTerminal } from './terminal.ts';

// The first account of a server that others can reach, made in a terminal, and signing in while others guess.

let server: TestServer;
let folder: string;
beforeEach(async () => {
  server = await startTestServer({ settings: { allowedHosts: ['pilotfish.lan'] }, features: accountFeatures });
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-cli-'));
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const register = (env: Record<string, string>) => {
  const words = ['auth', 'register', '--username', 'ada', '--email', 'ada@example.com', '--url', server.url];
  return openTerminal(words, { XDG_CONFIG_HOME: folder, ...env }, { rows: 80, columns: 120 }, { now: server.now });
};
const typePassword = async (terminal: ReturnType<typeof register>) => {
  await terminal.see(/Password:$/);
  terminal.type('plain walking stick\r');
  await terminal.see(/again:$/i);
  terminal.type('plain walking stick\r');
};
const enrol = async (terminal: ReturnType<typeof register>) => {
  await terminal.see(/Code:$/);
  const secret = /secret=([A-Z2-7]{32})/.exec(terminal.raw())?.[1] ?? '';
  terminal.type(`${totpCode(secret, server.now())}\r`);
  await terminal.see(/Type yes:$/);
  terminal.type('yes\r');
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 });
  return secret;
};

test('a terminal beside the server reads the code without being asked', async () => {
  const code = server.setupCode?.code ?? '';
  const terminal = register({ PILOTFISH_DATA_DIR: server.dataDir });
  await typePassword(terminal);
  await enrol(terminal);
  expect(terminal.raw()).not.toContain(code);
});

test('any other terminal asks for it, again after a wrong one, and shows nothing of it', async () => {
  const code = server.setupCode?.code ?? '';
  const terminal = register({ PILOTFISH_DATA_DIR: folder });
  await typePassword(terminal);
  await terminal.see(/Set-up code .*:$/);
  terminal.type('AAAAA-AAAAA\r');
  await terminal.see(/The code is wrong[\s\S]*prints it when it starts[\s\S]*Set-up code .*:$/);
  terminal.type(`${code}\r`);
  await enrol(terminal);
  expect(terminal.raw()).not.toContain(code);
});

test('a terminal that has signed in before gets in while others guess from its own network', async () => {
  const registering = register({ PILOTFISH_DATA_DIR: server.dataDir });
  await typePassword(registering);
  const secret = await enrol(registering);
  const login = (env: Record<string, string>) =>
    openTerminal(['auth', 'login', '--username', 'ada', '--url', server.url], env, { rows: 80, columns: 120 }, { now: server.now });
  for (let tries = 0; tries < 8; tries += 1)
    await server.call('/gateway/v1/account/login', { body: { username: 'ada', password: 'a guess' } });
  const stranger = login({ XDG_CONFIG_HOME: join(folder, 'elsewhere') });
  await stranger.see(/Password:$/);
  stranger.type('plain walking stick\r');
  await stranger.see(/Wait|many/i);
  stranger.press('ctrl-c');
  const terminal = login({ XDG_CONFIG_HOME: folder });
  await terminal.see(/Password:$/);
  terminal.type('plain walking stick\r');
  await terminal.see(/Code:$/);
  terminal.type(`${server.nextCode(secret)}\r`);
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 });
});
