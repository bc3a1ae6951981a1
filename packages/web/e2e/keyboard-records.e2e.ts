import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { stopOf, walk } from './keyboard-walk.ts';
import { CHROMIUM, type Stage, settled, sharedStage } from './stage.ts';

// Files, reports, targets, budgets and filters without a mouse, on the narrow screen where most lies over each other:
// every stop is in sight, and what is refused takes the focus to what is wrong.

const HEADER = 'Date(UTC),Pair,Side,Price,Executed,Amount,Fee';
const row = (index: number) =>
  `${new Date(Date.UTC(2025, 0, 1) + index * 60_000).toISOString().slice(0, 19).replace('T', ' ')},ETHUSDT,BUY,2000,0.01ETH,20USDT,0.02USDT`;
const { imports, positions, wallets, coinFilters, backtest, ui } = en;

describe.runIf(CHROMIUM)('records with the keyboard alone', () => {
  let stage: Stage;
  let user: SignedInUser;
  let bot: AutoTrade;
  let phone: BrowserContext;

  beforeAll(async () => {
    stage = await sharedStage();
    user = await stage.server.register();
    const keys = await user.call('/gateway/v2/account/connect/binance/demo', { method: 'POST' });
    await user.call('/gateway/v2/account/connect/binance', { body: keys.body });
    const wallet = (await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Main', mode: 'live', initialBalance: '1000' } })).body;
    bot = (
      await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', {
        body: {
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
          takeProfit: { levels: [{ gainPct: '1', sellPct: '100' }] },
          stopLoss: { mode: 'percent', pct: '1' },
        },
      })
    ).body.autoTrade;
    phone = await stage.context({ width: 390, theme: 'dark', language: 'en' }, { ...user, session: await stage.server.signIn(user) });
  });
  afterEach(async () => {
    for (const page of phone.pages()) await page.close();
  });
  afterAll(() => stage?.close());

  const main = (page: Page) => page.getByRole('main');
  const dialog = (page: Page) => page.locator('dialog[open]');
  const button = (within: Page | Locator, name: string | RegExp) => within.getByRole('button', { name, exact: true });
  const open = async (path: string) => {
    const page = await phone.newPage();
    await page.goto(path);
    await settled(page);
    return page;
  };
  const press = async (what: Locator, key = 'Enter') => {
    await what.focus();
    await what.page().keyboard.press(key);
  };
  const bothWays = async (page: Page) => {
    const [there, back] = [await walk(page, 'Tab'), await walk(page, 'Shift+Tab')];
    expect(there.count).toBeGreaterThan(3);
    return [...there.wrong, ...back.wrong];
  };
  const nameOfFocused = (page: Page) =>
    page
      .locator(':focus')
      .evaluate(
        (element) => element.getAttribute('aria-label') ?? (element as HTMLInputElement).labels?.[0]?.textContent ?? element.textContent,
      )
      .catch(() => 'nothing');
  const expectFocus = (page: Page, name: string) => expect.poll(() => nameOfFocused(page)).toBe(name);
  const isSomewhere = (page: Page) => expect.poll(async () => (await stopOf(page)) !== undefined).toBe(true);
  const give = (page: Page, name: string, text: string) =>
    main(page)
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

  test('a file: its questions, what it would bring, and what it brought', async () => {
    const page = await open('/positions/import');
    await give(page, 'zone.csv', [HEADER.replace('Date(UTC)', 'Time'), row(0)].join('\n'));
    await main(page).getByText(imports.zone.title).waitFor();
    expect(await bothWays(page)).toEqual([]);
    await press(button(main(page), imports.otherFile));
    await button(main(page), imports.choose).first().waitFor();
    await isSomewhere(page);

    await give(page, 'own.csv', 'When (UTC),Market name,Way,Each,How many,Sum,Cost\n2025-01-01 10:00:00,BTCUSDT,BUY,90000,0.5,45000,45');
    await main(page).getByRole('status').getByText(imports.mapping.title).waitFor();
    expect(await bothWays(page)).toEqual([]);
    await press(button(main(page), imports.otherFile));

    // Some that can be read, many that cannot: two lists that scroll, and a switch.
    const wrong = Array.from({ length: 40 }, (_, index) =>
      row(index + 100)
        .replace('2000', index % 2 === 0 ? 'much' : '2000')
        .replace('BUY', index % 2 === 0 ? 'BUY' : 'GIFT'),
    );
    await give(page, 'partly.csv', [HEADER, ...Array.from({ length: 30 }, (_, index) => row(index)), ...wrong].join('\n'));
    await main(page).getByRole('heading', { name: imports.notImported }).waitFor();
    expect(await bothWays(page)).toEqual([]);
    await press(main(page).getByLabel(imports.partial_other.replace('{{count}}', '40')), ' ');
    await press(button(main(page), imports.commit_other.replace('{{count}}', '30')));
    await main(page).getByText(imports.done_other.replace('{{count}}', '30')).waitFor();
    await isSomewhere(page);
    expect(await bothWays(page)).toEqual([]);
    const takeBack = button(main(page), imports.undoOf.replace('{{file}}', 'partly.csv'));
    await press(takeBack);
    await dialog(page).waitFor();
    await page.keyboard.press('Escape');
    await expectFocus(page, imports.undoOf.replace('{{file}}', 'partly.csv'));
    await page.keyboard.press('Enter');
    await press(button(dialog(page), imports.undo));
    await main(page).getByText(imports.noPast).waitFor();
    await isSomewhere(page);
  });

  test('the report of a backtest, its charts and its trades, page by page', async () => {
    const page = await open(`/auto-trade/detail/${bot.id}/backtest`);
    await press(button(main(page), backtest.form.run));
    const report = page.getByRole('region', { name: backtest.report, exact: true });
    await report.waitFor();
    await isSomewhere(page);
    expect(await bothWays(page)).toEqual([]);
    await press(report.locator('summary').first());
    expect(await bothWays(page)).toEqual([]);
    const next = button(report, ui.next);
    while (await next.isEnabled()) await press(next);
    // At the end it is off; the way back is beside it.
    await isSomewhere(page);
    await expectFocus(page, ui.previous);
  });

  test('a target price on the page of a position', async () => {
    await user.call(`/bff/v2/auto-trades/${bot.id}/enable`, { method: 'POST', body: {} });
    const held = async () =>
      (await user.call<{ items: { id: string; symbol: string }[] }>('/bff/v2/positions/open')).body.items.find(
        ({ symbol }) => symbol === 'BTCUSDT',
      );
    await expect.poll(held).toBeTruthy();
    const page = await open(`/positions/detail/${(await held())!.id}`);
    const set = positions.target.setOf.replace('{{symbol}}', 'BTCUSDT');
    const label = positions.target.of.replace('{{symbol}}', 'BTCUSDT');
    expect(await bothWays(page)).toEqual([]);
    await press(button(main(page), set));
    await expectFocus(page, label);
    await page.keyboard.press('Escape');
    await expectFocus(page, set);
    await page.keyboard.press('Enter');
    await expectFocus(page, label);
    await page.keyboard.type('0');
    await page.keyboard.press('Enter');
    await main(page).getByText(positions.target.positive).waitFor();
    await expectFocus(page, label);
    // Between two steps: both of them are offered, and everything stays in sight.
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('999999.001');
    await press(button(main(page), positions.target.save));
    const offer = button(main(page), '999999.01');
    await offer.waitFor();
    expect(await bothWays(page)).toEqual([]);
    await press(offer);
    await expect.poll(() => nameOfFocused(page)).toMatch(/999,999\.01/);
    // Refused by the server: what was typed is back in the field, which says why.
    await page.route('**/target-price*', (route) =>
      route.fulfill({
        status: 500,
        contentType: 'application/problem+json',
        body: JSON.stringify({ type: 'about:blank', title: 'No', status: 500, code: 'internal' }),
      }),
    );
    await page.keyboard.press('Enter');
    await expectFocus(page, label);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('888888');
    await page.keyboard.press('Enter');
    await main(page).getByRole('alert').first().waitFor();
    await expectFocus(page, label);
    await page.unroute('**/target-price*');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Enter');
    await expectFocus(page, set);
  });

  test('a budget: what is wrong in it has the focus, whether it is seen here or by the server', async () => {
    const page = await open('/auto-trade/wallets');
    await press(
      button(main(page), `${wallets.change}`)
        .or(main(page).getByRole('button', { name: new RegExp(`^${wallets.change}`) }))
        .first(),
    );
    await dialog(page).waitFor();
    expect(await bothWays(page)).toEqual([]);
    const amount = dialog(page).getByLabel(wallets.line.amount, { exact: true });
    // Nothing given yet: Enter leads to what is missing.
    await press(dialog(page).getByLabel(wallets.note));
    await expectFocus(page, wallets.line.amount);
    await press(button(dialog(page), wallets.way.take));
    await amount.fill('5000000');
    await press(dialog(page).getByLabel(wallets.note));
    await expectFocus(page, wallets.line.amount);
    await expect.poll(() => amount.getAttribute('aria-invalid')).toBe('true');
    await amount.fill('5');
    for (const errors of [[{ path: 'amount', code: 'TOO_HIGH', message: 'Not now' }], []]) {
      await page.route('**/add-balance*', (route) =>
        route.fulfill({
          status: 422,
          contentType: 'application/problem+json',
          body: JSON.stringify({ type: 'about:blank', title: 'No', status: 422, code: 'validation', errors }),
        }),
      );
      await press(button(dialog(page), wallets.way.take).last());
      await dialog(page).getByRole('alert').first().waitFor();
      await isSomewhere(page);
      if (errors.length > 0) await expectFocus(page, wallets.line.amount);
      await page.unroute('**/add-balance*');
    }
    await page.keyboard.press('Escape');
    await isSomewhere(page);
  });

  test('a coin filter: what is missing or refused has the focus', async () => {
    const page = await open('/auto-trade/filters');
    await press(button(main(page), coinFilters.create).first());
    await dialog(page).waitFor();
    expect(await bothWays(page)).toEqual([]);
    const { saved } = en.prices;
    await press(dialog(page).getByLabel(saved.maxSpread));
    await expectFocus(page, saved.name);
    await dialog(page).getByLabel(saved.name).fill('Good ones');
    await dialog(page).getByLabel(saved.minAgeDays).fill('');
    await press(dialog(page).getByLabel(saved.name));
    await expectFocus(page, saved.minAgeDays);
    await dialog(page).getByLabel(saved.minAgeDays).fill('30');
    await page.route('**/v2/coin-filters*', (route) =>
      route.request().method() === 'GET'
        ? route.fallback()
        : route.fulfill({
            status: 422,
            contentType: 'application/problem+json',
            body: JSON.stringify({
              type: 'about:blank',
              title: 'No',
              status: 422,
              code: 'validation',
              errors: [{ path: 'maxSpreadPct', code: 'TOO_HIGH', message: 'Too wide' }],
            }),
          }),
    );
    await press(button(dialog(page), saved.submit));
    await expectFocus(page, saved.maxSpread);
    await expect.poll(() => dialog(page).getByLabel(saved.maxSpread).getAttribute('aria-invalid')).toBe('true');
  });
});
