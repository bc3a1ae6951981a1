import type { FilterGroup, FilterOptions, FilterRule } from '@pilotfish/core/prices/screener-contract';
import { OPERATIONS } from '@pilotfish/core/prices/screener-contract';
import { SCREENER_FIELDS } from '@pilotfish/core/prices/screener-fields';
import { checkFilter } from '@pilotfish/core/prices/screener-rules';
import { runs } from '@pilotfish/core/testing/tiers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseColumns, parseRule, parseSort } from './rule-parser.ts';
import { printFilter, printRule, printSort } from './rule-printer.ts';
import { RuleError } from './rule-tokens.ts';

// The options as the server makes them, for one who is signed in.
const QUOTES = ['BTC', 'USDT', 'TRY'];
const TAGS = ['meme', 'ai', 'layer-1'];
const options: FilterOptions = {
  filter: SCREENER_FIELDS.map(({ key, type, timeframes, values, example }) => ({
    key,
    label: key,
    type,
    operations: [...OPERATIONS[type]],
    ...(timeframes ? { timeframes: [...timeframes] } : {}),
    ...(key === 'quote' ? { values: QUOTES } : key === 'tags' ? { values: TAGS } : values ? { values: [...values] } : {}),
    ...(example ? { example } : {}),
  })),
  sort: SCREENER_FIELDS.filter(({ type }) => type === 'number').map(({ key, timeframes }) => ({
    key,
    label: key,
    ...(timeframes ? { timeframes: [...timeframes] } : {}),
  })),
};
const parse = (text: string) => parseRule(text, options);
const field = (key: string) => SCREENER_FIELDS.find((each) => each.key === key)!;

describe('what people type', () => {
  test.each<[string, object]>([
    ['rsi.1h < 30', { key: 'rsi', timeframe: '1h', operation: 'lt', value: 30 }],
    ['rsi.1h<30', { key: 'rsi', timeframe: '1h', operation: 'lt', value: 30 }],
    ['RSI.1h lt 30', { key: 'rsi', timeframe: '1h', operation: 'lt', value: 30 }],
    ['quote in USDT,BTC', { key: 'quote', operation: 'in', value: ['USDT', 'BTC'] }],
    ['quote = usdt', { key: 'quote', operation: 'in', value: ['USDT'] }],
    ['quote != TRY', { key: 'quote', operation: 'in', value: ['TRY'], negate: true }],
    ['change.24h between -5,5', { key: 'change', timeframe: '24h', operation: 'between', value: [-5, 5] }],
    ['change.24h between -5..5', { key: 'change', timeframe: '24h', operation: 'between', value: [-5, 5] }],
    ['not tags hasAny meme', { key: 'tags', operation: 'hasAny', value: ['meme'], negate: true }],
    ['quoteVolume >= 2.5M', { key: 'quoteVolume', operation: 'gte', value: 2_500_000 }],
    ['quoteVolume topN 50', { key: 'quoteVolume', operation: 'topN', value: 50 }],
    ['natr.1h > natr.1d', { key: 'natr', timeframe: '1h', operation: 'gt', of: { key: 'natr', timeframe: '1d' } }],
    [
      'range.24h abovePct 5 of range.7d',
      { key: 'range', timeframe: '24h', operation: 'abovePct', value: 5, of: { key: 'range', timeframe: '7d' } },
    ],
    ['owned', { key: 'owned', operation: 'is', value: true }],
    ['owned is no', { key: 'owned', operation: 'is', value: false }],
    ['rsi.1h isNull', { key: 'rsi', timeframe: '1h', operation: 'isNull' }],
    ['listedAt > 2026-01-01', { key: 'listedAt', operation: 'gt', value: '2026-01-01' }],
    ['base contains "two words"', { key: 'base', operation: 'contains', value: 'two words' }],
    [
      'not any(rsi.1h < 25; all(owned; change.1h > 3))',
      {
        match: 'any',
        negate: true,
        rules: [
          { key: 'rsi', timeframe: '1h', operation: 'lt', value: 25 },
          {
            match: 'all',
            rules: [
              { key: 'owned', operation: 'is', value: true },
              { key: 'change', timeframe: '1h', operation: 'gt', value: 3 },
            ],
          },
        ],
      },
    ],
  ])('%s', (text, rule) => expect(parse(text)).toEqual(rule));

  test('the example of every field is a rule the server accepts', () => {
    for (const { key, timeframes, example } of SCREENER_FIELDS) {
      const words = example?.replace('stablecoin', 'meme');
      const rule = parse(`${timeframes ? `${key}.${timeframes[0]}` : key} ${words}`);
      expect(checkFilter({ match: 'all', rules: [rule] }, { signedIn: true, quotes: QUOTES, tags: TAGS }), key).toEqual([]);
    }
  });
});

