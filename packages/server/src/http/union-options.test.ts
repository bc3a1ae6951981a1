import { contract } from '@pilotfish/core/http/contract';
import { decimalText } from '@pilotfish/core/http/wire';
import { MAX_DEPTH } from '@pilotfish/core/prices/screener-contract';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { decimalsAsText } from './decimal-numbers.ts';
import { likeliestOption } from './union-options.ts';
import { unknownFields } from './unknown-fields.ts';

test('the form is known by its name, its fields and their values', () => {
  const fixed = z.object({ mode: z.literal('fixed'), value: decimalText });
  const times = z.object({ mode: z.literal('times'), value: z.number() });
  const other = z.object({ name: z.string() });
  const options = [fixed, times, other, z.array(z.string()), z.string()];
  for (const [value, option] of [
    [{ mode: 'fixed', value: 1 }, fixed],
    [{ mode: 'times', value: '1' }, times],
    [{ mode: 'times', value: 1, nope: 1 }, times],
    [{ name: 'x', nope: 1 }, other],
    [['x'], options[3]],
    ['x', options[4]],
  ])
    expect(likeliestOption(options, value)).toBe(option);
  const number = z.number();
  expect(likeliestOption([decimalText, number], 1)).toBe(number);
});

/** A group that counts how often anything of it is read, below so many others. */
function countedAt() {
  const counts = { reads: 0 };
  const counted = new Proxy(
    { match: 'all', rules: [{ key: 'x', operation: 'gt', value: 1, nope: 1 }] },
    {
      get: (target, name) => {
        counts.reads += 1;
        return Reflect.get(target, name) as unknown;
      },
    },
  );
  const below = (levels: number): object => (levels === 0 ? counted : { match: 'all', rules: [below(levels - 1)] });
  return { below, counts };
}

test('a body of options within options is gone through once', () => {
  type Group = { match: string; rules: unknown[] };
  const rule = z.strictObject({ key: z.string(), operation: z.string(), value: z.number() });
  const group: z.ZodType<Group> = z.lazy(() => z.strictObject({ match: z.string(), rules: z.array(z.union([rule, group])) }));
  // As often for each level would be seconds for a large body.
  const reads = (levels: number) => {
    const { below, counts } = countedAt();
    const body = below(levels);
    unknownFields(group, body);
    decimalsAsText(group, body, body);
    return counts.reads;
  };
  expect(reads(2)).toBeGreaterThan(0);
  expect(reads(40)).toBe(reads(2));
});

test('a filter is not read any deeper than it may be', () => {
  const { below, counts } = countedAt();
  const body = { filter: below(MAX_DEPTH + 1) };
  const schema = contract.getFilterResults.body!;
  unknownFields(schema, body);
  decimalsAsText(schema, body, body);
  expect(schema.safeParse(body).success).toBe(true);
  expect(counts.reads).toBe(0);
});
