import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decimal } from '@pilotfish/core/money/decimal';
import type { TradeEntry } from '@pilotfish/core/positions/ledger-entry';
import { dayNames } from '@pilotfish/core/time/calendar-day';
import { pino } from 'pino';
import { fillOrigins } from '../src/auto-trades/fill-origins.ts';
import { openDatabase } from '../src/database/database.ts';
import { balanceHistory } from '../src/landing/balance-history.ts';
import { type PerformanceParts, performanceFeature } from '../src/performance/performance-routes.ts';
import { ledgerExits } from '../src/positions/ledger-exits.ts';
import { ledgerStore } from '../src/positions/ledger-store.ts';
import { overridesStore } from '../src/positions/overrides-store.ts';
import { positionBooks } from '../src/positions/position-book.ts';
import type { Look } from '../src/positions/position-reader.ts';

/**
 * Performance of an account with 5,000 exits of one bot over two years, and a point of equity every quarter of an hour:
 * the first range, which gathers all of them, then other ranges and filters, and a range after one more fill. Prices of BTC
 * are at hand. The design asks for 300 ms. `npm run bench -- server performance`
 */
const EXITS = Number(process.argv[2] ?? 5000);
const COINS = 20;
const [HOUR, QUARTER] = [3_600_000, 15 * 60_000];
const DAYS = 730;
const NOW = Date.UTC(2026, 10, 27, 12);
const START = NOW - DAYS * 24 * HOUR;
const id = (number: number) => `018f0000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const [ACCOUNT, WALLET, BOT] = [id(1), id(2), id(3)];

const dataDir = mkdtempSync(join(tmpdir(), 'pilotfish-bench-'));
const database = await (await openDatabase({ dataDir })).forMarket('simulated');
const { queries } = database;
const person = { username: 'a', username_key: 'a', email: 'a', email_key: 'a', email_confirmed: 0, password_hash: '' } as const;
const rest = { phone: null, phone_confirmed: 0, two_factor_confirmed: 1, totp_secret: null, language: 'en' } as const;
await queries
  .insertInto('accounts')
  .values({ id: ACCOUNT, ...person, ...rest, created_at: NOW, updated_at: NOW })
  .execute();
const money = { currency: 'USDT', mode: 'live', reserve_pct: '1', paper_key: null, paper_secret: null } as const;
await queries
  .insertInto('wallets')
  .values({ id: WALLET, account_id: ACCOUNT, name: 'Main', name_key: 'main', ...money, created_at: NOW })
  .execute();
const state = { state: 'running', context: '{}', config_version: 1, taker_fees: '{}', created_at: NOW, updated_at: NOW };
await queries
  .insertInto('auto_trades')
  .values({ id: BOT, account_id: ACCOUNT, wallet_id: WALLET, name: 'Majors', name_key: 'majors', ...state })
  .execute();

const fill = (n: number): TradeEntry => {
  const [coin, sells] = [Math.floor(n / 2) % COINS, n % 2 === 1];
  const price = (100 + ((n * 7919) % 1000) / 100).toFixed(2);
  return {
    kind: 'trade',
    id: `trade:C${coin}USDT:${n}`,
    at: START + Math.floor((n * DAYS * 24 * HOUR) / (EXITS * 2)),
    symbol: `C${coin}USDT`,
    baseAsset: `C${coin}`,
    quoteAsset: 'USDT',
    side: sells ? 'Sell' : 'Buy',
    price,
    quantity: '1.5',
    quoteQuantity: (Number(price) * 1.5).toFixed(8),
    fee: '0.15',
    feeAsset: 'USDT',
    tradeId: String(n),
    orderId: String(n),
    source: 'api',
    feeInQuote: null,
    feeInPrimary: null,
    quoteRate: '1',
  };
};
const fills = Array.from({ length: EXITS * 2 }, (_, n) => fill(n));
const ledger = ledgerStore(database);
await ledger.append(ACCOUNT, fills);
const traces = fills.map(({ at, symbol, side, tradeId }, n) => ({
  id: id(n + 100),
  auto_trade_id: BOT,
  seq: n,
  run_no: 1,
  position_id: id(9),
  kind: side,
  symbol,
  at,
  recorded_at: at,
  body: JSON.stringify({ tradeId, mode: 'live', reason: side === 'Buy' ? 'Entry' : 'TakeProfit', before: {}, after: { quantity: '1.5' } }),
}));
const points = Array.from({ length: (DAYS * 24 * HOUR) / QUARTER }, (_, n) => ({
  account_id: ACCOUNT,
  mode: 'live' as const,
  at: START + n * QUARTER,
  total: (10_000 + (n % 997)).toFixed(2),
  invested: '0',
  available: '0',
  counts_earn: 1 as const,
}));
for (let from = 0; from < traces.length; from += 500)
  await queries
    .insertInto('auto_trade_traces')
    .values(traces.slice(from, from + 500))
    .execute();
for (let from = 0; from < points.length; from += 500)
  await queries
    .insertInto('balance_snapshots')
    .values(points.slice(from, from + 500))
    .execute();

const books = positionBooks({ ledger, overrides: overridesStore(database), market: { pair: () => undefined, pairs: () => [] } });
const exits = ledgerExits(books);
const look = async (): Promise<Look> =>
  ({ timeZone: 'UTC', dayOf: dayNames('UTC'), book: await books.of(ACCOUNT), standing: () => undefined }) as unknown as Look;
const now = () => NOW;
const flowsOf = async () => [{ at: START + DAYS * 12 * HOUR, value: decimal('500') }];
const worthOf = async () => ({ total: '10500', comparable: true });
const equity = (mode: 'live' | 'paper') => ({ worthOf, flowsOf, history: balanceHistory(database, now, mode) });
const parts: PerformanceParts = {
  market: { asOf: NOW, price: () => '100000', pair: () => ({}), rate: () => undefined },
  equity: { live: equity('live'), paper: equity('paper') },
  closesOf: async () => () => ({ price: decimal('90000'), interpolated: false }),
  ledgerExits: async () => (await exits.of(ACCOUNT, await look())).results,
  botFills: fillOrigins(queries, pino({ level: 'silent' })).of,
  boughtAt: async () => new Map(),
  paperExits: async () => ({ bots: new Map(), exits: [], unread: [] }),
  pairOf: () => ({ baseAsset: 'BTC', quoteAsset: 'USDT' }),
  held: async () => [],
};
const { getPerformance } = performanceFeature({ database, now }, parts).handlers;

async function timed(what: string, query: object): Promise<void> {
  let [longest, last] = [0, performance.now()];
  const beat = setInterval(() => {
    longest = Math.max(longest, performance.now() - last - 1);
    last = performance.now();
  }, 1);
  const [started, spent] = [performance.now(), process.cpuUsage()];
  const found = await getPerformance!({ account: { id: ACCOUNT }, query: { mode: 'live', ...query } } as never);
  const size = JSON.stringify(found).length;
  const took = performance.now() - started;
  const { user, system } = process.cpuUsage(spent);
  longest = Math.max(longest, performance.now() - last);
  clearInterval(beat);
  process.stdout.write(
    `${what}: ${took.toFixed(0)} ms (${Math.round((user + system) / 1000)} of a processor), longest without a turn ${longest.toFixed(0)} ms; ${found.exits} exits, ${found.days.length} days, ${Math.round(size / 1024)} kB\n`,
  );
}
await timed('the first range, all days', {});
await timed('all days again', {});
await timed('90 days', { from: '2026-08-29' });
await timed('7 days', { from: '2026-11-21' });
await timed('a year ago', { from: '2025-01-01', to: '2025-12-31' });
await timed('one coin, all days', { coins: ['C3'] });
await ledger.append(ACCOUNT, [{ ...fill(EXITS * 2), at: NOW }]);
await timed('90 days after one more fill', { from: '2026-08-29' });
await database.close();
rmSync(dataDir, { recursive: true, force: true });
