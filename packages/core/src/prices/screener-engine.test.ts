import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../testing/tiers.ts';
import type { FilterGroup, FilterRule, FilterSort } from './screener-contract.ts';
import { screen, sortRows, topRows } from './screener-engine.ts';
import { isGroup } from './screener-rules.ts';
import type { ScreenerTable } from './screener-table.ts';

type Row = Record<string, number | null> & { symbol: string; quote: string; tags: string[] };
const row = (symbol: string, quote: string, tags: string, numbers: Record<string, number | null>): Row =>
  ({ symbol, quote, tags: tags === '' ? [] : tags.split(','), ...numbers }) as unknown as Row;

function tableOf(rows: readonly Row[]): ScreenerTable {
  const numbers = new Map<string, Float64Array>();
  const before = new Map<string, Float64Array>();
  for (const key of new Set(rows.flatMap((one) => Object.keys(one)))) {
    if (['symbol', 'quote', 'tags'].includes(key)) continue;
    const column = Float64Array.from(rows, (one) => one[key] ?? Number.NaN);
    if (key.startsWith('before ')) before.set(key.slice('before '.length), column);
    else numbers.set(key, column);
  }
  return {
    symbols: rows.map(({ symbol }) => symbol),
    numbers,
    before,
    words: new Map([['quote', rows.map(({ quote }) => quote)]]),
    tags: rows.map(({ tags }) => tags),
  };
}

const MARKET = tableOf([
  row('BTCUSDT', 'USDT', 'layer-1', { price: 70_000, 'rsi.1h': 28, 'before rsi.1h': 31, quoteVolume: 900, 'sma20Distance.1d': 3 }),
  row('ETHUSDT', 'USDT', 'layer-1,defi', { price: 3000, 'rsi.1h': 55, 'before rsi.1h': 49, quoteVolume: 500, 'sma20Distance.1d': -1 }),
  row('ETHBTC', 'BTC', 'layer-1,defi', { price: 0.05, 'rsi.1h': 30, 'before rsi.1h': 30, quoteVolume: 950, 'sma20Distance.1d': 0 }),
  row('NEWUSDT', 'USDT', '', { price: 2, 'rsi.1h': null, 'before rsi.1h': null, quoteVolume: 700, 'sma20Distance.1d': null }),
]);
const ask = (filter: FilterGroup) => {
  const { rows, unknown } = screen(MARKET, filter);
  return { symbols: [...rows].map((at) => MARKET.symbols[at]), unknown };
};
const rule = (key: string, operation: string, value?: FilterRule['value'], more: Partial<FilterRule> = {}): FilterRule => {
  const [name = '', timeframe] = key.split('.');
  return { key: name, operation, ...(timeframe ? { timeframe } : {}), ...(value === undefined ? {} : { value }), ...more };
};
const all = (...rules: FilterGroup['rules']): FilterGroup => ({ match: 'all', rules });
const any = (...rules: FilterGroup['rules']): FilterGroup => ({ match: 'any', rules });

