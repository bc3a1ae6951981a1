import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { CHROMIUM_FLAGS } from '@pilotfish/core/testing/chromium';
import { chromium } from 'playwright-core';
import { createServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, CHROMIUM, complaints } from './stage.ts';

const WEB = fileURLToPath(new URL('..', import.meta.url));
/** Said by the page of the kit alone. */
const MARK = 'hero 36/42, one per page';

test('the page of the kit is for development: nothing of it is in what is shipped', () => {
  expect(readFileSync(`${WEB}/src/kit/kit-page.tsx`, 'utf8')).toContain(MARK);
  const shipped = readdirSync(`${WEB}/dist`, { recursive: true, encoding: 'utf8' }).filter((path) => /\.(?:js|css|html)$/.test(path));
  expect(shipped).toContain('index.html');
  expect(shipped.filter((path) => path === 'kit.html' || readFileSync(`${WEB}/dist/${path}`, 'utf8').includes(MARK))).toEqual([]);
  const manifest = `${WEB}/dist/.vite/manifest.json`;
  expect(existsSync(manifest)).toBe(true);
  expect(readFileSync(manifest, 'utf8')).not.toContain('src/kit/');
});

describe.runIf(CHROMIUM)('the kit', () => {
  let server: ViteDevServer;
  let port: number;
  let browser: Awaited<ReturnType<typeof chromium.launch>>;
  beforeAll(async () => {
    server = await createServer({ configFile: `${WEB}/vite.config.ts`, root: WEB, logLevel: 'error', server: { port: 0, hmr: false } });
    await server.listen();
    port = (server.httpServer!.address() as AddressInfo).port;
    browser = await chromium.launch({ executablePath: CHROMIUM as string, args: [...CHROMIUM_FLAGS] });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  test.each(['dark', 'light'])('%s: axe finds nothing, on a desk and on a phone', { timeout: 60_000 }, async (look) => {
    for (const width of [1440, 390]) {
      const page = await browser.newPage({ viewport: { width, height: 900 } });
      const found = complaints(page);
      await page.goto(`http://127.0.0.1:${port}/kit#${look}`);
      await page.getByRole('heading', { name: 'Kit' }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect(found).toEqual([]);
      await page.close();
    }
  });
});
