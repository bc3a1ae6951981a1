import { loginMachine } from '@pilotfish/core/auth/login-machine';
import { type MachinePath, title, transitionPaths } from '@pilotfish/core/testing/machine-paths';
import { firstOf } from '@pilotfish/core/testing/tiers';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, CHROMIUM, complaints, ownStage, type Stage } from './stage.ts';

// The login machine's own paths, walked in Chromium against the real server: what a person does is done, the calls
// are held until the path says how they end, and every state on the way must be on screen.

const credentials = { username: 'whoever the path needs', password: 'the right one or not' };
const codes = ['wrong-code', 'code-expired', 'offline'].map((code) => ({ error: { code } }));
const session = { accessToken: 'a', refreshToken: 'r', expiresAt: '2026-11-21T00:15:00.000Z' };

type Step = MachinePath['steps'][number];
const codeOf = ({ event }: Step) => (event as { error?: { code: string } }).error?.code;
const enrols = (step: Step) => (step.event as { output?: { secretKey?: string } }).output?.secretKey !== undefined;

const paths = transitionPaths(loginMachine, {
  input: { now: () => 0 },
  identity: ({ wrongCodes }) => wrongCodes,
  stopWhen: ({ context, value }) => context.wrongCodes > 0 || value === 'signedIn',
  cases: {
    'login.submitted': [credentials],
    'challenge.resumed': [{ code: 'c' }],
    'otp.submitted': [{ otpCode: '123456' }],
    'xstate.done.actor.login': [{ output: { code: 'c' } }, { output: { code: 'c', secretKey: 's' } }],
    'xstate.error.actor.login': [{ error: { code: 'invalid-credentials' } }, { error: { code: 'offline' } }],
    'xstate.done.actor.verifyTwoFactor': [{ output: session }],
    'xstate.error.actor.verifyTwoFactor': codes,
    'xstate.done.actor.confirmTwoFactor': [{ output: { ...session, recoveryCodes: ['aaaaa-bbbbb'] } }],
    'xstate.error.actor.confirmTwoFactor': codes,
  },
}).filter(({ steps }) =>
  steps.every(
    ({ event }, index) =>
      // Opening an address is a test of its own; while a password is checked there is nothing to cancel with.
      event.type !== 'challenge.resumed' && !(event.type === 'login.cancelled' && steps[index - 1]?.state.value === 'submitting'),
  ),
);

/** What the enrolment screen offers to an authenticator. */
const secretOn = async (page: Page): Promise<string> => {
  const link = await page.getByRole('link', { name: 'Open on this device' }).getAttribute('href');
  return new URL(link ?? '').searchParams.get('secret') ?? '';
};
const box = (page: Page, position = 1) => page.getByLabel(`Digit ${position} of 6`);
const SHOWS: Record<string, (page: Page) => Promise<void>> = {
  credentials: (page) => page.getByRole('heading', { name: 'Welcome back' }).waitFor(),
  submitting: (page) => page.getByRole('button', { name: 'Signing in…', disabled: true }).waitFor(),
  awaitingCode: async (page) => {
    await page.getByRole('heading', { name: 'Confirm it is you' }).waitFor();
    await page.locator('input[aria-label="Digit 1 of 6"]:enabled').waitFor();
  },
  verifying: (page) => page.locator('input[aria-label="Digit 1 of 6"]:disabled').waitFor(),
  enrolling: async (page) => {
    await page.getByRole('img', { name: 'QR code of the authenticator secret' }).waitFor();
    await page.locator('input[aria-label="Digit 1 of 6"]:enabled').waitFor();
  },
  confirming: (page) => page.locator('input[aria-label="Digit 1 of 6"]:disabled').waitFor(),
  recoveryCodes: (page) => page.getByRole('heading', { name: 'Recovery codes' }).waitFor(),
  signedIn: async (page) => {
    await page.getByRole('button', { name: 'Account' }).waitFor();
    // The menu is of the frame, which hears of a sign-in before the page is another one.
    await page.waitForURL((url) => url.pathname === '/');
    const stored = await page.evaluate(() => localStorage.getItem('user_jwt'));
    expect(Object.keys(JSON.parse(stored ?? '{}')).sort()).toEqual(['accessToken', 'expiresAt', 'refreshToken']);
  },
};

