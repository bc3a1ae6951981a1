import { expect, test } from 'vitest';
import { positionChangeWords } from './position-change-words.ts';

test.each([
  [null, '–'],
  ['85000.5', '85,000.5'],
  ['0.1439991891891891891891891892', '0.14399919'],
  ['61000 (50 %), 62000.10 (50 %)', '61,000 (50 %), 62,000.1 (50 %)'],
  ['2026-11-23T10:00:00.000Z', 'at ten'],
])('%s reads %s', (value, words) => expect(positionChangeWords(value, () => 'at ten')).toBe(words));

test('prices have the digits of their pair where it is known', () => {
  expect(positionChangeWords('64000.1, 65000 (50%)', () => '', 2)).toBe('64,000.10, 65,000.00 (50%)');
});
