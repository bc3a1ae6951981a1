import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { CHROMIUM, type Stage, settled, sharedStage } from './stage.ts';

// The landing page looks the same however it comes: made ahead without any script, taken over by the app, and drawn by
// the app alone after another page. Styles that arrive in another order, or twice, would show here.

type Part = { what: string; box: string; style: string };

const STYLES = `display position color background-color font-family font-size font-weight font-variant-numeric line-height
  letter-spacing text-align white-space padding margin gap border-width border-color border-radius justify-content
  align-items flex-grow overflow-x z-index text-decoration-line`.split(/\s+/);
const movers = (sign: string) =>
  ['SOL', 'AVAX', 'LINK', 'ORDI', 'SEI', 'TIA', 'ARB'].map((baseAsset, index) => ({
    symbol: `${baseAsset}USDT`,
    baseAsset,
    price: String(100 / (index + 1)),
    changePct: `${sign}${(20 - index * 2.3).toFixed(2)}`,
    quoteVolume: '1000000',
    sparkline: Array.from({ length: 24 }, (_, step) => 100 + Math.sin(step / 3) * 5),
  }));
const ANSWERS: Record<string, unknown> = {
  '**/bff/v1/landing/gainers*': movers(''),
  '**/bff/v1/landing/losers*': movers('-'),
  '**/bff/v1/landing/new-listings*': movers('').map((mover) => ({ ...mover, firstSeenAt: '2026-11-20T00:00:00.000Z' })),
  '**/bff/v1/news': { available: true, items: [] },
};

/** Every part of the page, or of some of it, that takes room: what it is, where it stands, and how it is drawn. */
const looks = (page: Page, within = '#root'): Promise<Part[]> =>
  page.evaluate(
    ([names, root]) => {
      const parts: { what: string; box: string; style: string }[] = [];
      for (const element of document.querySelectorAll(`${root} *`)) {
        const { x, y, width, height } = element.getBoundingClientRect();
        // Announcements are read, not seen; that something loads only a running app can tell.
        if (width === 0 || height === 0 || element.closest('.visually-hidden, .loading-bar')) continue;
        const computed = getComputedStyle(element);
        const words = [...element.childNodes].map((node) => (node.nodeType === Node.TEXT_NODE ? node.textContent : '')).join('');
        parts.push({
          what: `${element.tagName.toLowerCase()} ${words.slice(0, 60)}`.trim(),
          box: [x, y + scrollY, width, height].map((value) => Math.round(value)).join(' '),
          style: names.map((name) => `${name}: ${computed.getPropertyValue(name)}`).join('; '),
        });
      }
      return parts;
    },
    [STYLES, within] as const,
  );

