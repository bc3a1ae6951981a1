import uPlot from 'uplot';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { CandleColumns } from './bucket-candles.ts';
import { drawCandles, placeLabels } from './candle-drawing.ts';

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

describe('candles and their volume', () => {
  const plot = { left: 0, top: 0, width: 120, height: 60 };
  type Box = { x: number; y: number; width: number; height: number; color: string };
  /** What is painted where, of all candles over a price scale from 0 to 100. */
  const painted = (candles: CandleColumns): Box[] => {
    const boxes: Box[] = [];
    const last = candles.time.length - 1;
    const scales = { x: { min: candles.time[0]! - 30, max: candles.time[last]! + 30 }, y: { min: 0, max: 100 } };
    const ctx = {
      fillStyle: '',
      fillRect(x: number, y: number, width: number, height: number) {
        boxes.push({ x, y, width, height, color: this.fillStyle });
      },
      ...Object.fromEntries(['save', 'beginPath', 'rect', 'clip', 'restore'].map((name) => [name, () => undefined])),
    };
    const valToPos = (value: number, key: 'x' | 'y') => {
      const share = (value - scales[key].min) / (scales[key].max - scales[key].min);
      return key === 'x' ? share * plot.width : plot.height * (1 - share);
    };
    drawCandles({ ctx, bbox: plot, scales, valToPos, series: [{ idxs: [0, last] }] } as unknown as uPlot, candles);
    return boxes;
  };
  const columns = (count: number, at: (index: number) => Record<'open' | 'high' | 'low' | 'close' | 'volume', number>): CandleColumns => ({
    time: Array.from({ length: count }, (_, index) => index * 60),
    ...(Object.fromEntries(
      (['open', 'high', 'low', 'close', 'volume'] as const).map((name) => [
        name,
        Array.from({ length: count }, (_, index) => at(index)[name]),
      ]),
    ) as Record<'open' | 'high' | 'low' | 'close' | 'volume', number[]>),
  });
  beforeAll(() => {
    vi.stubGlobal('document', { documentElement: { className: '', dataset: {} } });
    vi.stubGlobal('getComputedStyle', () => ({ getPropertyValue: (name: string) => name.replace('--chakra-colors-', '') }));
    Object.assign(uPlot, { pxRatio: 1 });
  });
  afterAll(() => vi.unstubAllGlobals());

  test.each([6, 60, 2000, 20_000])('the highest volume takes a sixth of the height, with %i candles in sight', (count) => {
    const volumes = painted(columns(count, (index) => ({ open: 50, high: 60, low: 40, close: 55, volume: 5 + (index % 3) }))).filter(
      ({ color }) => color === 'border',
    );
    expect(Math.max(...volumes.map(({ height }) => height))).toBe(plot.height / 6);
    for (const { y, height } of volumes) expect(y + height).toBe(plot.height);
  });
  test('a body stands on its wick, in the colour of its direction', () => {
    const rise = { open: 50, high: 90, low: 10, close: 75, volume: 1 };
    const fall = { open: 75, high: 90, low: 10, close: 50, volume: 1 };
    const boxes = painted(columns(6, (index) => (index % 2 === 0 ? rise : fall))).filter(({ color }) => color !== 'border');
    expect(boxes.filter(({ color }) => color === 'gain')).toHaveLength(6);
    expect(boxes.filter(({ color }) => color === 'loss')).toHaveLength(6);
    for (const { width, y, height } of boxes) expect([y, height]).toEqual(width === 1 ? [6, 48] : [15, 15]);
  });
  test('what stands still is seen: a line, not nothing', () => {
    const boxes = painted(columns(6, () => ({ open: 50, high: 50, low: 50, close: 50, volume: 0 }))).filter(
      ({ color }) => color === 'gain',
    );
    for (const { height } of boxes) expect(height).toBe(1);
  });
});
