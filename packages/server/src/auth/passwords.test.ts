import { readdirSync, readFileSync } from 'node:fs';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { accountFeatures } from '../app/features.ts';
import { startTestServer, type TestServer } from '../app/testing/test-server.ts';
import { outboxFolder } from '../mail/mailer.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({ features: accountFeatures });
});
afterEach(() => server.close());

const gateway = (name: string) => `/gateway/v1/account/${name}`;
const NEW_PASSWORD = 'another walking stick';

/** Messages to an address, decoded, oldest first. */
async function mailsTo(address: string): Promise<string[]> {
  await server.context.mailer.settle();
  const folder = outboxFolder(server.dataDir);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .map((name) =>
      readFileSync(`${folder}/${name}`, 'utf8')
        .replace(/=\r?\n/g, '')
        .replace(/=3D/g, '='),
    )
    .filter((text) => text.includes(address));
}

const codeIn = (mail: string | undefined): string => /#(?:code|confirm-email)=([\w-]{43})/.exec(mail ?? '')?.[1] ?? '';

describe('changing the password', () => {
  test('of two at once that know the old one, one sets the new one', async () => {
    const user = await server.register();
    const change = (newPassword: string) =>
      user.call(gateway('change-password'), { body: { currentPassword: user.password, newPassword } });
    const answers = await Promise.all([change(NEW_PASSWORD), change(`${NEW_PASSWORD} too`)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.find(({ status }) => status !== 200)?.body.code).toBe('wrong-password');
  });

  test('needs the current one, keeps this device and ends the others', async () => {
    const user = await server.register();
    const { body: pending } = await server.call<{ code: string }>(gateway('login'), {
      body: { username: user.username, password: user.password },
    });
    const other = await server.call<{ accessToken: string }>(gateway('verify-2fa'), {
      body: { otpCode: server.nextCode(user.secretKey) },
      token: pending.code,
    });
    const change = (currentPassword: string, newPassword: string) =>
      user.call(gateway('change-password'), { body: { currentPassword, newPassword } });

    expect(await change('wrong', NEW_PASSWORD)).toMatchObject({
      status: 400,
      body: { code: 'wrong-password', errors: [{ path: 'currentPassword' }] },
    });
    expect(await change(user.password, 'summer22')).toMatchObject({
      status: 400,
      body: { code: 'weak-password', errors: [{ path: 'newPassword' }], success: false, message: en.errors['weak-password'].detail },
    });
    expect(await change(user.password, NEW_PASSWORD)).toMatchObject({
      status: 200,
      body: { success: true, message: 'Your password was changed. Other devices were signed out.' },
    });

    expect((await user.call('/bff/v2/account')).status).toBe(200);
    expect((await server.call('/bff/v2/account', { token: other.body.accessToken })).status).toBe(401);
    expect((await server.call(gateway('login'), { body: { username: user.username, password: user.password } })).status).toBe(400);
    expect((await server.call(gateway('login'), { body: { username: user.username, password: NEW_PASSWORD } })).status).toBe(200);
  });

  test('guessing the current password with a stolen token is throttled', async () => {
    const user = await server.register();
    const statuses: number[] = [];
    for (let count = 0; count < 8; count += 1) {
      const { status } = await user.call(gateway('change-password'), { body: { currentPassword: 'wrong', newPassword: NEW_PASSWORD } });
      statuses.push(status);
    }
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('forgetting the password', () => {
  test('a one-time link sets a new one and ends every session; 2FA stays', async () => {
    const user = await server.register();
    expect(await server.call(gateway('forgot-password'), { body: { email: user.email.toUpperCase() } })).toMatchObject({
      status: 202,
      body: { success: true },
    });
    const mail = (await mailsTo(user.email)).at(-1);
    expect(mail).toContain(`${server.url}/auth/forgot-password#code=`);
    const reset = (newPassword: string) => server.call(gateway('reset-password'), { body: { code: codeIn(mail), newPassword } });
    expect(await reset('summer22')).toMatchObject({ status: 400, body: { code: 'weak-password' } });
    expect((await reset(NEW_PASSWORD)).status).toBe(200);
    expect(await reset(NEW_PASSWORD)).toMatchObject({ status: 400, body: { code: 'code-expired' } });
    expect((await user.call('/bff/v2/account')).status).toBe(401);
    const login = await server.call<{ secretKey?: string; code: string }>(gateway('login'), {
      body: { username: user.username, password: NEW_PASSWORD },
    });
    expect(login.body.secretKey).toBeUndefined();
    expect(
      (await server.call(gateway('verify-2fa'), { body: { otpCode: server.nextCode(user.secretKey) }, token: login.body.code })).status,
    ).toBe(200);
  });

  test('the link ends after 30 minutes, and with the use of any other', async () => {
    const user = await server.register();
    const forgot = () => server.call(gateway('forgot-password'), { body: { email: user.email } });
    const reset = (code: string) => server.call(gateway('reset-password'), { body: { code, newPassword: NEW_PASSWORD } });
    await forgot();
    const first = codeIn((await mailsTo(user.email)).at(-1));
    await forgot();
    const second = codeIn((await mailsTo(user.email)).at(-1));
    expect(second).not.toBe(first);
    expect((await reset(first)).status).toBe(200);
    expect(await reset(second)).toMatchObject({ body: { code: 'code-expired' } });
    await forgot();
    const third = codeIn((await mailsTo(user.email)).at(-1));
    server.advance(30 * 60_000 + 1);
    expect(await reset(third)).toMatchObject({ body: { code: 'code-expired' } });
    expect(await reset('nonsense')).toMatchObject({ body: { code: 'code-expired' } });
  });

  test('an unknown address gets the same answer and no mail', async () => {
    const user = await server.register();
    const known = await server.call(gateway('forgot-password'), { body: { email: user.email } });
    const unknown = await server.call(gateway('forgot-password'), { body: { email: 'nobody@example.com' } });
    expect(unknown.status).toBe(known.status);
    expect(unknown.body).toEqual(known.body);
    expect(await mailsTo('nobody@example.com')).toEqual([]);
  });

  test('asking again and again is throttled', async () => {
    const ask = () => server.call(gateway('forgot-password'), { body: { email: 'nobody@example.com' } });
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) statuses.push((await ask()).status);
    expect(statuses.slice(0, 3)).toEqual([202, 202, 202]);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('confirming e-mail and phone', () => {
  test('the link of the first mail confirms the address, once', async () => {
    const user = await server.register();
    const code = codeIn((await mailsTo(user.email))[0]);
    const confirm = () => server.call(gateway('confirm-email'), { body: { code } });
    expect((await confirm()).status).toBe(200);
    expect((await confirm()).body).toMatchObject({ code: 'code-expired' });
    expect((await user.call('/bff/v2/account')).body).toMatchObject({ emailConfirmed: true });
  });

  test('the phone gets a six-digit code that works once', async () => {
    const user = await server.register();
    const phone = '+905550001122';
    expect((await user.call(gateway('receive-phone-confirmation'), { body: { phone } })).status).toBe(202);
    const digits = /\b(\d{6})\b/.exec((await mailsTo(phone))[0]?.split('Pilotfish code')[1] ?? '')?.[1] ?? '';
    const confirm = (code: string, number = phone) => user.call(gateway('confirm-phone'), { body: { phone: number, code } });
    expect((await confirm(digits === '000000' ? '111111' : '000000')).body).toMatchObject({
      code: 'wrong-code',
      // An authenticator depends on the clock of the phone, a text message does not.
      detail: expect.stringMatching(/^(?!.*time).*text message/) as string,
    });
    expect((await confirm(digits, '+905550001123')).body).toMatchObject({ code: 'wrong-code' });
    expect((await confirm(digits)).status).toBe(200);
    expect((await confirm(digits)).status).toBe(400);
    const row = await server.context.database.queries.selectFrom('accounts').select(['phone', 'phone_confirmed']).executeTakeFirstOrThrow();
    expect(row).toEqual({ phone, phone_confirmed: 1 });
  });
});

test('messages at rest are sealed and emptied once sent', async () => {
  const asleep = vi.spyOn(server.context.mailer, 'wake').mockImplementation(() => undefined);
  const user = await server.register();
  const row = () => server.context.database.queries.selectFrom('mail_outbox').selectAll().executeTakeFirstOrThrow();
  const waiting = await row();
  expect(waiting.sent_at).toBeNull();
  expect(waiting.message).not.toContain(user.email);
  await server.context.mailer.deliver();
  expect(await row()).toMatchObject({ message: null, attempts: 1, sent_at: server.now() });
  asleep.mockRestore();
});
