import { createECDH } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { until } from '@pilotfish/core/testing/until';
import type { Simulator } from '@pilotfish/simulator/app/simulator';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BotApiServer, startBotApiServer } from '../src/app/testing/bot-api-server.ts';
import { type ReceivingServer, startReceivingServer } from '../src/app/testing/receiving-server.ts';
import type { CallOptions, SignedInUser, TestServer } from '../src/app/testing/test-server.ts';
import { type ExchangeStage, startExchangeStage } from './exchange-stage.ts';

// A life with every secret there is, with mishaps. Afterwards each is looked for wherever it must not be.

const PASSWORD = 'canary deep water 71';
const NEW_PASSWORD = 'canary other shore 72';
const WRONG_PASSWORD = 'canary wrong guess 73';
const SMTP_PASSWORD = 'canary-smtp-password';
const SMS_TOKEN = 'canary-sms-token';
const HOOK_PATH = 'canary-hook-path';
const HOOK_PASSWORD = 'canary-hook-password';
const INVITE = 'canary-invite-code';
const CHAT = 7_364_518_290;
const BAD_SECRET = 'canaryBadSecret'.repeat(4);

let simulator: Simulator;
let server: TestServer;
let stage: ExchangeStage;
let telegram: BotApiServer;
let hook: ReceivingServer;
let sms: ReceivingServer;
let smtp: SMTPServer;
let user: SignedInUser;
const mails: string[] = [];
/** Whether the mail server takes our password. */
let doorOpen = false;

/** Every secret by name. */
const secrets = new Map<string, string>();
/** Everything that was answered, without what an answer shows on purpose, once. */
const answers: string[] = [];
let streamed = '';
let exported = '';
let measured = '';

/** Calls and keeps the answer; `shows` is blackened in it, because that is where it is told. */
async function call<Body>(
  path: string,
  options: CallOptions = {},
  shows: (body: Body) => readonly (string | null | undefined)[] = () => [],
) {
  const answer = await user.call<Body>(path, options);
  let text = `${path} ${answer.status} ${JSON.stringify([...answer.headers])} ${typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)}`;
  for (const shown of shows(answer.body)) if (shown != null) text = text.replaceAll(shown, '[shown]');
  answers.push(text);
  return answer;
}

beforeAll(async () => {
  telegram = await startBotApiServer();
  hook = await startReceivingServer();
  sms = await startReceivingServer();
  smtp = new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ password }, _session, done) =>
      doorOpen && password === SMTP_PASSWORD ? done(null, { user: 'pilotfish' }) : done(new Error(`535 not ${password}`)),
    onData: (stream, _session, done) => {
      let text = '';
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString('utf8');
      });
      stream.on('end', () => {
        mails.push(text.replace(/=\r?\n/g, '').replaceAll('=3D', '='));
        done();
      });
    },
  });
  smtp.on('error', () => undefined);
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  stage = await startExchangeStage(3, {
    telegramBotToken: telegram.token,
    telegramApiRoot: telegram.url,
    smtpUrl: `smtp://pilotfish:${SMTP_PASSWORD}@127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    smsWebhookUrl: sms.url.replace('//', `//sms:${SMS_TOKEN}@`),
    allowPrivateWebhooks: true,
  });
  ({ simulator, server } = stage);
  await story();
});
afterAll(async () => {
  await stage?.close();
  await telegram?.close();
  await hook?.close();
  await sms?.close();
  await new Promise<void>((resolve) => smtp?.close(() => resolve()) ?? resolve());
});

