import { afterEach, describe, expect, test, vi } from 'vitest';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import { startTestServer, type TestServer } from '../app/testing/test-server.ts';
import { authFeature } from '../auth/auth-routes.ts';

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const startWith = async (feature: Feature): Promise<TestServer> => {
  server = await startTestServer({ features: async (context: AppContext) => [await authFeature(context), feature] });
  return server;
};
const ID = '018f0000-0000-7000-8000-000000000000';
const adminUser = {
  id: ID,
  username: 'x',
  email: 'x@example.com',
  createdAt: '2026-01-01T00:00:00.000Z',
  lastSeenAt: null,
  twoFactor: true,
};

describe('handlers', () => {
  test('a call without one answers 501, after the guard', async () => {
    const { call, register } = await startWith({ handlers: {} });
    const user = await register();
    expect(await user.call('/bff/v2/account')).toMatchObject({ status: 501, body: { code: 'not-implemented' } });
    expect((await call('/bff/v2/account')).status).toBe(401);
  });

  test('two for one call stop the start', async () => {
    const feature: Feature = { handlers: { listRoles: () => [] } };
    await expect(startTestServer({ features: async () => [feature, feature] })).rejects.toThrow('Two features answer listRoles');
  });

  test('an answer holds only what the contract names; one that does not fit is a 500 without detail', async () => {
    const leaky = { ...adminUser, roles: ['Admin'], password_hash: 'canary' };
    const { register, logged } = await startWith({
      handlers: {
        setUserRoles: () => leaky,
        listRoles: () => ['canary' as never],
      },
    });
    const admin = await register();
    const patched = await admin.call(`/bff/v2/admin/users/${ID}/roles`, { method: 'PATCH', body: { roles: [] } });
    expect(patched.status).toBe(200);
    expect(JSON.stringify(patched.body)).not.toContain('canary');
    const broken = await admin.call('/bff/v2/admin/roles');
    expect(broken).toMatchObject({ status: 500, body: { code: 'internal' } });
    expect(JSON.stringify(broken.body)).not.toContain('contract');
    expect(logged()).toContain('does not fit its contract (0: invalid_type)');
  });

  test('an unforeseen error is logged and answered without its text', async () => {
    const { register, logged } = await startWith({
      handlers: {
        listRoles: () => {
          throw new Error('select * from canary');
        },
      },
    });
    const admin = await register();
    const { status, body } = await admin.call('/bff/v2/admin/roles');
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain('canary');
    expect(logged()).toContain('select * from canary');
  });
});

describe('PATCH', () => {
  const echo: Feature = { handlers: { setUserRoles: ({ body }) => ({ ...adminUser, roles: body.roles }) } };
  const path = `/bff/v2/admin/users/${ID}/roles`;

  test.each([
    ['the plain object as json-patch', { roles: ['Admin'] }, 'application/json-patch+json'],
    ['the plain object as JSON', { roles: ['Admin'] }, 'application/json'],
    ['a JSON Patch', [{ op: 'replace', path: '/roles', value: ['Admin'] }], 'application/json-patch+json'],
  ])('takes %s', async (_, body, type) => {
    const { register } = await startWith(echo);
    const admin = await register();
    expect(await admin.call(path, { method: 'PATCH', body, headers: { 'content-type': type } })).toMatchObject({
      status: 200,
      body: { roles: ['Admin'] },
    });
  });

  test('refuses patches of other paths, and values the contract refuses', async () => {
    const { register } = await startWith(echo);
    const admin = await register();
    for (const body of [
      [{ op: 'add', path: '/__proto__/x', value: 1 }],
      [{ op: 'remove', path: '/roles' }],
      [{ op: 'replace', path: '/roles', value: 'Admin' }],
      { roles: 'Admin' },
    ])
      expect(await admin.call(path, { method: 'PATCH', body })).toMatchObject({ status: 400, body: { code: 'invalid' } });
  });
});

