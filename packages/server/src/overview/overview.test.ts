import { permissionsSchema } from '@pilotfish/core/exchange-connection/exchange-connection-contract';
import type { Answer } from '@pilotfish/core/http/endpoint';
import { decimal } from '@pilotfish/core/money/decimal';
import type { Activity, NextEvent, overviewContract } from '@pilotfish/core/overview/overview-contract';
import { afterEach, expect, test } from 'vitest';
import { accountFeatures } from '../app/features.ts';
import { type SignedInUser, startTestServer, type TestServer } from '../app/testing/test-server.ts';
import { type OverviewParts, overviewFeature } from './overview-routes.ts';
import { type PaperEquityParts, paperEquity } from './paper-equity.ts';

let server: TestServer | undefined;
afterEach(() => server?.close());

type Of<Id extends keyof typeof overviewContract> = Answer<(typeof overviewContract)[Id]>;
/** Paper by what its worth is made of. */
type Given = Omit<OverviewParts, 'paper'> & { readonly paper: PaperEquityParts };
type Changes = { [Part in keyof Given]?: Partial<Given[Part]> };

const noHistory = { near: async () => undefined, firstBetween: async () => undefined, list: async () => [], add: async () => undefined };
const NOTHING = {
  market: { asOf: 0, loaded: true, trouble: undefined, price: () => undefined, pair: () => undefined, rate: () => undefined },
  needs: {
    bots: async () => ({ bots: [], unreadable: [] }),
    connection: { permissions: async () => undefined, trouble: async () => undefined },
    books: async () => ({ differences: [], historyFailed: null }),
  },
  next: { bots: async () => [], alerts: () => [] },
  activity: { trades: async () => ({ items: [], totals: [] }), alerts: async () => [] },
  live: {
    worthOf: async () => ({ total: '0', available: '0', invested: '0', unpriced: [], comparable: true }),
    flowsOf: async () => [],
    history: noHistory,
  },
  paper: {
    books: { accounts: async () => [], of: async () => [], flows: async () => [] },
    coins: async () => ({ coins: [], whole: true }),
    history: noHistory,
  },
  candles: async () => [],
} as unknown as Given;

