import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stopOf, walk } from './keyboard-walk.ts';
import { CHROMIUM, DESKTOP, ownStage, type Stage, settled } from './stage.ts';

// The app without a mouse: every stop of the Tab key is seen, says what it is, and none holds the focus.

const SCREENS = [
  '/',
  '/prices',
  '/prices?view=table',
  '/prices?view=map',
  '/positions',
  '/positions/closed-positions',
  '/performance',
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

describe.runIf(CHROMIUM)('with the keyboard alone', () => {
  let stage: Stage;
  let user: SignedInUser;
  beforeAll(async () => {
    // The first account of a stage of its own is Admin, and walks the screens of management too.
    stage = await ownStage();
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
      // The first stop leads past the navigation.
      expect((await stopOf(page))?.what).toContain('skip-link');
      const { count, wrong } = await walk(page, 'Tab', MOST_STOPS);
      expect(wrong).toEqual([]);
      expect(count).toBeGreaterThan(5);
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
