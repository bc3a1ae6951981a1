import { expect, test } from 'vitest';
import { random } from '../../../bench/series.ts';
import { isoText } from './position-traces.ts';

test('times are written as the platform writes them, in any order', () => {
  const draw = random(5);
  for (let index = 0; index < 20_000; index += 1) {
    const at = Math.floor((draw() - 0.1) * 4e12);
    expect(isoText(at)).toBe(new Date(at).toISOString());
  }
  for (const at of [0, -1, 86_399_999, 86_400_000, 1_700_000_059_999, 1_700_000_060_000.7, 253_402_300_800_000])
    expect(isoText(at)).toBe(new Date(at).toISOString());
  expect(() => isoText(Number.NaN)).toThrow(RangeError);
});
