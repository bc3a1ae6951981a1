import uPlot from 'uplot';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { CandleColumns } from './candle-columns.ts';
import { drawCandles, drawMarks, placeLabels, type TradeMark } from './candle-drawing.ts';

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

beforeAll(() => {
  vi.stubGlobal('document', { documentElement: { className: '', dataset: {} } });
  vi.stubGlobal('getComputedStyle', () => ({ getPropertyValue: (name: string) => name.replace('--chakra-colors-', '') }));
  Object.assign(uPlot, { pxRatio: 1 });
});
afterAll(() => vi.unstubAllGlobals());

/** A chart as high as 100 and as wide as the times given, drawn with this context. */
const chartOf = (ctx: object, plot: { left: number; top: number; width: number; height: number }, x: { min: number; max: number }) => {
  const scales = { x, y: { min: 0, max: 100 } };
  const valToPos = (value: number, key: 'x' | 'y') => {
    const share = (value - scales[key].min) / (scales[key].max - scales[key].min);
    return key === 'x' ? share * plot.width : plot.height * (1 - share);
  };
  return { ctx, bbox: plot, scales, valToPos };
};
const STILL = ['save', 'beginPath', 'rect', 'clip', 'restore'] as const;
const still = Object.fromEntries(STILL.map((name) => [name, () => undefined]));

describe('candles and their volume', () => {
  const plot = { left: 0, top: 0, width: 120, height: 60 };
  type Box = { x: number; y: number; width: number; height: number; color: string };
  /** What is painted where, of all candles over a price scale from 0 to 100. */
  const painted = (candles: CandleColumns): Box[] => {
    const boxes: Box[] = [];
    const last = candles.time.length - 1;
    const ctx = {
      fillStyle: '',
      fillRect(x: number, y: number, width: number, height: number) {
        boxes.push({ x, y, width, height, color: this.fillStyle });
      },
      ...still,
    };
    const x = { min: candles.time[0]! - 30, max: candles.time[last]! + 30 };
    drawCandles({ ...chartOf(ctx, plot, x), series: [{ idxs: [0, last] }] } as unknown as uPlot, candles);
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

describe('marks of trades', () => {
  const plot = { left: 0, top: 0, width: 300, height: 200 };
  /** The tip of every triangle painted, over these times. */
  const tips = (marks: readonly TradeMark[], x: { min: number; max: number }): number[][] => {
    const found: number[][] = [];
    const ctx = {
      ...still,
      ...Object.fromEntries(['lineTo', 'closePath', 'stroke', 'fill'].map((name) => [name, () => undefined])),
      moveTo: (left: number, top: number) => found.push([left, top]),
    };
    drawMarks(chartOf(ctx, plot, x) as unknown as uPlot, marks);
    return found;
  };
  const trades = Array.from({ length: 60_000 }, (_, index): TradeMark => {
    const side = index % 2 === 0 ? 'buy' : 'sell';
    return { time: index * 60, price: 50 + (index % 41), side, label: '' };
  });

  test('are all painted where there is room for them', () => {
    const few = trades.slice(0, 20);
    expect(tips(few, { min: 0, max: 20 * 60 })).toHaveLength(20);
  });
  test('are no more than a few for each place, however many trades there were', () => {
    const painted = tips(trades, { min: 0, max: 60_000 * 60 });
    expect(painted.length).toBeLessThanOrEqual(4 * (plot.width / 2 + 8));
    expect(painted.length).toBeGreaterThan(plot.width);
    // From one edge to the other.
    expect(painted[0]![0]).toBeLessThan(4);
    expect(painted.at(-1)![0]).toBeGreaterThan(plot.width - 4);
  });
  test('outside of what is in sight are not painted at all', () => {
    expect(tips(trades, { min: 60_000 * 60 + 100, max: 60_000 * 60 + 4000 })).toEqual([]);
  });
  test('stay the same while one pans', () => {
    const window = { min: 1_000_000, max: 2_000_000 };
    const perPixel = (window.max - window.min) / plot.width;
    const timesOf = (by: number) =>
      tips(trades, { min: window.min + by, max: window.max + by })
        .map(([left, top]) => `${Math.round(window.min + by + left! * perPixel)} ${top}`)
        .filter((text) => Number.parseInt(text, 10) > window.min + 100_000 && Number.parseInt(text, 10) < window.max - 100_000);
    expect(timesOf(37 * perPixel)).toEqual(timesOf(0));
  });
});
