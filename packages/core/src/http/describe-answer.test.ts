import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { runs } from '../../testing/tiers.ts';
import { contract } from './contract.ts';
import { describeAnswer, isEndpoint, plainEndpoint } from './describe-answer.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { type PlainBound, type PlainShape, plainAnswer } from './plain-answer.ts';
import { problemSchema } from './problem-document.ts';

// The terminal app checks answers by data instead of schemas: both must take the same answers, and make the same of them.

const TEXTS = [
  '',
  'a',
  ' a ',
  'BTCUSDT',
  'BTC',
  '1h',
  '0',
  '-0',
  '-0.00',
  '12.50',
  '-3',
  '1e5',
  '.5',
  '2026-11-21T02:30:00.000Z',
  '2026-11-21',
  '2026-02-30T00:00:00Z',
  '0197a5c2-3f4e-7abc-8def-0123456789ab',
  '9'.repeat(70),
  'x'.repeat(300),
  '💎'.repeat(40),
];
const JUNK = [...TEXTS, null, true, 0, -1, 1.5, 2 ** 60, [], {}, [1], { a: 1 }];

const edges = (bounds: readonly PlainBound[]) => bounds.flatMap(([, limit]) => [limit - 1, limit, limit + 1]);
const size = (bounds: readonly PlainBound[]) => fc.constantFrom(0, 1, 2, ...edges(bounds).filter((each) => each >= 0 && each <= 60));

/** Values a shape may take, and some beside them. */
function valuesOf(shape: PlainShape): fc.Arbitrary<unknown> {
  if (typeof shape === 'string')
    return shape === 'boolean'
      ? fc.boolean()
      : shape === 'nothing'
        ? fc.constant(undefined)
        : shape === 'any'
          ? fc.constantFrom(...JUNK)
          : fc.constantFrom('1.5', '0', '-2', '0.001');
  if ('text' in shape)
    return shape.text.length > 0
      ? fc.constantFrom(...TEXTS)
      : fc.oneof(
          fc.constantFrom(...TEXTS),
          size(shape.length ?? []).map((count) => 'y'.repeat(count)),
        );
  if ('number' in shape)
    return fc.oneof(fc.integer(), fc.constantFrom(0, 1, 60, ...edges(shape.bounds ?? [])), fc.constantFrom(1.5, 2 ** 53));
  if ('values' in shape) return fc.constantFrom(...shape.values);
  if ('list' in shape)
    return size(shape.length ?? []).chain((count) =>
      fc.array(valuesOf(shape.list), { minLength: Math.min(count, 12), maxLength: Math.min(count, 12) }),
    );
  if ('tuple' in shape) return fc.tuple(...shape.tuple.map(valuesOf));
  if ('keys' in shape) {
    const required = Object.entries(shape.keys).filter(([, [, missing]]) => missing === undefined);
    return fc.record(Object.fromEntries(Object.entries(shape.keys).map(([key, [each]]) => [key, valuesOf(each)])), {
      requiredKeys: required.map(([key]) => key),
    });
  }
  if ('record' in shape) return fc.dictionary(fc.constantFrom('a', 'b', 'BTCUSDT', ''), valuesOf(shape.record), { maxKeys: 3 });
  if ('either' in shape) return fc.oneof(...shape.either.map(valuesOf));
  if ('orNull' in shape) return fc.oneof(fc.constant(null), valuesOf(shape.orNull));
  return fc.oneof(fc.constant(undefined), valuesOf(shape.orMissing));
}

/** One change somewhere inside: another value, a key too many or one too few. */
function changed(value: unknown, [how, ...way]: readonly number[], junk: unknown): unknown {
  if (how === undefined || typeof value !== 'object' || value === null) return junk;
  const keys = Object.keys(value);
  const key = keys[how % (keys.length + 1)];
  if (Array.isArray(value)) return value.map((each, index) => (String(index) === key ? changed(each, way, junk) : each));
  if (key === undefined) return { ...value, unheardOf: junk };
  if (how % 7 === 0) return Object.fromEntries(Object.entries(value).filter(([each]) => each !== key));
  return { ...value, [key]: changed((value as Record<string, unknown>)[key], way, junk) };
}

const described = [
  ...Object.entries(contract).map(([id, { answer }]) => ({ id, answer: answer as z.ZodType, ...describeAnswer(answer) })),
  { id: 'problem', answer: problemSchema as z.ZodType, ...describeAnswer(problemSchema) },
].flatMap((each) => ('shape' in each ? [each] : []));

