import { createHmac, randomBytes } from 'node:crypto';
import type { Session } from '@pilotfish/core/auth/auth-contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accountFeatures } from '../app/features.ts';
import { startTestServer, type TestServer } from '../app/testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({ features: accountFeatures });
});
afterEach(() => server.close());

const REFRESH = '/gateway/v1/account/refresh-token';
const refresh = (token: string) => server.call<Session>(REFRESH, { method: 'POST', token });
const alive = async (token: string) => (await server.call('/bff/v2/account', { token })).status === 200;

describe('access tokens', () => {
  test('end after twelve hours', async () => {
    const { session } = await server.register();
    server.advance(12 * 3_600_000 - 1000);
    expect(await alive(session.accessToken)).toBe(true);
    server.advance(1_000);
    expect(await server.call('/bff/v2/account', { token: session.accessToken })).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    });
  });

  test('altered, re-signed, unsigned and foreign ones are refused', async () => {
    const { session } = await server.register();
    const [header = '', payload = '', signature = ''] = session.accessToken.split('.');
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
    const signed = (head: unknown, body: unknown, key: Buffer) => {
      const text = `${encode(head)}.${encode(body)}`;
      return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
    };
    const forged = [
      `${header}.${encode({ ...claims, sub: 'somebody-else' })}.${signature}`,
      `${header}.${payload}.${Buffer.from(randomBytes(32)).toString('base64url')}`,
      `${encode({ alg: 'none', typ: 'at+jwt' })}.${payload}.`,
      signed({ alg: 'HS256', typ: 'at+jwt' }, claims, randomBytes(32)),
      signed({ alg: 'HS256', typ: 'at+jwt' }, claims, Buffer.alloc(0)),
      `${header}.${payload}`,
      'x',
    ];
    for (const token of forged) expect(await alive(token), token).toBe(false);
    expect(await alive(session.accessToken)).toBe(true);
  });

  test('survive a restart of the server', async () => {
    const { session } = await server.register();
    await server.restart();
    expect(await alive(session.accessToken)).toBe(true);
  });

  test('end with logout at once', async () => {
    const user = await server.register();
    expect(await alive(user.session.accessToken)).toBe(true);
    expect((await user.call('/gateway/v1/account/logout', { method: 'POST' })).status).toBe(204);
    expect(await alive(user.session.accessToken)).toBe(false);
    expect((await refresh(user.session.refreshToken)).status).toBe(401);
  });
});

describe('refreshing', () => {
  test('rotates the token', async () => {
    const { session } = await server.register();
    server.advance(600_000);
    const next = await refresh(session.refreshToken);
    expect(next.status).toBe(200);
    expect(next.body.refreshToken).not.toBe(session.refreshToken);
    expect(Date.parse(next.body.expiresAt)).toBe(server.now() + 12 * 3_600_000);
    expect(await alive(next.body.accessToken)).toBe(true);
  });

  test('of 50 at once all get the same single successor', async () => {
    const { session } = await server.register();
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(session.refreshToken)));
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(50).fill(200));
    expect(new Set(answers.map(({ body }) => body.refreshToken)).size).toBe(1);
    const rows = await server.context.database.queries.selectFrom('refresh_tokens').selectAll().execute();
    expect(rows).toHaveLength(2);
  });

  test('a retry within 10 s gets the same successor; after that reuse ends the session', async () => {
    const { session } = await server.register();
    const first = await refresh(session.refreshToken);
    server.advance(10_000);
    expect((await refresh(session.refreshToken)).body.refreshToken).toBe(first.body.refreshToken);
    server.advance(1);
    expect(await refresh(session.refreshToken)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect((await refresh(first.body.refreshToken)).status).toBe(401);
    expect(await alive(first.body.accessToken)).toBe(false);
  });

  test('reuse after the successor was used ends the session even within 10 s, and is in the audit log', async () => {
    const user = await server.register();
    const other = await server.register();
    const first = await refresh(user.session.refreshToken);
    const second = await refresh(first.body.refreshToken);
    expect((await refresh(user.session.refreshToken)).status).toBe(401);
    expect((await refresh(second.body.refreshToken)).status).toBe(401);
    expect(await alive(other.session.accessToken)).toBe(true);
    const entries = await server.context.database.queries
      .selectFrom('audit_log')
      .select(['action', 'outcome'])
      .where('action', '=', 'auth.refresh-token-reused')
      .execute();
    expect(entries).toEqual([{ action: 'auth.refresh-token-reused', outcome: 'failure' }]);
  });

  test('ends 30 days after sign-in, however often it was rotated', async () => {
    let { refreshToken } = (await server.register()).session;
    for (let day = 1; day < 30; day += 1) {
      server.advance(86_400_000);
      const next = await refresh(refreshToken);
      expect(next.status).toBe(200);
      refreshToken = next.body.refreshToken;
    }
    server.advance(86_400_000);
    expect((await refresh(refreshToken)).status).toBe(401);
  });

  test('neither an access token nor garbage nor nothing refreshes', async () => {
    const { session } = await server.register();
    for (const token of [session.accessToken, 'garbage', 'a'.repeat(5000)]) expect((await refresh(token)).status).toBe(401);
    expect((await server.call(REFRESH, { method: 'POST' })).status).toBe(401);
  });

  test('only hashes are stored', async () => {
    const { session } = await server.register();
    const stored = JSON.stringify(await server.context.database.queries.selectFrom('refresh_tokens').selectAll().execute());
    expect(stored).not.toContain(session.refreshToken);
  });
});

