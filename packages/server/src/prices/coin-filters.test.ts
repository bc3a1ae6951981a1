import { nameKey } from '@pilotfish/core/fields/name-key';
import type { AppError } from '@pilotfish/core/http/problem';
import type { CoinFilter } from '@pilotfish/core/prices/screener-contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accountFeatures } from '../app/features.ts';
import { createQuotas } from '../app/quotas.ts';
import { startTestServer, type TestServer } from '../app/testing/test-server.ts';
import type { Queries } from '../database/database.ts';
import { describeEachDialect } from '../database/database-fixture.ts';
import { createTexts } from '../http/texts.ts';
import { coinFiltersStore } from './coin-filters-store.ts';
import { type FixturePair, marketFixture } from './market-fixture.ts';
import type { Prices } from './prices.ts';

const AT = Date.UTC(2026, 0, 15, 12);
const DAY = 86_400_000;
const tight = (base: string, more: Partial<FixturePair> = {}): FixturePair => ({
  base,
  price: '100',
  quoteVolume: '5000000',
  bid: 99.99,
  ask: 100.01,
  ...more,
});
const COINS: FixturePair[] = [
  tight('BTC', { quoteVolume: '9000000' }),
  tight('ETH', { quoteVolume: '8000000' }),
  tight('SOL', { quoteVolume: '7000000' }),
  tight('BNB', { quoteVolume: '6000000' }),
  tight('DOGE', { quoteVolume: '999999.99' }),
  tight('ADA', { ask: 105 }),
  tight('XRP', { status: 'BREAK' }),
  tight('FDUSD'),
  tight('BTCUP'),
  tight('YOUNG'),
  tight('UNSEEN'),
  tight('ETH', { quote: 'BTC' }),
];

let server: TestServer;
let fixture: ReturnType<typeof marketFixture>;
let prices: Prices;
let burns: boolean | undefined;
// Each test has its own: some move the market.
beforeEach(async () => {
  burns = undefined;
  fixture = marketFixture(COINS, AT);
  server = await startTestServer({
    now: AT,
    features: async (context) => {
      prices = fixture.open(context, { paysFeesInBnb: async () => burns });
      return [...(await accountFeatures(context)), ...prices.features];
    },
  });
  for (const { base, quote = 'USDT' } of COINS)
    if (base !== 'UNSEEN') prices.figures.setListing(`${base}${quote}`, AT - (base === 'YOUNG' ? 29 : 400) * DAY);
  prices.figures.tick();
});
afterEach(() => server.close());

type Coins = { coins: string[]; stale: boolean; leftOut: { reason: string; count: number }[] };
type User = Awaited<ReturnType<TestServer['register']>>;
const create = (user: User, body: object) => user.call<CoinFilter>('/bff/v2/coin-filters', { body: { name: 'Main', ...body } });
const coinsOf = (user: User, id: string) => user.call<Coins>(`/bff/v2/coin-filters/${id}/coins`);

