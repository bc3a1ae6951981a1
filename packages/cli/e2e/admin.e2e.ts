import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import type { AdminAuditEntry, AdminStats, AdminUser } from '@pilotfish/core/admin/admin-contract';
import type { AdminCurrency, AdminTag, ShownSetting } from '@pilotfish/core/admin/instance-contract';
import type { LocalizationResource } from '@pilotfish/core/admin/localization-contract';
import { type SignedInUser, startTestServer, type TestServer } from '@pilotfish/server/app/testing/test-server';
import { MARKET_START } from '@pilotfish/simulator/testing/test-market';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Pipe, Run } from './pipe.ts';
import { type Account, openAccount, openStage } from './stage.ts';

// Every verb of `pilotfish admin` against a running server, as its Admin, as somebody else and as nobody.

let server: TestServer;
let account: Account;
let user: SignedInUser;
let folder: string;
let pipe: Pipe;

beforeAll(async () => {
  const { simulator } = await openStage();
  // One of its own: the whole instance is the subject.
  server = await startTestServer({
    realClock: true,
    now: MARKET_START,
    settings: { exchangeRestUrl: simulator.origin, exchangeWsUrl: simulator.wsOrigin },
  });
  account = await openAccount({ server, user: await server.register({ username: 'ada' }) });
  user = await server.register({ username: 'bob' });
  for (const username of ['carol', 'dave', 'Bobby']) await server.register({ username });
  ({ folder, pipe } = account);
});
afterAll(async () => {
  await server?.close();
  account?.close();
});

const asBob = (words: readonly string[]): Promise<Run> => pipe.run(words, { env: { PILOTFISH_TOKEN: user.session.accessToken } });
type Refusal = { code: string; detail: string; fix?: string; errors?: { path: string; message: string }[] };
/** How it ended, and the problem document that was written. */
const refused = async (words: readonly string[]) => {
  const { exit, stdout, stderr } = await pipe.run([...words, '--json']);
  expect(stdout, words.join(' ')).toBe('');
  return { exit, ...(JSON.parse(stderr) as Refusal) };
};
const names = (users: readonly AdminUser[]) => users.map(({ username }) => username);

