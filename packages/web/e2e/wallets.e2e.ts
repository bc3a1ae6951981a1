import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import tr from '@pilotfish/core/locales/tr.json' with { type: 'json' };
import type { CoinFilter } from '@pilotfish/core/prices/screener-contract';
import { walletBalances } from '@pilotfish/core/wallets/wallet-book';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, CHROMIUM, complaints, DESKTOP, type Stage, settled, sharedStage } from './stage.ts';

// The life of a wallet and of a coin filter, clicked against the real server and the simulated exchange.

const PICTURES = process.env.PILOTFISH_SCREENS;

describe.runIf(CHROMIUM)('wallets and coin filters in the browser', () => {
  let stage: Stage;
  let user: SignedInUser;
  let context: BrowserContext;

  beforeAll(async () => {
    stage = await sharedStage();
    user = await stage.server.register();
    context = await stage.context(DESKTOP, { ...user, session: await stage.server.signIn(user) });
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
  });
  afterAll(() => stage?.close());

  const picture = async (page: Page, name: string) => {
    expect(await axeViolations(page)).toEqual([]);
    if (PICTURES) await page.screenshot({ path: join(PICTURES, `flow-${name}.png`), fullPage: true });
  };
  const main = (page: Page) => page.getByRole('main');
  const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true });
  const dialog = (page: Page) => page.locator('dialog[open]');

  test('a wallet is opened, added to, taken from no further than what is free, and its ledger tells it', { tags: ['smoke'] }, async () => {
    const page = await context.newPage();
    const found = complaints(page);
    await page.goto('/auto-trade/wallets');
    await settled(page);
    await main(page).getByText(en.wallets.emptyTitle).waitFor();
    await picture(page, 'wallets-empty');
    await button(main(page), en.autoTrades.wallet.open).first().click();
    await dialog(page).getByText(en.wallets.meaning.test).waitFor();
    await dialog(page).getByLabel(en.autoTrades.wallet.name, { exact: true }).fill('Savings');
    await dialog(page).getByLabel(en.autoTrades.mode.test).check();
    // Without a connected account there is no live money: it says so and opens nothing.
    await button(dialog(page), en.autoTrades.wallet.open).click();
    await dialog(page).getByRole('alert').waitFor();
    await picture(page, 'wallet-refused');
    await dialog(page).getByLabel(en.autoTrades.mode.paper).check();
    await dialog(page).getByLabel(en.autoTrades.wallet.balance).fill('500');
    await button(dialog(page), en.autoTrades.wallet.open).click();
    await main(page).getByRole('heading', { name: 'Savings' }).waitFor();

    await main(page).getByRole('button', { name: 'Add or remove: Savings' }).click();
    await button(dialog(page), en.wallets.way.take).first().click();
    await dialog(page).getByLabel(en.wallets.line.amount).fill('501');
    await dialog(page)
      .getByText(/You can remove at most the free balance/)
      .waitFor();
    await dialog(page).getByLabel(en.wallets.line.amount).fill('120.5');
    await dialog(page)
      .getByText(/Free afterwards: .*379\.5/)
      .waitFor();
    await dialog(page).getByLabel(en.wallets.note).fill('rent');
    await picture(page, 'wallet-balance');
    await dialog(page).locator('button[type=submit]').click();
    await main(page).getByRole('button', { name: 'Ledger: Savings' }).click();
    await main(page)
      .getByRole('row', { name: /Removed.*rent.*120\.5/ })
      .waitFor();
    await picture(page, 'wallets');
    const [wallet] = (await user.call<Wallet[]>('/bff/v2/wallets')).body;
    expect(wallet).toMatchObject({ free: '379.5', withdrawals: '120.5' });
    expect(walletBalances(wallet!)).toBe(true);
    expect(found).toEqual([]);
    await page.close();
  });

  test('fees and latency of a paper wallet are set when it is opened and changed later, in both themes and languages', async () => {
    const looks = [
      { width: 1440, theme: 'dark', language: 'en' },
      { width: 390, theme: 'light', language: 'tr' },
    ] as const;
    for (const look of looks) {
      const texts = look.language === 'tr' ? tr : en;
      const name = `Far ${look.theme}`;
      const mine = await stage.context(look, { ...user, session: await stage.server.signIn(user) });
      const page = await mine.newPage();
      const found = complaints(page);
      await page.goto('/auto-trade/wallets');
      await settled(page);
      await button(main(page), texts.autoTrades.wallet.open).first().click();
      await dialog(page).getByLabel(texts.autoTrades.wallet.name, { exact: true }).fill(name);
      await dialog(page).getByLabel(texts.wallets.terms.maker).fill('0.075');
      await dialog(page).getByLabel(texts.wallets.terms.latency).fill('150');
      await picture(page, `wallet-terms-open-${look.theme}`);
      await button(dialog(page), texts.autoTrades.wallet.open).click();
      await main(page).getByRole('heading', { name }).waitFor();
      const stored = async () => (await user.call<Wallet[]>('/bff/v2/wallets')).body.find((each) => each.name === name);
      expect(await stored()).toMatchObject({ makerFeePct: '0.075', takerFeePct: '0.1', latencyMs: 150 });

      await main(page)
        .getByRole('button', { name: texts.wallets.terms.of.replace('{{name}}', name) })
        .click();
      await dialog(page).getByLabel(texts.wallets.terms.taker).fill('6');
      await button(dialog(page), texts.wallets.terms.save).click();
      await dialog(page).getByText(texts.validation.too_big.replace('{{limit}}', '5')).waitFor();
      await picture(page, `wallet-terms-${look.theme}`);
      await dialog(page).getByLabel(texts.wallets.terms.taker).fill('0.2');
      await button(dialog(page), texts.wallets.terms.save).click();
      await dialog(page).waitFor({ state: 'detached' });
      await main(page)
        .getByRole('article')
        .filter({ hasText: name })
        .getByText(/0\.075.*0\.2.*150 ms/)
        .waitFor();
      await picture(page, `wallet-terms-card-${look.theme}`);
      expect(await stored()).toMatchObject({ makerFeePct: '0.075', takerFeePct: '0.2', latencyMs: 150 });
      // The browser itself notes the call that was refused.
      expect(found.filter((each) => !/400/.test(each))).toEqual([]);
      await mine.close();
    }
  });

  test('what was added is added once, also when its answer was lost and it is pressed again', async () => {
    const [before] = (await user.call<Wallet[]>('/bff/v2/wallets')).body;
    const page = await context.newPage();
    await page.goto('/auto-trade/wallets');
    await settled(page);
    await main(page).getByRole('button', { name: 'Add or remove: Savings' }).click();
    await dialog(page).getByLabel(en.wallets.line.amount).fill('7');
    // The server hears it and does it; only what it says does not arrive.
    await page.route('**/add-balance', async (route) => {
      await route.fetch();
      await route.abort('connectionfailed');
    });
    await dialog(page).locator('button[type=submit]').click();
    await dialog(page).getByRole('alert').waitFor();
    await page.unroute('**/add-balance');
    await dialog(page).locator('button[type=submit]').click();
    await dialog(page).waitFor({ state: 'detached' });
    const [after] = (await user.call<Wallet[]>('/bff/v2/wallets')).body;
    expect(Number(after?.deposits) - Number(before?.deposits)).toBe(7);
    await page.close();
  });

  test('a coin filter is made, shows what it selects and leaves out, is changed, and is kept while a bot uses it', async () => {
    const page = await context.newPage();
    const found = complaints(page);
    const stored = async () => (await user.call<CoinFilter[]>('/bff/v2/coin-filters')).body;
    await page.goto('/auto-trade/filters');
    await settled(page);
    await button(main(page), en.coinFilters.create).first().click();
    await dialog(page).getByLabel(en.prices.saved.name).fill('Liquid');
    await dialog(page).getByLabel(en.prices.saved.maxCoins).fill('3');
    await dialog(page).getByLabel(en.prices.saved.minAgeDays).fill('0');
    await dialog(page).getByLabel(en.prices.saved.maxSpread).fill('5');
    await dialog(page).getByLabel(en.prices.saved.minVolume).fill('1');
    await dialog(page).getByLabel(en.coinFilters.exclude, { exact: true }).fill('eth');
    await button(dialog(page), 'ETHUSDT').first().click();
    await picture(page, 'filter-form');
    await button(dialog(page), en.prices.saved.submit).click();
    await main(page).getByRole('heading', { name: 'Liquid' }).waitFor();
    await main(page).getByText(en.coinFilters.leftOut).waitFor();
    await main(page)
      .getByText(/3 coins now/)
      .waitFor();
    await picture(page, 'filters');
    expect(await stored()).toMatchObject([{ name: 'Liquid', maxCoins: 3, exclude: ['ETHUSDT'] }]);

    await main(page).getByRole('button', { name: 'Edit Liquid' }).click();
    await dialog(page).getByLabel(en.prices.saved.maxCoins).fill('2');
    await button(dialog(page), en.prices.saved.submit).click();
    await main(page)
      .getByText(/2 coins now/)
      .waitFor();
    const [filter, ...others] = await stored();
    expect(others).toEqual([]);
    expect(filter).toMatchObject({ name: 'Liquid', maxCoins: 2, exclude: ['ETHUSDT'] });

    const wallet = (await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'For filters', initialBalance: '500' } })).body;
    // The form of a bot offers it, with the coins it selects and their ladder.
    const form = await context.newPage();
    await form.goto('/auto-trade/create');
    await settled(form);
    await button(main(form), en.autoTrades.form.coinsKind.filters).click();
    await button(main(form), 'Liquid').click();
    await main(form)
      .getByText(/^Liquid: 2 coins now/)
      .waitFor();
    await main(form).getByLabel(en.autoTrades.ladder.coin, { exact: true }).selectOption('BTCUSDT');
    await picture(form, 'form-filters');
    await form.close();
    const bot = await user.call('/bff/v2/auto-trades', {
      body: {
        name: 'Follower',
        walletId: wallet.id,
        coins: { coinFilterIds: [filter!.id] },
        entry: { size: { mode: 'fixed', value: '50' } },
        stopLoss: { mode: 'none' },
      },
    });
    expect(bot.status).toBe(200);
    await page.reload();
    await settled(page);
    await main(page).getByRole('button', { name: 'Delete Liquid' }).click();
    await button(dialog(page), en.prices.saved.deleteConfirm).click();
    await dialog(page).getByRole('alert').filter({ hasText: 'Follower' }).waitFor();
    expect(await stored()).toHaveLength(1);
    await picture(page, 'filter-in-use');
    await button(dialog(page), en.ui.cancel).click();
    // Under its own name it cannot change either; beside it, it can.
    await main(page).getByRole('button', { name: 'Edit Liquid' }).click();
    await dialog(page).getByLabel(en.prices.saved.maxCoins).fill('1');
    await button(dialog(page), en.prices.saved.submit).click();
    await dialog(page).getByRole('alert').filter({ hasText: 'Follower' }).waitFor();
    await dialog(page).getByLabel(en.prices.saved.name).fill('Liquid 2');
    await button(dialog(page), en.prices.saved.submit).click();
    await main(page).getByRole('heading', { name: 'Liquid 2' }).waitFor();
    expect((await stored()).map(({ name }) => name).sort()).toEqual(['Liquid', 'Liquid 2']);
    await main(page).getByRole('button', { name: 'Delete Liquid 2' }).click();
    await button(dialog(page), en.prices.saved.deleteConfirm).click();
    await main(page).getByRole('heading', { name: 'Liquid 2' }).waitFor({ state: 'detached' });
    expect(await stored()).toHaveLength(1);
    expect(found).toEqual([]);
    await page.close();
  });
});
