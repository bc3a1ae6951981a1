import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import tr from '@pilotfish/core/locales/tr.json' with { type: 'json' };
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, type Stage, settled, sharedStage } from './stage.ts';

// What was once cut off, silent or misread: on a phone, in Turkish, with odd input.

describe.runIf(CHROMIUM)('the small print', () => {
  let stage: Stage;
  let user: SignedInUser;
  let phone: BrowserContext;
  beforeAll(async () => {
    stage = await sharedStage();
    user = await stage.server.register();
    phone = await stage.context({ width: 390, theme: 'dark', language: 'tr' }, { ...user, session: await stage.server.signIn(user) });
  });
  afterAll(() => stage?.close());

  test('an alert: thousands are asked about, a bound is told by the name of its setting, and a lost connection is said', async () => {
    const page = await phone.newPage();
    await page.goto('/price-alerts');
    await settled(page);
    const line = page.getByRole('textbox', { name: tr.alerts.page.line });
    await line.fill('btc > 70b');
    await page.getByRole('button', { name: '70 bin', exact: true }).click();
    await page.getByText(/BTCUSDT 70,000 /).waitFor();
    await line.fill('btc rsi 14 1s < 300');
    await page.getByText(`${tr.alerts.parameter.value}. 0 – 100`).waitFor();
    await line.fill('btc > 900 bin');
    await phone.setOffline(true);
    await page.getByRole('button', { name: tr.alerts.page.create, exact: true }).click();
    await page.getByRole('alert').filter({ hasText: tr.errors.offline.title }).waitFor();
    await phone.setOffline(false);
    await expect.poll(() => line.inputValue()).toBe('btc > 900 bin');
    await page.close();
  });

  test('the form of a bot: all six steps in sight of a phone, an unknown coin is told', async () => {
    const page = await phone.newPage();
    await page.goto('/auto-trade/create');
    await settled(page);
    const steps = page.getByRole('list', { name: tr.autoTrades.form.steps }).getByRole('button');
    await expect.poll(() => steps.count()).toBe(6);
    const edges = await steps.evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().right));
    expect(Math.max(...edges)).toBeLessThanOrEqual(390);
    await page.getByLabel(tr.autoTrades.form.coins, { exact: true }).fill('yokcoin');
    await page.getByRole('alert').filter({ hasText: 'yokcoin' }).waitFor();
    await page.close();
  });

  test('the form of a bot asks for its rules again once a lost connection is back', async () => {
    const page = await phone.newPage();
    let isLost = true;
    await page.route(/auto-trades\?validateOnly=true/, (route) => (isLost ? route.abort() : route.continue()));
    const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('validateOnly'));
    await page.goto('/auto-trade/create');
    await settled(page);
    await page.getByLabel(tr.autoTrades.form.coins, { exact: true }).fill('yokcoin');
    await failed;
    isLost = false;
    // Nobody types any more.
    await page.waitForResponse((response) => response.url().includes('validateOnly'));
    await page.close();
  });

  test('the activity of an account is read on a phone without scrolling sideways', async () => {
    const page = await phone.newPage();
    await page.goto('/user/security');
    await settled(page);
    const list = page.getByRole('list', { name: tr.security.audit });
    await list.getByRole('listitem').first().waitFor();
    const wide = await list.evaluate((element) =>
      [...element.querySelectorAll('*')].some((each) => each.getBoundingClientRect().right > innerWidth),
    );
    expect(wide).toBe(false);
    await page.close();
  });

  test('a wallet without a name is refused at its field, and so is one of all the money of the world', async () => {
    const context = await stage.context(
      { width: 1440, theme: 'light', language: 'en' },
      { ...user, session: await stage.server.signIn(user) },
    );
    const page = await context.newPage();
    await page.goto('/auto-trade/wallets');
    await settled(page);
    await page.getByRole('main').getByRole('button', { name: en.autoTrades.wallet.open, exact: true }).first().click();
    const dialog = page.locator('dialog[open]');
    const name = dialog.getByLabel(en.autoTrades.wallet.name, { exact: true });
    const open = dialog.getByRole('button', { name: en.autoTrades.wallet.open, exact: true });
    await name.fill('');
    await open.click();
    await dialog.getByRole('alert').filter({ hasText: en.validation.required }).waitFor();
    await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
    await name.fill('Whale 🐋');
    await dialog.getByLabel(en.autoTrades.wallet.balance, { exact: true }).fill('9'.repeat(26));
    await open.click();
    await dialog.getByRole('alert').filter({ hasText: en.validation.max_trillion }).waitFor();
    await context.close();
  });
});
