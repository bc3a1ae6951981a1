import { expect, test } from 'vitest';
import { formatCountdown, formatDuration, formatElapsed, formatSpan } from './duration.ts';

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

test.each([
  [-5, '0 seconds', '0 saniye'],
  [400, '0 seconds', '0 saniye'],
  [SECOND, '1 second', '1 saniye'],
  [90 * SECOND, '1 minute 30 seconds', '1 dakika 30 saniye'],
  [HOUR - 400, '1 hour', '1 saat'],
  [2 * HOUR + 5 * MINUTE, '2 hours 5 minutes', '2 saat 5 dakika'],
  [DAY - SECOND, '1 day', '1 gün'],
  [DAY + 40 * MINUTE, '1 day 1 hour', '1 gün 1 saat'],
  [2 * DAY, '2 days', '2 gün'],
])('%d ms is %s', (ms, english, turkish) => {
  expect(formatDuration(ms, 'en')).toBe(english);
  expect(formatDuration(ms, 'tr')).toBe(turkish);
});

test.each([
  [DAY + 2 * HOUR + 5 * MINUTE, '1 d 2 h', '1 g 2 sa'],
  [9 * HOUR + 20 * MINUTE, '9 h 20 m', '9 sa 20 dk'],
  [40 * MINUTE, '40 m', '40 dk'],
  [HOUR - 400, '1 h', '1 sa'],
  [0, '0 s', '0 sn'],
])('%d ms are the span %s', (ms, english, turkish) => {
  expect([formatSpan(ms, 'en'), formatSpan(ms, 'tr')]).toEqual([english, turkish]);
});

test('four units hide nothing', () => {
  expect(formatDuration(DAY + 30 * MINUTE, 'en', 4)).toBe('1 day 30 minutes');
  expect(formatSpan(DAY + 30 * MINUTE, 'en', 4)).toBe('1 d 30 m');
});

test.each([
  [-1, '0:00'],
  [1, '0:01'],
  [299_001, '5:00'],
  [59_000, '0:59'],
  [HOUR + 2 * MINUTE, '1:02:00'],
])('%d ms are left as %s', (ms, left) => {
  expect(formatCountdown(ms)).toBe(left);
});

test('what took less than a minute is told in hundredths of a second', () => {
  expect([formatElapsed(423, 'en'), formatElapsed(423, 'tr'), formatElapsed(90_000, 'en')]).toEqual(['0.42 s', '0.42 sn', '1 m 30 s']);
});
