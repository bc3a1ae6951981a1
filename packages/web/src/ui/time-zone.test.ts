import { afterEach, expect, test } from 'vitest';
import { applyTimeZone } from './time-zone.ts';

afterEach(() => applyTimeZone(undefined));
const moment = new Date(Date.UTC(2026, 0, 15, 22, 30));

test('every way of writing a date follows the chosen zone, and the device again when it is taken back', () => {
  const own = moment.toLocaleString('en-GB');
  applyTimeZone('Asia/Tokyo');
  expect(moment.toLocaleTimeString('en-GB')).toBe('07:30:00');
  expect(moment.toLocaleDateString('en-GB', { dateStyle: 'short' })).toBe('16/01/2026');
  expect(new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' }).format(moment)).toBe('07:30');
  expect(Intl.DateTimeFormat('en-GB').resolvedOptions().timeZone).toBe('Asia/Tokyo');
  // What names its own zone keeps it.
  expect(moment.toLocaleTimeString('en-GB', { timeZone: 'UTC' })).toBe('22:30:00');
  applyTimeZone(undefined);
  expect(moment.toLocaleString('en-GB')).toBe(own);
});
