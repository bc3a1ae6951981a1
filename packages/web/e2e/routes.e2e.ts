import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, type Look, ownStage, type Stage } from './stage.ts';

// Every path that was asked for, opened by its address as a guest, as somebody who is signed in and as an Admin: who may
// see it, where others are sent, and whether phones have the tab bar.

/** `begun`: of guests whose sign-in has begun; without one it begins. */
type Access = 'public' | 'guest' | 'begun' | 'user' | 'admin';
/** Section 2 of the specification, written down independently of the app's table. */
const LISTED: readonly (readonly [access: Access, tabBar: boolean, paths: string])[] = [
  ['public', true, '/ /prices'],
  ['public', true, '/nowhere /prices/nowhere /management/nowhere'],
  ['guest', false, '/auth/login /auth/register /auth/forgot-password'],
  ['begun', false, '/auth/verify-otp /auth/confirm-2fa'],
  ['user', true, '/user/my-account /user/telegram-connect /user/exchange-connect /user/security'],
  ['user', true, '/positions /positions/open-positions /positions/closed-positions'],
  ['user', false, '/price-alerts /auto-trade /auto-trade/detail/0190a0b0-0000-7000-8000-000000000000'],
  ['admin', true, '/management /management/localization-resources /management/currencies /management/app-settings /management/users'],
];
const PHONE: Look = { width: 390, theme: 'dark', language: 'en' };
const QUERY = '?from=walk';

type Viewer = 'guest' | 'user' | 'admin';
/** Where somebody ends who opens a path; the query goes along to the login. */
function landsOn(access: Access, viewer: Viewer): 'itself' | `/${string}` {
  if (access === 'public' || (access === 'guest' && viewer === 'guest')) return 'itself';
  if (access === 'begun' && viewer === 'guest') return '/auth/login';
  if (access === 'guest' || access === 'begun') return '/';
  if (viewer === 'guest') return `/auth/login${QUERY}`;
  return access === 'user' || viewer === 'admin' ? 'itself' : '/';
}

describe.runIf(CHROMIUM)('the paths of the list', () => {
  let stage: Stage;
  const people: Partial<Record<Viewer, SignedInUser>> = {};
  beforeAll(async () => {
    stage = await ownStage();
    people.admin = await stage.server.register();
    people.user = await stage.server.register();
  });
  afterAll(() => stage?.close());

  test.each(['guest', 'user', 'admin'] as const)('each one opened by its address, as %s', async (viewer) => {
    const who = people[viewer];
    const context = await stage.context(PHONE, who && { ...who, session: await stage.server.signIn(who) });
    const page = await context.newPage();
    for (const [access, tabBar, paths] of LISTED)
      for (const path of paths.split(' ')) {
        await page.goto(`${path}${QUERY}`);
        const wanted = landsOn(access, viewer);
        await page.locator('h1').first().waitFor();
        const here = () => {
          const { pathname, search } = new URL(page.url());
          return wanted === 'itself' || wanted.includes('?') ? `${pathname}${search}` : pathname;
        };
        await expect.poll(() => [path, here()]).toEqual([path, wanted === 'itself' ? `${path}${QUERY}` : wanted]);
        const isNotFound = path.endsWith('nowhere');
        await expect.poll(async () => [path, (await page.title()) === `${en.routes.notFound} · Pilotfish`]).toEqual([path, isNotFound]);
        if (wanted === 'itself')
          expect([path, await page.getByRole('navigation', { name: en.nav.label, exact: true }).filter({ visible: true }).count()]).toEqual(
            [path, tabBar ? 1 : 0],
          );
      }
    await context.close();
  });
});
