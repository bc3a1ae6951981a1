import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../testing/tiers.ts';
import { afterQuietHours, DEFAULT_CHOICES, outerChannelsOf, quietHoursSchema } from './notification-choices.ts';

const at = (text: string) => Date.parse(text);
const iso = (time: number) => new Date(time).toISOString();
const hours = (from: string, to: string, timeZone = 'UTC') => ({ enabled: true, from, to, timeZone });

describe('quiet hours', () => {
  test.each([
    ['within a day', '2026-01-15T12:30:15.000Z', hours('12:00', '14:00'), '2026-01-15T14:00:00.000Z'],
    ['before them', '2026-01-15T11:59:59.999Z', hours('12:00', '14:00'), '2026-01-15T11:59:59.999Z'],
    ['at their end', '2026-01-15T14:00:00.000Z', hours('12:00', '14:00'), '2026-01-15T14:00:00.000Z'],
    ['over midnight, before it', '2026-01-15T23:10:00.000Z', hours('23:00', '08:00'), '2026-01-16T08:00:00.000Z'],
    ['over midnight, after it', '2026-01-16T03:10:00.000Z', hours('23:00', '08:00'), '2026-01-16T08:00:00.000Z'],
    ['in another zone', '2026-01-15T21:00:00.000Z', hours('23:00', '08:00', 'Europe/Istanbul'), '2026-01-16T05:00:00.000Z'],
    ['when the clocks go forward', '2026-03-28T23:30:00.000Z', hours('23:00', '08:00', 'Europe/Berlin'), '2026-03-29T06:00:00.000Z'],
    ['when the clocks go back', '2026-10-24T22:30:00.000Z', hours('23:00', '08:00', 'Europe/Berlin'), '2026-10-25T07:00:00.000Z'],
    [
      'where the clocks go back by half an hour',
      '2027-04-03T14:30:00.000Z',
      hours('23:00', '08:00', 'Australia/Lord_Howe'),
      '2027-04-03T21:30:00.000Z',
    ],
    [
      'that end in the hour that is skipped',
      '2027-03-28T00:30:00.000Z',
      hours('23:00', '02:30', 'Europe/Berlin'),
      '2027-03-28T01:30:00.000Z',
    ],
    [
      'whose only minute awake is skipped',
      '2027-03-13T22:31:00.000Z',
      hours('02:01', '02:00', 'America/St_Johns'),
      '2027-03-15T04:30:00.000Z',
    ],
    ['of no length', '2026-01-15T12:30:00.000Z', hours('12:00', '12:00'), '2026-01-15T12:30:00.000Z'],
  ])('%s', (_, now, quiet, expected) => expect(iso(afterQuietHours(at(now), quiet))).toBe(expected));

  test('switched off they hold nothing back', () => {
    const now = at('2026-01-15T12:30:00.000Z');
    expect(afterQuietHours(now, { ...hours('00:00', '23:59'), enabled: false })).toBe(now);
  });

  test('nothing is held back for more than a day, and what is let go is outside', () => {
    const clock = fc.integer({ min: 0, max: 1439 }).map((minute) => {
      const two = (value: number) => String(value).padStart(2, '0');
      return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
    });
    const zone = fc.constantFrom('UTC', 'Europe/Istanbul', 'Asia/Kolkata', 'America/St_Johns');
    fc.assert(
      fc.property(
        fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2026-02-27T00:00:00Z') }),
        clock,
        clock,
        zone,
        (now, from, to, timeZone) => {
          const quiet = hours(from, to, timeZone);
          const released = afterQuietHours(now, quiet);
          expect(released).toBeGreaterThanOrEqual(now);
          expect(released - now).toBeLessThanOrEqual(86_400_000);
          expect(afterQuietHours(released, quiet)).toBe(released);
        },
      ),
    );
  });

  test('also around the changes of the clocks', () => {
    const clock = fc.integer({ min: 0, max: 1439 }).map((minute) => {
      const two = (value: number) => String(value).padStart(2, '0');
      return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
    });
    const zone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/St_Johns');
    const moment = fc
      .constantFrom(at('2027-03-14T00:00:00Z'), at('2027-03-28T00:00:00Z'), at('2027-04-03T00:00:00Z'), at('2027-10-31T00:00:00Z'))
      .chain((day) => fc.integer({ min: day - 86_400_000, max: day + 2 * 86_400_000 }));
    fc.assert(
      fc.property(moment, clock, clock, zone, (now, from, to, timeZone) => {
        const quiet = hours(from, to, timeZone);
        const released = afterQuietHours(now, quiet);
        expect(released).toBeGreaterThanOrEqual(now);
        // An hour awake, or less of it, can be the one that the night skips.
        const minutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
        const awake = (minutes(from) - minutes(to) + 1440) % 1440;
        expect(released - now).toBeLessThanOrEqual((awake > 60 ? 26 : 50) * 3600_000);
        const shown = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(released);
        expect(from < to ? shown >= from && shown < to : from !== to && (shown >= from || shown < to)).toBe(false);
      }),
      { numRuns: runs(500) },
    );
  });

  test('zones nobody knows are refused', () => {
    expect(quietHoursSchema.safeParse({ ...hours('01:00', '02:00'), timeZone: 'Mars/Olympus' }).success).toBe(false);
    expect(quietHoursSchema.safeParse(hours('24:00', '02:00')).success).toBe(false);
  });
});

test('what the notification asks for counts before the choice, the choice before the table', () => {
  const chosen = { ...DEFAULT_CHOICES, channels: { 'price-alert': ['email' as const] } };
  expect(outerChannelsOf('price-alert', DEFAULT_CHOICES)).toEqual(['telegram', 'push', 'webhook']);
  expect(outerChannelsOf('price-alert', chosen)).toEqual(['email']);
  expect(outerChannelsOf('price-alert', chosen, ['app', 'webhook'])).toEqual(['webhook']);
  expect(outerChannelsOf('price-alert', chosen, ['app'])).toEqual([]);
});
