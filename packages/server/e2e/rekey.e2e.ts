import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { STANDARD_PAPER_TERMS } from '@pilotfish/core/money/trading-terms';
import type { NotificationSettings } from '@pilotfish/core/notifications/notifications-contract';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { AppContext } from '../src/app/context.ts';
import { accountFeatures } from '../src/app/features.ts';
import type { Rekeyed, RekeyPoint } from '../src/app/rekey.ts';
import { ENDED_BY_NEW_KEY, SEALED_COLUMNS } from '../src/app/sealed-columns.ts';
import { type SignedInUser, startTestServer, type TestServer } from '../src/app/testing/test-server.ts';
import { exchangeConnectionStore } from '../src/exchange-connection/exchange-connection-store.ts';
import { notificationSettingsStore } from '../src/notifications/notification-settings-store.ts';
import { notificationsFeature } from '../src/notifications/notifications-routes.ts';
import { pushStore } from '../src/notifications/push-channel.ts';
import { masterKeyFile, readMasterKey } from '../src/secrets/master-key.ts';
import { keyIdOf } from '../src/secrets/secret-box.ts';
import { telegramChats } from '../src/telegram/telegram-chats.ts';
import { walletsStore } from '../src/wallets/wallets-store.ts';
import { buildServerProgram, type ServerProgram } from './server-process.ts';

// The key file changes while the server stands still, in a process that is killed at any moment of it. Whatever the
// moment, the next start reads every secret, and a second attempt goes through.

const POINTS: readonly RekeyPoint[] = ['next key written', 'half sealed', 'sealed', 'committed', 'adopted'];
const CHAT = 4711;

let program: ServerProgram;
let server: TestServer;
let user: SignedInUser;
let accountId: string;
let asleep: { mockRestore(): void } | undefined;

beforeAll(async () => {
  program = await buildServerProgram('./rekey-entry.ts');
});
afterAll(() => program.remove());
beforeEach(async () => {
  const features = async (context: AppContext) => [
    notificationsFeature(context, { telegram: undefined }),
    ...(await accountFeatures(context)),
  ];
  server = await startTestServer({ features, realClock: true });
  user = await server.register();
  accountId = (await server.context.database.queries.selectFrom('accounts').select('id').executeTakeFirstOrThrow()).id;
  await fill();
});
afterEach(() => server.close());

/** Something sealed in every place there is. */
async function fill(): Promise<void> {
  const { context } = server;
  const { database, mailer, newId, secretBox } = context;
  await mailer.settle();
  asleep = vi.spyOn(mailer, 'wake').mockImplementation(() => undefined);
  await mailer.enqueue(database.queries, 'mail', { to: user.email, subject: 'canary', text: 'waiting' });
  await exchangeConnectionStore(database, secretBox).save(
    accountId,
    'Binance',
    { apiKey: 'key-canary', apiSecret: 'secret-canary' },
    '1',
    {} as never,
    1,
  );
  const wallet = {
    id: newId(),
    accountId,
    name: 'W',
    currency: 'USDT',
    mode: 'paper',
    reservePct: '0',
    createdAt: 1,
    terms: STANDARD_PAPER_TERMS,
  } as const;
  await walletsStore(database, secretBox, newId).insert(wallet, { apiKey: 'paper-key', apiSecret: 'paper-secret' }, database.queries);
  await notificationSettingsStore(context).save(
    accountId,
    { channels: {}, quietHours: { enabled: false, from: '23:00', to: '08:00', timeZone: 'UTC' } },
    { url: 'https://hook.example/canary', secret: 'hook-secret' },
  );
  const push = pushStore(context);
  await push.keys();
  await push.add(
    accountId,
    { endpoint: 'https://push.example/canary', keys: { p256dh: 'p', auth: 'a' } },
    'browser',
    async () => undefined,
  );
  const chats = telegramChats(context);
  const start = (await chats.startCode(accountId))!;
  const met = await chats.met(start.code, CHAT);
  await chats.connect(accountId, (met as { code: string }).code);
}

