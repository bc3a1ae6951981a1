import { PERMISSIONS } from '@pilotfish/core/account/permissions-contract';
import { contract, type EndpointId } from '@pilotfish/core/http/contract';
import type { AnyEndpoint } from '@pilotfish/core/http/endpoint';
import { BACKEND_PREFIX } from '@pilotfish/core/http/endpoint-path';
import { PERMISSION_OF } from '@pilotfish/core/http/endpoint-permissions';
import { problemSchema } from '@pilotfish/core/http/problem-document';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountFeatures } from '../app/features.ts';
import { type SignedInUser, startTestServer, type TestServer } from '../app/testing/test-server.ts';

let server: TestServer;
let admin: SignedInUser;
let user: SignedInUser;
beforeAll(async () => {
  server = await startTestServer({ features: accountFeatures });
  admin = await server.register();
  user = await server.register();
});
afterAll(() => server.close());

const LOGIN = '/gateway/v1/account/login';
const endpoints = Object.entries(contract) as [string, AnyEndpoint][];
const pathOf = (endpoint: AnyEndpoint) =>
  `${BACKEND_PREFIX[endpoint.backend]}${endpoint.path.replace(/\{\w+\}/g, '018f0000-0000-7000-8000-000000000000')}`;

describe('every endpoint of the contract', () => {
  test.each(endpoints.filter(([, endpoint]) => endpoint.access !== 'none' && endpoint.access !== 'optional'))(
    '%s refuses a stranger with 401',
    async (_, endpoint) => {
      for (const token of [undefined, 'x'.repeat(43)]) {
        const answer = await server.call(pathOf(endpoint), { method: endpoint.method, token });
        const expected = endpoint.access === 'pending' && token !== undefined ? [400, 401] : [401];
        expect(expected).toContain(answer.status);
        expect(problemSchema.safeParse(answer.body).success).toBe(true);
      }
    },
  );

  test.each(endpoints.filter(([, endpoint]) => endpoint.access === 'admin'))(
    '%s refuses a user who is no Admin with 403',
    async (_, endpoint) => {
      expect(await user.call(pathOf(endpoint), { method: endpoint.method })).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    },
  );

  test.each(
    endpoints.flatMap(([id, endpoint]) =>
      PERMISSION_OF[id as EndpointId] ? [[id, endpoint, PERMISSION_OF[id as EndpointId]] as const] : [],
    ),
  )('%s needs its permission: refused without it with 422, not for its lack with it', async (_, endpoint, permission) => {
    const { queries } = server.context.database;
    const { id } = await queries.selectFrom('accounts').select('id').where('username', '=', user.username).executeTakeFirstOrThrow();
    const row = { id: permission as string, name: 'One', name_key: 'one', updated_at: 0 };
    await queries.insertInto('account_roles').values({ account_id: id, role: 'One', granted_at: 0 }).execute();
    const others = PERMISSIONS.filter((each) => each !== permission);
    await queries
      .insertInto('roles')
      .values({ ...row, permissions: JSON.stringify(others) })
      .execute();
    const call = () => user.call<{ code?: string }>(pathOf(endpoint), { method: endpoint.method });
    expect(await call()).toMatchObject({ status: 422, body: { code: 'not-permitted' } });
    await queries
      .updateTable('roles')
      .set({ permissions: JSON.stringify([permission]) })
      .execute();
    expect((await call()).body.code).not.toBe('not-permitted');
    await queries.deleteFrom('roles').execute();
    await queries.deleteFrom('account_roles').where('account_id', '=', id).execute();
  });

  test('a role taken away works at once, with the same token', async () => {
    const { queries } = server.context.database;
    const path = '/bff/v2/admin/roles';
    expect((await admin.call(path)).status).not.toBe(403);
    const taken = await queries.deleteFrom('account_roles').where('role', '=', 'Admin').returningAll().execute();
    expect((await admin.call(path)).status).toBe(403);
    await queries.insertInto('account_roles').values(taken).execute();
  });
});

