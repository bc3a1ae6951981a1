import { expect, test } from 'vitest';
import { eachInPieces } from './pieces.ts';

test('rows are worked on in order, and others have their turn before the last of them', async () => {
  const seen: (number | 'other')[] = [];
  const rows = Array.from({ length: 1000 }, (_, row) => row);
  setImmediate(() => seen.push('other'));
  await eachInPieces(rows, (row) => seen.push(row));
  expect(seen.filter((each) => each !== 'other')).toEqual(rows);
  expect(seen.indexOf('other')).toBe(250);
});

test('a row that cannot be read ends the work', async () => {
  const seen: number[] = [];
  const work = (row: number) => {
    if (row === 2) throw new Error('broken');
    seen.push(row);
  };
  await expect(eachInPieces([1, 2, 3], work)).rejects.toThrow('broken');
  expect(seen).toEqual([1]);
});
