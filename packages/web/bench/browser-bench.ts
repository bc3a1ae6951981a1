import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { CHROMIUM_FLAGS, findChromium } from '@pilotfish/core/testing/chromium';
import react from '@vitejs/plugin-react';
import { type CDPSession, chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { browserTexts } from '../vite.config.ts';

const CHROMIUM = findChromium();
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Builds `bench/<name>.html` as the product is built, and opens it in the system's Chromium. */
export async function inBrowser(name: string, run: (page: Page, devtools: CDPSession) => Promise<void>): Promise<void> {
  if (!CHROMIUM) {
    console.log('  left out: no Chromium found (name it by CHROMIUM_PATH)');
    return;
  }
  const root = join(process.cwd(), 'packages/web/bench');
  const folder = mkdtempSync(join(tmpdir(), 'pilotfish-bench-'));
  try {
    await build({
      configFile: false,
      root,
      logLevel: 'error',
      plugins: [browserTexts, react()],
      build: { target: 'es2023', outDir: folder, emptyOutDir: true, rolldownOptions: { input: join(root, `${name}.html`) } },
    });
    const server = createServer((request, response) => {
      const file = join(folder, normalize(new URL(request.url ?? '/', 'http://local').pathname));
      if (!file.startsWith(folder) || !existsSync(file)) return response.writeHead(404).end();
      response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: [...CHROMIUM_FLAGS] });
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      page.on('pageerror', (error) => console.error('  page failed:', error.message));
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}.html`);
      await page.waitForFunction(() => 'ready' in globalThis);
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
      await run(page, devtools);
    } finally {
      await browser.close();
      server.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

/** `median 1.23, p95 4.56, p99 7.89, worst 9.99 (n)`, in ms. */
export function spread(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  const [median, p95, p99] = [0.5, 0.95, 0.99].map((share) => at(sorted, share).toFixed(2));
  return `median ${median}, p95 ${p95}, p99 ${p99}, worst ${(sorted.at(-1) ?? Number.NaN).toFixed(2)} ms (${values.length})`;
}
export const p95 = (values: readonly number[]): number =>
  at(
    [...values].sort((a, b) => a - b),
    0.95,
  );
export const median = (values: readonly number[]): number =>
  at(
    [...values].sort((a, b) => a - b),
    0.5,
  );

/** How many values lie below each bound. */
export function distribution(values: readonly number[], bounds: readonly number[]): string {
  let below = 0;
  return [...bounds, Number.POSITIVE_INFINITY]
    .map((bound) => {
      const count = values.filter((value) => value < bound).length - below;
      below += count;
      return `${bound === Number.POSITIVE_INFINITY ? `≥${bounds.at(-1)}` : `<${bound}`}: ${((count / values.length) * 100).toFixed(1)}%`;
    })
    .join('  ');
}

/** Says whether a target was met; a benchmark that misses one does not fail, machines differ. */
export const verdict = (what: string, value: number, target: number): string =>
  `${value <= target ? 'met   ' : 'MISSED'} ${what}: ${value.toFixed(2)} (target ${target})`;