describe('devices', () => {
  const list = (user: { call: TestServer['call'] }) =>
    user.call<{ items: { id: string; device: string; current: boolean }[] }>('/gateway/v1/account/sessions');

  const signInAgain = async (user: Awaited<ReturnType<TestServer['register']>>, device: string) => {
    const { body } = await server.call<{ code: string }>('/gateway/v1/account/login', {
      body: { username: user.username, password: user.password },
    });
    return server.call<Session>('/gateway/v1/account/verify-2fa', {
      body: { otpCode: server.nextCode(user.secretKey) },
      token: body.code,
      headers: { 'user-agent': device },
    });
  };

  test('are listed, and one can be signed out', async () => {
    const user = await server.register();
    const phone = await signInAgain(user, 'Phone');
    const { body } = await list(user);
    expect(body.items).toHaveLength(2);
    const other = body.items.find((item) => item.device === 'Phone');
    expect(other?.current).toBe(false);
    expect((await user.call(`/gateway/v1/account/sessions/${other?.id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await alive(phone.body.accessToken)).toBe(false);
    expect((await list(user)).body.items).toHaveLength(1);
  });

  test("another account's session is not found, and stays", async () => {
    const user = await server.register();
    const stranger = await server.register();
    const id = (await list(user)).body.items[0]?.id;
    expect(await stranger.call(`/gateway/v1/account/sessions/${id}`, { method: 'DELETE' })).toMatchObject({
      status: 404,
      body: { code: 'not-found' },
    });
    expect(await alive(user.session.accessToken)).toBe(true);
  });

  test('the audit log shows what happened to this account only', async () => {
    const user = await server.register();
    await server.register();
    await server.call('/gateway/v1/account/login', { body: { username: user.username, password: 'wrong' } });
    const { body } = await user.call<{ items: { action: string; outcome: string }[]; total: number }>(
      '/gateway/v1/account/audit-log?page=1&pageSize=2',
    );
    expect(body.total).toBe(3);
    expect(body.items).toMatchObject([
      { action: 'auth.login', outcome: 'failure' },
      { action: 'auth.confirm-2fa', outcome: 'success' },
    ]);
  });

  test('dead sessions are swept away a week after their end, with their tokens', async () => {
    await server.register();
    server.advance(38 * 86_400_000);
    await server.context.sessions.sweep();
    expect(await server.context.database.queries.selectFrom('sessions').select('id').execute()).toEqual([]);
    expect(await server.context.database.queries.selectFrom('refresh_tokens').selectAll().execute()).toEqual([]);
  });
});
