import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CHROMIUM, DESKTOP, ownStage, type Stage, settled } from './stage.ts';

// Access tokens that live 30 seconds, less than the five minutes before expiry at which a session is refreshed. In the deep
// tier: a page that took longer than that to load would find its session over.

const TOKEN_MS = 30_000;

describe.runIf(CHROMIUM)('an access token of 30 seconds', () => {
  let stage: Stage;
  let user: SignedInUser;
  let context: BrowserContext;
  let page: Page;
  let refreshes: number[];

  beforeAll(async () => {
    stage = await ownStage({}, {}, { accessTokenSeconds: TOKEN_MS / 1000 });
    user = await stage.server.register();
  });
  afterAll(() => stage?.close());
  beforeEach(async () => {
    context = await stage.context(DESKTOP, { ...user, session: await stage.server.signIn(user) });
    page = await context.newPage();
    refreshes = [];
    page.on('response', (answer) => answer.url().endsWith('/account/refresh-token') && refreshes.push(answer.status()));
    return () => context.close();
  });
  const stored = () => page.evaluate(() => localStorage.getItem('user_jwt'));

  test('is refreshed as the page starts and by the first call after its end; the page stays, and the call is made again', async () => {
    await page.goto('/user/my-account');
    await settled(page);
    await expect.poll(() => refreshes).toEqual([200]);
    const first = await stored();
    stage.server.advance(TOKEN_MS + 1000);
    const answers: number[] = [];
    page.on('response', (answer) => answer.url().includes('/bff/v2/positions/open') && answers.push(answer.status()));
    await page.evaluate(() => {
      history.pushState({}, '', '/positions/open-positions');
      dispatchEvent(new PopStateEvent('popstate'));
    });
    await expect.poll(() => answers).toEqual([401, 200]);
    expect(refreshes).toEqual([200, 200]);
    expect(await stored()).not.toBe(first);
    expect(new URL(page.url()).pathname).toBe('/positions/open-positions');
  });

  test('whose refresh is refused is discarded, and the login screen says why in words, once', async () => {
    const session = await stage.server.signIn(user);
    const revoked = await stage.context({ ...DESKTOP, language: 'tr' }, { ...user, session: { ...session, refreshToken: 'of-nobody' } });
    const opened = await revoked.newPage();
    // Opened again, the page knows from its tab what happened.
    for (let visit = 0; visit < 2; visit += 1) {
      await opened.goto('/user/my-account');
      await opened.waitForURL((url) => url.pathname === '/auth/login');
      await opened.getByText('Oturumunuz sona erdi').first().waitFor();
      await settled(opened);
      expect(await opened.getByText(/Oturumunuz sona erdi|auth\.signedOut/).allInnerTexts()).toHaveLength(1);
    }
    await revoked.close();
  });

  test('that is over when the page is opened is discarded, and the page asks to sign in', async () => {
    stage.server.advance(TOKEN_MS + 1000);
    // A page whose clock has gone on, too.
    const late = await stage.context(DESKTOP, user);
    const opened = await late.newPage();
    await opened.goto('/user/my-account?from=mail');
    await opened.waitForURL((url) => url.pathname === '/auth/login');
    expect(new URL(opened.url()).searchParams.get('from')).toBe('mail');
    expect(await opened.evaluate(() => localStorage.getItem('user_jwt'))).toBeNull();
    await late.close();
  });

  test('that lives less long than the timer leads is refreshed once a minute while its page stands', async () => {
    await page.clock.install({ time: stage.server.now() });
    await page.goto('/user/security');
    await settled(page);
    // At start-up, whatever is left of it.
    await expect.poll(() => refreshes.length).toBe(1);
    const pass = async (seconds: number) => {
      stage.server.advance(seconds * 1000);
      await page.clock.runFor(seconds * 1000);
    };
    for (let minute = 1; minute <= 5; minute += 1) {
      await pass(59);
      const before = refreshes.length;
      await pass(2);
      await expect.poll(() => refreshes.length).toBeGreaterThan(before);
    }
    expect(refreshes.length).toBeLessThanOrEqual(1 + 5 + 1);
    expect(await stored()).not.toBeNull();
  });
});
