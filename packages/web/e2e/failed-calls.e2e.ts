import { firstOf } from '@pilotfish/core/testing/tiers';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, DESKTOP, type Stage, sharedStage } from './stage.ts';

// Every call of the BFF that fails raises a toast with its detail, also where the page shows the error in its place.

/** What stands while nothing else can be loaded: who one is, and what the apps must know. */
const STANDS = /\/bff\/(v2\/account$|v1\/app-config|v2\/stream|v1\/stream|v1\/localization|v1\/tickers)/;

const PAGES = firstOf(1, [
  '/positions',
  '/auto-trade',
  '/',
  '/prices',
  '/positions/open-positions',
  '/positions/closed-positions',
  '/positions/import',
  '/positions/migration',
  '/price-alerts',
  '/price-alerts?tab=history',
  '/auto-trade/wallets',
  '/auto-trade/filters',
  '/user/notifications',
  '/user/notifications?tab=settings',
]);

describe.runIf(CHROMIUM)('a call that fails', () => {
  let stage: Stage;
  let user: SignedInUser;
  beforeAll(async () => {
    stage = await sharedStage();
    user = await stage.server.register();
  });
  afterAll(() => stage?.close());

  /** A page whose calls all fail, each with a sentence of its own; the toasts it shows, in their order. */
  const failing = async () => {
    const context = await stage.context(DESKTOP, { ...user, session: await stage.server.signIn(user) });
    const page = await context.newPage();
    const failed = new Set<string>();
    await page.route(/\/bff\//, (route) => {
      const { pathname } = new URL(route.request().url());
      if (STANDS.test(pathname) || route.request().method() !== 'GET') return route.continue();
      const detail = `No answer of ${pathname}`;
      failed.add(detail);
      return route.fulfill({
        status: 500,
        contentType: 'application/problem+json',
        body: JSON.stringify({ type: 'about:blank', title: 'Out of order', status: 500, code: 'internal', detail }),
      });
    });
    await page.addInitScript(() => {
      const toasts: string[] = [];
      Object.assign(globalThis, { toasts });
      new MutationObserver((changes) => {
        for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
          if (node instanceof Element)
            for (const toast of [node, ...node.querySelectorAll('*')])
              if (toast.matches('.Toastify__toast')) toasts.push(toast.textContent);
      }).observe(document, { childList: true, subtree: true });
    });
    const toasts = () => page.evaluate(() => (globalThis as unknown as { toasts: string[] }).toasts);
    return { context, page, failed, toasts };
  };
  const panel = (page: Page) => page.locator('main').getByText('Out of order').first();

  test.each(PAGES)('%s: each one is in a toast, once, and in its place', async (path) => {
    const { context, page, failed, toasts } = await failing();
    await page.goto(path);
    await panel(page).waitFor();
    await expect.poll(async () => new Set(await toasts())).toEqual(failed);
    expect((await toasts()).length).toBe(failed.size);
    await context.close();
  });

  test('one that fails again for the same reason says it in its place only', async () => {
    const { context, page, failed, toasts } = await failing();
    await page.goto('/auto-trade');
    await panel(page).waitFor();
    await expect.poll(async () => new Set(await toasts())).toEqual(failed);
    const before = await toasts();
    // Until they are gone: an equal one that is still there would hide a second.
    await page.locator('.Toastify__toast').first().waitFor({ state: 'detached' });
    const again = page.waitForResponse(/\/bff\/v2\/auto-trades/);
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await again;
    await panel(page).waitFor();
    expect(await toasts()).toEqual(before);
    await context.close();
  });
});
