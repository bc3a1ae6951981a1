import { gzipSync } from 'node:zlib';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, CHROMIUM, complaints, type Stage, settled, sharedStage } from './stage.ts';

// The landing page is in the first answer already, in the reader's language, and the app takes it over without
// drawing it again.

describe.runIf(CHROMIUM)('the landing page made ahead', () => {
  let stage: Stage;
  let user: SignedInUser;
  beforeAll(async () => {
    stage = await sharedStage();
    user = await stage.server.register();
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
  /** A mark on the heading of the first answer: still there, it was taken over; gone, it was drawn again. */
  const markFirst = (page: Page) =>
    page.addInitScript(() => {
      document.addEventListener('DOMContentLoaded', () => document.querySelector('main h1')?.setAttribute('data-first', ''));
    });
  const running = (page: Page) => page.locator('[role=status], .loading-bar').first().waitFor({ state: 'attached' });

  test('without any script it can be read', { tags: ['smoke'] }, () =>
    as(
      async (page) => {
        await page.goto('/');
        await expect.poll(() => page.locator('h1').textContent()).toBe('Trading you can ask “why?”');
        await expect.poll(() => page.getByRole('link', { name: 'Create account' }).count()).toBe(1);
        expect(await page.title()).toBe('Home · Pilotfish');
      },
      { javaScriptEnabled: false },
    ),
  );

  test('all code that takes it over is named in it, and is light: less than 165 kB packed', { tags: ['smoke'] }, async () => {
    const answer = await fetch(`${stage.server.url}/`);
    const html = await answer.text();
    const scripts = [...new Set([...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path ?? ''))];
    const sizes = await Promise.all(
      scripts.map(async (path) => gzipSync(Buffer.from(await (await fetch(stage.server.url + path)).arrayBuffer()), { level: 9 }).length),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(165_000);
    await as(async (page) => {
      const asked: string[] = [];
      page.on('request', (request) => {
        if (request.resourceType() === 'script') asked.push(new URL(request.url()).pathname);
      });
      // Nothing else is fetched before the first call of the API, which the page that stands makes.
      const call = page.waitForRequest(/\/bff\//);
      await page.goto('/');
      await call;
      expect(asked.slice(0, scripts.length).sort()).toEqual([...scripts].sort());
    });
  });

  test('the app takes it over, nothing moves, and it works', { tags: ['smoke'] }, () =>
    as(async (page) => {
      await markFirst(page);
      await page.addInitScript(() => {
        const shifts: number[] = [];
        Object.assign(globalThis, { shifts });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
        }).observe({ type: 'layout-shift', buffered: true });
      });
      await page.goto('/');
      await settled(page);
      await running(page);
      await expect.poll(() => page.locator('main h1[data-first]').count()).toBe(1);
      const shifted = await page.evaluate(() =>
        (globalThis as unknown as { shifts: number[] }).shifts.reduce((sum, value) => sum + value, 0),
      );
      expect(shifted).toBeLessThan(0.1);
      expect(await axeViolations(page)).toEqual([]);
      await page.getByRole('link', { name: 'Create account' }).click();
      await page.waitForURL('**/auth/register');
    }),
  );

  test('Turkish once chosen: the very first answer speaks it', () =>
    as(async (page) => {
      await page.goto('/');
      await settled(page);
      await page.getByLabel('Language').selectOption('tr');
      await page.waitForFunction(() => document.documentElement.lang === 'tr');
      await markFirst(page);
      const answer = await page.request.get('/');
      expect(await answer.text()).toContain('<html lang="tr"');
      await page.reload();
      await settled(page);
      await running(page);
      await expect.poll(() => page.locator('main h1[data-first]').count()).toBe(1);
      expect(await page.title()).toBe('Ana sayfa · Pilotfish');
    }));

  test('a reader of another language, and whoever is signed in, never sees what was made for guests', () =>
    as(async (page, context) => {
      const seen: string[] = [];
      await page.exposeFunction('sawHeading', (text: string) => void seen.push(text));
      await context.addInitScript((stored) => {
        localStorage.setItem('user_jwt', stored);
        const look = () => {
          const heading = document.querySelector('main h1');
          // Present is not seen: it may be hidden.
          if (heading?.checkVisibility({ visibilityProperty: true }))
            (globalThis as unknown as { sawHeading: (text: string) => void }).sawHeading(heading.textContent);
          requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }, JSON.stringify(user.session));
      await page.goto('/');
      await settled(page);
      // Told from the page's frames, beside what is asked of it here.
      await expect.poll(() => seen.length).toBeGreaterThan(0);
      expect([...new Set(seen)].filter((text) => text.includes('why'))).toEqual([]);
    }));
});
