import { describe, expect, test } from 'vitest';
import { placeLabels } from './candle-drawing.ts';

const box = { left: 0, top: 0, width: 300, height: 200 };
const overlap = (places: { x: number; y: number }[], widths: number[]): boolean =>
  places.some((a, i) =>
    places.some((b, j) => i < j && Math.abs(a.y - b.y) < 15 && a.x < b.x + (widths[j] ?? 0) && b.x < a.x + (widths[i] ?? 0)),
  );

describe('labels of price lines', () => {
  test('stand above their lines, at the left', () => {
    expect(placeLabels([{ y: 100, width: 90 }], box, 1)).toEqual([{ x: 4, y: 83 }]);
  });
  test('stand below a line at the upper edge', () => {
    expect(placeLabels([{ y: 6, width: 90 }], box, 1)).toEqual([{ x: 4, y: 9 }]);
  });
  test('of lines close to each other stand side by side', () => {
    const places = placeLabels(
      [
        { y: 100, width: 90 },
        { y: 104, width: 90 },
      ],
      box,
      1,
    );
    expect(places[1]!.x).toBeGreaterThan(94);
    expect(overlap(places, [90, 90])).toBe(false);
  });
  test('never reach over the edge: what has no room beside goes a row lower', () => {
    const labels = [100, 102, 104].map((y) => ({ y, width: 160 }));
    const places = placeLabels(labels, box, 1);
    for (const { x } of places) expect(x + 160).toBeLessThanOrEqual(300);
    expect(overlap(places, [160, 160, 160])).toBe(false);
  });
  test('one wider than the chart, and more than fit, end all the same', () => {
    expect(
      placeLabels(
        Array.from({ length: 40 }, () => ({ y: 190, width: 400 })),
        box,
        2,
      ),
    ).toHaveLength(40);
  });
});
