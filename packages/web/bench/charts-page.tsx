import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { BarChart } from '../src/ui/charts/bar-chart.tsx';
import { CandleChart } from '../src/ui/charts/candle-chart.tsx';
import type { CandleColumns } from '../src/ui/charts/candle-columns.ts';
import { LineChart } from '../src/ui/charts/line-chart.tsx';
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
/** uPlot draws in a microtask after what changed it. */
const drawn = async () => {
  for (let turn = 0; turn < 4; turn += 1) await Promise.resolve();
};
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
  <CandleChart label={`Candles ${seconds ?? ''}`} candles={candles} pricePrecision={2} height={400} seconds={seconds} />
);

async function firstDraw(kind: 'line' | 'candles' | 'bars', count: number) {
  const candles = walk(count);
  await clear();
  const start = performance.now();
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
  );
  await drawn();
  const sync = performance.now() - start;
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
    const start = performance.now();
    flushSync(() => screen.put(cut(candles, count + index)));
    await drawn();
    costs.push(performance.now() - start);
  }
  return costs;
}

/** Drags the chart for some seconds, a move each frame; answers frame intervals and the work of each move. */
async function pan(count: number, visible: number, frames: number) {
  const candles = walk(count);
  await clear();
  flushSync(() => root?.render(around(candlesOf(candles, visible * STEP))));
  await painted();
  const over = box.querySelector<HTMLElement>('.u-over')!;
  const { left, top, width } = over.getBoundingClientRect();
  const event = (type: string, x: number) =>
    new PointerEvent(type, { pointerId: 1, button: 0, buttons: 1, clientX: left + x, clientY: top + 100, bubbles: true });
  over.setPointerCapture = () => undefined;
  over.dispatchEvent(event('pointerdown', width / 2));
  const [intervals, costs]: [number[], number[]] = [[], []];
  let before = await frame();
  for (let index = 1; index <= frames; index += 1) {
    const start = performance.now();
    over.dispatchEvent(event('pointermove', width / 2 + index * 6));
    await drawn();
    costs.push(performance.now() - start);
    const now = await frame();
    intervals.push(now - before);
    before = now;
  }
  over.dispatchEvent(event('pointerup', width / 2));
  return { intervals, costs };
}

Object.assign(globalThis, { firstDraw, append, pan, ready: true });