describe('what a filter selects', () => {
  test('tradable, old, liquid and tight, by volume; every pair left out is counted once', async () => {
    const user = await server.register();
    const { status, body } = await create(user, {});
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: 'Main',
      quoteAsset: 'USDT',
      maxCoins: 20,
      minAgeDays: 30,
      minQuoteVolume24h: '1000000',
      maxSpreadPct: '0.3',
      onError: 'keepLast',
    });
    expect((await coinsOf(user, body.id)).body).toMatchObject({
      coins: ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'BNBUSDT'],
      stale: false,
      leftOut: [
        { reason: 'notTrading', count: 1 },
        { reason: 'stablePair', count: 1 },
        { reason: 'leveraged', count: 1 },
        { reason: 'age', count: 2 },
        { reason: 'volume', count: 1 },
        { reason: 'spread', count: 1 },
      ],
    });
  });

  test('the coin that fees are paid in is left out when the account does so', async () => {
    const user = await server.register();
    const { body } = await create(user, {});
    burns = true;
    expect((await coinsOf(user, body.id)).body.coins).toEqual(['BTCUSDT', 'ETHUSDT', 'SOLUSDT']);
    const named = (await create(user, { name: 'With BNB', include: ['BNBUSDT'] })).body;
    expect((await coinsOf(user, named.id)).body.coins).toContain('BNBUSDT');
  });

  test('conditions, order, exclusion, inclusion and how many', async () => {
    const user = await server.register();
    const { body } = await create(user, {
      include: ['FDUSDUSDT', 'XRPUSDT'],
      exclude: ['ETHUSDT'],
      conditions: { match: 'all', rules: [{ key: 'base', operation: 'contains', value: 'B' }] },
      sort: [{ key: 'symbol', direction: 'asc' }],
      maxCoins: 2,
    });
    const answer = (await coinsOf(user, body.id)).body;
    // What was named keeps its place before what merely fits.
    expect(answer.coins).toEqual(['BNBUSDT', 'FDUSDUSDT']);
    expect(answer.leftOut).toEqual([
      { reason: 'notTrading', count: 1 },
      { reason: 'excluded', count: 1 },
      { reason: 'leveraged', count: 1 },
      { reason: 'age', count: 2 },
      { reason: 'volume', count: 1 },
      { reason: 'spread', count: 1 },
      { reason: 'conditions', count: 1 },
      { reason: 'maxCoins', count: 1 },
    ]);
  });

  test('while the market cannot be read, the last coins or none', async () => {
    const user = await server.register();
    const keeps = (await create(user, {})).body;
    const empties = (await create(user, { name: 'Empty', onError: 'empty' })).body;
    const fresh = (await create(user, { name: 'Never asked' })).body;
    const good = (await coinsOf(user, keeps.id)).body;
    fixture.state.stale = true;
    expect((await coinsOf(user, keeps.id)).body).toMatchObject({ coins: good.coins, stale: true, leftOut: [] });
    expect((await coinsOf(user, empties.id)).body).toMatchObject({ coins: [], stale: true });
    expect(await coinsOf(user, fresh.id)).toMatchObject({ status: 502, body: { code: 'exchange-unreachable' } });
    fixture.state.stale = false;
  });

  test('bots are told the same coins until they are older than they may be', async () => {
    const user = await server.register();
    const { body } = await create(user, { refreshMinutes: 5, maxCoins: 1 });
    const owner = (await user.call<{ id: string }>('/bff/v2/account')).body.id;
    expect((await prices.coinFilters.coinsOf(body.id, owner))?.coins).toEqual(['BTCUSDT']);
    fixture.tell([tight('SOL', { quoteVolume: '99000000' })]);
    server.advance(2000);
    expect((await prices.coinFilters.coinsOf(body.id, owner))?.coins).toEqual(['BTCUSDT']);
    fixture.state.at += 5 * 60_000;
    fixture.tell([tight('SOL', { quoteVolume: '99000000' })]);
    server.advance(2000);
    expect((await prices.coinFilters.coinsOf(body.id, owner))?.coins).toEqual(['SOLUSDT']);
    fixture.tell([tight('SOL', { quoteVolume: '7000000' })]);
    expect(await prices.coinFilters.coinsOf('018f0000-0000-7000-8000-000000000000', owner)).toBeUndefined();
    expect(await prices.coinFilters.coinsOf(body.id, '018f0000-0000-7000-8000-000000000001')).toBeUndefined();
  });
});

