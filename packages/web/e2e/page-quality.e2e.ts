import { firstOf } from '@pilotfish/core/testing/tiers';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, CHROMIUM, complaints, DESKTOP, type Look, type Stage, settled, sharedStage } from './stage.ts';

// What a page owes browsers, search engines and readers with assistive technology, asked of the page and of the
// browser itself: its issues, the answer's headers. Speed is measured by the benchmarks.

const PHONE: Look = { width: 390, theme: 'light', language: 'en' };

/** What the page says of itself and how it is built, as a list of what is wrong. */
function shortcomings(): string[] {
  const wrong: string[] = [];
  const demand = (holds: boolean, what: string) => void (holds || wrong.push(what));
  const meta = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
  demand(document.doctype?.name === 'html', 'no doctype: the page is drawn in quirks mode');
  demand(document.characterSet === 'UTF-8', `character set is ${document.characterSet}`);
  demand(document.title.length > 'Pilotfish'.length, `title "${document.title}" does not name the page`);
  demand(meta('description').length >= 50, 'no description');
  demand(document.documentElement.lang !== '', 'no language');
  demand(/width=device-width/.test(meta('viewport')), 'viewport does not follow the device');
  demand(!/user-scalable=no|maximum-scale/.test(meta('viewport')), 'viewport forbids zooming');
  demand(!/noindex/.test(meta('robots')), 'search engines are turned away');
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a')) {
    const name = (link.getAttribute('aria-label') ?? link.textContent).trim();
    demand(link.getAttribute('href') !== null && !link.href.startsWith('javascript:'), `a link without an address: ${name}`);
    demand(name !== '' || link.querySelector('img[alt], svg[aria-label]') !== null, `a link without a name to ${link.href}`);
    demand(link.target !== '_blank' || /noopener|noreferrer/.test(link.rel), `${link.href} can reach this window`);
  }
  for (const image of document.querySelectorAll('img')) {
    demand(image.hasAttribute('alt'), `an image without alternative text: ${image.src}`);
    demand(image.complete && image.naturalWidth > 0, `an image that is missing: ${image.src}`);
    const [shown, natural] = [image.width / image.height, image.naturalWidth / image.naturalHeight];
    demand(!image.naturalHeight || Math.abs(shown / natural - 1) < 0.05, `a distorted image: ${image.src}`);
  }
  return wrong;
}

/** Loads the pictures that nobody has scrolled to yet: what is not loaded is not missing, and may be missing all the same. */
const loadPictures = () =>
  Promise.allSettled(
    [...document.querySelectorAll('img')].map((image) => {
      image.loading = 'eager';
      return image.decode();
    }),
  );

describe.runIf(CHROMIUM)('what a page owes', () => {
  let stage: Stage;
  let user: SignedInUser;
  beforeAll(async () => {
    stage = await sharedStage();
    user = await stage.server.register();
  });
  afterAll(() => stage?.close());

  async function visit(context: BrowserContext, path: string): Promise<void> {
    const page = await context.newPage();
    const found = complaints(page);
    const browser = await context.newCDPSession(page);
    // What the developer tools list under Issues: deprecated calls, cookies, mixed content, blocked policies.
    const issues: string[] = [];
    browser.on('Audits.issueAdded', ({ issue }) => void issues.push(`${issue.code} ${JSON.stringify(issue.details).slice(0, 300)}`));
    await browser.send('Audits.enable');
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(stage.server.url)) foreign.push(request.url());
    });
    const answer = await page.goto(path);
    await settled(page);
    expect(answer?.status()).toBe(200);
    await page.evaluate(loadPictures);
    expect(await page.evaluate(shortcomings)).toEqual([]);
    expect(await axeViolations(page)).toEqual([]);
    expect(foreign).toEqual([]);
    expect(issues).toEqual([]);
    expect(found).toEqual([]);
    await page.close();
  }

  test.each(firstOf(1, [DESKTOP, PHONE]))('landing and prices for a guest ($width)', async (look) => {
    const context = await stage.context(look);
    for (const path of ['/', '/prices', '/prices?view=table', '/prices?view=map']) await visit(context, path);
  });

  test.each(firstOf(1, [DESKTOP, PHONE]))('bots, signed in ($width)', async (look) => {
    const context = await stage.context(look, { ...user, session: await stage.server.signIn(user) });
    await visit(context, '/auto-trade');
  });

  test('what may be kept, and what a page may load, stands in the headers', async () => {
    const { headers } = await fetch(`${stage.server.url}/prices`);
    expect(headers.get('content-type')).toMatch(/^text\/html; charset=utf-8$/i);
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'/);
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe-eval|\*/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    const html = await (await fetch(`${stage.server.url}/`)).text();
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';
    const asset = await fetch(`${stage.server.url}${script}`);
    expect(asset.headers.get('cache-control')).toMatch(/max-age=31536000.*immutable/);
  });
});
