import { createECDH, createHmac, randomBytes } from 'node:crypto';
import type { NotificationKind } from '@pilotfish/core/notifications/notification-kinds';
import type { Notification, NotificationSettings } from '@pilotfish/core/notifications/notifications-contract';
import { afterEach, describe, expect, test } from 'vitest';
import type { AppContext } from '../app/context.ts';
import { accountFeatures } from '../app/features.ts';
import { type MailServer, startMailServer } from '../app/testing/mail-server.ts';
import { type ReceivingServer, startReceivingServer } from '../app/testing/receiving-server.ts';
import { type SignedInUser, startTestServer, type TestServer } from '../app/testing/test-server.ts';
import { MOST_TRIES, retryDelayMs } from './delivery-outbox.ts';
import { notificationsFeature } from './notifications-routes.ts';
import { KEPT_PER_ACCOUNT, notificationsStore } from './notifications-store.ts';
import type { Notice, NotifierWork } from './notifier.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

type Stage = { server: TestServer; user: SignedInUser; accountId: string; mail: MailServer; hook: ReceivingServer };
type Page = { items: Notification[]; total: number; unread: number };

async function stage(settings: { allowPrivateWebhooks?: boolean } = { allowPrivateWebhooks: true }): Promise<Stage> {
  const mail = await startMailServer();
  cleanups.push(() => mail.close());
  const hook = await startReceivingServer();
  cleanups.push(() => hook.close());
  const features = async (context: AppContext) => [
    notificationsFeature(context, { telegram: undefined }),
    ...(await accountFeatures(context)),
  ];
  const server = await startTestServer({ features, settings: { smtpUrl: mail.url, ...settings } });
  cleanups.push(() => server.close());
  const user = await server.register();
  const account = await server.context.database.queries
    .updateTable('accounts')
    .set({ email_confirmed: 1 })
    .where('username', '=', user.username)
    .returning('id')
    .executeTakeFirstOrThrow();
  await server.context.mailer.settle();
  await server.context.notifier.settle();
  mail.messages.length = 0;
  const stageReady = { server, user, accountId: account.id, mail, hook };
  await server.context.database.queries.deleteFrom('notifications').execute();
  return stageReady;
}

/** Tells something and waits until everything that can be sent now is sent. */
async function tell({ server, accountId }: Stage, more: Partial<Notice> = {}): Promise<boolean> {
  const { database, notifier } = server.context;
  const notice: Notice = { accountId, kind: 'bot-exit', code: 'bot-exit', facts: FACTS, link: '/auto-trade', key: 'exit:1', ...more };
  const isNew = await database.transaction((queries) => notifier.enqueue(queries, notice));
  await settle(server);
  return isNew;
}
async function settle({ context }: TestServer): Promise<void> {
  await context.notifier.settle();
  context.notifier.wake();
  await context.notifier.settle();
}
const FACTS = {
  bot: 'Dip <b>',
  symbol: 'BTCUSDT',
  realised: '1234.5',
  currency: 'USDT',
  reasonKey: 'exitReasons.TakeProfit',
  price: '65000',
  fees: '0.12',
};
const list = async (user: SignedInUser, query = '', headers = {}) =>
  (await user.call<Page>(`/bff/v2/notifications${query}`, { headers })).body;
const channelsOf = (kind: NotificationKind, ...channels: string[]) => ({
  channels: { [kind]: channels },
  quietHours: { enabled: false, from: '23:00', to: '08:00', timeZone: 'UTC' },
});
const save = (user: SignedInUser, body: object) =>
  user.call<NotificationSettings & { webhookSecret: string | null }>('/bff/v2/notifications/settings', { method: 'PUT', body });

