import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { applyTimeZone } from '../time-zone.ts';
import { moment, timeLabels } from './chart-axes.ts';

const at = (iso: string) => new Date(iso).getTime() / 1000;

test('hours carry the day where it changes, in the language of the reader', () => {
  const hours = [at('2026-11-20T18:00'), at('2026-11-20T21:00'), at('2026-11-21T00:00'), at('2026-11-21T03:00')];
  expect(timeLabels(hours, 10_800, 'en')).toEqual(['18:00\n20 Nov', '21:00', '00:00\n21 Nov', '03:00']);
  expect(timeLabels(hours, 10_800, 'tr')).toEqual(['18:00\n20 Kas', '21:00', '00:00\n21 Kas', '03:00']);
});
test('steps of days show days, steps of months show months', () => {
  const days = [at('2026-11-20T00:00'), at('2026-11-21T00:00')];
  expect(timeLabels(days, 86_400, 'en')).toEqual(['20 Nov', '21 Nov']);
  expect(timeLabels(days, 86_400 * 30, 'en')).toEqual(['Nov 2026', 'Nov 2026']);
});

beforeEach(() => void vi.stubGlobal('navigator', { language: 'en-US' }));
afterEach(() => {
  applyTimeZone(undefined);
  vi.unstubAllGlobals();
});
test('labels and readouts follow the zone of the reader, also one that is chosen later', () => {
  const seconds = Date.UTC(2026, 10, 20, 18) / 1000;
  for (const [zone, label, told] of [
    ['UTC', '18:00\n20 Nov', '20 Nov 2026 6:00 PM'],
    ['Asia/Tokyo', '03:00\n21 Nov', '21 Nov 2026 3:00 AM'],
  ] as const) {
    applyTimeZone(zone);
    expect(timeLabels([seconds], 10_800, 'en')).toEqual([label]);
    expect(moment(seconds, 'en')).toBe(told);
  }
});
