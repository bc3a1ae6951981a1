import { expect, test } from 'vitest';
import { fileOrder } from './file-order.ts';
import type { ImportDraft } from './import-draft.ts';

const T = Date.UTC(2024, 4, 1);
const draft = (row: number, at: number): ImportDraft => ({
  kind: 'transfer',
  row,
  at: T + at,
  asset: 'BTC',
  change: '1',
  transfer: 'deposit',
});

/** `row@ms` in the order of the time that each was given. */
function placed(...rows: readonly (readonly [row: number, at: number])[]): string[] {
  const found: ImportDraft[] = [];
  const order = fileOrder((given, read) => {
    expect(Math.floor(given.at / 1000)).toBe(Math.floor(read.at / 1000));
    expect(draft(read.row, read.at - T)).toEqual(read);
    found.push(given);
  });
  for (const [row, at] of rows) order.push(draft(row, at));
  order.end();
  return found.toSorted((one, other) => one.at - other.at).map(({ row, at }) => `${row}@${at - T}`);
}

test('rows of one second keep their order, oldest first or newest first as the file runs', () => {
  expect(placed([2, 0], [3, 0], [4, 5000], [5, 5000])).toEqual(['2@0', '3@1', '4@5000', '5@5001']);
  expect(placed([2, 5000], [3, 5000], [4, 0], [5, 0], [6, 0])).toEqual(['6@0', '5@1', '4@2', '3@5000', '2@5001']);
});
test('a file of one second runs from its first row on', () => expect(placed([2, 0], [3, 0])).toEqual(['2@0', '3@1']));
test('a row with a finer time, and one alone in its second, stays where it is', () =>
  expect(placed([2, 0], [3, 1250], [4, 1250], [5, 3000])).toEqual(['2@0', '3@1250', '4@1250', '5@3000']));
test('more rows than a second has milliseconds stay in it', () =>
  expect(placed(...Array.from({ length: 1002 }, (_, row) => [row, 0] as const)).at(-1)).toBe('1001@999'));
