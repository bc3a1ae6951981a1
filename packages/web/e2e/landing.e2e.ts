import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import { firstOf } from '@pilotfish/core/testing/tiers';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACTIVITY, EQUITY, HELD, NEEDS, NEXT } from './home-answers.ts';
import { axeViolations, CHROMIUM, complaints, DESKTOP, type Look, type Stage, settled, sharedStage } from './stage.ts';

/** A git-ignored folder to look at, e.g. `screens`. */
const PICTURES = process.env.PILOTFISH_SCREENS;
const DAY = 86_400_000;
const curve = (count: number, from: number, slope: number) =>
  Array.from({ length: count }, (_, index) => from + index * slope + Math.sin(index / 3) * from * 0.02);
const movers = (sign: 1 | -1) =>
  ['SOL', 'AVAX', 'LINK', 'ORDI', 'SEI', 'TIA', 'ARB', 'PEOPLE'].map((baseAsset, index) => ({
    symbol: `${baseAsset}USDT`,
    baseAsset,
    price: String(100 / (index + 1)),
    // Of a pair of cents, of one with the finest tick there is, and as an older server tells it.
    ...(index < 2 && { pricePrecision: [2, 8][index] }),
    changePct: (sign * (20 - index * 2.3)).toFixed(2),
    quoteVolume: '1000000',
    sparkline: curve(48, 100, sign * 0.4),
  }));
/** What an account in use would see; the shapes are the contract's, or the client would refuse them. */
const ANSWERS: Record<string, unknown> = {
  '**/bff/v2/overview/equity*': EQUITY,
  '**/bff/v2/overview/needs': NEEDS,
  '**/bff/v2/overview/next*': NEXT,
  '**/bff/v2/overview/activity*': ACTIVITY,
  '**/bff/v2/positions/held*': HELD,
  '**/bff/v1/landing/holdings*': ['BTC', 'ETH', 'USDT', 'SOL', 'LINK', 'OLD'].map((asset, index) => ({
    asset,
    quantity: String(1.25 / (index + 1)),
    value: String(6000 / (index + 1)),
    sharePct: String(40 / (index + 1)),
    changePct: index === 5 ? null : (3.5 - index * 1.7).toFixed(2),
  })),
  '**/bff/v1/landing/gainers*': movers(1),
  '**/bff/v1/landing/losers*': movers(-1),
  '**/bff/v1/landing/new-listings*': movers(1).map((mover, index) => ({
    ...mover,
    firstSeenAt: new Date(Date.UTC(2026, 10, 20) - index * DAY).toISOString(),
  })),
  '**/bff/v1/news': {
    available: true,
    items: Array.from({ length: 4 }, (_, index) => ({
      title: `Exchange lists coin number ${index + 1} and opens its first pairs`,
      link: `https://news.example/${index}`,
      source: 'Example News',
      publishedAt: '2026-11-20T12:00:00.000Z',
      summary: '',
    })),
  },
};
const PANELS: Record<string, string> = {
  '**/bff/v2/overview/equity*': 'Equity',
  '**/bff/v2/overview/needs': 'Needs you',
  '**/bff/v2/overview/next*': 'Next',
  '**/bff/v2/overview/activity*': 'Today',
  '**/bff/v2/positions/held*': 'Open positions',
  '**/bff/v1/landing/holdings*': 'Holdings',
  '**/bff/v1/landing/gainers*': 'Gainers',
  '**/bff/v1/landing/losers*': 'Losers',
  '**/bff/v1/landing/new-listings*': 'New listings',
  '**/bff/v1/news': 'News',
};

