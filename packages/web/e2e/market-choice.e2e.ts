import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { MarketChoice } from '@pilotfish/core/admin/market-choice-contract';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import tr from '@pilotfish/core/locales/tr.json' with { type: 'json' };
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import { totpCode } from '@pilotfish/server/auth/totp';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { MARKET_START, testMarket } from '@pilotfish/simulator/testing/test-market';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, CHROMIUM, complaints, DESKTOP, type Look, ownStage, type Stage, settled } from './stage.ts';

// The market is chosen in the browser: the question of the first run, real prices from an exchange (here another
// simulator), and back again while a bot runs.

const PICTURES = process.env.PILOTFISH_SCREENS;
const LOOKS: Look[] = PICTURES
  ? [1440, 390].flatMap((width) =>
      (['dark', 'light'] as const).flatMap((theme) => (['en', 'tr'] as const).map((language) => ({ width, theme, language }))),
    )
  : [
      { width: 1440, theme: 'dark', language: 'en' },
      { width: 390, theme: 'light', language: 'tr' },
    ];
const { options, leave } = en.marketChoice;
const CALL = '**/bff/v2/admin/market';

const rest = { bots: 2, runningBots: 1, openPositions: 3, liveOpenPositions: 2, wallets: 1, priceAlerts: 4, ledgerEntries: 1218 };
const settledChoice: MarketChoice = {
  market: 'binance',
  decidedBy: 'admin',
  reachable: true,
  changingTo: null,
  rests: [
    { market: 'binance', ...rest },
    { market: 'simulated', ...rest, runningBots: 0, liveOpenPositions: 0 },
  ],
};
/** What the page looks like, by what the server answers. */
const STATES: Readonly<Record<string, MarketChoice>> = {
  question: { ...settledChoice, market: 'simulated', decidedBy: 'default', rests: [] },
  settled: settledChoice,
  fixed: { ...settledChoice, market: 'binance-demo', decidedBy: 'environment' },
  unreachable: { ...settledChoice, reachable: false },
  restarting: { ...settledChoice, changingTo: 'simulated' },
};

