import type { TestServer } from '@pilotfish/server/app/testing/test-server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Account, openAccount, openStage } from './stage.ts';

// What needs a second factor given not long ago, in a terminal and in a script.

let server: TestServer;
let account: Account;
beforeEach(async () => {
  ({ server } = await openStage());
  account = await openAccount();
  await server.context.database.queries.updateTable('sessions').set({ second_factor_at: 0 }).execute();
});
afterEach(() => account?.close());

test('a terminal asks for the code, again after a wrong one, and the command goes on', async () => {
  const terminal = account.open(['notifications', 'webhook', 'http://127.0.0.1:9/hook'], { columns: 120 });
  await terminal.see(/ten minutes[\s\S]*Authenticator code:$/);
  terminal.type('12\r');
  await terminal.see(/Authenticator code:[\s\S]*Authenticator code:$/);
  const code = server.nextCode(account.user.secretKey);
  terminal.type(`${code}\r`);
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 });
  expect(terminal.raw()).not.toContain(code);
});

test('Escape leaves everything as it was', async () => {
  const terminal = account.open(['exchange', 'connect', '--demo'], { columns: 120 });
  await terminal.see(/Authenticator code:$/);
  terminal.press('escape');
  expect(await terminal.ended()).toMatchObject({ exitCode: 4 });
  expect((await account.pipe.run(['exchange', 'status', '--json'])).exit).not.toBe(0);
});

test('a script is told how to give a code ahead', async () => {
  const connect = () => account.pipe.run(['exchange', 'connect', '--demo', '--json']);
  const refused = await connect();
  expect(refused.exit).toBe(4);
  expect(JSON.parse(refused.stderr)).toMatchObject({
    status: 428,
    code: 'second-factor-required',
    fix: expect.stringContaining('account confirm'),
  });
  const confirmed = await account.pipe.run(['account', 'confirm', '--otp', server.nextCode(account.user.secretKey)]);
  expect(confirmed).toMatchObject({ exit: 0, stderr: expect.stringContaining('ten minutes') });
  expect((await connect()).exit).toBe(0);
});

test('after others were signed out the terminal names what else reaches the account; one command ends it', async () => {
  await account.pipe.run(['account', 'confirm', '--otp', server.nextCode(account.user.secretKey)]);
  await account.pipe.run(['notifications', 'webhook', 'http://127.0.0.1:9/hook']);
  const { stderr } = await account.pipe.run(['account', 'sessions', 'end', 'others']);
  expect(stderr).toMatch(/connections --end[\s\S]*Webhook {2}127\.0\.0\.1:9/);
  expect(await account.pipe.json(['account', 'connections'])).toMatchObject([{ kind: 'webhook', name: '127.0.0.1:9' }]);
  expect((await account.pipe.run(['account', 'connections', '--end', '--yes'])).exit).toBe(0);
  expect(await account.pipe.json(['account', 'connections'])).toEqual([]);
});
