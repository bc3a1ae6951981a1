/** @module-tag smoke */
import { createECDH, randomBytes } from 'node:crypto';
import type { AutoTrade, AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { contract, type EndpointId } from '@pilotfish/core/http/contract';
import type { AnyEndpoint } from '@pilotfish/core/http/endpoint';
import { BACKEND_PREFIX, fillPath } from '@pilotfish/core/http/endpoint-path';
import type { PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { until } from '@pilotfish/core/testing/until';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import type { Simulator } from '@pilotfish/simulator/app/simulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SignedInUser, TestServer } from '../src/app/testing/test-server.ts';
import { BUYS_AT_ONCE } from './bot-stage.ts';
import { type ExchangeStage, startExchangeStage } from './exchange-stage.ts';

// Who may call what, on things that really are: one line per endpoint, and every kind of caller tries every endpoint.

/** What a call is about that belongs to somebody; its id is Bob's. */
type Thing = 'alert' | 'bot' | 'filter' | 'halt' | 'import' | 'notification' | 'position' | 'push' | 'session' | 'template' | 'wallet';
/**
 * `anyone`, `optional` (a guest, too), `pending` and `refresh` (those tokens and no other), `self` (whoever is signed in,
 * on nothing but their own account), `admin`, or the thing that only its owner reaches.
 */
type Who = 'anyone' | 'optional' | 'pending' | 'refresh' | 'self' | 'admin' | Thing;

/** The table. An endpoint that is not here fails the types and the first test. */
const EXPECTED: Readonly<Record<EndpointId, Who>> = {
  createAccount: 'anyone',
  confirmTwoFactor: 'anyone',
  login: 'anyone',
  forgotPassword: 'anyone',
  resetPassword: 'anyone',
  confirmEmail: 'anyone',
  listPairs: 'anyone',
  listTickers: 'anyone',
  listSparklines: 'anyone',
  listCandles: 'anyone',
  getAppConfig: 'anyone',
  listCurrencies: 'anyone',
  listTags: 'anyone',
  getNews: 'anyone',
  getGainers: 'anyone',
  getLosers: 'anyone',
  getNewListings: 'anyone',
  getLocalizationOverrides: 'anyone',
  getFilterOptions: 'optional',
  getFilterResults: 'optional',
  getHoldings: 'optional',
  verifyTwoFactor: 'pending',
  refreshToken: 'refresh',
  logout: 'self',
  changePassword: 'self',
  receivePhoneConfirmation: 'self',
  confirmPhone: 'self',
  listSessions: 'self',
  revokeSession: 'session',
  revokeOtherSessions: 'self',
  listConnections: 'self',
  endConnections: 'self',
  listAuditLog: 'self',
  getAccount: 'self',
  getPreferences: 'self',
  listLimits: 'self',
  listUnreadable: 'self',
  setPreferences: 'self',
  startAccountExport: 'self',
  getAccountExport: 'self',
  downloadAccountExport: 'self',
  deleteAccountExport: 'self',
  deleteAccount: 'self',
  stepUp: 'self',
  resendEmailConfirmation: 'self',
  changeEmail: 'self',
  getRecoveryCodes: 'self',
  renewRecoveryCodes: 'self',
  replaceTwoFactor: 'self',
  confirmReplacedTwoFactor: 'self',
  connectBinance: 'self',
  disconnectBinance: 'self',
  getBinancePermissions: 'self',
  createDemoAccount: 'self',
  connectTelegram: 'self',
  disconnectTelegram: 'self',
  getTelegramLink: 'self',
  muteTelegram: 'self',
  listCoinFilters: 'self',
  createCoinFilter: 'self',
  deleteCoinFilter: 'filter',
  getCoinFilterCoins: 'filter',
  getWalletChartV2: 'self',
  getWalletChart: 'self',
  getEstimatedBalance: 'self',
  getNeeds: 'self',
  getNextEvents: 'self',
  getActivity: 'self',
  getEquity: 'self',
  getPerformance: 'self',
  getPositionsOverview: 'self',
  getMonthlyOverview: 'self',
  listOpenPositions: 'self',
  listHeldPositions: 'self',
  listClosedPositions: 'self',
  setPositionBroken: 'position',
  calculatePosition: 'position',
  setTargetPrice: 'position',
  setPositionClosed: 'position',
  setPositionOpen: 'position',
  getDailyPerformance: 'position',
  listPositionTransactions: 'position',
  listPositionTrades: 'position',
  listPairFills: 'self',
  setPositionExcluded: 'position',
  getSyncStatus: 'self',
  startSync: 'self',
  listCandleMonths: 'self',
  readCandleMonth: 'self',
  putCandleMonth: 'admin',
  removeCandleMonths: 'admin',
  startCandleFetch: 'self',
  getCandleFetch: 'self',
  endCandleFetch: 'self',
  // Orders are asked of the exchange with the caller's own key.
  listOpenOrders: 'self',
  cancelOrder: 'self',
  listAutoTrades: 'self',
  listAutoTradeFigures: 'self',
  listBotTemplates: 'self',
  createBotTemplate: 'self',
  updateBotTemplate: 'template',
  deleteBotTemplate: 'template',
  createAutoTrade: 'self',
  getAutoTrade: 'bot',
  getAutoTradeDetail: 'bot',
  listAutoTradeTraces: 'bot',
  listAutoTradeLogs: 'bot',
  deleteAutoTradeLogs: 'bot',
  listAutoTradePositionTrades: 'bot',
  listAutoTradePositionLogs: 'bot',
  listAutoTradeVersions: 'bot',
  updateAutoTrade: 'bot',
  enableAutoTrade: 'bot',
  disableAutoTrade: 'bot',
  resetAutoTrade: 'bot',
  deleteAutoTrade: 'bot',
  enterAutoTrade: 'bot',
  sellAutoTradePosition: 'bot',
  setAutoTradePositionTarget: 'bot',
  moveAutoTradePositionLevels: 'bot',
  detachAutoTradePosition: 'bot',
  resumeAutoTradePosition: 'bot',
  carryOverAutoTradePosition: 'bot',
  downloadAutoTradeTape: 'bot',
  compareAutoTrade: 'bot',
  listKnownPositions: 'bot',
  haltAutoTrades: 'self',
  listCoinHalts: 'self',
  liftCoinHalt: 'halt',
  createWallet: 'self',
  listWallets: 'self',
  getWallet: 'wallet',
  updateWallet: 'wallet',
  addWalletBalance: 'wallet',
  listPriceAlerts: 'self',
  createPriceAlert: 'self',
  getPriceAlertHistory: 'self',
  updatePriceAlert: 'alert',
  deletePriceAlert: 'alert',
  snoozePriceAlert: 'alert',
  acknowledgePriceAlert: 'alert',
  enablePriceAlert: 'alert',
  disablePriceAlert: 'alert',
  importTrades: 'self',
  listImports: 'self',
  undoImport: 'import',
  listHalfSwaps: 'self',
  carryOver: 'self',
  getMigration: 'self',
  addMigrationTrades: 'self',
  buildMigrationPosition: 'self',
  listNotifications: 'self',
  readNotification: 'notification',
  readAllNotifications: 'self',
  getNotificationSettings: 'self',
  saveNotificationSettings: 'self',
  sendTestNotification: 'self',
  getPushKey: 'self',
  addPushSubscription: 'self',
  removePushSubscription: 'push',
  getAdminStats: 'admin',
  listUsers: 'admin',
  deleteUser: 'admin',
  setUserRoles: 'admin',
  listRoles: 'admin',
  createRole: 'admin',
  changeRole: 'admin',
  listRoleHolders: 'admin',
  deleteRole: 'admin',
  listAdminAuditLog: 'admin',
  listAppSettings: 'admin',
  changeAppSettings: 'admin',
  listAdminCurrencies: 'admin',
  changeCurrency: 'admin',
  resetCurrency: 'admin',
  setCurrencyIcon: 'admin',
  removeCurrencyIcon: 'admin',
  listAdminTags: 'admin',
  createTag: 'admin',
  changeTag: 'admin',
  deleteTag: 'admin',
  listLocalizationResources: 'admin',
  createLocalizationResource: 'admin',
  updateLocalizationResource: 'admin',
  deleteLocalizationResource: 'admin',
  exportLocalizationResources: 'admin',
  importLocalizationResources: 'admin',
  getMarketChoice: 'admin',
  chooseMarket: 'admin',
};

const UNKNOWN = '018f0000-0000-7000-8000-000000000000';
const PLAIN: readonly Who[] = ['anyone', 'optional', 'pending', 'refresh', 'self', 'admin'];
const isThing = (who: Who): who is Thing => !PLAIN.includes(who);
const all = Object.entries(EXPECTED).map(([id, who]) => [id, who, contract[id as EndpointId] as AnyEndpoint] as const);
const owned = all.filter(([, who]) => isThing(who));

let simulator: Simulator;
let server: TestServer;
let stage: ExchangeStage;
let ada: SignedInUser;
let bob: SignedInUser;
let eve: SignedInUser;
let things: Record<Thing, string>;
let botPosition = '';
let walletId = '';
/** Tokens that open nothing, or nothing here. */
let dead: Record<'deleted account' | 'revoked session' | 'refresh token' | 'pending code' | 'unsigned token', string>;

const config = () => ({
  ...BUYS_AT_ONCE,
  name: 'Dip',
  walletId,
  stopLoss: { mode: 'percent', pct: '40' },
});
const ALERT = { symbol: 'BTCUSDT', condition: { kind: 'crosses', direction: 'up', level: '999999' } };
const TEMPLATE = { entry: {}, stopLoss: { mode: 'none' } };
const BODIES: Partial<Record<EndpointId, () => unknown>> = {
  updateAutoTrade: config,
  enterAutoTrade: () => ({ symbol: 'BTCUSDT' }),
  setAutoTradePositionTarget: () => ({ targetPrice: null }),
  moveAutoTradePositionLevels: () => ({ stop: null }),
  carryOverAutoTradePosition: () => ({ factor: '100' }),
  updateBotTemplate: () => ({ name: 'Renamed' }),
  updateWallet: () => ({ latencyMs: 1 }),
  addWalletBalance: () => ({ amount: '1' }),
  updatePriceAlert: () => ALERT,
  snoozePriceAlert: () => ({ minutes: 5 }),
  setTargetPrice: () => ({ targetPrice: '1' }),
  setPositionClosed: () => ({ remainder: 'at-cost' }),
  setPositionExcluded: () => ({ excluded: true }),
};

const accountId = async (who: SignedInUser) =>
  (await who.call<{ claims: { name: string; value: string }[] }>('/bff/v2/account')).body.claims.find(({ name }) => name === 'sub')
    ?.value ?? '';

beforeAll(async () => {
  stage = await startExchangeStage(11, { allowPrivateWebhooks: true });
  ({ simulator, server } = stage);
  [ada, bob, eve] = [await server.register(), await server.register(), await server.register()];
  await furnish();
  const login = { username: eve.username, password: eve.password };
  const pending = (await server.call<{ code: string }>('/gateway/v1/account/login', { body: login })).body.code;
  const [gone, left] = [await server.register(), await server.register()];
  const deleted = await ada.call(`/bff/v2/admin/users/${await accountId(gone)}`, { method: 'DELETE' });
  expect(deleted.status).toBe(204);
  const second = await server.signIn(left);
  expect((await left.call('/gateway/v1/account/sessions', { method: 'DELETE' })).status).toBe(200);
  const [, payload = ''] = eve.session.accessToken.split('.');
  dead = {
    'deleted account': gone.session.accessToken,
    'revoked session': second.accessToken,
    'refresh token': eve.session.refreshToken,
    'pending code': pending,
    'unsigned token': `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${payload}.`,
  };
});
afterAll(async () => {
  await stage?.close();
});

/** One of everything, Bob's. */
async function furnish(): Promise<void> {
  const made = async <Body>(path: string, body: unknown, read: (answer: Body) => string): Promise<string> => {
    const answer = await bob.call<Body>(path, { method: 'POST', body });
    const id = answer.status < 300 ? read(answer.body) : '';
    expect([path, answer.status < 300 ? id : answer.body]).toEqual([path, expect.stringMatching(/^[\da-f-]{36}$/)]);
    return id;
  };
  walletId = await made<Wallet>('/bff/v2/wallets', { name: 'Main', mode: 'paper', initialBalance: '5000' }, ({ id }) => id);
  const bot = await made<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', config(), ({ autoTrade }) => autoTrade.id);
  await bob.call(`/bff/v2/auto-trades/${bot}/enable`, { method: 'POST', body: {} });
  botPosition = await until(
    'an open position',
    async () =>
      (await bob.call<AutoTradeDetail>(`/bff/v2/auto-trades/${bot}/detail`)).body.positions.find(({ state }) => state === 'Open')?.id,
    { time: stage.time, meanwhile: () => simulator.clock.advance(1000) },
  );
  const trades = new FormData();
  const rows = ['Date(UTC),Pair,Side,Price,Executed,Amount,Fee', '2025-01-01 10:00:00,ETHUSDT,BUY,3000,2ETH,6000USDT,6USDT'];
  trades.append('file', new Blob([rows.join('\n')]), 'trades.csv');
  expect((await bob.call('/bff/v2/import-trades/Binance', { method: 'POST', body: trades })).status).toBe(200);
  const first = async (path: string) => {
    const { body } = await bob.call<{ id: string }[] | { items: { id: string }[] }>(path);
    return (Array.isArray(body) ? body : body.items)[0]?.id ?? '';
  };
  const ecdh = createECDH('prime256v1');
  const keys = { p256dh: ecdh.generateKeys().toString('base64url'), auth: randomBytes(16).toString('base64url') };
  const push = await made<{ id: string }>('/bff/v2/notifications/push', { endpoint: 'http://127.0.0.1:1/push', keys }, ({ id }) => id);
  const owner = await accountId(bob);
  await server.context.database.transaction((queries) =>
    server.context.notifier.enqueue(queries, {
      accountId: owner,
      kind: 'test',
      code: 'test',
      facts: {},
      link: null,
      key: 'kept',
      channels: [],
    }),
  );
  expect((await bob.call('/bff/v2/auto-trades/halt', { body: { scope: 'coin', symbol: 'SOLUSDT', hours: 5 } })).status).toBe(200);
  const session = await server.signIn(bob);
  const sessions = (await bob.call<{ items: { id: string; current: boolean }[] }>('/gateway/v1/account/sessions')).body.items;
  expect(session.accessToken).not.toBe(bob.session.accessToken);
  things = {
    wallet: walletId,
    bot,
    alert: await made<PriceAlert>('/bff/v2/price-alerts', ALERT, ({ id }) => id),
    filter: await made<{ id: string }>('/bff/v2/coin-filters', { name: 'Mine' }, ({ id }) => id),
    template: await made<{ id: string }>('/bff/v2/auto-trades/templates', { name: 'Mine', settings: TEMPLATE }, ({ id }) => id),
    import: await first('/bff/v2/import-trades/Binance'),
    position: await first('/bff/v2/positions/open'),
    notification: await first('/bff/v2/notifications'),
    halt: await first('/bff/v2/auto-trades/halts'),
    session: sessions.find(({ current }) => !current)?.id ?? '',
    push,
  };
  expect(Object.entries(things).filter(([, id]) => !/^[\da-f-]{36}$/.test(id))).toEqual([]);
}

const urlOf = ({ backend, path }: AnyEndpoint, id: string, positionId = id): string =>
  `${BACKEND_PREFIX[backend]}${fillPath(path, { id, positionId, exchange: 'Binance', symbol: 'BTCUSDT', interval: '1h', month: '2024-01', orderId: '1', code: 'BTC', key: 'none', language: 'en' })}`;
const bodyOf = (id: string, { method }: AnyEndpoint) => (method === 'GET' ? {} : { body: BODIES[id as EndpointId]?.() ?? {} });

function attempt(id: string, endpoint: AnyEndpoint, token: string | undefined, thing = UNKNOWN, position = thing) {
  // Writes are limited by the minute; the clock moves on.
  if (endpoint.method !== 'GET') server.advance(250);
  return server.call(urlOf(endpoint, thing, position), { method: endpoint.method, token, ...bodyOf(id, endpoint) });
}

/** Everything of Bob's that a stranger could have changed. */
async function kept(): Promise<string> {
  const { queries } = server.context.database;
  const rows = await Promise.all([
    queries.selectFrom('wallets').selectAll().orderBy('id').execute(),
    queries.selectFrom('auto_trades').selectAll().orderBy('id').execute(),
    queries.selectFrom('auto_trade_configs').selectAll().orderBy('version').execute(),
    queries.selectFrom('auto_trade_positions').select(['id', 'state']).orderBy('id').execute(),
    queries.selectFrom('order_intents').select('id').orderBy('id').execute(),
    queries.selectFrom('coin_filters').select(['id', 'name']).orderBy('id').execute(),
    queries.selectFrom('bot_templates').selectAll().orderBy('id').execute(),
    queries.selectFrom('coin_halts').selectAll().orderBy('id').execute(),
    queries.selectFrom('halts').selectAll().orderBy('scope_id').execute(),
    queries.selectFrom('import_batches').selectAll().orderBy('id').execute(),
    queries.selectFrom('position_overrides').selectAll().execute(),
    queries.selectFrom('ledger_entries').select('entry_id').orderBy('entry_id').execute(),
    queries.selectFrom('notifications').select(['id', 'read_at']).orderBy('id').execute(),
    queries.selectFrom('price_alerts').select(['id', 'body', 'state']).orderBy('id').execute(),
    queries.selectFrom('push_subscriptions').select('id').orderBy('id').execute(),
    queries.selectFrom('sessions').select(['id', 'revoked_at']).orderBy('id').execute(),
    queries.selectFrom('account_roles').selectAll().orderBy('account_id').execute(),
  ]);
  return JSON.stringify(rows);
}

test('the table has a line for every endpoint, and says what the contract says', () => {
  expect(Object.keys(EXPECTED).sort()).toEqual(Object.keys(contract).sort());
  const access = { anyone: 'none', optional: 'optional', pending: 'pending', refresh: 'refresh', admin: 'admin' } as Record<string, string>;
  for (const [id, who, endpoint] of all) expect([id, endpoint.access]).toEqual([id, access[who] ?? 'user']);
  // What is named by an id in its path belongs to somebody, or is an Admin's.
  for (const [id, who, { path }] of all)
    if (/\{(id|positionId)\}/.test(path)) expect([id, isThing(who) || who === 'admin']).toEqual([id, true]);
});

describe('those who have no business here', () => {
  test.each(all)('%s (%s) asks guests who they are, and no dead or foreign token opens it', async (id, who, endpoint) => {
    const guest = await attempt(id, endpoint, undefined);
    const free = who === 'anyone' || who === 'optional';
    expect([id, 'guest', guest.status === 401]).toEqual([id, 'guest', !free]);
    expect(guest.status).not.toBe(403);
    if (who === 'anyone') return;
    const before = await kept();
    for (const [kind, token] of Object.entries(dead)) {
      if (who === 'refresh' && kind === 'refresh token') continue;
      const { status, body } = await attempt(id, endpoint, token, isThing(who) ? things[who] : UNKNOWN, botPosition);
      // The code of a sign-in is no bearer token in the strict sense: what is not one has "expired".
      const refused = who === 'pending' ? [400, 401] : [401];
      if (who !== 'pending' || kind !== 'pending code') expect([id, kind, refused.includes(status), body]).toEqual([id, kind, true, body]);
    }
    expect(await kept()).toBe(before);
  });
  test.each(all.filter(([, who]) => who === 'pending' || who === 'refresh'))('%s takes no access token', async (id, _who, endpoint) => {
    const { status } = await attempt(id, endpoint, eve.session.accessToken);
    expect([400, 401]).toContain(status);
  });
});

describe('users', () => {
  test.each(all.filter(([, who]) => who === 'admin'))('%s is refused to a user', async (id, _who, endpoint) => {
    const before = await kept();
    for (const user of [bob, eve])
      expect((await attempt(id, endpoint, user.session.accessToken)).body).toMatchObject({ code: 'forbidden' });
    expect(await kept()).toBe(before);
  });
  test.each(owned)(
    "%s says of another's %s what it says of none, to users and to Admins, and changes nothing",
    async (id, who, endpoint) => {
      const thing = things[who as Thing];
      for (const stranger of [eve, ada]) {
        const unknown = await attempt(id, endpoint, stranger.session.accessToken);
        const before = await kept();
        for (const position of [botPosition, UNKNOWN]) {
          const foreign = await attempt(id, endpoint, stranger.session.accessToken, thing, position);
          expect([id, foreign.status, foreign.body.code]).toEqual([id, 404, 'not-found']);
          const told = JSON.stringify(foreign.body).replaceAll(thing, UNKNOWN).replaceAll(position, UNKNOWN);
          expect(told).toBe(JSON.stringify(unknown.body));
        }
        expect(await kept()).toBe(before);
      }
    },
  );
  test("a position of Bob's under a bot that is not his stays out of reach", async () => {
    for (const [id, , endpoint] of all.filter(([, , { path }]) => path.includes('{positionId}'))) {
      const { status } = await attempt(id, endpoint, eve.session.accessToken, UNKNOWN, botPosition);
      expect([id, status]).toEqual([id, 404]);
    }
  });
  test.each(all.filter(([, who]) => who === 'self' || who === 'optional'))(
    '%s lets a user in, and holds nothing of others',
    async (id, _who, endpoint) => {
      // These end what the other tests go on with; that they answer their own account only is tested where they live.
      if (['logout', 'revokeOtherSessions'].includes(id)) return;
      const { status, body } = await attempt(id, endpoint, eve.session.accessToken);
      expect([id, [401, 403].includes(status)]).toEqual([id, false]);
      const text = JSON.stringify(body) ?? '';
      const foreign = [...Object.values(things), botPosition, bob.email, bob.username].filter(
        (own) => own !== UNKNOWN && text.includes(own),
      );
      expect([id, foreign]).toEqual([id, []]);
    },
  );
});

describe('those who may', () => {
  test.each(all.filter(([, who]) => who === 'admin'))('%s lets an Admin in', async (id, _who, endpoint) => {
    const { status } = await attempt(id, endpoint, ada.session.accessToken);
    expect([id, [401, 403].includes(status) || status >= 500]).toEqual([id, false]);
  });
  const order = (method: string) => ['GET', 'PATCH', 'PUT', 'POST', 'DELETE'].indexOf(method);
  const lastly = (id: string) => Number(['resetAutoTrade', 'detachAutoTradePosition', 'setPositionClosed'].includes(id));
  const inOrder = [...owned].sort(([a, , one], [b, , two]) => order(one.method) + lastly(a) - order(two.method) - lastly(b));
  test.each(inOrder)('%s finds the %s of its owner', async (id, who, endpoint) => {
    const { status, body } = await attempt(id, endpoint, bob.session.accessToken, things[who as Thing], botPosition);
    // It may refuse for what the thing is, or because the exchange has no candles yet; never for whose it is.
    expect([id, [401, 403].includes(status) || (status >= 500 && body.code !== 'exchange-unreachable'), body]).toEqual([id, false, body]);
    if (endpoint.method === 'GET' || endpoint.method === 'DELETE') expect([id, status !== 404, body]).toEqual([id, true, body]);
  });
  test('a guest sees the public part of what is more for users', async () => {
    for (const [id, who, endpoint] of all)
      if (who === 'optional' && endpoint.method === 'GET') expect([id, (await attempt(id, endpoint, undefined)).status]).toEqual([id, 200]);
  });
});
