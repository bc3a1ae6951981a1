import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../app/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('create, confirm, ask who I am', async () => {
  const user = await server.register({ username: 'Ann' });
  expect(user.recoveryCodes).toHaveLength(10);
  const { status, body } = await user.call('/bff/v2/account');
  expect(status).toBe(200);
  expect(body).toMatchObject({ username: 'Ann', exchanges: [], hasTelegram: false, emailConfirmed: false });
});
