import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { BarChart } from '../src/ui/charts/bar-chart.tsx';
import type { CandleColumns } from '../src/ui/charts/candle-columns.ts';
import { LineChart } from '../src/ui/charts/line-chart.tsx';
import { PriceChart } from '../src/ui/charts/price-chart.tsx';
import { benchApp } from './bench-app.tsx';

const STEP = 60;
const { around } = await benchApp();
const box = document.getElementById('root') as HTMLElement;
let root: Root | undefined;

/** A random walk that is the same every time. */
function walk(count: number): CandleColumns {
  let seed = 7;
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const [time, open, high, low, close, volume] = Array.from({ length: 6 }, () => new Float64Array(count)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  let price = 50_000;
  for (let index = 0; index < count; index += 1) {
    time[index] = 1_600_000_000 + index * STEP;
    open[index] = price;
    price *= 1 + (random() - 0.5) * 0.004;
    close[index] = price;
    high[index] = Math.max(open[index]!, price) * (1 + random() * 0.001);
    low[index] = Math.min(open[index]!, price) * (1 - random() * 0.001);
    volume[index] = random() * 100;
  }
  return { time, open, high, low, close, volume };
}
const cut = (candles: CandleColumns, end: number): CandleColumns =>
  Object.fromEntries(
    Object.entries(candles).map(([key, values]) => [key, (values as Float64Array).subarray(0, end)]),
  ) as unknown as CandleColumns;

const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
/** After the next frame is painted. */
const painted = async () => {
  await frame();
  await new Promise((resolve) => setTimeout(resolve));
};
/** What was drawn within frames, ms: lightweight-charts waits for one, so that its work is not beside what caused it. */
let inFrames = 0;
const plainFrame = requestAnimationFrame;
globalThis.requestAnimationFrame = (run) =>
  plainFrame((now) => {
    const start = performance.now();
    run(now);
    inFrames += performance.now() - start;
  });
/** The work of a change and of drawing it, ms. */
async function workOf(change: () => void): Promise<number> {
  const before = inFrames;
  const start = performance.now();
  change();
  // uPlot draws in a microtask after what changed it.
  for (let turn = 0; turn < 4; turn += 1) await Promise.resolve();
  const sync = performance.now() - start;
  await frame();
  return sync + inFrames - before;
}
const clear = async () => {
  root?.unmount();
  root = createRoot(box);
  await painted();
};
const format = (value: number) => value.toFixed(2);
const lineOf = (candles: CandleColumns) => (
  <LineChart
    label="Line"
    time={candles.time}
    series={[{ label: 'Close', values: candles.close, color: 'brand-fg' }]}
    format={format}
    height={400}
  />
);
// `seconds` decides the window: everything, or the newest stretch.
const candlesOf = (candles: CandleColumns, seconds: number | undefined) => (
  <PriceChart label={`Candles ${seconds ?? ''}`} candles={candles} pricePrecision={2} height={400} seconds={seconds} />
);

async function firstDraw(kind: 'line' | 'candles' | 'bars', count: number) {
  const candles = walk(count);
  await clear();
  const start = performance.now();
  const sync = await workOf(() =>
    flushSync(() =>
      root?.render(
        around(
          kind === 'line' ? (
            lineOf(candles)
          ) : kind === 'candles' ? (
            candlesOf(candles, count * STEP)
          ) : (
            <BarChart
              label="Bars"
              format={format}
              bars={Array.from({ length: count }, (_, index) => ({ label: String(index), value: Math.sin(index) }))}
            />
          ),
        ),
      ),
    ),
  );
  await painted();
  return { sync, painted: performance.now() - start, canvases: box.querySelectorAll('canvas').length };
}

const screen: { put: (candles: CandleColumns) => void } = { put: () => undefined };
/** A screen that is given new candles, as the one of a pair is: only what shows them is rendered again. */
function Growing({ first }: { first: CandleColumns }) {
  const [candles, setCandles] = useState(first);
  useEffect(() => {
    screen.put = setCandles;
  }, []);
  return candlesOf(candles, 500 * STEP);
}

/** Appends one candle after the other while the newest 500 are looked at. */
async function append(count: number, times: number) {
  const candles = walk(count + times);
  await clear();
  flushSync(() => root?.render(around(<Growing first={cut(candles, count)} />)));
  await painted();
  const costs: number[] = [];
  for (let index = 1; index <= times; index += 1) {
    await frame();
    costs.push(await workOf(() => flushSync(() => screen.put(cut(candles, count + index)))));
  }
  return costs;
}

/** Drags the chart for some seconds, a move each frame; answers frame intervals and the work of each move. */
async function pan(count: number, visible: number, frames: number) {
  const candles = walk(count);
  await clear();
  flushSync(() => root?.render(around(candlesOf(candles, visible * STEP))));
  await painted();
  const area = box.querySelector<HTMLElement>('.chart-canvas td:nth-child(2) canvas:last-child')!;
  const { left, top, width } = area.getBoundingClientRect();
  const drag = (type: string, x: number, target: EventTarget = document.documentElement) =>
    target.dispatchEvent(new MouseEvent(type, { button: 0, buttons: 1, clientX: left + x, clientY: top + 100, bubbles: true }));
  drag('mousedown', width / 2, area);
  const [intervals, costs]: [number[], number[]] = [[], []];
  let before = await frame();
  for (let index = 1; index <= frames; index += 1) {
    costs.push(await workOf(() => void drag('mousemove', width / 2 + index * 6)));
    const now = performance.now();
    intervals.push(now - before);
    before = now;
  }
  drag('mouseup', width / 2);
  return { intervals, costs };
}

// What draws candles is loaded lazily; that is not the work of any of them.
root = createRoot(box);
root.render(around(candlesOf(walk(10), undefined)));
while (!box.querySelector('canvas')) await frame();
Object.assign(globalThis, { firstDraw, append, pan, ready: true });
