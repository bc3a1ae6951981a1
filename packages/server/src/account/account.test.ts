import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { accountFeatures } from '../app/features.ts';
import { type SignedInUser, startTestServer, type TestServer } from '../app/testing/test-server.ts';
import { timeZoneOf } from '../notifications/notifier.ts';
import { EXPORTED, NOT_EXPORTED } from './exported-tables.ts';
import { languageOfAccount } from './preferences-store.ts';

let server: TestServer;
let admin: SignedInUser;
let user: SignedInUser;
beforeEach(async () => {
  server = await startTestServer({ features: accountFeatures });
  admin = await server.register();
  user = await server.register();
});
afterEach(() => server.close());

const PREFERENCES = '/bff/v2/account/preferences';
const EXPORT = '/bff/v2/account/export';
const idOf = async (who: SignedInUser) =>
  (await who.call<{ claims: { name: string; value: string }[] }>('/bff/v2/account')).body.claims.find(({ name }) => name === 'sub')
    ?.value ?? '';
const proofOf = async (who: SignedInUser) => {
  const { body } = await who.call<{ proof: string }>('/gateway/v1/account/step-up', { body: { password: who.password } });
  return { 'step-up': body.proof };
};

describe('preferences', () => {
  test('say that nothing was chosen yet, keep what is not named, and are the same for every session', async () => {
    const first = (await user.call(PREFERENCES)).body;
    expect(first).toEqual({
      language: 'en',
      theme: 'dark',
      timeZone: null,
      density: 'comfortable',
      palette: 'green-red',
      startScreen: '/',
      favourites: null,
      watchlists: null,
      chartIndicators: null,
      pricesColumns: null,
      pricesFilterOpen: null,
      defaultCoinFilter: null,
      recentItems: null,
      dismissedSteps: null,
      updatedAt: null,
    });
    await user.call(PREFERENCES, { method: 'PUT', body: { theme: 'light', timeZone: 'Europe/Istanbul' } });
    await user.call(PREFERENCES, { method: 'PUT', body: { language: 'tr' } });
    const { accessToken } = await server.signIn(user);
    expect((await server.call(PREFERENCES, { token: accessToken })).body).toMatchObject({
      language: 'tr',
      theme: 'light',
      timeZone: 'Europe/Istanbul',
      palette: 'green-red',
    });
    expect((await admin.call(PREFERENCES)).body).toMatchObject({ language: 'en', theme: 'dark' });
    expect(await languageOfAccount(server.context.database.queries, await idOf(user))).toBe('tr');
  });
  test('keep how the screens are arranged, which is no preference: it brings no theme along and fills no log', async () => {
    const put = (body: object) => user.call<{ favourites: string[] }>(PREFERENCES, { method: 'PUT', body });
    const favourites = Array.from({ length: 500 }, (_, n) => `COIN${n}USDT`);
    expect(await put({ favourites, pricesFilterOpen: false })).toMatchObject({ status: 200, body: { updatedAt: null } });
    await put({ chartIndicators: [] });
    const { accessToken } = await server.signIn(user);
    expect((await server.call(PREFERENCES, { token: accessToken })).body).toMatchObject({
      favourites,
      chartIndicators: [],
      pricesFilterOpen: false,
      pricesColumns: null,
      updatedAt: null,
    });
    expect(await put({ favourites: [...favourites, 'ONEMORE'] })).toMatchObject({ status: 400, body: { code: 'invalid' } });
    expect((await put({ favourites: null })).body.favourites).toBeNull();
    expect((await put({ theme: 'light' })).body).toMatchObject({ theme: 'light', chartIndicators: [], updatedAt: expect.any(String) });
    const { queries } = server.context.database;
    const logged = await queries.selectFrom('audit_log').select('details').where('action', '=', 'account.preferences').execute();
    expect(logged.map(({ details }) => JSON.parse(String(details)).after)).toEqual([{ theme: 'light' }]);
  });
  test('keep lists of pairs in their order, under names of which no two are the same', async () => {
    const put = (watchlists: unknown) =>
      user.call<{ watchlists: unknown; errors?: { field: string; message: string }[] }>(PREFERENCES, {
        method: 'PUT',
        body: { watchlists },
      });
    const lists = [
      { name: 'Layer 1', symbols: ['SOLUSDT', 'AVAXUSDT'] },
      { name: 'Ayşe’s', symbols: [] },
    ];
    expect(await put(lists)).toMatchObject({ status: 200, body: { watchlists: lists } });
    const { accessToken } = await server.signIn(user);
    expect((await server.call(PREFERENCES, { token: accessToken })).body).toMatchObject({ watchlists: lists });
    expect((await admin.call(PREFERENCES)).body).toMatchObject({ watchlists: null });
    const twice = await put([lists[0], { name: ' layer 1', symbols: [] }]);
    expect(twice).toMatchObject({ status: 400, body: { code: 'invalid' } });
    expect(JSON.stringify(twice.body)).toContain('You already have a watchlist with this name.');
    const many = (count: number) => Array.from({ length: count }, (_, n) => `C${n}USDT`);
    for (const refused of [
      [{ name: ' ', symbols: [] }],
      [{ name: 'x'.repeat(41), symbols: [] }],
      [{ name: 'Many', symbols: many(201) }],
      many(21).map((name) => ({ name, symbols: [] })),
    ])
      expect(await put(refused)).toMatchObject({ status: 400 });
    expect((await user.call(PREFERENCES)).body).toMatchObject({ watchlists: lists });
    // A list that an older version stored and this one does not take is no choice, alone.
    const { queries } = server.context.database;
    const stored = await queries
      .selectFrom('account_preferences')
      .select('choices')
      .where('account_id', '=', await idOf(user))
      .executeTakeFirstOrThrow();
    await queries
      .updateTable('account_preferences')
      .set({ choices: JSON.stringify({ ...JSON.parse(stored.choices), watchlists: [{ name: 3 }], favourites: ['BTCUSDT'] }) })
      .where('account_id', '=', await idOf(user))
      .execute();
    expect((await user.call(PREFERENCES)).body).toMatchObject({ watchlists: null, favourites: ['BTCUSDT'] });
  });
  test('a time zone alone brings no theme along; where none was chosen days follow that of the quiet hours', async () => {
    const { queries } = server.context.database;
    const choices = (timeZone: string) =>
      JSON.stringify({ channels: {}, quietHours: { enabled: true, from: '23:00', to: '08:00', timeZone } });
    const zone = async () => [(await user.call(PREFERENCES)).body.timeZone, await timeZoneOf(queries, await idOf(user))];
    expect(await zone()).toEqual([null, 'UTC']);
    const row = { account_id: await idOf(user), updated_at: 0 };
    await queries
      .insertInto('notification_settings')
      .values({ ...row, choices: choices('UTC') })
      .execute();
    expect(await zone()).toEqual([null, 'UTC']);
    await queries
      .updateTable('notification_settings')
      .set({ choices: choices('Asia/Tokyo') })
      .execute();
    expect(await zone()).toEqual([null, 'Asia/Tokyo']);
    const body = { timeZone: 'Europe/Istanbul' };
    expect(await user.call(PREFERENCES, { method: 'PUT', body })).toMatchObject({ body: { ...body, updatedAt: null } });
    expect(await zone()).toEqual(['Europe/Istanbul', 'Europe/Istanbul']);
    const stored = await queries.selectFrom('account_preferences').select('choices').executeTakeFirstOrThrow();
    expect(JSON.parse(stored.choices)).toEqual(body);
  });
  test.each([{ timeZone: 'Mars/Olympus' }, { theme: 'pink' }, { startScreen: 'https://evil.example' }, { language: 'de' }])(
    '%j is refused',
    async (body) => {
      expect((await user.call(PREFERENCES, { method: 'PUT', body })).status).toBe(400);
    },
  );
});

