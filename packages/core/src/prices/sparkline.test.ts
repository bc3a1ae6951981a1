import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sparkline } from './sparkline.ts';

test('the lowest is 0, the highest 100, and no point changes places with another', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), { minLength: 2, maxLength: 24 }), (values) => {
      const points = sparkline(values)!;
      expect(points).toHaveLength(values.length);
      if (new Set(values).size === 1) return expect(new Set(points)).toEqual(new Set([50]));
      expect([Math.min(...points), Math.max(...points)]).toEqual([0, 100]);
      values.forEach((value, one) => {
        values.forEach((other, two) => {
          if (value < other) expect(points[one]!).toBeLessThanOrEqual(points[two]!);
        });
      });
    }),
  );
});

test('what is not known whole is no line', () => {
  expect([sparkline([]), sparkline([1]), sparkline([1, Number.NaN, 2])]).toEqual([undefined, undefined, undefined]);
});
