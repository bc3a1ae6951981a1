import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { abovePane, paneRange, paneStep } from './line-panes.ts';
import { drawLine, type Pen, runs, seek } from './line-paths.ts';

type Move = ['move' | 'line', number, number];
const pen = () => {
  const moves: Move[] = [];
  const take = (kind: 'move' | 'line') => (x: number, y: number) => void moves.push([kind, x, y]);
  return { moves, pen: { moveTo: take('move'), lineTo: take('line') } satisfies Pen };
};
const minutes = (count: number) => Float64Array.from({ length: count }, (_, index) => index * 60);
const SAME = { offset: 0, scale: 1 };

test('seek finds the first time that is not earlier, wherever it begins', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1 }),
      fc.integer({ min: -5, max: 510 }),
      fc.nat(),
      (some, wanted, at) => {
        const time = [...new Set(some)].sort((a, b) => a - b);
        const from = at % time.length;
        const expected = time.findIndex((each, index) => index >= from && each >= wanted);
        expect(seek(time, wanted, from, time.length - 1)).toBe(expected < 0 ? time.length : expected);
      },
    ),
  );
});

describe('drawing', () => {
  test('points on columns of their own are drawn one by one', () => {
    const { moves, pen: drawn } = pen();
    drawLine(drawn, [0, 1, 2], [5, 7, 3], 0, 2, SAME, SAME);
    expect(moves).toEqual([
      ['move', 0, 5],
      ['line', 1, 7],
      ['line', 2, 3],
    ]);
  });
  test('however many points, at most four strokes a column, and no extreme is lost', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 2, maxLength: 3000 }),
        fc.integer({ min: 2, max: 50 }),
        (values, width) => {
          const time = minutes(values.length);
          const { moves, pen: drawn } = pen();
          drawLine(drawn, time, values, 0, values.length - 1, { offset: 0, scale: width / (values.length * 60) }, SAME);
          expect(moves.length).toBeLessThanOrEqual((width + 1) * 4);
          const heights = moves.map(([, , y]) => y);
          expect(Math.max(...heights)).toBe(Math.max(...values));
          expect(Math.min(...heights)).toBe(Math.min(...values));
          expect(moves[0]).toEqual(['move', 0, values[0]]);
          expect(heights.at(-1)).toBe(values.at(-1));
          expect(moves.every(([, x], index) => index === 0 || x >= moves[index - 1]![1])).toBe(true);
        },
      ),
    );
  });
  test('the unknown is a gap: before an average is warm, and in the middle', () => {
    const { moves, pen: drawn } = pen();
    drawLine(drawn, [0, 1, 2, 3, 4], [Number.NaN, 2, 3, Number.NaN, 4], 0, 4, SAME, SAME);
    expect(moves).toEqual([
      ['move', 1, 2],
      ['line', 2, 3],
      ['move', 4, 4],
    ]);
  });
});

test('what is filled are the stretches that are known, each by itself', () => {
  const none = Number.NaN;
  expect([...runs([none, 1, 2, none, 3, none], 0, 5)]).toEqual([
    [1, 2],
    [4, 4],
  ]);
  expect([...runs([none, 1, 2], 0, 2)]).toEqual([[1, 2]]);
  expect([...runs([none, none], 0, 1)]).toEqual([]);
});

test('a pane lies below the lines: none of it reaches where they are', () => {
  const [low, high] = [11_400, 12_480];
  const [bottom, top] = abovePane([low, high]);
  const lowest = (low - bottom) / (top - bottom);
  for (const values of [[0, -2.53, Number.NaN], [0, 0], [], [-40]]) {
    const [paneBottom, paneTop] = paneRange(values);
    // Zero is the upper edge of the pane.
    const zero = -paneBottom / (paneTop - paneBottom);
    expect(zero).toBeLessThan(lowest);
    expect(zero).toBeGreaterThan(0.1);
    expect(Math.min(0, ...values.filter((value) => !Number.isNaN(value)))).toBeGreaterThanOrEqual(paneBottom);
  }
  expect([-2.8, -0.11, -44, -1.1].map(paneStep)).toEqual([2, 0.1, 50, 1].map((step) => expect.closeTo(step, 9)));
});
