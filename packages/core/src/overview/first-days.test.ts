import { describe, expect, test } from 'vitest';
import { type FinishedStep, type FirstDayFacts, firstDays, type OfferFocus, offerAfter, shareOfHistory } from './first-days.ts';

const account = { claims: [], exchanges: [] };
const connected = { claims: [], exchanges: [{ name: 'Binance' as const, tradeEnabled: true }] };
const readOnly = { claims: [], exchanges: [{ name: 'Binance' as const, tradeEnabled: false }] };
const onlyAlerts = {
  claims: [
    { name: 'role', value: 'Watcher' },
    { name: 'permission', value: 'price-alerts' },
  ],
  exchanges: connected.exchanges,
};
const history = { state: 'idle' as const, done: 10, total: 10, tradesFound: 1204, differences: [] };
const unstarted = {
  id: 'a',
  name: 'Dip',
  state: 'Disabled' as const,
  lastTrace: null,
  openPositions: 0,
  createdAt: '2026-01-01T00:00:00.000Z',
};
const later = { ...unstarted, id: 'b', name: 'Rise', createdAt: '2026-01-02T00:00:00.000Z' };
const running = { ...unstarted, state: 'Running' as const };
const paused = { ...unstarted, lastTrace: {} as never };
const paper = { id: 'w', mode: 'paper' as const };
const live = { id: 'l', mode: 'live' as const };
const channel = (
  name: 'telegram' | 'push' | 'email',
  reason: 'not-connected' | 'no-browser' | 'not-confirmed' | 'not-configured' | 'muted',
) => ({
  channel: name,
  available: false,
  reason,
});
const none = [channel('telegram', 'not-connected'), channel('email', 'not-confirmed'), channel('push', 'no-browser')];
const works = [{ channel: 'push' as const, available: true, reason: null }];
const settled: FirstDayFacts = { account: connected, history, wallets: [], bots: [] };

type Case = readonly [what: string, step: FinishedStep, facts: FirstDayFacts, offer: object | undefined, focus?: OfferFocus];
const CASES: readonly Case[] = [
  [
    'trades are being read',
    'exchange',
    { ...settled, history: { ...history, state: 'running', done: 4 } },
    { id: 'reading', values: { share: 40, count: 1204 } },
  ],
  ['trades are read', 'exchange', settled, { id: 'holdings', values: { count: 1204 } }],
  ['holdings were seen', 'exchange', { ...settled, dismissed: ['holdings'] }, { id: 'bot', to: '/auto-trade/create' }],
  ['there were no trades', 'exchange', { ...settled, history: { ...history, tradesFound: 0 } }, { id: 'bot' }],
  ['the reading failed, which needs them elsewhere', 'exchange', { ...settled, history: { ...history, state: 'failed' } }, { id: 'bot' }],
  ['the key may not trade', 'exchange', { ...settled, account: readOnly, dismissed: ['holdings'] }, { id: 'paperOnly' }],
  ['a bot waits', 'exchange', { ...settled, bots: [unstarted], dismissed: ['holdings'] }, { id: 'start', to: '/auto-trade/detail/a' }],
  ['bots ran on paper before', 'exchange', { ...settled, bots: [running], wallets: [paper] }, { id: 'liveWallet' }],
  ['a live wallet is open', 'exchange', { ...settled, bots: [running], wallets: [paper, live] }, undefined],
  ['a live wallet would be refused', 'exchange', { ...settled, account: readOnly, bots: [running], wallets: [paper] }, undefined],
  ['nothing is known of the history', 'exchange', { ...settled, history: undefined }, undefined],
  ['bots are not permitted', 'exchange', { ...settled, account: onlyAlerts, dismissed: ['holdings'] }, undefined],
  ['the keys are gone', 'exchange', { ...settled, account }, undefined],
  ['the first wallet', 'wallet', { account, wallets: [paper], bots: [] }, { id: 'bot', to: '/auto-trade/create?wallet=w' }],
  [
    'one of two wallets was opened',
    'wallet',
    { account, wallets: [paper, live], bots: [] },
    { id: 'bot', to: '/auto-trade/create?wallet=l' },
    { id: 'l' },
  ],
  ['two wallets', 'wallet', { account, wallets: [paper, live], bots: [] }, { id: 'bot', to: '/auto-trade/create' }],
  ['the newest bot waits', 'wallet', { account, wallets: [paper], bots: [unstarted, later] }, { id: 'start', values: { bot: 'Rise' } }],
  ['a bot runs', 'wallet', { account, wallets: [paper], bots: [unstarted, running] }, undefined],
  ['a bot has traded, and rests', 'wallet', { account, wallets: [paper], bots: [paused] }, undefined],
  ['no wallet', 'wallet', { account, wallets: [], bots: [] }, undefined],
  ['a new bot', 'bot', { bots: [unstarted, later] }, { id: 'start', to: '/auto-trade/detail/b', values: { bot: 'Rise' } }, { id: 'b' }],
  ['a bot that traded', 'bot', { bots: [paused] }, undefined, { id: 'a' }],
  ['a bot runs unheard', 'start', { bots: [running], channels: none }, { id: 'telegram', memory: 'channel' }, { id: 'a' }],
  ['a bot runs, a channel works', 'start', { bots: [running], channels: works }, undefined, { id: 'a' }],
  ['a bot has traded', 'start', { bots: [{ ...running, lastTrace: {} as never }], channels: none }, undefined, { id: 'a' }],
  ['a bot rests', 'start', { bots: [paused], channels: none }, undefined, { id: 'a' }],
  ['an alert without a channel', 'alert', { alerts: 1, channels: none }, { id: 'telegram', to: '/user/telegram-connect' }],
  [
    'Telegram is not offered by the server',
    'alert',
    { alerts: 1, channels: [channel('telegram', 'not-configured'), ...none.slice(1)] },
    { id: 'push' },
  ],
  ['only mail', 'alert', { alerts: 1, channels: [channel('email', 'not-confirmed')] }, { id: 'email' }],
  ['no channel can be had', 'alert', { alerts: 1, channels: [channel('telegram', 'not-configured')] }, undefined],
  [
    'a channel is muted for a while',
    'alert',
    { alerts: 1, channels: [channel('telegram', 'muted'), channel('push', 'no-browser')] },
    undefined,
  ],
  ['the advice was dismissed', 'alert', { alerts: 1, channels: none, dismissed: ['channel'] }, undefined],
  ['no alert', 'alert', { alerts: 0, channels: none }, undefined],
  ['a new channel', 'channel', { account, alerts: 0, channels: works }, { id: 'test' }, { isNew: true }],
  ['a test arrived', 'channel', { account, alerts: 0, channels: works, dismissed: ['test'] }, { id: 'alert' }, { isNew: true }],
  ['a channel of long ago', 'channel', { account, alerts: 0, channels: works }, { id: 'alert' }],
  ['there is an alert', 'channel', { account, alerts: 2, channels: works }, undefined],
  ['no channel works', 'channel', { account, alerts: 0, channels: none }, undefined, { isNew: true }],
  ['a file without an exchange', 'import', { account }, { id: 'positions', to: '/positions' }],
  ['a file that explains all', 'import', { account: connected, history }, { id: 'positions' }],
  [
    'differences remain',
    'import',
    { account: connected, history: { ...history, differences: [{}, {}, {}] as never } },
    { id: 'differences', values: { count: 3 } },
  ],
  ['differences are not known yet', 'import', { account: connected }, undefined],
];

