import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import type { Money } from '@pilotfish/core/money/figure';
import { formatSigned } from '@pilotfish/core/money/format';
import { firstOf } from '@pilotfish/core/testing/tiers';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { performanceAnswer } from './performance-answers.ts';
import { axeViolations, CHROMIUM, complaints, DESKTOP, type Look, type Stage, settled, sharedStage } from './stage.ts';

// Does it work, and why: what is shown adds up, and what is clicked on narrows all of it.

/** A git-ignored folder to look at, e.g. `screens`. */
const PICTURES = process.env.PILOTFISH_SCREENS;
const PHONE: Look = { width: 390, theme: 'dark', language: 'en' };
const texts = en.performance;

describe.runIf(CHROMIUM)('the page of performance', () => {
  let stage: Stage;
  let owner: SignedInUser;
  let today: string;
  beforeAll(async () => {
    stage = await sharedStage();
    owner = await stage.server.register();
    today = new Date(stage.server.now()).toISOString().slice(0, 10);
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
  });
  afterAll(() => stage?.close());

  /** Until the page stands, in its own font, with nothing but placeholders. */
  const stand = async (page: Page) => {
    await page.locator('main .skeleton').first().waitFor();
    await page.evaluate(async () => {
      await document.fonts.ready;
      (globalThis as unknown as { shifts: string[] }).shifts.length = 0;
    });
  };
  async function open(
    look: Look,
    search = '',
    answer: (query: URLSearchParams) => object | undefined = (query) => performanceAnswer(query, today),
  ) {
    const context = await stage.context(look, { ...owner, session: await stage.server.signIn(owner) });
    const page = await context.newPage();
    const found = complaints(page);
    await page.setViewportSize({ width: look.width, height: look.width < 768 ? 844 : 900 });
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
    let standing: Promise<void> | undefined;
    await page.route('**/bff/v2/performance*', async (route) => {
      standing ??= stand(page);
      await standing;
      const json = answer(new URL(route.request().url()).searchParams);
      if (json) return route.fulfill({ json });
      const problem = { type: 'about:blank', status: 500, code: 'internal', ...en.errors.internal };
      return route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify(problem) });
    });
    await page.goto(`/performance${search}`);
    await settled(page);
    return { context, page, found };
  }
  const picture = (page: Page, name: string, fullPage = true) =>
    PICTURES ? page.screenshot({ path: join(PICTURES, `performance-${name}.png`), fullPage }) : undefined;
  const netOf = (page: Page) =>
    page
      .locator(`dl[aria-label="${texts.figures}"] dt`)
      .filter({ hasText: texts.net.replace('{{currency}}', 'USDT') })
      .locator('xpath=following-sibling::dd[1]')
      .textContent();
  const signed = (amount: Money) => formatSigned(amount, 'USDT');
  const expected = (search: string) => performanceAnswer(new URLSearchParams(search), today);
  const from90 = () => new Date(Date.parse(today) - 89 * 86_400_000).toISOString().slice(0, 10);

  test('figures and every breakdown; a click on a day narrows all of it, its chip and the way back undo it', {
    tags: ['smoke'],
  }, async () => {
    const { context, page, found } = await open(DESKTOP);
    const all = expected(`from=${from90()}`);
    await expect.poll(() => netOf(page)).toBe(signed(all.net));
    expect(await page.title()).toBe(`${signed(all.net)} USDT · ${en.routes.performance} · Pilotfish`);
    // The result of what is open stands beside it, and is not in it.
    await page.getByText('open +14.10').first().waitFor();
    const total = page.getByRole('row').filter({ hasText: texts.all.live });
    expect(await total.getByRole('cell').last().textContent()).toBe(signed(all.net));
    for (const { name, net } of all.bots)
      await page
        .getByRole('row')
        .filter({ hasText: name ?? 'By hand' })
        .filter({ hasText: signed(net) })
        .waitFor();
    for (const { asset, net } of all.coins)
      await page
        .getByRole('list', { name: texts.byCoin })
        .getByRole('listitem')
        .filter({ hasText: asset })
        .filter({ hasText: signed(net) })
        .waitFor();
    await page.getByRole('link', { name: texts.leftOut['cost-unknown'] }).waitFor();

    const day = all.days.findLast(({ exits, day: name }) => exits > 0 && name.startsWith(today.slice(0, 7)))!;
    await page.locator(`[data-day="${day.day}"]`).click();
    await expect.poll(() => netOf(page)).toBe(signed(day.net));
    expect(new URL(page.url()).search).toBe(`?day=${day.day}`);
    // The other days of the calendar stay, and the curve of the range.
    expect(await page.locator('[data-day]').count()).toBe(
      all.days.filter(({ exits, day: name }) => exits > 0 && name.startsWith(today.slice(0, 7))).length,
    );
    await page.getByText(texts.wholeRange).waitFor();
    await picture(page, 'day');
    const chips = page.getByRole('group', { name: texts.filters }).getByRole('button');
    await chips.first().click();
    await expect.poll(() => netOf(page)).toBe(signed(all.net));
    await page.goBack();
    await expect.poll(() => netOf(page)).toBe(signed(day.net));

    // Two filters: one sum of results in place of equity, which belongs to everything.
    await page.goto('/performance');
    await page.getByRole('button', { name: 'Majors trend' }).click();
    await page.getByRole('button', { name: 'BTC', exact: true }).click();
    const narrowed = expected(`from=${from90()}&bots=01890000-0000-7000-8000-000000000001&coins=BTC`);
    await expect.poll(() => netOf(page)).toBe(signed(narrowed.net));
    await page.getByText(texts.resultsFiltered).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await picture(page, 'filtered');
    await page.getByRole('button', { name: texts.clear }).click();
    await expect.poll(() => netOf(page)).toBe(signed(all.net));
    expect(new URL(page.url()).search).toBe('');
    expect(found).toEqual([]);
    await context.close();
  });

  test('keys choose months and ranges, and a file has the days with the filters in its name', async () => {
    const { context, page, found } = await open(DESKTOP, '?coins=BTC');
    const month = page.getByRole('table').first();
    const heading = () =>
      page
        .locator('section:has([data-day], td) h2')
        .filter({ hasText: /^[A-Z][a-z]+( \d{4})?$/ })
        .first()
        .textContent();
    await month.waitFor();
    const before = await heading();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(heading).not.toBe(before);
    await page.keyboard.press('ArrowRight');
    await expect.poll(heading).toBe(before);
    // In the calendar the arrows go from day to day, over the edge of a month too.
    await page.locator('[data-day][tabindex="0"]').focus();
    await page.keyboard.press('PageUp');
    await expect.poll(heading).not.toBe(before);
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-day')?.slice(0, 7))).not.toBe(today.slice(0, 7));
    await page.keyboard.press('ArrowRight');
    await expect.poll(heading).toBe(before);

    await page.keyboard.press('5');
    await expect.poll(() => new URL(page.url()).searchParams.get('range')).toBe('all');
    await page.keyboard.press('6');
    // A whole page is drawn in a larger window, which closes what hangs from a button.
    await picture(page, 'own-days', false);
    await page.getByRole('textbox', { name: texts.from }).fill(`${today.slice(0, 7)}-01`);
    await page.getByRole('textbox', { name: texts.to, exact: true }).fill(today);
    await page.getByRole('button', { name: texts.apply, exact: true }).click();
    const own = expected(`from=${today.slice(0, 7)}-01&to=${today}&coins=BTC`);
    await expect.poll(() => netOf(page)).toBe(signed(own.net));
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: texts.csv }).click();
    const file = await saving;
    expect(file.suggestedFilename()).toBe(`performance_live_${today.slice(0, 7)}-01_${today}_BTC.csv`);
    const rows = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n')
      .slice(1);
    expect(rows.map((row) => row.split(',')[5])).toEqual(own.days.map(({ net }) => net));

    await page.goto('/prices');
    await settled(page);
    await page.keyboard.press('g');
    await page.keyboard.press('f');
    await page.waitForURL('**/performance');
    expect(found).toEqual([]);
    await context.close();
  });

  test('a bar filters by its hour, with the keyboard too', async () => {
    const { context, page } = await open(DESKTOP);
    const bars = page.getByRole('img', { name: new RegExp(`^${texts.hourResult}`) });
    await bars.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).searchParams.get('hour')).toBe('1');
    await page.getByRole('group', { name: texts.filters }).getByRole('button', { name: '01:00–02:00' }).waitFor();
    await expect.poll(() => netOf(page)).toBe(signed(expected(`from=${from90()}&hour=1`).net));
    await context.close();
  });

  test('while another range loads the last figures stay in grey; an error says so in its place and can be tried again', async () => {
    let answers: 'at once' | 'late' | 'never' = 'at once';
    let release: () => void = () => undefined;
    const { context, page } = await open(DESKTOP, '', (query) => (answers === 'never' ? undefined : performanceAnswer(query, today)));
    const all = expected(`from=${from90()}`);
    await expect.poll(() => netOf(page)).toBe(signed(all.net));
    await page.route('**/bff/v2/performance*', async (route) => {
      if (answers === 'late') await new Promise<void>((resolve) => (release = resolve));
      await route.fallback();
    });
    answers = 'late';
    await page.keyboard.press('1');
    await page.locator('[aria-busy=true].stale').waitFor();
    expect(await netOf(page)).toBe(signed(all.net));
    expect(await axeViolations(page)).toEqual([]);
    answers = 'at once';
    release();
    const week = new Date(Date.parse(today) - 6 * 86_400_000).toISOString().slice(0, 10);
    await expect.poll(() => netOf(page)).toBe(signed(expected(`from=${week}`).net));
    expect(await page.locator('.stale').count()).toBe(0);
    answers = 'never';
    await page.keyboard.press('2');
    await page.getByRole('main').getByRole('alert').waitFor();
    await picture(page, 'error');
    // Figures of another range would be taken for those of this one.
    expect(await page.locator(`dl[aria-label="${texts.figures}"]`).count()).toBe(0);
    answers = 'at once';
    await page.getByRole('button', { name: en.ui.retry }).click();
    await page.locator(`dl[aria-label="${texts.figures}"]`).waitFor();
    await context.close();
  });

  test('before the first exit what is open; where filters leave nothing the way out of them', async () => {
    const { context, page, found } = await open(DESKTOP, '', (query) => performanceAnswer(query, today, []));
    await page.getByRole('heading', { name: texts.emptyTitle }).waitFor();
    await page.getByText('+14.10').waitFor();
    await picture(page, 'empty');
    expect(await axeViolations(page)).toEqual([]);
    expect(found).toEqual([]);
    await context.close();
    const filtered = await open(DESKTOP, '?reasons=Delisted&coins=BTC');
    await filtered.page.getByRole('heading', { name: texts.noneTitle }).waitFor();
    await picture(filtered.page, 'none');
    await filtered.page.getByRole('main').getByRole('button', { name: texts.clear }).last().click();
    await expect.poll(() => netOf(filtered.page)).toBe(signed(expected(`from=${from90()}`).net));
    await filtered.context.close();
  });

  test.each(
    PICTURES
      ? [1440, 390].flatMap((width) =>
          (['dark', 'light'] as const).flatMap((theme) => (['en', 'tr'] as const).map((language) => ({ width, theme, language }))),
        )
      : firstOf<Look>(2, [DESKTOP, PHONE, { width: 1440, theme: 'light', language: 'tr' }, { width: 390, theme: 'light', language: 'tr' }]),
  )('no violations, nothing wider than the page, nothing moves while it loads ($width, $theme, $language)', async (look) => {
    const { context, page, found } = await open(look, '?from=2025-09-01&to=2025-11-25');
    await page.locator('canvas').nth(2).waitFor();
    const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: string[] }).shifts);
    expect(
      shifts.reduce((sum, shift) => sum + Number.parseFloat(shift), 0),
      shifts.join('\n'),
    ).toBeLessThanOrEqual(0.02);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    expect(await axeViolations(page)).toEqual([]);
    if (look.width < 768) {
      expect(await page.locator('dl').first().locator('dt').count()).toBe(4);
      const small = await page
        .getByRole('main')
        .locator('button:visible, select:visible')
        .evaluateAll((targets) =>
          targets.filter((target) => target.getBoundingClientRect().height < 44).map((target) => target.textContent),
        );
      expect(small).toEqual([]);
    }
    expect(found).toEqual([]);
    if (PICTURES) {
      const name = `${look.width}-${look.theme}-${look.language}`;
      await page.screenshot({ path: join(PICTURES, `performance-${name}.png`) });
      await picture(page, `${name}-full`);
      await page.getByRole('button', { name: '%', exact: true }).click();
      await page.getByRole('button', { name: /Wallet|Cüzdan/ }).click();
      await picture(page, `${name}-percent`);
    }
    await context.close();
  });
});
