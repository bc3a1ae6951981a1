import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Account, openAccount, openStage, type Stage } from './stage.ts';

// Keys of an exchange account, typed into a terminal: unseen, checked by the exchange, and the old ones kept until others are good.

let stage: Stage;
let account: Account;
beforeEach(async () => {
  stage = await openStage();
  account = await openAccount();
});
afterEach(() => account?.close());

const CONNECTION = '/gateway/v2/account/connect/binance';
type Keys = { clientId: string; clientSecret: string };
const newKeys = async () => (await account.user.call<Keys>(`${CONNECTION}/demo`, { method: 'POST' })).body;
const connect = (keys: Keys) => account.user.call(CONNECTION, { method: 'POST', body: keys });
const keyEnding = async () => (await account.user.call<{ keyEnding?: string }>(CONNECTION)).body.keyEnding;
const open = (words: readonly string[] = [], columns = 120) => account.open(['exchange', 'connect', ...words], { rows: 60, columns });
const DOWN = '\u001b[B';
const KEY = /API key:$/;
const SECRET = /API secret \([^\n]*\):$/;

test('keys are typed unseen, refused at their field, and what they may do is shown', async () => {
  const { clientId, clientSecret } = await newKeys();
  const terminal = open();
  await terminal.see(/public IP address of the machine[\s\S]*What do you want to connect\?[\s\S]*❯ My own API key/);
  terminal.press('enter');
  await terminal.see(KEY);
  terminal.type('too short\r');
  await terminal.see(/at least 16 characters\.\nAPI key:$/);
  terminal.type(`${clientId}\r`);
  await terminal.see(SECRET);
  // Several lines, as a key in PEM is pasted: one answer, which the server refuses at its field.
  terminal.type('-----BEGIN PRIVATE KEY-----\rTm90aGluZyBidXQgYSB0ZXN0\r-----END PRIVATE KEY-----\r');
  await terminal.see(/API secret[^\n]*\n[^\n]+\nAPI secret \([^\n]*\):$/);
  terminal.type(`${clientSecret}\r`);
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 });
  expect(terminal.screen()).toMatch(/The exchange is connected\.[\s\S]*Can read[\s\S]*This key works from any IP address/);
  expect(await keyEnding()).toBe(clientId.slice(-4));
  for (const hidden of [clientId, clientSecret, 'Tm90aGluZyBidXQgYSB0ZXN0']) expect(terminal.raw()).not.toContain(hidden);
});

test('keys that the exchange does not know are asked for again, both', async () => {
  const { clientId, clientSecret } = await newKeys();
  const terminal = open(['--key', 'k'.repeat(64)]);
  await terminal.see(SECRET);
  terminal.type(`${'s'.repeat(64)}\r`);
  await terminal.see(/[^\n]+\nAPI key:$/);
  terminal.type(`${clientId}\r`);
  await terminal.see(SECRET);
  terminal.type(`${clientSecret}\r`);
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 });
  expect(await keyEnding()).toBe(clientId.slice(-4));
});

describe('with keys connected', () => {
  let first: Keys;
  beforeEach(async () => {
    first = await newKeys();
    await connect(first);
  });

  test('Enter replaces nothing, nor does leaving after others were refused', async () => {
    const declined = open(['--demo']);
    await declined.see(new RegExp(`key …${first.clientId.slice(-4)}[^\\n]*Replace it\\? \\[y/N\\]$`));
    declined.press('enter');
    expect(await declined.ended()).toMatchObject({ exitCode: 1 });
    const left = open(['--key', 'k'.repeat(64)]);
    await left.see(/\[y\/N\]$/);
    left.type(`y\r`);
    await left.see(SECRET);
    left.type(`${'s'.repeat(64)}\r`);
    await left.see(KEY);
    left.press('escape');
    expect(await left.ended()).toMatchObject({ exitCode: 2 });
    expect(await keyEnding()).toBe(first.clientId.slice(-4));
  });

  test('a demo account is chosen from the list, and takes their place once', async () => {
    const terminal = open(['--lang', 'tr'], 80);
    await terminal.see(/\[e\/H\]$/);
    terminal.type('e\r');
    await terminal.see(/❯ Kendi API anahtarım/);
    terminal.type(`${DOWN}\r`);
    expect(await terminal.ended()).toMatchObject({ exitCode: 0 });
    expect(await keyEnding()).not.toBe(first.clientId.slice(-4));
  });

  test('with --yes nothing is asked, in a terminal and in a pipe', async () => {
    const terminal = open(['--demo', '--yes']);
    expect(await terminal.ended()).toMatchObject({ exitCode: 0 });
    const second = await keyEnding();
    expect(second).not.toBe(first.clientId.slice(-4));
    expect(await account.pipe.run(['exchange', 'connect', '--demo'])).toMatchObject({ exit: 2, stderr: expect.stringContaining('--yes') });
    expect(await keyEnding()).toBe(second);
    expect(await account.pipe.run(['exchange', 'connect', '--demo', '--yes'])).toMatchObject({ exit: 0 });
    expect(await keyEnding()).not.toBe(second);
  });
});

test('the code that a call of the wizard needs is asked for inside it, and after Escape the keys are asked for again', async () => {
  const { clientId, clientSecret } = await newKeys();
  await stage.server.context.database.queries.updateTable('sessions').set({ second_factor_at: 0 }).execute();
  const terminal = open(['--key', clientId]);
  await terminal.see(SECRET);
  terminal.type(`${clientSecret}\r`);
  await terminal.see(/ten minutes[\s\S]*Authenticator code:$/);
  terminal.press('escape');
  await terminal.see(KEY);
  terminal.type(`${clientId}\r`);
  await terminal.see(SECRET);
  terminal.type(`${clientSecret}\r`);
  await terminal.see(/Authenticator code:[\s\S]*Authenticator code:$/);
  const code = stage.server.nextCode(account.user.secretKey);
  terminal.type(`${code}\r`);
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 });
  expect(await keyEnding()).toBe(clientId.slice(-4));
  for (const hidden of [clientSecret, code]) expect(terminal.raw()).not.toContain(hidden);
});

test('without a terminal the missing flag is named', async () => {
  expect(await account.pipe.run(['exchange', 'connect'])).toMatchObject({ exit: 2, stderr: expect.stringContaining('--key') });
  const keyed = await account.pipe.run(['exchange', 'connect', '--key', 'k'.repeat(64)]);
  expect(keyed).toMatchObject({ exit: 2, stderr: expect.stringContaining('--secret-stdin') });
});
