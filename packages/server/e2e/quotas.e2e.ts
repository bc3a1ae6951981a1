import { randomBytes } from 'node:crypto';
import type { Limit } from '@pilotfish/core/account/account-contract';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Problem } from '@pilotfish/core/http/problem-document';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedInUser } from '../src/app/testing/test-server.ts';
import { type ExchangeStage, startExchangeStage } from './exchange-stage.ts';

// What an account may have at most: refused with a sentence that names the limit and the number in use, never a sign-out.

let stage: ExchangeStage;
let admin: SignedInUser;
let wallet: Wallet;
beforeAll(async () => {
  stage = await startExchangeStage(3);
  admin = await stage.server.register();
  wallet = (await admin.call<Wallet>('/bff/v2/wallets', { body: paper('First') })).body;
});
afterAll(async () => {
  await stage?.close();
});

const paper = (name: string) => ({ name, mode: 'paper', initialBalance: '1000' });
const allow = async (values: Record<string, number>): Promise<void> => {
  const { status, body } = await admin.call('/bff/v2/admin/app-settings', { method: 'PUT', body: { values } });
  expect(status, JSON.stringify(body)).toBe(200);
};
const bot = (name: string, symbols: readonly string[]) => ({
  name,
  walletId: wallet.id,
  coins: { symbols },
  entry: { size: { mode: 'fixed', value: '100' } },
  stopLoss: { mode: 'percent', pct: '5' },
  takeProfit: { levels: [{ gainPct: '4', sellPct: '100' }] },
});
const refused = (limit: number, used: number, detail: string) => ({
  status: 409,
  body: { code: 'quota-reached', detail, errors: [{ code: 'quota', message: detail, limit: String(limit), actual: String(used) }] },
});
const made = <Body>(path: string, body: object) => admin.call<Body & Problem>(path, { body });

test('wallets', async () => {
  await allow({ 'quotas.wallets': 2 });
  expect((await made('/bff/v2/wallets', paper('Second'))).status).toBe(201);
  expect(await made('/bff/v2/wallets', paper('Third'))).toMatchObject(
    refused(2, 2, 'Wallets in use: 2 of 2. Use one of them, or ask an Admin of this server for more.'),
  );
});

