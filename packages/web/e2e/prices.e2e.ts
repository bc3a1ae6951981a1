import type { CoinFilter } from '@pilotfish/core/prices/screener-contract';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import { MARKET_START } from '@pilotfish/simulator/testing/test-market';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, CHROMIUM, ownStage, pagesOf, type Stage, settled } from './stage.ts';

const PHONE = { width: 390, theme: 'light', language: 'tr' } as const;
const SMALL = { width: 360, theme: 'dark', language: 'en' } as const;

/** Symbols of the first rows, in the order on screen. */
const shown = (page: Page, count = 5): Promise<string[]> =>
  page.evaluate(
    (most) =>
      [...document.querySelectorAll<HTMLElement>('.prices-row')]
        .sort((a, b) => Number(a.dataset.index) - Number(b.dataset.index))
        .slice(0, most)
        .map((row) => (row.querySelector('.prices-pair')?.textContent ?? '').replace(/[ /]/g, '')),
    count,
  );
const rowsOf = (page: Page) => page.getByRole('table').getAttribute('aria-rowcount').then(Number);
const address = (page: Page) => new URL(page.url()).searchParams;

describe.runIf(CHROMIUM)('the table of the markets', () => {
  let stage: Stage;
  let user: SignedInUser;
  beforeAll(async () => {
    // The whole table: how many pairs there are is part of what is tested.
    stage = await ownStage({ market: { kind: 'seeded', seed: 3, startTime: MARKET_START } });
    user = await stage.server.register();
  });
  afterAll(() => stage?.close());

  const at = pagesOf(() => stage);

  test('sorts by several columns, shows their order, and a copied address shows the same', () =>
    at('/prices?view=table', async (page) => {
      await page.getByRole('button', { name: /^Change 24h/ }).click();
      await page.waitForFunction(() => new URL(location.href).searchParams.get('sort') === '-change.24h');
      await page.getByRole('button', { name: /^Price/ }).click({ modifiers: ['Shift'] });
      await page.waitForFunction(() => new URL(location.href).searchParams.get('sort') === '-change.24h,-price');
      // The browser's address is ahead of the screen, which follows in a transition.
      await expect
        .poll(() => page.locator('.prices-order').allInnerTexts())
        .toEqual([expect.stringContaining('2'), expect.stringContaining('1')]);
      await expect.poll(() => page.locator('[aria-sort=descending]').count()).toBe(1);
      await page.waitForFunction(() => document.querySelector('[data-asking]') === null);
      const other = await page.context().newPage();
      await other.goto(page.url());
      await settled(other);
      await expect.poll(() => other.locator('.prices-order').count()).toBe(2);
      await page.waitForFunction(() => {
        const cells = [...document.querySelectorAll<HTMLElement>('.prices-row')]
          .sort((a, b) => Number(a.dataset.index) - Number(b.dataset.index))
          .slice(0, 6)
          .map((row) => Number.parseFloat(row.querySelector<HTMLElement>('[data-column="change.24h"]')?.textContent ?? ''));
        // Live cells move between two answers; the order is that of the last one.
        return cells.length === 6 && cells.every((value, index) => index === 0 || value <= (cells[index - 1] ?? 0) + 0.5);
      }, undefined);
    }));

  test('a rule made by hand narrows the table, its count and the address; Clear brings all back', { tags: ['smoke'] }, () =>
    at('/prices?view=table&quote=all', async (page) => {
      const everything = await rowsOf(page);
      await page.getByRole('button', { name: 'Rule', exact: true }).click();
      const rule = page.getByRole('group', { name: 'Price', exact: true }).or(page.locator('fieldset [role=group][aria-label]').nth(1));
      await rule.first().waitFor();
      await page.getByRole('combobox', { name: 'Field' }).first().selectOption('quoteVolume');
      await page.getByRole('combobox', { name: 'Comparison' }).selectOption('topN');
      await page.getByRole('textbox', { name: 'How many' }).fill('7');
      await page.waitForFunction(() => document.querySelector('[role=table]')?.getAttribute('aria-rowcount') === '8');
      await expect.poll(() => page.getByText('7 pairs match').count()).toBe(1);
      await page.waitForFunction(() => (new URL(location.href).searchParams.get('filter') ?? '').includes('"value":7'));
      // Half a rule asks nothing yet.
      await page.getByRole('textbox', { name: 'How many' }).fill('');
      await page.getByText('Not applied yet: a value is missing.').waitFor();
      await page.waitForFunction(
        (count) => Number(document.querySelector('[role=table]')?.getAttribute('aria-rowcount')) === count,
        everything,
      );
      await page.getByRole('button', { name: 'Clear' }).click();
      await expect.poll(() => page.getByRole('combobox', { name: 'Comparison' }).count()).toBe(0);
    }),
  );

  test('groups, negation and depth; what the server refuses stands at its rule', () =>
    at('/prices?view=table', async (page) => {
      await page.clock.install({ time: stage.server.now() });
      await page.reload();
      await settled(page);
      // A question asked before the first answer came would leave nothing to mark as old.
      await page.locator('.prices-row').first().waitFor();
      await page.getByRole('button', { name: 'Group', exact: true }).click();
      await page.getByRole('button', { name: 'Group', exact: true }).first().click();
      // Three deep, no deeper.
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.getByRole('button', { name: 'Group', exact: true }).click();
      await expect.poll(() => page.locator('fieldset fieldset').count()).toBe(1);
      await page.locator('fieldset fieldset').getByRole('button', { name: 'Group', exact: true }).click();
      await expect
        .poll(() => page.locator('fieldset fieldset fieldset').getByRole('button', { name: 'Group', exact: true }).count())
        .toBe(0);
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.getByRole('button', { name: 'Rule', exact: true }).click();
      await page.getByRole('combobox', { name: 'Field' }).first().selectOption('price');
      await page.getByRole('combobox', { name: 'Comparison' }).selectOption('between');
      // One edit of 1 to 10, whose rows stay: a range that holds nothing in between would be asked, too, where this machine is slow.
      await page.getByRole('textbox', { name: /^To/ }).fill('0.5');
      await page.getByRole('alert').filter({ hasText: 'Enter two values, the smaller one first.' }).waitFor();
      // What was known stays, marked as old.
      await expect.poll(() => page.locator('.prices-grid[data-stale]').count()).toBe(1);
      // Nothing of that goes while nobody changes a rule, however long: the refusal is no news that has to be renewed.
      await page.evaluate(() => {
        const seen = { gone: 0 };
        Object.assign(globalThis, { seen });
        new MutationObserver(() => {
          if (document.querySelector('.prices-grid[data-stale]') === null) seen.gone += 1;
        }).observe(document.body, { subtree: true, childList: true, attributes: true });
      });
      await page.clock.runFor(12_000);
      expect(await page.evaluate(() => (globalThis as unknown as { seen: { gone: number } }).seen.gone)).toBe(0);
      await page.getByRole('textbox', { name: /^To/ }).fill('20');
      await page.locator('.prices-grid:not([data-stale])').waitFor();
      const inside = await rowsOf(page);
      await page.getByRole('button', { name: 'not', exact: true }).nth(1).click();
      await page.waitForFunction(
        (count) => Number(document.querySelector('[role=table]')?.getAttribute('aria-rowcount')) !== count,
        inside,
      );
    }));

  test('columns: any field at any timeframe, in one’s own order, kept for next time', () =>
    at('/prices?view=table', async (page) => {
      await page.getByRole('button', { name: 'Columns' }).click();
      const dialog = page.getByRole('dialog', { name: 'Columns' });
      await dialog.getByRole('searchbox').fill('average true');
      await dialog.getByRole('button', { name: 'Average true range 4h' }).click();
      await dialog.getByRole('button', { name: /Move up: Average true range 4h/ }).click();
      expect(await axeViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Done' }).click();
      await page.waitForFunction(() => (new URL(location.href).searchParams.get('columns') ?? '').endsWith('natr.4h,rsi.1h'));
      await page.getByRole('columnheader', { name: /Average true range 4h/ }).waitFor();
      await page.goto('/prices?view=table');
      await settled(page);
      await page.getByRole('columnheader', { name: /Average true range 4h/ }).waitFor();
      expect(address(page).get('columns')).toMatch(/natr\.4h/);
    }));

  test('a saved filter is loaded, kept as the first view, and deleted', () =>
    at(
      `/prices?filter=${encodeURIComponent('{"match":"all","rules":[{"key":"quoteVolume","operation":"topN","value":9}]}')}`,
      async (page) => {
        await page.getByRole('button', { name: 'Save as coin filter' }).click();
        const dialog = page.getByRole('dialog', { name: 'Save as coin filter' });
        await dialog.getByRole('textbox', { name: 'Name' }).fill('Nine largest');
        expect(await axeViolations(page)).toEqual([]);
        await dialog.getByRole('button', { name: 'Save', exact: true }).click();
        await page.getByRole('button', { name: 'Nine largest', exact: true }).waitFor();
        const saved = await user.call<CoinFilter[]>('/bff/v2/coin-filters');
        expect(saved.body).toMatchObject([
          { name: 'Nine largest', quoteAsset: 'USDT', conditions: { rules: [{ operation: 'topN', value: 9 }] } },
        ]);
        await page.getByRole('button', { name: 'Start with Nine largest' }).click();
        await page.goto('/prices?view=table');
        await settled(page);
        await page.waitForFunction(() => (new URL(location.href).searchParams.get('filter') ?? '').includes('"value":9'));
        await page.getByRole('button', { name: 'Delete Nine largest' }).click();
        await page.getByRole('dialog', { name: 'Delete this filter?' }).getByRole('button', { name: 'Delete', exact: true }).click();
        await page.getByText('No saved filters yet', { exact: false }).waitFor();
        expect((await user.call<CoinFilter[]>('/bff/v2/coin-filters')).body).toEqual([]);
      },
      user,
    ));

  test('search, tags and favourites narrow at once, by keyboard too', () =>
    // In an order that no price changes.
    at('/prices?sort=symbol', async (page) => {
      await page.keyboard.press('/');
      // By what its coin is called, "eth" is found in others, too: Ethena, Ethereum Classic.
      await page.keyboard.type('ethu');
      await page.waitForFunction(() => [...document.querySelectorAll('.prices-pair')].every((pair) => pair.textContent?.includes('ETH')));
      await page.getByRole('button', { name: 'Favourite ETHUSDT' }).click();
      await page.getByRole('searchbox').fill('');
      await page.getByRole('button', { name: 'Favourites' }).click();
      await page.waitForFunction(() => document.querySelector('[role=table]')?.getAttribute('aria-rowcount') === '2');
      expect(await shown(page)).toEqual(['ETHUSDT']);
      await page.getByRole('button', { name: 'All pairs' }).click();
      await page.waitForFunction(() => Number(document.querySelector('[role=table]')?.getAttribute('aria-rowcount')) > 20);
      await page.locator('[data-index="0"] .prices-pair').focus();
      for (const index of ['1', '2']) {
        await page.keyboard.press('ArrowDown');
        await page.waitForFunction(
          (wanted) => document.activeElement?.closest<HTMLElement>('[data-index]')?.dataset.index === wanted,
          index,
        );
      }
      const third = (await shown(page, 3))[2];
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: third, exact: true }).waitFor();
      expect(address(page).get('pair')).toBe(third);
      // Back is the table, as it was left.
      await page.goBack();
      await page.locator('[data-index="0"] .prices-pair').waitFor();
      expect(address(page).get('sort')).toBe('symbol');
    }));

  test('what cannot be renewed stays, with its age, and comes back', () =>
    at('/prices?view=table', async (page) => {
      // The page tries again by itself, which would take the button away just before it is pressed: the way is free from the press on.
      await page.evaluate(() => addEventListener('click', () => document.documentElement.setAttribute('data-pressed', ''), true));
      await page.route('**/bff/v1/filter/results', async (route) =>
        (await page.locator('html[data-pressed]').count()) > 0 ? route.continue() : route.abort(),
      );
      await page.getByText(/^Figures from /).waitFor();
      await expect.poll(() => page.locator('.prices-grid[data-stale]').count()).toBe(1);
      await expect.poll(() => page.locator('.prices-row').count()).toBeGreaterThan(5);
      expect(await axeViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.locator('.prices-grid:not([data-stale])').waitFor();
    }));

  test('when nothing can be loaded the page says so and tries again', async () => {
    const context = await stage.context();
    const page = await context.newPage();
    await page.route('**/bff/v1/filter/options', (route) => route.abort());
    await page.goto('/prices?view=table');
    await page.getByRole('alert').first().waitFor();
    await page.unroute('**/bff/v1/filter/options');
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.locator('.prices-row').first().waitFor();
    await context.close();
  });

  test('three thousand pairs of which some fifty exist, however far one scrolls', () =>
    at('/prices?view=table&quote=all', async (page) => {
      const count = await rowsOf(page);
      expect(count).toBeGreaterThan(300);
      await page.evaluate(() => {
        const grid = document.querySelector('.prices-grid');
        if (grid) grid.scrollTop = grid.scrollHeight;
      });
      await page.waitForFunction((last) => document.querySelector(`[aria-rowindex="${last}"]`) !== null, count);
      await expect.poll(() => page.locator('.prices-row').count()).toBeLessThan(60);
    }));

  test.each([PHONE, SMALL])('on a phone ($width): the builder is a sheet, the pair a page, nothing scrolls sideways', (look) =>
    at(
      '/prices?view=table',
      async (page) => {
        const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(await sideways()).toBeLessThanOrEqual(0);
        await page.getByRole('button', { name: look.language === 'tr' ? 'Filtre' : 'Filter' }).click();
        const sheet = page.getByRole('dialog');
        await sheet.getByRole('button', { name: look.language === 'tr' ? 'Kural' : 'Rule', exact: true }).click();
        expect(await axeViolations(page)).toEqual([]);
        await page.keyboard.press('Escape');
        await page.locator('.prices-pair').first().click();
        await expect.poll(() => page.locator('.prices-row').count()).toBe(0);
        await page.locator('.chart-canvas canvas').first().waitFor();
        expect(await sideways()).toBeLessThanOrEqual(0);
        expect(await axeViolations(page)).toEqual([]);
      },
      undefined,
      look,
    ),
  );

  test.each([
    { ...PHONE, wide: true },
    { ...PHONE, width: 2400, wide: false },
  ])('at $width px the pair stays in sight while the columns are scrolled, and no figure leaves its cell', ({ wide, ...look }) =>
    at(
      '/prices?view=table',
      async (page) => {
        await page.locator('.prices-row').first().waitFor();
        const seen = () =>
          page.locator('.prices-grid').evaluate((grid) => {
            const left = grid.getBoundingClientRect().left;
            // Whole texts of cells, by what is laid out: clipped ones end where their cell does.
            const spilt = [...grid.querySelectorAll<HTMLElement>('.prices-row .prices-cell')].filter(
              (cell) => cell.scrollWidth > cell.clientWidth && getComputedStyle(cell).overflowX === 'visible',
            );
            return {
              hasMore: grid.scrollWidth > grid.clientWidth,
              scrolled: grid.scrollLeft,
              firsts: [...grid.querySelectorAll('.prices-first')].map((cell) => Math.round(cell.getBoundingClientRect().left - left)),
              spilt: spilt.map((cell) => cell.textContent),
            };
          });
        expect((await seen()).hasMore).toBe(wide);
        await page.locator('.prices-grid').evaluate((grid) => grid.scrollBy({ left: 150 }));
        const { scrolled, firsts, spilt } = await seen();
        expect(scrolled > 0).toBe(wide);
        expect(firsts.length).toBeGreaterThan(5);
        expect(firsts.every((left) => left === 0)).toBe(true);
        expect(spilt).toEqual([]);
      },
      undefined,
      look,
    ),
  );
});
