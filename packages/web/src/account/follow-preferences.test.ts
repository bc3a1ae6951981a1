import { DEFAULT_PREFERENCES, type ViewChoices } from '@pilotfish/core/account/preferences';
import { VIEW_LIMITS } from '@pilotfish/core/account/view-limits';
import { SESSION_KEY } from '@pilotfish/core/session/stored-session';
import { afterEach, expect, test, vi } from 'vitest';
import { createApp } from '../platform/app.ts';
import type { KeyValueStore } from '../platform/browser.ts';
import { choicesOf } from '../platform/choices.ts';
import { createStore } from '../platform/store.ts';
import { appliedTimeZone, applyTimeZone } from '../ui/time-zone.ts';
import { followPreferences } from './follow-preferences.ts';

const device = { zone: 'UTC' };
const said: string[] = [];
const NOW = Date.parse('2026-11-21T00:00:00.000Z');
const EMPTY: ViewChoices = {
  favourites: null,
  watchlists: null,
  chartIndicators: null,
  pricesColumns: null,
  pricesFilterOpen: null,
  defaultCoinFilter: null,
  recentItems: null,
  dismissedSteps: null,
};
const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });

afterEach(() => {
  device.zone = 'UTC';
  said.length = 0;
  applyTimeZone(undefined);
});

/** A server with one account, in front of which browsers come and go. */
function server({ older = false }: { older?: boolean } = {}) {
  const views: Record<string, unknown> = { ...EMPTY };
  const puts: unknown[] = [];
  const answers: (() => void)[] = [];
  let isHeld = false;
  const preferences = () => ({ ...DEFAULT_PREFERENCES, ...(older ? {} : views), updatedAt: null });
  const fetch = async (url: string, init?: RequestInit): Promise<Response> => {
    const path = new URL(url, 'http://localhost').pathname;
    if (path.includes('/admin/')) return json({ title: 'T', status: 403, code: 'forbidden' }, 403);
    if (path.endsWith('/account'))
      return json({
        claims: [{ name: 'sub', value: String(new Headers(init?.headers).get('authorization')) }],
        exchanges: [],
        hasTelegram: false,
        username: 'ada',
        email: 'ada@example.com',
        emailConfirmed: true,
        createdAt: '2026-11-01T00:00:00.000Z',
      });
    if (!path.endsWith('/preferences')) return new Response(null, { status: 204 });
    if (init?.method !== 'PUT') return json(preferences());
    const body = JSON.parse(init.body as string) as Record<string, unknown>;
    puts.push(body);
    if (older) {
      const errors = Object.keys(body).map((path) => ({ path, code: 'unknown_field', message: 'unknown' }));
      return json({ title: 'T', status: 400, code: 'invalid', errors }, 400);
    }
    if (isHeld) await new Promise<void>((resolve) => answers.push(resolve));
    Object.assign(views, body);
    return json(preferences());
  };
  return { views, puts, fetch, hold: () => (isHeld = true), answer: () => answers.shift()?.() };
}

/** The real parts of the app over a storage, as a full load of the page makes them. */
function open(of: ReturnType<typeof server>, held: Map<string, string>) {
  const store = (map: Map<string, string>): KeyValueStore => ({
    get: (key) => map.get(key) ?? null,
    set: (key, value) => void map.set(key, value),
    remove: (key) => void map.delete(key),
    clear: () => map.clear(),
  });
  const app = createApp({
    browser: {
      storage: store(held),
      tabStorage: store(new Map()),
      fetch: of.fetch as never,
      now: () => NOW,
      lock: (run) => run(),
      load: () => undefined,
      path: () => '/prices',
      timeZone: () => device.zone,
    },
    language: () => 'en',
    onProblem: () => undefined,
    navigate: () => undefined,
  });
  const preferences = followPreferences({
    app,
    texts: { language: 'en', on: () => undefined, t: (key: string) => said.push(key) } as never,
    appearance: { theme: createStore('dark'), palette: createStore('green-red') } as never,
    setLanguage: () => undefined,
  });
  app.start();
  return {
    app,
    choices: choicesOf(app),
    signIn: async (token = 'a1') => {
      app.signIn({ accessToken: token, refreshToken: 'r', expiresAt: new Date(NOW + 3_600_000).toISOString() });
      await vi.waitFor(() => expect(preferences.held.get()).toBeDefined());
      // What keeps the views comes in a chunk of its own.
      await vi.dynamicImportSettled();
    },
  };
}

