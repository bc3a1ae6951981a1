import { describe, expect, test } from 'vitest';
import en from '../locales/en.json' with { type: 'json' };
import { type FilterGroup, type FilterRule, filterGroupSchema, MAX_RULES, OPERATIONS } from './screener-contract.ts';
import { columnId, columnRef, NUMBER_COLUMNS, SCREENER_FIELDS } from './screener-fields.ts';
import { checkColumns, checkFilter, checkSort } from './screener-rules.ts';

const guest = { signedIn: false, quotes: ['USDT', 'BTC'], tags: ['defi', 'new'] };
const all = (...rules: FilterGroup['rules']): FilterGroup => ({ match: 'all', rules });
const check = (rule: FilterRule) =>
  checkFilter(all(rule), guest).map(({ path, code }) => `${path.replace('filter.rules.0', '')} ${code}`.trim());

describe('a rule that cannot be asked', () => {
  test.each<[FilterRule, string]>([
    [{ key: 'nonsense', operation: 'gt', value: 1 }, '.key unknownField'],
    [{ key: 'owned', operation: 'is', value: true }, '.key signInField'],
    [{ key: 'rsi', operation: 'lt', value: 30 }, '.timeframe missingTimeframe'],
    [{ key: 'rsi', timeframe: '7m', operation: 'lt', value: 30 }, '.timeframe unknownTimeframe'],
    [{ key: 'price', timeframe: '1h', operation: 'lt', value: 30 }, '.timeframe noTimeframe'],
    [{ key: 'price', operation: 'hasAny', value: ['x'] }, '.operation unknownOperation'],
    [{ key: 'quote', operation: 'gt', value: 1 }, '.operation unknownOperation'],
    [{ key: 'price', operation: 'gt' }, '.value missingValue'],
    [{ key: 'price', operation: 'isNull', value: 3 }, '.value extraValue'],
    [{ key: 'price', operation: 'gt', value: '1,5' }, '.value notNumber'],
    [{ key: 'price', operation: 'gt', value: Number.POSITIVE_INFINITY }, '.value notNumber'],
    [{ key: 'price', operation: 'gt', value: true }, '.value notNumber'],
    [{ key: 'price', operation: 'between', value: [2] }, '.value notRange'],
    [{ key: 'price', operation: 'between', value: [2, 1] }, '.value notRange'],
    [{ key: 'price', operation: 'between', value: [2, 'x'] }, '.value.1 notNumber'],
    [{ key: 'quoteVolume', operation: 'topN', value: 0 }, '.value notCount'],
    [{ key: 'quoteVolume', operation: 'topN', value: 2.5 }, '.value notCount'],
    [{ key: 'quoteVolume', operation: 'topN', value: 10_001 }, '.value notCount'],
    [{ key: 'price', operation: 'abovePct', value: 5 }, '.of missingValue'],
    [{ key: 'price', operation: 'abovePct', of: { key: 'quoteVolume' } }, '.value missingValue'],
    [{ key: 'price', operation: 'gt', value: 5, of: { key: 'quoteVolume' } }, '.value valueAndOf'],
    [{ key: 'price', operation: 'gt', of: { key: 'quote' } }, '.of.key notComparable'],
    [{ key: 'price', operation: 'gt', of: { key: 'rsi' } }, '.of.timeframe missingTimeframe'],
    [{ key: 'price', operation: 'topN', value: 3, of: { key: 'quoteVolume' } }, '.of extraValue'],
    [{ key: 'quote', operation: 'in', value: [] }, '.value notWords'],
    [{ key: 'quote', operation: 'in', value: 'USDT' }, '.value notWords'],
    [{ key: 'quote', operation: 'in', value: ['USDT', 'XYZ'] }, '.value.1 unknownWord'],
    [{ key: 'tags', operation: 'hasAny', value: ['gossip'] }, '.value.0 unknownWord'],
    [{ key: 'symbol', operation: 'contains', value: '  ' }, '.value notText'],
    [{ key: 'listedAt', operation: 'gt', value: '31.01.2026' }, '.value notTime'],
    [{ key: 'listedAt', operation: 'gt', value: '2026-13-01' }, '.value notTime'],
    [{ key: 'listedAt', operation: 'between', value: ['2026-02-01', '2026-01-01'] }, '.value notRange'],
  ])('%j: %s', (rule, problem) => expect(check(rule)).toEqual([problem]));
  test('yes and no are not words', () =>
    expect(checkFilter(all({ key: 'owned', operation: 'is', value: 'true' }), { ...guest, signedIn: true })).toEqual([
      { path: 'filter.rules.0.value', code: 'notBoolean' },
    ]));
  test('every code has a sentence', () => {
    const codes = Object.keys(en.screener.error);
    for (const code of ['unknownField', 'tooDeep', 'tooManyRules', 'emptyGroup', 'notBoolean', 'unknownWord'])
      expect(codes).toContain(code);
  });
});