describe('saved filters', () => {
  test('belong to whom they belong', async () => {
    const [ann, bob] = [await server.register(), await server.register()];
    const { body } = await create(ann, {});
    expect((await bob.call<unknown[]>('/bff/v2/coin-filters')).body).toEqual([]);
    expect((await ann.call<CoinFilter[]>('/bff/v2/coin-filters')).body).toEqual([body]);
    expect((await coinsOf(bob, body.id)).status).toBe(404);
    expect((await bob.call(`/bff/v2/coin-filters/${body.id}`, { method: 'DELETE' })).status).toBe(404);
    expect((await ann.call(`/bff/v2/coin-filters/${body.id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await ann.call(`/bff/v2/coin-filters/${body.id}`, { method: 'DELETE' })).status).toBe(404);
    expect((await server.call('/bff/v2/coin-filters')).status).toBe(401);
  });

  test('have names of their own, in Turkish too, also when two come at once', async () => {
    const user = await server.register();
    expect((await create(user, { name: 'Iğdır' })).status).toBe(201);
    expect(await create(user, { name: ' iĞDIR ' })).toMatchObject({ status: 409, body: { code: 'name-taken' } });
    const both = await Promise.all([create(user, { name: 'Twice' }), create(user, { name: 'TWİCE' })]);
    expect(both.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([201, 409]);
    expect(nameKey('İSTANBUL')).toBe(nameKey('istanbul'));
  });

  test.each<[string, object, string]>([
    ['an unknown quote', { quoteAsset: 'NOPE' }, 'quoteAsset'],
    ['an unknown pair', { include: ['BTCUSDT', 'NOSUCHUSDT'] }, 'include.1'],
    ['a pair of another quote', { exclude: ['ETHBTC'] }, 'exclude.0'],
    [
      'a condition that cannot be asked',
      { conditions: { match: 'all', rules: [{ key: 'price', operation: 'gt', value: 'x' }] } },
      'conditions.rules.0.value',
    ],
    [
      'a field without a source',
      { conditions: { match: 'all', rules: [{ key: 'alertExists', operation: 'is', value: true }] } },
      'conditions',
    ],
    ['a sort that cannot be', { sort: [{ key: 'nothing', direction: 'asc' }] }, 'sort.0.key'],
    ['no coins at all', { maxCoins: 0 }, 'maxCoins'],
    ['a volume that is no number', { minQuoteVolume24h: 'NaN' }, 'minQuoteVolume24h'],
    ['a number of more digits than it keeps', { maxSpreadPct: 0.30000000000000004 }, 'maxSpreadPct'],
    ['a refresh every second', { refreshMinutes: 0 }, 'refreshMinutes'],
    ['an empty name', { name: '  ' }, 'name'],
  ])('%s is refused at its place', async (_, body, path) => {
    const user = await server.register();
    const answer = (await create(user, body)) as unknown as { status: number; body: { errors: { path: string; message: string }[] } };
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0]?.path).toBe(path);
    expect(answer.body.errors[0]?.message).not.toMatch(/validation\.|screener\.|\{\{/);
  });

  test('in use by a bot stay, and the bots are named', async () => {
    const user = await server.register();
    const { body } = await create(user, {});
    const { queries } = server.context.database;
    const account = await queries.selectFrom('coin_filters').select('account_id').where('id', '=', body.id).executeTakeFirstOrThrow();
    const wallet = {
      id: 'w1',
      account_id: account.account_id,
      name: 'W',
      name_key: 'w',
      currency: 'USDT',
      mode: 'paper' as const,
      reserve_pct: '1',
      paper_key: null,
      paper_secret: null,
      created_at: AT,
    };
    await queries.insertInto('wallets').values(wallet).execute();
    await queries
      .insertInto('auto_trades')
      .values({
        id: 'b1',
        account_id: account.account_id,
        wallet_id: 'w1',
        name: 'Dip buyer',
        name_key: 'dip',
        state: 'disabled',
        context: '{}',
        config_version: 2,
        taker_fees: '{}',
        created_at: AT,
        updated_at: AT,
      })
      .execute();
    const config = (version: number, ids: string[]) => ({
      auto_trade_id: 'b1',
      version,
      config: JSON.stringify({ coins: { coinFilterIds: ids } }),
      created_at: AT,
    });
    await queries
      .insertInto('auto_trade_configs')
      .values([config(1, []), config(2, [body.id])])
      .execute();
    const refused = await user.call<{ code: string; detail: string }>(`/bff/v2/coin-filters/${body.id}`, { method: 'DELETE' });
    expect(refused).toMatchObject({ status: 409, body: { code: 'in-use', detail: expect.stringContaining('Dip buyer') } });
    await queries.updateTable('auto_trades').set({ config_version: 1 }).where('id', '=', 'b1').execute();
    expect((await user.call(`/bff/v2/coin-filters/${body.id}`, { method: 'DELETE' })).status).toBe(204);
  });
});

describeEachDialect('the store of coin filters', (open) => {
  test('keeps fifty and no more, also when many come at once', async (context) => {
    const database = await open(context);
    const account = { id: 'a1', username: 'ann', username_key: 'ann' };
    const columns = await database.queries.introspection.getTables();
    const accounts = columns.find((table) => table.name === 'accounts')!;
    const row = Object.fromEntries(
      accounts.columns
        .filter((column) => !column.isNullable && !column.hasDefaultValue)
        .map((column) => [column.name, /int/i.test(column.dataType) ? 0 : 'x']),
    );
    await database.queries
      .insertInto('accounts')
      .values({ ...row, ...account } as never)
      .execute();
    const store = coinFiltersStore(database);
    const body = {
      name: '',
      quoteAsset: 'USDT',
      include: [],
      exclude: [],
      sort: [],
      maxCoins: 20,
      minAgeDays: 30,
      minQuoteVolume24h: '1',
      maxSpreadPct: '1',
      refreshMinutes: 60,
      onError: 'keepLast' as const,
    };
    const { requireRoom } = createQuotas({ instance: { settings: { get: () => 50 } } as never, texts: createTexts() });
    const room = (queries: Queries) => requireRoom(queries, 'a1', 'coinFilters', 'en');
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, (_, n) => store.insert({ id: `f${n}`, accountId: 'a1', at: n }, { ...body, name: `Filter ${n}` }, room)),
    );
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as AppError] : []));
    expect(refused).toHaveLength(10);
    expect(refused[0]).toMatchObject({ code: 'quota-reached', status: 409, fields: [{ limit: '50', actual: '50' }] });
    expect(refused[0]?.detail).toBe('Saved filters in use: 50 of 50. Delete one first.');
    expect(await store.list('a1')).toHaveLength(50);
    // Which of the sixty were kept, the database decides.
    const [gone = -1, kept = -1] = outcomes.flatMap(({ status }, n) => (status === 'fulfilled' ? [n] : []));
    await store.remove('a1', `f${gone}`);
    expect(await store.insert({ id: 'again', accountId: 'a1', at: 0 }, { ...body, name: `FİLTER ${kept}` }, room)).toBe(false);
    await store.saveLast(`f${kept}`, { coins: ['BTCUSDT'], at: 7 });
    expect((await store.find(`f${kept}`, 'a1'))?.last).toEqual({ coins: ['BTCUSDT'], at: 7 });
    expect(await store.find(`f${kept}`, 'someone')).toBeUndefined();
  });
});