describe.runIf(CHROMIUM)('the looks of the landing page', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await sharedStage();
  });
  afterAll(() => stage?.close());

  const guest = async (options: object = {}, language = 'en'): Promise<BrowserContext> => {
    const context = await stage.plainContext({
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
      timezoneId: 'UTC',
      ...options,
    });
    if (language !== 'en') {
      await context.addCookies([{ name: 'language', value: language, url: stage.server.url }]);
      await context.addInitScript((chosen) => localStorage.setItem('language', chosen), language);
    }
    return context;
  };
  // Asked from outside: where scripts are off no promise of the page is ever kept.
  const fonts = (page: Page) => vi.waitFor(async () => expect(await page.evaluate(() => document.fonts.status)).toBe('loaded'));
  const answered = async (page: Page, answers: Record<string, unknown>) => {
    for (const [pattern, json] of Object.entries(answers)) await page.route(pattern, (route) => route.fulfill({ json }));
  };
  const filled = async (page: Page) => {
    await settled(page);
    await page.getByText('ORDI').first().waitFor();
  };

  /** Share of pixels in which two pictures differ visibly. */
  const difference = async (one: Buffer, other: Buffer): Promise<number> => {
    const page = await stage.browser.newPage();
    const share = await page.evaluate(
      async (pictures) => {
        const [a, b] = await Promise.all(
          pictures.map(async (picture) => {
            const image = new Image();
            image.src = `data:image/png;base64,${picture}`;
            await image.decode();
            const canvas = new OffscreenCanvas(image.width, image.height);
            const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
            context.drawImage(image, 0, 0);
            return context.getImageData(0, 0, image.width, image.height).data;
          }),
        );
        if (!a || !b || a.length !== b.length) return 1;
        let differing = 0;
        for (let at = 0; at < a.length; at += 4)
          if ([0, 1, 2].some((channel) => Math.abs((a[at + channel] ?? 0) - (b[at + channel] ?? 0)) > 24)) differing += 1;
        return differing / (a.length / 4);
      },
      [one.toString('base64'), other.toString('base64')],
    );
    await page.close();
    return share;
  };

  test.each([
    [1440, 'en'],
    [390, 'en'],
    [1440, 'tr'],
  ] as const)('taken over by the app it is what it was without any script (%i px, %s)', async (width, language) => {
    const viewport = { width, height: 900 };
    const bare = await guest({ viewport, javaScriptEnabled: false }, language);
    const still = await bare.newPage();
    await still.goto('/');
    await fonts(still);
    const [before, picture] = [await looks(still), await still.screenshot()];
    await bare.close();
    expect(before.length).toBeGreaterThan(80);

    const context = await guest({ viewport }, language);
    const page = await context.newPage();
    // No answer of the API comes: nothing but the taking over can change what is seen.
    const asked = page.waitForRequest('**/bff/v1/landing/gainers*');
    await page.route(/\/(?:bff|gateway)\//, () => undefined);
    await page.goto('/');
    await asked;
    await fonts(page);
    // That it loads, and whether its stream stands, only a running app can tell: on a slow machine it does so before this.
    await page.addStyleTag({ content: '.loading-bar, header [role=status] { display: none }' });
    expect(await looks(page)).toEqual(before);
    expect(await difference(await page.screenshot(), picture)).toBeLessThan(0.001);
    await context.close();
  });

  test('with figures it is what the app draws by itself after another page', async () => {
    const context = await guest();
    const direct = await context.newPage();
    await answered(direct, ANSWERS);
    await direct.goto('/');
    await filled(direct);
    const across = await context.newPage();
    await answered(across, ANSWERS);
    // A page of the shell, whose styles are linked, and with other chunks loaded on the way.
    await across.goto('/auth/login');
    await across.getByLabel('Password', { exact: true }).waitFor();
    await across.locator('header a[href="/"]').first().click();
    await filled(across);
    await across.evaluate(() => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      scrollTo(0, 0);
    });
    await Promise.all([fonts(direct), fonts(across)]);
    // Whether the stream stands is said in the frame, and is no matter of looks.
    expect(await looks(direct, '#main')).toEqual(await looks(across, '#main'));
    await context.close();
  });

  test('a price stands under its coin’s name, a change at the end of its row', async () => {
    const context = await guest();
    const page = await context.newPage();
    await answered(page, ANSWERS);
    await page.goto('/');
    await filled(page);
    const rows = await page.locator('section li a[href^="/prices?pair="]').evaluateAll((links) =>
      links.map((link) => {
        const [name, price] = link.querySelectorAll('p');
        const box = link.getBoundingClientRect();
        const textLeft = (element: Element | null | undefined) => {
          const range = document.createRange();
          if (element) range.selectNodeContents(element);
          return range.getBoundingClientRect();
        };
        const gap = Number.parseFloat(getComputedStyle(link).paddingRight);
        return [
          Math.round(textLeft(price).left - textLeft(name).left),
          Math.round(box.right - gap - textLeft(link.lastElementChild).right),
        ];
      }),
    );
    expect(rows).toEqual(Array.from({ length: 21 }, () => [0, 0]));
    await context.close();
  });

  test('its general styles stand once, before those of any component', async () => {
    const context = await guest();
    const page = await context.newPage();
    await answered(page, ANSWERS);
    await page.goto('/');
    await filled(page);
    const order = await page.evaluate(() =>
      [...document.styleSheets].flatMap(({ ownerNode, cssRules }) => {
        if (ownerNode instanceof HTMLElement && ownerNode.dataset.emotion !== undefined) return ['component'];
        return [...cssRules].some((rule) => rule instanceof CSSStyleRule && rule.selectorText === '.figure') ? ['general'] : [];
      }),
    );
    expect(order.filter((kind) => kind === 'general')).toEqual(['general']);
    expect(order[0]).toBe('general');
    expect(order.length).toBeGreaterThan(3);
    await context.close();
  });
});
