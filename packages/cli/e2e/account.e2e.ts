/** @module-tag smoke */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Device } from '@pilotfish/core/auth/auth-contract';
import type { SignedInUser, TestServer } from '@pilotfish/server/app/testing/test-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Pipe } from './pipe.ts';
import { type Account, openAccount, openStage } from './stage.ts';

// Every verb of `pilotfish account` against a running server: what it prints, what it asks, what it keeps to itself.

let server: TestServer;
let account: Account;
let user: SignedInUser;
let folder: string;
let pipe: Pipe;

beforeAll(async () => {
  ({ server } = await openStage());
  account = await openAccount({ user: await server.register({ username: 'ada' }) });
  ({ user, folder, pipe } = account);
});
afterAll(() => account?.close());

type Refusal = { code: string; detail: string; fix?: string; errors?: { path: string; message: string }[] };
const refused = async (words: readonly string[], input = '') => {
  const { exit, stdout, stderr } = await pipe.run([...words, '--json'], { input });
  expect(stdout, words.join(' ')).toBe('');
  return { exit, ...(JSON.parse(stderr) as Refusal) };
};
/** The newest message to an address or a number, from the folder of a server without a mail server. */
async function message(to: string): Promise<string> {
  // What the command itself set off is on its way; the rest is taken along.
  await server.context.mailer.settle();
  await server.context.mailer.deliver();
  const here = ['--data-dir', server.dataDir];
  const mails = await pipe.json<{ id: string; to: string }[]>(['admin', 'outbox', ...here]);
  return (await pipe.run(['admin', 'outbox', mails.findLast((mail) => mail.to === to)?.id ?? 'none', ...here])).stdout;
}
const linkIn = (text: string): string => /\S+#confirm-email=[\w-]+/.exec(text)?.[0] ?? '';

test('who it is, and a preference that is changed', async () => {
  expect(await pipe.json(['account', 'show'])).toMatchObject({
    username: 'ada',
    email: 'ada@example.com',
    emailConfirmed: false,
    roles: '',
  });
  expect(await pipe.json(['account', 'set', 'timeZone', 'Europe/Istanbul'])).toMatchObject({ timeZone: 'Europe/Istanbul' });
  const timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  expect(await pipe.json(['account', 'set', 'timeZone', 'device'])).toMatchObject({ timeZone });
  expect(await refused(['account', 'set', 'timeZone', 'Europe/Nowhere'])).toMatchObject({
    exit: 2,
    errors: [{ path: 'timeZone', message: 'This time zone does not exist.' }],
  });
  expect(await refused(['account', 'set', 'timeZone', 'Europe/Nowhere', '--lang', 'tr'])).toMatchObject({
    errors: [{ path: 'timeZone', message: expect.stringContaining('saat dilimi') }],
  });
  expect((await refused(['account', 'set', 'shoeSize', '42'])).detail).toContain('timeZone');
  expect(await pipe.json(['account', 'limits'])).toContainEqual({ quota: 'wallets', used: 0, limit: 20 });
  const terminal = account.open(['account', 'show', '--lang', 'tr'], { columns: 100 });
  await terminal.see('ada@example.com');
  await terminal.see(/Saat dilimi/i);
  expect((await terminal.ended()).exitCode).toBe(0);
});

test('the address: confirmed by the link of the mail, moved only with the password', async () => {
  expect((await pipe.run(['account', 'email'])).stderr).toContain('account email --resend');
  expect((await pipe.run(['account', 'email', '--resend'])).stderr).toContain('ada@example.com');
  const first = linkIn(await message('ada@example.com'));
  expect(await refused(['account', 'email', 'no-such-code'])).toMatchObject({ code: 'code-expired' });
  expect((await pipe.run(['account', 'email', first])).exit).toBe(0);
  expect(await pipe.json(['account', 'show'])).toMatchObject({ emailConfirmed: true });
  const move = ['account', 'email', 'ada@new.example.com'];
  expect(await refused(move)).toMatchObject({ exit: 2, detail: expect.stringContaining('--password-stdin') });
  expect(await refused([...move, '--password-stdin'], 'wrong\n')).toMatchObject({ code: 'wrong-password' });
  expect(await refused(['account', 'email', 'a@b', '--password-stdin'], `${user.password}\n`)).toMatchObject({
    exit: 2,
    errors: [expect.objectContaining({ path: 'email' })],
  });
  expect((await pipe.run([...move, '--password-stdin'], { input: `${user.password}\n` })).exit).toBe(0);
  expect(await pipe.json(['account', 'show'])).toMatchObject({ email: 'ada@example.com' });
  const code = linkIn(await message('ada@new.example.com')).split('=')[1]!;
  expect((await pipe.run(['account', 'email', code, '--lang', 'tr'])).stderr).toBe('E-posta adresiniz onaylandı.\n');
  expect(await pipe.json(['account', 'show'])).toMatchObject({ email: 'ada@new.example.com', emailConfirmed: true });
});

