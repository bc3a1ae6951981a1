import { distribution, inBrowser, median, p95, spread, verdict } from './browser-bench.ts';

// The components themselves, as the product builds them: React, summary, uPlot or lightweight-charts, canvas.

type Draw = { sync: number; painted: number; canvases: number };
type Charts = {
  firstDraw: (kind: string, count: number) => Promise<Draw>;
  append: (count: number, times: number) => Promise<number[]>;
  pan: (count: number, visible: number, frames: number) => Promise<{ intervals: number[]; costs: number[] }>;
};
const FRAMES = [8, 16.9, 20, 33.5, 50];
const COSTS = [1, 2, 4, 8, 16];

await inBrowser('charts', async (page) => {
  for (const [kind, count] of [
    ['line', 100_000],
    ['line', 1_000_000],
    ['candles', 100_000],
    ['candles', 1_000_000],
    ['bars', 120],
  ] as const) {
    const draws: Draw[] = [];
    for (let round = 0; round < 7; round += 1)
      draws.push(
        await page.evaluate(([name, points]) => (globalThis as unknown as Charts).firstDraw(name, points), [kind, count] as const),
      );
    const sync = draws.map((draw) => draw.sync);
    console.log(`  first draw, ${count.toLocaleString('en-US')} ${kind}`);
    console.log(`    work    ${spread(sync)}`);
    console.log(`    painted ${spread(draws.map((draw) => draw.painted))}`);
    if (count === 1_000_000) console.log(`    ${verdict('median of work, ms', median(sync), 200)}`);
  }
  // As far back as somebody pans.
  const costs = await page.evaluate(() => (globalThis as unknown as Charts).append(5_000, 300));
  console.log('  append to 5,000 candles, 500 in sight');
  console.log(`    work    ${spread(costs)}\n    ${distribution(costs, COSTS)}\n    ${verdict('median, ms', median(costs), 16)}`);
  for (const visible of [500, 20_000, 1_000_000]) {
    const { intervals, costs } = await page.evaluate((seen) => (globalThis as unknown as Charts).pan(1_000_000, seen, 240), visible);
    console.log(`  pan over 1,000,000 candles, ${visible.toLocaleString('en-US')} in sight`);
    console.log(`    work    ${spread(costs)}\n    ${distribution(costs, COSTS)}`);
    console.log(`    frames  ${spread(intervals)}\n    ${distribution(intervals, FRAMES)}`);
    console.log(
      `    ${(1000 / (intervals.reduce((sum, each) => sum + each, 0) / intervals.length)).toFixed(1)} fps; ${verdict('p95 of frames, ms', p95(intervals), 20)}`,
    );
  }
});
