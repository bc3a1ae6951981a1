import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Enrolment, LoginAnswer, Session } from '@pilotfish/core/auth/auth-contract';
import { realTimers } from '@pilotfish/core/time/timers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accountFeatures } from '../app/features.ts';
import { DEFAULT_AUTH_POLICY } from '../app/settings.ts';
import { type SignedInUser, startTestServer, type TestServer } from '../app/testing/test-server.ts';
import { outboxFolder } from '../mail/mailer.ts';
import { passwordHasher } from './password-hash.ts';
import { resetTwoFactor } from './reset-two-factor.ts';
import { totpCode } from './totp.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({ features: accountFeatures });
});
afterEach(() => server.close());

const gateway = (name: string) => `/gateway/v1/account/${name}`;
const login = (username: string, password: string) => server.call<LoginAnswer>(gateway('login'), { body: { username, password } });
const verify = (code: string, otpCode: string) => server.call<Session>(gateway('verify-2fa'), { body: { otpCode }, token: code });
const create = (body: unknown) => server.call<Enrolment>(gateway('create'), { body });
const ann = { username: 'ann', email: 'ann@example.com', password: 'plain walking stick' };

/** The codes of the links that were mailed to an address, oldest first. */
async function linksTo(email: string): Promise<string[]> {
  await server.context.mailer.settle();
  await server.context.mailer.deliver();
  const folder = outboxFolder(server.dataDir);
  return readdirSync(folder)
    .sort()
    .map((name) =>
      readFileSync(`${folder}/${name}`, 'utf8')
        .replace(/=\r?\n/g, '')
        .replace(/=3D/g, '='),
    )
    .filter((mail) => mail.includes(email))
    .flatMap((mail) => /#confirm-email=([\w-]+)/.exec(mail)?.[1] ?? []);
}

/** A six-digit code that fits none of the accepted steps. */
function wrongCode(secretKey: string): string {
  const right = [-30_000, 0, 30_000].map((offset) => totpCode(secretKey, server.now() + offset));
  return ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code)) ?? '';
}

describe('creating an account', () => {
  test('answers exactly what enrolment needs', async () => {
    const { status, body } = await create(ann);
    expect(status).toBe(201);
    expect(Object.keys(body).sort()).toEqual(['code', 'expiresAt', 'secretKey']);
    expect(body.secretKey).toMatch(/^[A-Z2-7]{32}$/);
    expect(Date.parse(body.expiresAt)).toBe(server.now() + 300_000);
  });

  test('the first account that completes 2FA becomes Admin, others do not', async () => {
    await create(ann);
    const first = await server.register();
    const second = await server.register();
    const roles = async (user: SignedInUser) => {
      const { body } = await user.call<{ claims: { name: string; value: string }[] }>('/bff/v2/account');
      return body.claims.filter(({ name }) => name === 'role').map(({ value }) => value);
    };
    expect(await roles(first)).toEqual(['Admin']);
    expect(await roles(second)).toEqual([]);
    expect((await first.call('/bff/v2/admin/roles')).status).not.toBe(403);
    expect(await second.call('/bff/v2/admin/roles')).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });

  test.each([
    ['a short, easy password', { ...ann, password: 'summer22' }, 'weak-password'],
    ['the username as password', { ...ann, username: 'longenoughname', password: 'LongEnoughName' }, 'weak-password'],
    ['no e-mail', { username: 'ann', password: ann.password }, 'invalid'],
    ['a wrong e-mail', { ...ann, email: 'ann@' }, 'invalid'],
    ['a strange username', { ...ann, username: '<b>ann</b>' }, 'invalid'],
    ['an array', [], 'invalid'],
  ])('%s is refused', async (_, body, code) => {
    const answer = await create(body);
    expect(answer).toMatchObject({ status: 400, body: { code, status: 400 } });
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
  });

  test('names and addresses are taken without regard to case', async () => {
    await create(ann);
    expect(await create({ ...ann, username: 'ANN', email: 'other@example.com' })).toMatchObject({
      status: 409,
      body: { code: 'username-taken' },
    });
    await server.context.database.queries.updateTable('accounts').set({ email_confirmed: 1 }).execute();
    expect(await create({ ...ann, username: 'other', email: 'Ann@Example.com' })).toMatchObject({
      status: 409,
      body: { code: 'email-taken' },
    });
  });

  test('an address that nobody confirmed does not keep its owner out: who opens the link first has it', async () => {
    const mallory = await server.register({ username: 'mallory', email: 'ann@example.com' });
    const owner = await server.register({ ...ann });
    const queries = server.context.database.queries;
    const accounts = () =>
      queries.selectFrom('accounts').select(['username', 'email_key', 'email_confirmed']).orderBy('created_at').execute();
    expect(await accounts()).toMatchObject([
      { username: 'mallory', email_key: expect.stringMatching(/^unconfirmed [\da-f-]{36}$/), email_confirmed: 0 },
      { username: 'ann', email_key: 'ann@example.com', email_confirmed: 0 },
    ]);
    // Both go on: the one by its name, the other by the address, too.
    expect((await login('mallory', mallory.password)).status).toBe(200);
    expect((await login('ann@example.com', ann.password)).status).toBe(200);
    // The first link that is opened decides, and the other one is void.
    const codes = await linksTo('ann@example.com');
    const confirm = (code: string) => server.call(gateway('confirm-email'), { body: { code } });
    expect(codes).toHaveLength(2);
    expect((await confirm(codes[1] ?? '')).status).toBe(200);
    expect((await confirm(codes[0] ?? '')).body).toMatchObject({ code: 'code-expired' });
    expect(await accounts()).toMatchObject([{ email_confirmed: 0 }, { email_key: 'ann@example.com', email_confirmed: 1 }]);
    expect(await create({ ...ann, username: 'third' })).toMatchObject({ status: 409, body: { code: 'email-taken' } });
    expect((await owner.call('/bff/v2/account')).status).toBe(200);
    // In the name of the other one nobody is written to there any more, and no password is reset by that address.
    expect((await mallory.call('/gateway/v1/account/resend-email-confirmation', { method: 'POST' })).status).toBeLessThan(300);
    expect(await linksTo('ann@example.com')).toHaveLength(2);
  });

  test('of 10 concurrent creations of one name one succeeds', async () => {
    const results = await Promise.all(Array.from({ length: 10 }, (_, index) => create({ ...ann, email: `a${index}@example.com` })));
    expect(results.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, ...Array<number>(9).fill(409)]);
  });

  test('a name nobody confirmed is free again after a day', async () => {
    await create(ann);
    server.advance(86_400_001);
    expect((await create(ann)).status).toBe(201);
  });
});

