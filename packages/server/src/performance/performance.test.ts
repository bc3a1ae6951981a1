import { AppError } from '@pilotfish/core/http/problem';
import { decimal } from '@pilotfish/core/money/decimal';
import type { Performance } from '@pilotfish/core/performance/performance-contract';
import { afterEach, expect, test } from 'vitest';
import { accountFeatures } from '../app/features.ts';
import { type SignedInUser, startTestServer, type TestServer } from '../app/testing/test-server.ts';
import { type PerformanceParts, performanceFeature } from './performance-routes.ts';

let server: TestServer | undefined;
afterEach(() => server?.close());

const id = (number: number): string => `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const [BOT, WALLET, POSITION] = [id(1), id(2), id(3)];
const HOUR = 3_600_000;
/** Of the test server's clock. */
const NOW = Date.UTC(2026, 0, 15, 12);
type Changes = { -readonly [Part in keyof PerformanceParts]?: unknown };
type LedgerExits = Awaited<ReturnType<PerformanceParts['ledgerExits']>>;

const source = {
  worthOf: async () => ({ total: '1100', comparable: true }),
  flowsOf: async () => [],
  history: { list: async () => [] as { at: number; total: string }[] },
};
const bots = new Map([[BOT, { name: 'Majors', walletId: WALLET, walletName: 'Main' }]]);
const NOTHING = {
  market: { asOf: 0, price: () => undefined, pair: () => ({}), rate: (asset: string) => (asset === 'EUR' ? '1.5' : undefined) },
  equity: { live: source, paper: source },
  closesOf: async () => () => ({ price: decimal('0'), interpolated: true }),
  ledgerExits: async () => [],
  paperExits: async () => ({ bots, exits: [], unread: [] }),
  botFills: async () => ({ bots, fills: new Map() }),
  boughtAt: async () => new Map(),
  pairOf: (symbol: string, currency: string) => ({ baseAsset: symbol.slice(0, 3), quoteAsset: symbol.slice(3) || currency }),
  held: async () => [],
};

/** A server with nothing but accounts and performance, whose sources say what is given. */
async function started(changes: Changes, timeZone?: string): Promise<SignedInUser> {
  const parts = { ...NOTHING, ...changes } as unknown as PerformanceParts;
  server = await startTestServer({
    features: async (context) => [...(await accountFeatures(context)), performanceFeature(context, parts)],
  });
  const user = await server.register();
  if (timeZone !== undefined) await user.call('/bff/v2/account/preferences', { method: 'PUT', body: { timeZone } });
  return user;
}
async function performance(user: SignedInUser, query = ''): Promise<Performance> {
  const { status, body } = await user.call<Performance>(`/bff/v2/performance${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}
const sale = (at: number, net: string | null, more: Partial<LedgerExits[number]> = {}): LedgerExits[number] => ({
  at,
  coin: 'BTC',
  kind: 'sale',
  fills: [],
  net: net === null ? null : decimal(net),
  fees: decimal('0'),
  boughtAt: at - HOUR,
  why: undefined,
  ...more,
});

test('live: whose an exit was is said by its fills, how long it was held by the position of its bot', async () => {
  const user = await started({
    ledgerExits: async () => [
      sale(NOW - 5 * HOUR, '10', { fills: ['BTCUSDT 1', 'BTCUSDT 2'], boughtAt: 0 }),
      sale(NOW - 4 * HOUR, '-4', { boughtAt: null }),
      sale(NOW - 3 * HOUR, '1', { kind: 'conversion', fills: ['ETHBTC 9'] }),
      sale(NOW - 2 * HOUR, '0.5', { kind: 'fee', coin: 'BNB' }),
      sale(NOW - HOUR, null),
      sale(NOW - HOUR, '100', { why: 'broken' }),
      sale(NOW - HOUR, '100', { why: 'excluded' }),
      // Coins that paid a fee are no exit that could be missed.
      sale(NOW - HOUR, '100', { why: 'broken', kind: 'fee' }),
    ],
    botFills: async () => ({
      bots,
      fills: new Map([
        ['BTCUSDT 2', { autoTradeId: BOT, positionId: POSITION, reason: 'StopLoss' }],
        ['ETHBTC 9', { autoTradeId: BOT, positionId: id(9), reason: null }],
      ]),
    }),
    // The bot's position in ETH began with the coins that were spent on it.
    boughtAt: async () =>
      new Map([
        [POSITION, NOW - 8 * HOUR],
        [id(9), NOW - 3 * HOUR],
      ]),
  });
  const found = await performance(user);
  expect(found).toMatchObject({ net: '7.5', exits: 3, wins: 2, more: { averageHoldMs: 2 * HOUR } });
  expect(found.bots.map(({ id: whose, name, net, exits }) => [whose, name, net, exits])).toEqual([
    [BOT, 'Majors', '11', 2],
    ['hand', null, '-3.5', 1],
  ]);
  expect(found.wallets.map(({ id: wallet, name, net }) => [wallet, name, net])).toEqual([
    [WALLET, 'Main', '11'],
    [null, null, '-3.5'],
  ]);
  expect(found.reasons.map(({ reason, net, exits }) => [reason, net, exits])).toEqual([
    ['StopLoss', '10', 1],
    ['conversion', '1.5', 1],
    ['hand', '-4', 1],
  ]);
  expect(found.leftOut).toEqual([
    { cause: 'cost-unknown', count: 1 },
    { cause: 'excluded', count: 1 },
    { cause: 'no-rate', count: 1 },
  ]);
});

