import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, DESKTOP, openStage, type Stage, settled } from './stage.ts';

// The app without a mouse: every stop of the Tab key is seen, says what it is, and none holds the focus.

const SCREENS = [
  '/',
  '/prices',
  '/positions',
  '/positions/closed-positions',
  '/price-alerts',
  '/auto-trade',
  '/auto-trade/create',
  '/user/my-account',
  '/user/security',
  '/management',
  '/management/users',
  '/management/localization-resources',
];
/** Tables of thousands of rows have more stops than anybody walks. */
const MOST_STOPS = 45;

type Stop = { at: number; what: string; name: string; seen: boolean; marked: boolean };

/** Where the focus is: whether it is in view, shows that it has it, and has a name. */
const stop = (page: Page): Promise<Stop | undefined> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement || element instanceof SVGElement) || element === document.body) return undefined;
    const shared = globalThis as unknown as { stops?: Element[] };
    shared.stops ??= [];
    if (!shared.stops.includes(element)) shared.stops.push(element);
    const at = shared.stops.indexOf(element);
    const box = element.getBoundingClientRect();
    const marks = [element, element.nextElementSibling].flatMap((each) => {
      if (!each) return [];
      const style = getComputedStyle(each);
      return [style.outlineStyle !== 'none' && style.outlineWidth !== '0px', style.boxShadow !== 'none'];
    });
    const label = element.getAttribute('aria-labelledby');
    const labels = (element as HTMLInputElement).labels;
    const name =
      element.getAttribute('aria-label') ??
      (label ? document.getElementById(label)?.textContent : undefined) ??
      ([...(labels ?? [])].map((each) => each.textContent).join(' ') ||
        element.textContent ||
        element.getAttribute('title') ||
        element.getAttribute('placeholder'));
    return {
      at,
      what: element.outerHTML.slice(0, 120),
      name: (name ?? '').trim(),
      seen: box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
      marked: marks.some(Boolean),
    };
  });

describe.runIf(CHROMIUM)('with the keyboard alone', () => {
  let stage: Stage;
  let user: SignedInUser;
  beforeAll(async () => {
    stage = await openStage();
    user = await stage.server.register();
  });
  afterAll(() => stage?.close());

  test.each(SCREENS)('%s', async (path) => {
    const context = await stage.context(DESKTOP, { ...user, session: await stage.server.signIn(user) });
    const page = await context.newPage();
    try {
      await page.goto(path);
      await settled(page);
      await page.keyboard.press('Tab');
      const first = await stop(page);
      // The first stop leads past the navigation.
      expect(first?.what).toContain('skip-link');
      const seen = new Set<number>();
      const wrong: Stop[] = [];
      for (let count = 0; count < MOST_STOPS; count += 1) {
        await page.keyboard.press('Tab');
        const found = await stop(page);
        // Out of the page, and round.
        if (!found || found.at === first?.at) break;
        // Two stops in a row on one element: the focus is held.
        expect(seen.has(found.at), `comes back to ${found.what}`).toBe(false);
        seen.add(found.at);
        if (!found.seen || !found.marked || found.name === '') wrong.push(found);
      }
      expect(wrong).toEqual([]);
      expect(seen.size).toBeGreaterThan(5);
    } finally {
      await context.close();
    }
  });

  test('the skip link leads to the page, and a chosen screen takes the focus to it', async () => {
    const context = await stage.context(DESKTOP, { ...user, session: await stage.server.signIn(user) });
    const page = await context.newPage();
    await page.goto('/auto-trade');
    await settled(page);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    await page.getByRole('navigation').first().getByRole('link', { name: 'Positions' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/positions');
    await page.waitForFunction(() => document.activeElement?.id === 'main');
    await context.close();
  });
});
