import { createECDH, randomBytes } from 'node:crypto';
import type { Notification, NotificationSettings } from '@pilotfish/core/notifications/notifications-contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AppContext } from '../app/context.ts';
import { accountFeatures } from '../app/features.ts';
import { type MailServer, startMailServer } from '../app/testing/mail-server.ts';
import { type ReceivingServer, startReceivingServer } from '../app/testing/receiving-server.ts';
import { type SignedInUser, startTestServer, type TestServer } from '../app/testing/test-server.ts';
import { DeliveryError } from './delivery-error.ts';
import { notificationsFeature } from './notifications-routes.ts';

let server: TestServer;
let user: SignedInUser;
let accountId: string;
let mail: MailServer;
let hook: ReceivingServer;

beforeEach(async () => {
  mail = await startMailServer();
  hook = await startReceivingServer();
  const blocked = async (): Promise<void> => {
    await server.context.database.queries.deleteFrom('telegram_chats').execute();
    throw new DeliveryError('chat-blocked', { channelLost: true });
  };
  const features = async (context: AppContext) => [
    notificationsFeature(context, { telegram: blocked }),
    ...(await accountFeatures(context)),
  ];
  server = await startTestServer({ features, settings: { smtpUrl: mail.url, allowPrivateWebhooks: true } });
  user = await server.register();
  const { queries } = server.context.database;
  accountId = (await queries.updateTable('accounts').set({ email_confirmed: 1 }).returning('id').executeTakeFirstOrThrow()).id;
  await settle();
  await queries.deleteFrom('notifications').execute();
  mail.messages.length = 0;
});
afterEach(async () => {
  await server.close();
  await mail.close();
  await hook.close();
});

async function settle(): Promise<void> {
  const { mailer, notifier } = server.context;
  await mailer.settle();
  await notifier.settle();
  notifier.wake();
  await notifier.settle();
}
let told = 0;
async function tell(): Promise<void> {
  const { database, notifier } = server.context;
  told += 1;
  const notice = { accountId, kind: 'history-synced', code: 'test', facts: {}, link: null, key: `t:${told}` } as const;
  await database.transaction((queries) => notifier.enqueue(queries, notice));
  await settle();
}
const route = (channels: string[], more: object = {}) =>
  user.call<NotificationSettings>('/bff/v2/notifications/settings', {
    method: 'PUT',
    body: {
      channels: { 'history-synced': channels, 'channel-lost': ['telegram', 'email', 'push', 'webhook'] },
      quietHours: { enabled: false, from: '23:00', to: '08:00', timeZone: 'UTC' },
      ...more,
    },
  });
const listed = async (kind: string) =>
  (await user.call<{ items: Notification[] }>(`/bff/v2/notifications?kind=${kind}`)).body.items.reverse();
const stateOf = async (channel: string) =>
  (await user.call<NotificationSettings>('/bff/v2/notifications/settings')).body.channels.find((each) => each.channel === channel);
const sendTest = async (channel: string) => (await user.call('/bff/v2/notifications/test', { body: { channel } })).body;
const bodies = (of: string) => hook.calls.filter(({ body }) => body.toString().includes(`"${of}"`));

test('a mailbox that does not exist is written to no more, and its owner is told once, elsewhere', async () => {
  await route(['email'], { webhookUrl: hook.url });
  mail.refuse(1, 550);
  await tell();
  await tell();
  await tell();
  expect(mail.messages).toEqual([]);
  expect((await listed('history-synced')).map(({ undelivered }) => undelivered[0])).toEqual([
    { channel: 'email', reason: 'mail-refused', attempts: 1 },
    undefined,
    undefined,
  ]);
  expect((await listed('channel-lost')).map(({ title }) => title)).toEqual(['Channel stopped working: E-mail']);
  expect(bodies('channel-lost')).toHaveLength(1);
  expect(await stateOf('email')).toMatchObject({ available: false, reason: 'needs-attention' });
  expect(await sendTest('email')).toEqual({ delivered: true, failure: null });
  expect(await stateOf('email')).toMatchObject({ available: true, reason: null });
  await tell();
  expect(mail.messages).toHaveLength(2);
});