test('paper: other currencies at their rate, or counted as left out; a damaged sale is counted, too', async () => {
  const exit = (symbol: string, net: string) => ({
    at: NOW - HOUR,
    autoTradeId: BOT,
    symbol,
    currency: 'USDT',
    reason: 'TakeProfit',
    net: decimal(net),
    fees: decimal('0.1'),
    boughtAt: null,
  });
  const user = await started({
    paperExits: async () => ({
      bots,
      exits: [exit('BTCUSDT', '1'), exit('ETHEUR', '2'), exit('SOLTRY', '3')],
      unread: [{ at: NOW - HOUR, autoTradeId: BOT, symbol: 'ADAUSDT', currency: 'USDT' }],
    }),
    held: async (_: string, mode: string) => [
      { whose: BOT, coin: 'BTC', currency: 'USDT', result: decimal('5') },
      { whose: mode === 'live' ? null : BOT, coin: 'ETH', currency: 'EUR', result: decimal('2') },
    ],
  });
  const found = await performance(user, '?mode=paper');
  expect(found).toMatchObject({ net: '4', exits: 2, fees: '0.25', open: { result: '8', positions: 2 }, more: { averageHoldMs: null } });
  expect(found.leftOut).toEqual([
    { cause: 'no-rate', count: 1 },
    { cause: 'unread', count: 1 },
  ]);
  expect((await performance(user, '?mode=paper&coins=BTC')).open).toEqual({ result: '5', positions: 1 });
  expect((await performance(user, '?bots=hand')).open).toEqual({ result: '3', positions: 1 });
  expect((await performance(user, '?bots=hand')).choices).toMatchObject({ coins: ['BTC', 'ETH'], bots: [{ id: BOT }, { id: 'hand' }] });
});

test('what is open has no result while a price is missing', async () => {
  const user = await started({ held: async () => [{ whose: BOT, coin: 'BTC', currency: 'USDT', result: null }] });
  expect((await performance(user)).open).toEqual({ result: null, positions: 1 });
});

test('days are those of the zone, and equity is the last point of each; today is now', async () => {
  // In Azores it is an hour earlier: 23:30 of the 13th.
  const at = Date.UTC(2026, 0, 14, 0, 30);
  const points = [
    { at: Date.UTC(2026, 0, 13, 0, 30), total: '900' },
    { at: at - HOUR, total: '1000' },
    { at: at + 24 * HOUR, total: '1050' },
  ];
  const asked: unknown[] = [];
  const list = async (...given: unknown[]) => {
    asked.push(given.slice(1));
    return points.filter((point) => point.at >= (given[1] as { since: number }).since);
  };
  const live = { ...source, history: { list }, flowsOf: async () => [{ at, value: decimal('50') }] };
  const closes: Record<string, string> = { '2026-01-12': '90', '2026-01-13': '100', '2026-01-14': '110' };
  const closesAsked: string[][] = [];
  const user = await started(
    {
      equity: { live, paper: source },
      ledgerExits: async () => [sale(at, '10')],
      market: { ...NOTHING.market, price: () => '120' },
      closesOf: async (_: string, days: { day: string }[]) => {
        closesAsked.push(days.map(({ day }) => day));
        return (day: string) => ({ price: decimal(closes[day] ?? '0'), interpolated: false });
      },
    },
    'Atlantic/Azores',
  );
  const found = await performance(user, '?from=2026-01-13');
  expect(found).toMatchObject({ timeZone: 'Atlantic/Azores', from: '2026-01-13', to: '2026-01-15' });
  expect(found.days.map(({ day, net, equity, flow }) => [day, net, equity, flow])).toEqual([
    ['2026-01-13', '10', '1000', '50'],
    ['2026-01-14', '0', '1050', '0'],
    ['2026-01-15', '0', '1100', '0'],
  ]);
  expect(found.hours[23]).toMatchObject({ exits: 1 });
  // 10 of the 900 of the day before and the 50 that came.
  expect(found.returnPct).toBe('1.0526');
  // 10 coins at 90; the 50 came after the point of the 13th and bought at 110.
  expect(found.days.map(({ benchmark }) => benchmark)).toEqual(['1000', '1150', '1254.54545455']);
  expect(asked).toEqual([[{ since: Date.UTC(2026, 0, 12, 1), daily: true }, 'Atlantic/Azores', 'comparable']]);
  // Days that are over are asked for once, their points and their closes.
  expect((await performance(user, '?from=2026-01-14')).days[0]).toMatchObject({ equity: '1050' });
  expect((await performance(user, '?from=2026-01-13')).days).toEqual(found.days);
  expect(asked.slice(1)).toEqual(Array(2).fill([{ since: Date.UTC(2026, 0, 14, 1), daily: true }, 'Atlantic/Azores', 'comparable']));
  expect(closesAsked).toEqual([['2026-01-12', '2026-01-13', '2026-01-14']]);
});

test('equity that cannot be told takes nothing else away', async () => {
  const away = { ...source, worthOf: () => Promise.reject(new AppError('not-connected')) };
  const unlike = { ...source, worthOf: async () => ({ total: '1', comparable: false }) };
  const user = await started({ equity: { live: away, paper: unlike }, ledgerExits: async () => [sale(NOW - HOUR, '10')] });
  expect(await performance(user)).toMatchObject({ net: '10', returnPct: null, days: [{ net: '10', equity: null }] });
  expect(await performance(user, '?mode=paper')).toMatchObject({ net: '0', drawdown: null, days: [{ equity: null }] });
});
