import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountFeatures } from './features.ts';
import { createLog } from './log.ts';
import { startTestServer, type TestServer } from './testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ features: accountFeatures });
});
afterAll(() => server.close());

const everyFile = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? everyFile(path) : [path];
  });

test('no secret of a whole account life reaches a log, a query, an error or the disk', async () => {
  const secrets: string[] = ['canary password one', 'canary password two', 'canary wrong password'];
  const user = await server.register({ username: 'canary-owner', password: 'canary password one' });
  secrets.push(user.secretKey, ...user.recoveryCodes, user.session.accessToken, user.session.refreshToken);

  const login = (password: string) =>
    server.call<{ code: string }>('/gateway/v1/account/login', { body: { username: 'canary-owner', password } });
  const answers: unknown[] = [await login('canary wrong password')];
  const pending = await login('canary password one');
  secrets.push(pending.body.code);
  const otpCode = server.nextCode(user.secretKey);
  await server.call('/gateway/v1/account/verify-2fa', { body: { otpCode }, token: pending.body.code });
  answers.push(await server.call('/gateway/v1/account/verify-2fa', { body: { otpCode }, token: pending.body.code }));
  answers.push(
    await user.call('/gateway/v1/account/change-password', {
      body: { currentPassword: 'canary wrong password', newPassword: 'canary password two' },
    }),
  );
  await user.call('/gateway/v1/account/change-password', {
    body: { currentPassword: 'canary password one', newPassword: 'canary password two' },
  });
  await server.call('/gateway/v1/account/refresh-token', { method: 'POST', token: user.session.refreshToken });
  answers.push(await server.call(`/bff/v2/account?access_token=${user.session.accessToken}`));
  answers.push(
    await server.call('/gateway/v1/account/create', {
      body: { username: 7, email: 'canary wrong password', password: 'canary password one' },
    }),
  );
  answers.push(
    await user.call('/gateway/v1/account/audit-log'),
    await user.call('/gateway/v1/account/sessions'),
    await user.call('/bff/v2/account'),
  );
  await server.context.mailer.settle();

  const places = { log: server.logged(), answers: JSON.stringify(answers) };
  expect(places.log).toContain('"route":"/gateway/v1/account/login"');
  for (const secret of secrets)
    for (const [place, text] of Object.entries(places)) expect(text.includes(secret), `${place} holds ${secret}`).toBe(false);

  for (const file of everyFile(server.dataDir)) {
    const text = readFileSync(file, 'latin1');
    for (const secret of secrets) expect(text.includes(secret), `${file} holds ${secret}`).toBe(false);
  }
});

test('the log masks secrets by name, wherever they stand', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line: string) => lines.push(line) });
  log.info(
    { password: 'canary', body: { clientSecret: 'canary', deep: { otpCode: 'canary' } }, headers: { authorization: 'Bearer canary' } },
    'x',
  );
  log.error({ err: Object.assign(new Error('bad'), { code: 'E_CODE', password: 'canary' }) });
  expect(lines.join('')).not.toContain('canary');
  expect(lines.join('')).toContain('E_CODE');
});