/** Every secret, as the features read it. */
async function opened() {
  const { context } = server;
  const { database, newId, secretBox } = context;
  const wallet = await database.queries.selectFrom('wallets').select('id').executeTakeFirstOrThrow();
  const push = pushStore(context);
  const chats = telegramChats(context);
  return {
    keys: await exchangeConnectionStore(database, secretBox).keys(accountId),
    paper: await walletsStore(database, secretBox, newId).paperKeys(wallet.id),
    webhook: await notificationSettingsStore(context).webhook(accountId),
    pushKey: (await push.keys()).privateKey.length > 10,
    browsers: (await push.list(accountId)).map(({ subscription }) => subscription.endpoint),
    chat: (await chats.byAccount(accountId))?.chat,
    byChat: (await chats.byChat(CHAT))?.account.id,
  };
}
const EVERYTHING = () => ({
  keys: { apiKey: 'key-canary', apiSecret: 'secret-canary', uid: '1' },
  paper: { apiKey: 'paper-key', apiSecret: 'paper-secret' },
  webhook: { url: 'https://hook.example/canary', secret: 'hook-secret' },
  pushKey: true,
  browsers: ['https://push.example/canary'],
  chat: CHAT,
  byChat: accountId,
});

/** Places in the whole database that hold a text sealed with this key: `table.column`. */
async function sealedWith(key: Uint8Array): Promise<string[]> {
  const { queries } = server.context.database;
  const tables = (await queries.introspection.getTables()).map(({ name }) => name);
  const found = new Set<string>();
  for (const table of tables) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(queries);
    for (const row of rows)
      for (const [column, value] of Object.entries(row)) {
        if (typeof value !== 'string' || !/^[\w+/]{100,}={0,2}$/.test(value)) continue;
        const bytes = Buffer.from(value, 'base64');
        if (bytes[0] === 1 && bytes[1] === keyIdOf(key)) found.add(`${table}.${column}`);
      }
  }
  return [...found].sort();
}
const keyNow = (): Uint8Array => readMasterKey(server.dataDir)!;

/**
 * Starts the server again; `meanwhile` nobody runs. This process still holds the index of the file it opened before,
 * whatever others did to that meanwhile: the new server gets a file of its own.
 */
async function restart(meanwhile: () => Promise<void> = async () => undefined): Promise<void> {
  await server.restart(async () => {
    await meanwhile();
    const file = join(server.dataDir, 'pilotfish.db');
    for (const part of [file, `${file}-wal`]) {
      if (!existsSync(part)) continue;
      copyFileSync(part, `${part}.copy`);
      renameSync(`${part}.copy`, part);
    }
    rmSync(`${file}-shm`, { force: true });
  });
}

async function run(more: Record<string, string> = {}): Promise<Rekeyed> {
  const { databaseUrl } = server.context.settings;
  const { url } = await program.start(server.dataDir, { ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }), ...more });
  return JSON.parse(url) as Rekeyed;
}

/** The mails that wait must leave, too. */
async function mailArrives(): Promise<void> {
  asleep?.mockRestore();
  server.advance(60_000);
  await server.context.mailer.deliver();
  const folder = join(server.dataDir, 'outbox');
  const mails = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  expect(mails.some((mail) => mail.includes('Subject: canary'))).toBe(true);
}

