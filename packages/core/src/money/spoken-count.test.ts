import { expect, test } from 'vitest';
import { formatSpoken } from './spoken-count.ts';

test('in a sentence what it counts is grouped, nothing else is touched', () => {
  expect(formatSpoken(525_600, undefined, 'en', { interpolationkey: 'bars' })).toBe('525,600');
  expect(formatSpoken(30_000, undefined, 'tr', { interpolationkey: 'count' })).toBe('30,000');
  expect(formatSpoken(-1121, undefined, 'en', { interpolationkey: 'code' })).toBe(-1121);
  expect(formatSpoken(-1_234_567, undefined, 'en', { interpolationkey: 'count' })).toBe('-1,234,567');
  expect(formatSpoken('4600', undefined, 'en', { interpolationkey: 'count' })).toBe('4600');
  expect(formatSpoken(undefined)).toBeUndefined();
});
