import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldRange } from './block-extremes.ts';

test('a wide stretch folded by blocks is what its values folded one by one are', () => {
  const value = fc.oneof(fc.integer({ min: -1000, max: 1000 }), fc.constant(Number.NaN));
  fc.assert(
    fc.property(fc.array(value, { minLength: 300, maxLength: 2000 }), fc.nat(), fc.nat(), (values, a, b) => {
      const [from, end] = [a % values.length, b % (values.length + 1)].sort((x, y) => x - y) as [number, number];
      expect(foldRange(Float64Array.from(values), from, end)).toEqual(foldRange(values, from, end));
    }),
  );
});
