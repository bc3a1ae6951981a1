import { type PathProxy, type ProxyManner, startPathProxy } from '@pilotfish/server/app/testing/path-proxy';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CHROMIUM, complaints, ownStage, type Stage, settled } from './stage.ts';

// The product below a path of a site that has other things, too: through a proxy that passes the path on, and through one
// that takes it away.

const BASE = '/pilotfish';

describe.runIf(CHROMIUM).each<ProxyManner>(['kept', 'stripped'])('below a path, %s by the proxy', (manner) => {
  let proxy: PathProxy;
  let stage: Stage;
  let user: SignedInUser;
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    proxy = await startPathProxy(BASE, manner);
    stage = await ownStage({}, { publicUrl: proxy.url, trustProxy: 1 });
    proxy.forwardTo(stage.server.url);
    user = await stage.server.register();
  });
  afterAll(async () => {
    await stage?.close();
    await proxy?.close();
  });
  beforeEach(async () => {
    context = await stage.plainContext({ baseURL: proxy.url });
    page = await context.newPage();
    const found = complaints(page);
    return async () => {
      await context.close();
      // Nothing of it was looked for elsewhere on the site; the browser asks for the icon of a site by itself.
      expect(proxy.strays.splice(0).filter((each) => each !== '/favicon.ico')).toEqual([]);
      expect(found).toEqual([]);
    };
  });
  const keys = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('user_jwt')));
  const signIn = async () => {
    await page.getByLabel('Username or e-mail').fill(user.username);
    await page.getByLabel('Password', { exact: true }).fill(user.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Confirm it is you' }).waitFor();
    await page.getByLabel('Digit 1 of 6').fill(stage.server.nextCode(user.secretKey));
    await page.getByRole('button', { name: 'Account', exact: true }).waitFor();
  };

  test('the first page speaks the chosen language before its first paint, and its links lead below the path', async () => {
    await page.goto(`${proxy.url}/`);
    await settled(page);
    await page.getByLabel('Language').selectOption('tr');
    await page.waitForFunction(() => document.documentElement.lang === 'tr');
    await page.addInitScript(() => {
      document.addEventListener('DOMContentLoaded', () => Object.assign(globalThis, { firstLanguage: document.documentElement.lang }));
    });
    await page.reload();
    expect(await page.evaluate('firstLanguage')).toBe('tr');
    await page.getByRole('link', { name: 'Hesap aç' }).click();
    await page.waitForURL(`${proxy.url}/auth/register`);
  });

  test('a deep link shows live prices, also after a reload', { tags: ['smoke'] }, async () => {
    const cells = () => page.getByRole('table').getByRole('cell').allInnerTexts();
    for (const open of [() => page.goto(`${proxy.url}/prices?sort=-price`), () => page.reload()]) {
      const stream = page.waitForResponse((answer) => answer.url().startsWith(`${proxy.url}/bff/v1/stream?`));
      await open();
      await settled(page);
      expect((await stream).status()).toBe(200);
      await expect.poll(async () => (await cells()).length).toBeGreaterThan(10);
      const before = JSON.stringify(await cells());
      await expect.poll(async () => JSON.stringify(await cells()) !== before).toBe(true);
      expect(page.url()).toBe(`${proxy.url}/prices?sort=-price`);
    }
  });

  test('who signs in stays so over a reload; signing out leaves alone what others of this site keep', async () => {
    await page.goto(`${proxy.url}/user/my-account`);
    await page.waitForURL(`${proxy.url}/auth/login`);
    await page.evaluate(() => localStorage.setItem('user_jwt', 'of another'));
    await signIn();
    await page.goto(`${proxy.url}/user/my-account`);
    await settled(page);
    await page.reload();
    await page.getByRole('button', { name: 'Account', exact: true }).waitFor();
    expect(page.url()).toBe(`${proxy.url}/user/my-account`);
    expect((await keys()).sort()).toEqual([`${BASE}:user_jwt`, 'user_jwt']);
    expect((await context.cookies(`${proxy.url}/gateway/v1/account/login`)).map(({ name, path }) => [name, path])).toEqual([
      ['pilotfish_device', `${BASE}/gateway/v1/account`],
    ]);
    await page.getByRole('button', { name: 'Account', exact: true }).click();
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await page.waitForURL(`${proxy.url}/auth/login`);
    await expect.poll(keys).toEqual(['user_jwt']);
    await signIn();
    // An account that may nothing any more: whatever is stored is cleared, and the root is loaded.
    const problem = JSON.stringify({ type: 'about:blank', title: 'No', status: 403, code: 'forbidden' });
    await page.route('**/bff/v2/account', (route) =>
      route.fulfill({ status: 403, contentType: 'application/problem+json', body: problem }),
    );
    await page.goto(`${proxy.url}/user/my-account`);
    await page.waitForURL(`${proxy.url}/`);
    await expect.poll(keys).toEqual(['user_jwt']);
    expect(await page.evaluate(() => localStorage.getItem('user_jwt'))).toBe('of another');
  });

  test('a session that ends in one tab ends in the other, and one of another thing at this site ends none', async () => {
    await page.goto(`${proxy.url}/auth/login`);
    await signIn();
    const other = await context.newPage();
    await other.goto(`${proxy.url}/user/my-account`);
    await settled(other);
    await page.evaluate(() => localStorage.setItem('user_jwt', 'of another'));
    await page.evaluate(() => localStorage.removeItem('user_jwt'));
    await page.getByRole('button', { name: 'Account', exact: true }).click();
    expect(await keys()).toEqual([`${BASE}:user_jwt`]);
    await other.getByRole('button', { name: 'Account', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await other.getByRole('button', { name: 'Account', exact: true }).waitFor({ state: 'detached' });
  });

  test('every screen finds its code, its pictures, and the worker for messages to a closed page', async () => {
    await page.goto(`${proxy.url}/auth/login`);
    await signIn();
    for (const screen of ['', 'positions/open-positions', 'price-alerts', 'auto-trade', 'user/security', 'backtest', 'no/such/page']) {
      await page.goto(`${proxy.url}/${screen}`);
      await settled(page);
    }
    await page.goto(`${proxy.url}/management/currencies`);
    const picture = page.locator(`img[src^="${BASE}/icons/"]`).first();
    await picture.waitFor();
    await expect.poll(() => picture.evaluate((each) => (each as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
    const scope = await page.evaluate(async (base) => {
      const registration = await navigator.serviceWorker.register(`${base}/push-worker.js`);
      await navigator.serviceWorker.ready;
      await registration.unregister();
      return registration.scope;
    }, BASE);
    expect(scope).toBe(`${proxy.url}/`);
  });

  test('opened at the server itself, past the proxy, it goes below the path', async () => {
    await page.goto(`${stage.server.url}/prices?sort=-price`);
    await page.waitForURL(`${stage.server.url}${BASE}/prices?sort=-price`);
    await settled(page);
    await page.goto(`${stage.server.url}${BASE}`);
    await page.waitForURL(`${stage.server.url}${BASE}/`);
    await page.getByRole('link', { name: 'Create account' }).waitFor();
  });
});
