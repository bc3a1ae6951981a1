import { expect, test } from 'vitest';
import { filesThatFit, learned, PLANNED, patienceAt, TARGET_MS } from './pace.mjs';

test('how slow a machine is comes from what it has done, half from the last part', () => {
  expect(learned(1, 60_000, 60_000)).toBe(1);
  expect(learned(1, 60_000, 180_000)).toBe(2);
  expect(learned(2, 60_000, 120_000)).toBe(2);
  // One moment in which nothing moved does not end the patience of tests for good.
  expect(learned(1, 1000, 3_600_000)).toBe(20);
});

test('limits are at least twice as long as planned, and longer where everything is', () => {
  expect([0.5, 1, 2, 3.14, 20].map(patienceAt)).toEqual([2, 2, 4, 6.3, 8]);
});

test('files begin only while there is time for them', () => {
  const one = PLANNED.endToEndFile;
  expect(filesThatFit(TARGET_MS, 1)).toBe(0);
  expect(filesThatFit(TARGET_MS + one, 1)).toBe(0);
  const before = filesThatFit(TARGET_MS - 10 * one, 1);
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(10);
  expect(filesThatFit(TARGET_MS - 10 * one, 2)).toBe(Math.floor(before / 2));
});
