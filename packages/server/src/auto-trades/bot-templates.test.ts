import type { BotTemplate } from '@pilotfish/core/auto-trades/bot-templates-contract';
import type { AutoTradeConfigInput } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { type BotSettings, botSettingsOf, botSettingsSchema } from '@pilotfish/core/auto-trades/config/bot-settings';
import type { Problem } from '@pilotfish/core/http/problem-document';
import { botConfig } from '@pilotfish/core/testing/auto-trade-fixtures';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { accountFeatures } from '../app/features.ts';
import { startTestServer, type TestServer } from '../app/testing/test-server.ts';
import { describeEachDialect } from '../database/database-fixture.ts';
import { botTemplatesFeature } from './bot-templates-routes.ts';
import { botTemplatesStore } from './bot-templates-store.ts';

const PATH = '/bff/v2/auto-trades/templates';
const AT = Date.UTC(2026, 0, 15, 12);
const settings = botSettingsOf(botConfig({ maxOpenPositions: 7 }));
const made = (name: string, more: Partial<BotSettings> = {}) => ({ name, settings: { ...settings, ...more }, currency: 'USDT' });

let server: TestServer;
let ada: Awaited<ReturnType<TestServer['register']>>;
beforeEach(async () => {
  server = await startTestServer({
    now: AT,
    features: async (context) => [
      ...(await accountFeatures(context)),
      botTemplatesFeature(context, { knowledge: () => ({ signedIn: true, quotes: ['USDT'], tags: [] }) }),
    ],
  });
  ada = await server.register();
});
afterEach(() => server.close());

const list = async (user = ada) => (await user.call<BotTemplate[]>(PATH)).body;
const create = (body: unknown, user = ada) => user.call<BotTemplate & Problem>(PATH, { body });
const change = (id: string, body: unknown, user = ada) => user.call<BotTemplate & Problem>(`${PATH}/${id}`, { method: 'PATCH', body });

test('a template keeps the settings of a bot, by name, and is renamed, replaced and deleted by its owner alone', async () => {
  expect(await list()).toEqual([]);
  const { status, body } = await create(made('  SOL ladder '));
  expect(status).toBe(201);
  const at = new Date(server.now()).toISOString();
  expect(body).toEqual({ id: body.id, name: 'SOL ladder', settings, currency: 'USDT', createdAt: at, updatedAt: at });
  await create(made('Dip'));
  expect((await list()).map(({ name }) => name)).toEqual(['Dip', 'SOL ladder']);

  const bob = await server.register();
  expect(await list(bob)).toEqual([]);
  expect((await create(made('Dip'), bob)).status).toBe(201);
  expect((await change(body.id, { name: 'Taken over' }, bob)).status).toBe(404);
  expect((await bob.call(`${PATH}/${body.id}`, { method: 'DELETE' })).status).toBe(404);

  server.advance(60_000);
  const renamed = await change(body.id, { name: 'sol LADDER' });
  expect(renamed.body).toMatchObject({
    name: 'sol LADDER',
    settings,
    currency: 'USDT',
    createdAt: at,
    updatedAt: new Date(server.now()).toISOString(),
  });
  const replaced = await change(body.id, { settings: made('', { maxOpenPositions: 2 }).settings });
  // Of settings that come without their currency it is not known.
  expect(replaced.body).toMatchObject({ name: 'sol LADDER', settings: { maxOpenPositions: 2 }, currency: null });
  expect((await ada.call(`${PATH}/${body.id}`, { method: 'DELETE' })).status).toBe(204);
  expect((await ada.call(`${PATH}/${body.id}`, { method: 'DELETE' })).status).toBe(404);
  expect((await list()).map(({ name }) => name)).toEqual(['Dip']);
});

test('of two changes by readers of the same template the second is refused, until it was read again', async () => {
  const { id, updatedAt: basedOn } = (await create(made('Dip'))).body;
  const first = await change(id, { ...made('', { maxOpenPositions: 2 }), name: 'Dip', basedOn });
  expect(first.status).toBe(200);
  const second = { settings: made('', { maxOpenPositions: 3 }).settings, basedOn };
  expect(await change(id, second)).toMatchObject({ status: 409, body: { code: 'version-conflict' } });
  expect(await list()).toMatchObject([{ settings: { maxOpenPositions: 2 } }]);
  expect((await change(id, { ...second, basedOn: first.body.updatedAt })).status).toBe(200);
});

test('two templates of an account never have the same name, whatever its case, and the refusal names it', async () => {
  const { id } = (await create(made('İstanbul'))).body;
  expect(await create(made('ISTANBUL'))).toMatchObject({
    status: 409,
    body: { code: 'name-taken', detail: 'You already have a template named ISTANBUL. Choose another name.' },
  });
  const other = (await create(made('Dip'))).body;
  expect((await change(other.id, { name: 'istanbul' })).body.code).toBe('name-taken');
  // Not to somebody who guesses ids.
  expect((await change('018f0000-0000-7000-8000-000000000000', { name: 'dip' })).status).toBe(404);
  expect((await change(id, { name: 'istanbul' })).status).toBe(200);
  const turkish = await ada.call<Problem>(PATH, { body: made('dip'), headers: { 'accept-language': 'tr' } });
  expect(turkish.body.detail).toBe('dip adında bir şablonunuz zaten var. Başka bir ad seçin.');
});

