import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayNames, dayOf, isTimeZone, localOf, monthStart, offsetsBetween, zoneToOffer } from './calendar-day.ts';

const HOUR = 3_600_000;

test('days of any zone follow each other without a gap, changes of the clocks included', () => {
  const zones = [
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kathmandu',
    'Africa/Cairo',
    'America/Santiago',
    'Australia/Lord_Howe',
    'Asia/Amman',
  ];
  fc.assert(
    fc.property(fc.integer({ min: 1.4e12, max: 1.9e12 }), fc.constantFrom(...zones), (at, zone) => {
      const day = dayOf(at, zone);
      expect(day.start).toBeLessThanOrEqual(at);
      expect(day.end).toBeGreaterThan(at);
      expect((day.end - day.start) / HOUR).toBeGreaterThanOrEqual(22);
      expect((day.end - day.start) / HOUR).toBeLessThanOrEqual(26);
      expect(dayOf(day.end, zone).start).toBe(day.end);
      expect(dayOf(day.end - 1, zone)).toEqual(day);
      expect(dayNames(zone)(at)).toBe(new Date(localOf(at, zone)).toISOString().slice(0, 10));
    }),
  );
  expect(isTimeZone('Europe/Istanbul')).toBe(true);
  expect(isTimeZone('Mars/Base')).toBe(false);
});

test.each([
  // Clocks go forward at one in the morning of 29 March and back in that of 25 October (UTC).
  ['2026-03-29T12:00:00Z', 'Europe/Berlin', '2026-03-28T23:00:00.000Z', 23],
  ['2026-10-25T12:00:00Z', 'Europe/Berlin', '2026-10-24T22:00:00.000Z', 25],
  // A midnight that does not come, and one that comes twice.
  ['2026-09-06T12:00:00Z', 'America/Santiago', '2026-09-06T04:00:00.000Z', 23],
  ['2021-10-29T12:00:00Z', 'Asia/Amman', '2021-10-28T21:00:00.000Z', 25],
  ['2026-11-21T00:30:00Z', 'Europe/Istanbul', '2026-11-20T21:00:00.000Z', 24],
])('the day of %s in %s begins at %s and has %d hours', (at, zone, start, hours) => {
  const day = dayOf(Date.parse(at), zone);
  expect(new Date(day.start).toISOString()).toBe(start);
  expect((day.end - day.start) / HOUR).toBe(hours);
});

test('the offsets of a span are those of its every moment', () => {
  const [from, to] = [Date.parse('2026-01-01T00:00:00Z'), Date.parse('2027-01-01T00:00:00Z')];
  const shown = (zone: string) => offsetsBetween(from, to, zone).map((each) => [new Date(each.from).toISOString(), each.offset / HOUR]);
  expect(shown('Europe/Berlin')).toEqual([
    ['2026-01-01T00:00:00.000Z', 1],
    ['2026-03-29T01:00:00.000Z', 2],
    ['2026-10-25T01:00:00.000Z', 1],
  ]);
  expect(shown('Asia/Kathmandu')).toEqual([['2026-01-01T00:00:00.000Z', 5.75]]);
  const steps = offsetsBetween(from, to, 'America/Santiago');
  for (let at = from; at < to; at += 7 * HOUR) {
    const { offset } = steps.findLast((step) => step.from <= at)!;
    expect(at + offset).toBe(localOf(at, 'America/Santiago'));
  }
});

test('a device offers its zone, and not UTC, which says nothing of where its owner is', () => {
  expect(['Europe/Istanbul', 'Europe/London', 'UTC', 'Etc/UTC', 'GMT', 'Etc/Unknown', 'Mars/Base', undefined].map(zoneToOffer)).toEqual([
    'Europe/Istanbul',
    'Europe/London',
    ...Array<undefined>(6).fill(undefined),
  ]);
});

test('a month begins at its first midnight there', () => {
  const start = (at: string, zone: string) => new Date(monthStart(Date.parse(at), zone)).toISOString();
  expect(start('2026-11-30T22:00:00Z', 'UTC')).toBe('2026-11-01T00:00:00.000Z');
  // 01:00 on 1 December in Istanbul.
  expect(start('2026-11-30T22:00:00Z', 'Europe/Istanbul')).toBe('2026-11-30T21:00:00.000Z');
  // The month in which clocks go forward: its beginning has the winter's offset.
  expect(start('2026-03-31T12:00:00Z', 'Europe/Berlin')).toBe('2026-02-28T23:00:00.000Z');
});