describe('the data export', () => {
  test('names every table with an owner, or says why not', async () => {
    const tables = await server.context.database.queries.introspection.getTables();
    const owner = /^(account|auto_trade|wallet|session|alert|price_alert|notification)_id$/;
    const owned = tables.filter(({ columns }) => columns.some(({ name }) => owner.test(name))).map(({ name }) => name);
    expect(owned.length).toBeGreaterThan(20);
    expect(owned.filter((name) => !(name in EXPORTED) && !(name in NOT_EXPORTED))).toEqual([]);
    expect(Object.keys(EXPORTED).filter((name) => name in NOT_EXPORTED)).toEqual([]);
    // What is named exists, and so do the columns that are named.
    for (const [name, { key, of, owner: own, without = [], json = [] }] of Object.entries(EXPORTED)) {
      const columns = tables.find((table) => table.name === name)?.columns.map((column) => column.name);
      const asked = [...key, ...(of ? [of[0]] : [own ?? 'account_id']), ...without, ...json];
      if (columns !== undefined) expect([name, asked.filter((column) => !columns.includes(column))]).toEqual([name, []]);
    }
  });

  const ready = () => vi.waitFor(async () => expect((await user.call(EXPORT)).body).toMatchObject({ state: 'ready' }));

  test('needs a proof, holds everything of the account and nothing of another, and no secret', async () => {
    expect(await user.call(EXPORT, { method: 'POST' })).toMatchObject({ status: 428 });
    expect((await user.call(EXPORT)).body).toMatchObject({ state: 'none' });
    expect((await user.call(`${EXPORT}/download`)).status).toBe(404);
    const { queries } = server.context.database;
    const own = await idOf(user);
    const entry = (accountId: string, n: number) => ({
      id: `018f0000-0000-7000-8000-${accountId === own ? '1' : '2'}${String(n).padStart(11, '0')}`,
      account_id: accountId,
      name: `filter ${n} of ${accountId}`,
      name_key: `filter ${n}`,
      settings: '{"minAgeDays":3}',
      last_coins: null,
      created_at: 1_700_000_000_000,
    });
    const other = await idOf(admin);
    // More than two pages, so that pages meet.
    for (let from = 0; from < 1100; from += 100)
      await queries
        .insertInto('coin_filters')
        .values(Array.from({ length: 100 }, (_, n) => entry(own, from + n)))
        .execute();
    await queries.insertInto('coin_filters').values(entry(other, 1)).execute();
    const started = await user.call(EXPORT, { method: 'POST', headers: await proofOf(user) });
    expect(started).toMatchObject({ status: 202, body: { state: 'running' } });
    await ready();
    const { body, headers, status } = await user.call<{ tables: Record<string, Record<string, unknown>[]> }>(`${EXPORT}/download`);
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe('attachment');
    expect(body.tables.coin_filters).toHaveLength(1100);
    expect(new Set(body.tables.coin_filters?.map(({ id }) => id)).size).toBe(1100);
    expect(body.tables.coin_filters?.[0]).toMatchObject({ settings: { minAgeDays: 3 }, created_at: '2023-11-14T22:13:20.000Z' });
    expect(body.tables.accounts).toMatchObject([{ username: user.username, email: user.email }]);
    expect(body.tables.audit_log?.map(({ action }) => action)).toContain('account.export');
    const text = JSON.stringify(body);
    expect(text).not.toContain(other);
    const row = await queries.selectFrom('accounts').selectAll().where('id', '=', own).executeTakeFirstOrThrow();
    for (const secret of [
      user.password,
      user.secretKey,
      user.session.refreshToken,
      row.password_hash,
      row.totp_secret ?? '?',
      ...user.recoveryCodes,
    ])
      expect(text).not.toContain(secret);
  });

  test('is gone after a day, or when its owner says so', async () => {
    const file = join(server.dataDir, 'exports', `${await idOf(user)}.json`);
    await user.call(EXPORT, { method: 'POST', headers: await proofOf(user) });
    await ready();
    expect(readFileSync(file, 'utf8')).toContain(user.username);
    expect((await user.call(EXPORT, { method: 'DELETE' })).status).toBe(204);
    expect(existsSync(file)).toBe(false);
    await user.call(EXPORT, { method: 'POST', headers: await proofOf(user) });
    await ready();
    server.advance(24 * 3_600_000);
    const { accessToken } = await server.signIn(user);
    expect((await server.call(EXPORT, { token: accessToken })).body).toMatchObject({ state: 'none' });
    expect((await server.call(`${EXPORT}/download`, { token: accessToken })).status).toBe(404);
    await server.restart();
    expect(existsSync(file)).toBe(false);
  });
});

