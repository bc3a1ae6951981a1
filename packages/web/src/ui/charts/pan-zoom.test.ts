import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bounded, panned, zoomed } from './pan-zoom.ts';
import { firstWindow } from './use-uplot.ts';

const time = Array.from({ length: 1000 }, (_, index) => index * 60);
const length = ({ min, max }: { min: number; max: number }) => max - min;

describe('the window', () => {
  test('zooming keeps the time under the pointer where it is', () => {
    expect(zoomed({ min: 0, max: 100 }, 0.5, 80)).toEqual({ min: 40, max: 90 });
  });
  test('panning keeps its length', () => {
    expect(panned({ min: 10, max: 20 }, 0.5)).toEqual({ min: 15, max: 25 });
  });
  test('whatever is asked for, something is seen, and no fewer than a few points', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e7, max: 1e7 }), fc.integer({ min: 1, max: 1e7 }), (min, wide) => {
        const window = bounded({ min, max: min + wide }, time);
        expect(window.min).toBeLessThan(time.at(-1)!);
        expect(window.max).toBeGreaterThan(time[0]!);
        expect(length(window)).toBeGreaterThanOrEqual(8 * 60);
        expect(length(window)).toBeLessThanOrEqual(time.at(-1)! * 1.2 + 8 * 60);
      }),
    );
  });
  test('inside the data nothing is changed', () => {
    expect(bounded({ min: 6000, max: 12_000 }, time)).toEqual({ min: 6000, max: 12_000 });
  });
  test('begins with the newest points: as many as fit, or as long as asked', () => {
    expect(firstWindow(time, 690, { kind: 'newest', pointWidth: 6 })).toEqual({ min: 900 * 60, max: 999 * 60 + 30 });
    expect(firstWindow(time, 690, { kind: 'newest', pointWidth: 6, seconds: 3600 })).toEqual({ min: 999 * 60 - 3600, max: 999 * 60 + 30 });
    expect(firstWindow(time, 690, { kind: 'all' })).toBeUndefined();
  });
});