describe('what a rule lets through', () => {
  test.each<[string, FilterGroup, string[], number]>([
    ['no rules: everything', all(), ['BTCUSDT', 'ETHUSDT', 'ETHBTC', 'NEWUSDT'], 0],
    ['a comparison leaves out what is unknown, and counts it', all(rule('rsi.1h', 'lt', 30)), ['BTCUSDT'], 1],
    ['so does its negation', all(rule('rsi.1h', 'lt', 30, { negate: true })), ['ETHUSDT', 'ETHBTC'], 1],
    ['isNull finds the unknown', all(rule('rsi.1h', 'isNull')), ['NEWUSDT'], 0],
    ['a column nobody made is unknown everywhere', all(rule('natr.4h', 'gt', 0)), [], 4],
    ['between has both ends inside', all(rule('rsi.1h', 'between', [28, 30])), ['BTCUSDT', 'ETHBTC'], 1],
    ['notBetween is the rest', all(rule('rsi.1h', 'notBetween', [28, 30])), ['ETHUSDT'], 1],
    ['a cross needs the step before', all(rule('rsi.1h', 'crossesBelow', 30)), ['BTCUSDT'], 1],
    ['upwards', all(rule('rsi.1h', 'crossesAbove', 50)), ['ETHUSDT'], 1],
    ['standing on the level is no cross', all(rule('rsi.1h', 'crossesAbove', 30)), [], 1],
    ['against another field', all(rule('quoteVolume', 'gt', undefined, { of: { key: 'price' } })), ['ETHBTC', 'NEWUSDT'], 0],
    ['so many percent above a field', all(rule('price', 'abovePct', 400, { of: { key: 'quoteVolume' } })), ['BTCUSDT', 'ETHUSDT'], 0],
    ['words', all(rule('quote', 'in', ['BTC', 'EUR'])), ['ETHBTC'], 0],
    ['words, none of', all(rule('quote', 'notIn', ['BTC'])), ['BTCUSDT', 'ETHUSDT', 'NEWUSDT'], 0],
    ['text, whatever the case', all(rule('symbol', 'startsWith', 'eth')), ['ETHUSDT', 'ETHBTC'], 0],
    ['text inside', all(rule('symbol', 'contains', 'wusd')), ['NEWUSDT'], 0],
    ['any tag', all(rule('tags', 'hasAny', ['defi', 'meme'])), ['ETHUSDT', 'ETHBTC'], 0],
    ['all tags', all(rule('tags', 'hasAll', ['defi', 'layer-1'])), ['ETHUSDT', 'ETHBTC'], 0],
    ['no tag', all(rule('tags', 'hasNone', ['defi'])), ['BTCUSDT', 'NEWUSDT'], 0],
    [
      'ranks count among what the rest lets through',
      all(rule('quoteVolume', 'topN', 2), rule('quote', 'in', ['USDT'])),
      ['BTCUSDT', 'NEWUSDT'],
      0,
    ],
    ['a rank among pairs nobody can judge', all(rule('natr.1h', 'lt', 5), rule('quoteVolume', 'topN', 2)), [], 4],
    ['the lowest', all(rule('quoteVolume', 'bottomN', 1)), ['ETHUSDT'], 0],
    ['a rank of something unknown', all(rule('rsi.1h', 'topN', 3)), ['BTCUSDT', 'ETHUSDT', 'ETHBTC'], 1],
    [
      'a group inside',
      all(rule('quote', 'in', ['USDT']), any(rule('rsi.1h', 'lt', 30), rule('price', 'lt', 5))),
      ['BTCUSDT', 'NEWUSDT'],
      0,
    ],
    ['a group turned round', all({ ...any(rule('rsi.1h', 'lt', 30), rule('price', 'lt', 1)), negate: true }), ['ETHUSDT'], 1],
    [
      'one true rule of any is enough beside an unknown one',
      any(rule('rsi.1h', 'lt', 30), rule('price', 'lt', 5)),
      ['BTCUSDT', 'ETHBTC', 'NEWUSDT'],
      0,
    ],
    ['one false rule of all is enough beside an unknown one', all(rule('rsi.1h', 'lt', 30), rule('price', 'gt', 5)), ['BTCUSDT'], 0],
  ])('%s', (_, filter, symbols, unknown) => expect(ask(filter)).toEqual({ symbols, unknown }));
});

// The same questions answered by plain objects, one pair after the other.
const KEYS = ['price', 'rsi.1h', 'quoteVolume'];
const numeric = fc.record({
  key: fc.constantFrom(...KEYS),
  operation: fc.constantFrom('gt', 'gte', 'lt', 'lte', 'eq'),
  value: fc.integer({ min: 0, max: 6 }),
  negate: fc.boolean(),
});
const other = fc.oneof(
  fc.constantFrom(...KEYS).map((key) => rule(key, 'isNull')),
  fc
    .record({ words: fc.subarray(['USDT', 'BTC', 'EUR'], { minLength: 1 }), operation: fc.constantFrom('in', 'notIn') })
    .map(({ words, operation }) => rule('quote', operation, words)),
  fc
    .record({ words: fc.subarray(['a', 'b', 'c'], { minLength: 1 }), operation: fc.constantFrom('hasAny', 'hasAll', 'hasNone') })
    .map(({ words, operation }) => rule('tags', operation, words)),
  fc
    .tuple(fc.constantFrom(...KEYS), fc.constantFrom(...KEYS), fc.constantFrom('gt', 'lt'))
    .map(([key, of, operation]) => rule(key, operation, undefined, { of: refOf(of) })),
);
const refOf = (id: string) => {
  const [key = '', timeframe] = id.split('.');
  return timeframe === undefined ? { key } : { key, timeframe };
};
const anyRule = fc.oneof(
  numeric.map(({ key, operation, value, negate }) => rule(key, operation, value, { negate })),
  other,
);
const groups: fc.Arbitrary<FilterGroup> = fc.letrec<{ group: FilterGroup }>((tie) => ({
  group: fc.record({
    match: fc.constantFrom('all' as const, 'any' as const),
    rules: fc.array(fc.oneof({ depthSize: 'small', withCrossShrink: true }, anyRule, tie('group')), { minLength: 1, maxLength: 4 }),
    negate: fc.boolean(),
  }),
})).group;
const someNumber = fc.option(fc.integer({ min: 0, max: 6 }), { nil: null });
const markets = fc.array(
  fc.record({
    quote: fc.constantFrom('USDT', 'BTC', 'EUR'),
    tags: fc.subarray(['a', 'b', 'c']),
    price: someNumber,
    rsi: someNumber,
    quoteVolume: someNumber,
  }),
  { maxLength: 30 },
);

