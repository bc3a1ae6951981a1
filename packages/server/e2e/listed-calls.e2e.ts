import type { Enrolment, LoginAnswer } from '@pilotfish/core/auth/auth-contract';
import type { AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { until } from '@pilotfish/core/testing/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BotApiServer, startBotApiServer } from '../src/app/testing/bot-api-server.ts';
import type { CallOptions, SignedInUser, TestServer } from '../src/app/testing/test-server.ts';
import { totpCode } from '../src/auth/totp.ts';
import { signerFor } from '../src/exchange/signing.ts';
import { BUYS_AT_ONCE } from './bot-stage.ts';
import { type ExchangeStage, onClock, startExchangeStage } from './exchange-stage.ts';

// Every call that was asked for, by its path and with its payload as listed and nothing else: a program that knows the list
// alone must get through. A call that is listed without a payload is sent without a body.

let stage: ExchangeStage;
let server: TestServer;
let telegram: BotApiServer;
let user: SignedInUser;
let admin: SignedInUser;
/** What each call answered, by the call. */
const answered: Record<string, number> = {};

beforeAll(async () => {
  telegram = await startBotApiServer();
  stage = await startExchangeStage(11, { telegramBotToken: telegram.token, telegramApiRoot: telegram.url });
  server = stage.server;
  [admin, user] = [await server.register(), await server.register()];
});
afterAll(async () => {
  await stage?.close();
  await telegram?.close();
});

/** `POST /bff/v2/wallets` by somebody; its status is kept. PATCH carries the listed content type, with a body or without one. */
async function call<Body = Record<string, unknown>>(line: string, body?: unknown, who: SignedInUser = user, more: CallOptions = {}) {
  const [method = '', path = ''] = line.split(' ');
  // Writes are limited by the minute; the clock moves on.
  if (method !== 'GET') server.advance(250);
  const headers = { ...(method === 'PATCH' && { 'content-type': 'application/json-patch+json' }), ...more.headers };
  const answer = await who.call<Body>(path, { method, ...(body === undefined ? {} : { body }), ...more, headers });
  const name = line.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, '{id}').replace(/\?.*/, '');
  answered[name] = Math.max(answered[name] ?? 0, answer.status);
  return answer.body;
}
const got = (lines: readonly string[]) => Object.fromEntries(lines.map((line) => [line, answered[line]]));
/** All of these worked: with 200, or with what is named. */
const expectAll = (lines: readonly string[], others: Readonly<Record<string, number>> = {}) =>
  expect(got(lines)).toEqual(Object.fromEntries(lines.map((line) => [line, others[line] ?? 200])));
const BINANCE = '/gateway/v2/account/connect/binance';
const ACCOUNT = '/gateway/v1/account';

test('the account', async () => {
  const fields = { username: 'walker', email: 'walker@example.com', password: 'a walk over all calls' };
  const created = await call<Enrolment>(`POST ${ACCOUNT}/create`, fields, user, { token: undefined });
  const otpCode = totpCode(created.secretKey, server.now());
  await call(`POST ${ACCOUNT}/confirm-2fa`, { otpCode, confirmationCode: created.code }, user, { token: undefined });
  const { username, password } = fields;
  const answer = await call<LoginAnswer>(`POST ${ACCOUNT}/login`, { username, password }, user, { token: undefined });
  // A secret key comes only with an enrolment.
  expect(answer).toMatchObject({ code: expect.any(String) });
  expect(answer).not.toHaveProperty('secretKey');
  const { code } = answer;
  const verified = { otpCode: server.nextCode(created.secretKey) };
  const session = await call<SignedInUser['session']>(`POST ${ACCOUNT}/verify-2fa`, verified, user, { token: code });
  const refreshed = await call<typeof session>(`POST ${ACCOUNT}/refresh-token`, undefined, user, { token: session.refreshToken });
  // As it is stored by whoever signs in: these three, and nothing else.
  for (const each of [session, refreshed])
    expect(each).toEqual({ accessToken: expect.any(String), refreshToken: expect.any(String), expiresAt: expect.any(String) });
  const walker = { token: refreshed.accessToken };
  const newPassword = 'another walk over all calls';
  expect(await call(`POST ${ACCOUNT}/change-password`, { currentPassword: password, newPassword }, user, walker)).toMatchObject({
    success: true,
  });
  await call(`POST ${ACCOUNT}/receive-phone-confirmation`, { phone: '+905550001122' }, user, walker);
  expectAll(Object.keys(answered), { [`POST ${ACCOUNT}/create`]: 201, [`POST ${ACCOUNT}/receive-phone-confirmation`]: 202 });
});

