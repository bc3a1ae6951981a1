// @vitest-environment happy-dom
import { VIEW_LIMITS } from '@pilotfish/core/account/view-limits';
import type { FinishedStep } from '@pilotfish/core/overview/first-days';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { choicesOf } from '../../platform/choices.ts';
import { show, signedIn, testApp } from '../../platform/testing/shown-app.tsx';
import { NextStep } from './next-step.tsx';

const account = {
  claims: [],
  exchanges: [{ name: 'Binance', tradeEnabled: true }],
  hasTelegram: false,
  username: 'ada',
  email: 'ada@example.com',
  emailConfirmed: true,
  createdAt: '1970-01-01T00:00:00.000Z',
};
const history = { state: 'idle', done: 1, total: 1, tradesFound: 1204, differences: [{}, {}, {}] };
const bot = { id: 'a', name: 'Dip', state: 'Disabled', lastTrace: null, openPositions: 0, createdAt: '1970-01-01T00:00:00.000Z' };
const channels = [{ channel: 'telegram', available: false, reason: 'not-connected', target: null }];

/** What the server knows of a newcomer who has done everything but what comes next. */
const newcomer = {
  getAccount: async () => account,
  getSyncStatus: async () => history,
  listWallets: async () => [{ id: 'w', mode: 'paper' }],
  listAutoTrades: async () => [],
  listPriceAlerts: async () => [{}],
  getNotificationSettings: async () => ({ channels }),
};

// The texts say numbers as the browser does.
beforeEach(() =>
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: () => undefined, removeEventListener: () => undefined })),
);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const PLACES: readonly [FinishedStep, Partial<Record<keyof typeof newcomer, unknown>>, string, string][] = [
  ['exchange', {}, 'Binance is connected. 1,204 trades read: your holdings and their cost are ready.', '/positions'],
  ['wallet', {}, 'Your wallet is open. Next: a bot that buys and sells by your rules.', '/auto-trade/create?wallet=w'],
  ['bot', { listAutoTrades: async () => [bot] }, 'Saved. Dip buys nothing until you enable it.', '/auto-trade/detail/a'],
  [
    'start',
    { listAutoTrades: async () => [{ ...bot, state: 'Running' }] },
    'Dip is running. Its messages reach you only while Pilotfish is open.',
    '/user/telegram-connect',
  ],
  ['alert', {}, 'Alert created. Its messages reach you only while Pilotfish is open.', '/user/telegram-connect'],
  [
    'channel',
    {
      listPriceAlerts: async () => [],
      getNotificationSettings: async () => ({ channels: [{ ...channels[0], available: true, reason: null }] }),
    },
    'Your notification channel is ready. Next: a price alert on a coin you follow.',
    '/price-alerts',
  ],
  ['import', {}, 'The file was imported. 3 balances are not explained by your trades yet.', '/positions/migration'],
];

test.each(PLACES)('at the end of %s stands what was done, what comes next, and the one way there', async (after, calls, words, to) => {
  await show(
    signedIn(testApp({ calls: { ...newcomer, ...calls } })),
    <NextStep after={after} name="Dip" id={after === 'wallet' ? 'w' : 'a'} />,
  );
  const line = await screen.findByText((_, node) => node?.tagName === 'P' && node.textContent === words);
  const region = within(line.closest('[role=status]') as HTMLElement);
  expect(region.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([to]);
});

test('what is only advice can be dismissed, and is not offered again', async () => {
  await show(signedIn(testApp({ calls: newcomer })), <NextStep after="alert" />);
  fireEvent.click(await screen.findByRole('button', { name: 'Dismiss' }));
  expect(screen.getByRole('status').textContent).toBe('');
});

test('of a list that is full already the account is never asked to keep more than it takes', async () => {
  const app = signedIn(testApp({ calls: newcomer }));
  const choices = choicesOf(app);
  choices.choose(
    'dismissedSteps',
    Array.from({ length: VIEW_LIMITS.dismissedSteps }, (_, index) => `old ${index}`),
  );
  await show(app, <NextStep after="alert" />);
  fireEvent.click(await screen.findByRole('button', { name: 'Dismiss' }));
  const kept = choices.of('dismissedSteps').get() ?? [];
  expect([kept.length, kept.at(-1)]).toEqual([VIEW_LIMITS.dismissedSteps, 'channel']);
});

test('a step that is done where it stands has its own button, or none', async () => {
  const app = signedIn(testApp({ calls: newcomer }));
  const known = { bots: [bot as never] };
  await show(app, <NextStep after="bot" id="a" known={known} doneHere={() => <button type="button">Enable</button>} />);
  expect(screen.getByRole('button', { name: 'Enable' })).toBeDefined();
  expect(screen.queryByRole('link')).toBeNull();
  cleanup();
  await show(app, <NextStep after="bot" id="a" known={known} doneHere={() => null} />);
  expect(screen.getByRole('status').textContent).toContain('buys nothing');
  expect([screen.queryByRole('button'), screen.queryByRole('link')]).toEqual([null, null]);
});

test('while it is not known whether the next step is done, nothing is said', async () => {
  await show(signedIn(testApp()), <NextStep after="wallet" />);
  expect(screen.getByRole('status').textContent).toBe('');
});
