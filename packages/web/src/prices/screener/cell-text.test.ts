import type { FilterOption } from '@pilotfish/core/prices/screener-contract';
import { expect, test } from 'vitest';
import { bareNumber, type CellContext, cellText, signedColumns } from './cell-text.ts';

const context: CellContext = {
  day: (at) => `day ${at}`,
  t: (key, options) => ({ 'ui.yes': 'Yes', 'ui.no': 'No', 'screener.value.above': 'above' })[key] ?? options?.defaultValue ?? key,
  tag: (key) => ({ meme: 'Meme' })[key] ?? key,
};
const option = (type: FilterOption['type'], unit?: string): FilterOption => ({
  key: 'k',
  label: 'K',
  type,
  operations: [],
  ...(unit ? { unit } : {}),
});
const text = (type: FilterOption['type'], value: never, unit?: string, signed = false) =>
  cellText(option(type, unit), value, signed, context);

test.each([
  ['number', 12.345, '%', false, '12.35%', ''],
  ['number', 12.345, '%', true, '+12.35%', 'gain'],
  ['number', -0.5, '%', true, '−0.50%', 'loss'],
  ['number', 0.001, '%', true, '0.00%', ''],
  ['number', 2.345, '×', false, '2.35×', ''],
  ['number', 31.2, 'days', false, '31', ''],
  ['number', 1_234_567, 'quote', false, '1.2M', ''],
  ['bool', true, undefined, false, 'Yes', ''],
  ['bool', 0, undefined, false, 'No', ''],
  ['enum', 'above', undefined, false, 'above', ''],
  ['enum', 'USDT', undefined, false, 'USDT', ''],
  ['tags', ['meme', 'x'], undefined, false, 'Meme, x', ''],
  ['time', 12, undefined, false, 'day 12', ''],
  ['number', null, '%', true, '–', ''],
] as const)('%s %o %s', (type, value, unit, signed, shown, tone) => {
  expect(text(type, value as never, unit, signed)).toEqual({ text: shown, tone });
});
test('what has not been asked yet is empty, not unknown', () => {
  expect(text('number', undefined as never).text).toBe('');
});
test.each([
  [56.31, '56.3'],
  [0.354, '0.35'],
  [0.000_012_3, '0.000012'],
  [-0.000_000_123, '−0.0000001230'],
  [5, '5'],
  [1500.25, '1,500.3'],
  [12_345, '12.3K'],
])('%d reads %s', (value, shown) => expect(bareNumber(value)).toBe(shown));
test('a column is of gains and losses as soon as one of its values is below zero', () => {
  const row = (a: number, b: number | null) => ({ symbol: 'X', baseAsset: 'X', quoteAsset: 'USDT', price: '1', values: { a, b } });
  expect(signedColumns([row(1, 2), row(-1, null)], ['a', 'b'])).toEqual(new Set(['a']));
});
