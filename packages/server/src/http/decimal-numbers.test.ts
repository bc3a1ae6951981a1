import { decimalText, positiveText } from '@pilotfish/core/http/wire';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { decimalsAsText, isDecimal, markedBody, noteLongNumbers } from './decimal-numbers.ts';

const read = (schema: z.ZodType, json: string) => {
  const body: unknown = JSON.parse(json);
  noteLongNumbers(body, json);
  return decimalsAsText(schema, body, markedBody(body));
};
const amount = z.object({ amount: decimalText });

test.each([
  ['12.5', '12.5'],
  ['-3', '-3'],
  ['0.1', '0.1'],
  ['1e-7', '0.0000001'],
  ['1.5e3', '1500'],
  ['123456789012345', '123456789012345'],
  ['0.000000123456789012345', '0.000000123456789012345'],
  ['123456789012345000', '123456789012345000'],
  ['1.50000000000000000000', '1.5'],
])('%s is the decimal %s', (number, text) => {
  expect(read(amount, `{"amount":${number}}`)).toEqual({ value: { amount: text }, refused: [] });
});

test.each(['0.1234567890123456', '1234567890123456', '0.1000000000000000000001', '-9007199254740993', '1e999'])(
  '%s has more digits than a number keeps, and is named',
  (number) => {
    const { refused } = read(amount, `{"note":"1234567890123456789 \\" \\u0031","amount":${number}}`);
    expect(refused).toEqual([{ path: 'amount', code: 'too_precise', message: '', limit: '15' }]);
  },
);

test('a number of at most 15 digits is the decimal that was written', () => {
  const written = fc.tuple(fc.bigInt({ min: 1n, max: 999_999_999_999_999n }), fc.integer({ min: 0, max: 20 })).map(([units, scale]) => {
    const digits = String(units).padStart(scale + 1, '0');
    return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  });
  fc.assert(
    fc.property(written, (text) => {
      const { value, refused } = read(amount, `{"amount":${text}}`);
      const canonical = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
      expect({ value, refused }).toEqual({ value: { amount: canonical }, refused: [] });
    }),
  );
});

describe('only where a decimal is meant', () => {
  const schema = z.object({
    count: z.int(),
    levels: z.array(z.object({ pct: positiveText.default('1') })).optional(),
    size: z.discriminatedUnion('mode', [
      z.object({ mode: z.literal('fixed'), value: decimalText }),
      z.object({ mode: z.literal('times'), value: z.number() }),
    ]),
    byName: z.record(z.string(), decimalText.nullable()),
    either: z.union([z.string().max(5), z.number()]),
  });
  test('at any depth', () => {
    const json = '{"count":3,"levels":[{"pct":2.5},{}],"size":{"mode":"fixed","value":7},"byName":{"a":1,"b":null},"either":5}';
    expect(read(schema, json).value).toEqual({
      count: 3,
      levels: [{ pct: '2.5' }, {}],
      size: { mode: 'fixed', value: '7' },
      byName: { a: '1', b: null },
      either: 5,
    });
  });
  test('a form that wants the number keeps it', () => {
    const { value } = read(schema, '{"size":{"mode":"times","value":0.30000000000000004}}');
    expect(value).toEqual({ size: { mode: 'times', value: 0.30000000000000004 } });
  });
  test('a schema says whether it is one', () => {
    expect([decimalText, positiveText, z.string(), z.number()].map(isDecimal)).toEqual([true, true, false, false]);
  });
});