test('what the market and the landing page read', async () => {
  const landing = ['gainers', 'losers', 'new-listings', 'holdings'].map((list) => `GET /bff/v1/landing/${list}?interval=24h`);
  const calls = ['landing/wallet-chartv2', 'landing/wallet-chart', 'news', 'currencies', 'tags', 'app-config', 'filter/options'];
  const lines = [...landing, ...[...calls, 'pairs', 'tickers'].map((path) => `GET /bff/v1/${path}`)];
  for (const line of lines) await call(line);
  await call('POST /bff/v1/filter/results', {});
  const precision = expect.any(Number) as number;
  expect(await call('GET /bff/v1/pairs')).toEqual(
    expect.arrayContaining([expect.objectContaining({ baseAsset: 'BTC', baseAssetPrecision: precision, quoteAssetPrecision: precision })]),
  );
  const options = await call<{ sort: object[]; filter: object[] }>('GET /bff/v1/filter/options');
  for (const each of options.sort) expect(each).toHaveProperty('key', expect.any(String));
  for (const each of options.filter) {
    expect(each).toHaveProperty('key', expect.any(String));
    expect(each).toHaveProperty('operations', expect.any(Array));
  }
  expectAll([...lines.map((line) => line.replace(/\?.*/, '')), 'POST /bff/v1/filter/results']);
});

