import { AppError } from '@pilotfish/core/http/problem';
import { decimal } from '@pilotfish/core/money/decimal';
import { coinNames } from '@pilotfish/core/prices/asset-tags';
import { afterEach, describe, expect, test } from 'vitest';
import { accountFeatures } from '../app/features.ts';
import { startTestServer, type TestServer } from '../app/testing/test-server.ts';
import type { Database } from '../database/database.ts';
import { describeEachDialect } from '../database/database-fixture.ts';
import { balanceHistory } from './balance-history.ts';
import { balanceFeature } from './balance-routes.ts';
import { type Balance, valueHoldings } from './holdings.ts';

const BALANCES: Balance[] = [
  { asset: 'USDT', free: '1000.50', locked: '99.50' },
  { asset: 'BTC', free: '0.01', locked: '0.005' },
  { asset: 'ETH', free: '0', locked: '0.00000000' },
  { asset: 'ODD', free: '7', locked: '0' },
];

describe('the worth of an account', () => {
  test('counts free and locked, names what has no price, and compares with a day ago', () => {
    const worth = valueHoldings(BALANCES, 'USDT', (asset) => (asset === 'BTC' ? { now: '100000', dayAgo: '90000' } : undefined));
    expect(worth).toEqual({
      total: '2600',
      available: '1000.5',
      invested: '1599.5',
      // (2600 - 2450) / 2450
      change24h: '6.1224',
      holdings: [
        { asset: 'BTC', quantity: '0.015', value: '1500', sharePct: '57.6923' },
        { asset: 'USDT', quantity: '1100', value: '1100', sharePct: '42.3077' },
      ],
      unpriced: ['ODD'],
    });
  });

  test('an empty account is worth nothing and changed by nothing', () => {
    expect(valueHoldings([], 'USDT', () => undefined)).toEqual({
      total: '0',
      available: '0',
      invested: '0',
      change24h: null,
      holdings: [],
      unpriced: [],
    });
  });

  test('total is what is available and invested, to the last digit', () => {
    const worth = valueHoldings(
      [
        { asset: 'USDT', free: '0.123456789', locked: '0' },
        { asset: 'X', free: '3', locked: '0' },
      ],
      'USDT',
      () => ({ now: '0.333333333333' }),
    );
    expect(worth).toMatchObject({ total: '1.12345678', available: '0.12345678', invested: '1' });
  });

  test('invested is what the coins cost, as far as that is known; what is held beyond it counts at its worth', () => {
    const costs = (asset: string) => (asset === 'BTC' ? { quantity: decimal('0.01'), cost: decimal('700') } : undefined);
    const worth = valueHoldings(BALANCES, 'USDT', (asset) => (asset === 'BTC' ? { now: '100000' } : undefined), costs);
    // 99.5 in orders, 700 paid for 0.01, 0.005 at 100,000.
    expect(worth).toMatchObject({ total: '2600', available: '1000.5', invested: '1299.5' });
    // Sold elsewhere: half of the cost is left.
    const less = valueHoldings([{ asset: 'BTC', free: '0.005', locked: '0' }], 'USDT', () => ({ now: '100000' }), costs);
    expect(less).toMatchObject({ total: '500', invested: '350' });
  });
});

const withAccounts = async (database: Database) => {
  const nobody = {
    email_confirmed: 0,
    password_hash: '',
    phone: null,
    phone_confirmed: 0,
    two_factor_confirmed: 1,
    totp_secret: null,
    language: 'en',
    created_at: 0,
    updated_at: 0,
    deleted_at: null,
  } as const;
  for (const id of ['ann', 'bob'])
    await database.queries
      .insertInto('accounts')
      .values({ id, username: id, username_key: id, email: id, email_key: id, ...nobody })
      .execute();
  return database;
};
const pointAt = (at: number) => ({ at, total: String(at), invested: '0', available: '0' });