test('a BFF 403 clears local storage; after signing in again favourites and chart settings are there', async () => {
  const of = server();
  const held = new Map<string, string>();
  const before = open(of, held);
  await before.signIn();
  before.choices.choose('favourites', ['BTCUSDT', 'ETHUSDT']);
  before.choices.choose('chartIndicators', ['sma20', 'rsi14']);
  before.choices.choose('watchlists', [{ name: 'Layer 1', symbols: ['SOLUSDT'] }]);
  before.choices.choose('pricesFilterOpen', false);
  await vi.waitFor(() => expect(of.views).toMatchObject({ favourites: ['BTCUSDT', 'ETHUSDT'], pricesFilterOpen: false }));
  await expect(before.app.client.listUsers({ query: {} })).rejects.toMatchObject({ code: 'forbidden' });
  expect(held.size).toBe(0);

  const after = open(of, held);
  expect(after.choices.of('favourites').get()).toBeUndefined();
  await after.signIn();
  expect(after.choices.of('favourites').get()).toEqual(['BTCUSDT', 'ETHUSDT']);
  expect(after.choices.of('chartIndicators').get()).toEqual(['sma20', 'rsi14']);
  expect(after.choices.of('watchlists').get()).toEqual([{ name: 'Layer 1', symbols: ['SOLUSDT'] }]);
  expect(after.choices.of('pricesFilterOpen').get()).toBe(false);
  // The first paint of the next load has them before any answer.
  expect(open(of, held).choices.of('favourites').get()).toEqual(['BTCUSDT', 'ETHUSDT']);
});

test('what a guest arranged is taken over where the account has nothing, once; another account of the device gets none of it', async () => {
  const of = server();
  of.views.pricesColumns = ['price'];
  const held = new Map([
    ['favourite_pairs', '["BTCUSDT"]'],
    ['prices_columns', '["changePct"]'],
    ['chart_indicators', '{"no":"list"}'],
  ]);
  const first = open(of, held);
  await first.signIn();
  await vi.waitFor(() => expect(of.views.favourites).toEqual(['BTCUSDT']));
  expect(of.puts).toEqual([{ favourites: ['BTCUSDT'] }]);
  expect(first.choices.of('pricesColumns').get()).toEqual(['price']);

  // Given up on another device: this one does not bring it back.
  of.views.favourites = null;
  held.delete(SESSION_KEY);
  const again = open(of, held);
  await again.signIn();
  expect(again.choices.of('favourites').get()).toBeUndefined();

  again.choices.choose('favourites', ['ETHUSDT']);
  await vi.waitFor(() => expect(of.views.favourites).toEqual(['ETHUSDT']));
  held.delete(SESSION_KEY);
  Object.assign(of.views, EMPTY);
  const other = open(of, held);
  await other.signIn('b1');
  expect(other.choices.of('favourites').get()).toBeUndefined();
  expect(of.views.favourites).toBeNull();
});

