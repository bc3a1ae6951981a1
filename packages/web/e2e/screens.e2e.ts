import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import tr from '@pilotfish/core/locales/tr.json' with { type: 'json' };
import { firstOf } from '@pilotfish/core/testing/tiers';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, CHROMIUM, complaints, type Look, ownStage, type Stage, settled } from './stage.ts';

// Every screen in one look, in the deep tier in a second one that shares nothing with it, or in all of them with pictures:
// `npm run screens`.
const PICTURES = process.env.PILOTFISH_SCREENS;
const LOOKS: Look[] = PICTURES
  ? [1440, 390].flatMap((width) =>
      (['dark', 'light'] as const).flatMap((theme) => (['en', 'tr'] as const).map((language) => ({ width, theme, language }))),
    )
  : firstOf(1, [
      { width: 1440, theme: 'dark', language: 'en' },
      { width: 390, theme: 'light', language: 'tr' },
    ]);

/** With pictures also as a newcomer sees them, and as they are while nothing can be loaded. */
const STATES = PICTURES ? (['filled', 'empty', 'error'] as const) : (['filled'] as const);
type State = (typeof STATES)[number];
/** A newcomer has no bot to look at and is no Admin. */
const isOfAll = (path: string): boolean => !/BOT|management/.test(path);
/** What stands even while nothing else can be loaded: who one is, and what the apps must know. */
const STANDS = /\/bff\/(v2\/account|v1\/app-config|v2\/stream|v1\/stream|v1\/localization)/;

/** Keys of the texts: one that is seen was not translated. */
const flatten = (tree: object, prefix = ''): string[] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [`${prefix}${key}`] : flatten(value as object, `${prefix}${key}.`),
  );
const KEYS = new Set(flatten(en));

const GUEST = [
  '/',
  '/auth/login',
  '/auth/register',
  '/auth/forgot-password',
  '/prices',
  '/prices?pair=BTCUSDT',
  '/prices?view=table',
  '/prices?view=map',
  '/nowhere',
];
const USER = [
  '/',
  '/user/my-account',
  '/user/security',
  '/user/exchange-connect',
  '/user/notifications',
  '/user/notifications?tab=settings',
  '/user/telegram-connect',
  '/prices',
  '/prices?pair=ETHUSDT',
  '/prices?view=table',
  '/prices?view=map',
  '/positions',
  '/positions/open-positions',
  '/positions/closed-positions',
  '/positions/orders',
  '/positions/import',
  '/positions/migration',
  '/performance',
  '/price-alerts',
  '/price-alerts?tab=history',
  '/price-alerts?alert=BTC%20drops',
  '/auto-trade',
  '/auto-trade/create',
  '/auto-trade/wallets',
  '/auto-trade/filters',
  '/auto-trade/detail/BOT',
  '/auto-trade/detail/BOT?tab=why',
  '/auto-trade/detail/BOT?tab=story',
  '/auto-trade/detail/BOT?tab=logs',
  '/auto-trade/detail/BOT?tab=settings',
  '/auto-trade/detail/BOT/edit',
  '/auto-trade/detail/BOT/backtest',
  '/management',
  '/management/market',
  '/management/users',
  '/management/localization-resources',
  '/management/currencies',
  '/management/app-settings',
];

