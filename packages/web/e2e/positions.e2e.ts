import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import type { ClosedPosition, OpenPosition, SyncStatus } from '@pilotfish/core/positions/positions-contract';
import { TIER } from '@pilotfish/core/testing/tiers';
import { until } from '@pilotfish/core/testing/until';
import { realTimers } from '@pilotfish/core/time/timers';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import { openExchange } from '@pilotfish/server/exchange/exchange';
import { type Signer, signerFor } from '@pilotfish/server/exchange/signing';
import { MARKET_START } from '@pilotfish/simulator/testing/test-market';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, CHROMIUM, complaints, DESKTOP, type Look, ownStage, type Stage, settled } from './stage.ts';

const PICTURES = process.env.PILOTFISH_SCREENS;
const DAY = 86_400_000;
const ago = (days: number) => new Date(MARKET_START - days * DAY).toISOString().slice(0, 19).replace('T', ' ');
const row = (days: number, pair: string, side: string, price: number, base: string, executed: number) =>
  `${ago(days)},${pair},${side},${price},${executed}${base},${price * executed}USDT,${(price * executed * 0.001).toFixed(6)}USDT`;
/** An earlier life: wins, a loss, and something that is on the exchange no more. */
const HISTORY = [
  'Date(UTC),Pair,Side,Price,Executed,Amount,Fee',
  row(150, 'LINKUSDT', 'BUY', 10, 'LINK', 100),
  row(120, 'LINKUSDT', 'SELL', 13, 'LINK', 100),
  row(110, 'AVAXUSDT', 'BUY', 30, 'AVAX', 20),
  row(90, 'AVAXUSDT', 'SELL', 26, 'AVAX', 20),
  row(80, 'LINKUSDT', 'BUY', 12, 'LINK', 50),
  row(60, 'LINKUSDT', 'SELL', 15.5, 'LINK', 50),
  row(50, 'DOTUSDT', 'BUY', 6, 'DOT', 100),
  row(20, 'DOTUSDT', 'SELL', 7.1, 'DOT', 100),
  row(15, 'ADAUSDT', 'BUY', 0.4, 'ADA', 500),
  row(3, 'AVAXUSDT', 'BUY', 25, 'AVAX', 4),
  row(2, 'AVAXUSDT', 'SELL', 25.1, 'AVAX', 4),
].join('\n');
const LOOKS: Look[] = [
  { width: 1440, theme: 'dark', language: 'en' },
  { width: 390, theme: 'light', language: 'tr' },
  { width: 360, theme: 'dark', language: 'en' },
];