describe('users and roles', () => {
  test('are listed, with and without the verb, searched, sorted, by page', { tags: ['smoke'] }, async () => {
    const all = await pipe.json<AdminUser[]>(['admin', 'users', 'ls', '--sort', 'username']);
    expect(names(all)).toEqual(['ada', 'bob', 'Bobby', 'carol', 'dave']);
    expect(all[0]).toMatchObject({ email: 'ada@example.com', roles: ['Admin'], twoFactor: true });
    expect(await pipe.json(['admin', 'users', '--sort', 'username'])).toEqual(all);
    expect(names(await pipe.json(['admin', 'users', '--search', 'bob', '--sort', 'username:desc']))).toEqual(['Bobby', 'bob']);
    expect(await pipe.json(['admin', 'users', 'ls', '--page', '2'])).toEqual([]);
    expect((await pipe.run(['admin', 'users', 'ls', '--search', 'carol', '--fields', 'username,email,roles'])).stdout).toBe(
      'carol\tcarol@example.com\t\n',
    );
    expect((await pipe.run(['admin', 'users', 'ls', '--search', 'ada', '--csv', '--fields', 'username,roles'])).stdout).toBe(
      'username,roles\r\nada,Admin\r\n',
    );
    expect(await pipe.json(['admin', 'users', 'show', 'BOB@example.com'])).toMatchObject({ username: 'bob' });
    const terminal = account.open(['admin', 'users', 'ls', '--search', 'zoe', '--lang', 'tr'], { columns: 120 });
    await terminal.ended();
    expect(terminal.screen()).toBe('Uyan kullanıcı yok.');
  });

  test('what cannot be asked for names the option', async () => {
    expect(await refused(['admin', 'users', 'ls', '--sort', 'age'])).toMatchObject({
      exit: 2,
      detail: expect.stringContaining('lastSeenAt'),
    });
    expect(await refused(['admin', 'users', '--page', '0'])).toMatchObject({ exit: 2, detail: expect.stringContaining('--page') });
    expect(await refused(['admin', 'users', '--page', '0', '--lang', 'tr'])).toMatchObject({ detail: '--page tam sayı olmalı, 0 değil.' });
    expect(await refused(['admin', 'users', 'bob'])).toMatchObject({ exit: 2, code: 'tooMany' });
    expect(await refused(['admin', 'users', 'show', 'zoe'])).toMatchObject({
      exit: 7,
      code: 'noSuchUser',
      detail: 'There is no user zoe.',
    });
    expect(await refused(['admin', 'usrs'])).toMatchObject({ exit: 2, fix: 'Did you mean users?' });
  });

  test('roles are made, changed, given and deleted; what their users may do without them is said first', async () => {
    expect(await refused(['admin', 'roles', 'add', 'Reader'])).toMatchObject({ exit: 2, detail: expect.stringContaining('--allow') });
    expect(await refused(['admin', 'roles', 'add', 'Reader', '--allow', 'bot'])).toMatchObject({
      exit: 2,
      detail: expect.stringContaining('price-alerts'),
    });
    expect(await pipe.json(['admin', 'roles', 'add', 'Reader', '--allow', 'none'])).toMatchObject({
      name: 'Reader',
      permissions: [],
      users: 0,
    });
    expect(await refused(['admin', 'roles', 'add', 'admin', '--allow', 'bots'])).toMatchObject({ exit: 8, code: 'conflict' });
    expect(await pipe.json(['admin', 'roles', 'set', 'dave', 'reader', '--yes'])).toMatchObject({ roles: ['Reader'] });
    expect(await refused(['admin', 'roles', 'change', 'Reader', '--allow', 'bots'])).toMatchObject({
      exit: 2,
      detail: expect.stringContaining('--yes'),
    });
    expect(
      await pipe.json(['admin', 'roles', 'change', 'Reader', '--allow', 'price-alerts,bots', '--rename', 'Trader', '--yes']),
    ).toMatchObject({ name: 'Trader', permissions: ['bots', 'price-alerts'], users: 1 });
    expect(await refused(['admin', 'roles', 'rm', 'Reader', '--yes'])).toMatchObject({ exit: 7, code: 'noSuchRole' });
    const asked = account.open(['admin', 'roles', 'rm', 'Trader'], { columns: 160 });
    await asked.see(/dave: may then also: Live trading, Trade import, Exchange connection/);
    await asked.see(/Delete the role Trader\?.*1/);
    asked.type('y\r');
    expect((await asked.ended()).exitCode).toBe(0);
    expect(await pipe.json(['admin', 'users', 'show', 'dave'])).toMatchObject({ roles: [] });
  });

  test('roles are given and taken, after a question', async () => {
    expect(await pipe.json(['admin', 'roles', 'ls'])).toMatchObject([{ id: null, name: 'Admin', users: 1 }]);
    expect(await pipe.json(['admin', 'roles'])).toMatchObject([{ id: null, name: 'Admin', users: 1 }]);
    expect(await refused(['admin', 'roles', 'set', 'carol', 'Admin'])).toMatchObject({ exit: 2, detail: expect.stringContaining('--yes') });
    const asked = account.open(['admin', 'users', 'roles', 'carol', 'Admin'], { columns: 160 });
    await asked.see(/carol.*Admin.*\?/);
    asked.type('n\r');
    expect((await asked.ended()).exitCode).toBe(1);
    expect(await pipe.json(['admin', 'roles', 'set', 'carol'])).toMatchObject({ roles: [] });
    expect(await pipe.json(['admin', 'roles', 'set', 'carol', 'Admin', '--yes'])).toMatchObject({ roles: ['Admin'] });
    expect(await pipe.json(['admin', 'users', 'roles', 'carol', 'none', '--yes'])).toMatchObject({ roles: [] });
    // What was said before there were verbs.
    expect(await pipe.json(['admin', 'roles', 'carol'])).toMatchObject({ username: 'carol', roles: [] });
    expect(await refused(['admin', 'roles', 'set', 'carol', 'King', '--yes'])).toMatchObject({ exit: 2, code: 'invalid' });
    expect(await refused(['admin', 'roles', 'set', 'ada', 'none', '--yes'])).toMatchObject({ exit: 8, code: 'last-admin' });
  });

  test('one is deleted, but never oneself as the last Admin', async () => {
    expect(await refused(['admin', 'users', 'rm', 'dave'])).toMatchObject({ exit: 2, detail: expect.stringContaining('--yes') });
    expect(await pipe.run(['admin', 'users', 'rm', 'dave', '--yes'])).toMatchObject({ exit: 0, stdout: '', stderr: 'dave is deleted.\n' });
    expect(await refused(['admin', 'users', 'rm', 'dave', '--yes'])).toMatchObject({ exit: 7 });
    expect((await refused(['admin', 'users', 'rm', 'ada', '--yes'])).exit).toBe(8);
    expect((await pipe.run(['admin', 'rm', 'bobby', '--yes', '--lang', 'tr'])).stderr).toBe('Bobby silindi.\n');
    expect(names(await pipe.json(['admin', 'users', '--sort', 'username']))).toEqual(['ada', 'bob', 'carol']);
  });
});

