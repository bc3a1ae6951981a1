import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AutoTrade, AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { AutoTradeFigures } from '@pilotfish/core/auto-trades/bot-figures-contract';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import tr from '@pilotfish/core/locales/tr.json' with { type: 'json' };
import { formatMoney, formatPrice, formatSigned } from '@pilotfish/core/money/format';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { until } from '@pilotfish/core/testing/until';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, CHROMIUM, complaints, DESKTOP, type Look, type Stage, settled, sharedStage } from './stage.ts';

// The page of a bot answers what the bot has brought and what it will do before anything is scrolled, on a desktop and on a
// phone, with a mouse and by keyboard alone.

const PICTURES = process.env.PILOTFISH_SCREENS;
const PHONE: Look = { width: 390, theme: 'dark', language: 'en' };
const { cockpit, action } = en.autoTrades;

describe.runIf(CHROMIUM)('the cockpit of a bot', () => {
  let stage: Stage;
  let user: SignedInUser;
  let wallet: Wallet;
  let held: AutoTrade;
  let pairs: Map<string, Pair>;

  const create = async (name: string, over: Record<string, unknown> = {}) => {
    const body = {
      name,
      walletId: wallet.id,
      coins: { symbols: ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'] },
      maxOpenPositions: 3,
      entry: {
        size: { mode: 'fixed', value: '500' },
        trigger: { kind: 'immediate' },
        trailing: { enabled: false },
        order: { type: 'Market' },
        maxSpreadPct: '5',
      },
      takeProfit: {
        levels: [
          { gainPct: '6', sellPct: '50' },
          { gainPct: '9', sellPct: '50' },
        ],
      },
      trailingCost: { enabled: true, armGainPct: '4', distancePct: '1.2' },
      stopLoss: { mode: 'percent', pct: '6' },
      ...over,
    };
    const answer = await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', { body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body.autoTrade;
  };
  const enable = ({ id }: AutoTrade) => user.call(`/bff/v2/auto-trades/${id}/enable`, { method: 'POST', body: {} });
  const detail = async ({ id }: AutoTrade) => (await user.call<AutoTradeDetail>(`/bff/v2/auto-trades/${id}/detail`)).body;
  const figuresOf = async ({ id }: AutoTrade) =>
    (await user.call<AutoTradeFigures[]>('/bff/v2/auto-trades/figures')).body.find((each) => each.id === id)!;
  const openCount = async (bot: AutoTrade) => (await detail(bot)).positions.filter(({ state }) => state === 'Open').length;

  beforeAll(async () => {
    stage = await sharedStage();
    user = await stage.server.register();
    const keys = await user.call('/gateway/v2/account/connect/binance/demo', { method: 'POST' });
    await user.call('/gateway/v2/account/connect/binance', { body: keys.body });
    wallet = (await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Main', mode: 'paper', initialBalance: '5000' } })).body;
    pairs = new Map((await user.call<Pair[]>('/bff/v1/pairs')).body.map((pair) => [pair.symbol, pair]));
    held = await create('Majors trend');
    // Of three coins two are held, and one is watched.
    await user.call('/bff/v2/auto-trades/halt', { body: { scope: 'coin', symbol: 'SOLUSDT', hours: 24, autoTradeId: held.id } });
    await enable(held);
    await until('two open positions', async () => (await openCount(held)) === 2);
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
  });
  afterAll(() => stage?.close());

  const main = (page: Page) => page.getByRole('main');
  const button = (within: Page | Locator, name: string | RegExp) => within.getByRole('button', { name, exact: true });
  const coins = (page: Page) => main(page).getByRole('group', { name: cockpit.coins });
  const levels = (page: Page) => main(page).getByRole('list', { name: / levels$/ });
  const open = async (bot: AutoTrade, look: Look = DESKTOP) => {
    const context = await stage.context(look, { ...user, session: await stage.server.signIn(user) });
    const page = await context.newPage();
    const found = complaints(page);
    await page.setViewportSize(look.width < 768 ? { width: 390, height: 844 } : { width: 1440, height: 900 });
    await page.goto(`/auto-trade/detail/${bot.id}`);
    await settled(page);
    await main(page).locator('canvas').first().waitFor();
    return { context, page, found };
  };
  const picture = async (page: Page, name: string) => {
    expect(await axeViolations(page)).toEqual([]);
    if (PICTURES) await page.screenshot({ path: join(PICTURES, `cockpit-${name}.png`) });
  };
  /** Whether all of it is in the window, and no bar of the page lies over it. */
  const isInSight = (what: Locator) =>
    what.evaluate((element) => {
      const { top, bottom, left, right, width, height } = element.getBoundingClientRect();
      const bar = document.querySelector('.thumb-bar')?.getBoundingClientRect().top || innerHeight;
      return width > 0 && height > 0 && top >= 0 && left >= 0 && right <= innerWidth && bottom <= bar;
    });
  /** The figure that a name of a description list stands for. */
  const figure = (page: Page, name: string) =>
    main(page)
      .locator('dl:visible div')
      .filter({ has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }) })
      .locator('dd')
      .first();
  const signedAs = (text: string | null) => (text ?? '').match(/[+−]?[\d,]+\.\d\d/)?.[0];

  test('at 1440 × 900 the figures, the next event, price, stop and target stand without scrolling, beside a large chart', {
    tags: ['smoke'],
  }, async () => {
    const { context, page, found } = await open(held);
    const [btc] = (await detail(held)).positions.filter(({ symbol }) => symbol === 'BTCUSDT');
    await button(coins(page), /^BTC /).click();
    const places = pairs.get('BTCUSDT')!.pricePrecision;
    const stop = btc!.levels!.find(({ kind }) => kind === 'stopLoss')!;
    const target = btc!.levels!.find(({ id }) => id === 'takeProfit-2')!;
    const row = (name: string | RegExp) => levels(page).getByRole('listitem').filter({ hasText: name });
    // Each level with its price and what it brings, as the server answers them.
    await row(/^Stop/)
      .filter({ hasText: formatPrice(stop.price, places) })
      .filter({ hasText: formatSigned(stop.result!, 'USDT') })
      .waitFor();
    await row(/^Take profit 2/)
      .filter({ hasText: formatPrice(target.price, places) })
      .filter({ hasText: `sells 50%` })
      .waitFor();
    const names = await levels(page).getByRole('listitem').allTextContents();
    expect(names.map((text) => text.match(/^(Take profit \d|Trailing start|Price|Break-even|Stop)/)?.[0])).toEqual([
      'Take profit 2',
      'Take profit 1',
      'Trailing start',
      ...(names[3]?.startsWith('Price') ? ['Price', 'Break-even'] : ['Break-even', 'Price']),
      'Stop',
    ]);
    for (const name of [cockpit.open, cockpit.today, cockpit.atRisk]) {
      await expect.poll(async () => signedAs(await figure(page, name).textContent())).toBeDefined();
      expect([name, await isInSight(figure(page, name))]).toEqual([name, true]);
    }
    // What is at risk is the server's figure: what both stops would cost.
    const { atRisk } = await figuresOf(held);
    expect(atRisk.without).toBe(0);
    const amountOf = (text: string | null) => Number((text ?? '').replaceAll(',', ''));
    await expect
      .poll(async () => {
        const { amount } = (await figuresOf(held)).atRisk;
        const answered = amount === null ? '' : formatMoney(amount, 'USDT');
        // The page asks every five seconds, and prices move meanwhile.
        return Math.abs(amountOf(await figure(page, cockpit.atRisk).textContent()) - amountOf(answered));
      })
      .toBeLessThan(2);
    const total = main(page).getByRole('heading', { name: cockpit.result }).locator('xpath=following-sibling::*[1]');
    expect(await isInSight(total)).toBe(true);
    const sentence = main(page).getByRole('region', { name: 'Majors trend' });
    await sentence.getByText(/Holds (BTC, ETH|ETH, BTC)\./).waitFor();
    expect(await isInSight(sentence)).toBe(true);
    for (const each of [row(/^Stop/), row(/^Price/), row(/^Take profit 1/)]) expect(await isInSight(each)).toBe(true);
    await expect.poll(() => page.title()).toMatch(/^[+−]?[\d.,]+ USDT · Majors trend · Pilotfish$/);
    const chart = (await main(page).getByRole('region', { name: cockpit.chart }).boundingBox())!;
    expect(chart.width).toBeGreaterThanOrEqual(0.65 * 1440);
    const canvas = (await main(page).locator('.chart-canvas').boundingBox())!;
    expect(canvas.height).toBeGreaterThanOrEqual(420);
    expect(await isInSight(button(main(page), en.autoTrades.byHand.action.sell))).toBe(true);
    await picture(page, 'desktop-dark');
    expect(found).toEqual([]);
    await context.close();
  });

  test('at 390 × 844 the same stands above the thumb bar, which sells what is looked at', async () => {
    const { context, page, found } = await open(held, PHONE);
    await button(coins(page), /^BTC /).click();
    for (const name of [cockpit.open, cockpit.today, cockpit.total, cockpit.atRisk])
      expect([name, await isInSight(figure(page, name))]).toEqual([name, true]);
    expect(await isInSight(main(page).getByText(/Holds (BTC, ETH|ETH, BTC)\./))).toBe(true);
    const canvas = main(page).locator('.chart-canvas');
    expect(await isInSight(canvas)).toBe(true);
    expect((await canvas.boundingBox())!.height).toBeGreaterThanOrEqual(340);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    await picture(page, 'phone-dark');
    const bar = main(page).getByRole('group', { name: cockpit.actions });
    await button(bar, action.disable).waitFor();
    await button(bar, 'Sell BTC').click();
    await page
      .locator('dialog[open]')
      .getByText(/about [\d,.]+ USDT after the fee/)
      .waitFor();
    await page.keyboard.press('Escape');
    await button(bar, cockpit.more).click();
    await bar.getByRole('menuitem', { name: action.halt, exact: true }).waitFor();
    await bar.getByRole('menuitem', { name: en.autoTrades.edit }).waitFor();
    await page.keyboard.press('Escape');
    expect(found).toEqual([]);
    await context.close();
  });

  test('by keyboard: a number is a coin, E the levels, arrows go through them, and ? lists these keys', async () => {
    const { context, page } = await open(held);
    const pressed = () => coins(page).locator('[aria-pressed=true]').textContent();
    const [first, second] = await coins(page).getByRole('button').allTextContents();
    await page.keyboard.press('2');
    await expect.poll(pressed).toMatch(new RegExp(`^${second?.slice(0, 3)}`));
    await page.keyboard.press('1');
    await expect.poll(pressed).toMatch(new RegExp(`^${first?.slice(0, 3)}`));
    await page.keyboard.press('3');
    await expect.poll(pressed).toMatch(/^SOL.*watching$/);
    await page.keyboard.press('1');
    await page.keyboard.press('e');
    const chosen = () =>
      levels(page).evaluate((list) => list.contains(document.activeElement) && document.activeElement?.closest('li')?.textContent);
    await expect.poll(chosen).toMatch(/^Take profit 2/);
    await page.keyboard.press('ArrowDown');
    await expect.poll(chosen).toMatch(/^Take profit 1/);
    await page.keyboard.press('End');
    await expect.poll(chosen).toMatch(/^Stop/);
    await page.keyboard.press('ArrowUp');
    await expect.poll(chosen).toMatch(/^(Break-even|Price)/);
    await page.keyboard.press('?');
    const sheet = page.locator('dialog[open]');
    for (const text of [en.palette.keys.coin, en.palette.keys.levels, en.palette.keys.level])
      await sheet.getByText(text, { exact: true }).waitFor();
    // A dialog takes its keys itself.
    await page.keyboard.press('2');
    await page.keyboard.press('Escape');
    expect((await pressed())?.slice(0, 3)).toBe(first?.slice(0, 3));
    await context.close();
  });

  test('the life cycle opens as a dialog with the arrows that leave the present state only', async () => {
    const { context, page } = await open(held);
    await button(main(page), en.autoTrades.lifecycle).click();
    const dialog = page.locator('dialog[open]');
    const ways = dialog.locator('svg[role=img]').first().locator('path[marker-end]');
    await expect.poll(() => ways.count()).toBeGreaterThan(0);
    expect(await ways.count()).toBeLessThan(8);
    await picture(page, 'life-cycle');
    await context.close();
  });

  test('a flat bot shows the coin nearest to its entry with the price it waits for', async () => {
    const flat = await create('Waits', { entry: { ...held.config.entry, trigger: { kind: 'drop', dropPct: '30', lookbackMin: 60 } } });
    await enable(flat);
    await expect.poll(async () => (await detail(flat)).evaluations.every(({ waitsFor }) => waitsFor?.price)).toBe(true);
    const { context, page, found } = await open(flat);
    await main(page)
      .getByText(/^Flat\./)
      .waitFor();
    await main(page)
      .getByText(/: Waits for [\d,.]+ or lower/)
      .waitFor();
    await levels(page).getByRole('listitem').filter({ hasText: cockpit.level.entry }).waitFor();
    await main(page).getByText(cockpit.watching).first().waitFor();
    await button(main(page), /^Enter now/).waitFor();
    await picture(page, 'flat');
    expect(found).toEqual([]);
    await context.close();
  });

  test('frozen and stopped: a banner with what is held and the one action, levels grey; paused entries leave them in force', async () => {
    const bot = await create('States', { coins: { symbols: ['BTCUSDT'] }, maxOpenPositions: 1 });
    await enable(bot);
    await expect.poll(() => openCount(bot)).toBe(1);
    const path = `/bff/v2/auto-trades/${bot.id}`;
    await user.call(`${path}/disable`, { body: { exits: 'freeze' } });
    const { context, page } = await open(bot);
    const isGrey = () => levels(page).evaluate((list) => list.className.includes('stale'));
    await main(page).getByText(en.autoTrades.frozen.title).waitFor();
    expect(await isGrey()).toBe(true);
    await expect.poll(() => button(main(page), action.unfreeze).count()).toBe(1);
    await picture(page, 'frozen');
    await user.call(`${path}/disable`, { body: { exits: 'continue' } });
    await page.reload();
    await settled(page);
    expect(await isGrey()).toBe(false);
    await user.call('/bff/v2/auto-trades/halt', { body: { scope: 'bot', autoTradeId: bot.id } });
    await page.reload();
    await settled(page);
    await main(page).getByText(cockpit.heldHalted_one).waitFor();
    await expect.poll(() => button(main(page), action.acknowledge).count()).toBe(1);
    expect(await isGrey()).toBe(true);
    await picture(page, 'halted');
    await context.close();
    await user.call(`${path}?detach=true`, { method: 'DELETE' });
  });

  test('nothing jumps while it loads', async () => {
    const context = await stage.context(DESKTOP, { ...user, session: await stage.server.signIn(user) });
    const page = await context.newPage();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(globalThis, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
          if (!entry.hadRecentInput) shifts.push(entry.value);
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.goto(`/auto-trade/detail/${held.id}`);
    await settled(page);
    await main(page).locator('canvas').first().waitFor();
    await levels(page).waitFor();
    const shift = await page.evaluate(() => (globalThis as unknown as { shifts: number[] }).shifts.reduce((sum, value) => sum + value, 0));
    expect(shift).toBeLessThanOrEqual(0.02);
    await context.close();
  });

  test.runIf(PICTURES)('pictures in the other theme and language', async () => {
    for (const width of [1440, 390] as const) {
      const { context, page } = await open(held, { width, theme: 'light', language: 'tr' });
      await main(page).getByText(tr.autoTrades.cockpit.result).waitFor();
      await picture(page, `${width}-light-tr`);
      if (PICTURES) await page.screenshot({ path: join(PICTURES, `cockpit-${width}-light-tr-full.png`), fullPage: true });
      await context.close();
    }
  });
});
