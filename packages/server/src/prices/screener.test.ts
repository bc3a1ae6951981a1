import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountFeatures } from '../app/features.ts';
import { startTestServer, type TestServer } from '../app/testing/test-server.ts';
import { type FixturePair, marketFixture } from './market-fixture.ts';

const AT = Date.UTC(2026, 0, 15, 12);
const COINS: FixturePair[] = Array.from({ length: 3000 }, (_, n) => ({
  base: `C${n}`,
  quote: n % 3 === 0 ? 'BTC' : 'USDT',
  price: String(n + 1),
  open: String(n % 7 === 0 ? n + 2 : n + 0.5),
  quoteVolume: String((n * 7919) % 3001),
  bid: n + 0.9,
  ask: n + 1.1,
}));

type Results = {
  items: { symbol: string; price: string; values: Record<string, unknown> }[];
  columns: string[];
  total: number;
  snapshot: string;
  tooLittleHistory: number;
  page: number;
};
type Problem = { code: string; errors: { path: string; code: string; message: string }[] };

let server: TestServer;
let fixture: ReturnType<typeof marketFixture>;
const held = new Map<string, Set<string>>();

beforeAll(async () => {
  fixture = marketFixture(COINS, AT);
  server = await startTestServer({
    now: AT,
    features: async (context) => {
      const prices = fixture.open(context, {
        isConnected: async (id) => held.has(id),
        heldAssets: async (id) => held.get(id),
      });
      return [...(await accountFeatures(context)), ...prices.features];
    },
  });
});
afterAll(() => server.close());

const ask = <Body = Results>(body: unknown, headers: Record<string, string> = {}) =>
  server.call<Body>('/bff/v1/filter/results', { body, headers });
const rule = (key: string, operation: string, value?: unknown, more: object = {}) => ({
  key,
  operation,
  ...(value === undefined ? {} : { value }),
  ...more,
});
const all = (...rules: object[]) => ({ match: 'all', rules });

describe('results', () => {
  test('rules, order, columns and the exact price', async () => {
    const { status, body } = await ask({
      filter: all(rule('quote', 'in', ['USDT']), rule('price', 'between', [10, 20])),
      sort: [{ key: 'price', direction: 'desc' }],
      columns: [
        { key: 'quoteVolume' },
        { key: 'change', timeframe: '24h' },
        { key: 'rsi', timeframe: '1h' },
        { key: 'tags' },
        { key: 'status' },
      ],
      pageSize: 3,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      total: 7,
      page: 1,
      columns: ['quoteVolume', 'change.24h', 'rsi.1h', 'tags', 'status'],
      asOf: new Date(fixture.state.at).toISOString(),
    });
    expect(body.items.map((item) => item.symbol)).toEqual(['C19USDT', 'C17USDT', 'C16USDT']);
    expect(body.items[0]).toEqual({
      symbol: 'C19USDT',
      baseAsset: 'C19',
      quoteAsset: 'USDT',
      price: '20',
      values: { quoteVolume: (19 * 7919) % 3001, 'change.24h': 2.5641026, 'rsi.1h': null, tags: [], status: 'TRADING' },
    });
  });

  test('pages of a snapshot are of one moment, whatever the market does', async () => {
    const query = { filter: all(rule('price', 'gt', 2900)), sort: [{ key: 'price', direction: 'desc' }], pageSize: 40 };
    const first = (await ask(query)).body;
    server.advance(5000);
    fixture.state.at += 5000;
    fixture.tell([
      { base: 'C1', price: '999999' },
      { base: 'C2950', price: '1' },
    ]);
    const second = (await ask({ ...query, page: 2, snapshot: first.snapshot })).body;
    const third = (await ask({ ...query, page: 3, snapshot: first.snapshot })).body;
    const seen = [...first.items, ...second.items, ...third.items].map((item) => item.symbol);
    expect(seen).toHaveLength(100);
    expect(new Set(seen).size).toBe(100);
    expect(seen).toContain('C2950USDT');
    expect(seen).not.toContain('C1USDT');
    expect((await ask({ ...query, page: 100_000, snapshot: first.snapshot })).body).toMatchObject({ items: [], total: 100 });
    // Anew, the market is another.
    expect((await ask(query)).body.items[0]).toMatchObject({ symbol: 'C1USDT', price: '999999' });
    // Whole rows: told by their price alone, they would keep another volume for the tests that follow.
    fixture.tell([COINS[1]!, COINS[2950]!]);
    server.advance(1000);
  });

  test('a snapshot is of its question and of two minutes', async () => {
    const query = { filter: all(rule('price', 'gt', 10)), pageSize: 10 };
    const { snapshot } = (await ask(query)).body;
    expect((await ask({ ...query, snapshot, page: 2 })).status).toBe(200);
    const expired = { status: 410, body: { code: 'snapshot-expired' } };
    expect(await ask({ ...query, filter: all(rule('price', 'gt', 11)), snapshot })).toMatchObject(expired);
    expect(await ask({ ...query, snapshot: 'nonsense' })).toMatchObject(expired);
    server.advance(121_000);
    expect(await ask({ ...query, snapshot })).toMatchObject(expired);
  });

  test('a page without a snapshot is a page of a new one', async () => {
    const query = { sort: [{ key: 'price', direction: 'asc' }], pageSize: 1000 };
    const { body } = await ask({ ...query, page: 3 });
    expect([body.items.length, body.items[0]?.price, body.page]).toEqual([1000, '2001', 3]);
    const again = (await ask({ ...query, page: 2, snapshot: body.snapshot })).body;
    expect(again.items.at(-1)?.price).toBe('2000');
  });

  test('pairs without history satisfy nothing, and are counted', async () => {
    const asked = all(rule('quote', 'in', ['BTC']), rule('rsi', 'lt', 30, { timeframe: '1h' }));
    expect((await ask({ filter: asked })).body).toMatchObject({ total: 0, tooLittleHistory: 1000 });
    expect((await ask({ filter: { ...asked, negate: true } })).body).toMatchObject({ total: 2000, tooLittleHistory: 1000 });
    expect((await ask({ filter: all(rule('rsi', 'isNull', undefined, { timeframe: '1h' })) })).body.total).toBe(3000);
  });

  test('the same question in the same beat is told again, byte for byte', async () => {
    const query = { filter: all(rule('price', 'lt', 50)) };
    const [one, two] = [await ask(query), await ask(query)];
    expect(two.body.snapshot).toBe(one.body.snapshot);
    server.advance(1500);
    expect((await ask(query)).body.snapshot).not.toBe(one.body.snapshot);
  });
});