test('figures of the instance', async () => {
  expect(await pipe.json<AdminStats>(['admin', 'stats'])).toMatchObject({ users: 3, botsByState: {}, ordersLastHour: 0 });
  expect((await pipe.run(['admin', 'stats'])).stdout).toMatch(/^users\t3$/m);
});

test('texts are found, changed, restored, written to a file and taken back', async () => {
  const key = 'nav.prices';
  const said = async () =>
    (await pipe.json<LocalizationResource[]>(['admin', 'l10n', 'ls', '--search', key])).find((each) => each.key === key);
  const before = await said();
  expect(await pipe.json(['admin', 'l10n', 'set', key, '--en', 'Rates'])).toMatchObject({ changed: true, values: { en: 'Rates' } });
  expect(await pipe.json(['admin', 'l10n', 'set', key, '--tr', 'Kurlar'])).toMatchObject({ values: { en: 'Rates', tr: 'Kurlar' } });
  expect((await pipe.json<LocalizationResource[]>(['admin', 'l10n', '--state', 'changed'])).map((each) => each.key)).toEqual([key]);
  const file = join(folder, 'texts.json');
  expect(await pipe.run(['admin', 'l10n', 'export', file])).toMatchObject({ exit: 0, stdout: '' });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ format: 'pilotfish-texts-1', texts: { [key]: { en: 'Rates', tr: 'Kurlar' } } });
  expect(JSON.parse((await pipe.run(['admin', 'l10n', 'export', '-'])).stdout)).toMatchObject({ format: 'pilotfish-texts-1' });
  expect((await pipe.run(['admin', 'l10n', 'set', key, '--reset'])).exit).toBe(0);
  expect(await said()).toEqual(before);
  expect(await pipe.json(['admin', 'l10n', 'import', file, '--dry-run'])).toEqual({ added: 0, changed: 1, unchanged: 0 });
  expect(await said()).toEqual(before);
  expect((await pipe.run(['admin', 'l10n', 'import', file])).exit).toBe(0);
  expect(await said()).toMatchObject({ values: { en: 'Rates', tr: 'Kurlar' } });
  expect(await refused(['admin', 'l10n', 'set', key])).toMatchObject({ exit: 2, detail: expect.stringContaining('--en') });
  expect(await refused(['admin', 'l10n', 'set', 'no.such', '--reset'])).toMatchObject({ exit: 7, code: 'noSuchText' });
  writeFileSync(file, '{"texts": 1}');
  expect(await refused(['admin', 'l10n', 'import', file])).toMatchObject({ exit: 2, code: 'notTexts' });
  expect(await refused(['admin', 'l10n', 'import', join(folder, 'none.json')])).toMatchObject({ exit: 1, code: 'cannotRead' });
  expect((await refused(['admin', 'l10n', 'ls', '--state', 'odd'])).detail).toContain('missing');
  // Its pages are told to a person only.
  const terminal = account.open(['admin', 'l10n', 'ls', '--fields', 'key'], { columns: 160, rows: 60 });
  await terminal.see(/page 1 of \d+/);
  await terminal.ended();
});