describeEachDialect('balance history', (open) => {
  const HOUR = 3_600_000;
  const START = Date.UTC(2026, 0, 1);

  test('a point of a version that left coins in Simple Earn out is not one of a day ago', async (context) => {
    const database = await withAccounts(await open(context));
    const history = balanceHistory(database, () => START);
    await database.queries
      .insertInto('balance_snapshots')
      .values({ account_id: 'ann', mode: 'live', ...pointAt(START), counts_earn: 0 })
      .execute();
    expect(await history.near('ann', START, HOUR)).toBeUndefined();
    await history.add('ann', pointAt(START + HOUR / 2));
    expect(await history.near('ann', START, HOUR)).toEqual(pointAt(START + HOUR / 2));
    expect(await history.list('ann', '1d', 'UTC')).toHaveLength(2);
    expect(await history.list('ann', '1d', 'UTC', 'comparable')).toEqual([pointAt(START + HOUR / 2)]);
  });

  test('keeps a point a quarter of an hour, of each step the latest, of this account only', async (context) => {
    const database = await withAccounts(await open(context));
    const history = balanceHistory(database, () => START + 5 * HOUR);
    for (let minute = 0; minute <= 300; minute += 5) await history.add('ann', pointAt(START + minute * 60_000));
    await history.add('bob', pointAt(START));
    const day = await history.list('ann', '1d', 'UTC');
    expect(day).toHaveLength(21);
    expect(day[0]).toEqual(pointAt(START));
    const week = await history.list('ann', '7d', 'UTC');
    expect(week.map(({ at }) => (at - START) / HOUR)).toEqual([0.75, 1.75, 2.75, 3.75, 4.75, 5]);
    expect(await history.list('ann', 'all', 'UTC')).toEqual([pointAt(START + 5 * HOUR)]);
  });

  test('points of the connected account and of wallets on paper stand apart, at the same moment too', async (context) => {
    const database = await withAccounts(await open(context));
    const [live, paper] = (['live', 'paper'] as const).map((mode) => balanceHistory(database, () => START + HOUR, mode));
    await live!.add('ann', { ...pointAt(START), total: '1' });
    await paper!.add('ann', { ...pointAt(START), total: '2' });
    await paper!.add('ann', { ...pointAt(START + HOUR / 2), total: '3' });
    const totals = async (history = live!) => (await history.list('ann', '1d', 'UTC')).map(({ total }) => total);
    expect([await totals(), await totals(paper)]).toEqual([['1'], ['2', '3']]);
    expect([await live!.near('ann', START, 1), await paper!.near('ann', START, 1)]).toMatchObject([{ total: '1' }, { total: '2' }]);
    expect(await live!.firstBetween('ann', START + 1, START + HOUR)).toBeUndefined();
    expect(await paper!.firstBetween('ann', START + 1, START + HOUR)).toMatchObject({ total: '3' });
    expect(await paper!.firstBetween('ann', START + 1, START + HOUR / 2)).toBeUndefined();
    // From a moment on, in the finest steps.
    expect(await paper!.list('ann', { since: START + 1 }, 'UTC')).toMatchObject([{ total: '3' }]);
    // Or by days, whose midnight is that of the zone: in Azores an hour later.
    await paper!.add('ann', { ...pointAt(START + 2 * HOUR), total: '4' });
    const days = async (zone: string) => (await paper!.list('ann', { since: START, daily: true }, zone)).map(({ total }) => total);
    expect([await days('UTC'), await days('Atlantic/Azores')]).toEqual([['4'], ['3', '4']]);
  });

  test('a range reaches back as far as its name says', async (context) => {
    const database = await withAccounts(await open(context));
    const history = balanceHistory(database, () => START + 40 * 24 * HOUR);
    for (let day = 0; day <= 40; day += 1) await history.add('ann', pointAt(START + day * 24 * HOUR));
    expect(await history.list('ann', '1d', 'UTC')).toHaveLength(2);
    expect(await history.list('ann', '7d', 'UTC')).toHaveLength(8);
    expect(await history.list('ann', '30d', 'UTC')).toHaveLength(31);
    expect(await history.list('ann', '1y', 'UTC')).toHaveLength(41);
  });
});