test('a message that a filter refuses for good is given up, and the next one is sent', async () => {
  await route(['email']);
  mail.refuse(1, 550, 'text');
  await tell();
  await tell();
  expect(mail.messages).toHaveLength(1);
  expect((await listed('history-synced')).map(({ undelivered }) => undelivered[0])).toEqual([
    { channel: 'email', reason: 'mail-refused', attempts: 1 },
    undefined,
  ]);
  expect(await stateOf('email')).toMatchObject({ available: true, reason: null });
});

test('what was on its way ends with the channel, and another address has no trouble', async () => {
  await route(['email']);
  mail.refuse(1, 451);
  await tell();
  mail.refuse(1, 550);
  await tell();
  server.advance(10_000);
  await settle();
  expect((await listed('history-synced')).map(({ undelivered }) => undelivered[0]?.reason)).toEqual(['needs-attention', 'mail-refused']);
  await server.context.database.queries.updateTable('accounts').set({ email: 'new@example.com', email_key: 'new@example.com' }).execute();
  expect(await stateOf('email')).toMatchObject({ available: true, reason: null });
  mail.refuse(1, 550);
  await tell();
  expect(await stateOf('email')).toMatchObject({ available: false, reason: 'needs-attention' });
  expect(await listed('channel-lost')).toHaveLength(2);
});

test('mails of the account tell of the address, too', async () => {
  await route(['email'], { webhookUrl: hook.url });
  mail.refuse(1, 550);
  const forgot = () => server.call('/gateway/v1/account/forgot-password', { body: { email: user.email } });
  expect((await forgot()).status).toBeLessThan(300);
  await settle();
  expect(await stateOf('email')).toMatchObject({ reason: 'needs-attention' });
  // Somebody asked again: the mail is tried, and gets through.
  server.advance(3_600_000);
  await forgot();
  await settle();
  expect(mail.messages).toHaveLength(1);
  user.session = await server.signIn(user);
  expect(await stateOf('email')).toMatchObject({ available: true });
});

test('a webhook that is gone is called no more until it is named again', async () => {
  await route(['webhook'], { webhookUrl: hook.url });
  hook.answerWith(410);
  await tell();
  await tell();
  expect(hook.calls).toHaveLength(1);
  expect(await stateOf('webhook')).toMatchObject({ available: false, reason: 'needs-attention' });
  expect((await listed('channel-lost')).map(({ text }) => text)).toEqual([expect.stringContaining('The address no longer exists.')]);
  expect(mail.messages.filter((each) => each.includes('The address no longer exists'))).toHaveLength(1);
  await server.restart();
  await tell();
  expect(hook.calls).toHaveLength(1);
  await route(['webhook'], { webhookUrl: hook.url });
  await tell();
  expect(hook.calls).toHaveLength(2);
});

test('one fault of a receiver for now is no trouble', async () => {
  await route(['webhook'], { webhookUrl: hook.url });
  hook.answerWith(404, 503, 500, 429, 403);
  await tell();
  expect(await stateOf('webhook')).toMatchObject({ available: true, reason: null });
  expect(await listed('channel-lost')).toEqual([]);
  for (let tries = 1; tries < 6; tries += 1) {
    server.advance(3_600_000);
    await settle();
  }
  expect(hook.calls).toHaveLength(6);
  user.session = await server.signIn(user);
  expect((await listed('history-synced'))[0]?.undelivered).toEqual([]);
});

test('the last browser that is gone, and a chat that blocked the bot, are told', async () => {
  await route(['push', 'telegram']);
  const keys = { p256dh: createECDH('prime256v1').generateKeys().toString('base64url'), auth: randomBytes(16).toString('base64url') };
  await user.call('/bff/v2/notifications/push', { body: { endpoint: `${hook.url}/push`, keys } });
  const chat = { chat_hash: 'x', chat: 'x', connected_at: 1, muted_until: null };
  await server.context.database.queries
    .insertInto('telegram_chats')
    .values({ account_id: accountId, ...chat })
    .execute();
  hook.answerWith(410);
  await tell();
  await tell();
  expect(hook.calls).toHaveLength(1);
  const texts = (await listed('channel-lost')).map(({ title, text }) => `${title} ${text}`).sort();
  expect(texts).toEqual([
    expect.stringMatching(/working: Browser The browser’s subscription has ended/),
    expect.stringMatching(/working: Telegram The bot was blocked/),
  ]);
});