describe('problem documents', () => {
  test('name every broken field, in the language asked for, without repeating values', async () => {
    const body = { username: 'x', email: 'canary-not-an-email', password: 7 };
    const english = await server.call<{ errors: { path: string; code: string; message: string }[] }>('/gateway/v1/account/create', {
      body,
    });
    expect(english.status).toBe(400);
    expect(english.body).toMatchObject({ type: 'about:blank', status: 400, code: 'invalid', instance: '/gateway/v1/account/create' });
    expect(english.body.errors).toMatchObject([
      { path: 'username', code: 'too_short', message: 'At least 3 characters.', limit: '3' },
      { path: 'email', code: 'email' },
      { path: 'password', code: 'invalid_type' },
    ]);
    expect(JSON.stringify(english.body)).not.toContain('canary');
    const turkish = await server.call<typeof english.body>('/gateway/v1/account/create', { body, headers: { 'accept-language': 'tr-TR' } });
    expect(turkish.body.errors[0]).toMatchObject({ code: 'too_short', message: 'En az 3 karakter.' });
  });

  test('a missing field is "required"', async () => {
    expect((await server.call(LOGIN, { body: {} })).body).toMatchObject({
      errors: [
        { path: 'username', code: 'required' },
        { path: 'password', code: 'required' },
      ],
    });
    expect((await server.call(LOGIN, { method: 'POST' })).body).toMatchObject({
      code: 'invalid',
      errors: [{ path: '', code: 'required' }],
    });
  });

  test('query values are checked and defaulted', async () => {
    const log = '/gateway/v1/account/audit-log';
    expect((await user.call(log)).body).toMatchObject({ page: 1, pageSize: 25 });
    expect(await user.call(`${log}?page=0&pageSize=x`)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'page' }, { path: 'pageSize' }] },
    });
  });

  test.each([
    ['broken JSON', '{"username":', { 'content-type': 'application/json' }, 400, 'invalid'],
    [
      '__proto__ in JSON',
      '{"__proto__":{"admin":true},"username":"a","password":"b"}',
      { 'content-type': 'application/json' },
      400,
      'invalid',
    ],
    ['a form', 'username=a&password=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'unsupported-media-type'],
    ['plain text', '{"username":"a","password":"b"}', { 'content-type': 'text/plain' }, 415, 'unsupported-media-type'],
    [
      'more than 256 kB',
      JSON.stringify({ username: 'a'.repeat(300_000), password: 'b' }),
      { 'content-type': 'application/json' },
      413,
      'payload-too-large',
    ],
  ])('%s is refused', async (_, body, headers, status, code) => {
    expect(await server.call(LOGIN, { body, headers })).toMatchObject({ status, body: { code } });
  });

  test('no text holds a NUL, wherever it stands', async () => {
    const refused = { status: 400, body: { code: 'invalid' } };
    expect(await admin.call('/bff/v2/admin/users?search=a%00b')).toMatchObject(refused);
    const text = (value: string) => admin.call('/bff/v2/localization-resources', { body: { key: 'own.text', values: { en: value } } });
    expect(await text('a\0b')).toMatchObject(refused);
    expect(await user.call('/bff/v2/account/preferences', { method: 'PUT', body: { 'a\0': 1 } })).toMatchObject(refused);
    // The six characters that a JSON text writes it with are a text like any other.
    expect((await text('a\\u0000b')).status).toBe(201);
  });

  test('unknown paths and methods are 404 problems', async () => {
    for (const path of ['/bff/v2/nothing', '/gateway', '/nothing', '/bff/v1/app-config/%00', '/%2e%2e/%2e%2e/etc/passwd'])
      expect(await server.call(path), path).toMatchObject({ status: 404, body: { code: 'not-found' } });
    expect((await server.call(LOGIN, { method: 'DELETE' })).status).toBe(404);
  });

  test('a token that no longer works is said so even where guests are welcome', async () => {
    expect((await server.call('/bff/v1/landing/holdings', { token: 'x'.repeat(40) })).status).toBe(401);
  });
});

