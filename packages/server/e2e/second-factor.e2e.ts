/** @module-tag smoke */
import { randomBytes } from 'node:crypto';
import { CONNECTION_KINDS, STEP_UP_HEADER } from '@pilotfish/core/account/account-security-contract';
import { contract, type EndpointId } from '@pilotfish/core/http/contract';
import type { AnyEndpoint } from '@pilotfish/core/http/endpoint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SignedInUser, TestServer } from '../src/app/testing/test-server.ts';
import { routePath } from '../src/http/endpoint-routes.ts';
import { telegramChats } from '../src/telegram/telegram-chats.ts';
import { type ExchangeStage, startExchangeStage } from './exchange-stage.ts';

// Whoever sits at an unlocked browser, or holds a stolen token, must not add a way in of their own.

let stage: ExchangeStage;
let server: TestServer;
let ada: SignedInUser;
beforeAll(async () => {
  stage = await startExchangeStage(5, { allowPrivateWebhooks: true }, { secondFactorSeconds: 600 });
  ({ server } = stage);
  ada = await server.register();
});
afterAll(() => stage?.close());

const NEEDED = { status: 428, body: { code: 'second-factor-required', type: 'urn:pilotfish:problem:second-factor-required' } };
const LATER = 10 * 60_000;
const choices = { channels: {}, quietHours: { enabled: false, from: '23:00', to: '08:00', timeZone: 'UTC' } };
const webhook = (more: object) => ada.call('/bff/v2/notifications/settings', { method: 'PUT', body: { ...choices, ...more } });

describe('ten minutes after the sign-in', () => {
  beforeAll(() => server.advance(LATER));

  const declared = (Object.entries(contract) as [EndpointId, AnyEndpoint][]).filter(([, { secondFactor }]) => secondFactor);
  test('what adds a link, a key or an address, or rules over others, is declared so', () => {
    expect(declared.map(([id]) => id).sort()).toEqual([
      'addPushSubscription',
      'changeAppSettings',
      'changeEmail',
      'changeRole',
      'chooseMarket',
      'connectBinance',
      'connectTelegram',
      'createRole',
      'deleteRole',
      'deleteUser',
      'setUserRoles',
    ]);
  });
  test.each(declared)('%s asks for a second factor before it looks at anything, and leaves the session alone', async (_, endpoint) => {
    expect(await ada.call(routePath(endpoint), { method: endpoint.method, body: {} })).toMatchObject(NEEDED);
    expect((await ada.call('/bff/v2/account')).status).toBe(200);
  });
  test('so does another webhook, or a new key of one; ending it does not', async () => {
    expect(await webhook({ webhookUrl: 'http://127.0.0.1:9/hook' })).toMatchObject(NEEDED);
    expect((await webhook({ webhookUrl: null })).status).toBe(200);
    expect((await webhook({})).status).toBe(200);
  });
});

test('a code of the authenticator counts for ten minutes in its session, a password does not', async () => {
  const stepUp = (body: object) => ada.call('/gateway/v1/account/step-up', { body });
  expect((await stepUp({ password: ada.password })).status).toBe(200);
  expect(await webhook({ webhookUrl: 'http://127.0.0.1:9/hook' })).toMatchObject(NEEDED);
  expect((await stepUp({ otpCode: server.nextCode(ada.secretKey) })).status).toBe(200);
  expect((await webhook({ webhookUrl: 'http://127.0.0.1:9/hook' })).status).toBe(200);
  server.advance(LATER - 1);
  expect((await webhook({ webhookUrl: 'http://127.0.0.1:9/other' })).status).toBe(200);
  // Another session of the same account has given its own at its sign-in only.
  const other = await server.signIn(ada);
  server.advance(60_000);
  expect(await webhook({ webhookUrl: 'http://127.0.0.1:9/third' })).toMatchObject(NEEDED);
  const put = { method: 'PUT', body: { ...choices, webhookUrl: 'http://127.0.0.1:9/third' }, token: other.accessToken };
  expect((await server.call('/bff/v2/notifications/settings', put)).status).toBe(200);
  expect(await webhook({ webhookUrl: 'http://127.0.0.1:9/third', newWebhookSecret: true })).toMatchObject(NEEDED);
  // The same address, said again, adds nothing.
  expect((await webhook({ webhookUrl: 'http://127.0.0.1:9/third' })).status).toBe(200);
});

test('keys are connected right after signing in, and after a code', async () => {
  const eve = await server.register();
  const keys = await stage.simulator.createAccount();
  const connect = () => eve.call('/gateway/v2/account/connect/binance', { body: { clientId: keys.apiKey, clientSecret: keys.apiSecret } });
  expect((await connect()).status).toBe(200);
  server.advance(LATER);
  expect(await connect()).toMatchObject(NEEDED);
  await eve.call('/gateway/v1/account/step-up', { body: { otpCode: server.nextCode(eve.secretKey) } });
  expect((await connect()).status).toBe(200);
});