describe.runIf(CHROMIUM)('signing in, in a browser', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await ownStage();
  });
  afterAll(() => stage?.close());

  /** An account that has to enrol still, or one that has. */
  async function account(enrolled: boolean): Promise<{ username: string; password: string; secretKey: string }> {
    if (enrolled) return stage.server.register();
    const username = `new${crypto.randomUUID().slice(0, 8)}`;
    const password = 'deep water runs still';
    await stage.server.call('/gateway/v1/account/create', { body: { username, email: `${username}@example.com`, password } });
    return { username, password, secretKey: '' };
  }

  /** Holds the calls of the flow until they are let go. */
  async function holdCalls(page: Page) {
    const held: Route[] = [];
    const waiting: ((route: Route) => void)[] = [];
    await page.route(/\/gateway\/v1\/account\/(login|verify-2fa|confirm-2fa)$/, (route) => {
      const next = waiting.shift();
      if (next) next(route);
      else held.push(route);
    });
    return { next: () => Promise.resolve(held.shift() ?? new Promise<Route>((resolve) => waiting.push(resolve))) };
  }

  // In the fast tier the one that enrols and ends signed in.
  test.each(firstOf(1, paths).map((path) => [title(path), path] as const))('%s', { tags: ['smoke'] }, async (_, { steps }) => {
    const { username, password, secretKey } = await account(!steps.some(enrols));
    const context = await stage.context();
    const page = await context.newPage();
    const wrong = complaints(page);
    if (steps.some(({ event }) => event.type.startsWith('xstate.after'))) await page.clock.install({ time: stage.server.now() });
    const calls = await holdCalls(page);
    const typeCode = (code: string) => box(page).fill(code);

    for (const [index, step] of steps.entries()) {
      const { type } = step.event;
      const outcome = steps[index + 1];
      const fails = outcome && codeOf(outcome);
      if (type === 'xstate.init') await page.goto('/auth/login');
      else if (type === 'login.submitted') {
        await page.getByLabel('Username or e-mail').fill(username);
        await page.getByLabel('Password', { exact: true }).fill(fails === 'invalid-credentials' ? 'not the password' : password);
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      } else if (type === 'otp.submitted') {
        const secret = secretKey || (await secretOn(page));
        if (fails === 'code-expired') stage.server.advance(6 * 60_000);
        await typeCode(fails === 'wrong-code' ? '000000' : stage.server.nextCode(secret));
      } else if (type === 'login.cancelled') await page.getByRole('button', { name: 'Start over' }).click();
      else if (type === 'recoveryCodes.saved') {
        await page.getByRole('checkbox').check();
        await page.getByRole('button', { name: 'Continue to Pilotfish' }).click();
      } else if (type.startsWith('xstate.after')) await page.clock.fastForward(60 * 60_000);
      else {
        const call = await calls.next();
        if (codeOf(step) === 'offline') await call.abort('connectionfailed');
        else await call.continue();
      }
      await SHOWS[step.state.value as string]?.(page);
      const code = codeOf(step);
      if (code) await page.getByRole('alert').first().waitFor();
    }
    expect(wrong).toEqual([]);
    await context.close();
  });

  test('a reload in the middle of the second factor loses nothing', async () => {
    const user = await stage.server.register();
    const context = await stage.context();
    const page = await context.newPage();
    await page.goto('/auth/login');
    await page.getByLabel('Username or e-mail').fill(user.username);
    await page.getByLabel('Password', { exact: true }).fill(user.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/auth/verify-otp');
    await page.reload();
    await box(page).fill(stage.server.nextCode(user.secretKey));
    await SHOWS.signedIn?.(page);
    await context.close();
  });

  test('the secret of the authenticator leaves the address as it is read, survives a reload, and is gone after it', async () => {
    const { username, password } = await account(false);
    const page = await (await stage.context()).newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(`${request.url()} ${request.headers().referer ?? ''}`));
    await page.goto('/auth/login');
    await page.getByLabel('Username or e-mail').fill(username);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL((url) => url.pathname === '/auth/confirm-2fa' && url.search === '');
    const secret = await secretOn(page);
    expect(secret).not.toBe('');
    await page.reload();
    expect(await secretOn(page)).toBe(secret);
    await box(page).fill(stage.server.nextCode(secret));
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Continue to Pilotfish' }).click();
    await SHOWS.signedIn?.(page);
    expect(asked.filter((each) => each.includes(secret))).toEqual([]);
    expect(await page.evaluate(() => JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)]))).not.toContain(secret);
    await page.context().close();
  });

  test('every sign-in ends on the landing page, which offers first where somebody was going', async () => {
    const user = await stage.server.register();
    const page = await (await stage.context()).newPage();
    const wrong = complaints(page);
    const signIn = async () => {
      await page.getByLabel('Username or e-mail').fill(user.username);
      await page.getByLabel('Password', { exact: true }).fill(user.password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await box(page).fill(stage.server.nextCode(user.secretKey));
      await SHOWS.signedIn?.(page);
      // Its panels are there: what is offered stands with them.
      await page.getByRole('heading', { name: 'Three steps to your first bot' }).waitFor();
    };
    const offers = page.locator('main').getByRole('link', { name: /^Continue to / });
    await page.goto('/price-alerts?tab=history');
    await page.waitForURL('**/auth/login?tab=history');
    await signIn();
    await expect.poll(() => page.locator('main a, main button').first().textContent()).toBe('Continue to Alerts');
    expect(await axeViolations(page)).toEqual([]);
    await offers.click();
    await page.waitForURL('**/price-alerts?tab=history');
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
    await page.goto('/');
    await page.getByRole('heading', { name: 'Three steps to your first bot' }).waitFor();
    await expect.poll(() => offers.count()).toBe(0);
    // Who leaves on purpose was going nowhere.
    await page.goto('/user/my-account');
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await page.waitForURL('**/auth/login');
    await signIn();
    await expect.poll(() => offers.count()).toBe(0);
    expect(wrong).toEqual([]);
    // The first screen of one's choice is offered in the same way, where it was the page itself before.
    expect((await user.call('/bff/v2/account/preferences', { method: 'PUT', body: { startScreen: '/prices' } })).status).toBe(200);
    await page.goto('/user/my-account');
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await page.waitForURL('**/auth/login');
    await signIn();
    await expect.poll(() => offers.first().textContent()).toBe('Continue to Markets');
    await page.context().close();
  });

  test('signing out in one tab signs the other out', { tags: ['smoke'] }, async () => {
    const user = await stage.server.register();
    const context = await stage.context(undefined, user);
    const [first, second] = [await context.newPage(), await context.newPage()];
    await first.goto('/user/my-account');
    await second.goto('/user/security');
    await second.getByRole('heading', { name: 'Devices' }).waitFor();
    await first.getByRole('button', { name: 'Sign out' }).first().click();
    await first.waitForURL('**/auth/login');
    await second.waitForURL('**/auth/login');
    expect(await second.evaluate(() => localStorage.getItem('user_jwt'))).toBeNull();
    await context.close();
  });
});
