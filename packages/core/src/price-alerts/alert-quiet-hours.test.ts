import { expect, test } from 'vitest';
import { quietUntil } from './alert-quiet-hours.ts';

const nights = {
  timeZone: 'Europe/Istanbul',
  windows: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '23:00', to: '07:00' }],
  onWake: 'deliver' as const,
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
    onWake: 'drop' as const,
  };
  expect(quietUntil(at('2026-11-21T10:00:00Z'), weekend)).toBe(at('2026-11-22T12:00:00Z'));
  expect(quietUntil(at('2026-11-20T23:59:00Z'), weekend)).toBeNull();
});
test('when the clocks change the night still ends at its hour', () => {
  const newYork = { ...nights, timeZone: 'America/New_York' };
  expect(quietUntil(at('2026-11-01T04:00:00Z'), newYork)).toBe(at('2026-11-01T12:00:00Z'));
});