test('a phone number: the code is asked for on a terminal, given by a flag in a script', async () => {
  expect(await refused(['account', 'phone', '0532'])).toMatchObject({ exit: 2, errors: [expect.objectContaining({ path: 'phone' })] });
  expect((await pipe.run(['account', 'phone', '+90 532 000 0001'])).exit).toBe(0);
  const codeOf = async (number: string) => /\b\d{6}\b/.exec(await message(number))?.[0] ?? '';
  const code = await codeOf('+905320000001');
  const wrong = code === '123456' ? '654321' : '123456';
  expect(await refused(['account', 'phone', '+905320000001', '--code', wrong])).toMatchObject({ code: 'wrong-code' });
  expect((await pipe.run(['account', 'phone', '+905320000001', '--code', code])).exit).toBe(0);
  const terminal = account.open(['account', 'phone', '+905320000002'], { columns: 100 });
  await terminal.see(/Code from the message:/);
  terminal.type(`${await codeOf('+905320000002')}\r`);
  await terminal.see(/confirmed/);
  expect((await terminal.ended()).exitCode).toBe(0);
});

test('devices are listed and signed out', async () => {
  const others = [await server.signIn(user), await server.signIn(user)];
  const devices = await pipe.json<Device[]>(['account', 'sessions', 'ls']);
  expect(devices).toHaveLength(3);
  expect(await pipe.json<Device[]>(['account', 'sessions'])).toHaveLength(3);
  const other = devices.find(({ current }) => !current)!;
  expect((await pipe.run(['account', 'sessions', 'end', other.id])).stderr).toBe('Signed out: 1\n');
  expect(await refused(['account', 'sessions', 'end', other.id])).toMatchObject({ exit: 7 });
  expect((await refused(['account', 'sessions', 'end', 'that-one'])).exit).toBe(2);
  expect((await pipe.run(['account', 'sessions', '--end', 'others'])).stderr).toBe('Signed out: 1\n');
  expect((await pipe.json<Device[]>(['account', 'sessions'])).map(({ current }) => current)).toEqual([true]);
  for (const { accessToken } of others) expect((await server.call('/bff/v2/account', { token: accessToken })).status).toBe(401);
});

test('the password: hidden while it is typed, two lines in a script, every other device ends', async () => {
  const { accessToken } = await server.signIn(user);
  const next = 'harbour lights at noon';
  expect(await refused(['account', 'password'])).toMatchObject({ exit: 2, detail: expect.stringContaining('--password-stdin') });
  expect(await refused(['account', 'password', '--password-stdin'], `${user.password}\n`)).toMatchObject({ exit: 2, code: 'twoPasswords' });
  expect(await refused(['account', 'password', '--password-stdin'], `wrong\n${next}\n`)).toMatchObject({ code: 'wrong-password' });
  expect(await refused(['account', 'password', '--password-stdin'], `${user.password}\nsummer22\n`)).toMatchObject({
    code: 'weak-password',
  });
  const terminal = account.open(['account', 'password'], { columns: 100 });
  await terminal.see(/Current password:/);
  terminal.type(`${user.password}\r`);
  await terminal.see(/New password:/);
  terminal.type(`${next}\r`);
  await terminal.see(/New password again:/);
  terminal.type('something else\r');
  await terminal.see(/The two passwords differ/);
  terminal.type(`${next}\r`);
  await terminal.see(/New password again:[\s\S]*New password again:/);
  terminal.type(`${next}\r`);
  await terminal.see(/Your password was changed/);
  expect((await terminal.ended()).exitCode).toBe(0);
  for (const secret of [user.password, next, 'something else']) expect(terminal.raw()).not.toContain(secret);
  expect((await server.call('/bff/v2/account', { token: accessToken })).status).toBe(401);
  expect((await pipe.json<Device[]>(['account', 'sessions'])).length).toBe(1);
  const back = await pipe.run(['account', 'password', '--password-stdin', '--lang', 'tr'], { input: `${next}\n${user.password}\n` });
  expect(back).toEqual({ exit: 0, stdout: '', stderr: 'Parolanız değiştirildi. Diğer cihazlardan çıkış yapıldı.\n' });
});