describe('links and keys', () => {
  type Connections = { items: { kind: string; name: string; addedAt: string | null }[] };
  const mailsOf = async (user: SignedInUser) => {
    const rows = await server.context.database.queries
      .selectFrom('notifications')
      .innerJoin('accounts', 'accounts.id', 'notifications.account_id')
      .select(['notifications.code', 'notifications.facts'])
      .where('accounts.username', '=', user.username)
      .where('notifications.code', 'like', 'security-%')
      .orderBy('notifications.id')
      .execute();
    return rows.map(({ code, facts }) => [code, (JSON.parse(facts) as { recent?: string }).recent]);
  };
  const add = async (user: SignedInUser) => {
    const keys = await stage.simulator.createAccount();
    await user.call('/gateway/v2/account/connect/binance', { body: { clientId: keys.apiKey, clientSecret: keys.apiSecret } });
    await user.call('/bff/v2/notifications/settings', { method: 'PUT', body: { ...choices, webhookUrl: 'http://127.0.0.1:9/hook' } });
    return keys.apiKey.slice(-4);
  };

  test('are listed, named in the message about a password change and a sign-out while they are new, and end in one call', async () => {
    const user = await server.register();
    expect((await user.call('/gateway/v1/account/connections')).body).toEqual({ items: [] });
    const ending = await add(user);
    const { items } = (await user.call<Connections>('/gateway/v1/account/connections')).body;
    expect(items.map(({ kind, name }) => [kind, name])).toEqual([
      ['webhook', '127.0.0.1:9'],
      ['exchange', `…${ending}`],
    ]);
    expect(items.every(({ addedAt }) => Date.parse(addedAt ?? '') <= server.now())).toBe(true);
    await user.call('/gateway/v1/account/sessions', { method: 'DELETE' });
    server.advance(24 * 3_600_000);
    // A choice of channels is no new webhook.
    user.session = await server.signIn(user);
    await user.call('/bff/v2/notifications/settings', { method: 'PUT', body: choices });
    await user.call('/gateway/v1/account/change-password', {
      body: { currentPassword: user.password, newPassword: 'another walking stick' },
    });
    expect((await mailsOf(user)).filter(([code]) => code !== 'security-new-sign-in')).toEqual([
      ['security-signed-out-recent', `webhook (127.0.0.1:9), exchange (…${ending})`],
      ['security-password-changed', undefined],
    ]);
    expect(await user.call('/gateway/v1/account/connections', { method: 'DELETE' })).toMatchObject({
      status: 200,
      body: { ended: 2, kept: [] },
    });
    expect((await user.call('/gateway/v1/account/connections')).body).toEqual({ items: [] });
    expect((await user.call('/gateway/v2/account/connect/binance')).body).toMatchObject({ code: 'not-connected' });
  });

  test('of every kind end in that call, telegram chat, browser and waiting mail address, too', async () => {
    const user = await server.register();
    await add(user);
    const chats = telegramChats(server.context);
    const { id } = await server.context.database.queries
      .selectFrom('accounts')
      .select('id')
      .where('username', '=', user.username)
      .executeTakeFirstOrThrow();
    const met = await chats.met((await chats.startCode(id))!.code, 42);
    await chats.connect(id, (met as { code: string }).code);
    const keys = { p256dh: Buffer.concat([Buffer.from([4]), randomBytes(64)]), auth: randomBytes(16) };
    const push = { p256dh: keys.p256dh.toString('base64url'), auth: keys.auth.toString('base64url') };
    await user.call('/bff/v2/notifications/push', { body: { endpoint: 'https://push.example/one', keys: push } });
    const { body } = await user.call<{ proof: string }>('/gateway/v1/account/step-up', { body: { password: user.password } });
    await user.call('/gateway/v1/account/change-email', { body: { email: 'new@example.com' }, headers: { [STEP_UP_HEADER]: body.proof } });
    const kinds = async () =>
      (await user.call<Connections>('/gateway/v1/account/connections')).body.items.map(({ kind }) => kind).toSorted();
    expect(await kinds()).toEqual([...CONNECTION_KINDS].toSorted());
    expect((await user.call('/gateway/v1/account/connections', { method: 'DELETE' })).body).toEqual({ ended: 5, kept: [] });
    expect(await kinds()).toEqual([]);
    expect(await chats.byChat(42)).toBeUndefined();
  });

  test("another account's stay", async () => {
    const [one, other] = [await server.register(), await server.register()];
    await add(one);
    await add(other);
    await one.call('/gateway/v1/account/connections', { method: 'DELETE' });
    expect((await other.call<Connections>('/gateway/v1/account/connections')).body.items).toHaveLength(2);
  });
});