describe('Idempotency-Key', () => {
  test('a repeated call gets the first answer, another body under the key a conflict', async () => {
    let made = 0;
    const { register } = await startWith({
      handlers: {
        createPriceAlert: () => {
          made += 1;
          throw new Error('never in this test');
        },
        createCoinFilter: ({ body }) => {
          made += 1;
          return { id: ID, ...body, name: `${body.name} ${made}` };
        },
      },
    });
    const user = await register();
    const other = await register();
    const create = (who: typeof user, name: string, key?: string) =>
      who.call<{ name: string }>('/bff/v2/coin-filters', {
        body: { name, quoteAsset: 'USDT' },
        headers: key === undefined ? {} : { 'idempotency-key': key },
      });
    expect(await create(user, 'x', 'k1')).toMatchObject({ status: 201, body: { name: 'x 1' } });
    expect(await create(user, 'x', 'k1')).toMatchObject({ status: 201, body: { name: 'x 1' } });
    expect(await create(user, 'y', 'k1')).toMatchObject({
      status: 409,
      body: { code: 'conflict', detail: expect.stringContaining('idempotency key') },
    });
    expect(await create(other, 'x', 'k1')).toMatchObject({ status: 201, body: { name: 'x 2' } });
    expect(await create(user, 'x')).toMatchObject({ status: 201, body: { name: 'x 3' } });
    expect(await create(user, 'x', 'not a key')).toMatchObject({ status: 400, body: { code: 'invalid' } });
  });
});

test('whoever goes away before the answer is noticed, once the answer is there nobody is missed', async () => {
  const seen: AbortSignal[] = [];
  let goOn: () => void = () => undefined;
  let arrived: () => void = () => undefined;
  const { register, url } = await startWith({
    handlers: {
      listRoles: async ({ gone }) => {
        seen.push(gone());
        arrived();
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
        return [];
      },
    },
  });
  const { session } = await register();
  const ask = (signal?: AbortSignal) =>
    fetch(`${url}/bff/v2/admin/roles`, { headers: { authorization: `Bearer ${session.accessToken}` }, ...(signal && { signal }) });
  const leaving = new AbortController();
  const asked = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const left = ask(leaving.signal);
  await asked;
  leaving.abort();
  await expect(left).rejects.toThrow();
  await vi.waitFor(() => expect(seen[0]?.aborted).toBe(true));
  goOn();
  arrived = () => setImmediate(() => goOn());
  expect((await ask()).status).toBe(200);
  expect(seen[1]?.aborted).toBe(false);
});

describe('uploads', () => {
  const IMPORT = '/bff/v2/import-trades/Binance';
  const report = (format: string) => ({ batchId: null, format, zone: null }) as never;

  test('one file is streamed to the handler', async () => {
    const { register } = await startWith({
      handlers: {
        importTrades: async ({ file }) => {
          const { name, stream } = await file();
          let bytes = 0;
          for await (const chunk of stream) bytes += (chunk as Buffer).length;
          throw new Error(`got ${name} ${bytes}`);
        },
      },
    });
    const user = await register();
    const form = new FormData();
    form.append('file', new Blob(['x'.repeat(1_000_000)]), 'trades.csv');
    expect((await user.call(IMPORT, { body: form })).status).toBe(500);
    expect(server?.logged()).toContain('got trades.csv 1000000');
  });

  test('JSON instead of a file, and a form without one, are refused', async () => {
    const { register } = await startWith({
      handlers: {
        importTrades: async ({ file }) => report((await file()).name),
      },
    });
    const user = await register();
    expect(await user.call(IMPORT, { body: {} })).toMatchObject({ status: 400, body: { errors: [{ path: 'file', code: 'required' }] } });
    expect((await user.call(IMPORT, { body: new FormData() })).status).toBe(400);
  });

  const formOf = (...parts: [name: string, value: string | Blob][]): FormData => {
    const form = new FormData();
    for (const [name, value] of parts) form.append(name, value);
    return form;
  };
  const FILE: [string, Blob] = ['file', new Blob(['x'])];

  test('a field that nobody knows, and what comes after the file, are refused: neither would be looked at', async () => {
    const done: string[] = [];
    const { register } = await startWith({
      handlers: {
        importTrades: async ({ file }) => {
          const { stream, end } = await file();
          for await (const _ of stream);
          await end?.();
          done.push('imported');
          return report('x');
        },
      },
    });
    const user = await register();
    const refused = async (...parts: Parameters<typeof formOf>) => (await user.call(IMPORT, { body: formOf(...parts) })).body;
    expect(await refused(['commit', 'false'], FILE)).toMatchObject({ code: 'invalid', errors: [{ path: 'commit', limit: 'operations' }] });
    expect(await refused(FILE, ['operations', '{}'])).toMatchObject({
      code: 'invalid',
      errors: [{ path: 'operations', code: 'after_file', message: 'Send this field before the file.' }],
    });
    expect(done).toEqual([]);
    await user.call(IMPORT, { body: formOf(['operations', '{}'], FILE) });
    expect(done).toEqual(['imported']);
  });
});
