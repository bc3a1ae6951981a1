import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../testing/tiers.ts';
import { quietUntil } from './quiet-hours.ts';

const nights = {
  timeZone: 'Europe/Istanbul',
  windows: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '23:00', to: '07:00' }],
};
const at = (text: string) => Date.parse(text);

test('a night ends in the morning of its own zone', () => {
  expect(quietUntil(at('2026-11-21T20:00:00Z'), nights)).toBe(at('2026-11-22T04:00:00Z'));
  expect(quietUntil(at('2026-11-22T03:59:59Z'), nights)).toBe(at('2026-11-22T04:00:00Z'));
  expect(quietUntil(at('2026-11-22T04:00:00Z'), nights)).toBeNull();
  expect(quietUntil(at('2026-11-21T19:59:59Z'), nights)).toBeNull();
});
test('only on its days, and over into the next window', () => {
  const weekend = {
    timeZone: 'UTC',
    windows: [
      { days: [6], from: '00:00', to: '00:00' },
      { days: [7], from: '00:00', to: '12:00' },
    ],
  };
  expect(quietUntil(at('2026-11-21T10:00:00Z'), weekend)).toBe(at('2026-11-22T12:00:00Z'));
  expect(quietUntil(at('2026-11-20T23:59:00Z'), weekend)).toBeNull();
});
test('when the clocks change the night still ends at its hour', () => {
  const newYork = { ...nights, timeZone: 'America/New_York' };
  expect(quietUntil(at('2026-11-01T04:00:00Z'), newYork)).toBe(at('2026-11-01T12:00:00Z'));
});

test.each([
  ['Berlin, forward', 'Europe/Berlin', '2027-03-27T23:30:00Z', '2027-03-28T05:00:00Z'],
  ['Berlin, in the hour that is skipped', 'Europe/Berlin', '2027-03-28T01:00:00Z', '2027-03-28T05:00:00Z'],
  ['Berlin, back', 'Europe/Berlin', '2026-10-24T22:30:00Z', '2026-10-25T06:00:00Z'],
  ['Berlin, in the hour that comes twice', 'Europe/Berlin', '2026-10-25T01:30:00Z', '2026-10-25T06:00:00Z'],
  ['New York, forward', 'America/New_York', '2027-03-14T06:30:00Z', '2027-03-14T11:00:00Z'],
  ['New York, back', 'America/New_York', '2026-11-01T05:30:00Z', '2026-11-01T12:00:00Z'],
  ['Lord Howe, half an hour back', 'Australia/Lord_Howe', '2027-04-03T14:30:00Z', '2027-04-03T20:30:00Z'],
])('the night in which the clocks change: %s', (_, timeZone, now, end) => {
  expect(new Date(quietUntil(at(now), { ...nights, timeZone })!).toISOString()).toBe(new Date(end).toISOString());
  expect(quietUntil(at(end), { ...nights, timeZone })).toBeNull();
});

test('an end in the hour that comes twice is the one that is still to come', () => {
  const short = { ...nights, timeZone: 'Europe/Berlin', windows: [{ days: [6, 7], from: '23:00', to: '02:30' }] };
  expect(quietUntil(at('2026-10-25T00:10:00Z'), short)).toBe(at('2026-10-25T00:30:00Z'));
  expect(quietUntil(at('2026-10-25T01:10:00Z'), short)).toBe(at('2026-10-25T01:30:00Z'));
});
test('a minute awake that the night skips is none', () => {
  const nearlyAlways = { ...nights, timeZone: 'America/St_Johns', windows: [{ ...nights.windows[0]!, from: '02:01', to: '02:00' }] };
  expect(quietUntil(at('2027-03-13T15:31:00Z'), nearlyAlways)).toBe(at('2027-03-15T04:30:00Z'));
});

test('whatever the zone and the night, whoever is let go is awake, and nobody waits longer than the windows', () => {
  const clock = fc.integer({ min: 0, max: 1439 }).map((minute) => {
    const two = (value: number) => String(value).padStart(2, '0');
    return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
  });
  const zone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/St_Johns', 'Europe/Istanbul');
  // Days around the changes of 2027 in those zones.
  const moment = fc
    .constantFrom(at('2027-03-14T00:00:00Z'), at('2027-03-28T00:00:00Z'), at('2027-04-03T00:00:00Z'), at('2027-10-31T00:00:00Z'))
    .chain((day) => fc.integer({ min: day - 86_400_000, max: day + 2 * 86_400_000 }));
  fc.assert(
    fc.property(moment, clock, clock, zone, (now, from, to, timeZone) => {
      fc.pre(from !== to);
      const quiet = { ...nights, timeZone, windows: [{ days: [1, 2, 3, 4, 5, 6, 7], from, to }] };
      const end = quietUntil(now, quiet);
      if (end === null) return;
      expect(end).toBeGreaterThan(now);
      // An hour awake, or less of it, can be the one that the night skips.
      const minutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
      const awake = (minutes(from) - minutes(to) + 1440) % 1440;
      expect(end - now).toBeLessThanOrEqual((awake > 60 ? 26 : 50) * 3600_000);
      expect(quietUntil(end, quiet)).toBeNull();
    }),
    { numRuns: runs(500) },
  );
});
