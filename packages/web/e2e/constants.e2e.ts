import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, type Stage, sharedStage } from './stage.ts';

// What was asked for to the pixel and the millisecond, measured in a real browser.

describe.runIf(CHROMIUM)('constants a person can see', () => {
  let stage: Stage;
  let user: SignedInUser;
  beforeAll(async () => {
    stage = await sharedStage();
    user = await stage.server.register();
  });
  afterAll(() => stage?.close());

  test('dark and English until somebody chooses; the choice is kept', async () => {
    const context = await stage.plainContext();
    const page = await context.newPage();
    const look = () => page.evaluate(() => [document.documentElement.className.includes('light'), document.documentElement.lang]);
    await page.goto('/auth/login');
    await page.getByRole('button', { name: 'Switch to light' }).waitFor();
    expect(await look()).toEqual([false, 'en']);
    await page.getByRole('button', { name: 'Switch to light' }).click();
    await page.getByLabel('Language').selectOption('tr');
    await page.waitForFunction(() => document.documentElement.lang === 'tr');
    await page.reload();
    await page.getByRole('heading').first().waitFor();
    expect(await look()).toEqual([true, 'tr']);
    await context.close();
  });

  test('the loading bar is 5 px of the secondary colour at the bottom, and shows while an answer is awaited', async () => {
    const context = await stage.context();
    const page = await context.newPage();
    await page.goto('/auth/login');
    let release = () => undefined as unknown;
    const held = new Promise((resolve) => {
      release = () => resolve(undefined);
    });
    await page.route('**/gateway/v1/account/login', async (route) => {
      await held;
      await route.continue();
    });
    await page.locator('input[name=username], input[autocomplete=username]').first().fill('nobody');
    await page.locator('input[type=password]').fill('not a real password');
    await page.locator('form button[type=submit]').click();
    // In a landmark, where those who hear the page find it.
    const bar = page.locator('main .loading-bar');
    await bar.waitFor({ state: 'attached' });
    const seen = await bar.evaluate((element) => {
      const box = element.getBoundingClientRect();
      const probe = document.createElement('div');
      probe.style.color = 'var(--chakra-colors-secondary-solid)';
      document.body.append(probe);
      const secondary = getComputedStyle(probe).color;
      probe.remove();
      const colours = [getComputedStyle(element), getComputedStyle(element, '::before')].map(({ backgroundColor }) => backgroundColor);
      return {
        height: box.height,
        below: innerHeight - box.bottom,
        wide: box.width === document.documentElement.clientWidth,
        colours,
        secondary,
      };
    });
    expect(seen).toMatchObject({ height: 5, below: 0, wide: true });
    expect(seen.colours).toContain(seen.secondary);
    release();
    await bar.waitFor({ state: 'detached' });
    await context.close();
  });

  test('an error of the BFF is a toast with its detail, at the top right, for three seconds', async () => {
    const context = await stage.context(undefined, user);
    const page = await context.newPage();
    await page.route('**/bff/v2/positions/open', (route) =>
      route.fulfill({
        status: 500,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          type: 'about:blank',
          title: 'An error occurred',
          status: 500,
          code: 'internal',
          detail: 'An error occurred',
        }),
      }),
    );
    await page.route('**/bff/v2/auto-trades', (route) =>
      route.request().method() === 'GET'
        ? route.fulfill({
            status: 503,
            contentType: 'application/problem+json',
            body: JSON.stringify({
              title: 'T',
              status: 503,
              code: 'exchange-unreachable',
              detail: 'The exchange does not answer at the moment.',
            }),
          })
        : route.continue(),
    );
    await page.goto('/auto-trade');
    const toast = page.locator('.Toastify__toast').first();
    await toast.waitFor();
    await expect.poll(() => toast.textContent()).toContain('The exchange does not answer at the moment.');
    await expect.poll(() => page.locator('.Toastify__toast-container--top-right').count()).toBe(1);
    const box = await toast.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(1440 - 40);
    expect(box?.y).toBeLessThan(80);
    // In the colours of the theme, also of one that is chosen later.
    const { dark, light } = await toast.evaluate(async (shown) => {
      const root = document.documentElement;
      const look = () => {
        const probe = document.createElement('div');
        probe.style.color = 'var(--chakra-colors-fg)';
        probe.style.background = 'var(--chakra-colors-bg-raised)';
        document.body.append(probe);
        const colours = [shown, shown.querySelector('.Toastify__close-button'), probe].map((each) => getComputedStyle(each as Element));
        const [toasted, close, wanted] = colours.map(({ color, backgroundColor }) => ({ color, backgroundColor }));
        probe.remove();
        return { toasted, close: close?.color, wanted };
      };
      const before = look();
      root.classList.replace('dark', 'light');
      const fading = () => shown.getAnimations({ subtree: true }).filter((each) => each instanceof CSSTransition);
      while (fading().length > 0) await Promise.all(fading().map((each) => each.finished));
      const after = look();
      root.classList.replace('light', 'dark');
      return { dark: before, light: after };
    });
    for (const { toasted, close, wanted } of [dark, light]) expect([toasted, close]).toEqual([wanted, wanted?.color]);
    expect(light.wanted).not.toEqual(dark.wanted);
    // The bar of a toast runs as long as the toast stays.
    expect(
      await page
        .locator('.Toastify__progress-bar')
        .first()
        .evaluate((bar) => getComputedStyle(bar).animationDuration),
    ).toBe('3s');
    // On a phone it leaves the header alone: that is the way back.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    await toast.waitFor();
    const covered = await page
      .locator('header')
      .first()
      .evaluate((header) => {
        const { bottom } = header.getBoundingClientRect();
        return [...header.querySelectorAll('a, button')].filter((each) => {
          const { left, top, width, height } = each.getBoundingClientRect();
          return width > 0 && !each.contains(document.elementFromPoint(left + width / 2, top + height / 2)) && top < bottom;
        }).length;
      });
    expect(covered).toBe(0);
    const onPhone = await toast.boundingBox();
    expect(onPhone?.width).toBeGreaterThan(380);
    await context.close();
  });
});