describe.runIf(CHROMIUM)('the choice of a market', () => {
  let stage: Stage;
  let binance: Simulator;
  let admin: SignedInUser;
  beforeAll(async () => {
    const ahead = MARKET_START - Date.now();
    binance = await startSimulator({
      market: testMarket(5),
      limits: { weightPerMinute: 100_000 },
      now: () => Date.now() + ahead,
    });
    stage = await ownStage({}, (simulated) => ({
      exchange: undefined,
      exchangeRestUrl: undefined,
      exchangeWsUrl: undefined,
      exchangesAt: {
        simulated: { rest: simulated.origin, ws: simulated.wsOrigin },
        binance: { rest: binance.origin, ws: binance.wsOrigin },
      },
    }));
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
  });
  afterAll(async () => {
    await stage?.close();
    await binance?.close();
  });

  const main = (page: Page) => page.getByRole('main');
  const badge = (page: Page) => page.getByRole('banner').getByText(en.exchange.simulated.name);
  const isAt = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path);
  /** A mark that a page loses when it is loaded again. */
  const mark = (page: Page) => page.evaluate(() => Object.assign(globalThis, { isLoadedBefore: true }));
  const isLoadedAgain = (page: Page) => page.waitForFunction(() => !('isLoadedBefore' in globalThis));

  test('the first account is asked, may skip it, and finds the question at home', { tags: ['smoke'] }, async () => {
    const page = await (await stage.context()).newPage();
    const found = complaints(page);
    await page.goto('/auth/register');
    await page.getByLabel(en.auth.username, { exact: true }).fill('root');
    await page.getByLabel(en.auth.email, { exact: true }).fill('root@example.com');
    await page.getByLabel(en.auth.password, { exact: true }).fill('deep water and old wood');
    await page.getByRole('button', { name: en.auth.createAccount, exact: true }).click();
    const secret = ((await page.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{1,4})+$/).textContent()) ?? '').replaceAll(' ', '');
    await page.locator('input[inputmode=numeric]').first().focus();
    await page.keyboard.type(totpCode(secret, stage.server.now()));
    await page.getByLabel(en.auth.recovery.kept).check();
    await page.getByRole('button', { name: en.auth.recovery.continue, exact: true }).click();
    await isAt(page, '/management/market');
    await page.getByRole('heading', { level: 1, name: en.marketChoice.question }).waitFor();
    await main(page).getByRole('link', { name: en.marketChoice.later }).click();
    await isAt(page, '/');
    await main(page).getByRole('link', { name: en.marketChoice.open }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    // An account that is no Admin is not asked.
    const user = await stage.server.register();
    const other = await (await stage.context(DESKTOP, user)).newPage();
    await other.goto('/');
    await settled(other);
    expect(await other.getByText(en.marketChoice.question).count()).toBe(0);
    expect(found).toEqual([]);
    const session = JSON.parse((await page.evaluate(() => localStorage.getItem('user_jwt'))) ?? '');
    admin = {
      ...user,
      username: 'root',
      session,
      call: (path, more) => stage.server.call(path, { token: session.accessToken, ...more }),
    };
    await page.context().close();
    await other.context().close();
  });

  test.each(LOOKS)('looks right in every state ($width, $theme, $language)', async (look) => {
    const texts = look.language === 'tr' ? tr : en;
    const page = await (await stage.context(look, { ...admin, session: await stage.server.signIn(admin) })).newPage();
    const picture = async (name: string) => {
      expect([name, await axeViolations(page)]).toEqual([name, []]);
      expect([name, await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)]).toEqual([name, 0]);
      const path = join(PICTURES ?? '', `market-${name}-${look.width}-${look.theme}-${look.language}.png`);
      if (PICTURES) await page.screenshot({ path, fullPage: name !== 'dialog' });
    };
    for (const [name, answer] of Object.entries(STATES)) {
      await page.unrouteAll();
      await page.route(CALL, (route) => route.fulfill({ json: answer }));
      await page.goto('/management/market');
      await settled(page);
      const details = main(page).locator('details:not([open]) > summary');
      if (await details.count()) await details.click();
      await picture(name);
      if (name === 'question') {
        await page.goto('/');
        await settled(page);
        await main(page).getByRole('link', { name: texts.marketChoice.open }).waitFor();
        await picture('home');
      }
      if (name !== 'settled') continue;
      await main(page).getByRole('button', { name: texts.marketChoice.options.simulated.title, exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('2', { exact: false }).first().waitFor();
      await picture('dialog');
    }
    await page.context().close();
  });

  test('real prices are chosen by keyboard: every open page is loaded again, with the other market', { tags: ['smoke'] }, async () => {
    const page = await (await stage.context(DESKTOP, { ...admin, session: await stage.server.signIn(admin) })).newPage();
    const guest = await (await stage.context()).newPage();
    const found = complaints(page);
    await guest.goto('/prices');
    await settled(guest);
    await badge(guest).waitFor();
    await mark(guest);
    // Listens by now: what a page opens for this alone waits until the page stands.
    await expect.poll(() => stage.server.context.stream.clientCount()).toBeGreaterThanOrEqual(1);
    await page.goto('/management/market');
    await settled(page);
    await main(page).getByRole('button', { name: options.binance.title, exact: true }).focus();
    await page.keyboard.press('Enter');
    await main(page).getByText('New market: Binance').waitFor();
    await isAt(page, '/');
    await isLoadedAgain(guest);
    for (const each of [page, guest]) {
      await settled(each);
      await expect.poll(() => badge(each).count()).toBe(0);
    }
    // What was asked for is no failure.
    expect(await page.locator('.Toastify__toast').count()).toBe(0);
    await expect.poll(async () => (await admin.call<MarketChoice>('/bff/v2/admin/market')).body.market).toBe('binance');
    expect(found).toEqual([]);
    await page.context().close();
    await guest.context().close();
  });

  test('a bot that runs is named before the market is left, and Enter in haste cancels', async () => {
    const open = { name: 'Paper', mode: 'paper', currency: 'USDT', initialBalance: '1000' };
    await expect.poll(async () => (await admin.call<Wallet>('/bff/v2/wallets', { body: open })).status).toBe(201);
    const [wallet] = (await admin.call<Wallet[]>('/bff/v2/wallets')).body;
    const { body } = await admin.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', {
      body: {
        name: 'Waits',
        walletId: wallet?.id,
        coins: { symbols: ['BTCUSDT'] },
        entry: { size: { mode: 'fixed', value: '200' }, trigger: { kind: 'drop', dropPct: '40', lookbackMin: 240 } },
        takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] },
        stopLoss: { mode: 'none' },
      },
    });
    await admin.call(`/bff/v2/auto-trades/${body.autoTrade.id}/enable`, { method: 'POST', body: {} });
    const page = await (await stage.context(DESKTOP, { ...admin, session: await stage.server.signIn(admin) })).newPage();
    await page.goto('/management/market');
    await settled(page);
    const simulated = main(page).getByRole('button', { name: options.simulated.title, exact: true });
    const dialog = page.getByRole('dialog');
    await simulated.focus();
    await page.keyboard.press('Enter');
    await dialog.getByText('1 bot is running on Binance').waitFor();
    await dialog.getByText(leave.orders).waitFor();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    expect((await admin.call<MarketChoice>('/bff/v2/admin/market')).body).toMatchObject({ market: 'binance', changingTo: null });
    await simulated.click();
    await mark(page);
    await dialog.getByRole('button', { name: leave.confirm }).click();
    await isLoadedAgain(page);
    await settled(page);
    await badge(page).waitFor();
    await expect.poll(() => main(page).locator('button[aria-current]').textContent()).toContain(options.simulated.title);
    expect(new URL(page.url()).pathname).toBe('/management/market');
    await page.context().close();
  });
});