/** A red square as a PNG. */
function png(side: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(side * 3, Buffer.from([255, 0, 0]))]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: side }, () => row)));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

test('a currency gets a name, a place and a picture, and goes back to what the exchange says', async () => {
  const shown = async () =>
    (await pipe.json<AdminCurrency[]>(['admin', 'currencies', '--search', 'btc'])).find(({ code }) => code === 'BTC');
  const before = await shown();
  const picture = join(folder, 'btc.png');
  writeFileSync(picture, png(32));
  expect(
    await pipe.json([
      'admin',
      'currencies',
      'set',
      'btc',
      '--label',
      'Bitcoin (ours)',
      '--precision',
      '0',
      '--order',
      '1',
      '--icon',
      picture,
    ]),
  ).toMatchObject({ code: 'BTC', name: 'Bitcoin (ours)', precision: 0, sort: 1, hasIcon: true, changed: true });
  expect(await pipe.json(['admin', 'currencies', 'set', 'BTC', '--disable'])).toMatchObject({ enabled: false });
  expect(await pipe.json(['admin', 'currencies', 'set', 'BTC', '--enable'])).toMatchObject({ enabled: true, name: 'Bitcoin (ours)' });
  expect(await refused(['admin', 'currencies', 'set', 'BTC', '--precision', 'many'])).toMatchObject({
    exit: 2,
    detail: '--precision must be a whole number, not many.',
  });
  const tooFine = await refused(['admin', 'currencies', 'set', 'BTC', '--precision', '40']);
  expect(tooFine).toMatchObject({ exit: 2, code: 'invalid', errors: [expect.objectContaining({ path: 'precision' })] });
  expect(await refused(['admin', 'currencies', 'set', 'BTC', '--enable', '--disable'])).toMatchObject({ exit: 2 });
  expect(await refused(['admin', 'currencies', 'set', 'BTC'])).toMatchObject({ exit: 2, code: 'needsFlag' });
  writeFileSync(picture, 'no picture');
  expect(await refused(['admin', 'currencies', 'set', 'BTC', '--icon', picture])).toMatchObject({ exit: 2 });
  expect(await refused(['admin', 'currencies', 'set', 'BTC', '--icon', join(folder, 'none.png')])).toMatchObject({ code: 'cannotRead' });
  expect(await shown()).toMatchObject({ name: 'Bitcoin (ours)', precision: 0, hasIcon: true });
  expect((await pipe.run(['admin', 'currencies', 'set', 'BTC', '--reset'])).exit).toBe(0);
  expect(await shown()).toEqual(before);
});