type Verdict = boolean | null;
function judgeRow(one: Row, question: FilterRule | FilterGroup): Verdict {
  const turned = (verdict: Verdict) => (question.negate && verdict !== null ? !verdict : verdict);
  if (isGroup(question)) {
    const verdicts = question.rules.map((inner) => judgeRow(one, inner));
    const decisive = question.match === 'any';
    if (verdicts.includes(decisive)) return turned(decisive);
    return verdicts.includes(null) ? null : turned(!decisive);
  }
  const { operation, value, of } = question;
  if (question.key === 'tags') {
    const held = (value as string[]).filter((tag) => one.tags.includes(tag)).length;
    return turned(operation === 'hasAll' ? held === (value as string[]).length : held > 0 === (operation === 'hasAny'));
  }
  if (question.key === 'quote') return turned((value as string[]).includes(one.quote) === (operation === 'in'));
  const number = (ref: { key: string; timeframe?: string | undefined }) =>
    one[ref.timeframe ? `${ref.key}.${ref.timeframe}` : ref.key] ?? null;
  const mine = number(question);
  if (operation === 'isNull') return turned(mine === null);
  const against = of ? number(of) : (value as number);
  if (mine === null || against === null) return null;
  const compare: Record<string, boolean> = {
    gt: mine > against,
    gte: mine >= against,
    lt: mine < against,
    lte: mine <= against,
    eq: mine === against,
  };
  return turned(compare[operation]!);
}

test('columns and objects agree on any market and any filter', () => {
  fc.assert(
    fc.property(markets, groups, (pairs, filter) => {
      const rows = pairs.map(({ rsi, ...one }, index) =>
        row(`S${index}`, one.quote, one.tags.join(','), { price: one.price, quoteVolume: one.quoteVolume, 'rsi.1h': rsi }),
      );
      const verdicts = rows.map((one) => judgeRow(one, filter));
      const found = screen(tableOf(rows), filter);
      expect([...found.rows]).toEqual(verdicts.flatMap((verdict, index) => (verdict === true ? [index] : [])));
      expect(found.unknown).toBe(verdicts.filter((verdict) => verdict === null).length);
    }),
    { numRuns: runs(500) },
  );
});

describe('order', () => {
  const sort = (key: string, direction: 'asc' | 'desc'): FilterSort => ({ ...refOf(key), direction });
  test('unknown is last in both directions', () => {
    const order = (by: FilterSort[]) => [...sortRows(MARKET, Int32Array.of(0, 1, 2, 3), by)].map((at) => MARKET.symbols[at]);
    expect(order([sort('rsi.1h', 'asc')])).toEqual(['BTCUSDT', 'ETHBTC', 'ETHUSDT', 'NEWUSDT']);
    expect(order([sort('rsi.1h', 'desc')])).toEqual(['ETHUSDT', 'ETHBTC', 'BTCUSDT', 'NEWUSDT']);
    expect(order([sort('quote', 'asc'), sort('price', 'desc')])).toEqual(['ETHBTC', 'BTCUSDT', 'ETHUSDT', 'NEWUSDT']);
    expect(order([sort('symbol', 'desc')])).toEqual(['NEWUSDT', 'ETHUSDT', 'ETHBTC', 'BTCUSDT']);
  });
  test('the first rows are those of the whole order, however many are asked', () => {
    fc.assert(
      fc.property(markets, fc.integer({ min: 0, max: 40 }), fc.constantFrom('asc' as const, 'desc' as const), (pairs, count, direction) => {
        const rows = pairs.map(({ rsi, ...one }, index) => row(`S${index}`, one.quote, '', { price: one.price, 'rsi.1h': rsi }));
        const table = tableOf(rows);
        const every = Int32Array.from(rows, (_, index) => index);
        const by = [sort('price', direction), sort('rsi.1h', 'desc')];
        expect([...topRows(table, every, by, count)]).toEqual([...sortRows(table, every, by)].slice(0, count));
      }),
    );
  });
});
