import { expect, test } from 'vitest';
import { samePlaces } from './same-places.ts';

test('numbers beside each other have the decimals of the one that needs most', () => {
  expect(samePlaces(['114117.4', '109618.65'])).toEqual(['114,117.40', '109,618.65']);
  expect(samePlaces(['0.0021', '5'])).toEqual(['0.0021', '5.0000']);
});

test('whole numbers stay whole, zeros at the end do not count, and nothing of nothing is nothing', () => {
  expect(samePlaces(['1', '3.000'])).toEqual(['1', '3']);
  expect(samePlaces([])).toEqual([]);
});