describeEachDialect('balance history by the days of a zone', (open) => {
  const HOUR = 3_600_000;
  const stored = async (database: Database, from: string, hours: number) => {
    const start = Date.parse(from);
    const history = balanceHistory(await withAccounts(database), () => start + hours * HOUR);
    for (let hour = 0; hour <= hours; hour += 1) await history.add('ann', pointAt(start + hour * HOUR));
    return async (range: '30d' | '1y' | 'all', zone: string) =>
      (await history.list('ann', range, zone)).map(({ at }) => new Date(at).toISOString().slice(0, 16));
  };

  test('the last point of each day is the one before midnight there, on days of 23 and 25 hours, too', async (context) => {
    const database = await open(context);
    const spring = await stored(database, '2026-03-27T22:00:00Z', 76);
    expect(await spring('1y', 'Europe/Berlin')).toEqual([
      '2026-03-27T22:00',
      '2026-03-28T22:00',
      // 23 hours: clocks went forward.
      '2026-03-29T21:00',
      '2026-03-30T21:00',
      '2026-03-31T02:00',
    ]);
    expect(await spring('1y', 'UTC')).toEqual([
      '2026-03-27T23:00',
      '2026-03-28T23:00',
      '2026-03-29T23:00',
      '2026-03-30T23:00',
      '2026-03-31T02:00',
    ]);
    // Steps of four hours end at midnight, too.
    expect(await spring('30d', 'Europe/Berlin')).toContain('2026-03-29T21:00');
  });

  test('a day of 25 hours is one step, and an offset of half an hour counts', async (context) => {
    const database = await open(context);
    const autumn = await stored(database, '2026-10-24T00:00:00Z', 72);
    expect(await autumn('1y', 'Europe/Berlin')).toEqual(['2026-10-24T21:00', '2026-10-25T22:00', '2026-10-26T22:00', '2026-10-27T00:00']);
    expect(await autumn('1y', 'Asia/Kolkata')).toEqual(['2026-10-24T18:00', '2026-10-25T18:00', '2026-10-26T18:00', '2026-10-27T00:00']);
  });

  test('weeks begin on Monday there', async (context) => {
    const database = await open(context);
    const weeks = await stored(database, '2026-11-20T00:00:00Z', 24 * 11);
    // Monday 23 November begins at 21:00 UTC of the 22nd in Istanbul.
    expect(await weeks('all', 'Europe/Istanbul')).toEqual(['2026-11-22T20:00', '2026-11-29T20:00', '2026-12-01T00:00']);
    expect(await weeks('all', 'UTC')).toEqual(['2026-11-22T23:00', '2026-11-29T23:00', '2026-12-01T00:00']);
  });
});

describe('coins in Simple Earn', () => {
  const pairs = ['BTC', 'LDO', 'BNB'].map((baseAsset) => ({ baseAsset, quoteAsset: 'USDT' }));
  const priceOf = (asset: string) => ({ BTC: { now: '100000', dayAgo: '90000' }, LDO: { now: '2' } })[asset];
  const of = (asset: string, free: string) => ({ asset, free, locked: '0' });
  const worth = (...balances: Balance[]) => valueHoldings(balances, 'USDT', priceOf, undefined, coinNames(pairs));

  test('are worth the coin and lie with it; what is free is what can be traded', () => {
    const whole = worth(of('LDBTC', '0.2'), of('LDUSDT', '5000'), of('USDT', '1000'), of('BTC', '0.1'), of('LDO', '1'), of('LDODD', '3'));
    expect(whole).toMatchObject({ total: '36002', available: '1000', invested: '35002', unpriced: ['LDODD'] });
    expect(whole.holdings.map(({ asset, quantity, value }) => [asset, quantity, value])).toEqual([
      ['BTC', '0.3', '30000'],
      ['USDT', '6000', '6000'],
      ['LDO', '1', '2'],
    ]);
  });

  test('moving some there, or back, changes nothing but what is free', () => {
    const before = worth(of('BTC', '0.1'), of('USDT', '1000'));
    expect(worth(of('BTC', '0.05'), of('LDBTC', '0.05'), of('USDT', '1000'))).toEqual(before);
    const lent = worth(of('BTC', '0.1'), of('USDT', '400'), of('LDUSDT', '600'));
    expect(lent).toEqual({ ...before, available: '400', invested: '10600' });
  });
});

