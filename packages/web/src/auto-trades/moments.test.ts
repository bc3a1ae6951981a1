import { expect, test } from 'vitest';
import { momentText } from './moments.ts';

test('a time of today needs no date, any other does', () => {
  const now = new Date(2026, 10, 21, 12, 0, 0).getTime();
  const at = (day: number) => new Date(2026, 10, day, 22, 49, 50).toISOString();
  expect(momentText(at(21), 'en', now)).toBe('10:49:50 PM');
  expect(momentText(at(22), 'en', now)).toMatch(/^11\/22\/26, 10:49/);
});