/** A server with nothing but accounts and the home screen, whose sources say what is given. */
async function started(changes: Changes = {}): Promise<{ user: SignedInUser; accountId: string }> {
  const parts = Object.fromEntries(
    Object.entries(NOTHING).map(([name, part]) => [
      name,
      typeof part === 'function' ? part : { ...part, ...(changes as Record<string, object>)[name] },
    ]),
  ) as unknown as Given;
  server = await startTestServer({
    features: async (context) => {
      const paper = paperEquity(context, { ...parts.paper, market: parts.market });
      return [...(await accountFeatures(context)), overviewFeature(context, { ...parts, paper })];
    },
  });
  const user = await server.register();
  const { id } = await server.context.database.queries.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  return { user, accountId: id };
}
const get = async <Body>(user: SignedInUser, path: string): Promise<Body> => {
  const { status, body } = await user.call<Body>(`/bff/v2/overview/${path}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
const away = () => Promise.reject(new Error('away'));

test('a new account: nothing needs it, nothing is next, nothing happened, and paper is worth nothing', async () => {
  const { user } = await started();
  const checkedAt = new Date(server!.now()).toISOString();
  expect(await get(user, 'needs')).toEqual({ items: [], checkedAt });
  expect(await get(user, 'next')).toEqual({ items: [], total: 0, checkedAt });
  expect(await get(user, 'activity')).toEqual({ from: '2026-01-15T00:00:00.000Z', timeZone: 'UTC', items: [], complete: true, totals: [] });
  expect(await get(user, 'equity?mode=paper')).toMatchObject({
    now: { equity: '0', free: '0', invested: '0' },
    sinceMidnight: null,
    change: null,
  });
  expect((await user.call('/bff/v2/overview/next?limit=0')).status).toBe(400);
  expect((await user.call('/bff/v2/overview/equity?range=2d')).status).toBe(400);
});

test('a source that fails is named in its place, and keeps none of the others away', async () => {
  const { user } = await started({
    needs: {
      bots: away,
      books: away,
      connection: { permissions: async () => permissionsSchema.parse({ enableSpotAndMarginTrading: false }), trouble: away },
    },
    market: { loaded: false, trouble: 'firewall' },
  });
  const { items } = await get<Of<'getNeeds'>>(user, 'needs');
  expect(items.map(({ kind, code, rank }) => [kind, code, rank])).toEqual([
    ['unknown-source', 'bots', 1],
    ['unknown-source', 'connection', 2],
    ['unknown-source', 'books', 3],
    ['market-silent', 'firewall', 5],
  ]);
  expect(server!.logged()).toContain('overview.source_failed');
});

test('the market is the concern of Admins alone', async () => {
  const { user } = await started({ market: { loaded: false } });
  const other = await server!.register();
  const kinds = async (who: SignedInUser) => (await get<Of<'getNeeds'>>(who, 'needs')).items.map(({ kind }) => kind);
  expect([await kinds(user), await kinds(other)]).toEqual([['market-silent'], []]);
});

test('broken positions are counted once each, without those whose coin differs; a channel that is set up and failed', async () => {
  const { user, accountId } = await started();
  const { queries } = server!.context.database;
  const found = (position_id: string, code: string, found_at: number) => ({ account_id: accountId, position_id, code, found_at });
  await queries
    .insertInto('position_breakages')
    .values([
      found('p1', 'OVERSOLD', 2000),
      found('p1', 'MISSING_COST', 1000),
      found('p2', 'OVERSOLD', 3000),
      found('asset:SOL', 'BALANCE_MISMATCH', 1),
    ])
    .execute();
  const trouble = (channel: 'webhook' | 'push') => ({ account_id: accountId, channel, target: '', reason: 'hook-gone', since: 5000 });
  // A browser that is gone is not set up any more: nothing of it fails.
  await queries
    .insertInto('channel_troubles')
    .values([trouble('webhook'), trouble('push')])
    .execute();
  await queries
    .insertInto('notification_settings')
    .values({ account_id: accountId, choices: '{}', webhook_url: 'sealed', webhook_secret: null, webhook_added_at: 1, updated_at: 1 })
    .execute();
  const { items } = await get<Of<'getNeeds'>>(user, 'needs');
  expect(items).toMatchObject([
    { kind: 'positions-broken', facts: { count: 2 }, since: '1970-01-01T00:00:01.000Z', link: '/positions/open-positions' },
    { kind: 'channel-failed', code: 'webhook', since: '1970-01-01T00:00:05.000Z', link: '/user/notifications' },
  ]);
});

test('what is next: bots and alerts in one list by distance, alerts without a level left out', async () => {
  const event = (code: string, price: string | null, at: string | null = null) => ({
    code,
    price,
    at,
    quantity: null,
    quote: null,
    detail: null,
  });
  const bot = {
    autoTradeId: '01890000-0000-7000-8000-000000000002',
    botName: 'Dip',
    mode: 'live',
    symbol: 'BTCUSDT',
    currency: 'USDT',
  } as const;
  const alert = (id: string, distancePct: string | null, level: string | null) => ({
    alert: { id, symbol: 'BTCUSDT', condition: { kind: 'above', level: '103' }, lastPrice: '100', distancePct } as never,
    level,
  });
  const { user } = await started({
    next: {
      bots: async () => [
        { ...bot, priceNow: '100', event: event('stop-loss', '95') },
        { ...bot, priceNow: '100', event: event('time-stop', null, '2026-01-16T00:00:00.000Z') },
        { ...bot, symbol: 'ETHUSDT', priceNow: null, event: event('arm', '7') },
      ],
      alerts: () => [alert('01890000-0000-7000-8000-000000000003', '3', '103'), alert('01890000-0000-7000-8000-000000000004', null, null)],
    },
  });
  const { items, total } = await get<Of<'getNextEvents'>>(user, 'next?limit=3');
  const shown = ({ kind, code, price, distancePct }: NextEvent) => [kind, code, price, distancePct];
  expect(items.map(shown)).toEqual([
    ['alert', 'alert', '103', '3'],
    ['bot', 'stop-loss', '95', '-5'],
    ['time', 'time-stop', null, null],
  ]);
  // The price of the last one is not known, so neither is how far it is.
  expect(total).toBe(4);
});

test('what happened: trades, alerts and stops of bots, newest first; bots of another market are not of this one', async () => {
  const NOW = Date.UTC(2026, 0, 15, 12);
  const sale = {
    id: 'Sell:1',
    at: new Date(NOW - 1000).toISOString(),
    kind: 'sell',
    code: 'TakeProfit',
    facts: {},
    symbol: 'BTCUSDT',
    autoTradeId: null,
    botName: 'Dip',
    mode: 'live',
    result: '21.4',
    currency: 'USDT',
    link: null,
  } satisfies Activity;
  const asked: number[] = [];
  const { user, accountId } = await started({
    // Trades are asked for by the clock of the market, which is behind.
    market: { asOf: NOW - 3_600_000 },
    activity: {
      trades: async (_, from) => {
        asked.push(from);
        return { items: [sale], totals: [{ mode: 'live', currency: 'USDT', sells: 1, wins: 1, realised: '21.4' }] };
      },
      alerts: async (_, from) => {
        asked.push(from);
        return [];
      },
    },
  });
  const { queries } = server!.context.database;
  const bot = '01890000-0000-7000-8000-000000000002';
  const notice = (id: string, code: string, created_at: number, market?: string) => ({
    id,
    account_id: accountId,
    kind: 'bot-halted' as const,
    code,
    facts: JSON.stringify({ bot: 'Dip', reasonKey: 'botReasons.kill-switch', ...(market && { market }) }),
    link: `/auto-trade/detail/${bot}`,
    key: id,
    at: created_at,
    created_at,
    read_at: null,
  });
  await queries
    .insertInto('notifications')
    .values([
      notice('n1', 'bot-halted', NOW - 2000),
      notice('n2', 'bot-halted', NOW - 500, 'binance'),
      notice('n3', 'bot-exit', NOW - 400),
      notice('n4', 'bot-halted', NOW - 24 * 3_600_000),
    ])
    .execute();
  const { items, totals, from } = await get<Of<'getActivity'>>(user, 'activity');
  expect(items).toMatchObject([
    { id: 'Sell:1' },
    { id: 'notification:n1', kind: 'halt', code: 'bot-halted', autoTradeId: bot, botName: 'Dip' },
  ]);
  expect(totals).toEqual([{ mode: 'live', currency: 'USDT', sells: 1, wins: 1, realised: '21.4' }]);
  expect(from).toBe('2026-01-15T00:00:00.000Z');
  expect(asked).toEqual([Date.UTC(2026, 0, 15), Date.UTC(2026, 0, 15, 1)]);
  expect((await get<Of<'getActivity'>>(user, 'activity?limit=1')).complete).toBe(false);
  // The day is that of the reader.
  await user.call('/bff/v2/account/preferences', { method: 'PUT', body: { timeZone: 'Europe/Istanbul' } });
  expect(await get(user, 'activity')).toMatchObject({ from: '2026-01-14T21:00:00.000Z', timeZone: 'Europe/Istanbul' });
  // Farther back than a month the traces have pages of their own.
  expect(await get(user, 'activity?from=2020-01-01T00:00:00.000Z')).toMatchObject({ from: '2025-12-15T11:00:00.000Z' });
});

test('paper: wallets of several currencies in the primary one; what has no price is named, and no point is kept of it', async () => {
  const kept: { total: string }[] = [];
  const prices: Record<string, string> = { BTCUSDT: '100' };
  let whole = false;
  const wallet = (walletId: string, currency: string, free: string) => ({
    walletId,
    currency,
    sums: { free, reserved: '10', invested: '90' },
  });
  const { user } = await started({
    market: {
      price: (symbol: string) => prices[symbol],
      rate: (asset: string) => (asset === 'EUR' ? '1.25' : undefined),
      pair: () => undefined,
    } as never,
    paper: {
      books: {
        accounts: async () => [],
        of: async () => [wallet('w1', 'USDT', '500'), wallet('w2', 'EUR', '80')],
        flows: async () => [{ at: 1, currency: 'EUR', amount: decimal('4') }],
      },
      coins: async () => ({
        coins: [
          { walletId: 'w1', symbol: 'BTCUSDT', quantity: '1.5' },
          { walletId: 'w1', symbol: 'ODDUSDT', quantity: '3' },
        ],
        whole,
      }),
      history: { ...noHistory, add: async (_: string, point: { total: string }) => void kept.push(point) },
    },
  });
  const now = async () => (await get<Of<'getEquity'>>(user, 'equity?mode=paper')).now;
  // 500 + 10 + 1.5 × 100, and (80 + 10) × 1.25.
  expect(await now()).toEqual({ equity: '772.5', free: '600', invested: '225', unpriced: ['ODDUSDT'] });
  expect(kept).toEqual([]);
  prices.ODDUSDT = '2';
  expect(await now()).toMatchObject({ equity: '778.5', unpriced: [] });
  // A bot cannot be read: without what it holds the point would show as a loss.
  expect(kept).toEqual([]);
  whole = true;
  await now();
  expect(kept).toMatchObject([{ total: '778.5' }]);
});
