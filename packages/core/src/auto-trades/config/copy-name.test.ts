import { expect, test } from 'vitest';
import { copyName } from './copy-name.ts';

test('the first free name, whatever its capital letters; a copy of a copy counts on', () => {
  expect(copyName('Dip', ['Dip'], 'copy')).toBe('Dip copy');
  expect(copyName('Dip', ['Dip', 'dip COPY'], 'copy')).toBe('Dip copy 2');
  expect(copyName('Dip copy 2', ['Dip', 'Dip copy', 'Dip copy 2'], 'copy')).toBe('Dip copy 3');
});

test('a long name gives way to what follows it', () => {
  const free = copyName('x'.repeat(64), [], 'copy');
  expect(free).toHaveLength(64);
  expect(free.endsWith('x copy')).toBe(true);
});