test('an account is exported as often in a day as the instance allows', async () => {
  await admin.call('/bff/v2/admin/app-settings', { method: 'PUT', body: { values: { 'quotas.exportsPerDay': 1 } } });
  const begin = async () => user.call(EXPORT, { method: 'POST', headers: await proofOf(user) });
  expect((await begin()).status).toBe(202);
  await vi.waitFor(async () => expect((await user.call(EXPORT)).body).toMatchObject({ state: 'ready' }));
  expect(await begin()).toMatchObject({ status: 409, body: { code: 'quota-reached', errors: [{ limit: '1', actual: '1' }] } });
  // The last one stays.
  expect((await user.call(EXPORT)).body).toMatchObject({ state: 'ready' });
});

describe('deleting the own account', () => {
  const leave = (who: SignedInUser, username: string, headers: Record<string, string>) =>
    who.call('/bff/v2/account/delete', { body: { username }, headers });

  test('needs a proof and the name; sessions end, keys are forgotten, the name is free', async () => {
    const id = await idOf(user);
    const { queries } = server.context.database;
    await queries
      .insertInto('exchange_connections')
      .values({
        account_id: id,
        exchange: 'binance',
        api_key: 'k',
        api_secret: 's',
        key_ending: 'k',
        uid: '1',
        claim: 'binance:1',
        permissions: '{}',
        connected_at: 1,
        checked_at: 1,
      })
      .execute();
    expect((await leave(user, user.username, {})).status).toBe(428);
    expect(await leave(user, admin.username, await proofOf(user))).toMatchObject({ status: 400, body: { code: 'invalid' } });
    const ended: string[] = [];
    server.context.accountExtras.beforeDelete.push(async (account) => void ended.push(account));
    const headers = await proofOf(user);
    expect((await leave(user, user.username.toUpperCase(), headers)).status).toBe(204);
    expect(ended).toEqual([id]);
    expect((await user.call('/bff/v2/account')).status).toBe(401);
    expect(await queries.selectFrom('exchange_connections').select('account_id').execute()).toEqual([]);
    expect(JSON.stringify(await queries.selectFrom('accounts').selectAll().where('id', '=', id).execute())).not.toContain(user.username);
    await server.register({ username: user.username, email: user.email });
  });

  test('is refused to the last Admin, and where a bot does not end nothing is lost', async () => {
    expect(await leave(admin, admin.username, await proofOf(admin))).toMatchObject({ status: 409, body: { code: 'last-admin' } });
    server.context.accountExtras.beforeDelete.push(() => Promise.reject(new Error('a bot still runs')));
    expect((await leave(user, user.username, await proofOf(user))).status).toBe(500);
    expect((await user.call('/bff/v2/account')).status).toBe(200);
  });
});
