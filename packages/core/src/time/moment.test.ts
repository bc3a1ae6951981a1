import { expect, test } from 'vitest';
import { clockOf, formatMoment, type MomentDetail, type TimeReader } from './moment.ts';

const NOW = Date.UTC(2026, 10, 25, 14, 42, 8);
const reader: TimeReader = { language: 'en', clock: '24h', timeZone: 'UTC', now: NOW };

test.each<[string, number, MomentDetail, string, string]>([
  ['today', NOW - 21 * 60_000, 'brief', '14:21', '14:21'],
  ['yesterday', Date.UTC(2026, 10, 24, 23), 'brief', '24 Nov', '24 Kas'],
  ['this year', Date.UTC(2026, 0, 3), 'brief', '3 Jan', '3 Oca'],
  ['before', Date.UTC(2025, 8, 3), 'brief', '3 Sep 2025', '3 Eyl 2025'],
  ['to come', Date.UTC(2027, 0, 1), 'brief', '1 Jan 2027', '1 Oca 2027'],
  ['a minute of today', NOW, 'minute', '14:42', '14:42'],
  ['a minute of yesterday', Date.UTC(2026, 10, 24, 9, 5), 'minute', '24 Nov 09:05', '24 Kas 09:05'],
  ['a second of a past year', Date.UTC(2025, 8, 3, 9, 5, 7), 'second', '3 Sep 2025 09:05:07', '3 Eyl 2025 09:05:07'],
  ['a second of today', NOW, 'second', '14:42:08', '14:42:08'],
  ['a day', NOW, 'day', '25 Nov', '25 Kas'],
  ['a month', NOW, 'month', 'Nov 2026', 'Kas 2026'],
  ['what is read later', NOW, 'dated', '25 Nov 14:42', '25 Kas 14:42'],
  ['no time', Number.NaN, 'brief', '–', '–'],
  ['the clock alone', Date.UTC(2025, 8, 3, 9, 5), 'clock', '09:05', '09:05'],
])('%s', (_, at, detail, english, turkish) => {
  expect(formatMoment(at, reader, detail)).toBe(english);
  expect(formatMoment(Number.isNaN(at) ? '' : new Date(at).toISOString(), { ...reader, language: 'tr' }, detail)).toBe(turkish);
});

test('the last day of a year is yesterday on the first of the next, and the zone decides which day it is', () => {
  const newYear = { ...reader, now: Date.UTC(2027, 0, 1, 1) };
  expect(formatMoment(Date.UTC(2026, 11, 31, 23), newYear)).toBe('31 Dec');
  expect(formatMoment(Date.UTC(2026, 11, 31, 23), { ...newYear, timeZone: 'Europe/Istanbul' })).toBe('02:00');
});

test('the region decides the clock, not the language', () => {
  expect(
    ['en-US', 'en_US.UTF-8', 'en-GB', 'tr-TR', 'en-TR', 'en', 'C', 'POSIX', 'C.UTF-8', '', undefined, 'zh-Hant-TW'].map(clockOf),
  ).toEqual(['12h', '12h', '24h', '24h', '24h', '24h', '24h', '24h', '24h', '24h', '24h', '12h']);
  expect(formatMoment(NOW, { ...reader, clock: '12h' })).toBe('2:42 PM');
  expect(formatMoment(NOW, { ...reader, clock: '12h' }, 'second')).toBe('2:42:08 PM');
});