test('connections and orders', async () => {
  const chat = onClock(stage.time, telegram.chat(4711));
  const { code: start = '' } = await call<{ code?: string }>('GET /gateway/v2/account/connect/telegram');
  const code = /telegram-connect\?code=([\w-]+)/.exec((await chat.say(`/start ${start}`)).text)?.[1] ?? '';
  const TELEGRAM = '/gateway/v2/account/connect/telegram';
  await call(`POST ${TELEGRAM}`, undefined, user, { headers: { code } });
  await call(`DELETE ${TELEGRAM}`);
  const { apiKey, apiSecret } = await stage.simulator.createAccount({ balances: { USDT: '10000' } });
  await call(`POST ${BINANCE}`, { clientId: apiKey, clientSecret: apiSecret });
  const permissions = await call(`GET ${BINANCE}`);
  expect(permissions).toMatchObject({ enableReading: true, enableSpotAndMarginTrading: true });
  for (const left of ['createTime', 'tradingAuthorityExpirationTime']) expect(permissions).not.toHaveProperty(left);
  expect(await call('GET /bff/v2/account')).toMatchObject({
    claims: expect.arrayContaining([{ name: 'username', value: user.username }]),
    exchanges: [{ name: 'Binance', tradeEnabled: true }],
    hasTelegram: false,
  });
  const { price } = await stage.venue.moment('BTCUSDT');
  const { orderId } = await stage.venue.placeOrder(
    signerFor(apiKey, apiSecret),
    { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', price: (price * 0.9).toFixed(2), quantity: '0.01' },
    { urgent: true, beforeSigning: () => undefined },
  );
  await call('GET /bff/v2/orders/Binance/BTCUSDT');
  await call(`DELETE /bff/v2/orders/Binance/BTCUSDT/${orderId}`);
  const lines = [`POST ${TELEGRAM}`, `DELETE ${TELEGRAM}`, `POST ${BINANCE}`, `GET ${BINANCE}`];
  expectAll([...lines, 'GET /bff/v2/orders/Binance/BTCUSDT', `DELETE /bff/v2/orders/Binance/BTCUSDT/${orderId}`], {
    [`POST ${TELEGRAM}`]: 204,
    [`DELETE ${TELEGRAM}`]: 204,
  });
});

test('positions, imports and migration', async () => {
  const form = new FormData();
  const rows = [
    'Date(UTC),Pair,Side,Price,Executed,Amount,Fee',
    '2025-01-01 10:00:00,ETHUSDT,BUY,3000,2ETH,6000USDT,6USDT',
    '2025-01-02 10:00:00,BTCUSDT,BUY,90000,0.1BTC,9000USDT,9USDT',
  ];
  form.append('file', new Blob([rows.join('\n')]), 'trades.csv');
  expect(await call('POST /bff/v2/import-trades/Binance', form)).toMatchObject({ committed: true, counts: { imported: 2 } });
  const [open, other] = (await call<{ items: { id: string }[] }>('GET /bff/v2/positions/open')).items.map(({ id }) => id);
  for (const path of ['overview', 'monthly-overview', `${open}/transactions`, `${open}/trades`, `open/${open}/daily-performance`])
    await call(`GET /bff/v2/positions/${path}`);
  await call(`PATCH /bff/v2/positions/open/${open}/target-price`, { targetPrice: '4000' });
  expect(await call(`PATCH /bff/v2/positions/open/${open}/target-price`, { targetPrice: 4000.5 })).toMatchObject({ targetPrice: '4000.5' });
  const patch = [{ op: 'replace', path: '/targetPrice', value: 4000 }];
  expect(await call(`PATCH /bff/v2/positions/open/${open}/target-price`, patch)).toMatchObject({ targetPrice: '4000' });
  expect(await call(`POST /bff/v2/positions/${other}/set-as-broken`)).toHaveProperty(
    'broken',
    expect.arrayContaining([expect.objectContaining({ code: 'USER' })]),
  );
  await call(`POST /bff/v2/positions/${other}/calculate`);
  // Nothing is said of what remains: it leaves at cost, so no result is invented.
  expect(await call(`POST /bff/v2/positions/open/${open}/set-as-closed`)).toMatchObject({ closedBy: 'hand', realised: '0' });
  const filter = 'exchange=Binance&currency=USDT&excludedPnl.min=-1&excludedPnl.max=1&page=1&pageSize=10';
  await call(`GET /bff/v2/positions/closed?${filter}&order=closedAt-desc&onlyBrokenPositions=false`);
  const closed = async (query: string) =>
    (await call<{ items: { id: string }[] }>(`GET /bff/v2/positions/closed?${query}`)).items.map(({ id }) => id);
  await stage.simulator.clock.advance(60_000);
  await call(`POST /bff/v2/positions/open/${other}/set-as-closed`);
  expect(await closed('order=asc')).toEqual(await closed('order=closedAt-asc'));
  expect(await closed('order=desc')).toEqual((await closed('order=asc')).toReversed());
  expect(await closed('brokenPositions=true')).toEqual(await closed('onlyBrokenPositions=true'));
  expect(await closed('brokenPositions=true')).not.toEqual(await closed('brokenPositions=false'));
  await call(`POST /bff/v2/positions/closed/${open}/set-as-open`);
  await call('GET /bff/v2/migration');
  const trade = { symbol: 'SOLUSDT', side: 'Buy', price: '150', quantity: '2', at: '2025-01-03T10:00:00.000Z' };
  await call('POST /bff/v2/migration/trades', { exchange: 'Binance', asset: 'SOL', trades: [trade] });
  await call('POST /bff/v2/migration/position', { exchange: 'Binance', asset: 'SOL' });
  const lines = Object.keys(answered).filter((line) => /positions|import-trades|migration/.test(line));
  expectAll(lines);
});

test('wallets, filters, bots, alerts and notifications', async () => {
  const { id: wallet } = await call<{ id: string }>('POST /bff/v2/wallets', { name: 'Main', initialBalance: '5000' });
  await call(`POST /bff/v2/wallets/${wallet}/add-balance`, { amount: '1' });
  await call(`POST /bff/v2/wallets/${wallet}/add-balance`, { amount: 0.1 });
  // What a number cannot keep is refused by name: nothing is booked that nobody wrote.
  const json = `{"amount":0.1000000000000000000001}`;
  const path = `/bff/v2/wallets/${wallet}/add-balance`;
  expect((await user.call(path, { method: 'POST', body: json })).body).toMatchObject({
    errors: [{ path: 'amount', code: 'too_precise', message: expect.stringContaining('15 digits') as string }],
  });
  await call('GET /bff/v2/wallets');
  await call(`GET /bff/v2/wallets/${wallet}`);
  const { id: filter } = await call<{ id: string }>('POST /bff/v2/coin-filters', { name: 'Mine' });
  await call('GET /bff/v2/coin-filters');
  await call(`DELETE /bff/v2/coin-filters/${filter}`);
  const alert = { symbol: 'BTCUSDT', condition: { kind: 'crosses', direction: 'up', level: '999999' } };
  const { id: watched } = await call<{ id: string }>('POST /bff/v2/price-alerts', alert);
  await call('GET /bff/v2/price-alerts');
  await call(`PUT /bff/v2/price-alerts/${watched}`, alert);
  await call(`DELETE /bff/v2/price-alerts/${watched}`);
  await withBot(wallet);
  await server.context.database.transaction(async (queries) => {
    const accountId = (await queries.selectFrom('accounts').select('id').where('username', '=', user.username).executeTakeFirstOrThrow())
      .id;
    const message = { accountId, kind: 'test', code: 'test', facts: {}, link: null, key: 'listed', channels: [] } as const;
    await server.context.notifier.enqueue(queries, message);
  });
  const { items } = await call<{ items: { id: string }[] }>('GET /bff/v2/notifications');
  // The listed content type with the bodies that come with it: none, an object, a JSON Patch.
  for (const body of [undefined, {}, { read: true }, [{ op: 'replace', path: '/read', value: true }]])
    expect(await call(`PATCH /bff/v2/notifications/${items[0]?.id}/read`, body)).toMatchObject({ read: true });
  for (const path of ['account', 'estimated-balance']) await call(`GET /bff/v2/${path}`);
  await call(`DELETE ${BINANCE}`);
  const lines = Object.keys(answered).filter((line) => /DELETE .*binance|v2\/(wallets|coin-|auto-|price-|notif|account$|estim)/.test(line));
  expectAll(lines, {
    [`DELETE ${BINANCE}`]: 204,
    'POST /bff/v2/wallets': 201,
    'POST /bff/v2/coin-filters': 201,
    'DELETE /bff/v2/coin-filters/{id}': 204,
    'POST /bff/v2/price-alerts': 201,
    'DELETE /bff/v2/price-alerts/{id}': 204,
    'DELETE /bff/v2/auto-trades/{id}/logs': 204,
    'DELETE /bff/v2/auto-trades/{id}': 204,
  });
});

async function withBot(walletId: string): Promise<void> {
  const config = { ...BUYS_AT_ONCE, walletId };
  const { autoTrade } = await call<{ autoTrade: { id: string } }>('POST /bff/v2/auto-trades', config);
  const BOT = `/bff/v2/auto-trades/${autoTrade.id}`;
  await call(`PUT ${BOT}`, config);
  await call(`POST ${BOT}/enable`);
  const position = await until(
    'an open position',
    async () => (await call<AutoTradeDetail>(`GET ${BOT}/detail`)).positions.find(({ state }) => state === 'Open')?.id,
    { time: stage.time, meanwhile: () => stage.simulator.clock.advance(1000) },
  );
  for (const line of ['GET /bff/v2/auto-trades', `GET ${BOT}`, `GET ${BOT}/logs`]) await call(line);
  for (const what of ['trades', 'logs']) await call(`GET ${BOT}/positions/${position}/${what}`);
  await call(`DELETE ${BOT}/logs`);
  await call(`POST ${BOT}/disable`);
  await call(`POST ${BOT}/positions/${position}/detach`);
  await call(`POST ${BOT}/reset`);
  await call(`DELETE ${BOT}`);
}

test('administration', async () => {
  const gone = await server.register();
  const { items } = await call<{ items: { id: string }[] }>(
    `GET /bff/v2/admin/users?search=${gone.username}&page=1&pageSize=10&sortBy=username&sortOrder=asc`,
    undefined,
    admin,
  );
  const USER = `/bff/v2/admin/users/${items[0]?.id}`;
  await call('GET /bff/v2/admin/stats', undefined, admin);
  expect(await call('GET /bff/v2/admin/roles', undefined, admin)).toMatchObject([{ name: 'Admin' }]);
  expect(await call(`PATCH ${USER}/roles`, { roles: ['Admin'] }, admin)).toMatchObject({ roles: ['Admin'] });
  await call(`DELETE ${USER}`, undefined, admin);
  const TEXTS = '/bff/v2/localization-resources';
  const text = { key: 'greeting.walk', values: { en: 'Hello', tr: 'Merhaba' } };
  const { id } = await call<{ id: string }>(`POST ${TEXTS}`, text, admin);
  expect(await call(`GET ${TEXTS}?page=1&pageSize=10&filter=greeting`, undefined, admin)).toMatchObject({ items: [text] });
  await call(`PUT ${TEXTS}/${id}`, text, admin);
  await call(`DELETE ${TEXTS}/${id}`, undefined, admin);
  const lines = Object.keys(answered).filter((line) => /admin|localization/.test(line));
  expectAll(lines, {
    'DELETE /bff/v2/admin/users/{id}': 204,
    [`POST ${TEXTS}`]: 201,
    [`DELETE ${TEXTS}/{id}`]: 204,
  });
});

/** As the list of what was asked for has them. `confirm-email` and `confirm-phone` need the code of a message: see `passwords.test.ts`. */
const LISTED: Readonly<Record<string, string>> = {
  '/gateway/v1/account':
    'POST create, POST confirm-2fa, POST login, POST verify-2fa, POST refresh-token, POST change-password, POST receive-phone-confirmation',
  '/gateway/v2/account/connect': 'POST telegram, DELETE telegram, POST binance, DELETE binance, GET binance',
  '/bff/v1/landing': 'GET gainers, GET losers, GET new-listings, GET holdings, GET wallet-chartv2, GET wallet-chart',
  '/bff/v1': 'GET news, GET currencies, GET tags, GET app-config, GET filter/options, GET pairs, GET tickers, POST filter/results',
  '/bff/v2': 'GET account, GET estimated-balance, GET migration, GET notifications, PATCH notifications/{id}/read',
  '/bff/v2/positions':
    'GET overview, GET monthly-overview, GET open, POST {id}/set-as-broken, POST {id}/calculate, PATCH open/{id}/target-price, POST open/{id}/set-as-closed, GET open/{id}/daily-performance, POST closed/{id}/set-as-open, GET {id}/transactions, GET {id}/trades, GET closed',
  '/bff/v2/orders': 'GET Binance/BTCUSDT, DELETE Binance/BTCUSDT/{order}',
  '/bff/v2/import-trades': 'POST Binance',
  '/bff/v2/migration': 'POST trades, POST position',
  '/bff/v2/coin-filters': 'GET , POST , DELETE {id}',
  '/bff/v2/auto-trades':
    'GET , GET {id}, GET {id}/detail, GET {id}/logs, GET {id}/positions/{id}/trades, GET {id}/positions/{id}/logs, DELETE {id}/logs, POST , PUT {id}, POST {id}/reset, POST {id}/enable, POST {id}/disable, DELETE {id}',
  '/bff/v2/wallets': 'POST , POST {id}/add-balance, GET , GET {id}',
  '/bff/v2/admin': 'GET stats, GET users, DELETE users/{id}, PATCH users/{id}/roles, GET roles',
  '/bff/v2/localization-resources': 'GET , PUT {id}, POST , DELETE {id}',
  '/bff/v2/price-alerts': 'GET , POST , PUT {id}, DELETE {id}',
};

test('nothing of the list was left out', () => {
  const made = new Set(Object.keys(answered).map((line) => line.replace(/(BTCUSDT\/)\d+$/, '$1{order}')));
  const listed = Object.entries(LISTED).flatMap(([folder, calls]) =>
    calls.split(', ').map((each) => {
      const [method = '', path = ''] = each.split(' ');
      return `${method} ${folder}${path === '' ? '' : `/${path}`}`;
    }),
  );
  expect(listed.filter((line) => !made.has(line))).toEqual([]);
});
