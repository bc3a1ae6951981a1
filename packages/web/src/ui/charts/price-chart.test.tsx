// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { useEffect, useMemo, useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { show, testApp } from '../../platform/testing/shown-app.tsx';
import type { PriceCanvas } from './price-canvas.tsx';
import { PriceChart, type PriceLevel } from './price-chart.tsx';

type Drawn = Parameters<typeof PriceCanvas>[0];
const canvas = vi.hoisted(() => ({ draws: [] as Drawn[] }));
vi.mock('./price-canvas.tsx', () => ({
  PriceCanvas: (props: Drawn) => {
    canvas.draws.push(props);
    return <canvas />;
  },
}));
beforeEach(() => {
  canvas.draws = [];
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

const candlesAt = (close: number, count = 3) => ({
  time: Array.from({ length: count }, (_, index) => index * 60),
  open: Array.from({ length: count }, () => 10),
  high: Array.from({ length: count }, () => 99),
  low: Array.from({ length: count }, () => 1),
  close: Array.from({ length: count }, (_, index) => (index === count - 1 ? close : 10)),
  volume: Array.from({ length: count }, () => 5),
});
type Given = { close: number; label?: string; count?: number; levels?: readonly PriceLevel[] };
let put: (given: Given) => void = () => undefined;
function Screen() {
  const [{ close, label = 'BTCUSDT, 1m', count, levels }, setGiven] = useState<Given>({ close: 10 });
  useEffect(() => {
    put = setGiven;
  }, []);
  const candles = useMemo(() => candlesAt(close, count), [close, count]);
  return <PriceChart label={label} candles={candles} pricePrecision={2} {...(levels && { levels })} />;
}
const give = (given: Given) => act(() => put(given));
async function shown(app = testApp()) {
  await show(app, <Screen />);
  await act(() => vi.dynamicImportSettled());
}
const closes = () => canvas.draws.map(({ drawn }) => drawn.candles.close.at(-1));

test('ticks are drawn at most four times a second, the newest of them; other candles come at once', async () => {
  await shown();
  canvas.draws = [];
  for (let tick = 1; tick <= 20; tick += 1) {
    give({ close: 10 + tick });
    act(() => void vi.advanceTimersByTime(50));
  }
  expect([...new Set(closes())].filter((close) => close !== 10)).toEqual([15, 20, 25, 30]);
  give({ close: 40, count: 4 });
  expect(closes().at(-1)).toBe(40);
  give({ close: 50, count: 4, label: 'ETHUSDT, 1m' });
  expect(closes().at(-1)).toBe(50);
});

test('of more candles than a canvas takes several are drawn as one', async () => {
  await shown();
  give({ close: 10, count: 50_000 });
  const { time, volume } = canvas.draws.at(-1)!.drawn.candles;
  expect([time.length, volume[0]]).toEqual([16_667, 15]);
});

test('the clock of the countdown stands still while no prices come', async () => {
  const app = testApp();
  let time = 1000;
  app.browser.now = () => time;
  app.live.status.set('live');
  await shown(app);
  const { now } = canvas.draws.at(-1)!;
  time = 5000;
  expect(now()).toBe(5000);
  act(() => app.live.status.set('delayed'));
  time = 9000;
  expect(now()).toBe(5000);
  act(() => app.live.status.set('live'));
  expect(now()).toBe(9000);
});

test('where there are levels, all of them can be brought into sight', async () => {
  await shown();
  expect(screen.queryByRole('button', { name: 'Fit levels' })).toBeNull();
  give({ close: 10, levels: [{ id: 'stop', label: 'Stop', price: 900, tone: 'loss', look: 'dashed' }] });
  expect(canvas.draws.at(-1)?.marks.isFit).toBe(false);
  act(() => void fireEvent.click(screen.getByRole('button', { name: 'Fit levels' })));
  expect(canvas.draws.at(-1)?.marks.isFit).toBe(true);
});
