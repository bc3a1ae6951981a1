import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { isDeeperThan } from './json-depth.ts';
import { unknownFields } from './unknown-fields.ts';

const inner = z.object({ hours: z.number().default(24) });
type Group = { rules: (z.infer<typeof inner> | Group)[] };
const group: z.ZodType<Group> = z.lazy(() => z.object({ rules: z.array(z.union([inner, group])) }));
const paths = (schema: z.ZodType, value: unknown) => unknownFields(schema, value).map(({ path }) => path);

describe('fields that a schema does not know are found', () => {
  test.each<[string, z.ZodType, unknown, string[]]>([
    ['at the top', inner, { minutes: 5 }, ['minutes']],
    ['none', inner, { hours: 5 }, []],
    ['behind a default and a refinement', inner.refine(() => true).default({ hours: 1 }), { minutes: 5 }, ['minutes']],
    ['behind null and missing', z.object({ a: inner.nullable().optional() }), { a: { minutes: 5 } }, ['a.minutes']],
    ['in lists', z.array(inner), [{}, { minutes: 5 }], ['1.minutes']],
    ['in records, whose keys are free', z.record(z.string(), inner), { any: { minutes: 5 } }, ['any.minutes']],
    ['in tuples', z.tuple([inner]), [{ minutes: 5 }], ['0.minutes']],
    ['before a transformation', inner.transform(({ hours }) => hours), { minutes: 5 }, ['minutes']],
    ['in both, where one form has it', z.union([inner, z.object({ until: z.string() })]), { until: 'x' }, []],
    ['in the form that fits', z.union([inner, z.object({ until: z.string() })]), { until: 'x', minutes: 5 }, ['minutes']],
    ['in forms within themselves', group, { rules: [{ rules: [{ hours: 1, minutes: 5 }] }] }, ['rules.0.rules.0.minutes']],
    ['not where others pass through on purpose', z.looseObject({ a: z.string() }), { a: '', b: 1 }, []],
    ['not in what is no object', inner, 'minutes', []],
  ])('%s', (_, schema, value, found) => expect(paths(schema, value)).toEqual(found));

  test('what is near is named, otherwise what there is', () => {
    const schema = z.object({ hours: z.number(), reason: z.string() });
    expect(unknownFields(schema, { hour: 1, minutes: 5 })).toMatchObject([
      { path: 'hour', code: 'unknown_field_near', limit: 'hours' },
      { path: 'minutes', code: 'unknown_field', limit: 'hours, reason' },
    ]);
  });

  test('a call that takes none says so', () => {
    expect(unknownFields(z.object({}).nullish(), { before: 1 })).toMatchObject([{ path: 'before', code: 'unknown_field_none' }]);
    expect(paths(z.object({}).nullish(), undefined)).toEqual([]);
  });
});

test.each([
  ['[[[]]]', 3, false],
  ['[[[]]]', 2, true],
  ['{"a":[{"b":[]}]}', 3, true],
  ['["[[[[", "\\"[[[[", "\\\\"]', 1, false],
  ['[[],[],[]]', 2, false],
])('%s lies deeper than %d: %s', (json, most, is) => expect(isDeeperThan(json, most)).toBe(is));