async function story(): Promise<void> {
  user = await server.register({ username: 'canary', password: PASSWORD });
  const keep = (named: Readonly<Record<string, string | null | undefined>>) => {
    for (const [name, secret] of Object.entries(named)) {
      expect([name, typeof secret === 'string' && secret.length >= 8]).toEqual([name, true]);
      secrets.set(name, secret ?? '');
    }
  };
  keep({
    password: PASSWORD,
    'new password': NEW_PASSWORD,
    'wrong password': WRONG_PASSWORD,
    'SMTP password': SMTP_PASSWORD,
    'SMS token': SMS_TOKEN,
    'webhook path': HOOK_PATH,
    'webhook password': HOOK_PASSWORD,
    'bot token': telegram.token,
    chat: String(CHAT),
    'authenticator secret': user.secretKey,
    'access token': user.session.accessToken,
    'refresh token': user.session.refreshToken,
    'bad exchange secret': BAD_SECRET,
  });
  for (const [index, code] of user.recoveryCodes.entries()) keep({ [`recovery code ${index}`]: code });
  const abort = new AbortController();
  const stream = fetch(`${server.url}/bff/v2/stream`, {
    headers: { authorization: `Bearer ${user.session.accessToken}`, 'accept-encoding': 'identity' },
    signal: abort.signal,
  });
  const reading = stream
    .then(async ({ body }) => {
      for await (const chunk of body ?? []) streamed += Buffer.from(chunk as Uint8Array).toString('utf8');
    })
    .catch(() => undefined);

  // The exchange: keys that are refused, then right ones, then wrong sign-ins and a mail server that refuses us.
  const account = await simulator.createAccount();
  keep({ 'exchange key': account.apiKey, 'exchange secret': account.apiSecret });
  const binance = '/gateway/v2/account/connect/binance';
  expect((await call(binance, { body: { clientId: account.apiKey, clientSecret: BAD_SECRET } })).status).toBeGreaterThanOrEqual(400);
  expect((await call(binance, { body: { clientId: account.apiKey, clientSecret: account.apiSecret } })).status).toBe(200);
  await call('/gateway/v1/account/login', { body: { username: 'canary', password: WRONG_PASSWORD } });
  await call('/gateway/v1/account/forgot-password', { body: { email: user.email } });
  await stage.time.during(server.context.mailer.settle());
  expect(server.logged()).toContain('a message could not be sent');
  doorOpen = true;
  server.advance(60_000);
  server.context.mailer.wake();
  await stage.time.during(server.context.mailer.settle());
  const reset =
    mails
      .join('')
      .match(/#code=([\w-]{43})/g)
      ?.map((text) => text.slice(6)) ?? [];
  for (const [index, code] of reset.entries()) keep({ [`mailed code ${index}`]: code });
  expect(reset.length).toBeGreaterThan(0);
  await server.context.database.queries.updateTable('accounts').set({ email_confirmed: 1 }).execute();

  // Chat and phone, each with a failure on the way.
  const { code } = (await call<{ code: string }>('/gateway/v2/account/connect/telegram', {}, ({ code: shown }) => [shown])).body;
  const met = await telegram.chat(CHAT).say(`/start ${code}`);
  const back = /code=([\w-]+)/.exec(met.text)?.[1];
  keep({ 'link code': code, 'connect code': back });
  const greeted = telegram.chat(CHAT).next();
  await call('/gateway/v2/account/connect/telegram', { method: 'POST', headers: { code: back ?? '' } });
  await greeted;
  sms.answerWith(500);
  await call('/gateway/v1/account/receive-phone-confirmation', { body: { phone: '+905551112233' } });
  await stage.time.during(server.context.mailer.settle());

  // Webhook and browser.
  const url = `${hook.url.replace('//', `//hook:${HOOK_PASSWORD}@`)}/${HOOK_PATH}?token=${HOOK_PATH}`;
  const quietHours = { enabled: false, from: '23:00', to: '08:00', timeZone: 'UTC' };
  const body = { channels: { security: ['email', 'webhook', 'telegram'] }, quietHours, webhookUrl: url };
  const settings = { method: 'PUT', body };
  const saved = await call<{ webhookSecret: string }>('/bff/v2/notifications/settings', settings, ({ webhookSecret }) => [webhookSecret]);
  keep({ 'webhook secret': saved.body.webhookSecret });
  const ecdh = createECDH('prime256v1');
  const keys = { p256dh: ecdh.generateKeys().toString('base64url'), auth: Buffer.from('canary-auth-16-b').toString('base64url') };
  keep({ 'push key': keys.auth });
  await call('/bff/v2/notifications/push', { body: { endpoint: `${hook.url}/${HOOK_PATH}-push`, keys } });
  hook.answerWith(500);
  telegram.fail('sendMessage', { status: 500, description: `bot${telegram.token} is tired` });
  for (const channel of ['webhook', 'telegram', 'email', 'push']) await call('/bff/v2/notifications/test', { body: { channel } });
  await call('/bff/v2/notifications/test', { body: { channel: 'webhook' } });
  for (const path of ['settings', 'push', '?pageSize=100']) await call(`/bff/v2/notifications${path.startsWith('?') ? path : `/${path}`}`);

  // An Admin's secret, and what the product tells Admins of everybody.
  await call('/bff/v2/admin/app-settings', { method: 'PUT', body: { values: { 'registration.inviteCode': INVITE } } }, () => [INVITE]);
  keep({ 'invite code': INVITE });
  for (const path of ['audit-log?pageSize=200', 'users', 'stats']) await call(`/bff/v2/admin/${path}`);

  // A proof, new codes, another password, a second sign-in, an export.
  const otpCode = server.nextCode(user.secretKey);
  type Proof = { proof: string };
  const proof = await call<Proof>('/gateway/v1/account/step-up', { body: { password: PASSWORD, otpCode } }, ({ proof: shown }) => [shown]);
  const proven = { 'step-up': proof.body.proof };
  keep({ proof: proof.body.proof });
  type Codes = { recoveryCodes: string[] };
  const renewed = { method: 'POST', headers: proven };
  const codes = await call<Codes>('/gateway/v1/account/recovery-codes', renewed, ({ recoveryCodes }) => recoveryCodes);
  for (const [index, renewedCode] of codes.body.recoveryCodes.entries()) keep({ [`new recovery code ${index}`]: renewedCode });
  await call('/bff/v2/account/export', { method: 'POST', headers: proven });
  const ready = async () => (await call<{ state: string }>('/bff/v2/account/export')).body.state === 'ready';
  await until('the export', ready, { time: stage.time });
  exported = String(JSON.stringify((await call('/bff/v2/account/export/download')).body));
  await call('/gateway/v1/account/change-password', { body: { currentPassword: WRONG_PASSWORD, newPassword: NEW_PASSWORD } });
  expect(
    (await call('/gateway/v1/account/change-password', { body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD } })).status,
  ).toBe(200);
  const session = await server.signIn({ ...user, password: NEW_PASSWORD });
  keep({ 'second access token': session.accessToken, 'second refresh token': session.refreshToken });
  await call('/gateway/v1/account/refresh-token', { method: 'POST', token: 'x'.repeat(43) });
  for (const path of ['audit-log?pageSize=200', 'sessions', 'recovery-codes']) await call(`/gateway/v1/account/${path}`);
  for (const path of ['account', 'account/preferences', 'positions/sync']) await call(`/bff/v2/${path}`);
  await call(binance);
  await stage.time.during(server.context.notifier.settle());
  await stage.time.during(server.context.mailer.settle());
  measured = (await server.call<string>('/metrics')).body;
  abort.abort();
  await reading;
}

