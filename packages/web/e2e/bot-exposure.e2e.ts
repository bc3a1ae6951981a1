import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import tr from '@pilotfish/core/locales/tr.json' with { type: 'json' };
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, CHROMIUM, complaints, DESKTOP, type Stage, settled, sharedStage } from './stage.ts';

// Who makes a bot live is told what stands open while the server is off, and offered what helps against it.

const PICTURES = process.env.PILOTFISH_SCREENS;
const { exposed, form } = en.autoTrades;

describe.runIf(CHROMIUM)('a bot that trades on the account', () => {
  let stage: Stage;
  let user: SignedInUser;
  let wallets: Record<'live' | 'paper', Wallet>;

  beforeAll(async () => {
    stage = await sharedStage();
    user = await stage.server.register();
    const keys = await user.call('/gateway/v2/account/connect/binance/demo', { method: 'POST' });
    await user.call('/gateway/v2/account/connect/binance', { body: keys.body });
    const wallet = async (mode: string) =>
      (await user.call<Wallet>('/bff/v2/wallets', { body: { name: mode, mode, initialBalance: '1000' } })).body;
    wallets = { live: await wallet('live'), paper: await wallet('paper') };
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
  });
  afterAll(() => stage?.close());

  const create = async (name: string, mode: 'live' | 'paper', stopLoss: object) => {
    const { body } = await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', {
      body: {
        name,
        walletId: wallets[mode].id,
        coins: { symbols: ['BTCUSDT'] },
        entry: { size: { mode: 'fixed', value: '100' }, trigger: { kind: 'drop', dropPct: '80', lookbackMin: 5 } },
        stopLoss,
      },
    });
    return body.autoTrade;
  };
  const main = (page: Page) => page.getByRole('main');
  const dialog = (page: Page) => page.locator('dialog[open]');
  const picture = async (page: Page, name: string) => {
    expect(await axeViolations(page)).toEqual([]);
    if (PICTURES) await page.screenshot({ path: join(PICTURES, `exposure-${name}.png`) });
  };

  test('its dialog says what is exposed, and its form turns the stop at the exchange on', async () => {
    const context = await stage.context(DESKTOP, { ...user, session: await stage.server.signIn(user) });
    const page = await context.newPage();
    const found = complaints(page);
    const bot = await create('Guarded', 'live', { mode: 'percent', pct: '5' });
    await page.goto(`/auto-trade/detail/${bot.id}`);
    await settled(page);
    await main(page).getByRole('button', { name: en.autoTrades.action.enable, exact: true }).click();
    await dialog(page).getByText(exposed.stopAtServer).waitFor();
    await picture(page, 'dialog');
    await dialog(page).getByRole('button', { name: en.ui.cancel, exact: true }).click();

    await page.goto(`/auto-trade/detail/${bot.id}/edit`);
    await settled(page);
    await main(page).getByRole('list', { name: form.steps }).getByRole('button', { name: form.step.review }).click();
    await main(page).getByText(exposed.stopAtServer).waitFor();
    await picture(page, 'review');
    await main(page).getByRole('button', { name: exposed.turnOn, exact: true }).click();
    await main(page).getByText(exposed.title).waitFor({ state: 'detached' });
    await main(page).getByRole('button', { name: form.saveVersion, exact: true }).click();
    await page.waitForURL(`**/auto-trade/detail/${bot.id}`);
    const { body } = await user.call<AutoTrade>(`/bff/v2/auto-trades/${bot.id}`);
    expect(body.config.protectiveStop.enabled).toBe(true);
    await settled(page);
    await main(page).getByRole('button', { name: en.autoTrades.action.enable, exact: true }).click();
    await dialog(page).getByText(en.autoTrades.ask.enable.what).waitFor();
    await expect.poll(() => dialog(page).getByText(exposed.title).count()).toBe(0);
    expect(found).toEqual([]);
    await context.close();
  });

  test('one without a stop is told so on a phone, in Turkish too; paper money needs no such word', async () => {
    const context = await stage.context(
      { width: 390, theme: 'light', language: 'tr' },
      { ...user, session: await stage.server.signIn(user) },
    );
    const page = await context.newPage();
    const open = async (bot: AutoTrade) => {
      await page.goto(`/auto-trade/detail/${bot.id}`);
      await settled(page);
      await main(page).getByRole('button', { name: tr.autoTrades.action.enable, exact: true }).click();
      await dialog(page).getByText(tr.autoTrades.ask.enable.what).waitFor();
    };
    await open(await create('Naked', 'live', { mode: 'none' }));
    await dialog(page).getByText(tr.autoTrades.exposed.noStop).waitFor();
    await picture(page, 'dialog-phone-tr');
    await open(await create('Paper', 'paper', { mode: 'none' }));
    await expect.poll(() => dialog(page).getByText(tr.autoTrades.exposed.title).count()).toBe(0);
    await context.close();
  });
});