test('bots, the coins of one, and those of all that run', async () => {
  await allow({ 'quotas.bots': 2, 'quotas.coinsPerBot': 2, 'quotas.coins': 3 });
  const create = (name: string, symbols: string[]) => made<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', bot(name, symbols));
  expect(await create('Three', ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'])).toMatchObject(
    refused(2, 3, 'This bot would follow 3 coins; the limit for one bot is 2. Choose fewer coins, or narrow its filters.'),
  );
  const one = (await create('One', ['BTCUSDT', 'ETHUSDT'])).body.autoTrade;
  const two = (await create('Two', ['SOLUSDT'])).body.autoTrade;
  expect(await create('Another', ['BTCUSDT'])).toMatchObject({
    status: 409,
    body: { code: 'quota-reached', errors: [{ limit: '2', actual: '2' }] },
  });
  expect((await made(`/bff/v2/auto-trades/${one.id}/enable`, {})).status).toBe(200);
  expect((await made(`/bff/v2/auto-trades/${two.id}/enable`, {})).status).toBe(200);
  const change = (coins: string[]) => admin.call(`/bff/v2/auto-trades/${two.id}`, { method: 'PUT', body: bot('Two', coins) });
  expect(await change(['SOLUSDT', 'BNBUSDT'])).toMatchObject(
    refused(
      3,
      4,
      'Your running bots would follow 4 coins together; the limit for one account is 3. Choose fewer coins, or disable another bot first.',
    ),
  );
  // A limit that came later: what is there stays, and can be changed as long as it does not grow.
  await allow({ 'quotas.coinsPerBot': 1, 'quotas.coins': 1 });
  expect((await change(['ETHUSDT'])).status).toBe(200);
  expect((await made(`/bff/v2/auto-trades/${one.id}/disable`, {})).status).toBe(200);
  expect(await made(`/bff/v2/auto-trades/${one.id}/enable`, {})).toMatchObject({ status: 409, body: { code: 'quota-reached' } });
});

test('of many at once no more get in than there is room for, and everybody can read how much that is', async () => {
  const { call } = await stage.server.register();
  await allow({ 'quotas.wallets': 3, 'quotas.bots': 2, 'quotas.coinsPerBot': 2, 'quotas.coins': 3, 'alerts.maxPerAccount': 2 });
  const many = async (path: string, body: (index: number) => object): Promise<number[]> =>
    (await Promise.all(Array.from({ length: 6 }, (_, index) => call(path, { body: body(index) })))).map(({ status }) => status);
  const refusals = (statuses: readonly number[]) => statuses.filter((status) => status === 409).length;
  expect(refusals(await many('/bff/v2/wallets', (index) => paper(`W${index}`)))).toBe(3);
  const [{ id: walletId }] = (await call<[Wallet]>('/bff/v2/wallets')).body;
  const follows = (index: number) => ({ ...bot(`B${index}`, ['BTCUSDT', 'ETHUSDT']), walletId });
  expect(refusals(await many('/bff/v2/auto-trades', follows))).toBe(4);
  expect(
    refusals(
      await many('/bff/v2/price-alerts', (note) => ({ symbol: 'BTCUSDT', condition: { kind: 'above', level: '9' }, note: `${note}` })),
    ),
  ).toBe(4);
  const bots = (await call<AutoTrade[]>('/bff/v2/auto-trades')).body;
  const enabled = await Promise.all(bots.map(({ id }) => call(`/bff/v2/auto-trades/${id}/enable`, { body: {} })));
  expect(refusals(enabled.map(({ status }) => status))).toBe(1);
  const { items } = (await call<{ items: Limit[] }>('/bff/v2/account/limits')).body;
  expect(items).toEqual(
    expect.arrayContaining([
      { quota: 'bots', used: 2, limit: 2 },
      { quota: 'coinsPerBot', used: null, limit: 2 },
      { quota: 'coins', used: 2, limit: 3 },
      { quota: 'wallets', used: 3, limit: 3 },
      { quota: 'alerts', used: 2, limit: 2 },
      { quota: 'exports', used: 0, limit: 5 },
      { quota: 'sessions', used: 1, limit: 50 },
    ]),
  );
});

test('saved filters, price alerts and browsers, in the language of the caller', async () => {
  await allow({ 'quotas.coinFilters': 1, 'alerts.maxPerAccount': 1, 'quotas.pushBrowsers': 1 });
  const browser = (name: string) => ({
    endpoint: `https://push.example/${name}`,
    keys: { p256dh: Buffer.concat([Buffer.from([4]), randomBytes(64)]).toString('base64url'), auth: randomBytes(16).toString('base64url') },
  });
  const calls: [string, (name: string) => object, string][] = [
    ['/bff/v2/coin-filters', (name) => ({ name, quoteAsset: 'USDT' }), 'Saved filters in use: 1 of 1. Delete one first.'],
    [
      '/bff/v2/price-alerts',
      (note) => ({ symbol: 'BTCUSDT', condition: { kind: 'above', level: '900000' }, note }),
      'Price alerts in use: 1 of 1. Delete one first.',
    ],
    ['/bff/v2/notifications/push', browser, 'Browsers with push notifications: 1 of 1. Turn them off in one you no longer use.'],
  ];
  for (const [path, body, sentence] of calls) {
    expect((await made(path, body('first'))).status).toBe(201);
    expect(await made(path, body('second'))).toMatchObject(refused(1, 1, sentence));
  }
  const turkish = await admin.call<Problem>('/bff/v2/coin-filters', {
    body: { name: 'x', quoteAsset: 'USDT' },
    headers: { 'accept-language': 'tr' },
  });
  expect(turkish.body.detail).toBe('Kayıtlı filtre: 1 / 1. Önce birini silin.');
});

const HEADER = 'Date(UTC),Pair,Side,Price,Executed,Amount,Fee';
const imported = (rows: readonly string[], name: string, query = '') => {
  const body = new FormData();
  body.append('file', new Blob([[HEADER, ...rows].join('\n')]), name);
  return admin.call<Problem>(`/bff/v2/import-trades/Binance${query}`, { method: 'POST', body });
};

test('stored imports: a preview is always read', async () => {
  await allow({ 'quotas.imports': 1 });
  const row = '2025-01-01 10:00:00,BTCUSDT,BUY,100,1BTC,100USDT,0USDT';
  expect((await imported([row], 'a.csv')).status).toBe(200);
  expect(await imported([row], 'b.csv')).toMatchObject(
    refused(1, 1, 'Stored imports: 1 of 1. Take back an earlier import first, or put several files into one ZIP.'),
  );
  expect((await imported([row], 'b.csv', '?preview=true')).status).toBe(200);
});

test('what imports take together: nothing is left of a file beyond it', async () => {
  await allow({ 'quotas.imports': 10, 'quotas.importMegabytes': 1 });
  const rows = Array.from({ length: 6000 }, (_, index) => {
    const at = new Date(Date.UTC(2025, 1, 1) + index * 60_000).toISOString().slice(0, 19).replace('T', ' ');
    return `${at},BTCUSDT,BUY,100,1BTC,100USDT,0USDT`;
  });
  const used = async () =>
    (await admin.call<{ items: Limit[] }>('/bff/v2/account/limits')).body.items.find(({ quota }) => quota === 'importMb');
  const files = async () =>
    (await admin.call<{ fileName: string }[]>('/bff/v2/import-trades/Binance')).body.map(({ fileName }) => fileName);
  expect((await imported(rows.slice(0, 1500), 'small.csv')).status).toBe(200);
  expect(await used()).toEqual({ quota: 'importMb', used: 1, limit: 1 });
  expect(await imported(rows, 'large.csv')).toMatchObject(
    refused(
      1,
      2,
      'With this file your imports would take 2 MB; the limit for one account is 1 MB. Take back an earlier import first, or ask an Admin of this server for more.',
    ),
  );
  expect(await files()).toEqual(['small.csv', 'a.csv']);
  await allow({ 'quotas.importMegabytes': 3 });
  expect((await imported(rows, 'large.csv')).body).toMatchObject({ counts: { imported: 4500, duplicate: 1500 } });
  expect((await used())?.used).toBeGreaterThan(1);
});

test('one device more signs out the one that was away longest', async () => {
  const user = await stage.server.register();
  await allow({ 'quotas.sessions': 2 });
  const second = await stage.server.signIn(user);
  const third = await stage.server.signIn(user);
  const statusOf = async (token: string) => (await stage.server.call('/bff/v2/account', { token })).status;
  expect(await statusOf(user.session.accessToken)).toBe(401);
  expect(await statusOf(second.accessToken)).toBe(200);
  expect(await statusOf(third.accessToken)).toBe(200);
});