const found = (text: string, except: readonly string[] = []) =>
  [...secrets].filter(([name, secret]) => !except.includes(name) && text.includes(secret)).map(([name]) => name);

describe('no secret is found', () => {
  test('in the log, though it tells of all that went wrong', () => {
    expect(server.logged()).toContain('a notification did not get through');
    expect(found(server.logged())).toEqual([]);
  });
  test('in any answer or its headers', () => {
    expect(answers.length).toBeGreaterThan(35);
    for (const text of answers) expect([text.slice(0, 80), found(text)]).toEqual([text.slice(0, 80), []]);
  });
  test('in the stream', () => {
    expect(streamed).toContain('event: notifications');
    expect(found(streamed)).toEqual([]);
  });
  test('in the export', () => {
    expect(exported).toContain('pilotfish-account-1');
    expect(found(exported)).toEqual([]);
  });
  test('among the figures', () => {
    expect(measured).toContain('# TYPE');
    expect(found(measured)).toEqual([]);
  });
  test('in a mail that is not the one that carries it', () => {
    expect(mails.length).toBeGreaterThan(2);
    const carried = [...secrets.keys()].filter((name) => name.startsWith('mailed code'));
    for (const mail of mails) {
      expect(mail).toContain(`To: ${user.email}`);
      expect(found(mail, carried)).toEqual([]);
    }
    for (const name of carried) expect(mails.filter((mail) => mail.includes(secrets.get(name) ?? ''))).toHaveLength(1);
  });
  test('in what the webhook, the push service and the chat are told', () => {
    const own = ['webhook path', 'webhook password'];
    expect(hook.calls.length).toBeGreaterThan(2);
    for (const { path, headers, body } of hook.calls) {
      expect(found(JSON.stringify(headers) + body.toString('latin1'), own)).toEqual([]);
      expect(found(path, own)).toEqual([]);
    }
    const said = telegram
      .chat(CHAT)
      .messages()
      .map(({ text }) => text)
      .join('\n');
    expect(found(said, ['connect code'])).toEqual([]);
    for (const { path } of sms.calls) expect(found(path)).toEqual([]);
  });
  test('in any file of the data folder', () => {
    const files = (folder: string): string[] =>
      readdirSync(folder).flatMap((name) =>
        statSync(join(folder, name)).isDirectory() ? files(join(folder, name)) : [join(folder, name)],
      );
    const all = files(server.dataDir);
    expect(all.length).toBeGreaterThan(2);
    // The invitation is a setting that Admins read again; whoever has the file has the instance.
    for (const file of all) expect([file, found(readFileSync(file, 'latin1'), ['invite code'])]).toEqual([file, []]);
  });
});
