import { gzipSync } from 'node:zlib';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, CHROMIUM, complaints, type Stage, settled, sharedStage } from './stage.ts';

// The frame of the page is in the first answer, and the app takes its place.

describe.runIf(CHROMIUM)('the first page', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await sharedStage();
  });
  afterAll(() => stage?.close());

  const as = async (run: (page: Page, context: BrowserContext) => Promise<void>, options: object = {}) => {
    const context = await stage.plainContext({ viewport: { width: 1440, height: 900 }, ...options });
    const page = await context.newPage();
    const found = complaints(page);
    page.on('console', (message) => message.type() === 'warning' && found.push(message.text().slice(0, 300)));
    try {
      await run(page, context);
      expect(found).toEqual([]);
    } finally {
      await context.close();
    }
  };
  const color = (page: Page, selector: string) => page.locator(selector).evaluate((element) => getComputedStyle(element).backgroundColor);

  test.each([
    ['/', 'dark', 1440, true],
    ['/auth/login', 'dark', 1440, false],
    ['/', 'light', 390, false],
  ] as const)('the frame of %s stands where the app will draw it (%s, %d px)', { tags: ['smoke'] }, (path, theme, width, rail) =>
    as(
      async (page, context) => {
        await context.addInitScript((chosen) => localStorage.setItem('theme', chosen), theme);
        // The app does not come: what is seen is the answer alone.
        await page.route(/\.js$/, (route) =>
          new Promise<void>((resolve) => void page.once('close', () => resolve())).then(() => route.abort()),
        );
        await page.goto(path, { waitUntil: 'commit' });
        await page.locator('.frame-bar').waitFor();
        const box = (selector: string) => page.locator(selector).boundingBox();
        const frame = {
          bar: await box('.frame-bar'),
          rail: await page.locator('.frame-rail').isVisible(),
          panel: await color(page, '.frame-bar'),
        };
        expect(frame.rail).toBe(rail);
        await page.unrouteAll({ behavior: 'ignoreErrors' });
        await page.reload();
        await settled(page);
        expect(await box('header')).toEqual(frame.bar);
        expect(await color(page, 'header')).toBe(frame.panel);
        expect(await page.locator('.frame').count()).toBe(0);
      },
      { viewport: { width, height: 900 } },
    ),
  );

  test.each([
    ['en', 1440],
    ['tr', 390],
  ] as const)('what the landing page begins with is read at once, where the app will write it (%s, %d px)', (language, width) =>
    as(
      async (page, context) => {
        await context.addInitScript((chosen) => localStorage.setItem('language', chosen), language);
        await page.route(/\.js$/, (route) =>
          new Promise<void>((resolve) => void page.once('close', () => resolve())).then(() => route.abort()),
        );
        await page.goto('/', { waitUntil: 'commit' });
        const words = page.locator('.frame-guest').filter({ visible: true });
        await words.waitFor();
        await page.evaluate(() => document.fonts.ready);
        const read = async (title: Locator, lead: Locator) => ({
          texts: [await title.textContent(), await lead.textContent()],
          boxes: [await title.boundingBox(), await lead.boundingBox()],
        });
        const first = await read(words.locator('b'), words.locator('span'));
        await page.unrouteAll({ behavior: 'ignoreErrors' });
        await page.reload();
        await settled(page);
        const title = page.getByRole('heading', { level: 1 });
        expect(first).toEqual(await read(title, title.locator('+ p')));
        // Whoever has a session, and every other page, sees the bare frame.
        await context.addInitScript(() => localStorage.setItem('user_jwt', 'x'));
        await page.route(/\.js$/, (route) =>
          new Promise<void>((resolve) => void page.once('close', () => resolve())).then(() => route.abort()),
        );
        await page.reload({ waitUntil: 'commit' });
        await page.locator('.frame-page').waitFor();
        expect(await words.count()).toBe(0);
      },
      { viewport: { width, height: 900 } },
    ),
  );

  test('all code that draws it is named in it, and is light: less than 190 kB packed', { tags: ['smoke'] }, async () => {
    const html = await (await fetch(`${stage.server.url}/`)).text();
    const scripts = [...new Set([...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path ?? ''))];
    const sizes = await Promise.all(
      scripts.map(async (path) => gzipSync(Buffer.from(await (await fetch(stage.server.url + path)).arrayBuffer()), { level: 9 }).length),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(190_000);
    await as(async (page) => {
      const asked: string[] = [];
      page.on('request', (request) => {
        if (request.resourceType() === 'script') asked.push(new URL(request.url()).pathname);
      });
      // Whatever else is fetched comes after them: it draws no part of the page.
      await page.goto('/');
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(asked.slice(0, scripts.length).sort()).toEqual([...scripts].sort());
    });
  });

  test('nothing moves when the app arrives, and it works', { tags: ['smoke'] }, () =>
    as(async (page) => {
      await page.addInitScript(() => {
        const shifts: number[] = [];
        Object.assign(globalThis, { shifts });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
        }).observe({ type: 'layout-shift', buffered: true });
      });
      await page.goto('/');
      await settled(page);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const shifted = await page.evaluate(() =>
        (globalThis as unknown as { shifts: number[] }).shifts.reduce((sum, value) => sum + value, 0),
      );
      expect(shifted).toBeLessThan(0.02);
      expect(await axeViolations(page)).toEqual([]);
      expect(await page.title()).toBe('Home · Pilotfish');
      await page.getByRole('link', { name: 'Create account' }).click();
      await page.waitForURL('**/auth/register');
    }),
  );

  test('a chosen language is that of the first paint', () =>
    as(async (page, context) => {
      await context.addInitScript(() => {
        localStorage.setItem('language', 'tr');
        document.addEventListener('DOMContentLoaded', () => Object.assign(globalThis, { first: document.documentElement.lang }));
      });
      await page.goto('/');
      await page.getByRole('link', { name: 'Hesap aç' }).waitFor();
      expect(await page.evaluate('first')).toBe('tr');
      expect(await page.title()).toBe('Ana sayfa · Pilotfish');
    }));
});
