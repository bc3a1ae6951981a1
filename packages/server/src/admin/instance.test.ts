import { crc32, deflateSync } from 'node:zlib';
import type { Session } from '@pilotfish/core/auth/auth-contract';
import { createEventParser } from '@pilotfish/core/http/client-stream';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { accountFeatures } from '../app/features.ts';
import { type SignedInUser, startTestServer, type TestServer } from '../app/testing/test-server.ts';
import { currenciesFeature } from '../currencies/currencies-routes.ts';

let server: TestServer;
let admin: SignedInUser;
const pair = {
  symbol: 'BTCUSDT',
  baseAsset: 'BTC',
  quoteAsset: 'USDT',
  baseAssetPrecision: 8,
  quoteAssetPrecision: 6,
  status: 'TRADING',
} as Pair;
beforeEach(async () => {
  server = await startTestServer({
    features: async (context) => [...(await accountFeatures(context)), currenciesFeature(context, { pairs: () => [pair] })],
  });
  admin = await server.register({ username: 'root' });
});
afterEach(() => server.close());

const put = <Body>(path: string, body: unknown) => admin.call<Body>(path, { method: 'PUT', body });
const audited = async (action: string) =>
  (
    await admin.call<{ items: { target?: string; details: string; account: string }[] }>(`/bff/v2/admin/audit-log?area=admin`)
  ).body.items.filter((entry) => (entry as { action?: string }).action === action);

