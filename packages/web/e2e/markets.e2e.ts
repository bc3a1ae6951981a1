import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import { MARKET_START } from '@pilotfish/simulator/testing/test-market';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, CHROMIUM, ownStage, pagesOf, type Stage } from './stage.ts';

const texts = en.markets;
const PHONE = { width: 390, theme: 'light', language: 'en' } as const;
const PICTURES = process.env.PILOTFISH_SCREENS;
const picture = async (page: Page, name: string) => {
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/markets-${name}.png` });
};
const address = (page: Page) => new URL(page.url()).searchParams;
const listed = (page: Page) => page.locator('.watch-row').evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset.symbol!));
const chosen = (page: Page) => page.locator('.watch-row[data-chosen]').getAttribute('data-symbol');
const chart = (page: Page, symbol: string) => page.getByRole('region', { name: symbol, exact: true });

describe.runIf(CHROMIUM)('the markets', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await ownStage({ market: { kind: 'seeded', seed: 3, startTime: MARKET_START } });
  });
  afterAll(() => stage?.close());

  const at = pagesOf(() => stage);

  test('the chart comes first, with the most traded pairs beside it, and takes the room that it was drawn with', { tags: ['smoke'] }, () =>
    at('/prices', async (page) => {
      const [first] = await listed(page);
      await chart(page, first!).locator('.chart-canvas canvas').first().waitFor();
      const { width, height } = (await page.locator('.chart-canvas').boundingBox())!;
      expect(width).toBeGreaterThanOrEqual(0.55 * 1440);
      expect(height).toBeGreaterThanOrEqual(400);
      expect(await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight])).toEqual([1440, 900]);
      await expect.poll(() => page.title()).toMatch(new RegExp(`^[\\d,.]+ ${first} · `));
      // The day of every pair is drawn beside its figures.
      await expect.poll(() => page.locator('.watch-line svg').count()).toBeGreaterThan(5);
      expect(await axeViolations(page)).toEqual([]);
      await picture(page, 'chart');
    }),
  );

  test('j and k go through the list, f keeps a favourite, v is the next view, each in the address', () =>
    at('/prices', async (page) => {
      const symbols = await listed(page);
      for (const [key, place] of [
        ['j', 1],
        ['j', 2],
        ['k', 1],
      ] as const) {
        await page.keyboard.press(key);
        await chart(page, symbols[place]!).locator('.chart-canvas canvas').first().waitFor();
        expect(address(page).get('pair')).toBe(symbols[place]);
        expect(await chosen(page)).toBe(symbols[place]);
      }
      await page.keyboard.press('f');
      await page.getByRole('button', { name: texts.list.favourites }).click();
      await expect.poll(() => listed(page)).toEqual([symbols[1]]);
      expect(address(page).get('list')).toBe('favourites');
      // Letters in a field are letters; the two letters of another screen are not these.
      await page.keyboard.press('/');
      await page.keyboard.type('jfv');
      expect([address(page).get('pair'), address(page).get('view')]).toEqual([symbols[1], null]);
      await page.getByRole('searchbox').fill('');
      await page.getByRole('searchbox').blur();
      await page.keyboard.press('v');
      await page.locator('.prices-row').first().waitFor();
      await page.keyboard.press('v');
      await page.getByRole('heading', { name: texts.view.map }).waitFor();
      expect(address(page).get('view')).toBe('map');
      expect(await axeViolations(page)).toEqual([]);
      await picture(page, 'map');
      await page.keyboard.press('v');
      await chart(page, symbols[1]!).waitFor();
    }));

  test('lists of one’s own: made, filled by the search, renamed, refused under a name twice, there on another device, deleted', async () => {
    const user = await stage.server.register();
    await at(
      '/prices',
      async (page) => {
        const dialog = page.getByRole('dialog');
        await page.getByRole('button', { name: texts.newList }).click();
        await dialog.getByRole('button', { name: texts.saveList }).click();
        await dialog.getByText(texts.nameMissing).waitFor();
        await dialog.getByRole('textbox', { name: texts.listName }).fill('Layer 1');
        expect(await axeViolations(page)).toEqual([]);
        await dialog.getByRole('button', { name: texts.saveList }).click();
        await page.getByText(texts.empty.own).waitFor();
        expect(address(page).get('list')).toBe('my:Layer 1');
        for (const symbol of ['SOLUSDT', 'AVAXUSDT']) {
          await page.getByRole('searchbox', { name: texts.addOrFind }).fill(symbol);
          await page.getByRole('button', { name: `Add ${symbol}` }).click();
        }
        await page.getByRole('searchbox').fill('');
        await expect.poll(() => listed(page)).toEqual(['SOLUSDT', 'AVAXUSDT']);
        await picture(page, 'own-list');
        await page.getByRole('button', { name: texts.newList }).click();
        await dialog.getByRole('textbox', { name: texts.listName }).fill('layer 1');
        await dialog.getByRole('button', { name: texts.saveList }).click();
        await dialog.getByText(en.validation.watchlist_name).waitFor();
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: 'Edit Layer 1' }).click();
        await dialog.getByRole('button', { name: 'Remove SOLUSDT' }).click();
        await dialog.getByRole('textbox', { name: texts.listName }).fill('L1');
        await dialog.getByRole('button', { name: texts.saveList }).click();
        await expect.poll(() => listed(page)).toEqual(['AVAXUSDT']);
        await expect
          .poll(async () => (await user.call<{ watchlists: unknown }>('/bff/v2/account/preferences')).body.watchlists)
          .toEqual([{ name: 'L1', symbols: ['AVAXUSDT'] }]);
      },
      user,
    );
    await at(
      '/prices',
      async (page) => {
        await page.getByRole('button', { name: 'L1', exact: true }).click();
        await expect.poll(() => listed(page)).toEqual(['AVAXUSDT']);
        await page.getByRole('button', { name: 'Edit L1' }).click();
        await page.getByRole('dialog').getByRole('button', { name: texts.deleteList }).click();
        const question = page.getByRole('dialog', { name: 'Delete L1?' });
        await question.getByRole('button', { name: texts.deleteList }).click();
        await expect.poll(() => page.getByRole('button', { name: 'L1', exact: true }).count()).toBe(0);
        await expect
          .poll(async () => (await user.call<{ watchlists: unknown }>('/bff/v2/account/preferences')).body.watchlists)
          .toEqual([]);
      },
      user,
    );
  });

  test('what is one’s own stands beside the chart: a leads to the line of an alert, which is then a level of the chart', async () => {
    const user = await stage.server.register();
    await at(
      '/prices?pair=ETHUSDT',
      async (page) => {
        await page.getByText(texts.yours.none.replace('{{coin}}', 'ETH')).waitFor();
        await page.keyboard.press('a');
        await page.keyboard.type('> 9000');
        await page.keyboard.press('Enter');
        await expect
          .poll(async () => (await user.call<{ symbol: string; condition: object }[]>('/bff/v2/price-alerts')).body)
          .toMatchObject([{ symbol: 'ETHUSDT', condition: { kind: 'above', level: '9000' } }]);
        await page.getByText(/1 alert level/).waitFor({ state: 'attached' });
        expect(await axeViolations(page)).toEqual([]);
        await picture(page, 'yours');
        const fit = page.getByRole('button', { name: en.chart.fitLevels });
        await fit.click();
        expect(await fit.getAttribute('aria-pressed')).toBe('true');
        await picture(page, 'fit');
      },
      user,
    );
  });

  test('what the table was asked for is the list that one goes through', () =>
    at(`/prices?view=table&sort=symbol&search=ETH`, async (page) => {
      const rows = page.locator('.prices-row');
      await rows.first().waitFor();
      const names = await rows.evaluateAll((all) =>
        all
          .sort((a, b) => Number((a as HTMLElement).dataset.index) - Number((b as HTMLElement).dataset.index))
          .map((row) => (row.querySelector('.prices-pair')?.textContent ?? '').replace(/[ /]/g, '')),
      );
      await rows
        .filter({ hasText: names[0]!.replace('USDT', '') })
        .first()
        .locator('.prices-pair')
        .click();
      await expect.poll(() => listed(page)).toEqual(names);
      expect(address(page).get('list')).toBe('table');
    }));

  test('a tile of the heat map opens its chart', () =>
    at('/prices?view=map', async (page) => {
      await page
        .getByRole('button', { name: /^ETH\b.*[+−]?[\d.]+%/ })
        .first()
        .click();
      await chart(page, 'ETHUSDT').waitFor();
      expect(address(page).get('pair')).toBe('ETHUSDT');
    }));

  test('on a phone the list is first, a pair is a page with its actions in reach, back is the list', () =>
    at(
      '/prices',
      async (page) => {
        const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(await page.locator('.chart-canvas').count()).toBe(0);
        expect(await sideways()).toBeLessThanOrEqual(0);
        expect(await axeViolations(page)).toEqual([]);
        await picture(page, 'phone-list');
        const [, second] = await listed(page);
        await page.locator(`[data-symbol=${second}] .watch-pair`).click();
        await page.locator('.chart-canvas canvas').first().waitFor();
        expect(await sideways()).toBeLessThanOrEqual(0);
        expect(await axeViolations(page)).toEqual([]);
        await picture(page, 'phone-pair');
        const bar = page.getByRole('group', { name: texts.actions });
        await bar.getByRole('button', { name: `Favourite ${second}` }).click();
        await expect.poll(() => bar.getByRole('button', { name: `Favourite ${second}` }).getAttribute('aria-pressed')).toBe('true');
        await page.getByRole('button', { name: texts.backToList }).click();
        await expect.poll(() => listed(page)).toEqual([second]);
      },
      undefined,
      PHONE,
    ));
});
