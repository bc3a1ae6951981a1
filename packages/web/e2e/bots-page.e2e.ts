import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import { firstOf } from '@pilotfish/core/testing/tiers';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BOTS as EIGHT, FIGURES, NEEDS } from './bots-answers.ts';
import { axeViolations, CHROMIUM, complaints, DESKTOP, type Look, type Stage, settled, sharedStage } from './stage.ts';

// Which bot earns, which needs me; and the page asks the same few things however many bots there are.

/** A git-ignored folder to look at, e.g. `screens`. */
const PICTURES = process.env.PILOTFISH_SCREENS;
const PHONE: Look = { width: 390, theme: 'dark', language: 'en' };
const { list } = en.autoTrades;

const BOTS = 12;

/** A bot that buys far below anything that comes: it watches. */
const watching = (name: string, walletId: string) => ({
  name,
  walletId,
  coins: { symbols: ['BTCUSDT'] },
  entry: { size: { mode: 'fixed', value: '200' }, trigger: { kind: 'drop', dropPct: '40', lookbackMin: 240 } },
  takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] },
  stopLoss: { mode: 'none' },
});

describe.runIf(CHROMIUM)('the page of all bots', () => {
  let stage: Stage;
  let owner: SignedInUser;
  beforeAll(async () => {
    stage = await sharedStage();
    owner = await stage.server.register();
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
  });
  afterAll(() => stage?.close());

  /** Until the page stands, in its own font, with nothing but placeholders. */
  const stand = async (page: Page) => {
    await page.locator('.skeleton').first().waitFor();
    await page.evaluate(async () => {
      await document.fonts.ready;
      (globalThis as unknown as { shifts: string[] }).shifts.length = 0;
    });
  };
  /** The page of an account with eight bots. */
  async function open(look: Look, address = '/auto-trade') {
    const context = await stage.context(look, { ...owner, session: await stage.server.signIn(owner) });
    const page = await context.newPage();
    const found = complaints(page);
    await page.addInitScript(() => {
      const shifts: string[] = [];
      Object.assign(globalThis, { shifts });
      new PerformanceObserver((entries) => {
        for (const { value, hadRecentInput, sources } of entries.getEntries() as (PerformanceEntry & {
          value: number;
          hadRecentInput: boolean;
          sources: { node?: Element }[];
        })[])
          if (!hadRecentInput) shifts.push(`${value.toFixed(4)} ${sources.map(({ node }) => node?.textContent?.slice(0, 40)).join(' | ')}`);
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.setViewportSize({ width: look.width, height: look.width < 768 ? 844 : 900 });
    let standing: Promise<void> | undefined;
    for (const [path, answer] of [
      ['**/bff/v2/auto-trades', EIGHT],
      ['**/bff/v2/auto-trades/figures', FIGURES],
      ['**/bff/v2/overview/needs', NEEDS],
    ] as const)
      await page.route(path, async (route) => {
        standing ??= stand(page);
        await standing;
        await route.fulfill({ json: answer });
      });
    await page.goto(address);
    await settled(page);
    return { context, page, found };
  }
  const names = (page: Page) => page.locator('[data-row] a[href^="/auto-trade/detail/"]:not([aria-label])').allTextContents();
  const picture = (page: Page, name: string) => (PICTURES ? page.screenshot({ path: join(PICTURES, `bots-${name}.png`) }) : undefined);

  test('every row says what its bot waits for, and none asks for itself', { tags: ['smoke'] }, async () => {
    const user = await stage.server.register();
    const keys = await user.call('/gateway/v2/account/connect/binance/demo', { method: 'POST' });
    await user.call('/gateway/v2/account/connect/binance', { body: keys.body });
    const { body: wallet } = await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Main', mode: 'paper', initialBalance: '9000' } });
    const ids: string[] = [];
    for (let number = 1; number <= BOTS; number += 1) {
      const { body } = await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', {
        body: watching(`Bot ${number}`, wallet.id),
      });
      ids.push(body.autoTrade.id);
      await user.call(`/bff/v2/auto-trades/${body.autoTrade.id}/enable`, { method: 'POST', body: {} });
    }
    const figures = async () =>
      (await user.call<{ id: string; next: { symbol: string } | null }[]>('/bff/v2/auto-trades/figures')).body.filter(({ next }) => next);
    await expect.poll(async () => (await figures()).map(({ id }) => id).sort()).toEqual([...ids].sort());

    const context = await stage.context(DESKTOP, { ...user, session: await stage.server.signIn(user) });
    const page = await context.newPage();
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (/^\/(?:bff|gateway)\//.test(pathname)) asked.push(pathname);
    });
    await page.goto('/auto-trade');
    await settled(page);
    const waiting = page.getByRole('main').getByRole('row').filter({ hasText: 'BTC:' });
    await expect.poll(() => waiting.count()).toBe(BOTS);
    expect(asked.filter((path) => ids.some((id) => path.includes(id)))).toEqual([]);
    expect(asked.filter((path) => path.endsWith('/auto-trades/figures')).length).toBeLessThanOrEqual(3);
    await context.close();
  });

  test.each(
    firstOf<Look>(2, [DESKTOP, PHONE, { width: 1440, theme: 'light', language: 'tr' }, { width: 390, theme: 'light', language: 'tr' }]),
  )(
    'eight bots at $width in $theme and $language: what needs somebody first, nothing is cut off, nothing jumps, axe is content',
    async (look) => {
      const { context, page, found } = await open(look);
      expect((await names(page))[0]).toBe('Alt scalps');
      await picture(page, `${look.width}-${look.theme}-${look.language}`);
      const rows = page.locator('[data-row]');
      expect(await rows.count()).toBe(EIGHT.length);
      if (look.width >= 1440) {
        // State, next event, open, today and total of all eight without scrolling.
        const last = await rows.last().boundingBox();
        expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(900);
        const cut = await rows.evaluateAll((all) =>
          all.flatMap((row) =>
            [...row.querySelectorAll<HTMLElement>('th *, td *')]
              .filter(
                (each) =>
                  !each.classList.contains('visually-hidden') &&
                  each.scrollWidth > each.clientWidth + 1 &&
                  getComputedStyle(each).overflowX !== 'visible',
              )
              .map((each) => each.textContent),
          ),
        );
        expect(cut).toEqual([]);
        const table = page.getByRole('table').first();
        expect(await table.evaluate((each) => each.scrollWidth - (each.parentElement?.clientWidth ?? 0))).toBeLessThanOrEqual(0);
      } else {
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
        expect(await page.locator('dl').first().locator('dt').count()).toBe(3);
      }
      const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: string[] }).shifts);
      const moved = shifts.reduce((sum, shift) => sum + Number.parseFloat(shift), 0);
      expect(moved, shifts.join('\n')).toBeLessThanOrEqual(0.02);
      expect(await axeViolations(page)).toEqual([]);
      expect(found).toEqual([]);
      await context.close();
    },
  );

  test('filters, order and view are in the address; by keys a row is found, chosen, compared and given up', async () => {
    const { context, page } = await open(DESKTOP);
    await page.getByRole('button', { name: /^Needs you/ }).click();
    await expect.poll(() => names(page)).toEqual(['Alt scalps']);
    await expect.poll(() => new URL(page.url()).search).toBe('?state=needs');
    await page.getByRole('button', { name: /^All/ }).click();
    await page.getByRole('button', { name: list.columns.total, exact: true }).click();
    await expect.poll(() => page.getByRole('columnheader', { name: list.columns.total }).getAttribute('aria-sort')).toBe('descending');
    await expect.poll(async () => (await names(page)).slice(0, 2)).toEqual(['Majors trend', 'Dip ladder']);
    await page.reload();
    await settled(page);
    expect((await names(page))[0]).toBe('Majors trend');
    await page.keyboard.press('/');
    await page.keyboard.type('ladder');
    await expect.poll(() => names(page)).toEqual(['Dip ladder', 'Old ladder']);
    await page.getByRole('searchbox').fill('');
    await expect.poll(async () => (await names(page)).length).toBe(EIGHT.length);
    await page.getByRole('searchbox').blur();

    for (const key of ['j', 'x', 'ArrowDown', 'x']) await page.keyboard.press(key);
    const compare = page.getByRole('region', { name: list.compare }).first();
    await compare.waitFor();
    await page.keyboard.press('c');
    const table = compare.getByRole('table');
    expect(await table.getByRole('columnheader').allTextContents()).toEqual([
      list.figure,
      expect.stringContaining('Majors trend'),
      expect.stringContaining('Dip ladder'),
    ]);
    // The better one has a mark and a word, not a colour alone.
    expect(await table.getByRole('row', { name: list.compared.return }).getByRole('cell').allTextContents()).toEqual([
      '+14.92%',
      '+17.09% ✓ better',
    ]);
    expect(await axeViolations(page)).toEqual([]);
    await picture(page, 'compare');
    await page.keyboard.press('Escape');
    await compare.waitFor({ state: 'detached' });
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/auto-trade/detail/*');
    await context.close();
  });

  test('names from right to left turn nothing beside them: in a list of links, in a sentence', async () => {
    const user = await stage.server.register();
    const { body: wallet } = await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'ארנק', mode: 'paper', initialBalance: '900' } });
    for (const name of ['אלף', 'בית'])
      expect((await user.call('/bff/v2/auto-trades', { body: watching(name, wallet.id) })).status).toBe(200);
    const context = await stage.context(DESKTOP, { ...user, session: await stage.server.signIn(user) });
    const page = await context.newPage();
    await page.goto('/auto-trade/wallets');
    await settled(page);
    const main = page.getByRole('main');
    const [first, second] = await Promise.all(
      ['אלף', 'בית'].map(async (name) => {
        const link = main.getByRole('link', { name, exact: true });
        return { x: (await link.boundingBox())!.x, at: await link.evaluate((element) => element.parentElement!.textContent.includes(',')) };
      }),
    );
    // The one that comes first in the list stands first: without isolation two such names and the comma are one run.
    const [left, right] = first!.at ? [second!, first!] : [first!, second!];
    expect(left.x).toBeLessThan(right.x);
    await main.getByRole('button', { name: 'Add or remove: \u2068ארנק\u2069' }).click();
    const field = page.locator('dialog[open]').getByLabel('Note', { exact: false });
    await expect.poll(() => field.getAttribute('dir')).toBe('auto');
    await context.close();
  });
});