test.each(described)('$id: what the schema takes is taken, and nothing else', ({ answer, shape }) => {
  const plain = plainAnswer(JSON.parse(JSON.stringify(shape)) as PlainShape);
  const same = (data: unknown) => {
    const [ours, theirs] = [plain.safeParse(data), answer.safeParse(data)];
    expect(ours.success, JSON.stringify(data)).toBe(theirs.success);
    if (ours.success && theirs.success) expect(ours.data).toStrictEqual(theirs.data);
  };
  fc.assert(
    fc.property(valuesOf(shape), fc.array(fc.nat(60), { maxLength: 6 }), fc.constantFrom(...JUNK), (value, way, junk) => {
      same(value);
      same(changed(value, way, junk));
    }),
    { numRuns: runs(60) },
  );
});

const parsed = (text: string): unknown => JSON.parse(text);
test.each<[string, z.ZodType, unknown[]]>([
  [
    'characters beyond the first 65,536',
    z.object({ name: z.string().min(2).max(3) }),
    ['💎', '💎💎', '💎💎💎', 'aaaa'].map((name) => ({ name })),
  ],
  [
    'what may be anything, but not be missing',
    z.object({ any: z.unknown(), none: z.null() }),
    [{}, { none: null }, { any: 1, none: null }],
  ],
  [
    'a key that is no key of an object',
    z.object({ some: z.record(z.string(), z.int()), loose: z.looseObject({}) }),
    [parsed('{"some":{"__proto__":1,"a":2},"loose":{"__proto__":{"b":3},"c":4}}'), parsed('{"some":{"__proto__":{"a":"1"}},"loose":{}}')],
  ],
  ['choices by number', z.enum({ One: 1, 1: 'One' } as never), [1, 'One', 2]],
])('%s: as the schema takes it', (_, schema, values) => {
  const found = describeAnswer(schema);
  if (!('shape' in found)) throw new Error(found.why);
  const plain = plainAnswer(JSON.parse(JSON.stringify(found.shape)) as PlainShape);
  for (const value of values) {
    const [ours, theirs] = [plain.safeParse(value), schema.safeParse(value)];
    expect(ours.success, JSON.stringify(value)).toBe(theirs.success);
    if (ours.success && theirs.success) expect(ours.data).toStrictEqual(theirs.data);
  }
});

test('a wrong cell is told with the way to it', () => {
  const schema = z.object({ items: z.array(z.object({ price: z.string() })) });
  const found = describeAnswer(schema);
  if (!('shape' in found)) throw new Error(found.why);
  const wrong = plainAnswer(found.shape).safeParse({ items: [{ price: '1' }, { price: 2 }] });
  expect(wrong).toMatchObject({ success: false, error: { issues: [{ path: ['items', 1, 'price'] }] } });
});

test('a schema that says more than data can is left to itself', () => {
  const more = [
    z.string().refine((text) => text === 'a'),
    z.string().transform(Number),
    z.coerce.number(),
    z.url(),
    z.array(z.int()).refine(() => true),
    z.string().regex(/a/g),
    z.number().max(Number.POSITIVE_INFINITY),
    z.literal([undefined, 'a']),
    z.any().default(new Date(0)),
    z.tuple([z.int(), z.int().optional()]),
    z.looseRecord(z.string(), z.int()),
    z.xor([z.string(), z.int()]),
    z.string().optional().nullable(),
  ];
  for (const schema of more) expect(describeAnswer(z.object({ value: schema }))).toHaveProperty('why');
});

test('the calls that are made most are described', () => {
  const ids = new Set(described.map(({ id }) => id));
  for (const id of [
    'listTickers',
    'listCandles',
    'listOpenPositions',
    'listClosedPositions',
    'listOpenOrders',
    'listWallets',
    'listNotifications',
    'problem',
  ])
    expect(ids, id).toContain(id);
});

test('an endpoint without its schemas keeps how it is called', () => {
  for (const endpoint of Object.values(contract) as AnyEndpoint[]) {
    expect(isEndpoint(endpoint)).toBe(true);
    const { backend, method, path, access, content, answers, headers } = endpoint;
    const wanted = JSON.parse(JSON.stringify({ backend, method, path, access, content, answers, headers })) as object;
    expect(JSON.parse(JSON.stringify(plainEndpoint(endpoint)))).toMatchObject(wanted);
  }
});