describe('confirming 2FA', () => {
  test('a wrong code is refused, the right one then works once', async () => {
    const { body } = await create(ann);
    const confirm = (otpCode: string) => server.call(gateway('confirm-2fa'), { body: { otpCode, confirmationCode: body.code } });
    expect(await confirm(wrongCode(body.secretKey))).toMatchObject({ status: 400, body: { code: 'wrong-code' } });
    const code = totpCode(body.secretKey, server.now());
    const confirmed = await confirm(code);
    expect(confirmed.status).toBe(200);
    expect(Object.keys(confirmed.body).sort()).toEqual(['accessToken', 'expiresAt', 'recoveryCodes', 'refreshToken']);
    expect((await confirm(code)).status).toBe(400);
  });

  test('five wrong tries or five minutes end the confirmation code', async () => {
    const { body } = await create(ann);
    const confirm = (otpCode: string) => server.call(gateway('confirm-2fa'), { body: { otpCode, confirmationCode: body.code } });
    for (let count = 0; count < 5; count += 1)
      expect(await confirm(wrongCode(body.secretKey))).toMatchObject({ body: { code: 'wrong-code' } });
    expect(await confirm(totpCode(body.secretKey, server.now()))).toMatchObject({ body: { code: 'code-expired' } });

    const again = await login('ann', ann.password);
    server.advance(300_001);
    const late = { otpCode: totpCode(again.body.secretKey ?? '', server.now()), confirmationCode: again.body.code };
    expect(await server.call(gateway('confirm-2fa'), { body: late })).toMatchObject({ body: { code: 'code-expired' } });
  });

  test('signing in before confirming enrols anew', async () => {
    const created = await create(ann);
    const { status, body } = await login('ann@example.com', ann.password);
    expect(status).toBe(200);
    expect(body.secretKey).toMatch(/^[A-Z2-7]{32}$/);
    expect(body.secretKey).not.toBe(created.body.secretKey);
    const confirm = { otpCode: totpCode(body.secretKey ?? '', server.now()), confirmationCode: body.code };
    expect((await server.call(gateway('confirm-2fa'), { body: confirm })).status).toBe(200);
    // The first enrolment, confirmed late, must not take over.
    const first = { otpCode: totpCode(created.body.secretKey, server.now()), confirmationCode: created.body.code };
    expect(await server.call(gateway('confirm-2fa'), { body: first })).toMatchObject({ status: 400, body: { code: 'code-used' } });
  });
});

