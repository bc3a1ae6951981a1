import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, CHROMIUM, DESKTOP, type Look, type Stage, settled, sharedStage } from './stage.ts';

// Start-up with the real modules: what cannot be loaded is blocked in the browser.

const TURKISH: Look = { ...DESKTOP, language: 'tr' };
/** Chunks by the names the build gives them, each with a hash of its own. */
const TEXTS = /\/assets\/(en|tr)-[\w-]+\.js$/;
const TURKISH_TEXTS = /\/assets\/tr-[\w-]+\.js$/;
const REMOTE = /\/assets\/remote-[\w-]+\.js$/;

describe.runIf(CHROMIUM)('start-up while a part of the app cannot be loaded', () => {
  let stage: Stage;
  let user: SignedInUser;
  beforeAll(async () => {
    stage = await sharedStage();
    user = await stage.server.register();
  });
  afterAll(() => stage?.close());

  const blocking = async (chunk: RegExp, look: Look, whose?: SignedInUser) => {
    const context = await stage.context(look, whose);
    const page = await context.newPage();
    const said: string[] = [];
    const errors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && said.push(message.text()));
    page.on('pageerror', (error) => errors.push(error.message));
    let blocked = 0;
    await page.route(chunk, (route) => {
      blocked += 1;
      return route.abort();
    });
    return { context, page, said, errors, blocked: () => blocked };
  };
  const stored = (page: Page) => page.evaluate(() => localStorage.getItem('user_jwt'));

  test('no text can be loaded: the landing page stands in built-in English and says so', async () => {
    const { page, said, errors, blocked } = await blocking(TEXTS, TURKISH);
    await page.goto('/');
    await page.getByText('Some texts of this page could not be loaded').waitFor();
    await expect.poll(() => page.locator('h1').textContent()).toBe('Trading you can ask “why?”');
    expect(await page.evaluate(() => [document.documentElement.lang, document.title])).toEqual(['en', 'Home · Pilotfish']);
    expect(await axeViolations(page)).toEqual([]);
    expect(blocked()).toBeGreaterThan(0);
    expect(said.filter((text) => text.includes('Start-up module texts could not be loaded'))).toHaveLength(1);
    expect(errors).toEqual([]);
    // What was chosen stays chosen: the next start speaks it.
    expect(await page.evaluate(() => localStorage.getItem('language'))).toBe('tr');
    await page.unroute(TEXTS);
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('link', { name: 'Hesap aç' }).waitFor();
    await expect.poll(() => page.getByText('Some texts of this page').count()).toBe(0);
  });

  test('a page whose Turkish cannot be loaded is shown in English', async () => {
    const { page, errors } = await blocking(TURKISH_TEXTS, TURKISH);
    await page.goto('/auth/login');
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
    await expect.poll(() => page.getByText('Some texts of this page could not be loaded').count()).toBe(1);
    expect(errors).toEqual([]);
  });

  test('a language that cannot be loaded is not switched to', async () => {
    const { page, errors } = await blocking(TURKISH_TEXTS, DESKTOP);
    await page.goto('/');
    await settled(page);
    await page.getByLabel('Language').selectOption('tr');
    await page.getByText('Some texts of this page could not be loaded').waitFor();
    await expect.poll(() => page.locator('h1').textContent()).toBe('Trading you can ask “why?”');
    expect(errors).toEqual([]);
  });

  test('the part that holds the session cannot be loaded: a guest’s page, and the stored session stays', { tags: ['smoke'] }, async () => {
    const session = await stage.server.signIn(user);
    const { page, said, errors } = await blocking(REMOTE, DESKTOP, { ...user, session });
    await page.goto('/positions');
    await page.getByText('Your session could not be loaded').waitFor();
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
    await page.goto('/');
    await page.getByRole('heading', { name: 'Trading you can ask' }).waitFor();
    expect(JSON.parse((await stored(page)) ?? '{}')).toEqual(session);
    expect(said.filter((text) => text.includes('Start-up module session could not be loaded'))).toHaveLength(2);
    expect(errors).toEqual([]);
    await page.unroute(REMOTE);
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('button', { name: 'Account' }).waitFor();
    expect(JSON.parse((await stored(page)) ?? '{}').accessToken).not.toBe(undefined);
  });

  test('texts and session at once: the page still stands', async () => {
    const session = await stage.server.signIn(user);
    const { page, errors } = await blocking(/\/assets\/(en|tr|remote)-[\w-]+\.js$/, TURKISH, { ...user, session });
    await page.goto('/');
    await page.getByText('Your session could not be loaded').waitFor();
    await expect.poll(() => page.getByText('Some texts of this page could not be loaded').count()).toBe(1);
    expect(JSON.parse((await stored(page)) ?? '{}')).toEqual(session);
    expect(errors).toEqual([]);
  });
});