describe.runIf(CHROMIUM)('every screen', () => {
  let stage: Stage;
  let user: SignedInUser;
  let newcomer: SignedInUser;
  let bot: string;
  /** One profile for each look: a session is rotated at every load, so it lives in one place only. */
  const profiles = new Map<string, Promise<BrowserContext>>();
  const profile = (look: Look, as: 'guest' | 'user', state: State): Promise<BrowserContext> => {
    const key = JSON.stringify([look, as, state]);
    const known = profiles.get(key);
    if (known) return known;
    const who = state === 'empty' ? newcomer : user;
    const opened = (
      as === 'guest' ? stage.context(look) : stage.server.signIn(who).then((session) => stage.context(look, { ...who, session }))
    ).then(async (context) => {
      if (state === 'error')
        await context.route(/\/(bff|gateway)\//, (route) => {
          const request = route.request();
          if (request.method() !== 'GET' || STANDS.test(request.url())) return route.fallback();
          const problem = { type: 'about:blank', status: 500, code: 'internal', ...(look.language === 'tr' ? tr : en).errors.internal };
          return route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify(problem) });
        });
      return context;
    });
    profiles.set(key, opened);
    return opened;
  };

  beforeAll(async () => {
    stage = await ownStage();
    user = await stage.server.register();
    newcomer = await stage.server.register();
    const keys = await user.call('/gateway/v2/account/connect/binance/demo', { method: 'POST' });
    await user.call('/gateway/v2/account/connect/binance', { body: keys.body });
    const wallet = await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Main', mode: 'live', initialBalance: '1000' } });
    const created = await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', {
      body: {
        name: 'Trend of BTC',
        walletId: wallet.body.id,
        coins: { symbols: ['BTCUSDT', 'ETHUSDT'] },
        entry: {
          size: { mode: 'fixed', value: '200' },
          trigger: { kind: 'immediate' },
          trailing: { enabled: false },
          order: { type: 'Market' },
          maxSpreadPct: '5',
        },
        takeProfit: { levels: [{ gainPct: '4', sellPct: '100' }] },
        trailingCost: { enabled: true, armGainPct: '2', distancePct: '0.5' },
        stopLoss: { mode: 'percent', pct: '3' },
      },
    });
    bot = created.body.autoTrade.id;
    const enabled = await user.call(`/bff/v2/auto-trades/${bot}/enable`, { method: 'POST', body: {} });
    expect(enabled.status, JSON.stringify(enabled.body)).toBe(200);
    // One that waits, and one that has fired and been told of.
    for (const [level, fireIfTrue] of [
      ['900000', false],
      ['1', true],
    ])
      await user.call('/bff/v2/price-alerts', {
        body: { symbol: 'BTCUSDT', condition: { kind: 'above', level }, fireIfTrue, note: 'Look' },
      });
    const rules = { match: 'all', rules: [{ key: 'rsi', timeframe: '1h', operation: 'lt', value: 90 }] };
    await user.call('/bff/v2/coin-filters', { body: { name: 'Liquid coins', minAgeDays: 0, maxSpreadPct: '5', conditions: rules } });
    await user.call('/bff/v2/auto-trades/halt', { body: { scope: 'coin', symbol: 'ETHUSDT', hours: 24, reason: 'News' } });
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
  });
  afterAll(() => stage?.close());

  const screens = LOOKS.flatMap((look) => [
    ...GUEST.map((path) => ({ look, path, as: 'guest' as const, state: 'filled' as State })),
    ...USER.map((path) => ({ look, path, as: 'user' as const, state: 'filled' as State })),
    ...STATES.filter((state) => state !== 'filled').flatMap((state) => [
      ...(state === 'error' ? ['/', '/prices'].map((path) => ({ look, path, as: 'guest' as const, state: state as State })) : []),
      ...USER.filter((path) => state === 'error' || isOfAll(path)).map((path) => ({
        look,
        path,
        as: 'user' as const,
        state: state as State,
      })),
    ]),
  ]);

  test.each(screens)('$state $as $path ($look.width, $look.theme, $look.language)', async ({ look, path, as, state }) => {
    const page = await (await profile(look, as, state)).newPage();
    try {
      const found = complaints(page);
      await page.goto(path.replace('BOT', bot));
      await settled(page);
      expect(new URL(page.url()).pathname).toBe(path.replace('BOT', bot).split('?')[0]);
      expect(await page.title()).toMatch(/\S+ · Pilotfish|^Pilotfish/);
      expect(await page.evaluate(() => document.documentElement.lang)).toBe(look.language);
      // Nothing scrolls sideways, and no key stands where a text should.
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      const isInView = ({ left, right }: { left: number; right: number }) => left >= -1 && right <= look.width + 1;
      const current = page.locator('nav [aria-current=page]:visible');
      const tabs = await current.evaluateAll((elements) => elements.map((element) => element.getBoundingClientRect().toJSON()));
      expect(tabs.every(isInView)).toBe(true);
      // biome-ignore lint/performance/useDomNodeTextContent: textContent runs words together that stand apart
      const words = (await page.evaluate(() => document.body.innerText)).split(/\s+/);
      expect(words.filter((word) => KEYS.has(word))).toEqual([]);
      expect(await axeViolations(page)).toEqual([]);
      expect(found).toEqual([]);
      if (PICTURES) {
        const name = `${state}-${as}${path.replaceAll(/\W+/g, '-').replace(/-$/, '')}-${look.width}-${look.theme}-${look.language}.png`;
        await page.screenshot({ path: join(PICTURES, name), fullPage: !path.startsWith('/prices') });
      }
    } finally {
      await page.close();
    }
  });
});
