// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import type { PriceLevel } from './price-chart.tsx';
import { createMarksLayer, type GripPlace, type LastPrice, type Marks, NO_MARKS } from './price-marks.ts';

const SIZE = { width: 600, height: 400 };
type Written = { text: string; x: number; y: number; alpha: number };

/** What stands on a scale from 140 at the top to 100 at the bottom, ten pixels a candle: over the candles, and on the axis. */
function drawn(marks: Partial<Marks>, last?: LastPrice): { pane: Written[]; axis: Written[]; grips: readonly GripPlace[] } {
  let grips: readonly GripPlace[] = [];
  const layer = createMarksLayer(
    (value) => value.toFixed(2),
    () => last,
    (places) => {
      grips = places;
    },
  );
  layer.attached?.({
    series: { priceToCoordinate: (price: number) => (140 - price) * 10 },
    chart: { timeScale: () => ({ logicalToCoordinate: (index: number) => index * 10 }) },
    requestUpdate: () => undefined,
  } as never);
  const time = Array.from({ length: 40 }, (_, index) => index * 60);
  layer.show({ ...NO_MARKS, ...marks }, time);
  const textsOf = (views: ReturnType<NonNullable<typeof layer.paneViews>> | undefined) => {
    const texts: Written[] = [];
    const pen = {
      globalAlpha: 1,
      measureText: (text: string) => ({ width: text.length * 6 }),
      fillText: (text: string, x: number, y: number) => texts.push({ text, x, y: Math.round(y), alpha: pen.globalAlpha }),
    };
    const context = new Proxy(pen, {
      get: (own, name) => Reflect.get(own, name) ?? (() => undefined),
      set: (own, name, value) => name !== 'globalAlpha' || Reflect.set(own, name, value),
    });
    for (const view of views ?? [])
      view.renderer()?.draw({ useMediaCoordinateSpace: (draw: (scope: object) => void) => draw({ context, mediaSize: SIZE }) } as never);
    return texts;
  };
  const pane = textsOf(layer.paneViews?.());
  return { pane, axis: textsOf(layer.priceAxisPaneViews?.()), grips };
}
const level = (id: string, price: number, rest: Partial<PriceLevel> = {}): PriceLevel => ({
  id,
  label: id,
  price,
  tone: 'gain',
  look: 'dashed',
  ...rest,
});
const words = (all: readonly Written[]) => all.map(({ text }) => text);

test('a level has its label at its height and its price at the axis; what is off the scale stands at that edge', () => {
  const { pane, axis } = drawn({
    levels: [level('Target', 130, { note: 'sells 50%' }), level('TP 2', 160), level('Stop', 90), level('TP 3', 170)],
  });
  expect(words(pane)).toEqual(['Target · sells 50%', '↑ TP 2 160.00', '↑ TP 3 170.00', '↓ Stop 90.00']);
  expect(pane.map(({ y }) => y)).toEqual([101, 19, 19, 383]);
  expect(axis).toEqual([expect.objectContaining({ text: '130.00', y: 101 })]);
});

test('what is off the scale takes another row where the label of a level stands', () => {
  const far = (id: string) => `${id} ${'far '.repeat(9)}`.trim();
  const { pane } = drawn({ levels: [level('Average', 139), level(far('a'), 160), level(far('b'), 170)] });
  expect(pane.map(({ text, x, y }) => [text[0], x, y])).toEqual([
    ['A', 542, 11],
    ['↑', 16, 19],
    ['↑', 16, 43],
  ]);
});

test('levels that stand close keep apart from each other and from the newest price', () => {
  const { axis } = drawn({ levels: [level('a', 120.4), level('b', 120.2), level('c', 119.8)] }, { price: 120, left: '08:14' });
  expect(words(axis)).toEqual(['120.40', '120.20', '119.80', '120.00', '08:14']);
  expect(axis.map(({ y }) => y)).toEqual([161, 181, 235, 201, 215]);
});

test('beside the upper edge there is no room above the newest price: the nearest levels go below it', () => {
  const { axis } = drawn({ levels: [level('a', 137.6), level('b', 137.4)] }, { price: 137, left: undefined });
  expect(axis.map(({ text, y }) => [text, y])).toEqual([
    ['137.60', 11],
    ['137.40', 51],
    ['137.00', 31],
  ]);
});

test('a level being moved is drawn where it goes and faded where it was', () => {
  const { pane } = drawn({
    levels: [level('stop', 110)],
    preview: { id: 'stop', from: 110, to: 115, label: 'Stop 115.00 · sells all · −9.25 and more' },
  });
  expect(pane.map(({ text, y, alpha }) => [text, y, alpha])).toEqual([
    ['Stop 115.00', 251, 1],
    ['stop', 301, 0.7],
  ]);
});

test('a fill says what it was where nothing else stands, buys below and sells above', () => {
  const fills = [
    { time: 600, price: 120, side: 'buy', label: 'Bought' },
    { time: 660, price: 120, side: 'buy', label: 'Again' },
    { time: 1200, price: 120, side: 'sell', label: 'Sold' },
    { time: -60, price: 120, side: 'buy', label: 'Before' },
  ] as const;
  expect(drawn({ fills }).pane.map(({ text, x, y }) => [text, x, y])).toEqual([
    ['Bought', 100, 222],
    ['Sold', 200, 180],
  ]);
});

test('fills have their texts while there is room for those of all; of more the arrows say it alone', () => {
  const fills = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ time: index * 180, price: 120, side: 'buy', label: 'Buy' }) as const);
  expect(drawn({ fills: fills(12) }).pane.length).toBeGreaterThan(9);
  expect(drawn({ fills: fills(13) }).pane).toEqual([]);
});

test('a level that can be moved has its grip where its label stands, also at an edge, and at its preview while it is moved', () => {
  const levels = [level('stop', 110, { grip: true }), level('far', 160, { grip: true }), level('average', 120)];
  const placesOf = (marks: Partial<Marks>) => drawn(marks).grips.map(({ id, isOffScale, y }) => [id, isOffScale, y]);
  expect(placesOf({ levels })).toEqual([
    ['stop', false, 290],
    ['far', true, 8],
  ]);
  const preview = { id: 'stop', from: 110, to: 115, label: 'stop 115.00' };
  expect(placesOf({ levels, preview })).toEqual([
    ['stop', false, 240],
    ['far', true, 8],
  ]);
  // Off the scale a preview says its price once.
  expect(words(drawn({ levels, preview: { ...preview, to: 180, label: 'stop 180.00' } }).pane)).toContain('↑ stop 180.00');
});
