import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  clockNames,
  dayAfter,
  dayNames,
  dayOf,
  daysApart,
  isTimeZone,
  localOf,
  monthStart,
  offsetsBetween,
  startOfDay,
  zoneToOffer,
} from './calendar-day.ts';

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

test('the hour of a moment, and the first of a day by its name, where clocks change too', () => {
  const hours = (zone: string, at: string, count: number) =>
    Array.from({ length: count }, (_, index) => clockNames(zone)(Date.parse(at) + index * HOUR)).map(({ day, hour }) => `${day} ${hour}`);
  // Two o'clock does not come in spring, and comes twice in autumn.
  expect(hours('Europe/Berlin', '2026-03-29T00:30:00Z', 2)).toEqual(['2026-03-29 1', '2026-03-29 3']);
  expect(hours('Europe/Berlin', '2026-10-25T00:30:00Z', 2)).toEqual(['2026-10-25 2', '2026-10-25 2']);
  expect(hours('Asia/Kathmandu', '2026-11-20T18:20:00Z', 1)).toEqual(['2026-11-21 0']);
  for (const [day, zone] of [
    ['2026-09-06', 'America/Santiago'],
    ['2021-10-29', 'Asia/Amman'],
    ['2026-10-25', 'Europe/Berlin'],
    ['2026-11-21', 'UTC'],
  ] as const)
    expect(startOfDay(day, zone)).toBe(dayOf(startOfDay(day, zone) + 12 * HOUR, zone).start);
  // Midnight of 6 September does not come there: the day before ended at its hour.
  expect(dayOf(startOfDay('2026-09-06', 'America/Santiago') - 1, 'America/Santiago').end).toBe(
    startOfDay('2026-09-06', 'America/Santiago'),
  );
});

test('days by their names, over months and years', () => {
  expect([dayAfter('2026-02-28'), dayAfter('2028-02-28'), dayAfter('2027-01-01', -1), dayAfter('2026-03-28', 2)]).toEqual([
    '2026-03-01',
    '2028-02-29',
    '2026-12-31',
    '2026-03-30',
  ]);
  expect([daysApart('2026-03-28', '2026-03-30'), daysApart('2027-01-01', '2026-12-31')]).toEqual([2, -1]);
});
