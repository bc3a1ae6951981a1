import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import type { Simulator } from '@pilotfish/simulator/app/simulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SignedInUser, TestServer } from '../src/app/testing/test-server.ts';
import { type ExchangeStage, startExchangeStage } from './exchange-stage.ts';

// What people and other programs send by mistake or on purpose: each gets a sentence, nothing is lost, nothing leaks.

let simulator: Simulator;
let server: TestServer;
let stage: ExchangeStage;
let ada: SignedInUser;
let bob: SignedInUser;
let keys: { apiKey: string; apiSecret: string };
let wallet: Wallet;
let bot: AutoTrade;

const config = (over: object = {}) => ({
  name: 'Dip',
  walletId: wallet.id,
  coins: { symbols: ['BTCUSDT'] },
  entry: { size: { mode: 'fixed', value: '100' } },
  stopLoss: { mode: 'percent', pct: '5' },
  takeProfit: { levels: [{ gainPct: '4', sellPct: '100' }] },
  ...over,
});
const connect = (user: SignedInUser, clientId: string, clientSecret: string) =>
  user.call('/gateway/v2/account/connect/binance', { body: { clientId, clientSecret } });

beforeAll(async () => {
  stage = await startExchangeStage(2);
  ({ simulator, server } = stage);
  ada = await server.register();
  bob = await server.register();
  keys = await simulator.createAccount();
  expect((await connect(ada, keys.apiKey, keys.apiSecret)).status).toBe(200);
  wallet = (await ada.call<Wallet>('/bff/v2/wallets', { body: { name: 'Main', mode: 'live', initialBalance: '1000' } })).body;
  bot = (await ada.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', { body: config() })).body.autoTrade;
});
afterAll(async () => {
  await stage?.close();
});

describe('exchange keys', () => {
  test('a wrong secret is refused and the old keys stay', async () => {
    const { status, body } = await connect(ada, keys.apiKey, 'canary-wrong-secret-0123456789');
    expect([status, body.code]).toEqual([422, 'invalid-key']);
    expect((await ada.call('/gateway/v2/account/connect/binance')).status).toBe(200);
  });
  test('a key that can withdraw is refused', async () => {
    const rich = await simulator.createAccount({ permissions: { enableWithdrawals: true } });
    const { status, body } = await connect(bob, rich.apiKey, rich.apiSecret);
    expect([status, body.code]).toEqual([422, 'withdrawals-enabled']);
    expect((await bob.call('/gateway/v2/account/connect/binance')).body.code).toBe('not-connected');
  });
  test('an Ed25519 key connects; a broken private key is named by its field, not quoted', async () => {
    const account = await simulator.createAccount({ keyType: 'ed25519' });
    expect((await connect(bob, account.apiKey, account.apiSecret)).status).toBe(200);
    const broken = await connect(bob, account.apiKey, '-----BEGIN PRIVATE KEY-----\ncanary-private\n-----END PRIVATE KEY-----');
    expect(broken).toMatchObject({ status: 400, body: { code: 'invalid', errors: [{ path: 'clientSecret' }] } });
    const other = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    expect((await connect(bob, account.apiKey, other)).body.code).toBe('invalid-key');
  });
  test('a key without trading is taken with a warning, and cannot back a live wallet', async () => {
    const reader = await simulator.createAccount({ permissions: { enableSpotAndMarginTrading: false } });
    const { body } = await connect(bob, reader.apiKey, reader.apiSecret);
    expect(body.warnings).toContain('trading-disabled');
    const refused = await bob.call('/bff/v2/wallets', { body: { name: 'Live', mode: 'live', initialBalance: '1' } });
    expect(refused.body.code).toBe('trading-disabled');
  });
});

describe('fields nobody knows', () => {
  test('a halt with a field of another name halts nothing', async () => {
    const { status, body } = await ada.call('/bff/v2/auto-trades/halt', { body: { scope: 'coin', symbol: 'BTCUSDT', minutes: 5 } });
    expect([status, body.code]).toEqual([400, 'invalid']);
    expect(body.errors).toMatchObject([{ path: 'minutes', code: 'unknown_field', message: expect.stringContaining('hours') }]);
    expect((await ada.call<unknown[]>('/bff/v2/auto-trades/halts')).body).toEqual([]);
    const near = await ada.call('/bff/v2/auto-trades/halt', { body: { scope: 'coin', symbol: 'BTCUSDT', hour: 1 } });
    expect(near.body.errors).toMatchObject([{ path: 'hour', message: '“hour” is unknown here. Did you mean “hours”?' }]);
  });
  test('an unknown word in the address of a call that writes', async () => {
    const { status, body } = await ada.call('/bff/v2/import-trades/Binance?comit=true', { method: 'POST', body: {} });
    expect([status, body.errors]).toMatchObject([400, [{ path: 'comit', limit: 'commit' }]]);
  });
  test('a filter of two thousand levels is refused before it is read', async () => {
    let filter: object = { match: 'all', rules: [] };
    for (let level = 0; level < 2000; level += 1) filter = { match: 'all', rules: [filter] };
    const { status, body } = await ada.call('/bff/v1/filter/results', { body: { filter } });
    expect([status, body.errors]).toMatchObject([400, [{ code: 'too_deep', limit: '100' }]]);
  });
});

describe('bots and wallets', () => {
  test.each([
    ['an unknown setting', { martingale: true }, 400, 'invalid'],
    ['no stop loss chosen', { stopLoss: undefined }, 400, 'invalid'],
    ['a number of too many digits', { entry: { size: { mode: 'fixed', value: 100.00000000000001 } } }, 400, 'invalid'],
    ['an exponent', { entry: { size: { mode: 'fixed', value: '1e2' } } }, 400, 'invalid'],
    ['a negative size', { entry: { size: { mode: 'fixed', value: '-5' } } }, 400, 'invalid'],
    ['a pair that does not exist', { coins: { symbols: ['NOPEUSDT'] } }, 422, 'rules-violated'],
    ['more than the wallet holds', { entry: { size: { mode: 'fixed', value: '5000' } } }, 422, 'rules-violated'],
    ['shares that are not the whole', { takeProfit: { levels: [{ gainPct: '4', sellPct: '50' }] } }, 422, 'rules-violated'],
  ])('%s', async (_, over, status, code) => {
    const answer = await ada.call<{ code: string; errors: { path: string; message: string }[] }>('/bff/v2/auto-trades', {
      body: config({ name: 'Bad', ...over }),
    });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    for (const error of answer.body.errors) expect(error.message).not.toBe('');
    expect(answer.body.errors.length).toBeGreaterThan(0);
  });
  test('a word that chooses a form is refused with the words there are', async () => {
    const { body } = await ada.call('/bff/v2/auto-trades', { body: config({ entry: { size: { mode: 'lots', value: '5' } } }) });
    expect(body.errors).toMatchObject([{ path: 'entry.size.mode', code: 'invalid_value', limit: 'fixed, percentOfWallet' }]);
  });
  test('validateOnly says the same without saving', async () => {
    const { status, body } = await ada.call('/bff/v2/auto-trades?validateOnly=true', {
      body: config({ name: 'Bad', coins: { symbols: ['NOPEUSDT'] } }),
    });
    expect([status, body.valid]).toEqual([200, false]);
    expect(JSON.stringify(body.errors)).toContain('coins.symbols.0');
    expect((await ada.call<AutoTrade[]>('/bff/v2/auto-trades')).body).toHaveLength(1);
  });
  test('sentences come in the language of the caller', async () => {
    const headers = { 'accept-language': 'tr' };
    const { body } = await ada.call<{ errors: { message: string }[] }>('/bff/v2/auto-trades', {
      body: config({ name: 'Bad', coins: { symbols: ['NOPEUSDT'] } }),
      headers,
    });
    expect(body.errors[0]?.message).toContain('listelemiyor');
  });
  test('a budget beyond the account is refused, and so is taking more than is free', async () => {
    expect((await ada.call('/bff/v2/wallets', { body: { name: 'Huge', mode: 'live', initialBalance: '999999' } })).body.code).toBe(
      'underfunded',
    );
    expect((await ada.call(`/bff/v2/wallets/${wallet.id}/add-balance`, { body: { amount: '-1000.01' } })).body.code).toBe('underfunded');
    expect((await ada.call<Wallet>(`/bff/v2/wallets/${wallet.id}`)).body.free).toBe('1000');
  });
  test('the same call twice with one key is one bot', async () => {
    const headers = { 'idempotency-key': 'one-and-the-same' };
    const first = await ada.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', { body: config({ name: 'Once' }), headers });
    const second = await ada.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', { body: config({ name: 'Once' }), headers });
    expect(second.body.autoTrade.id).toBe(first.body.autoTrade.id);
    expect((await ada.call(`/bff/v2/auto-trades/${first.body.autoTrade.id}`, { method: 'DELETE' })).status).toBe(204);
  });
  test('an older version does not overwrite a newer one', async () => {
    const put = (version: number, name: string) =>
      ada.call(`/bff/v2/auto-trades/${bot.id}?version=${version}`, { method: 'PUT', body: config({ name }) });
    expect((await put(1, 'Second')).status).toBe(200);
    expect((await put(1, 'Third')).body.code).toBe('version-conflict');
    expect((await ada.call<AutoTrade>(`/bff/v2/auto-trades/${bot.id}`)).body).toMatchObject({ name: 'Second', configVersion: 2 });
  });
});

describe('what belongs to somebody else', () => {
  test.each([
    ['GET', ''],
    ['GET', '/detail'],
    ['GET', '/traces'],
    ['GET', '/logs'],
    ['DELETE', '/logs'],
    ['POST', '/enable'],
    ['POST', '/disable'],
    ['POST', '/reset'],
    ['DELETE', ''],
  ])('%s /auto-trades/{id}%s is not there', async (method, path) => {
    const { status } = await bob.call(`/bff/v2/auto-trades/${bot.id}${path}`, { method, ...(method === 'POST' ? { body: {} } : {}) });
    expect(status).toBe(404);
  });
  test('nor is a wallet, and a bot cannot be pointed at it', async () => {
    expect((await bob.call(`/bff/v2/wallets/${wallet.id}`)).status).toBe(404);
    expect((await bob.call(`/bff/v2/wallets/${wallet.id}/add-balance`, { body: { amount: '1' } })).status).toBe(404);
    const { body } = await bob.call('/bff/v2/auto-trades', { body: config() });
    expect(JSON.stringify(body)).toContain('WALLET_UNKNOWN');
  });
  test('guests are told to sign in', async () => {
    for (const path of ['/bff/v2/auto-trades', '/bff/v2/wallets', '/bff/v2/orders/Binance/all'])
      expect((await server.call(path)).status).toBe(401);
  });
});

test('market questions that make no sense get an answer that does', async () => {
  expect((await server.call('/bff/v1/candles/NOPEUSDT')).body.code).toBe('not-found');
  expect((await server.call('/bff/v1/candles/BTCUSDT?interval=7m')).status).toBe(400);
  expect((await server.call('/bff/v1/candles/BTCUSDT?limit=100000')).status).toBe(400);
});

test('no secret was ever logged, and none lies open in the data folder', () => {
  const secrets = [keys.apiSecret, keys.apiKey, 'canary-wrong-secret', 'canary-private', ada.secretKey];
  const files = (folder: string): string[] =>
    readdirSync(folder).flatMap((name) => (statSync(join(folder, name)).isDirectory() ? files(join(folder, name)) : [join(folder, name)]));
  const stored = files(server.dataDir).map((file) => readFileSync(file, 'latin1'));
  for (const secret of secrets) {
    expect(server.logged()).not.toContain(secret);
    for (const content of stored) expect(content.includes(secret)).toBe(false);
  }
});