test('a tag is made, changed and removed; the built-in ones stay', async () => {
  const set = (...words: string[]) => ['admin', 'tags', 'set', 'our-picks', ...words];
  expect(await refused(set('--coins', 'BTC'))).toMatchObject({ exit: 2, detail: expect.stringContaining('--en') });
  expect(await pipe.json(set('--en', 'Our picks', '--coins', 'btc, ETH'))).toEqual({
    key: 'our-picks',
    labels: { en: 'Our picks', tr: 'Our picks' },
    assets: ['BTC', 'ETH'],
    builtIn: false,
  });
  expect(await pipe.json(set('--tr', 'Seçtiklerimiz'))).toMatchObject({
    labels: { en: 'Our picks', tr: 'Seçtiklerimiz' },
    assets: ['BTC', 'ETH'],
  });
  expect(await pipe.json<AdminTag[]>(['admin', 'tags'])).toContainEqual(expect.objectContaining({ key: 'our-picks' }));
  expect((await pipe.run(set('--remove'))).exit).toBe(0);
  const left = await pipe.json<AdminTag[]>(['admin', 'tags', 'ls']);
  expect(left.filter(({ builtIn }) => !builtIn)).toEqual([]);
  expect(left.length).toBeGreaterThan(0);
  expect(await refused(set('--remove'))).toMatchObject({ exit: 7 });
  expect((await refused(['admin', 'tags', 'set', left[0]!.key, '--remove'])).exit).not.toBe(0);
  expect(await refused(['admin', 'tags', 'set', 'Not A Key', '--en', 'x'])).toMatchObject({
    exit: 2,
    errors: [expect.objectContaining({ path: 'key' })],
  });
});

test('settings are set by their kind and restored; what is no value changes nothing', async () => {
  const value = async (key: string) => (await pipe.json<ShownSetting[]>(['admin', 'settings'])).find((each) => each.key === key)?.value;
  const set = (...words: string[]) => pipe.json<ShownSetting>(['admin', 'settings', 'set', ...words]);
  expect(await set('registration.mode', 'closed')).toMatchObject({ value: 'closed', default: 'open' });
  expect(await set('registration.mode')).toMatchObject({ value: 'open' });
  expect(await set('alerts.maxPerAccount', '20')).toMatchObject({ value: 20 });
  expect(await set('telegram.shown', 'off')).toMatchObject({ value: false });
  expect(await set('telegram.shown', 'yes')).toMatchObject({ value: true });
  expect(await set('news.feeds', 'https://example.com/a.xml, https://example.com/b.xml')).toMatchObject({
    value: ['https://example.com/a.xml', 'https://example.com/b.xml'],
  });
  expect(await set('news.feeds', '')).toMatchObject({ value: [] });
  expect(await refused(['admin', 'settings', 'set', 'alerts.maxPerAccount', 'many'])).toMatchObject({
    exit: 2,
    detail: 'alerts.maxPerAccount must be a whole number, not many.',
  });
  expect(await refused(['admin', 'settings', 'set', 'telegram.shown', 'perhaps', '--lang', 'tr'])).toMatchObject({
    exit: 2,
    detail: 'telegram.shown şunları kabul eder: on, off.',
  });
  expect(await refused(['admin', 'settings', 'set', 'registration.mode', 'ajar'])).toMatchObject({
    exit: 2,
    errors: [expect.objectContaining({ path: expect.stringContaining('registration.mode') })],
  });
  expect((await refused(['admin', 'settings', 'set', 'no.such', '1'])).detail).toContain('registration.mode');
  expect(await value('alerts.maxPerAccount')).toBe(20);
});

test('everything of it stands in the log', async () => {
  const entries = await pipe.json<AdminAuditEntry[]>(['admin', 'audit', 'ls', '--area', 'admin']);
  const actions = new Set(entries.map(({ action }) => action));
  for (const part of [
    'set-roles',
    'delete-user',
    'change-text',
    'import-texts',
    'change-currency',
    'currency-icon',
    'create-tag',
    'change-settings',
  ])
    expect(actions).toContain(`admin.${part}`);
  expect(entries.every(({ actor, account }) => actor === 'ada' || account === 'ada')).toBe(true);
  expect(await pipe.json(['admin', 'audit', '--search', 'ada', '--area', 'admin', '--outcome', 'failure', '--page', '9'])).toEqual([]);
  expect((await refused(['admin', 'audit', '--area', 'gossip'])).detail).toContain('trade-import');
  expect((await pipe.run(['admin', 'audit', 'ls', '--csv'])).stdout.split('\r\n')[0]).toBe(
    'at,account,actor,action,target,outcome,address,details',
  );
});

