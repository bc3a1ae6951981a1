import type { AnyEndpoint } from '@pilotfish/core/http/endpoint';
import fc from 'fast-check';
import * as z from 'zod';

// Requests made from an endpoint's own schemas: whole ones, ones that are wrong in one place, and ones that mean harm.

type Schema = Readonly<Record<string, unknown>>;
type Definitions = Readonly<Record<string, Schema>>;

const DEEPEST = 6;

/** What attackers write into fields, and what breaks parsers, databases, terminals and pages. */
export const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\u202eevil\u202c',
  '\ud800',
  '\udfff\ud800',
  '\u001b]0;title\u0007\u001b[2J',
  'line\r\nBcc: all@example.com\r\n\r\nbody',
  "' or 1=1 --",
  '"; drop table accounts; --',
  '%_\\',
  "\\' union select password_hash from accounts --",
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  '{{constructor.constructor("return process")()}}',
  '$' + '{7*7}',
  '$t(errors.internal.title)',
  '../../../../etc/passwd',
  '..%2f..%2f',
  'file:///etc/passwd',
  'http://169.254.169.254/latest/meta-data',
  'http://[::1]:1/',
  'NaN',
  'Infinity',
  '-0',
  '1e400',
  '0x10',
  '１２３',
  '1'.repeat(400),
  `0.${'0'.repeat(300)}1`,
  '=cmd|calc!A1',
  '__proto__',
  'constructor',
  'toString',
  'a'.repeat(20_000),
  '(a+)+$',
  `${'('.repeat(300)}BTC > 1${')'.repeat(300)}`,
  'BTC '.repeat(800),
  '😀'.repeat(200),
  'İıſK',
  '018f0000-0000-7000-8000-000000000000',
  '00000000-0000-0000-0000-000000000000',
  '9999-99-99T99:99:99Z',
  '+275760-09-13T00:00:00.001Z',
  '-271821-04-20T00:00:00.000Z',
];
const HOSTILE_NUMBERS = [0, -0, -1, 0.1, 1e-300, 2 ** 31, 2 ** 53, -(2 ** 53), 1e21, 1e308, Number.MAX_SAFE_INTEGER, Number.MIN_VALUE];

/** Values that no field expects. Texts of JSON may say what values cannot: 1e400, keys twice, `__proto__`. */
const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...HOSTILE_TEXTS),
  fc.constantFrom<unknown>(...HOSTILE_NUMBERS),
  fc.constantFrom<unknown>(null, true, [], {}, [[]], [null], { length: 1e9 }, { toString: 1 }, { constructor: {} }, [['a'], ['b']]),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Bodies as text that is not what an encoder writes. */
const HOSTILE_BODIES: readonly string[] = [
  '',
  'null',
  '[]',
  '"text"',
  '0',
  '1e400',
  '{"a":1e400}',
  '{"name":1,"name":2}',
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{"isAdmin":true}}}',
  '\ufeff{}',
  '{"a":"\\ud800"}',
  '{"a":NaN}',
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
  `${'{"and":['.repeat(2000)}${']}'.repeat(2000)}`,
  `{"${'k'.repeat(10_000)}":1}`,
  `[${'0,'.repeat(20_000)}0]`,
];

const numberOf = (schema: Schema, key: string): number | undefined =>
  typeof schema[key] === 'number' ? (schema[key] as number) : undefined;

function textOf(schema: Schema, ids: readonly string[]): fc.Arbitrary<unknown> {
  const format = schema.format;
  if (format === 'uuid') return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...ids) }, { weight: 1, arbitrary: fc.uuid() });
  if (format === 'email') return fc.nat(9999).map((n) => `fuzz${n}@example.com`);
  if (format === 'date-time')
    return fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }).map((date) => date.toISOString());
  if (format === 'uri') return fc.constantFrom('https://127.0.0.1:1/hook', 'http://127.0.0.1:1/', 'https://user:pw@127.0.0.1:1/');
  const [minLength, maxLength] = [numberOf(schema, 'minLength') ?? 0, Math.min(numberOf(schema, 'maxLength') ?? 60, 200)];
  if (typeof schema.pattern === 'string') {
    try {
      return fc.oneof(fc.stringMatching(new RegExp(schema.pattern, 'u')), fc.constantFrom('BTCUSDT', '1', '10.5', '0.00000001', '08:00'));
    } catch {
      return fc.constantFrom('BTCUSDT', '1', '10.5', 'a', '08:00');
    }
  }
  return fc.string({ minLength, maxLength: Math.max(minLength, maxLength), unit: 'grapheme' });
}

