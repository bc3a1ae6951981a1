import { expect, test } from 'vitest';
import { isolated } from './isolated.ts';

test('names from right to left are isolated, others stay as they are', () => {
  expect(isolated('Dip, şğı 42 👩‍👩‍👧✈️')).toBe('Dip, şğı 42 👩‍👩‍👧✈️');
  for (const name of ['שלום', 'سلام', 'a\u202eb', '\u{10800}', '\u{10fff}', '\u{1e800}', '\u{1efff}'])
    expect(isolated(name)).toBe(`\u2068${name}\u2069`);
});

test('a name that closes what it did not open, or opens what it does not close, reaches nothing beside it', () => {
  expect(isolated('a\u2069\u202eb')).toBe('\u2068a\u202eb\u2069');
  expect(isolated('a\u2067b')).toBe('\u2068ab\u2069');
});
