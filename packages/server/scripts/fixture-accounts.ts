import { randomBytes } from 'node:crypto';
import { rekey } from '../src/app/rekey.ts';
import type { SignedInUser } from '../src/app/testing/test-server.ts';
import { uuidGenerator } from '../src/database/uuid.ts';
import type { FixtureStage } from './fixture-stage.ts';

export const CHAT = 4711;
/** An uncompressed point and a secret of a browser's push subscription. */
const PUSH_KEYS = {
  p256dh: 'BJq6cy2aTTMQEPWVcyuBSdkpQ8YkuKOMc2CVlGJe8HtDFqZ1NWhnPCGy3WQyFxmYp2yLDbBw6lvJCn0cJbQ4lXk',
  auth: 'AAECAwQFBgcICQoLDA0ODw',
};
/** The smallest picture there is: 1 × 1. */
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

/** Seals everything once more, so that the database knows a retired key. */
export async function changeTheKey({ server, dataDir }: FixtureStage): Promise<void> {
  const { databaseUrl } = server.context.settings;
  const options = { dataDir, databaseUrl, random: randomBytes, now: server.now, newId: uuidGenerator(server.now, randomBytes) };
  await server.restart(async () => void (await rekey(options)));
}

async function verifyBy(stage: FixtureStage, user: SignedInUser, otpCode: string): Promise<{ accessToken: string }> {
  const { server } = stage;
  const { username, password } = user;
  const { code } = (await server.call<{ code: string }>('/gateway/v1/account/login', { body: { username, password } })).body;
  const { status, body } = await server.call<{ accessToken: string }>('/gateway/v1/account/verify-2fa', { body: { otpCode }, token: code });
  if (status !== 200) throw new Error(`verify-2fa answered ${status}`);
  return body;
}

/** Sign-ins of every kind, accounts that are half made, deleted, throttled, and what an account chose. */
export async function accountsStory(stage: FixtureStage, admin: SignedInUser): Promise<void> {
  const { server, ask } = stage;
  const { queries } = server.context.database;
  await verifyBy(stage, admin, admin.recoveryCodes[0] ?? '');
  const other = await verifyBy(stage, admin, server.nextCode(admin.secretKey));
  await server.call('/gateway/v1/account/logout', { method: 'POST', token: other.accessToken });
  await server.call('/gateway/v1/account/create', {
    body: { username: 'cem', email: 'cem@example.com', password: 'deep water for nobody yet' },
  });
  const dora = await server.register({ username: 'dora', email: 'dora@example.com' });
  const { id } = await queries.selectFrom('accounts').select('id').where('username', '=', dora.username).executeTakeFirstOrThrow();
  const preferences = { language: 'tr', theme: 'light', timeZone: 'Europe/Istanbul', density: 'compact' };
  await ask(admin, '/bff/v2/account/preferences', { method: 'PUT', body: preferences });
  const step = { password: admin.password, otpCode: server.nextCode(admin.secretKey) };
  const { proof } = await ask<{ proof: string }>(admin, '/gateway/v1/account/step-up', { body: step });
  await ask(admin, `/bff/v2/admin/users/${id}`, { method: 'DELETE', headers: { 'step-up': proof } });
  for (let time = 0; time < 6; time += 1)
    await server.call('/gateway/v1/account/login', { body: { username: 'ada', password: 'not the right one' } });
  const accounts = await queries.selectFrom('accounts').select(['id', 'username']).execute();
  await queries.updateTable('accounts').set({ email_confirmed: 1 }).where('username', '=', 'ada').execute();
  for (const [index, state] of (['running', 'ready', 'failed'] as const).entries()) {
    const row = { state, done: index, total: 40, row_count: index * 100, bytes: index * 1000, started_at: server.now(), expires_at: null };
    const account = accounts[index];
    if (account)
      await queries
        .insertInto('account_exports')
        .values({ account_id: account.id, ...row })
        .execute();
  }
}

/** What an Admin says of the instance. */
export async function instanceStory({ ask }: FixtureStage, admin: SignedInUser): Promise<void> {
  const values = { 'registration.mode': 'invite', 'registration.inviteCode': 'fixture-invitation', 'notice.en': 'Upgrade on Sunday' };
  await ask(admin, '/bff/v2/admin/app-settings', { method: 'PUT', body: { values } });
  await ask(admin, '/bff/v2/admin/currencies/BTC', { method: 'PUT', body: { name: 'Bitcoin (ours)', precision: 6, sort: 1 } });
  const icon = new FormData();
  icon.append('file', new Blob([new Uint8Array(PNG)], { type: 'image/png' }), 'btc.png');
  await ask(admin, '/bff/v2/admin/currencies/BTC/icon', { method: 'POST', body: icon });
  await ask(admin, '/bff/v2/admin/currencies/DOGE', { method: 'PUT', body: { enabled: false } });
  await ask(admin, '/bff/v2/admin/roles', { body: { name: 'Analyst', permissions: ['price-alerts', 'trade-import'] } });
  await ask(admin, '/bff/v2/admin/tags', { body: { key: 'majors', labels: { en: 'Majors', tr: 'Büyükler' }, assets: ['BTC', 'ETH'] } });
  const text = { key: 'custom.greeting', values: { en: 'Come in', tr: 'Buyurun' } };
  await ask(admin, '/bff/v2/localization-resources', { body: text });
}

/** Every channel, with deliveries that went well, wait, and failed for good. */
export async function channelsStory(stage: FixtureStage, user: SignedInUser): Promise<void> {
  const { server, telegram, hook, mail, ask } = stage;
  const { mailer, notifier } = server.context;
  const connect = '/gateway/v2/account/connect/telegram';
  const { code } = await ask<{ code: string }>(user, connect);
  const met = await telegram.chat(CHAT).say(`/start ${code}`);
  const back = /code=([\w-]+)/.exec(met.text)?.[1] ?? '';
  const greeted = telegram.chat(CHAT).next();
  await ask(user, connect, { method: 'POST', headers: { code: back } });
  await greeted;
  await telegram.chat(CHAT).say('/stopall');
  const settings = {
    channels: { security: ['email', 'webhook', 'telegram'], 'bot-exit': ['webhook', 'telegram'], 'bot-halted': ['push', 'telegram'] },
    quietHours: { enabled: true, from: '23:00', to: '08:00', timeZone: 'Europe/Istanbul' },
    webhookUrl: `${hook.url}/fixture`,
  };
  await ask(user, '/bff/v2/notifications/settings', { method: 'PUT', body: settings });
  await ask(user, '/bff/v2/notifications/push', { body: { endpoint: `${hook.url}/push`, keys: PUSH_KEYS } });
  const test = (channel: string) => ask(user, '/bff/v2/notifications/test', { body: { channel } }, 200, 201, 202, 204, 502, 409);
  await test('webhook');
  await test('email');
  await notifier.settle();
  await mailer.settle();
  mail.refuse(1, 550);
  await server.call('/gateway/v1/account/forgot-password', { body: { email: user.email } });
  await mailer.settle();
  mail.refuse(100, 451);
  await stage.advance(60_000);
  await server.call('/gateway/v1/account/forgot-password', { body: { email: user.email } });
  await server.call('/gateway/v1/account/forgot-password', { body: { email: 'nobody@example.com' } });
  await mailer.settle();
  hook.answerWith(410, ...Array.from({ length: 40 }, () => 500));
  await test('webhook');
  await notifier.settle();
}
