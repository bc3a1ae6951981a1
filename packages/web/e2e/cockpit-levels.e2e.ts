import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AutoTrade, AutoTradeDetail, AutoTradePosition } from '@pilotfish/core/auto-trades/auto-trades-contract';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import tr from '@pilotfish/core/locales/tr.json' with { type: 'json' };
import { formatPrice } from '@pilotfish/core/money/format';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { until } from '@pilotfish/core/testing/until';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, CHROMIUM, complaints, DESKTOP, type Look, type Stage, settled, sharedStage } from './stage.ts';

// Levels of a position are moved on the page of its bot: with a mouse, by keyboard alone, with a finger. Nothing is sent by
// letting go, and the old level stays in sight until the server has said yes.

const PICTURES = process.env.PILOTFISH_SCREENS;
const PHONE: Look = { width: 390, theme: 'dark', language: 'en' };
const { draft } = en.autoTrades;

describe.runIf(CHROMIUM)('levels of a position are moved', () => {
  let stage: Stage;
  let user: SignedInUser;
  let wallet: Wallet;
  let bot: AutoTrade;
  let pair: Pair;

  const create = async (name: string) => {
    const body = {
      name,
      walletId: wallet.id,
      coins: { symbols: ['BTCUSDT'] },
      entry: {
        size: { mode: 'fixed', value: '500' },
        trigger: { kind: 'immediate' },
        trailing: { enabled: false },
        order: { type: 'Market' },
        maxSpreadPct: '5',
      },
      takeProfit: {
        levels: [
          { gainPct: '20', sellPct: '50' },
          { gainPct: '30', sellPct: '50' },
        ],
      },
      trailingCost: { enabled: true, armGainPct: '15', distancePct: '1.2' },
      stopLoss: { mode: 'percent', pct: '8' },
    };
    const made = await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', { body });
    expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
    await user.call(`/bff/v2/auto-trades/${made.body.autoTrade.id}/enable`, { method: 'POST', body: {} });
    await until('an open position', async () => (await positionOf(made.body.autoTrade))?.state === 'Open');
    return made.body.autoTrade;
  };
  const positionOf = async ({ id }: AutoTrade): Promise<AutoTradePosition | undefined> =>
    (await user.call<AutoTradeDetail>(`/bff/v2/auto-trades/${id}/detail`)).body.positions[0];
  const linesOf = async (of = bot) => (await positionOf(of))!.lines;
  const shown = (price: Parameters<typeof formatPrice>[0]) => formatPrice(price, pair.pricePrecision);
  /** Where all levels are as the settings have them. */
  const putBack = async (of = bot) => {
    const { id } = (await positionOf(of))!;
    const takeProfit = [1, 2].map((level) => ({ level, price: null }));
    await user.call(`/bff/v2/auto-trades/${of.id}/positions/${id}/levels`, {
      method: 'PATCH',
      body: { stop: null, trailingStart: null, takeProfit },
    });
  };

  beforeAll(async () => {
    stage = await sharedStage();
    user = await stage.server.register();
    const keys = await user.call('/gateway/v2/account/connect/binance/demo', { method: 'POST' });
    await user.call('/gateway/v2/account/connect/binance', { body: keys.body });
    wallet = (await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Main', mode: 'paper', initialBalance: '5000' } })).body;
    pair = (await user.call<Pair[]>('/bff/v1/pairs')).body.find(({ symbol }) => symbol === 'BTCUSDT')!;
    bot = await create('Mover');
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
  });
  afterAll(() => stage?.close());

  const main = (page: Page) => page.getByRole('main');
  const list = (page: Page) => main(page).locator('ul:has([data-level])');
  const row = (page: Page, name: string | RegExp) => list(page).getByRole('listitem').filter({ hasText: name });
  const grip = (page: Page, id: string) => list(page).locator(`[role=slider][data-level=${id}]`);
  const onChart = (page: Page, id: string) => main(page).locator(`.level-grip[data-level=${id}]`);
  const bar = (page: Page, name: string | RegExp = /./) => main(page).getByRole('form', { name });
  const open = async (look: Look = DESKTOP, of = bot) => {
    const context = await stage.context(look, { ...user, session: await stage.server.signIn(user) });
    const page = await context.newPage();
    const found = complaints(page);
    await page.setViewportSize(look.width < 768 ? { width: 390, height: 844 } : { width: 1440, height: 900 });
    await page.goto(`/auto-trade/detail/${of.id}`);
    await settled(page);
    await main(page).locator('canvas').first().waitFor();
    await grip(page, 'stopLoss').waitFor();
    return { context, page, found };
  };
  const picture = async (page: Page, name: string) => {
    expect(await axeViolations(page)).toEqual([]);
    if (PICTURES) await page.screenshot({ path: join(PICTURES, `levels-${name}.png`) });
  };
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('data-level'));

  test('with a mouse: a dragged stop is a draft with its worst case, which letting go does not send and Enter does', {
    tags: ['smoke'],
  }, async () => {
    const { context, page, found } = await open();
    const before = await linesOf();
    const place = (await onChart(page, 'stopLoss').boundingBox())!;
    await page.mouse.move(place.x + 10, place.y + place.height / 2);
    await page.mouse.down();
    const canvas = (await main(page).locator('.chart-canvas').boundingBox())!;
    await page.mouse.move(place.x + 10, canvas.y + canvas.height * 0.62, { steps: 6 });
    await page.mouse.up();
    await bar(page, draft.move.stop).getByText(en.autoTrades.levels.worst).first().waitFor();
    await until('a judged draft', () => bar(page).getByRole('button', { name: draft.move.stop }).isEnabled());
    const typed = await bar(page).getByRole('textbox').inputValue();
    // On the tick of the pair, and nothing has moved.
    expect(typed).toMatch(/^\d+\.\d{1,2}$/);
    expect((await linesOf()).stopLoss).toBe(before.stopLoss);
    await row(page, /^Stop/)
      .filter({ hasText: shown(before.stopLoss!) })
      .filter({ hasText: shown(typed) })
      .waitFor();
    expect(await onChart(page, 'stopLoss').getAttribute('aria-valuetext')).toMatch(
      new RegExp(`^Stop ${shown(typed)}, sells all, worst case [−+]?[\\d.,]+ USDT$`),
    );
    await picture(page, 'desktop-dark');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await linesOf()).stopLoss).toBe(typed);
    await row(page, /^Stop/)
      .filter({ hasText: draft.byHand })
      .filter({ hasText: shown(typed) })
      .waitFor();
    await expect.poll(() => bar(page).count()).toBe(0);
    // Back to the setting of the bot, which is confirmed as any other move.
    await grip(page, 'stopLoss').click();
    await bar(page).getByRole('button', { name: draft.putBack }).click();
    await bar(page).getByRole('textbox').press('Enter');
    await expect.poll(async () => (await linesOf()).moved).toEqual([]);
    expect((await linesOf()).stopLoss).toBe(before.stopLoss);
    expect(found).toEqual([]);
    await context.close();
  });

  test('by keyboard alone: E, Enter takes hold, arrows by a tick, with Shift by ten, Enter previews, Enter moves; Esc discards', async () => {
    await putBack();
    const { context, page } = await open();
    const { stopLoss } = await linesOf();
    const ticks = (count: number) => shown((Number(stopLoss) + count * Number(pair.filters.tickSize)).toFixed(pair.pricePrecision));
    await page.keyboard.press('e');
    await page.keyboard.press('End');
    expect(await focused(page)).toBe('stopLoss');
    await page.keyboard.press('Enter');
    await bar(page, draft.move.stop).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Shift+ArrowUp');
    await page.keyboard.press('ArrowDown');
    await row(page, /^Stop/)
      .filter({ hasText: ticks(11) })
      .waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => bar(page).count()).toBe(0);
    expect([await focused(page), (await linesOf()).stopLoss]).toEqual(['stopLoss', stopLoss]);

    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+ArrowUp');
    await page.keyboard.press('Enter');
    // Once it has come to rest it is said, with the worst case.
    await bar(page)
      .locator('[aria-live=polite]')
      .filter({ hasText: new RegExp(`Stop ${ticks(10)}, was ${ticks(0)}\\. Worst case −[\\d.]+ USDT`) })
      .waitFor();
    expect((await linesOf()).stopLoss).toBe(stopLoss);
    await page.keyboard.press('Enter');
    await expect.poll(async () => shown((await linesOf()).stopLoss!)).toBe(ticks(10));
    await expect.poll(() => bar(page).count()).toBe(0);
    expect(await focused(page)).toBe('stopLoss');
    await page.keyboard.press('Home');
    expect(await focused(page)).toBe('takeProfit-2');
    await context.close();
  });

  test('what the server refuses stands at the field by its name, and the level where it was', async () => {
    await putBack();
    const { context, page } = await open();
    const [first, second] = (await linesOf()).takeProfit;
    await grip(page, 'takeProfit-1').click();
    const field = bar(page).getByRole('textbox');
    expect(await field.evaluate((element) => document.activeElement === element)).toBe(true);
    await field.fill(String(Number(second!.price) + 10));
    await bar(page)
      .getByRole('alert')
      .getByText(`Take profit 1: ${en.autoTrades.levels.level_order.replace('{{limit}}', shown(second!.price))}`)
      .waitFor();
    await picture(page, 'refused');
    await row(page, /^Take profit 1/)
      .filter({ hasText: shown(first!.price) })
      .waitFor();
    await field.press('Escape');
    await expect.poll(() => bar(page).count()).toBe(0);
    expect(await focused(page)).toBe('takeProfit-1');
    expect((await linesOf()).moved).toEqual([]);
    await context.close();
  });

  test('on a phone: a finger drags the stop on the chart, and a tap in the list lets a price be typed', async () => {
    await putBack();
    const { context, page, found } = await open(PHONE);
    const { stopLoss } = await linesOf();
    const size = (await grip(page, 'stopLoss').boundingBox())!;
    expect([size.width >= 44, size.height >= 44]).toEqual([true, true]);
    const cdp = await context.newCDPSession(page);
    await cdp.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    const place = (await onChart(page, 'stopLoss').boundingBox())!;
    const canvas = (await main(page).locator('.chart-canvas').boundingBox())!;
    const finger = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
      cdp.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x: place.x + 12, y }] });
    await finger('touchStart', place.y + place.height / 2);
    for (const share of [0.78, 0.74, 0.7]) await finger('touchMove', canvas.y + canvas.height * share);
    await finger('touchEnd');
    const move = bar(page, draft.move.stop).getByRole('button', { name: draft.move.stop });
    await until('a judged draft', () => move.isEnabled());
    expect((await linesOf()).stopLoss).toBe(stopLoss);
    await picture(page, 'phone-dark');
    await move.click();
    await expect.poll(async () => (await linesOf()).moved).toEqual(['stop']);
    await expect.poll(() => bar(page).count()).toBe(0);

    await grip(page, 'arm').click();
    const price = (Number((await linesOf()).arm) + 5).toFixed(2);
    await bar(page, draft.move.trailingStart).getByRole('textbox').fill(price);
    await picture(page, 'phone-typed');
    const other = bar(page).getByRole('button', { name: draft.move.trailingStart });
    await until('a judged price', () => other.isEnabled());
    await other.click();
    await expect.poll(async () => Number((await linesOf()).arm)).toBe(Number(price));
    expect(found).toEqual([]);
    await context.close();
  });

  test('what would sell at once says so and asks in the words of the bot', async () => {
    const other = await create('Seller');
    const { context, page } = await open(DESKTOP, other);
    await grip(page, 'stopLoss').click();
    const field = bar(page).getByRole('textbox');
    await field.fill(String(Math.round(Number((await linesOf(other)).stopLoss) * 1.5)));
    await bar(page).getByText(draft.sellsNow).first().waitFor();
    const move = bar(page).getByRole('button', { name: draft.move.stop });
    await until('a judged draft', () => move.isEnabled());
    await move.click();
    const dialog = page.locator('dialog[open]');
    await dialog.getByText(/^BTCUSDT is at [\d,.]+, so everything would be sold at once/).waitFor();
    await picture(page, 'sells-now');
    await dialog.getByRole('button', { name: en.ui.cancel }).click();
    expect((await positionOf(other))!.lines.moved).toEqual([]);
    await move.click();
    await dialog.getByRole('button', { name: en.autoTrades.byHand.action.sell }).click();
    await expect.poll(async () => (await positionOf(other))?.exitReason).toBe('StopLoss');
    await expect.poll(() => bar(page).count()).toBe(0);
    await context.close();
    await user.call(`/bff/v2/auto-trades/${other.id}?detach=true`, { method: 'DELETE' });
  });

  test('nothing can be taken hold of while the bot is frozen, or while what is shown is old; a draft cannot be confirmed then', async () => {
    await putBack();
    const { context, page } = await open();
    await grip(page, 'stopLoss').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+ArrowUp');
    await page.keyboard.press('Enter');
    await until('a judged draft', () => bar(page).getByRole('button', { name: draft.move.stop }).isEnabled());
    await context.setOffline(true);
    await bar(page).getByText(draft.stale).first().waitFor();
    expect(await main(page).getByRole('slider').count()).toBe(0);
    await bar(page).getByRole('button', { name: draft.move.stop }).click({ force: true });
    await context.setOffline(false);
    await grip(page, 'stopLoss').waitFor();
    expect((await linesOf()).moved).toEqual([]);
    await user.call(`/bff/v2/auto-trades/${bot.id}/disable`, { body: { exits: 'freeze' } });
    await bar(page).getByText(draft.lost.notAllowed).first().waitFor();
    await expect.poll(() => main(page).getByRole('slider').count()).toBe(0);
    await picture(page, 'frozen');
    await user.call(`/bff/v2/auto-trades/${bot.id}/disable`, { body: { exits: 'continue' } });
    await context.close();
  });

  test.runIf(PICTURES)('pictures in the other theme and language', async () => {
    await putBack();
    for (const width of [1440, 390] as const) {
      const { context, page } = await open({ width, theme: 'light', language: 'tr' });
      await grip(page, 'stopLoss').focus();
      for (const key of ['Enter', 'Shift+ArrowUp', 'Shift+ArrowUp', 'Enter']) await page.keyboard.press(key);
      await bar(page).getByText(tr.autoTrades.levels.worst).first().waitFor();
      await picture(page, `${width}-light-tr`);
      await context.close();
    }
  });
});
