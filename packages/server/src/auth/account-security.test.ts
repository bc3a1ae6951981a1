import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accountFeatures } from '../app/features.ts';
import { type SignedInUser, startTestServer, type TestServer } from '../app/testing/test-server.ts';
import { outboxFolder } from '../mail/mailer.ts';

let server: TestServer;
let user: SignedInUser;
beforeEach(async () => {
  server = await startTestServer({ features: accountFeatures });
  await server.register();
  user = await server.register();
});
afterEach(() => server.close());

const gateway = (name: string) => `/gateway/v1/account/${name}`;
const post = <Body = unknown>(name: string, body?: unknown, proof?: string) =>
  user.call<Body>(gateway(name), {
    method: 'POST',
    ...(body === undefined ? {} : { body }),
    ...(proof ? { headers: { 'step-up': proof } } : {}),
  });
async function prove(means: { password?: string; otpCode?: string }): Promise<string> {
  const { status, body } = await user.call<{ proof: string }>(gateway('step-up'), { body: means });
  expect(status).toBe(200);
  return body.proof;
}
async function mailsTo(address: string): Promise<string[]> {
  await server.context.mailer.settle();
  const folder = outboxFolder(server.dataDir);
  return readdirSync(folder)
    .sort()
    .map((name) =>
      readFileSync(`${folder}/${name}`, 'utf8')
        .replace(/=\r?\n/g, '')
        .replace(/=3D/g, '='),
    )
    .filter((text) => text.includes(`To: ${address}`));
}
const codeIn = (mail: string | undefined): string => /#confirm-email=([\w-]{43})/.exec(mail ?? '')?.[1] ?? '';

describe('the proof of a step-up', () => {
  test('comes by password, by code or by both; wrong ones are refused and audited', async () => {
    expect(await post('step-up', {})).toMatchObject({ status: 400, body: { code: 'invalid' } });
    expect(await post('step-up', { password: 'wrong one' })).toMatchObject({ status: 400, body: { code: 'wrong-password' } });
    expect(await post('step-up', { otpCode: '000000' })).toMatchObject({ status: 400, body: { code: 'wrong-code' } });
    const otpCode = server.nextCode(user.secretKey);
    await prove({ password: user.password, otpCode });
    // Each step of the authenticator works once.
    expect(await post('step-up', { otpCode })).toMatchObject({ status: 400, body: { code: 'code-used' } });
    const { body } = await user.call<{ items: { outcome: string }[] }>(`${gateway('audit-log')}?area=account&outcome=failure`);
    expect(body.items).toHaveLength(3);
  });

  test.each([
    ['by a proof', () => post('step-up', { password: user.password })],
    ['by a change', () => post('change-password', { currentPassword: user.password, newPassword: user.password })],
  ])('a right password, %s, gives no further guesses at the code', async (_, showPassword) => {
    const answers: string[] = [];
    for (let tries = 0; tries < 8; tries += 1) {
      answers.push((await post<{ code: string }>('step-up', { otpCode: 'AAAAA-AAAAA' })).body.code);
      expect((await showPassword()).status).toBe(200);
    }
    expect(answers.slice(0, 6)).toEqual(Array.from({ length: 6 }, () => 'wrong-code'));
    expect(answers.slice(6)).toEqual(['throttled', 'throttled']);
  });

  test('holds for five minutes, for this session and this account only', async () => {
    const proof = await prove({ password: user.password, otpCode: server.nextCode(user.secretKey) });
    expect((await post('replace-2fa', undefined, proof)).status).toBe(200);
    expect(await post('replace-2fa')).toMatchObject({ status: 428, body: { code: 'step-up-required' } });
    expect(await post('replace-2fa', undefined, 'x'.repeat(43))).toMatchObject({ status: 428 });
    const other = await server.signIn(user);
    const elsewhere = { method: 'POST', token: other.accessToken, headers: { 'step-up': proof } };
    expect((await server.call(gateway('replace-2fa'), elsewhere)).status).toBe(428);
    const stranger = await server.register();
    expect((await stranger.call(gateway('replace-2fa'), { method: 'POST', headers: { 'step-up': proof } })).status).toBe(428);
    server.advance(5 * 60_000);
    expect((await post('replace-2fa', undefined, proof)).status).toBe(428);
  });
});

