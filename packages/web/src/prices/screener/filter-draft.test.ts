import type { FilterGroup, FilterOption, FilterRule } from '@pilotfish/core/prices/screener-contract';
import { operationsOf, SCREENER_FIELDS } from '@pilotfish/core/prices/screener-fields';
import { checkFilter } from '@pilotfish/core/prices/screener-rules';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  changed,
  type DraftGroup,
  type DraftRule,
  emptyGroup,
  fromFilter,
  newRule,
  nodeOfError,
  toFilter,
  withField,
} from './filter-draft.ts';

const QUOTES = ['USDT', 'BTC'];
const TAGS = ['stablecoin', 'meme'];
/** The options as a server would offer them: made from the same table. */
const options: ReadonlyMap<string, FilterOption> = new Map(
  SCREENER_FIELDS.map((field) => [
    field.key,
    {
      key: field.key,
      label: field.key,
      type: field.type,
      operations: [...operationsOf(field)],
      ...(field.unit ? { unit: field.unit } : {}),
      ...(field.timeframes ? { timeframes: [...field.timeframes] } : {}),
      ...(field.example ? { example: field.example } : {}),
      ...(field.key === 'quote'
        ? { values: QUOTES }
        : field.type === 'tags'
          ? { values: TAGS }
          : field.values
            ? { values: [...field.values] }
            : {}),
    },
  ]),
);
const knowledge = { signedIn: true, quotes: QUOTES, tags: TAGS };
const group = (nodes: DraftGroup['nodes'], match: 'all' | 'any' = 'all'): DraftGroup => ({ ...emptyGroup(match), nodes });
const rule = (key: string, changes: Partial<DraftRule> = {}): DraftRule => ({ ...newRule(options.get(key)!), ...changes });

describe('a new rule', () => {
  test.each([...options.keys()])('on %s asks at once what the server accepts', (key) => {
    const { filter, incomplete } = toFilter(group([rule(key)]), options);
    expect(incomplete.size).toBe(0);
    expect(checkFilter(filter, knowledge)).toEqual([]);
  });
  test('moved to another field keeps its place and its negation', () => {
    const moved = withField(rule('rsi', { negate: true, timeframe: '4h' }), options.get('natr')!);
    expect(moved).toMatchObject({ key: 'natr', negate: true, timeframe: '4h' });
    expect(withField(rule('rsi', { timeframe: '4h' }), options.get('quote')!)).toMatchObject({ timeframe: undefined, words: ['USDT'] });
  });
});

describe('what is asked', () => {
  const asked = (key: string, changes: Partial<DraftRule>) =>
    toFilter(group([rule(key, changes)]), options).filter?.rules[0] as FilterRule | undefined;
  test.each<[string, Partial<DraftRule>, unknown]>([
    ['change', { operation: 'gt', value: '-2.5', timeframe: '24h' }, { value: -2.5 }],
    ['change', { operation: 'between', value: '1', to: '2', timeframe: '24h' }, { value: [1, 2] }],
    ['quoteVolume', { operation: 'topN', value: '50' }, { value: 50 }],
    ['price', { operation: 'abovePct', value: '2', of: { key: 'minNotional' } }, { value: 2, of: { key: 'minNotional' } }],
    ['rsi', { operation: 'isNull' }, { operation: 'isNull' }],
    ['tags', { operation: 'hasAny', words: ['meme'] }, { value: ['meme'] }],
    ['owned', { flag: false }, { value: false }],
    ['listedAt', { operation: 'gt', value: '2026-01-01T00:00:00.000Z' }, { value: '2026-01-01T00:00:00.000Z' }],
    ['base', { operation: 'contains', value: ' BTC ' }, { value: 'BTC' }],
  ])('%s %o', (key, changes, expected) => {
    expect(asked(key, changes)).toMatchObject(expected as object);
  });
  test('another field in place of a value, never both', () => {
    expect(asked('change', { operation: 'gt', value: '5', timeframe: '1h', of: { key: 'change', timeframe: '24h' } })).toEqual({
      key: 'change',
      timeframe: '1h',
      operation: 'gt',
      of: { key: 'change', timeframe: '24h' },
    });
  });
  test.each<[string, Partial<DraftRule>]>([
    ['change', { value: '' }],
    ['change', { value: '-' }],
    ['change', { value: '1.' }],
    ['change', { operation: 'between', value: '1', to: '' }],
    ['quoteVolume', { operation: 'topN', value: '0' }],
    ['tags', { words: [] }],
    ['base', { value: '  ' }],
    ['listedAt', { value: '' }],
  ])('a half-written rule asks nothing yet: %s %o', (key, changes) => {
    const half = rule(key, changes);
    const { filter, incomplete } = toFilter(group([half, rule('owned')]), options);
    expect([...incomplete]).toEqual([half.id]);
    expect(filter?.rules).toHaveLength(1);
  });
});

test('a filter becomes a draft and the same filter again', () => {
  const leaf: fc.Arbitrary<FilterRule> = fc.constantFrom<FilterRule>(
    { key: 'rsi', timeframe: '1h', operation: 'lt', value: 30 },
    { key: 'change', timeframe: '24h', operation: 'between', value: [-1, 2.5], negate: true },
    { key: 'tags', operation: 'hasNone', value: ['meme', 'stablecoin'] },
    { key: 'owned', operation: 'is', value: false },
    { key: 'price', operation: 'abovePct', value: 3, of: { key: 'minNotional' } },
    { key: 'natr', timeframe: '1d', operation: 'isNull' },
    { key: 'symbol', operation: 'startsWith', value: 'BTC' },
  );
  const tree = (depth: number): fc.Arbitrary<FilterGroup> =>
    fc.record({
      match: fc.constantFrom('all' as const, 'any' as const),
      rules: fc.array(depth > 1 ? fc.oneof(leaf, tree(depth - 1)) : leaf, { minLength: 1, maxLength: 4 }),
    });
  fc.assert(
    fc.property(tree(3), (filter) => {
      expect(toFilter(fromFilter(filter, options), options).filter).toEqual(filter);
    }),
  );
});

describe('errors find their rule', () => {
  test('though half-written rules are not sent, and paths go deeper than the rule', () => {
    const [first, half, inner] = [rule('rsi'), rule('price', { value: '' }), rule('natr')];
    const nested = group([half, inner]);
    const { ids } = toFilter(group([half, first, nested]), options);
    expect(nodeOfError('filter.rules.0.value', ids)).toBe(first.id);
    expect(nodeOfError('filter.rules.1.rules.0.timeframe', ids)).toBe(inner.id);
    expect(nodeOfError('filter.rules.1.rules', ids)).toBe(nested.id);
    expect(nodeOfError('sort.0.key', ids)).toBeUndefined();
    expect(nodeOfError('filter', ids)).toBeUndefined();
  });
});

test('a node deep down is changed or taken out, and nothing else', () => {
  const [a, b] = [rule('rsi'), rule('natr')];
  const root = group([a, group([b])]);
  const negated = changed(root, b.id, (node) => ({ ...node, negate: true }));
  expect(negated.nodes[0]).toBe(a);
  expect((negated.nodes[1] as DraftGroup).nodes[0]).toMatchObject({ id: b.id, negate: true });
  expect((changed(root, b.id, () => undefined).nodes[1] as DraftGroup).nodes).toEqual([]);
});