describe('what cannot be asked names what can', () => {
  test.each<[string, string, { meant?: string; allowed?: string }]>([
    ['', 'empty', {}],
    ['rsj.1h < 30', 'unknownField', { meant: 'rsi', allowed: 'rsi' }],
    ['rsi < 30', 'missingTimeframe', { allowed: '15m', meant: 'rsi.15m' }],
    ['rsi.2h < 30', 'unknownTimeframe', { allowed: '4h' }],
    ['price.1h < 30', 'noTimeframe', { meant: 'price' }],
    ['rsi.1h', 'noOperation', { allowed: '<' }],
    ['rsi.1h belwo 3', 'unknownOperation', { allowed: 'between' }],
    ['rsi.1h betwen 3,4', 'unknownOperation', { meant: 'between' }],
    ['quote > 3', 'unknownOperation', { allowed: 'in' }],
    ['symbol = BTCUSDT', 'unknownOperation', { allowed: 'startsWith' }],
    ['quote in USDC', 'unknownWord', { allowed: 'USDT', meant: 'USDT' }],
    ['tags hasAny mem', 'unknownWord', { meant: 'meme' }],
    ['rsi.1h <', 'missingValue', {}],
    ['rsi.1h < 1,5', 'oneValue', {}],
    ['rsi.1h < 30%', 'notNumber', {}],
    ["price > 70'000", 'notNumber', {}],
    ['price > €70000', 'notNumber', {}],
    ['price > 70 000', 'unexpected', {}],
    ['price > 70,000', 'oneValue', {}],
    ['price > 70,000.50', 'oneValue', {}],
    ['rsi.1h < high', 'unknownField', {}],
    ['rsi.1h < quote', 'notComparable', {}],
    ['change.1h between 5', 'notRange', {}],
    ['change.1h between 5,-5', 'notRange', {}],
    ['quoteVolume topN 1.5', 'notCount', {}],
    ['owned is maybe', 'notBoolean', {}],
    ['listedAt > yesterday', 'notTime', {}],
    ['rsi.1h < 30 and price > 1', 'useAll', {}],
    ['rsi.1h < 30 or price > 1', 'useAny', {}],
    ['rsi.1h < 30 please', 'unexpected', {}],
    ['any(rsi.1h < 30', 'openGroup', {}],
    ['any()', 'emptyGroup', {}],
    ['base contains "x', 'openQuote', {}],
    ['not', 'empty', {}],
  ])('%s → %s', (text, code, { meant, allowed }) => {
    let thrown: unknown;
    try {
      parse(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(RuleError);
    const error = thrown as RuleError;
    expect(error.code).toBe(code);
    if (meant) expect(error.meant).toBe(meant);
    if (allowed) expect(error.allowed).toContain(allowed);
  });
});

// Any rule the server accepts can be printed, and reading it again gives the same.
const finite = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value));
const refOf = (key: string): fc.Arbitrary<{ key: string; timeframe?: string }> => {
  const frames = field(key).timeframes;
  return frames ? fc.constantFrom(...frames).map((timeframe) => ({ key, timeframe })) : fc.constant({ key });
};
const numberRef = fc.constantFrom(...SCREENER_FIELDS.filter(({ type }) => type === 'number').map(({ key }) => key)).chain(refOf);
const time = fc.date({ min: new Date('2010-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }).map((date) => date.toISOString());
const ordered = <Value extends number | string>(arbitrary: fc.Arbitrary<Value>) =>
  fc.tuple(arbitrary, arbitrary).map(([a, b]) => (a <= b ? [a, b] : [b, a]));
const words = (from: readonly string[]) => fc.uniqueArray(fc.constantFrom(...from), { minLength: 1 });

const operandOf = (key: string, operation: string): fc.Arbitrary<Pick<FilterRule, 'value' | 'of'>> => {
  const { type, values } = field(key);
  const value = (arbitrary: fc.Arbitrary<unknown>) => arbitrary.map((each) => ({ value: each }) as Pick<FilterRule, 'value'>);
  if (operation === 'isNull') return fc.constant({});
  if (operation === 'between' || operation === 'notBetween') return type === 'time' ? value(ordered(time)) : value(ordered(finite));
  if (operation === 'topN' || operation === 'bottomN') return value(fc.integer({ min: 1, max: 10_000 }));
  if (operation === 'abovePct') return fc.record({ value: finite, of: numberRef });
  switch (type) {
    case 'bool':
      return value(fc.boolean());
    case 'time':
      return value(time);
    case 'text':
      return value(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }));
    case 'tags':
      return value(words(TAGS));
    case 'enum':
      return value(key === 'quote' ? words(QUOTES) : words(values ?? []));
    default:
      return fc.oneof(
        value(finite),
        numberRef.map((of) => ({ of })),
      );
  }
};
const negation = fc.constantFrom({}, { negate: true as const });
const rule: fc.Arbitrary<FilterRule> = fc
  .constantFrom(...SCREENER_FIELDS.map(({ key }) => key))
  .chain((key) =>
    fc
      .constantFrom(...OPERATIONS[field(key).type])
      .chain((operation) =>
        fc
          .tuple(refOf(key), operandOf(key, operation), negation)
          .map(([ref, operand, negate]) => ({ ...ref, operation, ...operand, ...negate })),
      ),
  );
const { item } = fc.letrec<{ item: FilterRule | FilterGroup; group: FilterGroup }>((tie) => ({
  item: fc.oneof({ depthSize: 'small', withCrossShrink: true }, rule, tie('group')),
  group: fc
    .tuple(fc.constantFrom('all' as const, 'any' as const), fc.array(tie('item'), { minLength: 1, maxLength: 4 }), negation)
    .map(([match, rules, negate]) => ({ match, rules, ...negate })),
}));

test('what is printed reads back as the same rule, and prints the same again', () => {
  fc.assert(
    fc.property(item, (given) => {
      const text = printRule(given);
      const read = parse(text);
      expect(read).toEqual(given);
      expect(printRule(read)).toBe(text);
    }),
    { numRuns: runs(2_000) },
  );
});
test('no text makes the reader fail in another way than by naming what is wrong', () => {
  const piece = fc.oneof(
    fc.constantFrom('rsi.1h', '<', 'not', 'any', '(', ')', ';', ',', '30', 'in', 'quote', 'of', '"'),
    fc.string({ maxLength: 5 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      try {
        parse(pieces.join(' '));
      } catch (error) {
        expect(error).toBeInstanceOf(RuleError);
      }
    }),
    { numRuns: runs(3_000) },
  );
});

test('orders and columns', () => {
  expect(parseSort('quoteVolume:desc, rsi.1h:asc,price', options)).toEqual([
    { key: 'quoteVolume', direction: 'desc' },
    { key: 'rsi', timeframe: '1h', direction: 'asc' },
    { key: 'price', direction: 'desc' },
  ]);
  expect(printSort(parseSort('rsi.1h:asc,price', options))).toBe('rsi.1h:asc,price:desc');
  expect(parseColumns('rsi.1h,natr.1d', options)).toEqual([
    { key: 'rsi', timeframe: '1h' },
    { key: 'natr', timeframe: '1d' },
  ]);
  expect(() => parseSort('price:up', options)).toThrow('direction');
  expect(() => parseColumns('rsi', options)).toThrow('missingTimeframe');
  expect(printFilter({ match: 'any', rules: [parse('owned'), parse('rsi.1h < 3')] })).toEqual({
    rules: ['owned is true', 'rsi.1h < 3'],
    any: true,
  });
});