describe('headers', () => {
  test('are set on every answer', async () => {
    for (const path of ['/healthz', '/bff/v2/account', '/nothing']) {
      const { headers } = await server.call(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
    const { headers: api } = await user.call('/bff/v2/account');
    expect(api.get('cache-control')).toBe('no-store');
    // Opened as a page of its own, an answer is saved under a name of ours and could run nothing.
    expect(api.get('content-disposition')).toBe('attachment; filename="api.json"');
    expect(api.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
  });

  test('other origins are not allowed to read', async () => {
    const preflight = await server.call('/bff/v2/account', {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'GET' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('long JSON is compressed', async () => {
    const response = await fetch(`${server.url}/bff/openapi.json`, { headers: { 'accept-encoding': 'gzip' } });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect((await response.json()) as object).toHaveProperty('openapi', '3.1.0');
  });
});

describe('documents and figures', () => {
  test('OpenAPI names every endpoint of its backend, and nothing else', async () => {
    for (const backend of ['gateway', 'bff'] as const) {
      const { body } = await server.call<{ openapi: string; paths: Record<string, Record<string, { operationId: string }>> }>(
        `/${backend}/openapi.json`,
      );
      expect(body.openapi).toBe('3.1.0');
      const documented = Object.values(body.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
      expect(documented.sort()).toEqual(
        endpoints
          .filter(([, endpoint]) => endpoint.backend === backend)
          .map(([id]) => id)
          .concat(backend === 'bff' ? ['followStream', 'followPublicStream'] : [])
          .sort(),
      );
    }
  });

  test('OpenAPI says which calls work without a body', async () => {
    type Operation = { requestBody?: { required: boolean } };
    const { body } = await server.call<{ paths: Record<string, Record<string, Operation>> }>('/bff/openapi.json');
    const required = (path: string) => body.paths[path]?.post?.requestBody?.required;
    expect(required('/v2/positions/open/{id}/set-as-closed')).toBe(false);
    expect(required('/v2/positions/{id}/set-as-broken')).toBe(false);
    expect(required('/v2/wallets')).toBe(true);
  });

  test('OpenAPI says how a client loses nothing between an answer and the stream', async () => {
    type Answer = { headers?: Record<string, unknown> };
    type Operation = { description?: string; parameters: { name: string; in: string }[]; responses: Record<string, Answer> };
    for (const backend of ['gateway', 'bff'] as const) {
      const { body } = await server.call<{
        paths: Record<string, Record<string, Operation>>;
        components: { headers: Record<string, { description: string }> };
      }>(`/${backend}/openapi.json`);
      for (const operation of Object.values(body.paths).flatMap((methods) => Object.values(methods))) {
        const [, success] = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))!;
        expect(success.headers).toHaveProperty('x-stream-position');
      }
      expect(body.components.headers.StreamPosition?.description).toContain('last-event-id');
      for (const path of backend === 'bff' ? ['/v2/stream', '/v1/stream'] : []) {
        const stream = body.paths[path]!.get!;
        expect(stream.parameters).toContainEqual(expect.objectContaining({ name: 'last-event-id', in: 'header' }));
        for (const word of ['x-stream-position', 'last-event-id', 'reset']) expect(stream.description).toContain(word);
      }
    }
  });

  test('health, readiness and metrics', async () => {
    expect((await server.call('/healthz')).body).toEqual({ status: 'ok' });
    expect((await server.call('/readyz')).body).toEqual({ status: 'ready' });
    const metrics = await server.call<string>('/metrics');
    expect(metrics.body).toContain('pilotfish_http_request_seconds_count');
    expect(metrics.body).toContain('pilotfish_auth_events_total');
    expect(metrics.body).toMatch(/^pilotfish_log_dropped_lines \d+$/m);
    // Whoever comes through a proxy is not this machine.
    for (const name of ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via'])
      expect([name, (await server.call('/metrics', { headers: { [name]: '203.0.113.7' } })).status]).toEqual([name, 404]);
    expect((await server.call('/%6detrics')).status).toBe(404);
  });
});

test('too many writes are slowed down', async () => {
  const flooder = await server.register();
  const answers = await Promise.all(Array.from({ length: 130 }, () => flooder.call('/bff/v2/wallets', { body: {} })));
  const limited = answers.filter(({ status }) => status === 429);
  expect(limited).toHaveLength(10);
  expect(limited[0]).toMatchObject({ body: { code: 'rate-limited', retryAfter: 1 } });
  expect((await user.call('/bff/v2/wallets', { body: {} })).status).not.toBe(429);
});

test.each([
  [0, '127.0.0.1'],
  [1, '203.0.113.7'],
  [2, '198.51.100.9'],
  [['10.9.9.9'], '127.0.0.1'],
  [['127.0.0.0/8'], '203.0.113.7'],
  [['127.0.0.1', '203.0.113.0/24'], '198.51.100.9'],
])('of proxies %j, the one asking counts as %s', async (trustProxy, address) => {
  const behind = await startTestServer({ features: accountFeatures, settings: { trustProxy } });
  try {
    const headers = { 'x-forwarded-for': '198.51.100.9, 203.0.113.7', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
    const someone = await behind.register();
    await behind.call(LOGIN, { body: { username: someone.username, password: 'wrong' }, headers });
    const { body } = await someone.call<{ items: { address: string }[] }>('/gateway/v1/account/audit-log?pageSize=1');
    expect(body.items[0]?.address).toBe(address);
  } finally {
    await behind.close();
  }
});

describe('with settings of another site and a public URL', () => {
  let proxied: TestServer;
  beforeAll(async () => {
    const settings = { corsOrigins: ['https://app.example'], publicUrl: 'https://pilotfish.example' };
    proxied = await startTestServer({ features: accountFeatures, settings });
  });
  afterAll(() => proxied.close());

  test('only the listed origin may read, and never with credentials', async () => {
    const allow = async (origin: string) => (await proxied.call('/healthz', { headers: { origin } })).headers;
    expect((await allow('https://app.example')).get('access-control-allow-origin')).toBe('https://app.example');
    expect((await allow('https://app.example')).get('access-control-allow-credentials')).toBeNull();
    expect((await allow('https://evil.example')).get('access-control-allow-origin')).toBeNull();
  });

  test('https is insisted on', async () => {
    expect((await proxied.call('/healthz')).headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains');
    expect((await server.call('/healthz')).headers.get('strict-transport-security')).toBeNull();
  });
});