describe('app settings', () => {
  const PATH = '/bff/v2/admin/app-settings';
  const create = (username: string, more: object = {}) =>
    server.call('/gateway/v1/account/create', {
      body: { username, email: `${username}@example.com`, password: 'the deep blue water', ...more },
    });

  test('hold at once, survive a restart, can be given back, and are audited with what was and what is', async () => {
    const items = async () => (await admin.call<{ items: { key: string; value: unknown; updatedAt: string | null }[] }>(PATH)).body.items;
    expect((await items()).find(({ key }) => key === 'registration.mode')).toMatchObject({ value: 'open', updatedAt: null });
    await put(PATH, { values: { 'registration.mode': 'closed', 'notice.en': 'Back at noon' } });
    expect(await create('late')).toMatchObject({ status: 409, body: { code: 'registration-closed' } });
    await server.restart();
    // The clock of this test stands still, and another process numbers the same millisecond anew.
    server.advance(1);
    expect((await create('later')).status).toBe(409);
    await put(PATH, { values: { 'registration.mode': null } });
    expect((await create('welcome')).status).toBe(201);
    const entries = await audited('admin.change-settings');
    expect(entries.map(({ details }) => JSON.parse(details))).toEqual([
      { before: { 'registration.mode': 'closed' }, after: { 'registration.mode': 'open' } },
      { before: { 'registration.mode': 'open', 'notice.en': '' }, after: { 'registration.mode': 'closed', 'notice.en': 'Back at noon' } },
    ]);
  });

  test('invitations open the door for who knows them; the log does not tell them', async () => {
    expect(await put(PATH, { values: { 'registration.mode': 'invite' } })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'values.registration.inviteCode' }] },
    });
    await put(PATH, { values: { 'registration.mode': 'invite', 'registration.inviteCode': 'swim with us' } });
    expect((await create('guess')).status).toBe(409);
    expect((await create('guess', { inviteCode: 'swim alone' })).status).toBe(409);
    expect((await create('friend', { inviteCode: 'swim with us' })).status).toBe(201);
    expect(JSON.stringify(await audited('admin.change-settings'))).not.toContain('swim with us');
  });

  test('one bad value among good ones changes nothing', async () => {
    const values = { 'registration.mode': 'closed', 'sessions.accessMinutes': 9, 'news.feeds': ['file:///etc/passwd'] };
    const { status, body } = await put<{ errors: { path: string }[] }>(PATH, { values });
    expect(status).toBe(400);
    expect(body.errors.map(({ path }) => path)).toEqual(['values.sessions.accessMinutes', 'values.news.feeds']);
    expect((await create('still-open')).status).toBe(201);
    expect((await put(PATH, { values: { 'no.such': 1 } })).status).toBe(400);
  });

  test('tokens and sign-ins live as long as is set', async () => {
    await put(PATH, { values: { 'sessions.accessMinutes': 10, 'sessions.signInDays': 2 } });
    const user = await server.register();
    expect(Date.parse(user.session.expiresAt) - server.now()).toBe(10 * 60_000);
    server.advance(2 * 86_400_000);
    expect((await server.call('/gateway/v1/account/refresh-token', { method: 'POST', token: user.session.refreshToken })).status).toBe(401);
  });

  test('a device that stays away for longer than is set signs in again, one that comes back in time does not', async () => {
    const [away, back] = [await server.register(), await server.register()];
    const refresh = (token: string) => server.call<Session>('/gateway/v1/account/refresh-token', { method: 'POST', token });
    await put(PATH, { values: { 'sessions.accessMinutes': 15, 'sessions.idleHours': 12 } });
    const hour = 3_600_000;
    for (let times = 0; times < 3; times += 1) {
      server.advance(11 * hour);
      back.session = (await refresh(back.session.refreshToken)).body;
    }
    expect(await back.call('/bff/v2/account')).toMatchObject({ status: 200 });
    expect(await back.call('/gateway/v1/account/sessions')).toMatchObject({ status: 200 });
    expect((await refresh(away.session.refreshToken)).status).toBe(401);
    // Set shorter, it counts for those who are signed in already.
    server.advance(2 * hour);
    admin.session = await server.signIn(admin);
    await put(PATH, { values: { 'sessions.idleHours': 1 } });
    expect((await refresh(back.session.refreshToken)).status).toBe(401);
    await put(PATH, { values: { 'sessions.idleHours': 0 } });
    server.advance(20 * 24 * hour);
    expect((await refresh(admin.session.refreshToken)).status).toBe(200);
  });

  test('a device that is used until its access token ends was not away, however long that lives', async () => {
    const user = await server.register();
    const refresh = () => server.call<Session>('/gateway/v1/account/refresh-token', { method: 'POST', token: user.session.refreshToken });
    await put(PATH, { values: { 'sessions.accessMinutes': 60, 'sessions.idleHours': 1 } });
    user.session = (await refresh()).body;
    for (let times = 0; times < 3; times += 1) {
      server.advance(59 * 60_000);
      expect(await user.call('/bff/v2/account')).toMatchObject({ status: 200 });
      server.advance(2 * 60_000);
      const answer = await refresh();
      expect(answer.status).toBe(200);
      user.session = answer.body;
    }
    server.advance(2 * 3_600_000);
    expect((await refresh()).status).toBe(401);
  });

  test('deleted accounts and logs of bots go when the Admin says', async () => {
    await put(PATH, { values: { 'retention.deletedAccountDays': 60 } });
    expect((await put(PATH, { values: { 'retention.deletedAccountDays': 29 } })).status).toBe(400);
    expect(server.context.instance.settings.get('retention.deletedAccountDays')).toBe(60);
  });

  test('another process that shares the database takes changes up', async () => {
    const { queries } = server.context.database;
    await queries.insertInto('app_settings').values({ key: 'appearance.theme', value: '"light"', updated_at: 1 }).execute();
    await server.context.instance.bump('settings', queries);
    expect(server.context.instance.settings.get('appearance.theme')).toBe('dark');
    await server.context.instance.refresh();
    expect(server.context.instance.settings.get('appearance.theme')).toBe('light');
  });
});

