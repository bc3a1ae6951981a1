import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AutoTrade, AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { TapeRecord } from '@pilotfish/core/auto-trades/engine/tape';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import tr from '@pilotfish/core/locales/tr.json' with { type: 'json' };
import { walletBook } from '@pilotfish/core/testing/auto-trade-fixtures';
import { btcusdt } from '@pilotfish/core/testing/pairs';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, CHROMIUM, complaints, DESKTOP, type Stage, settled, sharedStage } from './stage.ts';

// What an owner does with bots in the browser, clicked against the real server and the simulated exchange: the form
// with every kind of rule, changes that meet other changes, and orders by hand.

const PICTURES = process.env.PILOTFISH_SCREENS;
const { form } = en.autoTrades;

describe.runIf(CHROMIUM)('bots in the browser', () => {
  let stage: Stage;
  let user: SignedInUser;
  let context: BrowserContext;
  let wallet: Wallet;

  beforeAll(async () => {
    stage = await sharedStage();
    user = await stage.server.register();
    const keys = await user.call('/gateway/v2/account/connect/binance/demo', { method: 'POST' });
    await user.call('/gateway/v2/account/connect/binance', { body: keys.body });
    wallet = (await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Main', mode: 'paper', initialBalance: '5000' } })).body;
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
  const field = (page: Page, name: string) => main(page).getByLabel(name, { exact: true });
  const dialog = (page: Page) => page.locator('dialog[open]');
  const next = (page: Page) => button(main(page), en.ui.next).click();
  const step = (page: Page, name: keyof typeof form.step) =>
    main(page).getByRole('list', { name: form.steps }).getByRole('button', { name: form.step[name] }).click();

  const settings = (over: Record<string, unknown> = {}) => ({
    name: 'Held',
    walletId: wallet.id,
    coins: { symbols: ['BTCUSDT'] },
    entry: {
      size: { mode: 'fixed', value: '200' },
      trigger: { kind: 'immediate' },
      trailing: { enabled: false },
      order: { type: 'Market' },
      maxSpreadPct: '5',
    },
    takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] },
    stopLoss: { mode: 'none' },
    ...over,
  });
  const create = async (over: Record<string, unknown> = {}) =>
    (await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', { body: settings(over) })).body.autoTrade;
  const detail = async (id: string) => (await user.call<AutoTradeDetail>(`/bff/v2/auto-trades/${id}/detail`)).body;
  /** As a server that records its bots leaves it: prices that rise from 100 to 200. */
  function writeTape({ id: autoTradeId, config, configVersion }: AutoTrade): void {
    const folder = join(stage.server.dataDir, 'tapes');
    const activated: TapeRecord = {
      type: 'activated',
      autoTradeId,
      runNo: 1,
      mode: 'live',
      config,
      configVersion,
      pairs: [btcusdt],
      takerFee: '0.001',
      wallet: walletBook(),
      restored: [],
      acceptsEntries: true,
      seq: 0,
    };
    const ticks = Array.from({ length: 100 }, (_, n): TapeRecord => {
      const price = 100 + n;
      return { type: 'tick', symbol: 'BTCUSDT', at: Date.UTC(2026, 0, 5) + n * 5000, price, bid: price, ask: price, quantity: 1000 };
    });
    const high: TapeRecord = { type: 'high', symbol: 'BTCUSDT', at: Date.UTC(2026, 0, 4), price: 100 };
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${autoTradeId}.jsonl`), [activated, high, ...ticks].map((record) => JSON.stringify(record)).join('\n'));
  }
  /** A bot that holds a position, its page open. */
  async function holding(name: string, at = context): Promise<{ bot: AutoTrade; page: Page }> {
    const bot = await create({ name });
    await user.call(`/bff/v2/auto-trades/${bot.id}/enable`, { method: 'POST', body: {} });
    await expect.poll(async () => (await detail(bot.id)).positions.some(({ state }) => state === 'Open')).toBe(true);
    const page = await at.newPage();
    await page.goto(`/auto-trade/detail/${bot.id}`);
    await settled(page);
    return { bot, page };
  }

  test('a bot with rebuys and conditions through the form: errors at their fields, a ladder, a draft that survives', async () => {
    const page = await context.newPage();
    const found = complaints(page);
    await page.goto('/auto-trade/create');
    await settled(page);
    await field(page, form.name).fill('Rebuyer');
    await field(page, form.coins).fill('btc');
    await button(main(page), 'BTCUSDT').first().click();
    await main(page).getByText(en.autoTrades.ladder.worst).waitFor();
    await picture(page, 'form-basics');
    await next(page);

    // A size that could never be sold again is refused at its own field, in words.
    await field(page, form.perEntry).fill('1');
    await main(page).getByRole('alert').filter({ hasText: 'too small to buy' }).waitFor();
    await expect.poll(() => field(page, form.perEntry).getAttribute('aria-invalid')).toBe('true');
    await field(page, form.perEntry).fill('100');
    await button(main(page), form.triggerKind.conditions).click();
    await main(page).getByRole('alert').filter({ hasText: en.rules.CONDITIONS_EMPTY }).waitFor();
    await main(page).getByRole('button', { name: en.screener.builder.addRule, exact: true }).click();
    const rule = main(page)
      .getByRole('group')
      .filter({ has: page.getByLabel(en.screener.builder.field) })
      .last();
    await rule.getByLabel(en.screener.builder.field).selectOption('rsi');
    await rule.getByLabel(en.screener.builder.operation).selectOption('lt');
    await rule.getByLabel(en.screener.builder.value).fill('35');
    await main(page)
      .getByText(/match(?:es)? now/)
      .waitFor();
    await picture(page, 'form-entry');
    await next(page);

    await button(main(page), form.rebuyKind.levels).click();
    await field(page, form.rebuyDrop).first().fill('4');
    await button(main(page), form.addLevel).click();
    await field(page, form.rebuyDrop).nth(1).fill('3');
    await main(page).getByText(form.rebuyWhen, { exact: true }).click();
    await field(page, form.rebuyBasis).selectOption('firstBuy');
    await main(page).getByRole('alert').filter({ hasText: 'deeper than the one before' }).waitFor();
    await field(page, form.rebuyDrop).nth(1).fill('9');
    await main(page).getByText('2 rebuys down to −9%').waitFor();
    await main(page)
      .getByRole('row', { name: /^Rebuy 2/ })
      .waitFor();
    await picture(page, 'form-rebuys');

    // A reload loses nothing.
    await expect
      .poll(() =>
        page.evaluate(() =>
          Object.keys(localStorage).some((key) => key.startsWith('bot_draft') && localStorage.getItem(key)?.includes('"9"')),
        ),
      )
      .toBe(true);
    await page.reload();
    await settled(page);
    await main(page).getByText(form.kept).waitFor();
    await expect.poll(() => field(page, form.name).inputValue()).toBe('Rebuyer');
    await step(page, 'exit');
    await button(main(page), form.addLevel).click();
    await field(page, form.gain).nth(1).fill('4');
    await field(page, form.share).nth(0).fill('50');
    await field(page, form.share).nth(1).fill('50');
    await field(page, form.stopLoss).first().selectOption('percent');
    await field(page, form.stopPct).fill('15');
    await picture(page, 'form-exit');
    await next(page);
    await main(page).getByText(form.lossStreak, { exact: true }).click();
    await field(page, form.lossCount).fill('2');
    await picture(page, 'form-safety');
    await next(page);
    await main(page).getByText('2 rebuys down to −9%').waitFor();
    await main(page).getByText(form.disabledTitle).waitFor();
    await picture(page, 'form-review');
    await button(main(page), form.save).click();
    await page.waitForURL('**/auto-trade/detail/*');
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect((await detail(id)).config).toMatchObject({
      name: 'Rebuyer',
      entry: {
        size: { value: '100' },
        trigger: { kind: 'conditions', rules: { match: 'all', rules: [{ key: 'rsi', operation: 'lt', value: 35 }] } },
      },
      rebuys: { basis: 'firstBuy', levels: [{ dropPct: '4' }, { dropPct: '9' }] },
      takeProfit: { levels: [{ sellPct: '50' }, { gainPct: '4', sellPct: '50' }] },
      stopLoss: { mode: 'percent', pct: '15' },
      protections: { lossStreak: { count: 2 } },
    });
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('bot_draft')))).toEqual([]);
    expect(found).toEqual([]);
    await page.close();
  });

  test('the plan step by step on the chart; saved and started in one go, or saved with the reason where it cannot start', async () => {
    const page = await context.newPage();
    const found = complaints(page);
    const { start, ladder } = en.autoTrades;
    const original = await create({
      name: 'Stepped',
      entry: { ...settings().entry, trigger: { kind: 'drop', dropPct: '30', lookbackMin: 60 } },
      rebuys: { levels: [{ dropPct: '3' }] },
      stopLoss: { mode: 'percent', pct: '12' },
    });
    await page.goto(`/auto-trade/create?from=${original.id}`);
    await settled(page);
    await field(page, form.name).fill('Started');
    // The last check of what was typed: after it the plan stands still.
    await expect.poll(() => main(page).getByText(form.checking).count()).toBe(1);
    await main(page).getByText(form.fine).waitFor();
    await main(page)
      .getByRole('img', { name: /^BTCUSDT, 1h: from/ })
      .waitFor();
    // The stop moves down with what is bought, and the chart and the sells with the step that is chosen.
    const rows = main(page).getByRole('row');
    const sell = async () =>
      (await rows
        .filter({ hasText: /^Sell 1/ })
        .getByRole('cell')
        .first()
        .textContent()) ?? '';
    const first = await sell();
    await button(main(page), 'Rebuy 1').click();
    await expect.poll(sell).not.toBe(first);
    await page.keyboard.press('ArrowUp');
    await expect.poll(sell).toBe(first);
    await step(page, 'review');
    await button(main(page), form.saveStart).click();
    await dialog(page).getByText(en.autoTrades.ask.money.paper.replace('{{wallet}}', 'Main')).waitFor();
    await dialog(page).getByText(start.first_one, { exact: true }).waitFor();
    await dialog(page).getByText(ladder.worstLoss, { exact: true }).waitFor();
    await picture(page, 'save-start');
    // Given up, nothing is saved.
    await page.keyboard.press('Escape');
    expect((await user.call<AutoTrade[]>('/bff/v2/auto-trades')).body.map(({ name }) => name)).not.toContain('Started');
    // The server cannot be reached for the start alone: the bot is there, once, with the reason and the button.
    await page.route('**/enable', (route) => route.abort());
    await button(main(page), form.saveStart).click();
    await button(dialog(page), form.saveStart).click();
    await page.waitForURL('**/auto-trade/detail/*');
    const notice = main(page).getByRole('alert').filter({ hasText: start.failed }).filter({ hasText: en.ui.serverOffline });
    await notice.waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect((await detail(id)).state).toBe('Disabled');
    await picture(page, 'not-started');
    await page.unroute('**/enable');
    await button(notice, en.autoTrades.action.enable).click();
    await button(dialog(page), en.autoTrades.action.enable).click();
    await expect.poll(async () => (await detail(id)).state).toBe('Running');
    await notice.waitFor({ state: 'detached' });
    expect((await user.call<AutoTrade[]>('/bff/v2/auto-trades')).body.filter(({ name }) => name === 'Started')).toHaveLength(1);
    // Another one, without anything in the way.
    await page.goto(`/auto-trade/create?from=${id}`);
    await settled(page);
    await field(page, form.name).fill('Started at once');
    await step(page, 'review');
    await button(main(page), form.saveStart).click();
    await button(dialog(page), form.saveStart).click();
    await page.waitForURL((url) => /auto-trade\/detail/.test(url.pathname) && !url.pathname.endsWith(id));
    const second = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect(await detail(second)).toMatchObject({ name: 'Started at once', state: 'Running' });
    expect(await main(page).getByText(start.failed).count()).toBe(0);
    expect(found.filter((each) => !each.includes('enable'))).toEqual([]);
    await page.close();
  });

  test('a preset says what it changes before it fills anything in', async () => {
    const page = await context.newPage();
    await page.goto('/auto-trade/create');
    await settled(page);
    await main(page)
      .getByRole('button', { name: new RegExp(en.autoTrades.preset.trend.name) })
      .click();
    await dialog(page).getByText(form.triggerKind.immediate, { exact: true }).waitFor();
    await picture(page, 'preset');
    await button(dialog(page), form.fillIn).click();
    await step(page, 'entry');
    await main(page).getByText(form.triggerLead.immediate).waitFor();
    // Giving a draft up begins anew, for the next visit, too.
    await expect
      .poll(() => page.evaluate(() => Object.keys(localStorage).some((key) => localStorage.getItem(key)?.includes('"immediate"'))))
      .toBe(true);
    await page.reload();
    await settled(page);
    await button(main(page), form.startOver).click();
    await step(page, 'entry');
    await main(page).getByText(form.triggerLead.drop).waitFor();
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('bot_draft')))).toEqual([]);
    await page.close();
  });

  test('every step of a full bot fits a narrow phone, in the other theme and language', async () => {
    const rules = {
      match: 'any',
      rules: [
        { key: 'rsi', timeframe: '1h', operation: 'between', value: [20, 35] },
        { key: 'change', timeframe: '1h', operation: 'lt', value: -2 },
      ],
    };
    const bot = await create({
      name: 'Every rule',
      entry: { ...settings().entry, trigger: { kind: 'conditions', rules }, trailing: { enabled: true } },
      rebuys: { generator: { count: 4, stepPct: '2', sizeScale: '1.5' } },
      trailingCost: { enabled: true, armGainPct: '10', distancePct: '2' },
      stopLoss: { mode: 'percent', pct: '30' },
      protectiveStop: { enabled: true },
      timeStop: { hours: 72 },
      exit: { conditions: rules, minGainPct: '1' },
      protections: {
        dailyLoss: { amount: '50' },
        btcGuard: { dropPct: '3', windowMin: 60, resumePct: '1' },
        lowProfitCoin: { minTrades: 3, minProfitPct: '0', lookbackHours: 48, pauseHours: 24 },
      },
    });
    const phone = await stage.context(
      { width: 360, theme: 'light', language: 'tr' },
      { ...user, session: await stage.server.signIn(user) },
    );
    const page = await phone.newPage();
    const found = complaints(page);
    await page.goto(`/auto-trade/detail/${bot.id}/edit`);
    await settled(page);
    await main(page).getByText(tr.autoTrades.form.fine).waitFor();
    for (const name of ['basics', 'entry', 'rebuys', 'exit', 'safety', 'review'] as const) {
      const { steps, step: names } = tr.autoTrades.form;
      await main(page).getByRole('list', { name: steps }).getByRole('button', { name: names[name] }).click();
      await main(page).getByRole('heading', { name: names[name], exact: true }).waitFor();
      await settled(page);
      for (const folded of await main(page).locator('details > summary').all()) await folded.click();
      await settled(page);
      expect([name, await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)]).toEqual([name, 0]);
      await picture(page, `phone-${name}`);
    }
    expect(found).toEqual([]);
    await phone.close();
  });

  test('two people change the same bot: what changed elsewhere is shown, and each value chosen', async () => {
    const bot = await create({ name: 'Shared', entry: { ...settings().entry, trigger: { kind: 'drop', dropPct: '30', lookbackMin: 60 } } });
    const page = await context.newPage();
    await page.goto(`/auto-trade/detail/${bot.id}/edit`);
    await settled(page);
    await field(page, form.name).fill('Shared, mine');
    await step(page, 'entry');
    await field(page, form.perEntry).fill('300');
    // Meanwhile somebody saves another size and another wait.
    const { entry } = bot.config;
    const elsewhere = { ...bot.config, maxOpenPositions: 7, entry: { ...entry, size: { mode: 'fixed', value: '250' } } };
    expect((await user.call(`/bff/v2/auto-trades/${bot.id}?version=1`, { method: 'PUT', body: elsewhere })).status).toBe(200);
    await step(page, 'review');
    // The check at a pause in typing may be the first to tell; then the button is off, and nobody may wait to press it.
    await button(main(page), form.saveVersion).evaluate((save: HTMLButtonElement) => save.click());
    await main(page).getByText('Version 2 was saved elsewhere in the meantime').waitFor();
    await main(page).getByRole('button', { name: 'Other: 250' }).waitFor();
    await expect.poll(() => main(page).getByRole('button', { name: 'Mine: 300' }).getAttribute('aria-pressed')).toBe('true');
    await expect.poll(() => main(page).getByRole('button', { name: 'Other: 7' }).getAttribute('aria-pressed')).toBe('true');
    await picture(page, 'conflict');
    await button(main(page), en.autoTrades.conflict.goOn).click();
    await button(main(page), form.saveVersion).click();
    await page.waitForURL(`**/auto-trade/detail/${bot.id}`);
    expect((await detail(bot.id)).config).toMatchObject({
      name: 'Shared, mine',
      maxOpenPositions: 7,
      entry: { size: { value: '300' } },
    });
    // The versions tell both changes.
    await page.goto(`/auto-trade/detail/${bot.id}?tab=settings`);
    await settled(page);
    await main(page).getByRole('listitem').filter({ hasText: form.size }).filter({ hasText: '250' }).filter({ hasText: '300' }).waitFor();
    await picture(page, 'versions');
    await page.close();
  });

  test('settings for what is held: the lines that move are shown first', async () => {
    const { bot, page } = await holding('Applies');
    await page.goto(`/auto-trade/detail/${bot.id}/edit`);
    await settled(page);
    await step(page, 'exit');
    await field(page, form.stopLoss).first().selectOption('percent');
    await field(page, form.stopPct).fill('20');
    await step(page, 'review');
    await main(page).getByLabel(form.applyToOpen).check();
    const changes = main(page).getByRole('list', { name: form.openChanges });
    await changes.getByText('BTCUSDT').first().waitFor();
    await changes.getByText(en.autoTrades.change.stopLoss).waitFor();
    expect((await detail(bot.id)).positions.find(({ state }) => state === 'Open')?.lines.stopLoss).toBeNull();
    await picture(page, 'apply-to-open');
    await button(main(page), form.saveVersion).click();
    await page.waitForURL(`**/auto-trade/detail/${bot.id}`);
    await expect.poll(async () => (await detail(bot.id)).positions.find(({ state }) => state === 'Open')?.lines.stopLoss).not.toBeNull();
    await user.call('/bff/v2/auto-trades/halt', { body: { scope: 'bot', autoTradeId: bot.id, liquidate: true } });
    await page.close();
  });

  test('by hand: a target price in its place, an entry that is refused with its reason, sold now', { tags: ['smoke'] }, async () => {
    const { bot, page } = await holding('By hand');
    const found = complaints(page);
    await button(main(page), en.autoTrades.target.set).click();
    const target = main(page).getByLabel(en.autoTrades.target.label);
    await target.fill('0.00000001');
    await button(main(page), en.autoTrades.target.save).click();
    await main(page).getByRole('alert').first().waitFor();
    await target.fill('999999');
    await button(main(page), en.autoTrades.target.save).click();
    await main(page)
      .getByRole('button', { name: /^999,999.* – change$/ })
      .waitFor();
    expect((await detail(bot.id)).positions.find(({ state }) => state === 'Open')?.lines.target).toBe('999999');
    await picture(page, 'position');
    // A target that the market has reached is a sale: it says so, and is not made before the yes.
    await main(page)
      .getByRole('button', { name: /^999,999.* – change$/ })
      .click();
    await target.fill('0.01');
    await button(main(page), en.autoTrades.target.save).click();
    await dialog(page)
      .getByText(/BTCUSDT is at .* sold at once.* a result of [+−]?[\d,.]+ USDT\./)
      .waitFor();
    await picture(page, 'target-reached');
    const asked: string[] = [];
    page.on('request', (request) => request.url().endsWith('/target-price') && asked.push(request.method()));
    await button(dialog(page), en.ui.cancel).click();
    await dialog(page).waitFor({ state: 'detached' });
    expect((await detail(bot.id)).positions.find(({ state }) => state === 'Open')?.lines.target).toBe('999999');
    expect(asked).toEqual([]);
    await page.keyboard.press('Escape');

    // Without the server nothing is sold, and the dialog says so instead of going away.
    await button(main(page), en.autoTrades.byHand.action.sell).click();
    await dialog(page)
      .getByText(/about [\d,.]+ USDT after the fee/)
      .waitFor();
    await page.route('**/sell', (route) => route.abort('connectionfailed'));
    await button(dialog(page), en.autoTrades.byHand.action.sell).click();
    await dialog(page).getByText(en.ui.serverOffline).waitFor();
    await picture(page, 'not-done');
    await page.unroute('**/sell');
    await button(dialog(page), en.ui.retry).click();
    await expect.poll(async () => (await detail(bot.id)).positions.some(({ exitReason }) => exitReason === 'Manual')).toBe(true);
    // It is closed and stays in sight: nothing of another takes its place under the pointer.
    await main(page).getByText(en.exitReasons.Manual, { exact: true }).first().waitFor();
    await button(main(page), en.autoTrades.byHand.action.sell).waitFor({ state: 'detached' });
    // It rests after the exit: entering by hand is refused, and the list says by which rule.
    await page.goto(`/auto-trade/detail/${bot.id}?tab=why`);
    await settled(page);
    await main(page).getByRole('region', { name: en.autoTrades.cockpit.chart }).getByRole('button', { name: 'Enter now: BTCUSDT' }).click();
    await button(dialog(page), en.autoTrades.enter.now).click();
    await dialog(page).getByText(en.autoTrades.enter.because.replace('{{rule}}', en.why['cooldown-over'])).waitFor();
    await picture(page, 'enter-refused');
    expect(found).toEqual([]);
    await page.close();
  });

  test('a double press on Sell now sells nothing, also where the confirming button lies under it', async () => {
    const { bot, page } = await holding('Hasty');
    const asked: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && request.url().endsWith('/sell') && asked.push(request.url()));
    // As in half a window: there the one button comes to lie over the other.
    await page.setViewportSize({ width: 800, height: 900 });
    const opener = button(main(page), en.autoTrades.byHand.action.sell);
    const confirming = button(dialog(page), en.autoTrades.byHand.action.sell);
    await opener.click();
    const over = (await confirming.boundingBox())!;
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await page.evaluate((by) => window.scrollBy(0, by), (await opener.boundingBox())!.y - over.y);
    const at = (await opener.boundingBox())!;
    const x = (Math.max(at.x, over.x) + Math.min(at.x + at.width, over.x + over.width)) / 2;
    const y = at.y + at.height / 2;
    expect([x > over.x, x < over.x + over.width, y > over.y, y < over.y + over.height]).toEqual([true, true, true, true]);
    await page.mouse.dblclick(x, y);
    await confirming.waitFor();
    expect((await detail(bot.id)).positions.some(({ exitReason }) => exitReason === 'Manual')).toBe(false);
    expect(asked).toEqual([]);
    await page.mouse.click(x, y, { clickCount: 1 });
    await expect.poll(async () => (await detail(bot.id)).positions.some(({ exitReason }) => exitReason === 'Manual')).toBe(true);
    await page.close();
  });

  test('a position that needs attention and whose exit is due: going on names the sale, and needs a second yes', async () => {
    const { bot, page } = await holding('Stuck');
    const found = complaints(page);
    // As the server tells of one whose order was refused twice.
    await page.route('**/detail', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as AutoTradeDetail;
      const stuck = { state: 'NeedsAttention', attention: 'REFUSED', allowed: ['resume', 'detach'] };
      const positions = body.positions.map((each) => (each.state === 'Open' ? { ...each, ...stuck } : each));
      return route.fulfill({ response: answer, json: { ...body, positions } });
    });
    const asked: unknown[] = [];
    await page.route('**/resume', (route) => {
      const body = route.request().postDataJSON() as { sellNow?: boolean };
      asked.push(body);
      if (body.sellNow) return route.fulfill({ json: {} });
      const refusal = { type: 'about:blank', title: 'Sells now', status: 409, code: 'would-sell-now', detail: 'BTCUSDT is sold at once.' };
      return route.fulfill({ status: 409, contentType: 'application/problem+json', json: refusal });
    });
    await page.reload();
    await settled(page);
    await button(main(page), en.autoTrades.byHand.action.resume).click();
    const { x, y, width, height } = (await button(dialog(page), en.autoTrades.byHand.action.resume).boundingBox())!;
    const press = () => page.mouse.click(x + width / 2, y + height / 2);
    await press();
    await button(dialog(page), en.autoTrades.byHand.action.sell).waitFor();
    await dialog(page).getByText('BTCUSDT is sold at once.').waitFor();
    await expect.poll(() => page.locator('.Toastify__toast').filter({ hasText: 'sold at once' }).count()).toBe(0);
    await picture(page, 'resume-sells');
    // Pressed once more in haste, at the same place: that is no yes.
    await press();
    expect(asked).toEqual([{}]);
    await button(dialog(page), en.autoTrades.byHand.action.sell).click();
    await expect.poll(() => asked).toEqual([{}, { sellNow: true }]);
    expect(found).toEqual([]);
    await page.close();
    await user.call(`/bff/v2/auto-trades/${bot.id}?detach=true`, { method: 'DELETE' });
  });

  test('exits that were frozen and are due: letting them go names the sale, and needs a second yes', async () => {
    const { bot, page } = await holding('Frozen');
    const found = complaints(page);
    const path = `/bff/v2/auto-trades/${bot.id}`;
    await user.call(`${path}/disable`, { body: { exits: 'freeze' } });
    const id = (await detail(bot.id)).positions.find(({ state }) => state === 'Open')?.id;
    await user.call(`${path}/positions/${id}/target-price`, { method: 'PATCH', body: { targetPrice: '0.01', sellNow: true } });
    await page.reload();
    await settled(page);
    await button(main(page), en.autoTrades.action.unfreeze).click();
    const { x, y, width, height } = (await button(dialog(page), en.autoTrades.action.unfreeze).boundingBox())!;
    const press = () => page.mouse.click(x + width / 2, y + height / 2);
    await press();
    await dialog(page)
      .getByText(/BTCUSDT is at .* sold at once.* a result of [+−]?[\d,.]+ USDT\./)
      .waitFor();
    // Pressed once more in haste, at the same place: that is no yes.
    await press();
    await picture(page, 'unfreeze-sells');
    await expect.poll(() => dialog(page).getByText(en.ui.notDone).count()).toBe(0);
    expect((await detail(bot.id)).positions.find((each) => each.id === id)?.state).toBe('Open');
    await button(dialog(page), en.autoTrades.byHand.action.sell).click();
    await expect.poll(async () => (await detail(bot.id)).positions.find((each) => each.id === id)?.exitReason).toBe('TargetPrice');
    expect(found).toEqual([]);
    await page.close();
  });

  test('the dialog that disables a halted bot promises no exits', async () => {
    const { bot, page } = await holding('Stays halted');
    await user.call('/bff/v2/auto-trades/halt', { body: { scope: 'bot', autoTradeId: bot.id } });
    await page.reload();
    await settled(page);
    await expect.poll(() => button(main(page), en.autoTrades.action.disable).count()).toBe(0);
    await button(main(page), en.autoTrades.cockpit.more).click();
    await main(page).getByRole('menuitem', { name: en.autoTrades.disableHalted, exact: true }).click();
    await dialog(page).getByText(en.autoTrades.stillHalted).waitFor();
    await expect.poll(() => dialog(page).getByText(en.autoTrades.ask.disable.what_one).count()).toBe(0);
    await page.close();
  });

  test('entering by hand buys', async () => {
    const bot = await create({ name: 'Waits', entry: { ...settings().entry, trigger: { kind: 'manual' } } });
    await user.call(`/bff/v2/auto-trades/${bot.id}/enable`, { method: 'POST', body: {} });
    const page = await context.newPage();
    await page.goto(`/auto-trade/detail/${bot.id}?tab=why`);
    await settled(page);
    await expect.poll(async () => (await detail(bot.id)).evaluations[0]?.price ?? null).not.toBeNull();
    await main(page).getByRole('region', { name: en.autoTrades.cockpit.chart }).getByRole('button', { name: 'Enter now: BTCUSDT' }).click();
    await button(dialog(page), en.autoTrades.enter.now).click();
    await expect.poll(async () => (await detail(bot.id)).positions.some(({ state }) => state === 'Open')).toBe(true);
    await page.close();
  });

  test('beside another bot: what each did with the same coin, where the difference comes from, and another choice', async () => {
    const real = (await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Real', mode: 'live', initialBalance: '2000' } })).body;
    const bots = [await create({ name: 'Dip', walletId: real.id }), await create({ name: 'Dip on paper' })];
    await create({ name: 'Dip, deeper', stopLoss: { mode: 'percent', pct: '30' } });
    for (const bot of bots) await user.call(`/bff/v2/auto-trades/${bot.id}/enable`, { method: 'POST', body: {} });
    for (const bot of bots) {
      await expect.poll(async () => (await detail(bot.id)).positions.some(({ state }) => state === 'Open')).toBe(true);
      await user.call(`/bff/v2/auto-trades/${bot.id}/disable`, { method: 'POST', body: {} });
      const [position] = (await detail(bot.id)).positions;
      await user.call(`/bff/v2/auto-trades/${bot.id}/positions/${position!.id}/sell`, { method: 'POST', body: {} });
      await expect.poll(async () => (await detail(bot.id)).positions.every(({ state }) => state === 'Closed')).toBe(true);
    }
    const page = await context.newPage();
    const found = complaints(page);
    await page.goto(`/auto-trade/detail/${bots[0]!.id}`);
    await settled(page);
    await button(main(page), en.autoTrades.tab.compare).click();
    const choice = field(page, en.comparison.with);
    await main(page).getByText(en.comparison.same).waitFor();
    await expect.poll(() => choice.locator('option:checked').textContent()).toContain('Dip on paper');
    const row = main(page).getByRole('row').filter({ hasText: 'BTCUSDT' });
    await expect.poll(() => row.count()).toBe(1);
    await expect.poll(() => row.textContent()).toContain(en.comparison.reason.byHand);
    await picture(page, 'compare');
    await choice.selectOption({ label: `Dip, deeper · ${en.autoTrades.mode.paper}` });
    await main(page).getByText('These settings differ').waitFor();
    await expect.poll(() => row.textContent()).toContain('Dip, deeper was disabled');
    // Beside the backtest of its recording: there is none, then one in which the price doubles.
    await choice.selectOption({ label: en.comparison.withRecording });
    await main(page).getByText('There is no recording of Dip.').waitFor();
    writeTape(bots[0]!);
    await field(page, en.comparison.latency).selectOption('100');
    await expect.poll(() => row.textContent()).toContain('Dip did not decide to buy');
    await main(page).getByText(`${en.comparison.recording}: +`).waitFor();
    await picture(page, 'compare-recording');
    expect(found).toEqual([]);
    await page.close();

    const phone = await stage.context(
      { width: 360, theme: 'light', language: 'tr' },
      { ...user, session: await stage.server.signIn(user) },
    );
    const small = await phone.newPage();
    await small.goto(`/auto-trade/detail/${bots[1]!.id}?tab=compare`);
    await settled(small);
    await main(small).getByText(tr.comparison.same).waitFor();
    expect(await small.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    await picture(small, 'compare-phone');
    await phone.close();
  });

  test('a coin is halted with a reason and lifted; everything is halted and sold off only when confirmed twice', async () => {
    // A profile that opens now: the server's clock is ahead of older ones by a step for every sign-in since.
    const { bot, page } = await holding('Halts', await stage.context(DESKTOP, { ...user, session: await stage.server.signIn(user) }));
    await page.goto('/auto-trade');
    await settled(page);
    await button(main(page), en.autoTrades.coinHalt.halt).click();
    await dialog(page).getByLabel(en.autoTrades.ladder.coin, { exact: true }).fill('eth');
    await button(dialog(page), 'ETHUSDT').first().click();
    await button(dialog(page), en.autoTrades.coinHalt.hours['1']).click();
    await dialog(page).getByLabel(en.autoTrades.haltAll.reason).fill('news of the day');
    await picture(page, 'coin-halt');
    await button(dialog(page), en.autoTrades.coinHalt.halt).click();
    await main(page).getByText('news of the day').waitFor();
    await expect.poll(() => main(page).locator('time').first().textContent()).toMatch(/^(1 h|60 min|59 min) left$/);
    await picture(page, 'list');
    await main(page).getByRole('button', { name: 'Resume ETHUSDT' }).click();
    await main(page).getByText('news of the day').waitFor({ state: 'detached' });

    await page.getByRole('banner').getByRole('button', { name: en.autoTrades.haltAll.open }).click();
    await dialog(page)
      .getByLabel(/^Sell (?:the )?\d+ open position/)
      .check();
    await expect.poll(() => button(dialog(page), en.autoTrades.haltAll.withSale).isDisabled()).toBe(true);
    await dialog(page)
      .getByLabel(/^Yes, sell/)
      .check();
    await picture(page, 'halt-all');
    await button(dialog(page), en.autoTrades.haltAll.withSale).click();
    await expect.poll(async () => (await detail(bot.id)).positions.some(({ exitReason }) => exitReason === 'KillSwitch')).toBe(true);
    expect((await detail(bot.id)).state).toBe('Halted');
    await main(page).getByText(en.botStates.Halted, { exact: true }).first().waitFor();
    await page.close();
  });
});