describe.runIf(CHROMIUM)('positions in the browser', () => {
  let stage: Stage;
  let user: SignedInUser;
  let signer: Signer;
  let venue: ReturnType<typeof openExchange>;
  let context: BrowserContext;

  const order = (parameters: Record<string, string>) =>
    venue.placeOrder(signer, { type: 'MARKET', ...parameters }, { urgent: true, beforeSigning: () => undefined });

  beforeAll(async () => {
    stage = await ownStage();
    venue = openExchange({
      timers: realTimers,
      origins: { rest: stage.simulator.origin, stream: stage.simulator.wsOrigin, api: stage.simulator.wsOrigin } as never,
      now: stage.server.now,
      random: () => 0.5,
    });
    const { apiKey, apiSecret } = await stage.simulator.createAccount({ balances: { USDT: '50000' } });
    signer = signerFor(apiKey, apiSecret);
    await order({ symbol: 'BTCUSDT', side: 'BUY', quoteOrderQty: '2000' });
    await order({ symbol: 'ETHUSDT', side: 'BUY', quoteOrderQty: '1500' });
    await order({ symbol: 'ETHUSDT', side: 'SELL', quantity: '0.1' });
    await order({ symbol: 'SOLUSDT', side: 'BUY', quoteOrderQty: '800' });
    for (const price of ['50000', '51000', '52000'])
      await order({ symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', price, quantity: '0.01' });
    user = await stage.server.register();
    const connected = await user.call('/gateway/v2/account/connect/binance', { body: { clientId: apiKey, clientSecret: apiSecret } });
    expect(connected.status).toBe(200);
    await until('the history being read', async () => {
      const { body } = await user.call<SyncStatus>('/bff/v2/positions/sync');
      return body.state === 'idle' && body.finishedAt !== null;
    });
    const file = new FormData();
    file.set('file', new Blob([HISTORY], { type: 'text/csv' }), 'history.csv');
    const imported = await user.call('/bff/v2/import-trades/Binance', { body: file });
    expect(imported.body).toMatchObject({ committed: true });
    context = await stage.context(DESKTOP, { ...user, session: await stage.server.signIn(user) });
  });
  afterAll(async () => {
    await venue?.close();
    await stage?.close();
  });

  async function open(path: string, within = context): Promise<{ page: Page; found: string[] }> {
    const page = await within.newPage();
    const found = complaints(page);
    await page.goto(path);
    await settled(page);
    return { page, found };
  }

  const main = (page: Page) => page.getByRole('main');
  const confirm = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

  test('a target is checked against the tick, kept, and back when it is refused', async () => {
    const { page, found } = await open('/positions/open-positions?search=eth');
    await main(page).getByRole('link', { name: /ETH/ }).click();
    await main(page).getByRole('button', { name: 'Set a target for ETHUSDT' }).click();
    const field = main(page).getByRole('textbox', { name: /Target price of ETHUSDT/ });
    await field.fill('9000.005');
    await field.press('Enter');
    await main(page)
      .getByRole('alert')
      .getByText(/steps of 0\.01/)
      .waitFor();
    await main(page).getByRole('button', { name: '9000.01', exact: true }).click();
    await main(page)
      .getByRole('button', { name: /target of ETHUSDT: 9,000.01/ })
      .waitFor();
    // The cell shows what was typed before the server has it.
    const stored = async () => (await user.call<{ items: OpenPosition[] }>('/bff/v2/positions/open')).body.items;
    await expect.poll(async () => (await stored()).find(({ symbol }) => symbol === 'ETHUSDT')?.targetPrice).toBe('9000.01');
    // The server says no: what was there is there again, and the field says why.
    await page.route('**/target-price', (route) => route.fulfill({ status: 503, json: { code: 'exchange-unreachable' } }));
    await main(page)
      .getByRole('button', { name: /target of ETHUSDT: 9,000.01/ })
      .click();
    await field.fill('9100');
    await field.press('Enter');
    await main(page).getByRole('alert').waitFor();
    await field.press('Escape');
    await main(page)
      .getByRole('button', { name: /target of ETHUSDT: 9,000.01/ })
      .waitFor();
    expect(found).toEqual([]);
    await page.close();
  });

  test('open positions move with the ticker, exactly', async () => {
    const { page } = await open('/positions/open-positions');
    const cell = main(page).getByRole('row', { name: /BTC/ }).getByRole('cell').nth(1);
    const first = await cell.textContent();
    await page.waitForFunction(
      ([before]) =>
        [...document.querySelectorAll('main tbody tr')].some(
          (row) => row.textContent?.includes('BTC') && row.querySelectorAll('td')[1]?.textContent !== before,
        ),
      [first],
    );
    await page.close();
  });

  test('one that was sold out is opened again, and that is taken back', async () => {
    const { items } = (await user.call<{ items: ClosedPosition[] }>('/bff/v2/positions/closed?pageSize=50')).body;
    const sold = items.find(({ symbol, number }) => symbol === 'LINKUSDT' && number === 2)!;
    const { page, found } = await open(`/positions/detail/${sold.id}`);
    const offered = () => main(page).getByRole('button').allTextContents();
    await main(page).getByRole('button', { name: en.positions.action.reopen, exact: true }).click();
    await page.getByRole('dialog').getByText(en.positions.ask.reopen.joins).waitFor();
    await confirm(page, en.positions.action.reopen);
    await main(page).getByRole('button', { name: en.positions.action.split, exact: true }).waitFor();
    expect(await offered()).not.toContain(en.positions.action.close);
    expect(await axeViolations(page)).toEqual([]);
    await main(page).getByRole('button', { name: en.positions.action.split, exact: true }).click();
    await confirm(page, en.positions.action.split);
    await main(page).getByRole('button', { name: en.positions.action.reopen, exact: true }).waitFor();
    expect(await offered()).not.toContain(en.positions.action.split);
    expect(found).toEqual([]);
    await page.close();
  });

  test('closed positions: the address carries the filters, the sums of all stay', async () => {
    const { page, found } = await open('/positions/closed-positions');
    const rows = () => main(page).getByRole('row').count();
    expect(await rows()).toBe(6);
    await main(page).getByRole('button', { name: en.positions.filter.hide }).click();
    await main(page).getByRole('textbox', { name: 'to', exact: true }).fill('1');
    await page.waitForURL(/excludedPnl\.max=1/);
    await page.waitForFunction(() => document.querySelectorAll('main tbody tr').length === 3);
    await main(page).getByText('3 positions').waitFor();
    await main(page).getByText('5 positions').waitFor();
    await main(page).getByRole('textbox', { name: 'Hide from' }).fill('5');
    await main(page).getByText('The lower bound is above the upper one.').first().waitFor();
    // What is typed is in the address a little later, and only what is there is kept by loading the page anew.
    await page.waitForURL(/excludedPnl\.min=5/);
    await main(page).getByRole('textbox', { name: 'Hide from' }).fill('');
    await page.waitForURL((url) => !url.searchParams.has('excludedPnl.min'));
    await page.keyboard.press('Escape');
    await main(page).getByRole('columnheader', { name: en.positions.result, exact: true }).getByRole('button').click();
    await page.waitForURL(/order=realised-desc/);
    await page.reload();
    await settled(page);
    await page.waitForFunction(() => document.querySelector('main tbody tr')?.textContent?.includes('LINK'));
    expect(await rows()).toBe(4);
    const download = page.waitForEvent('download');
    await main(page).getByRole('button', { name: 'Export CSV' }).click();
    const stream = await (await download).createReadStream();
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    expect(text.trim().split('\r\n')).toHaveLength(4);
    await main(page).getByRole('combobox', { name: en.positions.filter.coin, exact: true }).selectOption('LINK');
    await main(page).getByRole('combobox', { name: en.positions.filter.bot, exact: true }).selectOption('hand');
    await page.waitForURL(/coins=LINK&bots=hand/);
    await page.waitForFunction(() => document.querySelectorAll('main tbody tr').length === 2);
    await main(page).getByText('3 positions').waitFor({ state: 'detached' });
    expect(await axeViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await main(page).getByRole('combobox', { name: 'Sort by' }).selectOption('held-desc');
    await page.waitForURL(/order=held-desc/);
    expect(await axeViolations(page)).toEqual([]);
    await main(page).getByRole('button', { name: en.positions.clearFilters }).click();
    await page.waitForURL((url) => url.search === '?order=held-desc');
    expect(found).toEqual([]);
    await page.close();
  });

  test('a position is calculated, marked, left out, closed and opened again', { tags: ['smoke'] }, async () => {
    const { body } = await user.call<{ items: OpenPosition[] }>('/bff/v2/positions/open');
    const id = body.items.find(({ symbol }) => symbol === 'SOLUSDT')?.id ?? '';
    const { page, found } = await open(`/positions/detail/${id}`);
    await main(page).getByRole('button', { name: 'Recalculate' }).click();
    await page.getByRole('dialog').getByText('Nothing changed: the figures were correct.').waitFor();
    await page.keyboard.press('Escape');
    await main(page).getByRole('button', { name: 'Mark as broken' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('Bought for a friend');
    await confirm(page, 'Mark as broken');
    await main(page).getByRole('listitem').getByText('Bought for a friend').waitFor();
    await main(page).getByRole('button', { name: 'Remove your mark' }).click();
    await confirm(page, 'Remove your mark');
    await main(page).getByRole('listitem').getByText('Bought for a friend').waitFor({ state: 'detached' });
    await main(page).getByRole('button', { name: 'Exclude from totals' }).click();
    await confirm(page, 'Exclude from totals');
    await main(page).getByText('Not in totals').waitFor();
    await main(page).getByRole('button', { name: 'Mark as closed' }).click();
    await page.getByRole('dialog').getByText('Close the rest at the market price').click();
    if (PICTURES) await page.screenshot({ path: join(PICTURES, 'close-dialog.png') });
    expect(await axeViolations(page)).toEqual([]);
    await confirm(page, 'Mark as closed');
    await main(page).getByText('Closed by you').first().waitFor();
    await main(page).getByRole('button', { name: 'Mark as open' }).click();
    await confirm(page, 'Mark as open');
    await main(page).getByRole('button', { name: 'Mark as closed' }).waitFor();
    await main(page).getByRole('button', { name: 'Include in totals' }).click();
    await confirm(page, 'Include in totals');
    expect(found).toEqual([]);
    await page.close();
  });

  test('an order is cancelled; one whose answer is lost is asked for, not sent again', { tags: ['smoke'] }, async () => {
    const { page, found } = await open('/positions/orders');
    const cancel = (price: string) => main(page).getByRole('button', { name: new RegExp(`Cancel order: Buy BTC / USDT at ${price}`) });
    await cancel('50,000').click();
    await confirm(page, 'Cancel order');
    await cancel('50,000').waitFor({ state: 'detached' });
    // The row says what is under way while the exchange still has the order.
    const standing = async () => (await venue.openOrders(signer, undefined)).map(({ price }) => Number(price));
    await expect.poll(standing).not.toContain(50_000);
    // The request arrives, the answer does not.
    let sent = 0;
    let lost = 0;
    await page.route('**/bff/v2/orders/Binance/BTCUSDT/*', async (route) => {
      if (route.request().method() !== 'DELETE') return route.continue();
      sent += 1;
      await route.fetch();
      await route.abort('connectionreset');
      lost += 1;
    });
    await cancel('51,000').click();
    await confirm(page, 'Cancel order');
    // The row says that it is under way before the request has left.
    await cancel('51,000').waitFor({ state: 'detached' });
    await expect.poll(() => sent).toBe(1);
    await expect.poll(standing).toEqual([52_000]);
    // The exchange has cancelled before the answer is lost: a rule taken back in between fails the test beside it.
    await expect.poll(() => lost).toBe(1);
    expect(sent).toBe(1);
    // It never arrived: the order stands, is said to, and can be cancelled by hand.
    await page.unroute('**/bff/v2/orders/Binance/BTCUSDT/*');
    await page.route('**/bff/v2/orders/Binance/BTCUSDT/*', (route) =>
      route.request().method() === 'DELETE' ? route.abort('connectionreset') : route.continue(),
    );
    await cancel('52,000').click();
    await confirm(page, 'Cancel order');
    await main(page).getByText('The order is still open.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(found).toEqual([]);
    await page.close();
  });

  test('who has nothing yet is told what to do first; what fails says so and tries again', async () => {
    const nobody = await stage.server.register();
    const own = await stage.context({ width: 390, theme: 'dark', language: 'en' }, nobody);
    for (const path of ['', '/open-positions', '/closed-positions', '/orders', '/migration']) {
      const { page, found } = await open(`/positions${path}`, own);
      await main(page).getByRole('link', { name: 'Connect an exchange' }).waitFor();
      await page.waitForFunction(() => document.querySelector('.skeleton') === null);
      // One thing to do first, not two.
      await expect.poll(() => main(page).getByText('No closed positions').count()).toBe(0);
      expect(await axeViolations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      if (PICTURES) await page.screenshot({ path: join(PICTURES, `nothing${path.replace('/', '-')}.png`), fullPage: true });
      expect(found).toEqual([]);
      await page.close();
    }
    await own.close();
    const page = await context.newPage();
    await page.route('**/bff/v2/positions/held*', (route) => route.fulfill({ status: 503, json: { code: 'exchange-unreachable' } }));
    await page.goto('/positions/open-positions');
    await main(page).getByRole('alert').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.unroute('**/bff/v2/positions/held*');
    await main(page).getByRole('button', { name: 'Try again' }).click();
    await main(page).getByRole('row', { name: /BTC/ }).waitFor();
    await page.close();
  });

  // In the fast tier the looks are those of screens.e2e.ts.
  describe.each(TIER === 'deep' ? LOOKS : [])('$width, $theme, $language', (look) => {
    let own: BrowserContext;
    beforeAll(async () => {
      own = await stage.context(look, { ...user, session: await stage.server.signIn(user) });
    });
    afterAll(() => own.close());
    test.each([
      '/positions',
      '/positions/open-positions',
      '/positions/closed-positions',
      '/positions/orders',
      '/positions/import',
      '/positions/migration?asset=ADA',
      '/positions/detail/ID',
      '/positions/detail/ID?tab=days',
    ])('%s', async (path) => {
      const { body } = await user.call<{ items: { id: string; symbol: string }[] }>('/bff/v2/positions/open');
      const { page, found } = await open(path.replace('ID', body.items.find(({ symbol }) => symbol === 'ETHUSDT')?.id ?? ''), own);
      try {
        await page.waitForFunction(() => document.querySelector('.skeleton') === null);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
        if (PICTURES) {
          mkdirSync(PICTURES, { recursive: true });
          const name = `${path.replaceAll(/\W+/g, '-')}-${look.width}-${look.theme}-${look.language}.png`;
          await page.screenshot({ path: join(PICTURES, name), fullPage: true });
        }
        expect(await axeViolations(page)).toEqual([]);
        expect(found).toEqual([]);
      } finally {
        await page.close();
      }
    });
  });
});
