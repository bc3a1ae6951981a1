import type { CDPSession } from 'playwright-core';
import { distribution, inBrowser, p95, spread, verdict } from './browser-bench.ts';

// The table of /prices with 3,000 pairs, fed by its own stream of tickers, with an answer of the screener every 5 s.

type Page = { prepare: (...all: unknown[]) => void; run: (...all: unknown[]) => Promise<Run> };
type Run = { intervals: number[]; longTasks: number[]; fed: number; rows: number; seconds: number };
const BOUNDS = [8, 16.9, 20, 33.5, 50];

/** Seconds the main thread has worked, in thread time: what other processes take does not count. */
async function busySeconds(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
}

await inBrowser('prices', async (page, devtools) => {
  await page.waitForSelector('.prices-row');
  const prepare = (perSecond: number, milliseconds: number) =>
    page.evaluate(([rate, time]) => (globalThis as unknown as Page).prepare(rate, time), [perSecond, milliseconds] as const);
  const run = (perSecond: number, milliseconds: number, scroll: boolean, counts = true) =>
    page.evaluate(([rate, time, scrolls, counting]) => (globalThis as unknown as Page).run(rate, time, scrolls, counting), [
      perSecond,
      milliseconds,
      scroll,
      counts,
    ] as const);
  await prepare(1000, 1500);
  await run(1000, 1500, false);
  for (const [name, perSecond, scroll] of [
    ['nothing comes', 0, false],
    ['1,000 updates/s', 1000, false],
    ['10,000 updates/s', 10_000, false],
    ['1,000 updates/s while scrolling 60 px a frame', 1000, true],
  ] as const) {
    await prepare(perSecond, 12_000);
    const before = await busySeconds(devtools);
    const { intervals, longTasks, fed, rows, seconds } = await run(perSecond, 12_000, scroll);
    const work = (((await busySeconds(devtools)) - before) * 1000) / intervals.length;
    console.log(`  ${name}: ${Math.round(fed / seconds)} fed a second, ${rows} rows exist`);
    console.log(`    frames  ${spread(intervals)}\n    ${distribution(intervals, BOUNDS)}`);
    console.log(
      `    ${(intervals.length / seconds).toFixed(1)} fps, ${longTasks.length} long tasks, main thread ${work.toFixed(2)} ms a frame`,
    );
    if (!scroll) console.log(`    ${verdict('p95 of frames, ms (one frame and the jitter of the clock)', p95(intervals), 18)}`);
    if (perSecond !== 1000 || scroll) continue;
    console.log(`    ${verdict('main thread, ms a frame, the counting of frames with it', work, 1.5)}`);
    await prepare(perSecond, 12_000);
    const start = await busySeconds(devtools);
    const uncounted = await run(perSecond, 12_000, false, false);
    const alone = (((await busySeconds(devtools)) - start) * 1000) / (uncounted.seconds * 60);
    console.log(`    main thread ${alone.toFixed(2)} ms a sixtieth of a second while nothing counts frames, as for people`);
  }
});
