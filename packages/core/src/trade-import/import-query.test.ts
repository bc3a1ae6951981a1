import { expect, test } from 'vitest';
import { withoutUnknown } from '../http/older-server.ts';
import { AppError } from '../http/problem.ts';
import { importFieldsOf, importQueryOf, importTrades } from './trade-import-contract.ts';

const previews = (query: object) => {
  const { data } = importTrades.query!.safeParse(query);
  return data?.preview;
};

test.each([
  ['', {}, false],
  ['preview=true', { preview: 'true' }, true],
  ['preview=false', { preview: 'false' }, false],
  ['commit=true, of an older client', { commit: 'true' }, false],
  ['commit=false, of an older client', { commit: 'false' }, true],
  ['what our clients send for a preview', importQueryOf({ preview: true, acceptPartial: false }), true],
  ['what our clients send for an import', importQueryOf({ preview: false, acceptPartial: false }), false],
  ['preview and commit at once', { preview: 'true', commit: 'true' }, undefined],
  ['neither preview nor commit', { preview: 'false', commit: 'false' }, undefined],
])('%s', (_, query, expected) => {
  expect(previews(query)).toBe(expected);
});

test('a preview stays one on a server that refuses the word', () => {
  const refused = new AppError('invalid', { fields: [{ path: 'preview', code: 'unknown_field', message: '' }] });
  const asked = { query: importQueryOf({ preview: true, acceptPartial: false, zone: 'UTC+3' }) };
  const { preview: _, ...known } = asked.query;
  expect(withoutUnknown(importTrades, asked, refused)).toEqual({ query: known });
  expect(known).toMatchObject({ commit: 'false' });
  // Alone it says something, and is never dropped: an import would be left.
  expect(withoutUnknown(importTrades, { query: { preview: 'true' } }, refused)).toBeUndefined();
});

test('answers that are too long for an address travel in the form, as many as there are', () => {
  const answers = (count: number, letter: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}`.padEnd(100, letter), 'reward' as const]));
  for (const [operations, isLong] of [
    [{ 'Night Market Gift': 'reward' as const }, false],
    [answers(150, 'x'), true],
    // An address writes such a letter in nine characters.
    [answers(10, '币'), true],
  ] as const) {
    const text = JSON.stringify(operations);
    const query = importQueryOf({ preview: true, acceptPartial: false, operations });
    expect('operations' in query).toBe(!isLong);
    expect(importFieldsOf({ operations })).toEqual(isLong ? { operations: text } : {});
    expect(importTrades.query!.safeParse(query).success).toBe(true);
  }
  expect(importFieldsOf({})).toEqual({});
});

test('an import is asked for in the words of every server', () => {
  expect(importQueryOf({ preview: false, acceptPartial: true })).toEqual({ commit: 'true', acceptPartial: 'true' });
});
