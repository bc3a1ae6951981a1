import { afterEach, expect, test } from 'vitest';
import { applyTimeZone } from '../time-zone.ts';
import { fieldMoment, fieldTime } from './field-time.ts';

afterEach(() => applyTimeZone(undefined));

test('what is typed into a field of a moment follows the clock of the page, not that of the device', () => {
  const at = Date.parse('2026-11-20T22:30:00Z');
  for (const [zone, text] of [
    ['Europe/Istanbul', '2026-11-21T01:30'],
    ['America/New_York', '2026-11-20T17:30'],
    ['Asia/Kathmandu', '2026-11-21T04:15'],
  ] as const) {
    applyTimeZone(zone);
    expect(fieldTime(at)).toBe(text);
    expect(fieldMoment(text)).toBe(new Date(at).toISOString());
  }
  expect([fieldMoment(''), fieldTime(Number.NaN)]).toEqual([undefined, '']);
});