describe('what cannot be asked is refused, with its place and in the language of the caller', () => {
  const nested = (depth: number): object => (depth === 0 ? all(rule('price', 'gt', 1)) : all(nested(depth - 1)));
  test.each<[string, object, string, string | RegExp]>([
    ['an unknown field', { filter: all(rule('nonsense', 'gt', 1)) }, 'filter.rules.0.key', 'unknownField'],
    ['an unknown operation', { filter: all(rule('price', 'contains', 'x')) }, 'filter.rules.0.operation', 'unknownOperation'],
    ['an unknown timeframe', { filter: all(rule('rsi', 'gt', 1, { timeframe: '7m' })) }, 'filter.rules.0.timeframe', 'unknownTimeframe'],
    ['a missing timeframe', { columns: [{ key: 'rsi' }] }, 'columns.0.timeframe', 'missingTimeframe'],
    ['an unknown sort', { sort: [{ key: '__proto__', direction: 'asc' }] }, 'sort.0.key', 'unknownField'],
    ['text as a number', { filter: all(rule('price', 'gt', 'NaN')) }, 'filter.rules.0.value', 'notNumber'],
    ['Infinity as text', { filter: all(rule('price', 'gt', 'Infinity')) }, 'filter.rules.0.value', 'notNumber'],
    ['forty levels', { filter: nested(40) }, 'filter.rules.0.rules.0.rules.0', 'tooDeep'],
    ['too many rules', { filter: all(...Array.from({ length: 31 }, () => rule('price', 'gt', 1))) }, 'filter', 'tooManyRules'],
    ['thousands of rules', { filter: all(...Array.from({ length: 4000 }, () => rule('price', 'gt', 1))) }, 'filter', /./],
    ['a field about oneself', { filter: all(rule('owned', 'is', true)) }, 'filter.rules.0.key', 'signInField'],
    ['a huge page', { page: 1e9 }, 'page', 'too_big'],
    ['a huge page size', { pageSize: 1e9 }, 'pageSize', 'too_big'],
    ['a page before the first', { page: 0 }, 'page', 'too_small'],
    ['half a page', { page: 1.5 }, 'page', /./],
    ['an unknown direction', { sort: [{ key: 'price', direction: 'up' }] }, 'sort.0.direction', 'invalid_value'],
  ])('%s', async (_, body, path, code) => {
    const answer = await ask<Problem>(body);
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe('invalid');
    const found = answer.body.errors.find((error) => error.path.startsWith(path));
    expect(answer.body.errors.map((error) => error.path)).toContain(found?.path);
    expect(found?.code).toMatch(code);
    expect(found?.message).not.toMatch(/screener\.|\{\{/);
  });

  test('ten thousand rules are more than is read', async () => {
    const { status } = await ask({ filter: all(...Array.from({ length: 10_000 }, () => rule('price', 'gt', 1))) });
    expect(status).toBe(413);
  });

  test('not JSON numbers at all', async () => {
    expect((await ask('{"page": NaN}')).status).toBe(400);
    expect((await ask('{"filter":{"match":"all","rules":[{"key":"price","operation":"gt","value":1e999}]}}')).status).toBe(400);
  });

  test('Turkish', async () => {
    const { body } = await ask<Problem>({ filter: all(rule('price', 'gt')) }, { 'accept-language': 'tr' });
    expect(body.errors[0]?.message).toMatch(/değer/i);
  });

  test('before the market is there', async () => {
    fixture.state.loaded = false;
    expect(await ask({})).toMatchObject({ status: 502, body: { code: 'exchange-unreachable' } });
    expect(await server.call('/bff/v1/candles/C1USDT')).toMatchObject({ status: 502 });
    fixture.state.loaded = true;
  });
});

describe('about oneself', () => {
  const options = async (call: TestServer['call'], language = 'en') =>
    (
      await call<{ filter: { key: string; label: string; values?: string[]; operations: string[] }[] }>('/bff/v1/filter/options', {
        headers: { 'accept-language': language },
      })
    ).body.filter;

  test('options name only what is known of the caller, in the caller’s language', async () => {
    const user = await server.register();
    const mine = await options(user.call as TestServer['call']);
    const keys = mine.map((option) => option.key);
    expect([keys.includes('owned'), keys.includes('openPosition'), keys.includes('alertExists')]).toEqual([false, true, false]);
    const guests = await options(server.call, 'tr');
    expect(guests.some((option) => option.key === 'openPosition')).toBe(false);
    expect(guests.find((option) => option.key === 'price')?.label).toBe('Fiyat');
    expect(guests.find((option) => option.key === 'quote')?.values).toEqual(['BTC', 'USDT']);
    expect(guests.find((option) => option.key === 'tags')?.values).toContain('stable-pair');
  });

  test('what is held decides only for its owner', async () => {
    const [ann, bob] = [await server.register(), await server.register()];
    const { body } = await ann
      .call<{ claims: { name: string; value: string }[] }>('/bff/v2/account')
      .catch(() => ({ body: { claims: [] } }));
    const id = body.claims?.find(({ name }) => name === 'sub')?.value;
    if (id === undefined) throw new Error('the account has no id');
    held.set(id, new Set(['C5', 'C7']));
    const question = { filter: all(rule('owned', 'is', true)), columns: [{ key: 'owned' }] };
    const found = (await ann.call<Results>('/bff/v1/filter/results', { body: question })).body;
    expect(found.items.map((item) => [item.symbol, item.values.owned])).toEqual([
      ['C5USDT', true],
      ['C7USDT', true],
    ]);
    // Bob has no connection: the field is unknown to him, and Ann's snapshot is not his.
    expect((await bob.call<Problem>('/bff/v1/filter/results', { body: question })).body.errors[0]?.code).toBe('unknownField');
    const open = await bob.call<Results>('/bff/v1/filter/results', { body: { filter: all(rule('openPosition', 'is', false)) } });
    expect(open.body.total).toBe(3000);
    held.delete(id);
  });
});

test('tags of all pairs, labelled', async () => {
  const { body } = await server.call<{ key: string; label: string; symbols: string[] }[]>('/bff/v1/tags', {
    headers: { 'accept-language': 'tr' },
  });
  expect(body.find((tag) => tag.key === 'gaming')).toMatchObject({ label: 'Oyun', symbols: [] });
});

test.each([
  ['/bff/v1/candles/NOSUCH', 404],
  ['/bff/v1/candles/C1USDT?interval=7m', 400],
  ['/bff/v1/candles/C1USDT?limit=0', 400],
  ['/bff/v1/candles/C1USDT?limit=NaN', 400],
  ['/bff/v1/candles/C1USDT?limit=1001', 400],
  ['/bff/v1/candles/C1USDT?endTime=yesterday', 400],
  ['/bff/v1/candles/c1usdt', 400],
  ['/bff/v1/candles/C1USDT?interval=3d&limit=5', 200],
  ['/bff/v1/candles/C1USDT?interval=1M&endTime=2020-01-01T00:00:00Z', 200],
])('%s is %d', async (path, status) => {
  expect((await server.call(path)).status).toBe(status);
});

// How long that takes is the subject of bench/screener.bench.ts.
test('3,000 pairs, five rules and an order: the same rows as the plain list filtered and sorted by hand', async () => {
  const { body } = await ask({
    filter: all(
      rule('quote', 'in', ['USDT']),
      rule('price', 'gt', 100),
      rule('change', 'gt', -50, { timeframe: '24h' }),
      rule('spreadPct', 'lt', 100),
      rule('quoteVolume', 'topN', 500),
    ),
    sort: [{ key: 'quoteVolume', direction: 'desc' }],
    columns: [{ key: 'change', timeframe: '24h' }, { key: 'quoteVolume' }, { key: 'spreadPct' }],
    page: 1,
    pageSize: 50,
  });
  const volume = ({ quoteVolume }: FixturePair) => Number(quoteVolume);
  // The top 500 are those of the rows that the other rules leave.
  const left = COINS.filter(({ quote, price }) => quote === 'USDT' && Number(price) > 100);
  const largest = left.sort((one, other) => volume(other) - volume(one)).slice(0, 500);
  expect([left.length > 500, body.total]).toEqual([true, 500]);
  expect(body.items.map(({ symbol }) => symbol)).toEqual(largest.slice(0, 50).map(({ base, quote }) => `${base}${quote}`));
});