test('recovery codes: how many are left; new ones need password and code, and the old ones stop working', async () => {
  const left = async () => (await user.call(gateway('recovery-codes'))).body;
  expect(await left()).toMatchObject({ left: 10, total: 10 });
  const login = await server.call<{ code: string }>(gateway('login'), { body: { username: user.username, password: user.password } });
  await server.call(gateway('verify-2fa'), { body: { otpCode: user.recoveryCodes[0] }, token: login.body.code });
  expect(await left()).toMatchObject({ left: 9, total: 10 });
  expect((await post('recovery-codes', undefined, await prove({ password: user.password }))).status).toBe(428);
  const proof = await prove({ password: user.password, otpCode: server.nextCode(user.secretKey) });
  const renewed = (await post('recovery-codes', undefined, proof)) as { body: { recoveryCodes?: string[] } };
  expect(renewed.body.recoveryCodes).toHaveLength(10);
  expect(await left()).toMatchObject({ left: 10 });
  const again = await server.call<{ code: string }>(gateway('login'), { body: { username: user.username, password: user.password } });
  const verify = (otpCode: string | undefined) => server.call(gateway('verify-2fa'), { body: { otpCode }, token: again.body.code });
  expect((await verify(user.recoveryCodes[1])).status).toBe(400);
  expect((await verify(renewed.body.recoveryCodes?.[0])).status).toBe(200);
});

test('another authenticator: the old one works until the new one is confirmed, and then no more', async () => {
  const proof = await prove({ password: user.password, otpCode: server.nextCode(user.secretKey) });
  const begun = (await post('replace-2fa', undefined, proof)) as { body: { secretKey?: string; code?: string } };
  const secretKey = begun.body.secretKey ?? '';
  await server.signIn(user);
  expect(await post('replace-2fa/confirm', { otpCode: '000000', confirmationCode: begun.body.code })).toMatchObject({
    status: 400,
    body: { code: 'wrong-code' },
  });
  const others = await server.signIn(user);
  const otpCode = server.nextCode(secretKey);
  const confirmed = (await post('replace-2fa/confirm', { otpCode, confirmationCode: begun.body.code })) as {
    body: { recoveryCodes?: string[] };
  };
  expect(confirmed.body.recoveryCodes).toHaveLength(10);
  // The code that confirmed it is used up.
  expect(await post('step-up', { otpCode })).toMatchObject({ status: 400, body: { code: 'code-used' } });
  expect((await server.call('/bff/v2/account', { token: others.accessToken })).status).toBe(401);
  expect((await user.call('/bff/v2/account')).status).toBe(200);
  await expect(server.signIn(user)).rejects.toThrow('wrong-code');
  await server.signIn({ ...user, secretKey });
});

test('neither the password nor a code alone replaces the authenticator; a recovery code does for one that is lost, once', async () => {
  const replace = async (proof: string) => (await post('replace-2fa', undefined, proof)).status;
  expect(await replace(await prove({ password: user.password }))).toBe(428);
  expect(await replace(await prove({ otpCode: server.nextCode(user.secretKey) }))).toBe(428);
  const otpCode = user.recoveryCodes[0]!;
  expect(await post('step-up', { password: 'wrong one', otpCode })).toMatchObject({ status: 400, body: { code: 'wrong-password' } });
  expect(await post('step-up', { password: user.password, otpCode: 'ABCDE-FGHJK' })).toMatchObject({
    status: 400,
    body: { code: 'wrong-code' },
  });
  // A wrong password used nothing up.
  expect(await replace(await prove({ password: user.password, otpCode }))).toBe(200);
  expect(await post('step-up', { password: user.password, otpCode })).toMatchObject({ status: 400, body: { code: 'wrong-code' } });
  expect((await user.call(gateway('recovery-codes'))).body).toMatchObject({ left: 9 });
});

