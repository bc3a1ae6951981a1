import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { monthOf } from '@pilotfish/core/candles/candle-month';
import type { CandleFetch, CandleMonth } from '@pilotfish/core/candles/candles-contract';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import tr from '@pilotfish/core/locales/tr.json' with { type: 'json' };
import { firstOf } from '@pilotfish/core/testing/tiers';
import { until } from '@pilotfish/core/testing/until';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, CHROMIUM, complaints, DESKTOP, type Look, type Stage, settled, sharedStage } from './stage.ts';

// A bot of a person tried on the simulated market's past, in the browser: run, report, cancel, and what stays.

/** That of the form. */
const INTERVAL = '5m';
const SHOTS = process.env.PILOTFISH_SHOTS;

describe.runIf(CHROMIUM)('a backtest in the browser', () => {
  let stage: Stage;
  let user: SignedInUser;
  let bot: AutoTrade;

  beforeAll(async () => {
    stage = await sharedStage();
    user = await stage.server.register();
    const keys = await user.call('/gateway/v2/account/connect/binance/demo', { method: 'POST' });
    await user.call('/gateway/v2/account/connect/binance', { body: keys.body });
    const wallet = (await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Main', mode: 'paper', initialBalance: '1000' } })).body;
    const saved = await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', {
      body: {
        name: 'Tried',
        walletId: wallet.id,
        coins: { symbols: ['BTCUSDT', 'ETHUSDT'] },
        entry: {
          size: { mode: 'fixed', value: '100' },
          trigger: { kind: 'immediate' },
          trailing: { enabled: false },
          order: { type: 'Market' },
        },
        takeProfit: { levels: [{ gainPct: '1', sellPct: '100' }] },
        stopLoss: { mode: 'percent', pct: '1' },
      },
    });
    bot = saved.body.autoTrade;
  });
  afterAll(() => stage?.close());

  const open = async (look: Look) => {
    const context = await stage.context(look, { ...user, session: await stage.server.signIn(user) });
    const page = await context.newPage();
    const heard = complaints(page);
    return { context, page, heard };
  };
  const texts = { en, tr };

  test.each(
    firstOf(1, [
      { width: 1440, theme: 'dark', language: 'en' },
      { width: 390, theme: 'light', language: 'tr' },
      { width: 360, theme: 'dark', language: 'en' },
      { width: 1440, theme: 'light', language: 'tr' },
    ] as const),
  )('is run from the bot and ends in a report: %j', async (look) => {
    const { context, page, heard } = await open(look);
    const t = texts[look.language].backtest;
    await page.goto(`/auto-trade/detail/${bot.id}`);
    await page.getByRole('link', { name: t.open, exact: true }).click();
    await page.waitForURL(`**/auto-trade/detail/${bot.id}/backtest`);
    await page.getByRole('button', { name: t.form.run, exact: true }).click();
    const report = page.getByRole('region', { name: t.report, exact: true });
    await report.waitFor();
    const figures = (await report.locator('dl').allTextContents()).join(' ');
    // A trade of the report is an exit of Performance, so its mean has that name; the length is a note.
    const { expectancy: _mean, maxDrawdownTime: _length, ...names } = t.figures;
    for (const name of [...Object.values(names), texts[look.language].performance.averageExit]) expect(figures).toContain(name);
    // The simulated market moves: a bot that enters at once has traded in a month.
    await expect.poll(() => report.locator('details').count()).toBeGreaterThan(3);
    // What each took and what came of it stand below one another, also where a line has no room for both.
    const amounts = report.locator('summary > :nth-last-child(-n+2)');
    const edges = await amounts.evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().right)));
    expect(new Set(edges).size).toBeLessThanOrEqual(look.width < 768 ? 1 : 2);
    await report.locator('summary').nth(1).click();
    await settled(page);
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)).toBe(true);
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/backtest-${look.width}-${look.theme}-${look.language}.png`, fullPage: true });
    expect(heard).toEqual([]);
    await context.close();
  });

  test('a click on a reason leaves its trades, and a day of them those of the day; chips show it and take it back', async () => {
    const { context, page, heard } = await open(DESKTOP);
    await page.goto(`/auto-trade/detail/${bot.id}/backtest`);
    await page.getByRole('button', { name: en.backtest.form.run, exact: true }).click();
    const report = page.getByRole('region', { name: en.backtest.report, exact: true });
    const trades = report.getByRole('region', { name: en.backtest.trades, exact: true });
    await trades.waitFor();
    const all = Number(await trades.getByText(/^\d+$/).first().textContent());
    const row = report.getByRole('list', { name: en.performance.byReason }).getByRole('listitem').filter({ hasText: 'Stop' });
    const [count] = /\d+/.exec((await row.textContent())!)!;
    await row.getByRole('button').click();
    await trades.getByText(`${count} of ${all}`, { exact: true }).waitFor();
    const reasons = new Set(await trades.locator('summary > :nth-child(3)').allTextContents());
    expect([...reasons]).toEqual([en.exitReasons.StopLoss]);
    await report.locator('[data-day]').last().click();
    await expect.poll(() => report.getByRole('group', { name: en.performance.filters }).getByRole('button').count()).toBe(3);
    expect(Number((await trades.textContent())!.match(/(\d+) of/)![1])).toBeLessThan(Number(count));
    await settled(page);
    expect(await axeViolations(page)).toEqual([]);
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/backtest-filtered.png`, fullPage: true });
    await report.getByRole('group', { name: en.performance.filters }).getByRole('button', { name: en.performance.clear }).click();
    await trades.getByText(/^\d+$/).first().waitFor();
    expect(Number(await trades.getByText(/^\d+$/).first().textContent())).toBe(all);
    expect(heard).toEqual([]);
    await context.close();
  });

  test('stays while one looks elsewhere, and is saved as a page that loads nothing', async () => {
    const { context, page, heard } = await open(DESKTOP);
    await page.goto(`/auto-trade/detail/${bot.id}/backtest`);
    await page.getByRole('button', { name: en.backtest.form.run, exact: true }).click();
    const report = page.getByRole('region', { name: en.backtest.report, exact: true });
    await report.waitFor();
    const before = await report.locator('dl').first().textContent();
    await page.getByRole('link', { name: en.backtest.back }).click();
    await page.getByRole('link', { name: en.backtest.open, exact: true }).click();
    await expect.poll(() => report.locator('dl').first().textContent()).toBe(before);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: en.backtest.save, exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^backtest-BTCUSDT-ETHUSDT-.*\.html$/);
    expect(heard).toEqual([]);
    await context.close();
  });

  test('is cancelled at once, and says why when candles cannot be had', async () => {
    const { context, page } = await open(DESKTOP);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/v1/candles/**', async (route) => {
      await held;
      await route.abort();
    });
    await page.goto(`/auto-trade/detail/${bot.id}/backtest`);
    const run = page.getByRole('button', { name: en.backtest.form.run, exact: true });
    await run.click();
    await page.getByRole('progressbar', { name: en.backtest.loading }).waitFor();
    await expect.poll(() => run.isDisabled()).toBe(true);
    await page.getByRole('main').getByRole('button', { name: en.ui.cancel, exact: true }).click();
    await page.getByRole('progressbar', { name: en.backtest.loading }).waitFor({ state: 'detached' });
    release();
    await run.click();
    await page.getByText(en.backtest.failed.load).waitFor();
    await context.close();
  });

  // The last one: what it stores, no other test has to ask for.
  test('takes stored months from the server, and asks the exchange only for what opened since', async () => {
    const fetched = async (symbol: string): Promise<CandleMonth[]> => {
      const from = monthOf(stage.server.now() - 40 * 86_400_000);
      await user.call('/bff/v2/candle-fetch', { body: { symbol, interval: INTERVAL, from } });
      await until('the months are stored', async () => (await user.call<CandleFetch>('/bff/v2/candle-fetch')).body.state === 'done');
      return (await user.call<{ items: CandleMonth[] }>(`/bff/v2/candle-months?symbol=${symbol}&interval=${INTERVAL}`)).body.items;
    };
    const covered = new Map<string, string>();
    for (const symbol of ['BTCUSDT', 'ETHUSDT']) covered.set(symbol, (await fetched(symbol)).at(-1)!.coveredTo);
    const { context, page, heard } = await open(DESKTOP);
    const asked: URL[] = [];
    page.on('request', (request) => asked.push(new URL(request.url())));
    await page.goto(`/auto-trade/detail/${bot.id}/backtest`);
    await page.getByRole('button', { name: en.backtest.form.run, exact: true }).click();
    await page.getByRole('region', { name: en.backtest.report, exact: true }).waitFor();
    for (const [symbol, until] of covered) {
      expect(asked.filter(({ pathname }) => pathname.includes(`/v2/candle-months/${symbol}/${INTERVAL}/`)).length).toBeGreaterThan(0);
      const pages = asked.filter(
        ({ pathname, searchParams }) =>
          pathname.endsWith(`/v1/candles/${symbol}`) && searchParams.get('interval') === INTERVAL && searchParams.has('endTime'),
      );
      for (const { searchParams } of pages) expect(searchParams.get('endTime')! >= until).toBe(true);
    }
    expect(heard).toEqual([]);
    await context.close();
  });
});