describe('over HTTP', () => {
  let server: TestServer | undefined;
  afterEach(() => server?.close());

  test('balance, holdings and charts of the connected account; a guest has none', async () => {
    let connected = true;
    const market = {
      loaded: true,
      rate: (asset: string) => (asset === 'BTC' ? '100000' : undefined),
      ticker: (symbol: string) => (symbol === 'BTCUSDT' ? ({ open: '90000', price: '100000' } as never) : undefined),
      price: () => '100000',
      pairs: () => [],
      candles: async () => [{ openTime: '', open: '80000', high: '1', low: '1', close: '1', volume: '1', closed: true }],
    };
    const balancesOf = async () => {
      if (!connected) throw new AppError('not-connected');
      return BALANCES;
    };
    server = await startTestServer({
      features: async (context) => [
        ...(await accountFeatures(context)),
        balanceFeature(context, {
          market,
          balancesOf,
          connectedAccounts: async () => [],
          costsOf: async () => () => undefined,
          flowsOf: async () => [],
        }),
      ],
    });
    const user = await server.register();
    const now = new Date(server.now()).toISOString();
    expect((await user.call('/bff/v2/estimated-balance')).body).toEqual({
      total: '2600',
      currency: 'USDT',
      btc: '0.026',
      available: '1000.5',
      invested: '1599.5',
      change24h: '6.1224',
      unpriced: ['ODD'],
      asOf: now,
    });
    expect((await user.call('/bff/v1/landing/holdings?interval=7d')).body).toEqual([
      { asset: 'BTC', quantity: '0.015', value: '1500', sharePct: '57.6923', changePct: '25' },
      { asset: 'USDT', quantity: '1100', value: '1100', sharePct: '42.3077', changePct: '0' },
    ]);
    expect((await user.call('/bff/v1/landing/wallet-chartv2')).body).toEqual([
      { time: now, total: '2600', invested: '1599.5', available: '1000.5', flow: '0' },
    ]);
    expect((await user.call('/bff/v1/landing/wallet-chart?range=1y')).body).toEqual([[now, '2600']]);
    expect((await server.call('/bff/v1/landing/holdings')).body).toEqual([]);
    connected = false;
    expect((await user.call('/bff/v1/landing/holdings')).body).toEqual([]);
    expect(await user.call('/bff/v2/estimated-balance')).toMatchObject({ status: 409, body: { code: 'not-connected' } });
    expect((await user.call('/bff/v1/landing/holdings?interval=2h')).status).toBe(400);
  });

  test('an account with coins in Simple Earn, before some are moved there and after', async () => {
    const of = (asset: string, free: string) => ({ asset, free, locked: '0' });
    let balances = [of('LDBTC', '0.2'), of('LDUSDT', '5000'), of('USDT', '1000'), of('BTC', '0.1')];
    server = await startTestServer({
      features: async (context) => [
        ...(await accountFeatures(context)),
        balanceFeature(context, {
          market: {
            loaded: true,
            rate: (asset) => (asset === 'BTC' ? '100000' : undefined),
            ticker: () => undefined,
            price: () => '100000',
            pairs: () => [{ baseAsset: 'BTC', quoteAsset: 'USDT' }] as never,
            candles: async () => [],
          },
          balancesOf: async () => balances,
          connectedAccounts: async () => [],
          costsOf: async () => () => undefined,
          flowsOf: async () => [],
        }),
      ],
    });
    const user = await server.register();
    expect((await user.call('/bff/v2/estimated-balance')).body).toMatchObject({ total: '36000', unpriced: [] });
    server.advance(24 * 3_600_000);
    balances = [of('LDBTC', '0.25'), of('LDUSDT', '5000'), of('USDT', '1000'), of('BTC', '0.05')];
    const token = (await server.signIn(user)).accessToken;
    expect((await server.call('/bff/v2/estimated-balance', { token })).body).toMatchObject({ total: '36000', change24h: '0' });
    const chart = await server.call<[string, string][]>('/bff/v1/landing/wallet-chart?range=1y', { token });
    expect(chart.body.map(([, total]) => total)).toEqual(['36000', '36000']);
  });

  test('the curve of a year has a point for each day of the account, none of a time without prices', async () => {
    const market = {
      loaded: false,
      rate: () => undefined,
      ticker: () => undefined,
      price: () => undefined,
      pairs: () => [],
      candles: async () => [],
    };
    server = await startTestServer({
      features: async (context) => [
        ...(await accountFeatures(context)),
        balanceFeature(context, {
          market,
          balancesOf: async () => BALANCES,
          connectedAccounts: async () => [],
          costsOf: async () => () => undefined,
          flowsOf: async () => [],
        }),
      ],
    });
    const user = await server.register();
    const points = async () => (await user.call<unknown[]>('/bff/v1/landing/wallet-chartv2?range=1y')).body.length;
    await user.call('/bff/v2/estimated-balance');
    expect(await points()).toBe(0);
    market.loaded = true;
    await user.call('/bff/v2/estimated-balance');
    server.advance(75 * 60_000);
    await user.call('/bff/v2/estimated-balance');
    // From noon UTC on, which is 23:00 in Nouméa.
    expect(await points()).toBe(1);
    await user.call('/bff/v2/account/preferences', { method: 'PUT', body: { timeZone: 'Pacific/Noumea' } });
    expect(await points()).toBe(2);
  });
});