/** Values of a JSON schema as the contract's own OpenAPI shows it. */
function valid(schema: Schema, ids: readonly string[], definitions: Definitions, depth = 0): fc.Arbitrary<unknown> {
  const inner = (next: unknown) => valid(next as Schema, ids, definitions, depth + 1);
  if (typeof schema.$ref === 'string') {
    if (depth > DEEPEST) return fc.constant({});
    const target = schema.$ref === '#' ? definitions['#'] : definitions[schema.$ref.split('/').at(-1) ?? ''];
    return target === undefined ? hostile : inner(target);
  }
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom<unknown>(...schema.enum);
  const choices = (schema.anyOf ?? schema.oneOf) as readonly Schema[] | undefined;
  if (choices !== undefined) {
    const shallow = depth > DEEPEST ? choices.filter((choice) => choice.type !== 'object' && choice.$ref === undefined) : choices;
    return fc.oneof(...(shallow.length > 0 ? shallow : choices.slice(0, 1)).map(inner));
  }
  if (Array.isArray(schema.allOf))
    return fc.tuple(...schema.allOf.map(inner)).map((parts) => Object.assign({}, ...(parts as object[])) as unknown);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number': {
      const min = Math.ceil(numberOf(schema, 'minimum') ?? (numberOf(schema, 'exclusiveMinimum') ?? -1001) + 1);
      const max = Math.floor(numberOf(schema, 'maximum') ?? (numberOf(schema, 'exclusiveMaximum') ?? 100_001) - 1);
      return fc.integer({ min: Math.max(min, -(2 ** 31)), max: Math.max(Math.min(max, 2 ** 31), Math.max(min, -(2 ** 31))) });
    }
    case 'string':
      return textOf(schema, ids);
    case 'array': {
      if (Array.isArray(schema.prefixItems)) return fc.tuple(...schema.prefixItems.map(inner));
      const minLength = numberOf(schema, 'minItems') ?? 0;
      return fc.array(inner(schema.items ?? {}), {
        minLength,
        maxLength: Math.max(minLength, Math.min(numberOf(schema, 'maxItems') ?? 3, 3)),
      });
    }
    case 'object': {
      const properties = (schema.properties ?? {}) as Record<string, Schema>;
      const required = Array.isArray(schema.required) ? (schema.required as string[]) : [];
      const known = fc.record(Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, inner(value)])), {
        requiredKeys: required.filter((key) => key in properties),
        noNullPrototype: true,
      });
      if (typeof schema.additionalProperties !== 'object' || depth > DEEPEST) return known;
      const key =
        schema.propertyNames === undefined ? fc.constantFrom('a', 'b', 'errors.internal.title') : inner(schema.propertyNames).map(String);
      return fc
        .tuple(known, fc.dictionary(key, inner(schema.additionalProperties), { maxKeys: 3 }))
        .map(([fields, more]) => ({ ...more, ...(fields as object) }));
    }
    default:
      return hostile;
  }
}

/** Puts something hostile into one place of a value. @param at picks the place at each level, 0-1 */
function spoiled(value: unknown, evil: unknown, at: readonly number[], level = 0): unknown {
  const pick = at[level % at.length] ?? 0;
  if (typeof value !== 'object' || value === null || pick > 0.92) return evil;
  const keys = Object.keys(value);
  if (keys.length === 0) return { [(JSON.stringify(evil) ?? '').slice(0, 50) || 'x']: evil };
  const key = keys[Math.floor((pick / 0.93) * keys.length)] ?? keys[0]!;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...value };
  (copy as Record<string, unknown>)[key] = spoiled((value as Record<string, unknown>)[key], evil, at, level + 1);
  return copy;
}

function arbitraryOf(schema: z.ZodType | undefined, ids: readonly string[]): fc.Arbitrary<unknown> {
  if (schema === undefined || schema instanceof z.ZodUndefined) return fc.constant(undefined);
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', cycles: 'ref' }) as Schema;
  const definitions = { ...(json.$defs as Definitions | undefined), '#': json };
  return valid(json, ids, definitions);
}

export type FuzzRequest = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: string;
  /** Undefined sends none. Text is sent as it is. */
  readonly body: unknown;
};

const oneOrSpoiled = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 4, arbitrary },
    {
      weight: 5,
      arbitrary: fc
        .tuple(arbitrary, hostile, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 }))
        .map(([value, evil, at]) => spoiled(value, evil, at)),
    },
  );

const queryText = (value: unknown): string =>
  typeof value !== 'object' || value === null
    ? ''
    : Object.entries(value)
        .filter(([, each]) => each !== undefined)
        .flatMap(([key, each]) => (Array.isArray(each) ? each : [each]).map((one) => `${encoded(key)}=${encoded(one)}`))
        .join('&');

/** A lone surrogate cannot be sent; what a browser would send in its place is. */
export const wellFormed = (text: string): string => Buffer.from(text, 'utf8').toString('utf8');
const encoded = (value: unknown): string =>
  encodeURIComponent(wellFormed((typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 3000)));

/**
 * Requests to one endpoint.
 * @param ids what fields of an id are filled with: own things, other people's, and none
 */
export function requestsOf(endpoint: AnyEndpoint, ids: readonly string[]): fc.Arbitrary<FuzzRequest> {
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const wanted = arbitraryOf(endpoint.params, ids).map((value) => (value ?? {}) as Record<string, unknown>);
  const evilPart = fc.constantFrom(...HOSTILE_TEXTS.filter((text) => text.length < 200 && text !== ''), ...ids);
  const params = fc
    .tuple(wanted, fc.option(evilPart, { freq: 4 }), fc.nat())
    .map(([value, evil, which]) =>
      Object.fromEntries(
        names.map((name, index) => [name, evil !== null && which % names.length === index ? evil : partText(value[name])]),
      ),
    );
  const query = oneOrSpoiled(arbitraryOf(endpoint.query, ids)).map(queryText);
  const body: fc.Arbitrary<unknown> =
    endpoint.method === 'GET' || endpoint.content === 'multipart'
      ? fc.constant(undefined)
      : fc.oneof(
          { weight: 8, arbitrary: oneOrSpoiled(arbitraryOf(endpoint.body, ids)) },
          { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_BODIES) },
        );
  return fc.record({ params, query, body });
}

const partText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'x'));

/** The path with its parts filled in, dots written so that no client tidies them away. */
export const filledPath = (path: string, params: FuzzRequest['params']): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(params[name]).replaceAll('.', '%2E') || 'x');
