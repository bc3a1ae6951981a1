import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import tr from '@pilotfish/core/locales/tr.json' with { type: 'json' };
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, CHROMIUM, complaints, DESKTOP, type Look, type Stage, settled, sharedStage } from './stage.ts';

// A newcomer who follows only what is offered: from an empty account to a started bot on paper, and on to being reached.

const PICTURES = process.env.PILOTFISH_SCREENS;
const { offers, after } = en.nextSteps;
const { form } = en.autoTrades;

describe.runIf(CHROMIUM)('the first day', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await sharedStage();
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
  });
  afterAll(() => stage?.close());

  const main = (page: Page) => page.getByRole('main');
  const exact = (within: Page | Locator, role: 'button' | 'link', name: string) => within.getByRole(role, { name, exact: true });
  /** The line at the end of a step. */
  const line = (page: Page, done: string) => main(page).getByRole('status').filter({ hasText: done });
  const open = async (user: SignedInUser, look: Look = DESKTOP): Promise<Page> => {
    const context = await stage.context(look, { ...user, session: await stage.server.signIn(user) });
    return context.newPage();
  };
  const seen = async (page: Page, name: string) => {
    await settled(page);
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    if (PICTURES) await page.screenshot({ path: join(PICTURES, `first-day-${name}.png`) });
  };

  test('from an empty account to a bot that runs, by what is offered alone', { tags: ['smoke'] }, async () => {
    const page = await open(await stage.server.register());
    const found = complaints(page);
    await page.goto('/');
    await page.getByRole('heading', { name: en.overview.dayOne.title }).waitFor();
    await seen(page, 'empty');
    await exact(main(page), 'link', offers.connect.button).click();

    await exact(main(page), 'button', en.exchangeConnection.demo).click();
    await exact(main(page), 'button', en.exchangeConnection.connect).click();
    const connected = line(page, after.exchange);
    await connected.getByText(offers.bot.text).waitFor();
    await seen(page, 'connected');
    await exact(connected, 'link', offers.bot.button).click();

    // The form opens the wallet that it lacks.
    await exact(main(page), 'button', en.autoTrades.wallet.open).click();
    await main(page).getByLabel(form.name, { exact: true }).first().fill('Dip');
    await main(page).getByLabel(form.coins, { exact: true }).fill('btc');
    await exact(main(page), 'button', 'BTCUSDT').first().click();
    await main(page)
      .getByRole('button', { name: new RegExp(en.autoTrades.preset.cautious.name) })
      .click();
    await exact(page.locator('dialog[open]'), 'button', form.fillIn).click();
    await main(page).getByRole('list', { name: form.steps }).getByRole('button', { name: form.step.review }).click();
    await exact(main(page), 'button', form.save).click();

    const saved = line(page, after.bot);
    await saved.getByText(offers.start.text.replace('{{bot}}', 'Dip')).waitFor();
    await seen(page, 'saved');
    await exact(main(page), 'button', en.autoTrades.action.enable).click();
    await exact(page.getByRole('dialog').or(page.getByRole('alertdialog')), 'button', en.autoTrades.action.enable).click();

    const running = line(page, after.start.replace('{{name}}', 'Dip'));
    await running.getByText(offers.push.text).waitFor();
    await seen(page, 'running');
    await exact(running, 'link', offers.push.button).click();
    await page.getByRole('heading', { name: en.notifications.push.title }).waitFor();

    await page.goto('/');
    await settled(page);
    await main(page).getByText('Dip', { exact: true }).first().waitFor();
    expect(await page.getByRole('heading', { name: en.overview.dayOne.title }).count()).toBe(0);
    expect(found).toEqual([]);
    await page.context().close();
  });

  test('steps beside the equity can be closed, and stay closed on every device of the account', async () => {
    const user = await stage.server.register();
    const keys = await user.call('/gateway/v2/account/connect/binance/demo', { method: 'POST' });
    await user.call('/gateway/v2/account/connect/binance', { body: keys.body });
    const phone: Look = { width: 390, theme: 'light', language: 'tr' };
    const page = await open(user, phone);
    await page.goto('/');
    const panel = main(page).getByRole('region', { name: tr.overview.dayOne.title });
    await panel.getByText(tr.overview.dayOne.connected).waitFor();
    await seen(page, 'beside');
    await exact(panel, 'button', tr.nextSteps.dismiss).click();
    await panel.waitFor({ state: 'detached' });
    const stored = async () => (await user.call<{ dismissedSteps: string[] | null }>('/bff/v2/account/preferences')).body.dismissedSteps;
    await expect.poll(stored).toEqual(['first-days']);
    await page.context().close();

    const other = await open(user);
    await other.goto('/');
    await settled(other);
    await other.getByText(en.overview.equity, { exact: true }).first().waitFor();
    await expect.poll(() => other.getByRole('region', { name: en.overview.dayOne.title }).count()).toBe(0);
    await other.context().close();
  });

  test('an alert that reaches nobody outside of the page says so, until a channel is chosen or the advice is dismissed', async () => {
    const user = await stage.server.register();
    const page = await open(user);
    await page.goto('/price-alerts');
    await settled(page);
    await exact(main(page), 'button', 'BTC > 70k').click();
    await exact(main(page), 'button', en.alerts.page.create).click();
    const advice = line(page, after.alert);
    await exact(advice, 'link', offers.push.button).waitFor();
    await seen(page, 'alert');
    await exact(advice, 'button', en.nextSteps.dismiss).click();
    await advice.waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('a wallet leads to a bot that uses it, on a phone, too', async () => {
    const user = await stage.server.register();
    const page = await open(user, { ...DESKTOP, width: 390 });
    await page.goto('/auto-trade/wallets');
    await settled(page);
    await exact(main(page), 'button', en.autoTrades.wallet.open).first().click();
    await exact(page.getByRole('dialog'), 'button', en.autoTrades.wallet.open).click();
    const opened = line(page, after.wallet);
    await opened.getByText(offers.bot.text).waitFor();
    await seen(page, 'wallet');
    await exact(opened, 'link', offers.bot.button).click();
    await page.waitForURL('**/auto-trade/create?wallet=*');
    await page.context().close();
  });
});