describe.runIf(CHROMIUM)('the landing page', () => {
  let stage: Stage;
  let user: SignedInUser;
  beforeAll(async () => {
    stage = await sharedStage();
    user = await stage.server.register();
    const keys = await user.call('/gateway/v2/account/connect/binance/demo', { method: 'POST' });
    await user.call('/gateway/v2/account/connect/binance', { body: keys.body });
    // In use for long: the steps to a first bot are closed.
    await user.call('/bff/v2/account/preferences', { method: 'PUT', body: { dismissedSteps: ['first-days'] } });
  });
  afterAll(() => stage?.close());

  const open = async (look: Look, as?: SignedInUser): Promise<BrowserContext> =>
    stage.context(look, as && { ...as, session: await stage.server.signIn(as) });
  const filled = async (page: Page) => {
    for (const [pattern, json] of Object.entries(ANSWERS)) await page.route(pattern, (route) => route.fulfill({ json }));
  };
  /** Holds every answer back until the page stands, in its own font, with nothing but placeholders. */
  const filledLate = async (page: Page) => {
    let standing: Promise<void> | undefined;
    const stand = async () => {
      await page.locator('.skeleton').first().waitFor();
      await page.evaluate(async () => {
        await document.fonts.ready;
        (globalThis as unknown as { shifts: string[] }).shifts.length = 0;
      });
    };
    for (const [pattern, json] of Object.entries(ANSWERS))
      await page.route(pattern, async (route) => {
        standing ??= stand();
        await standing;
        await route.fulfill({ json });
      });
  };

  test.each(
    firstOf<Look & { as: 'guest' | 'user' }>(1, [
      { ...DESKTOP, as: 'user' },
      { width: 390, theme: 'light', language: 'tr', as: 'user' },
      { width: 360, theme: 'dark', language: 'tr', as: 'guest' },
    ]),
  )(
    'for a $as ($width, $theme, $language): filled, no violations, nothing sideways, nothing moves while it loads',
    async ({ as, ...look }) => {
      const context = await open(look, as === 'user' ? user : undefined);
      const page = await context.newPage();
      const found = complaints(page);
      await page.addInitScript(() => {
        const shifts: string[] = [];
        Object.assign(globalThis, { shifts });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & {
            value: number;
            hadRecentInput: boolean;
            sources: { node?: Element }[];
          })[])
            if (!entry.hadRecentInput)
              shifts.push(`${entry.value.toFixed(4)} ${entry.sources.map(({ node }) => node?.textContent?.slice(0, 40)).join(' | ')}`);
        }).observe({ type: 'layout-shift', buffered: true });
      });
      await filledLate(page);
      await page.goto('/');
      await settled(page);
      if (as === 'user') {
        await page.locator('.chart-canvas canvas').first().waitFor();
        // With the decimals of its pair, zeros too.
        for (const price of ['100.00', '50.00000000', '33.33333333']) await page.getByText(price, { exact: true }).first().waitFor();
      }
      const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: string[] }).shifts);
      expect(
        shifts.reduce((sum, shift) => sum + Number.parseFloat(shift), 0),
        shifts.join('\n'),
      ).toBeLessThan(0.02);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      expect(await axeViolations(page)).toEqual([]);
      expect(found).toEqual([]);
      if (PICTURES) {
        mkdirSync(PICTURES, { recursive: true });
        await page.screenshot({ path: join(PICTURES, `landing-filled-${as}-${look.width}-${look.theme}.png`), fullPage: true });
      }
      await context.close();
    },
  );

  test.each(Object.entries(PANELS))('%s breaks: only its panel says so, and tries again', async (pattern, title) => {
    const context = await open(DESKTOP, user);
    const page = await context.newPage();
    await filled(page);
    await page.route(pattern, (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        json: { title: 'Out of reach', status: 503, code: 'exchange-unreachable', detail: 'It cannot be reached.' },
      }),
    );
    await page.goto('/');
    await settled(page);
    const alert = page.getByRole('main').getByRole('alert');
    await alert.waitFor();
    await expect.poll(() => alert.count()).toBe(1);
    const panel = page
      .locator('section')
      .filter({ has: page.getByText(title, { exact: true }) })
      .last();
    await expect.poll(() => panel.getByRole('alert').count()).toBe(1);
    expect(await axeViolations(page)).toEqual([]);
    await page.route(pattern, (route) => route.fulfill({ json: ANSWERS[pattern] }));
    await panel.getByRole('button', { name: 'Try again' }).click();
    await alert.waitFor({ state: 'detached' });
    await context.close();
  });

  test('a newcomer is led to a first bot by three steps, one of them the exchange account', { tags: ['smoke'] }, async () => {
    const newcomer = await stage.server.register();
    const context = await open(DESKTOP, newcomer);
    const page = await context.newPage();
    await page.goto('/');
    await page.getByRole('heading', { name: en.overview.dayOne.title }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: en.nextSteps.offers.connect.button }).count()).toBe(1);
    await page.getByText('Nothing needs you. Checked').waitFor();
    await context.close();
  });

  test('at 1440 × 900 the day, the risk, what needs its reader and what is next stand without scrolling', async () => {
    const context = await open(DESKTOP, user);
    const page = await context.newPage();
    await filled(page);
    await page.goto('/');
    await settled(page);
    const main = page.getByRole('main');
    const seen = [
      main.getByText('12,480.22').first(),
      main.getByText('+85.22').first(),
      main.getByText('+14.10').first(),
      main.getByText('189.20', { exact: true }).first(),
      main.getByText('The API key expires').first(),
      ...['0.6846', '98,340.75', '3,628.55', '158.20', '100,000.00'].map((price) => main.getByText(price).first()),
      ...['BTC', 'ETH', 'SOL', 'ADA', 'BNB'].map((asset) => main.getByRole('row', { name: new RegExp(`^${asset} `) })),
    ];
    for (const each of seen) {
      await each.waitFor();
      const box = await each.boundingBox();
      expect([await each.textContent(), (box?.y ?? 0) + (box?.height ?? 0) <= 900]).toEqual([expect.anything(), true]);
    }
    expect(await page.title()).toBe('+85.22 USDT · Home · Pilotfish');
    // Below zero is a minus sign, a position without a stop says so, zero has no tone.
    await main.getByText('−17.29').first().waitFor();
    await main.getByText('BNB has no stop.').waitFor();
    if (PICTURES) {
      mkdirSync(PICTURES, { recursive: true });
      await page.screenshot({ path: join(PICTURES, 'home-1440-dark.png'), fullPage: true });
      await page.setViewportSize({ width: 1920, height: 1080 });
      await page.screenshot({ path: join(PICTURES, 'home-1920-dark.png') });
    }
    await context.close();
    const phone = await open({ width: 390, theme: 'light', language: 'en' }, user);
    const small = await phone.newPage();
    await filled(small);
    await small.goto('/');
    await settled(small);
    const first = small.getByText('The API key expires').first();
    await first.waitFor();
    const box = await first.boundingBox();
    // Above the tab bar.
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(844 - 60);
    if (PICTURES) await small.screenshot({ path: join(PICTURES, 'home-390-light.png'), fullPage: true });
    await phone.close();
  });

  test('intervals and ranges stand in the address and are asked for', async () => {
    const context = await open(DESKTOP, user);
    const page = await context.newPage();
    await filled(page);
    await page.goto('/?interval=7d&range=1y');
    await settled(page);
    await expect
      .poll(() => page.getByRole('group', { name: 'Interval' }).getByRole('button', { name: '7d' }).getAttribute('aria-pressed'))
      .toBe('true');
    const asked = page.waitForRequest((request) => /gainers\?interval=30d/.test(request.url()));
    await page.getByRole('group', { name: 'Interval' }).getByRole('button', { name: '30d' }).click();
    await asked;
    const chart = page.waitForRequest((request) => /overview\/equity\?mode=live&range=7d/.test(request.url()));
    await page.getByRole('group', { name: 'Range' }).getByRole('button', { name: '1W' }).click();
    await chart;
    await page.waitForFunction(() => location.search === '?interval=30d&range=7d');
    await context.close();
  });

  test('the code of a guest’s first screen holds no chart library, no schema library and no table', async () => {
    const context = await open(DESKTOP);
    const page = await context.newPage();
    const scripts: string[] = [];
    page.on('response', async (response) => {
      if (response.url().endsWith('.js')) scripts.push(await response.text().catch(() => ''));
    });
    await page.goto('/');
    await settled(page);
    const all = scripts.join('\n');
    expect(all).not.toContain('u-over');
    expect(all).not.toContain('tv-lightweight-charts');
    expect(all).not.toContain('prices-grid');
    expect(all).not.toContain('Toastify__');
    await context.close();
  });
});