describe('texts of this instance', () => {
  const PATH = '/bff/v2/localization-resources';
  const overrides = (language: string, since = '') =>
    server.call<{ version: string; texts: Record<string, string> | null }>(`/bff/v1/localization-resources/${language}?since=${since}`);
  type List = { items: { key: string; missing: string[]; changed: boolean }[]; counts: Record<string, number> };
  const add = (key: string, values: object) => admin.call<{ id: string }>(PATH, { body: { key, values } });

  test('reach everybody: guests ask by version, and streams hear of a new one within a moment', async () => {
    const before = (await overrides('tr')).body;
    expect(before).toEqual({ version: '0', texts: {} });
    const heard: unknown[] = [];
    const leave = new AbortController();
    const response = await fetch(`${server.url}/bff/v1/stream?topics=instance`, { signal: leave.signal });
    const parse = createEventParser();
    const reading = (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? [])
        for (const { event, data } of parse(decoder.decode(chunk as Uint8Array))) heard.push([event, JSON.parse(data)]);
    })().catch(() => undefined);
    await add('custom.hello', { en: 'Hello', tr: 'Merhaba' });
    await vi.waitFor(() => expect(heard).toEqual([['instance', { texts: '1', config: '0', currencies: '0' }]]));
    expect((await overrides('tr', before.version)).body).toEqual({ version: '1', texts: { 'custom.hello': 'Merhaba' } });
    expect((await overrides('en', '1')).body).toEqual({ version: '1', texts: null });
    leave.abort();
    await reading;
  });

  test('missing ones come first and are counted; found by what they lack', async () => {
    await add('custom.half', { en: 'Half' });
    const all = (await admin.call<List>(`${PATH}?pageSize=1`)).body;
    expect(all.items).toMatchObject([{ key: 'custom.half', missing: ['tr'], changed: true }]);
    expect(all.counts).toMatchObject({ missing: 1, changed: 1 });
    expect((await admin.call<List>(`${PATH}?state=missing`)).body.items).toHaveLength(1);
    const same = (await admin.call<List>(`${PATH}?state=same&pageSize=200`)).body.items.map(({ key }) => key);
    expect(same).not.toContain('errors.not-found.title');
    expect((await overrides('tr')).body.texts).toEqual({ 'custom.half': 'Half' });
  });

  test('go out as one document and come back the same; a broken one is refused whole', async () => {
    await add('custom.hello', { en: 'Hello', tr: 'Merhaba' });
    const exported = (await admin.call<{ format: string; texts: object }>(`${PATH}/export`)).body;
    expect(exported).toEqual({ format: 'pilotfish-texts-1', texts: { 'custom.hello': { en: 'Hello', tr: 'Merhaba' } } });
    const all = (await admin.call<{ texts: Record<string, { en: string }> }>(`${PATH}/export?scope=all`)).body;
    expect(Object.keys(all.texts).length).toBe(server.context.texts.bundled('en').size + 1);
    const take = (texts: object, more = {}) => admin.call(`${PATH}/import`, { body: { format: 'pilotfish-texts-1', texts, ...more } });
    const texts = {
      'custom.hello': { tr: 'Selam' },
      'custom.new': { en: 'New' },
      'errors.not-found.title': { en: all.texts['errors.not-found.title']?.en },
    };
    expect((await take(texts, { dryRun: true })).body).toEqual({ added: 1, changed: 1, unchanged: 1 });
    expect((await overrides('tr')).body.texts).toEqual({ 'custom.hello': 'Merhaba' });
    expect((await take(texts)).body).toEqual({ added: 1, changed: 1, unchanged: 1 });
    expect((await overrides('tr')).body.texts).toEqual({ 'custom.hello': 'Selam', 'custom.new': 'New' });
    expect((await overrides('en')).body.texts).toEqual({ 'custom.hello': 'Hello', 'custom.new': 'New' });
    expect(await take({ 'custom.x': { en: 'X' }, 'mail.confirmEmail.text': { en: '{{password}}' } })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'texts.mail.confirmEmail.text.en', code: 'placeholder' }] },
    });
    expect((await overrides('en')).body.texts).not.toHaveProperty('custom.x');
  });
});

/** A small picture, with a text chunk and, if wanted, something after its end. */
function png(side = 8, tail = ''): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from('Comment\0<script>canary</script>')),
    chunk('IDAT', deflateSync(Buffer.alloc(side * (side * 3 + 1)))),
    chunk('IEND', Buffer.alloc(0)),
    Buffer.from(tail),
  ]);
}