test('on the machine itself: the mails that nobody sent, and a lost authenticator', async () => {
  const here = ['--data-dir', server.dataDir];
  const mails = await pipe.json<{ id: string; to: string }[]>(['admin', 'outbox', ...here]);
  const toBob = mails.find(({ to }) => to === 'bob@example.com');
  expect((await pipe.run(['admin', 'outbox', toBob!.id, ...here])).stdout).toContain('#confirm-email=');
  expect(await refused(['admin', 'outbox', 'none', ...here])).toMatchObject({ exit: 7 });
  expect(await refused(['admin', 'reset-2fa', 'carol', '--data-dir', folder, '--yes'])).toMatchObject({ exit: 7, code: 'noData' });
  expect(await refused(['admin', 'rekey', '--data-dir', folder, '--yes'])).toMatchObject({ exit: 7, code: 'noData' });
  if (process.env.PILOTFISH_TEST_DIALECT === 'postgres') return;
  expect(await refused(['admin', 'rekey', ...here])).toMatchObject({ exit: 2, detail: expect.stringContaining('--yes') });
  expect(await refused(['admin', 'rekey', ...here, '--yes'])).toMatchObject({
    exit: 1,
    detail: expect.stringContaining('already running'),
  });
  expect(await pipe.json(['admin', 'mails', ...here])).toEqual([]);
  const left = { channel: 'mail' as const, message: null, attempts: 13, due_at: 1, created_at: 1, sent_at: null };
  await server.context.database.queries
    .insertInto('mail_outbox')
    .values({ id: 'given-up-1', ...left, failed_at: 2, failure: 'EENVELOPE 550' })
    .execute();
  expect(await pipe.json(['admin', 'mails', ...here])).toMatchObject([
    { id: 'given-up-1', state: 'given-up', attempts: 13, failure: 'EENVELOPE 550' },
  ]);
  expect(await refused(['admin', 'mails', 'none', '--again', ...here])).toMatchObject({ exit: 7 });
  expect((await pipe.run(['admin', 'mails', '--again', ...here])).exit).toBe(0);
  await server.context.mailer.deliver();
  expect(await pipe.json(['admin', 'mails', ...here])).toEqual([]);
  expect(await refused(['admin', 'reset-2fa', 'carol', ...here])).toMatchObject({ exit: 2, detail: expect.stringContaining('--yes') });
  expect((await pipe.run(['admin', 'reset-2fa', 'carol', ...here, '--yes'])).exit).toBe(0);
  expect(await pipe.json(['admin', 'users', 'show', 'carol'])).toMatchObject({ twoFactor: false });
});

const VERBS: readonly string[] = [
  'stats',
  'users ls',
  'users show ada',
  'users roles ada none --yes',
  'users rm ada --yes',
  'roles ls',
  'l10n ls',
  'l10n set nav.prices --en Mine',
  'l10n export -',
  'currencies ls',
  'currencies set BTC --label Mine',
  'tags ls',
  'tags set mine --en Mine',
  'settings ls',
  'settings set registration.mode closed',
  'audit ls',
];
/** What gives power or takes an account away, in every run; the others in the deep one. */
const GRAVE = VERBS.filter((line) => /^(users (roles|rm)|settings set)/.test(line));
const isForAdmin = async (line: string) => {
  const words = line.split(' ');
  const said = await asBob(['admin', ...words]);
  expect(said).toMatchObject({ exit: 5, stdout: '', stderr: expect.stringContaining('(forbidden)') });
  const guest = await pipe.run(['admin', ...words, '--lang', 'tr'], { env: { PILOTFISH_TOKEN: '' } });
  expect(guest).toMatchObject({ exit: 4, stdout: '', stderr: expect.stringContaining('pilotfish auth login') });
};
test.each(GRAVE)('admin %s is for the Admin alone', isForAdmin);
test.each(VERBS.filter((line) => !GRAVE.includes(line)))('admin %s is for the Admin alone', isForAdmin);
