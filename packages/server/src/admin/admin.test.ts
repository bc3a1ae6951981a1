import { PERMISSIONS } from '@pilotfish/core/account/permissions-contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accountFeatures } from '../app/features.ts';
import { type SignedInUser, startTestServer, type TestServer } from '../app/testing/test-server.ts';
import { resourceId } from './localization.ts';
import { userAdministration } from './users.ts';

type Listed = { items: { id: string; username: string; roles: string[]; lastSeenAt: string | null }[]; total: number };

let server: TestServer;
let admin: SignedInUser;
beforeEach(async () => {
  server = await startTestServer({ features: accountFeatures });
  admin = await server.register({ username: 'root' });
});
afterEach(() => server.close());

const users = (query = '') => admin.call<Listed>(`/bff/v2/admin/users${query}`);
const idOf = async (name: string) => (await users(`?search=${name}`)).body.items[0]?.id ?? '';
const setRoles = (id: string, roles: string[], by = admin) =>
  by.call(`/bff/v2/admin/users/${id}/roles`, { method: 'PATCH', body: { roles } });
const remove = (id: string, by = admin) => by.call(`/bff/v2/admin/users/${id}`, { method: 'DELETE' });

describe('users', () => {
  test('are searched, sorted and paged', async () => {
    for (const username of ['cem', 'ayse', 'per_cent', 'perXcent']) await server.register({ username });
    const names = async (query: string) => (await users(query)).body.items.map(({ username }) => username);
    expect(await names('?sortBy=username&sortOrder=asc')).toEqual(['ayse', 'cem', 'per_cent', 'perXcent', 'root']);
    expect(await names('?sortBy=username&sortOrder=asc&page=2&pageSize=2')).toEqual(['per_cent', 'perXcent']);
    expect(await names('?search=AYSE@')).toEqual(['ayse']);
    // The wildcards of LIKE are plain letters here.
    expect(await names('?search=per_cent')).toEqual(['per_cent']);
    expect(await names('?search=%25')).toEqual([]);
    expect((await users('?pageSize=1')).body.total).toBe(5);
    expect((await users('?sortBy=password_hash')).status).toBe(400);
  });

  test('get and lose roles; their sessions end with it; it is audited', async () => {
    const user = await server.register();
    const id = await idOf(user.username);
    expect(await setRoles(id, ['Admin'])).toMatchObject({ status: 200, body: { roles: ['Admin'] } });
    expect((await user.call('/bff/v2/account')).status).toBe(401);
    expect(await setRoles(id, ['King'])).toMatchObject({ status: 400, body: { errors: [{ path: 'roles' }] } });
    expect(await setRoles(id, [])).toMatchObject({ body: { roles: [] } });
    const entries = await server.context.database.queries
      .selectFrom('audit_log')
      .select(['action', 'target', 'details'])
      .where('action', '=', 'admin.set-roles')
      .orderBy('id')
      .execute();
    expect(entries).toEqual([
      { action: 'admin.set-roles', target: id, details: '{"before":[],"after":["Admin"]}' },
      { action: 'admin.set-roles', target: id, details: '{"before":["Admin"],"after":[]}' },
    ]);
  });

  test('the last Admin stays one, also when two Admins try to end each other', async () => {
    const own = await idOf('root');
    expect(await setRoles(own, [])).toMatchObject({ status: 409, body: { code: 'last-admin' } });
    const second = await server.register();
    const other = await idOf(second.username);
    await setRoles(other, ['Admin']);
    const administration = userAdministration(server.context);
    const deed = { actorId: own, actorSession: '', origin: { address: '', device: '', requestId: '' } };
    const results = await Promise.allSettled([administration.setRoles(own, [], deed), administration.setRoles(other, [], deed)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('are deleted: sessions end, names are free, hooks run first, rows go after 30 days', async () => {
    const user = await server.register({ username: 'leaver' });
    const id = await idOf('leaver');
    const asked: string[] = [];
    server.context.accountExtras.beforeDelete.push(async (account) => void asked.push(account));
    expect((await remove(id)).status).toBe(204);
    expect(asked).toEqual([id]);
    expect((await user.call('/bff/v2/account')).status).toBe(401);
    expect((await remove(id)).status).toBe(404);
    expect((await users()).body.total).toBe(1);
    const row = await server.context.database.queries.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain('leaver');
    await server.register({ username: 'leaver', email: user.email });
    server.advance(30 * 86_400_000 + 1);
    await userAdministration(server.context).purge();
    expect(await server.context.database.queries.selectFrom('accounts').select('id').where('id', '=', id).execute()).toEqual([]);
  });

  test('an Admin cannot delete the own account; a failing hook keeps the account', async () => {
    expect(await remove(await idOf('root'))).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const user = await server.register();
    server.context.accountExtras.beforeDelete.push(() => Promise.reject(new Error('a bot still runs')));
    expect((await remove(await idOf(user.username))).status).toBe(500);
    expect((await user.call('/bff/v2/account')).status).toBe(200);
  });
});

describe('roles', () => {
  type Shown = { id: string | null; name: string; permissions: string[]; users: number };
  const path = '/bff/v2/admin/roles';
  const create = (name: string, ...permissions: string[]) => admin.call<Shown>(path, { body: { name, permissions } });
  const given = async (...roles: string[]) => {
    const user = await server.register();
    await setRoles(await idOf(user.username), roles);
    user.session = await server.signIn(user);
    return user;
  };
  const claims = async (user: SignedInUser) =>
    (await user.call<{ claims: { name: string; value: string }[] }>('/bff/v2/account')).body.claims
      .filter(({ name }) => name === 'permission')
      .map(({ value }) => value);

  test('are made, listed after Admin, renamed for those who hold them, and audited', async () => {
    const { body: role } = await create('Analyst', 'trade-import', 'price-alerts', 'price-alerts');
    expect(role).toMatchObject({ name: 'Analyst', permissions: ['price-alerts', 'trade-import'], users: 0 });
    const user = await given('Analyst');
    const body = { name: 'Okuyucu', permissions: ['bots'] };
    expect(await admin.call(`${path}/${role.id}`, { method: 'PUT', body })).toMatchObject({ status: 200, body: { ...body, users: 1 } });
    expect((await admin.call<Shown[]>(path)).body).toMatchObject([
      { id: null, name: 'Admin', permissions: [...PERMISSIONS], users: 1 },
      { name: 'Okuyucu', permissions: ['bots'], users: 1 },
    ]);
    expect((await users(`?search=${user.username}`)).body.items[0]).toMatchObject({ roles: ['Okuyucu'] });
    const entries = await server.context.database.queries
      .selectFrom('audit_log')
      .select(['action', 'target'])
      .where('action', 'like', 'admin.%-role')
      .orderBy('id')
      .execute();
    expect(entries).toEqual([
      { action: 'admin.create-role', target: 'Analyst' },
      { action: 'admin.change-role', target: 'Analyst' },
    ]);
  });

  test('are given to new accounts where that is set: renamed they stay it, and are not deleted meanwhile', async () => {
    const { body: role } = await create('Analyst', 'price-alerts');
    const settings = '/bff/v2/admin/app-settings';
    const set = (value: string | null) => admin.call(settings, { method: 'PUT', body: { values: { 'registration.role': value } } });
    for (const wrong of ['Nobody', 'Admin'])
      expect(await set(wrong)).toMatchObject({ status: 400, body: { errors: [{ path: 'values.registration.role', limit: 'Analyst' }] } });
    const before = await server.register();
    expect((await set('ANALYST')).status).toBe(200);
    expect(await claims(await server.register())).toEqual(['price-alerts']);
    expect(await claims(before)).toEqual([...PERMISSIONS]);
    await admin.call(`${path}/${role.id}`, { method: 'PUT', body: { name: 'Okuyucu', permissions: [] } });
    expect(await claims(await server.register())).toEqual([]);
    expect(await admin.call(`${path}/${role.id}?holders=2`, { method: 'DELETE' })).toMatchObject({ status: 409, body: { code: 'in-use' } });
    await set(null);
    expect((await admin.call(`${path}/${role.id}?holders=2`, { method: 'DELETE' })).status).toBe(204);
    expect(await claims(await server.register())).toEqual([...PERMISSIONS]);
  });

  test('have names of their own: not that of Admin or of another role, in any case, and none that the terminal could not say', async () => {
    await create('Analyst');
    for (const name of ['ANALYST', 'admin']) expect(await create(name)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    for (const name of ['a,b', 'None', 'x'.repeat(41)])
      expect(await create(name)).toMatchObject({ status: 400, body: { errors: [{ path: 'name' }] } });
    expect(await create('Fresh', 'management')).toMatchObject({ status: 400, body: { errors: [{ path: 'permissions.0' }] } });
  });

  test('allow together what each allows; without a role everything is allowed, and a change counts at once', async () => {
    const { body: role } = await create('Analyst', 'trade-import');
    await create('Watcher', 'price-alerts');
    expect(await claims(await server.register())).toEqual([...PERMISSIONS]);
    expect(await claims(await given('Analyst', 'Admin'))).toEqual([...PERMISSIONS]);
    const user = await given('Analyst', 'Watcher');
    expect(await claims(user)).toEqual(['price-alerts', 'trade-import']);
    await admin.call(`${path}/${role.id}`, { method: 'PUT', body: { name: 'Analyst', permissions: ['bots'] } });
    expect(await claims(user)).toEqual(['bots', 'price-alerts']);
  });

  test('none that Admins make opens the administration, whatever it allows', async () => {
    await create('Almost', ...PERMISSIONS);
    const user = await given('Almost');
    for (const call of ['stats', 'users', 'roles', 'app-settings'])
      expect(await user.call(`/bff/v2/admin/${call}`)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(await setRoles(await idOf('root'), ['Almost'])).toMatchObject({ status: 409, body: { code: 'last-admin' } });
  });

  test('in use are deleted only by who knows how many hold them; who loses what can be asked', async () => {
    const { body: role } = await create('Watcher', 'price-alerts');
    await create('Analyst', 'trade-import');
    const [only, both] = [await given('Watcher'), await given('Watcher', 'Analyst')];
    const holders = await admin.call<{ items: object[] }>(`${path}/${role.id}/holders`);
    expect(holders.body.items).toHaveLength(2);
    expect(holders.body.items).toEqual(
      expect.arrayContaining([
        { username: only.username, before: ['price-alerts'], after: [...PERMISSIONS] },
        { username: both.username, before: ['price-alerts', 'trade-import'], after: ['trade-import'] },
      ]),
    );
    const gone = (query = '') => admin.call(`${path}/${role.id}${query}`, { method: 'DELETE' });
    expect(await gone()).toMatchObject({ status: 409, body: { code: 'in-use', detail: expect.stringContaining(only.username) } });
    expect((await gone('?holders=1')).status).toBe(409);
    expect((await gone('?holders=2')).status).toBe(204);
    expect(await claims(only)).toEqual([...PERMISSIONS]);
    expect(await claims(both)).toEqual(['trade-import']);
    expect((await gone()).status).toBe(404);
  });
});

test.each([
  ['en', 'Delete it on your account page', 'custom.hi already exists', 'stablecoin already exists'],
  ['tr', 'Hesap sayfanızdan silin', 'custom.hi zaten var', 'stablecoin zaten var'],
])('what an Admin cannot do is refused with its own reason (%s)', async (language, ...reasons) => {
  const headers = { 'accept-language': language };
  const own = await idOf('root');
  const text = { key: 'custom.hi', values: { en: 'Hi' } };
  const tag = { key: 'stablecoin', labels: { en: 'Stable', tr: 'Sabit' }, assets: ['BTC'] };
  await admin.call('/bff/v2/localization-resources', { body: text });
  const refused = [
    await admin.call(`/bff/v2/admin/users/${own}`, { method: 'DELETE', headers }),
    await admin.call('/bff/v2/localization-resources', { body: text, headers }),
    await admin.call('/bff/v2/admin/tags', { body: tag, headers }),
  ];
  const changed = server.context.texts.text(language as 'en', 'errors.conflict.title');
  for (const [index, { status, body }] of refused.entries()) {
    expect([status, body.code, body.detail]).toEqual([409, 'conflict', expect.stringContaining(reasons[index] as string)]);
    expect(body.title).not.toBe(changed);
  }
});

test('stats count, and features add theirs', async () => {
  server.context.accountExtras.stats.push(async () => ({ ordersLastHour: 7, queueDepths: { orders: 2 } }));
  await server.register();
  const { status, body } = await admin.call('/bff/v2/admin/stats');
  expect(status).toBe(200);
  expect(body).toMatchObject({ users: 2, activeSessions: 2, ordersLastHour: 7, streamLagMs: null, queueDepths: { orders: 2 } });
  expect((body as { databaseBytes: number }).databaseBytes).toBeGreaterThan(1000);
});

describe('localization resources', () => {
  type Resources = { items: { id: string; key: string; values: { en: string; tr: string } }[]; total: number };
  const path = '/bff/v2/localization-resources';
  const KEY = 'errors.not-found.title';
  const titleOfError = async (language: string) =>
    (await server.call<{ title: string }>('/bff/nothing', { headers: { 'accept-language': language } })).body.title;

  test('list every bundled text and find it by key or text, with Turkish casing', async () => {
    const all = await admin.call<Resources>(`${path}?pageSize=1`);
    expect(all.body.total).toBe(server.context.texts.bundled('en').size);
    const found = await admin.call<Resources>(`${path}?filter=ÇOK FAZLA İSTEK`);
    expect(found.body.items.map(({ key }) => key)).toContain('errors.rate-limited.title');
  });

  test('a changed text is said at once, survives a restart, and can be taken back', async () => {
    const before = await titleOfError('tr');
    const id = resourceId(KEY);
    const change = { key: KEY, values: { en: 'Gone fishing', tr: 'Balığa gitti' } };
    expect(await admin.call(`${path}/${id}`, { method: 'PUT', body: change })).toMatchObject({ status: 200, body: { id, ...change } });
    expect([await titleOfError('en'), await titleOfError('tr')]).toEqual(['Gone fishing', 'Balığa gitti']);
    await server.restart();
    expect(await titleOfError('tr')).toBe('Balığa gitti');
    expect((await admin.call(`${path}/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await titleOfError('tr')).toBe(before);
    expect((await admin.call(`${path}/${id}`, { method: 'DELETE' })).status).toBe(404);
  });

  test('new texts are added once; other placeholders, other keys and unknown ids are refused', async () => {
    const added = await admin.call<{ id: string }>(path, { body: { key: 'custom.greeting', values: { en: 'Hi' } } });
    expect(added).toMatchObject({ status: 201, body: { key: 'custom.greeting', values: { en: 'Hi', tr: 'Hi' } } });
    expect((await admin.call(path, { body: { key: 'custom.greeting', values: {} } })).status).toBe(409);
    expect((await admin.call(path, { body: { key: KEY, values: {} } })).status).toBe(409);
    expect((await admin.call(`${path}/${added.body.id}`, { method: 'PUT', body: { key: 'other', values: {} } })).status).toBe(400);
    expect(
      await admin.call(`${path}/${resourceId(KEY)}`, { method: 'PUT', body: { key: KEY, values: { en: '{{password}}' } } }),
    ).toMatchObject({ status: 400, body: { errors: [{ path: 'values.en', code: 'placeholder' }] } });
    expect((await admin.call(`${path}/${resourceId('nothing')}`, { method: 'DELETE' })).status).toBe(404);
  });
});