test('everything is sealed anew and nothing is left of the old key, and the list of what is sealed is whole', async () => {
  const before = keyNow();
  const places = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  const ended: readonly string[] = ENDED_BY_NEW_KEY;
  const found = await sealedWith(before);
  expect(found.filter((place) => !ended.includes(place.split('.')[0]!))).toEqual(
    places.filter((place) => place !== 'retired_keys.key').sort(),
  );
  let done: Rekeyed | undefined;
  await restart(async () => {
    done = await run();
  });
  const after = keyNow();
  expect(done).toMatchObject({ sealed: 12, recoveryCodes: 10 });
  expect(Buffer.from(readFileSync(done!.oldKeyFile, 'utf8'), 'base64')).toEqual(Buffer.from(before));
  expect(after).not.toEqual(before);
  expect(existsSync(`${masterKeyFile(server.dataDir)}.next`)).toBe(false);
  expect(await sealedWith(before)).toEqual([]);
  // The mail that waited left by itself when the server was there again, or leaves below.
  const withoutMail = (all: readonly string[]) => all.filter((place) => place !== 'mail_outbox.message').sort();
  expect(withoutMail(await sealedWith(after))).toEqual(withoutMail(places));
  expect(await opened()).toEqual(EVERYTHING());
  user.session = await server.signIn(user);
  await mailArrives();
  // The key of before opens nothing of now.
  await expect(restart(async () => copyFileSync(done!.oldKeyFile, masterKeyFile(server.dataDir)))).rejects.toThrow(
    'belongs to another database',
  );
  writeFileSync(masterKeyFile(server.dataDir), `${Buffer.from(after).toString('base64')}\n`);
  await restart();
});

test('recovery codes outlive key after key; they end only where that is asked for', async () => {
  const useCode = async (): Promise<number> => {
    const login = await server.call<{ code: string }>('/gateway/v1/account/login', {
      body: { username: user.username, password: user.password },
    });
    return (await server.call('/gateway/v1/account/verify-2fa', { body: { otpCode: user.recoveryCodes.shift() }, token: login.body.code }))
      .status;
  };
  for (let time = 0; time < 2; time += 1) await restart(async () => void (await run()));
  expect(await useCode()).toBe(200);
  await restart(async () => void (await run({ PILOTFISH_DROP_CODES: 'yes' })));
  expect(await useCode()).not.toBe(200);
  expect(await server.context.database.queries.selectFrom('retired_keys').selectAll().execute()).toEqual([]);
  user.session = await server.signIn(user);
  const settings = await user.call<NotificationSettings>('/bff/v2/notifications/settings');
  expect(settings.body.channels.find(({ channel }) => channel === 'webhook')?.target).toBe('hook.example');
});

test.each(POINTS)('kill -9 when: %s', async (point) => {
  await restart(async () => {
    await expect(run({ PILOTFISH_CRASH_AT: point })).rejects.toThrow('ended with null');
  });
  expect(await opened()).toEqual(EVERYTHING());
  user.session = await server.signIn(user);
  const before = keyNow();
  // Not only after a start: one attempt may also follow the other.
  await restart(async () => {
    await expect(run({ PILOTFISH_CRASH_AT: point })).rejects.toThrow('ended with null');
    await run();
  });
  expect(keyNow()).not.toEqual(before);
  expect(await sealedWith(before)).toEqual([]);
  expect(await opened()).toEqual(EVERYTHING());
  await mailArrives();
});

test('nothing that was sealed with the old key is left in the file, not even where it is free', async () => {
  if (server.context.database.dialect !== 'sqlite') return;
  const { totp_secret } = await server.context.database.queries.selectFrom('accounts').select('totp_secret').executeTakeFirstOrThrow();
  const raw = () =>
    ['', '-wal']
      .map((end) => join(server.dataDir, `pilotfish.db${end}`))
      .some((file) => existsSync(file) && readFileSync(file).includes(totp_secret!));
  expect(raw()).toBe(true);
  const never = restart(async () => {
    await run({ PILOTFISH_CLEAN: 'yes' });
    expect(raw()).toBe(false);
    throw new Error('seen');
  });
  await expect(never).rejects.toThrow('seen');
});

test('while a server runs nothing is touched', async () => {
  const before = keyNow();
  await expect(run()).rejects.toThrow(/already running|Another Pilotfish/);
  expect(keyNow()).toEqual(before);
  expect(await opened()).toEqual(EVERYTHING());
});