describe('the list', () => {
  test('says a thing once, in the language it is asked in', async () => {
    const now = await stage();
    expect(await tell(now)).toBe(true);
    expect(await tell(now)).toBe(false);
    const english = await list(now.user);
    expect(english).toMatchObject({ total: 1, unread: 1, page: 1, pageSize: 25 });
    expect(english.items[0]).toMatchObject({
      title: 'Dip <b>: BTCUSDT closed, +1,234.50 USDT',
      text: 'Closed by take profit at 65,000; fees 0.12 USDT.',
      link: '/auto-trade',
      read: false,
      undelivered: [],
    });
    const turkish = await list(now.user, '', { 'accept-language': 'tr' });
    expect(turkish.items[0]?.text).toBe('65,000 fiyatında kapandı, neden: kâr al; komisyon 0.12 USDT.');
  });

  test('is read one by one or at once, filtered and paged', async () => {
    const now = await stage();
    for (let index = 0; index < 5; index += 1) {
      now.server.advance(1000);
      await tell(now, { key: `exit:${index}` });
    }
    await tell(now, { key: 'import', kind: 'import-done', code: 'import-done', facts: { added: 3 } });
    const first = (await list(now.user, '?pageSize=2&page=2')).items;
    expect(first).toHaveLength(2);
    const read = await now.user.call<Notification>(`/bff/v2/notifications/${first[0]?.id}/read`, { method: 'PATCH' });
    expect(read.body).toMatchObject({ id: first[0]?.id, read: true });
    expect((await list(now.user, '?unread=true')).total).toBe(5);
    expect((await list(now.user, '?unread=false')).total).toBe(1);
    expect((await list(now.user, '?kind=import-done')).items.map(({ text }) => text)).toEqual(['3 trades were added.']);
    expect((await now.user.call('/bff/v2/notifications/read-all', { method: 'POST' })).body).toEqual({ read: 5, unread: 0 });
    expect((await list(now.user)).unread).toBe(0);
  });

  test("somebody else's are neither seen nor marked", async () => {
    const now = await stage();
    await tell(now);
    const id = (await list(now.user)).items[0]?.id;
    const other = await now.server.register();
    expect((await list(other)).total).toBe(0);
    expect((await other.call(`/bff/v2/notifications/${id}/read`, { method: 'PATCH' })).status).toBe(404);
    expect((await list(now.user)).unread).toBe(1);
  });

  test('what was undone is not told', async () => {
    const now = await stage();
    const { database, notifier } = now.server.context;
    const failing = database.transaction(async (queries) => {
      await notifier.enqueue(queries, { accountId: now.accountId, kind: 'bot-exit', code: 'bot-exit', facts: FACTS, link: null, key: 'x' });
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    await settle(now.server);
    expect((await list(now.user)).total).toBe(0);
  });

  test('keeps ninety days and two thousand', async () => {
    const now = await stage();
    const { context } = now.server;
    const old = { account_id: now.accountId, kind: 'bot-exit' as const, code: 'bot-exit', facts: '{}', link: null, read_at: null };
    const at = (index: number) => ({
      ...old,
      id: context.newId(),
      key: `k${index}`,
      at: index,
      created_at: context.now() - 1_000_000 + index,
    });
    for (let start = 0; start < KEPT_PER_ACCOUNT + 3; start += 500)
      await context.database.queries
        .insertInto('notifications')
        .values(Array.from({ length: Math.min(500, KEPT_PER_ACCOUNT + 3 - start) }, (_, index) => at(start + index)))
        .execute();
    await notificationsStore(context).purge();
    expect(await list(now.user, '?pageSize=1&page=2000')).toMatchObject({
      total: KEPT_PER_ACCOUNT,
      items: [{ at: '1970-01-01T00:00:00.003Z' }],
    });
    now.server.advance(91 * 86_400_000);
    await notificationsStore(context).purge();
    expect(await context.database.queries.selectFrom('notifications').select('id').execute()).toEqual([]);
  });
});

describe('sending', () => {
  test('a mail arrives in spite of failures, once, under one Message-ID', async () => {
    const now = await stage();
    await save(now.user, channelsOf('bot-exit', 'email'));
    now.mail.refuse(2);
    await tell(now);
    expect(now.mail.messages).toHaveLength(0);
    now.server.advance(999);
    await settle(now.server);
    now.server.advance(1);
    await settle(now.server);
    expect(now.mail.messages).toHaveLength(0);
    now.server.advance(2000);
    await settle(now.server);
    now.server.advance(3_600_000);
    await settle(now.server);
    expect(now.mail.messages).toHaveLength(1);
    expect(now.mail.messages[0]).toContain(`To: ${now.user.email}`);
    expect(now.mail.messages[0]).toContain('closed, +1,234.50 USDT');
    expect(now.mail.messages[0]).toMatch(/Message-ID: <[\da-f-]{36}@pilotfish>/);
  });

  test('an address that was not confirmed is sent nothing', async () => {
    const now = await stage();
    await now.server.context.database.queries.updateTable('accounts').set({ email_confirmed: 0 }).execute();
    await save(now.user, channelsOf('bot-exit', 'email'));
    await tell(now);
    expect(now.mail.messages).toHaveLength(0);
    expect((await now.user.call('/bff/v2/notifications/test', { body: { channel: 'email' } })).body).toMatchObject({
      code: 'channel-unavailable',
    });
  });

  test('a webhook is signed, keeps its key at every try, and is told nothing twice', async () => {
    const now = await stage();
    const { webhookSecret } = (
      await save(now.user, { ...channelsOf('bot-exit', 'webhook'), webhookUrl: `${now.hook.url}/in?token=canary-hook` })
    ).body;
    expect(webhookSecret).toMatch(/^[\w-]{43}$/);
    expect((await save(now.user, channelsOf('bot-exit', 'webhook'))).body.webhookSecret).toBeNull();
    now.hook.answerWith(503, 500);
    await tell(now);
    now.server.advance(1000);
    await settle(now.server);
    now.server.advance(2000);
    await settle(now.server);
    now.server.advance(3_600_000);
    await settle(now.server);
    expect(now.hook.calls).toHaveLength(3);
    const [first, , last] = now.hook.calls;
    expect(first?.headers['idempotency-key']).toBe(last?.headers['idempotency-key']);
    const timestamp = last?.headers['pilotfish-timestamp'];
    const expected = createHmac('sha256', webhookSecret!)
      .update(`${timestamp as string}.${last?.body.toString()}`)
      .digest('hex');
    expect(last?.headers['pilotfish-signature']).toBe(`v1=${expected}`);
    expect(JSON.parse(last?.body.toString() ?? '')).toMatchObject({
      kind: 'bot-exit',
      code: 'bot-exit',
      facts: FACTS,
      link: expect.stringMatching(/^http.*\/auto-trade$/),
    });
    expect(JSON.stringify((await now.user.call('/bff/v2/notifications/settings')).body)).not.toContain('canary-hook');
    expect(now.server.logged()).not.toContain('canary-hook');
    expect(now.server.logged()).not.toContain(webhookSecret);
  });

  test('gives up after twenty-four tries, and the list says so', async () => {
    const now = await stage();
    await save(now.user, { ...channelsOf('bot-exit', 'webhook'), webhookUrl: now.hook.url });
    now.hook.answerWith(...Array.from({ length: 100 }, () => 503));
    await tell(now);
    for (let tries = 1; tries < 40; tries += 1) {
      now.server.advance(retryDelayMs(Math.min(tries, MOST_TRIES)));
      await settle(now.server);
    }
    expect(now.hook.calls).toHaveLength(MOST_TRIES);
    now.user.session = await now.server.signIn(now.user);
    expect((await list(now.user)).items[0]?.undelivered).toEqual([{ channel: 'webhook', reason: 'http-5xx', attempts: MOST_TRIES }]);
    expect([1, 2, 3, 12, 13, 24].map(retryDelayMs)).toEqual([1000, 2000, 4000, 2_048_000, 3_600_000, 3_600_000]);
  });

  test('two senders at once send once', async () => {
    const now = await stage();
    const { context } = now.server;
    await save(now.user, { ...channelsOf('bot-exit', 'webhook'), webhookUrl: now.hook.url });
    let other: NotifierWork | undefined;
    const attach = (work: NotifierWork) => {
      other = work;
    };
    const second = { ...context, notifier: { ...context.notifier, attach } };
    notificationsFeature(second, { telegram: undefined });
    await context.database.transaction(async (queries) => {
      for (let index = 0; index < 20; index += 1)
        await context.notifier.enqueue(queries, {
          accountId: now.accountId,
          kind: 'bot-exit',
          code: 'bot-exit',
          facts: FACTS,
          link: null,
          key: `x${index}`,
        });
    });
    context.notifier.wake();
    other?.deliver();
    await Promise.all([context.notifier.settle(), other?.settle()]);
    expect(now.hook.calls).toHaveLength(20);
    expect(new Set(now.hook.calls.map(({ headers }) => headers['idempotency-key'])).size).toBe(20);
  });

  test('what an earlier run left behind is sent after a start', async () => {
    const now = await stage();
    await save(now.user, { ...channelsOf('bot-exit', 'webhook'), webhookUrl: now.hook.url });
    now.hook.answerWith(503);
    await tell(now);
    now.server.advance(60_000);
    await now.server.restart();
    await settle(now.server);
    expect(now.hook.calls).toHaveLength(2);
  });

  test('quiet hours hold back what is not urgent', async () => {
    const now = await stage();
    // The clock of the tests stands near noon UTC.
    const quietHours = { enabled: true, from: '12:00', to: '16:30', timeZone: 'Europe/Istanbul' };
    await save(now.user, { channels: { 'bot-exit': ['webhook'], 'bot-halted': ['webhook'] }, quietHours, webhookUrl: now.hook.url });
    await tell(now);
    await tell(now, { kind: 'bot-halted', code: 'bot-halted', key: 'halt', facts: { bot: 'Dip', reasonKey: 'botReasons.kill-switch' } });
    expect(now.hook.calls.map(({ body }) => (JSON.parse(body.toString()) as { kind: string }).kind)).toEqual(['bot-halted']);
    now.server.advance(Date.UTC(2026, 0, 15, 13, 29, 59) - now.server.now());
    await settle(now.server);
    expect(now.hook.calls).toHaveLength(1);
    now.server.advance(1000);
    await settle(now.server);
    expect(now.hook.calls).toHaveLength(2);
  });

  test('a test message answers how it went', async () => {
    const now = await stage();
    await save(now.user, { ...channelsOf('bot-exit'), webhookUrl: now.hook.url });
    now.hook.answerWith(204, 410);
    expect((await now.user.call('/bff/v2/notifications/test', { body: { channel: 'webhook' } })).body).toEqual({
      delivered: true,
      failure: null,
    });
    expect((await now.user.call('/bff/v2/notifications/test', { body: { channel: 'webhook' } })).body).toEqual({
      delivered: false,
      failure: 'hook-gone',
    });
    expect((await now.user.call('/bff/v2/notifications/test', { body: { channel: 'push' } })).body).toMatchObject({
      code: 'channel-unavailable',
    });
  });
});

describe('addresses of users', () => {
  test('only public https ones, unless the operator allows others', async () => {
    const now = await stage({ allowPrivateWebhooks: false });
    for (const webhookUrl of ['http://example.com/x', 'https://127.0.0.1/x', 'https://169.254.169.254/x', 'https://localhost/x'])
      expect((await save(now.user, { ...channelsOf('bot-exit', 'webhook'), webhookUrl })).status, webhookUrl).toBe(422);
    const keys = browserKeys();
    const push = await now.user.call('/bff/v2/notifications/push', { body: { endpoint: 'https://10.0.0.1/push', keys: keys.keys } });
    expect(push.status).toBe(422);
  });

  test('an address saved before the operator forbade it is not called', async () => {
    const now = await stage({ allowPrivateWebhooks: true });
    await save(now.user, { ...channelsOf('bot-exit', 'webhook'), webhookUrl: now.hook.url });
    Object.assign(now.server.context.settings, { allowPrivateWebhooks: false });
    await now.server.restart();
    await tell(now);
    expect(now.hook.calls).toHaveLength(0);
    expect((await list(now.user)).items[0]?.undelivered).toEqual([{ channel: 'webhook', reason: 'address-refused', attempts: 1 }]);
  });
});

const browserKeys = () => {
  const ecdh = createECDH('prime256v1');
  return { ecdh, keys: { p256dh: ecdh.generateKeys().toString('base64url'), auth: randomBytes(16).toString('base64url') } };
};

describe('web push', () => {
  test('a browser is told, encrypted and signed; one that is gone is forgotten', async () => {
    const now = await stage();
    await save(now.user, channelsOf('bot-exit', 'push'));
    const { body: key } = await now.user.call<{ publicKey: string; browsers: unknown[] }>('/bff/v2/notifications/push');
    expect(Buffer.from(key.publicKey, 'base64url')).toHaveLength(65);
    for (const path of ['/one', '/two']) {
      const added = await now.user.call('/bff/v2/notifications/push', {
        body: { endpoint: `${now.hook.url}${path}`, keys: browserKeys().keys },
      });
      expect(added.status).toBe(201);
    }
    now.hook.answerWith(201, 410);
    await tell(now);
    expect(now.hook.calls.map(({ path }) => path)).toEqual(['/one', '/two']);
    expect(now.hook.calls[0]?.headers['content-encoding']).toBe('aes128gcm');
    expect(now.hook.calls[0]?.headers.authorization).toMatch(new RegExp(`^vapid t=[\\w.-]+, k=${key.publicKey}$`));
    expect(now.hook.calls[0]?.body.toString('latin1')).not.toContain('BTCUSDT');
    const { browsers } = (await now.user.call<{ browsers: { id: string }[] }>('/bff/v2/notifications/push')).body;
    expect(browsers).toHaveLength(1);
    const other = await now.server.register();
    expect((await other.call(`/bff/v2/notifications/push/${browsers[0]?.id}`, { method: 'DELETE' })).status).toBe(404);
    expect((await now.user.call(`/bff/v2/notifications/push/${browsers[0]?.id}`, { method: 'DELETE' })).status).toBe(204);
    await tell(now, { key: 'later' });
    expect(now.hook.calls).toHaveLength(2);
  });

  test('keys that are none are refused', async () => {
    const now = await stage();
    const body = { endpoint: now.hook.url, keys: { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) } };
    expect((await now.user.call('/bff/v2/notifications/push', { body })).status).toBe(400);
  });
});

test('settings are answered as saved, and junk is refused', async () => {
  const now = await stage();
  const { body } = await save(now.user, { ...channelsOf('price-alert', 'email'), webhookUrl: `${now.hook.url}/x` });
  expect(body.kinds.find(({ kind }) => kind === 'price-alert')).toEqual({
    kind: 'price-alert',
    urgent: false,
    channels: ['email'],
    defaults: ['telegram', 'push', 'webhook'],
  });
  expect(body.channels).toEqual([
    { channel: 'telegram', available: false, reason: 'not-configured', target: null },
    { channel: 'email', available: true, reason: null, target: expect.stringMatching(/^us…@example.com$/) },
    { channel: 'push', available: false, reason: 'no-browser', target: null },
    { channel: 'webhook', available: true, reason: null, target: new URL(now.hook.url).host },
  ]);
  const bad = { enabled: true, from: '25:00', to: '08:00', timeZone: 'Mars/Olympus' };
  expect((await save(now.user, { channels: {}, quietHours: bad })).status).toBe(400);
  expect(
    (await save(now.user, { channels: { 'bot-exit': ['app'] }, quietHours: { ...bad, enabled: false, from: '00:00', timeZone: 'UTC' } }))
      .status,
  ).toBe(400);
});