test.each<FilterRule>([
  { key: 'rsi', timeframe: '1h', operation: 'lt', value: 30 },
  { key: 'rsi', timeframe: '1h', operation: 'crossesAbove', of: { key: 'rsi', timeframe: '1d' } },
  { key: 'price', operation: 'abovePct', value: -5, of: { key: 'minNotional' } },
  { key: 'listedAt', operation: 'between', value: ['2026-01-01', '2026-02-01T10:00:00Z'] },
  { key: 'tags', operation: 'hasNone', value: ['defi'], negate: true },
  { key: 'status', operation: 'in', value: ['TRADING', 'BREAK'] },
])('can be asked: %j', (rule) => expect(check(rule)).toEqual([]));

describe('how much can be asked', () => {
  const rule: FilterRule = { key: 'price', operation: 'gt', value: 1 };
  const nested = (depth: number): FilterGroup => (depth === 1 ? all(rule) : all(nested(depth - 1)));
  test('depth', () => {
    expect(checkFilter(nested(3), guest)).toEqual([]);
    expect(checkFilter(nested(4), guest)).toEqual([{ path: 'filter.rules.0.rules.0.rules.0', code: 'tooDeep', limit: '3' }]);
    expect(checkFilter(nested(500), guest)).toHaveLength(1);
  });
  test('rules, over all groups', () => {
    const half = all(...Array.from({ length: MAX_RULES / 2 }, () => rule));
    expect(checkFilter(all(half, half), guest)).toEqual([]);
    expect(checkFilter(all(half, half, rule), guest)).toEqual([{ path: 'filter', code: 'tooManyRules', limit: '30', actual: '31' }]);
    expect(filterGroupSchema.safeParse(all(...Array.from({ length: 10_000 }, () => rule))).success).toBe(false);
  });
  test('an empty filter asks for everything, an empty group inside it is a mistake', () => {
    expect(checkFilter(all(), guest)).toEqual([]);
    expect(checkFilter(all(all()), guest)).toEqual([{ path: 'filter.rules.0.rules', code: 'emptyGroup' }]);
  });
});

test('sort and columns are fields too', () => {
  expect(checkSort([{ key: 'rsi', direction: 'asc' }], guest).map(({ path }) => path)).toEqual(['sort.0.timeframe']);
  expect(checkColumns([{ key: 'price' }, { key: 'x' }], guest).map(({ path }) => path)).toEqual(['columns.1.key']);
});

describe('the table of fields', () => {
  test('keys are unique, have a text and a sensible example operation', () => {
    expect(new Set(SCREENER_FIELDS.map(({ key }) => key)).size).toBe(SCREENER_FIELDS.length);
    for (const { key, type, example } of SCREENER_FIELDS) {
      expect(Object.keys(en.screener.field), key).toContain(key);
      expect(OPERATIONS[type] as readonly string[], key).toContain(example?.split(' ')[0]);
    }
    for (const operation of Object.values(OPERATIONS).flat()) expect(Object.keys(en.screener.operation)).toContain(operation);
  });
  test('an id and its field are one', () => {
    for (const id of NUMBER_COLUMNS) expect(columnId(columnRef(id))).toBe(id);
  });
});
