import { describe, expect, test } from 'vitest';
import { entryOf, guard, NOT_FOUND, ROUTES, type RouteEntry, type Viewer } from './route-table.ts';

const GUEST: Viewer = { signedIn: false, isAdmin: undefined };
const USER: Viewer = { signedIn: true, isAdmin: false };
const ADMIN: Viewer = { signedIn: true, isAdmin: true };
const UNKNOWN: Viewer = { signedIn: true, isAdmin: undefined };

// Section 2 of the specification, written down independently of the table.
const SPECIFIED: [path: string, access: RouteEntry['access'], tabBar: boolean][] = [
  ['/auth/login', 'guest', false],
  ['/auth/register', 'guest', false],
  ['/auth/forgot-password', 'guest', false],
  ['/auth/verify-otp', 'guest', false],
  ['/auth/confirm-2fa', 'guest', false],
  ['/user/my-account', 'user', true],
  ['/user/telegram-connect', 'user', true],
  ['/user/exchange-connect', 'user', true],
  ['/user/security', 'user', true],
  ['/prices', 'public', true],
  ['/positions', 'user', true],
  ['/positions/open-positions', 'user', true],
  ['/positions/closed-positions', 'user', true],
  ['/price-alerts', 'user', false],
  ['/auto-trade', 'user', false],
  ['/auto-trade/detail/0190a0b0-0000-7000-8000-000000000000', 'user', false],
  ['/', 'public', true],
  ['/management', 'admin', true],
  ['/management/localization-resources', 'admin', true],
  ['/management/currencies', 'admin', true],
  ['/management/app-settings', 'admin', true],
  ['/management/users', 'admin', true],
];

test.each(SPECIFIED)('%s is for %s, tab bar: %s', (path, access, tabBar) => {
  expect(entryOf(path)).toMatchObject({ access, tabBar });
});
test.each(['/nope', '/auth', '/auth/', '/user', '/auto-trade/detail', '/auto-trade/detail/', '/prices/x', '/management/nope'])(
  '%s is not found',
  (path) => {
    expect(entryOf(path)).toBe(NOT_FOUND);
  },
);
test('verify-otp and confirm-2fa share one screen', () => {
  expect(entryOf('/auth/verify-otp').page).toBe(entryOf('/auth/confirm-2fa').page);
});
test('a slash at the end changes nothing', () => {
  for (const { path } of ROUTES) if (!path.includes(':')) expect(entryOf(`${path}/`).path).toBe(path);
});

describe('the guard', () => {
  const entry = (access: RouteEntry['access']): RouteEntry => ({ path: '/x', page: 'x', access, tabBar: true });
  test.each([
    ['public', GUEST, { show: true }],
    ['public', USER, { show: true }],
    ['guest', GUEST, { show: true }],
    ['guest', USER, { show: false, redirect: '/' }],
    ['user', GUEST, { show: false, redirect: '/auth/login?a=1&b=x%20y' }],
    ['user', USER, { show: true }],
    ['user', UNKNOWN, { show: true }],
    ['admin', GUEST, { show: false, redirect: '/auth/login?a=1&b=x%20y' }],
    ['admin', USER, { show: false, redirect: '/' }],
    ['admin', UNKNOWN, { show: false, wait: true }],
    ['admin', ADMIN, { show: true }],
  ] as const)('%s for %j', (access, viewer, decision) => {
    expect(guard(entry(access), viewer, '?a=1&b=x%20y')).toEqual(decision);
  });
  test('no redirect of the guard is redirected again', () => {
    for (const viewer of [GUEST, USER, ADMIN, UNKNOWN])
      for (const each of ROUTES) {
        const decision = guard(each, viewer, '?q=1');
        if ('redirect' in decision)
          expect(guard(entryOf(decision.redirect.split('?')[0] as string), viewer, '?q=1')).toEqual({ show: true });
      }
  });
});