test('choices go to the account one call at a time, and the last one stands', async () => {
  const of = server();
  const page = open(of, new Map());
  await page.signIn();
  of.hold();
  page.choices.choose('favourites', ['A']);
  page.choices.choose('favourites', ['A', 'B']);
  page.choices.choose('favourites', ['A', 'B', 'C']);
  await vi.waitFor(() => expect(of.puts).toEqual([{ favourites: ['A'] }]));
  of.answer();
  await vi.waitFor(() => expect(of.puts).toEqual([{ favourites: ['A'] }, { favourites: ['A', 'B', 'C'] }]));
  of.answer();
  await vi.waitFor(() => expect(of.views.favourites).toEqual(['A', 'B', 'C']));
  expect(page.choices.of('favourites').get()).toEqual(['A', 'B', 'C']);
});

test('an older server keeps none of it: the browser does, as before', async () => {
  const of = server({ older: true });
  const held = new Map([['favourite_pairs', '["BTCUSDT"]']]);
  const page = open(of, held);
  await page.signIn();
  page.choices.choose('chartIndicators', ['ema20']);
  await vi.waitFor(() => expect(of.puts).toEqual([{ chartIndicators: ['ema20'] }]));
  expect(page.choices.of('favourites').get()).toEqual(['BTCUSDT']);
  expect(held.get('chart_indicators')).toBe('["ema20"]');
});

test('an account without a time zone takes that of the first device, which later ones keep', async () => {
  const of = server();
  device.zone = 'Europe/Istanbul';
  const first = open(of, new Map());
  let reloads = 0;
  first.app.queries
    .get('results', async () => {
      reloads += 1;
      return appliedTimeZone();
    })
    .send({ type: 'query.requested', params: null });
  await first.signIn();
  await vi.waitFor(() => expect(of.puts).toEqual([{ timeZone: 'Europe/Istanbul' }]));
  await vi.waitFor(() => expect(appliedTimeZone()).toBe('Europe/Istanbul'));
  expect(said).toEqual(['account.zoneTaken']);
  // What was shown of the days of UTC is asked for again.
  await vi.waitFor(() => expect(reloads).toBe(2));
  device.zone = 'Asia/Tokyo';
  await open(of, new Map()).signIn();
  expect(appliedTimeZone()).toBe('Europe/Istanbul');
  expect(of.puts).toHaveLength(1);
});

test('a device whose zone says nothing, or was refused, shows such an account in UTC, as its days are', async () => {
  device.zone = 'UTC';
  const of = server();
  await open(of, new Map()).signIn();
  device.zone = 'Etc/GMT';
  await open(of, new Map()).signIn();
  expect([of.puts, appliedTimeZone()]).toEqual([[], 'UTC']);
  device.zone = 'Asia/Tokyo';
  await open(server({ older: true }), new Map()).signIn();
  await vi.waitFor(() => expect(appliedTimeZone()).toBe('UTC'));
});

test('nonsense and too much in storage is no choice', () => {
  const many = Array.from({ length: VIEW_LIMITS.favourites + 1 }, (_, n) => `P${n}`);
  const held = new Map([
    ['favourite_pairs', JSON.stringify(many)],
    ['palette_recent', '{'],
    ['prices_columns', '["a",1]'],
    ['prices_filter_open', '"yes"'],
  ]);
  const { choices } = open(server(), held);
  expect(choices.of('favourites').get()).toHaveLength(VIEW_LIMITS.favourites);
  expect(choices.of('recentItems').get()).toBeUndefined();
  expect(choices.of('pricesColumns').get()).toBeUndefined();
  expect(choices.of('pricesFilterOpen').get()).toBeUndefined();
});

test('of lists of pairs in storage those stay that the account takes: one that it refuses would keep all others back', () => {
  const read = (stored: unknown) => {
    return open(server(), new Map([['watchlists', JSON.stringify(stored)]]))
      .choices.of('watchlists')
      .get();
  };
  const list = { name: 'Layer 1', symbols: ['SOLUSDT'] };
  expect(
    read([list, { name: ' ', symbols: [] }, { name: 'layer 1 ', symbols: [] }, { name: 3 }, null, { name: 'A', symbols: [1] }]),
  ).toEqual([list]);
  expect(read({ name: 'A' })).toBeUndefined();
});