test.each(CASES.map(([what, step, facts, offer, focus]) => ({ what, step, facts, offer, focus })))(
  '$what, after $step',
  ({ step, facts, offer, focus }) => {
    const found = offerAfter(step, facts, focus);
    if (offer === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(offer);
  },
);

test.each(['exchange', 'wallet', 'bot', 'start', 'alert', 'channel', 'import'] as const)(
  'of nothing known, nothing is offered after %s',
  (step) => {
    expect(offerAfter(step, {}, { id: 'a', isNew: true })).toBeUndefined();
  },
);

describe('the steps to a first bot', () => {
  const doneOf = (facts: FirstDayFacts) => firstDays(facts)?.steps.map(({ isDone }) => isDone);

  test('a new account connects first, or begins on paper', () => {
    const facts = { account, wallets: [], bots: [] };
    expect(doneOf(facts)).toEqual([true, false, false]);
    expect(firstDays(facts)).toMatchObject({ next: { id: 'connect', to: '/user/exchange-connect' }, isOnPaper: false });
    expect(firstDays({ ...facts, wallets: [paper] })).toMatchObject({ next: { id: 'bot' }, isOnPaper: true });
    expect(doneOf({ ...facts, wallets: [paper] })).toEqual([true, true, false]);
  });

  test('once connected the history is told of, and the bot comes next', () => {
    expect(firstDays(settled)).toMatchObject({ next: { id: 'bot' }, isOnPaper: false, history });
    expect(firstDays({ ...settled, bots: [unstarted] })).toMatchObject({ next: { id: 'start' } });
  });

  test('real money is not called practice: a live wallet whose keys are gone wants them first', () => {
    const facts = { account, wallets: [live], bots: [unstarted] };
    expect(doneOf(facts)).toEqual([true, false, false]);
    expect(firstDays(facts)).toMatchObject({ next: { id: 'connect' }, isOnPaper: false });
    expect(firstDays({ ...facts, wallets: [live, paper] })).toMatchObject({ next: { id: 'start' }, isOnPaper: true });
  });

  test('they are over with the first bot that starts, and not begun while bots are unknown', () => {
    expect(firstDays({ ...settled, bots: [running] })).toBeUndefined();
    expect(firstDays({ ...settled, bots: undefined })).toBeUndefined();
  });

  test('what the account may not do does not come next', () => {
    expect(firstDays({ ...settled, account: onlyAlerts })?.next).toBeUndefined();
  });
});

test('a reading says 100 % only once it is over, and 0 while nobody knows of how many pairs', () => {
  const shares = [0, 1, 599, 600].map((done) => shareOfHistory({ done, total: 600 }));
  expect([...shares, shareOfHistory({ done: 0, total: 0 })]).toEqual([0, 0, 99, 100, 0]);
});