test('what a bot would be refused for is refused, whatever needs no coin or wallet to be wrong', async () => {
  const broken = await create(made('x', { takeProfit: { levels: [{ gainPct: '2', sellPct: '60' }] } as never }));
  expect(broken).toMatchObject({
    status: 422,
    body: { code: 'rules-violated', errors: [{ path: 'settings.takeProfit.levels', code: 'SHARES_NOT_100' }] },
  });
  for (const body of [
    made(' '),
    made('x'.repeat(61)),
    { name: 'x' },
    { name: 'x', settings: { ...settings, walletId: 'a' } },
    { name: 'x', settings: { ...settings, coins: { symbols: ['BTCUSDT'] } } },
    { name: 'x', settings: { ...settings, stopLoss: undefined } },
  ])
    expect([body, (await create(body)).status]).toEqual([body, 400]);
  const { id } = (await create(made('x'.repeat(60)))).body;
  expect(
    (await change(id, { settings: { ...settings, takeProfit: { levels: [] }, trailingCost: { enabled: false } } })).body,
  ).toMatchObject({
    code: 'rules-violated',
  });
  expect(await list()).toEqual([expect.objectContaining({ settings })]);
});

test('no more than the limit, and a refusal that says how many there are', async () => {
  for (let number = 1; number <= 50; number += 1) expect((await create(made(`T ${number}`))).status).toBe(201);
  expect(await create(made('One more'))).toMatchObject({
    status: 409,
    body: { code: 'quota-reached', detail: 'Templates in use: 50 of 50. Delete one first.' },
  });
  expect(await list()).toHaveLength(50);
});

test('it goes with its account', async () => {
  const bob = await server.register();
  await create(made('Mine'), bob);
  await create(made('Mine'));
  const rows = () => server.context.database.queries.selectFrom('bot_templates').select('account_id').execute();
  expect(await rows()).toHaveLength(2);
  const users = (await ada.call<{ items: { id: string; username: string }[] }>('/bff/v2/admin/users')).body.items;
  const id = users.find(({ username }) => username === bob.username)?.id ?? '';
  expect((await ada.call(`/bff/v2/admin/users/${id}`, { method: 'DELETE' })).status).toBe(204);
  expect((await rows()).some(({ account_id }) => account_id === id)).toBe(false);
});

describeEachDialect('stored templates', (open) => {
  const ACCOUNT = {
    id: 'a1',
    username: 'a',
    username_key: 'a',
    email: 'a',
    email_key: 'a',
    email_confirmed: 0,
    password_hash: '',
  } as const;
  const REST = {
    phone: null,
    phone_confirmed: 0,
    two_factor_confirmed: 1,
    totp_secret: null,
    language: 'en',
    created_at: AT,
    updated_at: AT,
  } as const;
  const none = async () => undefined;

  test('those of an earlier version get the defaults of what came later; one that cannot be read costs no other', async (context) => {
    const database = await open(context);
    await database.queries
      .insertInto('accounts')
      .values({ ...ACCOUNT, ...REST })
      .execute();
    const store = botTemplatesStore(database);
    const older: AutoTradeConfigInput = botConfig();
    const stored: Record<string, string> = {
      Old: JSON.stringify({ entry: older.entry, stopLoss: { mode: 'none' } }),
      'From tomorrow': JSON.stringify({ ...settings, telepathy: true }),
      Torn: '{"entry":',
    };
    for (const [index, name] of Object.keys(stored).entries()) {
      await store.insert({ id: `t${index}`, accountId: 'a1', name, settings, currency: null, at: AT }, none);
      await database.queries.updateTable('bot_templates').set({ settings: stored[name]! }).where('id', '=', `t${index}`).execute();
    }
    const read = await store.list('a1');
    expect(read.map(({ name, settings: found }) => [name, found])).toEqual([
      ['From tomorrow', null],
      ['Old', botSettingsSchema.parse({ entry: older.entry, stopLoss: { mode: 'none' } })],
      ['Torn', null],
    ]);
    expect(await store.update('a1', 't1', { name: 'Tomorrow' }, AT)).toMatchObject({ name: 'Tomorrow', settings: null });
    expect(await store.remove('a1', 't2')).toBe(true);
    expect(await store.remove('other', 't1')).toBe(false);
    // Of two at once only one gets the name.
    const renames = await Promise.all(['t0', 't1'].map((id) => store.update('a1', id, { name: 'Same' }, AT)));
    expect(renames.filter((each) => each === 'taken')).toHaveLength(1);
  });
});
