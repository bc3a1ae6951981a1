import { existsSync, readFileSync, statSync } from 'node:fs';
import type { Enrolment } from '@pilotfish/core/auth/auth-contract';
import { afterEach, describe, expect, test } from 'vitest';
import { accountFeatures } from '../app/features.ts';
import { readSettings, type Settings } from '../app/settings.ts';
import { startTestServer, type TestServer } from '../app/testing/test-server.ts';
import { isReachable, setupCodeFile } from './setup-code.ts';
import { totpCode } from './totp.ts';

let server: TestServer | undefined;
afterEach(() => server?.close());

const PUBLIC: Partial<Settings> = { publicUrl: 'https://pilotfish.example' };
const start = async (settings: Partial<Settings>) => {
  server = await startTestServer({ features: accountFeatures, settings });
  return server;
};
const create = (at: TestServer, more: object = {}, name = 'mallory') =>
  at.call<Enrolment & { code: string; errors?: { path: string }[] }>('/gateway/v1/account/create', {
    body: { username: name, email: `${name}@example.com`, password: 'plain walking stick', ...more },
  });

test.each([
  [{}, false],
  [{ PILOTFISH_HOST: 'localhost' }, false],
  [{ PILOTFISH_HOST: '::1' }, false],
  [{ PILOTFISH_HOST: '0.0.0.0' }, true],
  [{ PILOTFISH_HOST: '192.168.1.5' }, true],
  [{ PILOTFISH_PUBLIC_URL: 'https://pilotfish.example' }, true],
  [{ PILOTFISH_ALLOWED_HOSTS: 'pilotfish.lan' }, true],
  [{ PILOTFISH_TRUST_PROXY: '1' }, true],
])('%o can be reached from elsewhere: %s', (env, expected) => {
  expect(isReachable(readSettings(env))).toBe(expected);
});

test('on loopback alone none is asked', async () => {
  const at = await start({});
  expect(at.setupCode).toBeUndefined();
  expect(existsSync(setupCodeFile(at.dataDir))).toBe(false);
  expect((await create(at)).status).toBe(201);
});

describe('a server that others can reach', () => {
  test('makes nobody Admin without the code; it dies with the first account and was never logged', async () => {
    const at = await start(PUBLIC);
    const code = at.setupCode?.code ?? '';
    expect(code).toMatch(/^[A-Z2-9]{5}-[A-Z2-9]{5}$/);
    expect(await create(at)).toMatchObject({ status: 428, body: { code: 'setup-code-required', errors: [{ path: 'setupCode' }] } });
    expect(await create(at, { setupCode: 'AAAAA-AAAAA' })).toMatchObject({ status: 400, body: { code: 'wrong-setup-code' } });
    expect(await at.context.database.queries.selectFrom('accounts').selectAll().execute()).toEqual([]);
    const left = setupCodeFile(at.dataDir);
    expect(JSON.parse(readFileSync(left, 'utf8'))).toEqual({ code, addresses: [at.url, 'https://pilotfish.example'] });
    expect(statSync(left).mode & 0o077).toBe(0);
    // Case and hyphens do not count. Until it is confirmed, nobody is Admin and the code goes on.
    const begun = await create(at, { setupCode: code.toLowerCase().replace('-', ' ') }, 'ada');
    expect(begun.status).toBe(201);
    expect((await create(at, {}, 'eve')).status).toBe(428);
    const confirmed = await at.call('/gateway/v1/account/confirm-2fa', {
      body: { otpCode: totpCode(begun.body.secretKey, at.now()), confirmationCode: begun.body.code },
    });
    expect(confirmed.status).toBe(200);
    expect(existsSync(left)).toBe(false);
    expect((await create(at, {}, 'bob')).status).toBe(201);
    expect(at.logged()).not.toContain(code);
    await at.restart();
    expect(at.setupCode).toBeUndefined();
  });

  test('tells a new code at each start, unless it is set', async () => {
    const at = await start(PUBLIC);
    const first = at.setupCode?.code ?? '';
    await at.restart();
    expect(at.setupCode).toMatchObject({ given: false });
    expect(await create(at, { setupCode: first })).toMatchObject({ status: 400 });
    await at.close();
    const fixed = await start({ ...PUBLIC, setupCode: 'chosen-by-operator' });
    expect(fixed.setupCode).toEqual({ code: 'chosen-by-operator', given: true });
    expect((await create(fixed, { setupCode: 'chosen-by-operator' })).status).toBe(201);
  });

  test('slows down who guesses', async () => {
    const at = await start(PUBLIC);
    const answers: number[] = [];
    for (let tries = 0; tries < 8; tries += 1) answers.push((await create(at, { setupCode: `guess-${tries}-guess` })).status);
    expect(answers).toEqual([400, 400, 400, 400, 400, 400, 429, 429]);
  });

  test('an account begun while none was asked for cannot become the first', async () => {
    const at = await start({});
    const begun = await create(at);
    expect(begun.status).toBe(201);
    const confirm = () =>
      at.call('/gateway/v1/account/confirm-2fa', {
        body: { otpCode: totpCode(begun.body.secretKey, at.now()), confirmationCode: begun.body.code },
      });
    await at.restart(async () => void Object.assign(at.context.settings, PUBLIC));
    expect((await confirm()).status).toBe(400);
    expect(at.setupCode).toBeDefined();
  });
});

test.each(['short', 'has spaces in it'])('PILOTFISH_SETUP_CODE=%s stops the start and is not repeated', (code) => {
  expect(() => readSettings({ PILOTFISH_SETUP_CODE: code })).toThrow('12 to 100');
  expect(() => readSettings({ PILOTFISH_SETUP_CODE: code })).not.toThrow(code);
});
