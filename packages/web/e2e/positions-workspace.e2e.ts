import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AutoTrade, AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import { formatSigned } from '@pilotfish/core/money/format';
import type { HeldPositionRow, HeldTotals } from '@pilotfish/core/positions/held-positions-contract';
import type { ClosedRow, SyncStatus } from '@pilotfish/core/positions/positions-contract';
import { until } from '@pilotfish/core/testing/until';
import { realTimers } from '@pilotfish/core/time/timers';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import { openExchange } from '@pilotfish/server/exchange/exchange';
import { signerFor } from '@pilotfish/server/exchange/signing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, CHROMIUM, complaints, DESKTOP, type Look, ownStage, type Stage, settled } from './stage.ts';

// What is held and what was closed, on one page: a bot's and by hand, live and on paper, with the detail of one beside them.

const PICTURES = process.env.PILOTFISH_SCREENS;
const PHONE: Look = { width: 390, theme: 'light', language: 'en' };
type Held = { items: HeldPositionRow[]; totals: HeldTotals[] };

describe.runIf(CHROMIUM)('the workspace of positions', () => {
  let stage: Stage;
  let user: SignedInUser;
  let live: AutoTrade;

  const create = async (name: string, mode: 'live' | 'paper', symbols: string[], over: object = {}) => {
    const wallet = (await user.call<{ id: string }>('/bff/v2/wallets', { body: { name: `${name} ${mode}`, mode, initialBalance: '3000' } }))
      .body;
    const body = {
      name,
      walletId: wallet.id,
      coins: { symbols },
      maxOpenPositions: symbols.length,
      entry: {
        size: { mode: 'fixed', value: '400' },
        trigger: { kind: 'immediate' },
        trailing: { enabled: false },
        order: { type: 'Market' },
        maxSpreadPct: '5',
      },
      takeProfit: { levels: [{ gainPct: '6', sellPct: '100' }] },
      stopLoss: { mode: 'percent', pct: '6' },
      ...over,
    };
    const answer = await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', { body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    const bot = answer.body.autoTrade;
    await user.call(`/bff/v2/auto-trades/${bot.id}/enable`, { method: 'POST', body: {} });
    await until(`${name} holding`, async () => {
      const { positions } = (await user.call<AutoTradeDetail>(`/bff/v2/auto-trades/${bot.id}/detail`)).body;
      return positions.filter(({ state }) => state === 'Open').length === symbols.length;
    });
    return bot;
  };
  const held = async (mode = 'live') => (await user.call<Held>(`/bff/v2/positions/held?mode=${mode}`)).body;
  const closed = async (mode = 'live') => (await user.call<{ items: ClosedRow[] }>(`/bff/v2/positions/closed?mode=${mode}`)).body.items;
  const sell = async (bot: AutoTrade, symbol: string) => {
    const { positions } = (await user.call<AutoTradeDetail>(`/bff/v2/auto-trades/${bot.id}/detail`)).body;
    const { id } = positions.find((position) => position.symbol === symbol)!;
    await user.call(`/bff/v2/auto-trades/${bot.id}/disable`, { method: 'POST', body: { exits: 'continue' } });
    await user.call(`/bff/v2/auto-trades/${bot.id}/positions/${id}/sell`, { method: 'POST' });
  };

  beforeAll(async () => {
    stage = await ownStage();
    const { apiKey, apiSecret } = await stage.simulator.createAccount({ balances: { USDT: '50000' } });
    const signer = signerFor(apiKey, apiSecret);
    const venue = openExchange({
      timers: realTimers,
      origins: { rest: stage.simulator.origin, stream: stage.simulator.wsOrigin, api: stage.simulator.wsOrigin } as never,
      now: stage.server.now,
      random: () => 0.5,
    });
    const order = (parameters: Record<string, string>) =>
      venue.placeOrder(signer, { type: 'MARKET', ...parameters }, { urgent: true, beforeSigning: () => undefined });
    await order({ symbol: 'SOLUSDT', side: 'BUY', quoteOrderQty: '800' });
    await order({ symbol: 'ADAUSDT', side: 'BUY', quoteOrderQty: '300' });
    await order({ symbol: 'ADAUSDT', side: 'SELL', quantity: '100' });
    await venue.close();
    user = await stage.server.register();
    await user.call('/gateway/v2/account/connect/binance', { body: { clientId: apiKey, clientSecret: apiSecret } });
    await until('the history being read', async () => {
      const { body } = await user.call<SyncStatus>('/bff/v2/positions/sync');
      return body.state === 'idle' && body.finishedAt !== null;
    });
    live = await create('Majors trend', 'live', ['BTCUSDT', 'ETHUSDT']);
    const paper = await create('Dip ladder', 'paper', ['XRPUSDT', 'BTCUSDT']);
    await sell(paper, 'XRPUSDT');
    await until('what closed on paper', async () => (await closed('paper')).length === 1);
    await until('what the bot bought in the ledger', async () => (await held()).items.length === 4);
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
  });
  afterAll(() => stage?.close());

  const main = (page: Page) => page.getByRole('main');
  const panel = (page: Page, name: string) => main(page).getByRole('region', { name, exact: true });
  const detail = (page: Page) => main(page).getByRole('complementary');
  const open = async (path: string, look: Look = DESKTOP) => {
    const context = await stage.context(look, { ...user, session: await stage.server.signIn(user) });
    const page = await context.newPage();
    const found = complaints(page);
    await page.setViewportSize({ width: look.width, height: look.width < 768 ? 844 : 900 });
    await page.goto(path);
    await settled(page);
    return { context, page, found };
  };
  const picture = async (page: Page, name: string) => {
    if (PICTURES) await page.screenshot({ path: join(PICTURES, `positions-${name}.png`) });
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  };

  test('a row shows its detail beside the lists, with its chart, its outcomes and its actions, by mouse and by key', {
    tags: ['smoke'],
  }, async () => {
    const { context, page, found } = await open('/positions');
    await main(page).getByText(en.positions.history.explained, { exact: false }).waitFor();
    const rows = panel(page, en.positions.open).locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(4);
    const order = await rows.locator('th').allTextContents();
    expect(order[0]).toContain('SOL');
    await picture(page, 'alone');
    const btc = (await held()).items.find(({ symbol }) => symbol === 'BTCUSDT')!;
    await panel(page, en.positions.open).getByRole('link', { name: /BTC/ }).click();
    await page.waitForURL(new RegExp(`position=${btc.positionId}`));
    await detail(page).getByRole('heading', { name: 'BTC / USDT' }).waitFor();
    await detail(page).locator('canvas').first().waitFor();
    await detail(page).getByRole('button', { name: en.autoTrades.byHand.action.sell }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/positions');
    await picture(page, 'bot');
    // Five open and seven closed rows have room: nothing of what is there is below the window.
    const last = await panel(page, en.positions.open).evaluate((element) => element.getBoundingClientRect().bottom);
    expect(last).toBeLessThan(560);
    // The next row by key, opened by Enter; the chosen one is named after a reload, and Escape closes it.
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    const focused = await page.evaluate(() => document.activeElement?.textContent ?? '');
    await page.keyboard.press('Enter');
    const coin = focused.match(/^[A-Z]+/)![0].replace(/USDT$/, '');
    await detail(page)
      .getByRole('heading', { name: new RegExp(`${coin.slice(-3)} / USDT`) })
      .waitFor();
    await page.reload();
    await settled(page);
    await detail(page).getByRole('heading', { name: '/ USDT' }).waitFor();
    await page.keyboard.press('Escape');
    await detail(page).waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
    expect(found).toEqual([]);
    await context.close();
  });

  test('figures are the sums of the list and move with the market; live and paper are never one', async () => {
    const { context, page, found } = await open('/positions');
    const figure = (name: string) =>
      main(page)
        .locator('dl div', { has: page.getByText(name, { exact: true }) })
        .locator('dd')
        .first();
    await expect
      .poll(async () => {
        const { totals } = await held();
        return [await figure(en.overview.atRisk).textContent(), totals[0]!.withoutStop];
      })
      .toEqual([expect.stringMatching(/^\d+\.\d\d$/), 2]);
    const value = await figure(en.positions.value).textContent();
    await page.waitForFunction(
      ([name, before]) =>
        [...document.querySelectorAll('main dl div')].some(
          (each) => each.querySelector('dt')?.textContent === name && each.querySelector('dd')?.textContent !== before,
        ),
      [en.positions.value, value] as const,
    );
    await main(page).getByRole('button', { name: en.autoTrades.mode.paper, exact: true }).click();
    await page.waitForURL(/mode=paper/);
    await expect.poll(() => panel(page, en.positions.open).locator('tbody tr').count()).toBe(1);
    const [sold] = await closed('paper');
    const row = panel(page, en.positions.closedTitle).locator('tbody tr');
    await expect.poll(() => row.count()).toBe(1);
    await row.filter({ hasText: formatSigned(sold!.realised!, 'USDT') }).waitFor();
    await row.getByRole('link').click();
    await detail(page).getByRole('heading', { name: 'XRP / USDT' }).waitFor();
    await detail(page).locator('canvas').first().waitFor();
    await picture(page, 'paper');
    await page.reload();
    await settled(page);
    await detail(page).getByRole('heading', { name: 'XRP / USDT' }).waitFor();
    expect(found).toEqual([]);
    await context.close();
  });

  test('filters of the open list: whose it is, without a stop, a pair; each list has an address of its own', async () => {
    const { context, page, found } = await open('/positions/open-positions');
    const rows = () => panel(page, en.positions.open).locator('tbody tr').count();
    expect(await panel(page, en.positions.closedTitle).count()).toBe(0);
    await main(page).getByRole('combobox', { name: en.positions.filter.bot }).selectOption({ label: 'Majors trend' });
    await expect.poll(rows).toBe(2);
    await main(page).getByRole('combobox', { name: en.positions.filter.state }).selectOption('no-stop');
    await main(page).getByText(en.positions.noneFound).waitFor();
    await main(page).getByRole('button', { name: en.positions.clearFilters }).click();
    await main(page).getByRole('searchbox', { name: en.positions.search }).fill('sol');
    await expect.poll(rows).toBe(1);
    await page.goto('/positions/closed-positions');
    await settled(page);
    expect(await panel(page, en.positions.open).count()).toBe(0);
    await panel(page, en.positions.closedTitle).waitFor();
    expect(found).toEqual([]);
    await context.close();
  });

  test('on a phone a row leads to its page: of a bot to the bot at that coin', async () => {
    const { context, page, found } = await open('/positions', PHONE);
    await picture(page, 'phone');
    await panel(page, en.positions.open).getByRole('link', { name: /ETH/ }).click();
    await page.waitForURL(new RegExp(`/auto-trade/detail/${live.id}\\?coin=ETHUSDT`));
    await page.goBack();
    await panel(page, en.positions.open).getByRole('link', { name: /SOL/ }).click();
    await page.waitForURL(/\/positions\/detail\//);
    await settled(page);
    await picture(page, 'phone-detail');
    expect(found).toEqual([]);
    await context.close();
  });
});