describe('currencies', () => {
  const PATH = '/bff/v2/admin/currencies';
  const list = async () => (await server.call<{ code: string; name: string; enabled: boolean; sort: number }[]>('/bff/v1/currencies')).body;
  const upload = (code: string, bytes: Buffer) => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(bytes)]), 'icon.png');
    return admin.call(`${PATH}/${code}/icon`, { method: 'POST', body: form });
  };

  test('are named, switched off, sorted and added; given back to the exchange they are as before', async () => {
    const before = await list();
    await put(`${PATH}/BTC`, { name: 'Gold of the net', enabled: false, sort: 0 });
    expect((await list())[0]).toMatchObject({ code: 'USDT' });
    expect((await list()).find(({ code }) => code === 'BTC')).toMatchObject({ name: 'Gold of the net', enabled: false, sort: 0 });
    await put(`${PATH}/XAU`, { name: 'Gold' });
    expect((await list()).map(({ code }) => code)).toContain('XAU');
    const found = await admin.call<{ items: { code: string }[]; total: number }>(
      `${PATH}?search=gold&sortBy=code&sortOrder=desc&pageSize=1`,
    );
    expect(found.body).toMatchObject({ items: [{ code: 'XAU' }], total: 2 });
    for (const code of ['BTC', 'XAU']) expect((await admin.call(`${PATH}/${code}`, { method: 'DELETE' })).status).toBe(204);
    expect(await list()).toEqual(before);
    expect((await admin.call(`${PATH}/BTC`, { method: 'DELETE' })).status).toBe(404);
    expect(await audited('admin.change-currency')).toMatchObject([{ target: 'XAU' }, { target: 'BTC' }]);
  });

  test('get a picture: only what draws is kept; anything that is no PNG, too large or broken is refused', async () => {
    expect(await upload('BTC', png(8, '<?php canary ?>'))).toMatchObject({ status: 200, body: { hasIcon: true } });
    const served = await fetch(`${server.url}/icons/currency/BTC.png`);
    const bytes = Buffer.from(await served.arrayBuffer());
    expect(served.headers.get('content-type')).toBe('image/png');
    expect(bytes.toString('latin1')).not.toContain('canary');
    const broken = png();
    broken.writeUInt8(broken.readUInt8(60) ^ 255, 60);
    for (const bad of [Buffer.from('GIF89a'), Buffer.from('<svg onload="x()"/>'), broken, png(513), png().subarray(0, 50)])
      expect(await upload('BTC', bad)).toMatchObject({ status: 400, body: { errors: [{ path: 'file' }] } });
    expect((await upload('BTC', Buffer.concat([png(), Buffer.alloc(64 * 1024)]))).status).toBe(413);
    expect((await upload('NOPE', png())).status).toBe(404);
    expect((await admin.call(`${PATH}/BTC/icon`, { method: 'DELETE' })).status).toBe(204);
    const drawn = await fetch(`${server.url}/icons/currency/BTC.png`);
    expect(Buffer.from(await drawn.arrayBuffer()).equals(bytes)).toBe(false);
  });
});

test('tags of this instance are added, changed and removed; the built-in ones stay', async () => {
  const PATH = '/bff/v2/admin/tags';
  const tag = { key: 'our-picks', labels: { en: 'Our picks', tr: 'Seçtiklerimiz' }, assets: ['BTC', 'ETH', 'BTC'] };
  expect(await admin.call(PATH, { body: tag })).toMatchObject({ status: 201, body: { assets: ['BTC', 'ETH'], builtIn: false } });
  expect((await admin.call(PATH, { body: tag })).status).toBe(409);
  expect((await admin.call(PATH, { body: { ...tag, key: 'stablecoin' } })).status).toBe(409);
  expect(server.context.instance.tags.of('ETH')).toEqual(['our-picks']);
  expect((await put(`${PATH}/our-picks`, { labels: tag.labels, assets: ['SOL'] })).body).toMatchObject({ assets: ['SOL'] });
  expect((await put(`${PATH}/stablecoin`, { labels: tag.labels, assets: [] })).status).toBe(404);
  expect(server.context.instance.tags.of('ETH')).toEqual([]);
  expect((await admin.call(`${PATH}/our-picks`, { method: 'DELETE' })).status).toBe(204);
  expect((await admin.call(`${PATH}/stablecoin`, { method: 'DELETE' })).status).toBe(404);
  const { items } = (await admin.call<{ items: { key: string; builtIn: boolean; assets: string[] }[] }>(PATH)).body;
  expect(items.find(({ key }) => key === 'stablecoin')).toMatchObject({ builtIn: true, assets: expect.arrayContaining(['USDT']) });
  expect((await audited('admin.delete-tag'))[0]).toMatchObject({ target: 'our-picks', account: 'root' });
});

test('the audit log of the instance is filtered by area, user, target, outcome and time', async () => {
  const user = await server.register({ username: 'Ayse' });
  await user.call('/gateway/v1/account/step-up', { body: { password: 'wrong one' } });
  const log = async (query: string) =>
    (await admin.call<{ items: { action: string; account: string }[]; total: number }>(`/bff/v2/admin/audit-log?${query}`)).body;
  expect((await log('user=ays&outcome=failure')).items).toMatchObject([{ action: 'account.step-up', account: 'Ayse' }]);
  expect((await log('user=ays&area=auth')).items.every(({ account }) => account === 'Ayse')).toBe(true);
  expect((await log('user=%25')).total).toBe(0);
  expect((await log(`to=${new Date(server.now()).toISOString()}`)).total).toBe(0);
  expect((await log('pageSize=1')).items).toHaveLength(1);
  expect((await user.call('/bff/v2/admin/audit-log')).status).toBe(403);
});