describe('a new e-mail address', () => {
  test('needs the password, becomes the account’s by its own mailbox, and the old one is told', async () => {
    const byCode = await prove({ otpCode: server.nextCode(user.secretKey) });
    expect((await post('change-email', { email: 'new@example.com' }, byCode)).status).toBe(428);
    const proof = await prove({ password: user.password });
    expect((await post('change-email', { email: 'new@example.com' }, proof)).status).toBe(202);
    const email = async () => (await user.call<{ email: string }>('/bff/v2/account')).body.email;
    expect(await email()).toBe(user.email);
    const [mail] = await mailsTo('new@example.com');
    expect((await mailsTo(user.email)).at(-1)).toContain('n***@example.com');
    expect((await server.call(gateway('confirm-email'), { body: { code: codeIn(mail) } })).status).toBe(200);
    expect(await email()).toBe('new@example.com');
    expect((await server.call(gateway('confirm-email'), { body: { code: codeIn(mail) } })).status).toBe(400);
    expect((await mailsTo(user.email)).at(-1)).toContain('is now n***@example.com');
  });

  test('answers alike for an address somebody has, and writes to nobody there; a change of password voids the link', async () => {
    const holder = await server.register();
    const { queries } = server.context.database;
    await queries.updateTable('accounts').set({ email_confirmed: 1 }).where('username', '=', holder.username).execute();
    const before = (await mailsTo(holder.email)).length;
    const proof = await prove({ password: user.password });
    expect((await post('change-email', { email: holder.email }, proof)).status).toBe(202);
    expect(await mailsTo(holder.email)).toHaveLength(before);
    expect((await post('change-email', { email: 'free@example.com' }, proof)).status).toBe(202);
    await post('change-password', { currentPassword: user.password, newPassword: 'another walking stick' });
    const [mail] = await mailsTo('free@example.com');
    expect((await server.call(gateway('confirm-email'), { body: { code: codeIn(mail) } })).status).toBe(400);
  });

  test('that waits is among the links and keys, and ends with them', async () => {
    type Connections = { items: { kind: string; name: string }[] };
    const connections = async () => (await user.call<Connections>(gateway('connections'))).body.items;
    await post('change-email', { email: 'mallory@example.com' }, await prove({ password: user.password }));
    // Signing others out does not end it: whoever opens the link needs no session.
    await user.call(gateway('sessions'), { method: 'DELETE' });
    expect(await connections()).toMatchObject([{ kind: 'mail', name: 'mallory@example.com' }]);
    expect((await user.call(gateway('connections'), { method: 'DELETE' })).body).toEqual({ ended: 1, kept: [] });
    expect(await connections()).toEqual([]);
    const [mail] = await mailsTo('mallory@example.com');
    expect((await server.call(gateway('confirm-email'), { body: { code: codeIn(mail) } })).status).toBe(400);
  });

  test('the confirmation is sent again while it is needed', async () => {
    expect((await post('resend-email-confirmation')).status).toBe(202);
    const mails = await mailsTo(user.email);
    expect(mails).toHaveLength(2);
    // The newest link works.
    expect((await server.call(gateway('confirm-email'), { body: { code: codeIn(mails[0]) } })).status).toBe(400);
    expect((await server.call(gateway('confirm-email'), { body: { code: codeIn(mails[1]) } })).status).toBe(200);
    await post('resend-email-confirmation');
    expect(await mailsTo(user.email)).toHaveLength(2);
  });
});

test('every other session ends at once', async () => {
  const others = [await server.signIn(user), await server.signIn(user)];
  expect(await user.call(gateway('sessions'), { method: 'DELETE' })).toMatchObject({ status: 200, body: { ended: 2 } });
  for (const { accessToken } of others) expect((await server.call('/bff/v2/account', { token: accessToken })).status).toBe(401);
  expect((await user.call('/bff/v2/account')).status).toBe(200);
});

test('a reset link mailed to the old address opens nothing once the account has another one', async () => {
  const old = user.email;
  expect((await server.call(gateway('forgot-password'), { body: { email: old } })).status).toBe(202);
  const mailed = (await mailsTo(old)).map((text) => /forgot-password#code=([\w-]{43})/.exec(text)?.[1]).find((code) => code !== undefined);
  expect(mailed).toBeDefined();
  await post('change-email', { email: 'moved@example.com' }, await prove({ password: user.password }));
  const code = codeIn((await mailsTo('moved@example.com')).at(-1));
  expect((await server.call(gateway('confirm-email'), { body: { code } })).status).toBe(200);
  const reset = await server.call(gateway('reset-password'), { body: { code: mailed, newPassword: 'a far and quiet bay 9' } });
  expect(reset).toMatchObject({ status: 400, body: { code: 'code-expired' } });
});
