import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, CHROMIUM, complaints, DESKTOP, type Look, type Stage, settled, sharedStage } from './stage.ts';

const PICTURES = process.env.PILOTFISH_SCREENS;

describe.runIf(CHROMIUM)('by keyboard alone', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await sharedStage();
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
  });
  afterAll(() => stage?.close());

  const open = async (path: string, user?: SignedInUser, look: Look = DESKTOP): Promise<Page> => {
    const as = user && { ...user, session: await stage.server.signIn(user) };
    const page = await (await stage.context(look, as)).newPage();
    await page.goto(path);
    await settled(page);
    return page;
  };
  const look = async (page: Page, name: string) => {
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}.png`) });
  };

  test('the palette finds screens, pairs, actions and alerts, and gives the focus back', { tags: ['smoke'] }, async () => {
    const user = await stage.server.register();
    const page = await open('/positions', user);
    const found = complaints(page);
    const opener = page.getByRole('button', { name: 'Search or type an alert' });
    await opener.focus();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('dialog').getByRole('combobox');
    await field.waitFor();
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    await field.fill('btcusd');
    await page.getByRole('option', { name: 'BTC / USDT Pair', exact: true }).waitFor();
    const active = async () => page.locator(`[id="${await field.getAttribute('aria-activedescendant')}"]`).textContent();
    expect(await active()).toBe('BTC / USDTPair');
    await look(page, 'palette');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/prices?pair=BTCUSDT');
    await page.keyboard.press('Control+k');
    await field.waitFor();
    // What was used last stands first; arrows walk around the end.
    expect(await active()).toBe('BTC / USDTPair');
    await page.keyboard.press('ArrowDown');
    expect(await active()).toBe('HomeScreen');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await active()).not.toBe('BTC / USDTPair');
    await field.fill('light');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.documentElement.className)).toContain('light');
    await page.keyboard.press('Control+k');
    await field.fill('BTC > 150k');
    await page.keyboard.press('Enter');
    await page.getByText('Alert: BTCUSDT is above 150,000').waitFor();
    await opener.focus();
    await page.keyboard.press('Enter');
    await field.fill('nothing is called so');
    await page.getByText('Nothing is called').waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(found).toEqual([]);
    await page.context().close();
  });

  test('two letters go to a screen, a question mark says which; letters in a field are letters', async () => {
    const user = await stage.server.register();
    const page = await open('/user/my-account', user);
    for (const [key, path] of [
      ['p', '/prices'],
      ['o', '/positions'],
      ['b', '/auto-trade'],
      ['a', '/price-alerts'],
      ['h', '/'],
    ] as const) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await page.waitForURL((url) => url.pathname === path);
    }
    // One key shows the labels of the rail; this device keeps that.
    const rail = page.getByRole('navigation', { name: en.nav.label, exact: true });
    const width = async () => (await rail.boundingBox())?.width;
    expect(await width()).toBe(56);
    await page.keyboard.press('[');
    await expect.poll(width).toBe(184);
    await page.reload();
    await expect.poll(width).toBe(184);
    await page.keyboard.press('[');
    await expect.poll(width).toBe(56);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await look(page, 'shortcuts');
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    expect(new URL(page.url()).pathname).toBe('/');
    await page.keyboard.press('Escape');
    await page.goto('/price-alerts');
    const line = page.getByLabel('New alert', { exact: true }).and(page.locator('input'));
    await line.focus();
    await page.keyboard.type('gp?/');
    await expect.poll(() => line.inputValue()).toBe('gp?/');
    expect(new URL(page.url()).pathname).toBe('/price-alerts');
    await page.context().close();
  });

  test('a guest on a phone finds what a guest may see, in Turkish', async () => {
    const page = await open('/prices', undefined, { width: 390, theme: 'light', language: 'tr' });
    const found = complaints(page);
    await page.getByRole('button', { name: 'Arayın ya da alarm yazın' }).click();
    await page.getByRole('dialog').getByRole('combobox').fill('oturum');
    await expect.poll(() => page.getByRole('option', { name: 'Çıkış yap' }).count()).toBe(0);
    await look(page, 'palette-phone');
    await page.getByRole('dialog').getByRole('combobox').fill('btcusdt');
    await page.getByRole('option').first().click();
    await page.waitForURL('**/prices?pair=BTCUSDT');
    expect(found).toEqual([]);
    await page.context().close();
  });
});