describe('signing in', () => {
  test('password, then a code, then a session', async () => {
    const user = await server.register();
    const first = await login(user.username, user.password);
    expect(first.status).toBe(200);
    expect(first.body.secretKey).toBeUndefined();
    const session = await verify(first.body.code, server.nextCode(user.secretKey));
    expect(session.status).toBe(200);
    expect(Object.keys(session.body).sort()).toEqual(['accessToken', 'expiresAt', 'refreshToken']);
    expect(Date.parse(session.body.expiresAt)).toBe(server.now() + 12 * 3_600_000);
    expect((await server.call('/bff/v2/account', { token: session.body.accessToken })).status).toBe(200);
  });

  test('a code is accepted once: replaying it or an older one is refused', async () => {
    const user = await server.register();
    const code = server.nextCode(user.secretKey);
    const older = totpCode(user.secretKey, server.now() - 30_000);
    const pending = async () => (await login(user.username, user.password)).body.code;
    expect((await verify(await pending(), code)).status).toBe(200);
    expect(await verify(await pending(), code)).toMatchObject({ status: 400, body: { code: 'code-used' } });
    expect(await verify(await pending(), older)).toMatchObject({ status: 400, body: { code: 'code-used' } });
  });

  test('of 20 concurrent uses of one code one signs in', async () => {
    const user = await server.register();
    const pendings = await Promise.all(Array.from({ length: 8 }, async () => (await login(user.username, user.password)).body.code));
    const code = server.nextCode(user.secretKey);
    const results = await Promise.all(pendings.map((pending) => verify(pending, code)));
    expect(results.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('a recovery code works once, in any case, with or without its hyphen', async () => {
    const user = await server.register();
    const code = user.recoveryCodes[0] ?? '';
    const pending = async () => (await login(user.username, user.password)).body.code;
    expect((await verify(await pending(), code.toLowerCase().replace('-', ''))).status).toBe(200);
    expect(await verify(await pending(), code)).toMatchObject({ status: 400, body: { code: 'wrong-code' } });
    expect((await verify(await pending(), user.recoveryCodes[1] ?? '')).status).toBe(200);
  });

  test.each([' ', '-', '\u00a0', ' – '])(
    'a code is taken in the two groups that authenticators show, with %j between them',
    async (gap) => {
      const user = await server.register();
      const grouped = (code: string) => `${code.slice(0, 3)}${gap}${code.slice(3)}`;
      const { body } = await login(user.username, user.password);
      expect((await verify(body.code, grouped(server.nextCode(user.secretKey)))).status).toBe(200);
      const stepUp = (otpCode: string) => server.call(gateway('step-up'), { body: { otpCode }, token: user.session.accessToken });
      expect((await stepUp(grouped(server.nextCode(user.secretKey)))).status).toBe(200);
      expect((await stepUp(grouped(server.nextCode(user.secretKey)))).status).toBe(200);
    },
  );

  test.each(['12345', '1234567', '12345-67', '123.456', '123,456', '1234 5a', '--- ---', '12345-6789', '12 345-67890'])(
    '%s is no code',
    async (otpCode) => {
      const user = await server.register();
      const { body } = await login(user.username, user.password);
      expect(await verify(body.code, otpCode)).toMatchObject({ status: 400, body: { code: 'invalid' } });
    },
  );

  test('the pending code is no access token, and an access token is no pending code', async () => {
    const user = await server.register();
    const { body } = await login(user.username, user.password);
    expect((await server.call('/bff/v2/account', { token: body.code })).status).toBe(401);
    expect((await server.call('/bff/v2/account', { token: user.session.refreshToken })).status).toBe(401);
    expect(await verify(user.session.accessToken, server.nextCode(user.secretKey))).toMatchObject({
      status: 400,
      body: { code: 'code-expired' },
    });
    expect((await server.call(gateway('verify-2fa'), { body: { otpCode: '123456' } })).status).toBe(401);
  });

  test('five wrong codes or five minutes end the pending code', async () => {
    const user = await server.register();
    const { body } = await login(user.username, user.password);
    for (let count = 0; count < 5; count += 1)
      expect(await verify(body.code, wrongCode(user.secretKey))).toMatchObject({ body: { code: 'wrong-code' } });
    expect(await verify(body.code, server.nextCode(user.secretKey))).toMatchObject({ body: { code: 'code-expired' } });
    const later = await login(user.username, user.password);
    server.advance(300_001);
    expect(await verify(later.body.code, server.nextCode(user.secretKey))).toMatchObject({ body: { code: 'code-expired' } });
  });

  test('unknown users, wrong passwords and wrong e-mails answer alike', async () => {
    const user = await server.register();
    const answers = await Promise.all([
      login(user.username, 'wrong password'),
      login('nobody-here', 'wrong password'),
      login('nobody@example.com', user.password),
    ]);
    for (const answer of answers) expect(answer).toMatchObject({ status: 400, body: { code: 'invalid-credentials' } });
    const bodies = answers.map(({ body }) => JSON.stringify(body));
    expect(new Set(bodies).size).toBe(1);
  });

  test('known and unknown names are throttled alike, with growing delays, and waiting helps', async () => {
    const user = await server.register();
    for (const name of [user.username, 'nobody-here']) {
      for (let count = 0; count < 6; count += 1)
        expect((await login(name, 'wrong password')).body).toMatchObject({ code: 'invalid-credentials' });
      const throttled = await login(name, 'wrong password');
      expect(throttled).toMatchObject({ status: 429, body: { code: 'throttled', retryAfter: 1 } });
      expect(throttled.headers.get('retry-after')).toBe('1');
    }
    // The right password has to wait, too: else guessing could go on.
    expect((await login(user.username, user.password)).status).toBe(429);
    server.advance(1000);
    expect((await login(user.username, user.password)).status).toBe(200);
  });

  test('one address trying many names is throttled', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 32; count += 1) statuses.push((await login(`name-${count}`, 'wrong password')).status);
    expect(statuses.slice(0, 30).every((status) => status === 400)).toBe(true);
    expect(statuses.at(-1)).toBe(429);
  });

  test('texts come in the language asked for', async () => {
    const answer = await server.call<{ detail: string }>(gateway('login'), {
      body: { username: 'x', password: 'y' },
      headers: { 'accept-language': 'de, tr;q=0.8, en;q=0.5' },
    });
    expect(answer.body.detail).toBe(server.context.texts.text('tr', 'errors.invalid-credentials.detail'));
    expect(answer.body.detail).not.toBe(server.context.texts.text('en', 'errors.invalid-credentials.detail'));
  });
});

test('resetting 2FA from the shell ends sessions and asks for a new enrolment', async () => {
  const user = await server.register();
  await expect(resetTwoFactor(server.context.database, 'nobody', { now: 0, newId: server.context.newId })).rejects.toMatchObject({
    code: 'not-found',
  });
  await resetTwoFactor(server.context.database, user.username.toUpperCase(), { now: server.now(), newId: server.context.newId });
  server.advance(3000);
  expect((await user.call('/bff/v2/account')).status).toBe(401);
  const { body } = await login(user.username, user.password);
  expect(body.secretKey).toBeDefined();
  const confirm = (otpCode: string) => server.call(gateway('confirm-2fa'), { body: { otpCode, confirmationCode: body.code } });
  // A step stays used whatever the secret; the refused try leaves nothing half-enrolled.
  expect(await confirm(totpCode(body.secretKey ?? '', server.now()))).toMatchObject({ status: 400, body: { code: 'code-used' } });
  expect((await confirm(server.nextCode(body.secretKey ?? ''))).status).toBe(200);
  const old = await login(user.username, user.password);
  expect((await verify(old.body.code, user.recoveryCodes[0] ?? '')).status).toBe(400);
});

test('a hash of older parameters is made anew at sign-in', async () => {
  const user = await server.register();
  const stored = async () =>
    (await server.context.database.queries.selectFrom('accounts').select('password_hash').executeTakeFirstOrThrow()).password_hash;
  const { queries } = server.context.database;
  const hasher = await passwordHasher(
    { ...DEFAULT_AUTH_POLICY, argon2: { memoryCost: 128, timeCost: 1, parallelism: 1 } },
    randomBytes,
    realTimers,
  );
  await queries
    .updateTable('accounts')
    .set({ password_hash: await hasher.hash(user.password) })
    .execute();
  expect(await stored()).toContain('m=128');
  expect((await login(user.username, 'wrong password')).status).toBe(400);
  expect(await stored()).toContain('m=128');
  expect((await login(user.username, user.password)).status).toBe(200);
  expect(await stored()).toContain('m=64');
  expect((await login(user.username, user.password)).status).toBe(200);
});

test('signing in with an unknown name costs a hash, too: with one slot and no queue, one of many at once is turned away', async () => {
  const narrow = await startTestServer({
    features: accountFeatures,
    auth: { argon2: { memoryCost: 65_536, timeCost: 3, parallelism: 1 }, hashSlots: 1, hashQueue: 0 },
  });
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      narrow.call(gateway('login'), { body: { username: `nobody-${index}`, password: 'wrong password' } }),
    ),
  );
  expect(answers.some(({ body }) => body.code === 'invalid-credentials')).toBe(true);
  expect(answers.some(({ body }) => body.code === 'rate-limited')).toBe(true);
  await narrow.close();
});