test('recovery codes: how many are left; new ones need both proofs and are printed once', async () => {
  expect(await pipe.json(['account', 'recovery-codes'])).toMatchObject({ left: 10, total: 10 });
  const renew = ['account', 'recovery-codes', '--renew', '--yes'];
  expect((await refused(renew)).detail).toContain('--password-stdin');
  expect((await refused([...renew, '--password-stdin'], user.password)).detail).toContain('--otp');
  expect((await refused(['account', 'recovery-codes', '--renew'])).detail).toContain('--yes');
  const otp = server.nextCode(user.secretKey);
  expect(await refused([...renew, '--password-stdin', '--otp', otp], 'wrong')).toMatchObject({ code: 'wrong-password' });
  const done = await pipe.run([...renew, '--password-stdin', '--otp', server.nextCode(user.secretKey)], { input: user.password });
  expect(done).toMatchObject({ exit: 0, stderr: '' });
  expect(done.stdout.trim().split('\n')).toHaveLength(10);
  expect(done.stdout).toMatch(/^([a-z0-9]{5}-[a-z0-9]{5}\n){10}$/i);
});

test('the log of the own account', async () => {
  const entries = await pipe.json<{ action: string; outcome: string }[]>(['account', 'audit']);
  const actions = entries.map(({ action }) => action);
  for (const action of ['account.change-password', 'account.change-email', 'account.confirm-phone', 'account.confirm-email'])
    expect(actions).toContain(action);
  const failures = await pipe.json<{ outcome: string }[]>(['account', 'audit', 'ls', '--outcome', 'failure', '--area', 'account']);
  expect(failures.length).toBeGreaterThan(0);
  expect(new Set(failures.map(({ outcome }) => outcome))).toEqual(new Set(['failure']));
  expect((await refused(['account', 'audit', '--area', 'gossip'])).exit).toBe(2);
});

test('everything the account owns goes into a file that only its owner reads', async () => {
  const file = join(folder, 'mine.json');
  expect((await refused(['account', 'export', file])).detail).toContain('--otp');
  expect(await refused(['account', 'export', file, '--otp', '000000'])).toMatchObject({ code: 'wrong-code' });
  expect(existsSync(file)).toBe(false);
  expect((await pipe.run(['account', 'export', file, '--otp', server.nextCode(user.secretKey)])).exit).toBe(0);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.stringify(JSON.parse(readFileSync(file, 'utf8')))).toContain('ada@new.example.com');
  const out = await pipe.run(['account', 'export', '-', '--password-stdin'], { input: user.password });
  expect(JSON.stringify(JSON.parse(out.stdout))).toContain('ada@new.example.com');
  const lost = join(folder, 'none', 'mine.json');
  expect(await refused(['account', 'export', lost, '--password-stdin'], user.password)).toMatchObject({ exit: 1, code: 'cannotWrite' });
});

test('signed out, nothing of it answers', async () => {
  const lines = ['show', 'set language tr', 'email', 'phone +905320000001', 'sessions', 'audit', 'recovery-codes', 'export - --otp 123456'];
  for (const line of [...lines, 'delete --yes --otp 123456'])
    expect(await pipe.run(['account', ...line.split(' ')], { env: { PILOTFISH_TOKEN: '' } }), line).toMatchObject({
      exit: 4,
      stdout: '',
      stderr: expect.stringContaining('pilotfish auth login'),
    });
});

test('deleting it names what happens, wants a proof, and ends it', async () => {
  const asked = account.open(['account', 'delete'], { columns: 200 });
  await asked.see(/ada: bots stop.*\?/);
  asked.type('n\r');
  expect((await asked.ended()).exitCode).toBe(1);
  expect((await refused(['account', 'delete'])).detail).toContain('--yes');
  expect(await refused(['account', 'delete', '--yes', '--password-stdin'], 'wrong')).toMatchObject({ code: 'wrong-password' });
  expect(await pipe.json(['account', 'show'])).toMatchObject({ username: 'ada' });
  const typed = account.open(['account', 'delete', '--yes'], { columns: 100 });
  await typed.see(/Password:/);
  typed.type(`${user.password}\r`);
  await typed.see(/ada is deleted/);
  expect((await typed.ended()).exitCode).toBe(0);
  expect(typed.raw()).not.toContain(user.password);
  expect((await pipe.run(['account', 'show'])).exit).toBe(4);
  expect((await server.call('/gateway/v1/account/login', { body: { username: 'ada', password: user.password } })).status).toBe(400);
  // Nothing secret was written down on this side.
  const kept = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile() && each.name !== 'mine.json');
  for (const each of kept) expect(readFileSync(join(each.parentPath, each.name), 'utf8')).not.toContain(user.password);
});
