import fc from 'fast-check';
import { expect, test } from 'vitest';
import { monthsOfLists } from '../../testing/months-of-lists.ts';
import { runs } from '../../testing/tiers.ts';
import { add, decimal, multiply, subtract, sum, toText } from '../money/decimal.ts';
import { type FoldOptions, foldLedger, LedgerFold } from './asset-fold.ts';
import { dailyPerformance } from './daily-performance.ts';
import type { FoldedPosition } from './folded-position.ts';
import { compareEntries, type LedgerEntry, type TradeEntry } from './ledger-entry.ts';
import { MonthlyResults, type MonthResult } from './monthly-overview.ts';

const DAY = 86_400_000;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
const monthOf = (at: number) => new Date(at).toISOString().slice(0, 7);
const start = Date.UTC(2026, 0, 30);
const trade = (
  index: number,
  side: 'Buy' | 'Sell',
  quantity: string,
  price: string,
  day: number,
  more: Partial<TradeEntry> = {},
): TradeEntry => ({
  kind: 'trade',
  id: `t${String(index).padStart(4, '0')}`,
  at: start + day * DAY + index,
  symbol: 'BTCUSDT',
  baseAsset: 'BTC',
  quoteAsset: 'USDT',
  side,
  price,
  quantity,
  quoteQuantity: toText(multiply(decimal(quantity), decimal(price))),
  fee: '0',
  feeAsset: 'USDT',
  tradeId: String(index),
  orderId: null,
  source: 'api',
  feeInQuote: null,
  feeInPrimary: null,
  quoteRate: '1',
  ...more,
});
const options: FoldOptions = {
  primary: 'USDT',
  cash: new Set(['USDT', 'BTC']),
  rulesOf: () => ({ stepSize: decimal('0.01'), minNotional: decimal('0') }),
  lines: true,
};
const fold = (entries: LedgerEntry[]): FoldedPosition[] => foldLedger(entries, options).flatMap(({ positions }) => positions);

type StandingOf = (position: { symbol: string; key: string }) => 'excluded' | 'broken' | undefined;
/** The months, each line told once as it comes and kept by nobody; each asset's on its own, and then together. */
const months = (entries: readonly LedgerEntry[], standingOf: StandingOf = () => undefined, parts = entries.length) => {
  const byAsset = new Map<string, MonthlyResults>();
  const resultsOf = ({ baseAsset }: { baseAsset: string }) => {
    const known = byAsset.get(baseAsset) ?? new MonthlyResults({ primary: 'USDT', monthOf });
    byAsset.set(baseAsset, known);
    return known;
  };
  const folding = new LedgerFold({
    ...options,
    lines: (position, line) => {
      if (standingOf(position) === undefined) resultsOf(position).line(position.quoteAsset, line);
    },
  });
  const sorted = [...entries].sort(compareEntries);
  for (let start = 0; start < sorted.length; start += parts) folding.push(sorted.slice(start, start + parts));
  // What is open is kept, and numbered as it would be with those before it.
  const [whole, kept] = [fold(sorted), [...folding.end()].flatMap(({ positions }) => positions)];
  expect(kept).toEqual(whole.filter(({ closedAt }) => closedAt === null).map((position) => ({ ...position, lines: [] })));
  for (const position of whole) resultsOf(position).position(position, standingOf(position));
  const together = new MonthlyResults({ primary: 'USDT', monthOf });
  for (const results of byAsset.values()) together.include(results);
  return together.results();
};
const daysFrom = (from: number, count: number) => Array.from({ length: count }, (_, index) => dayOf(start + (from + index) * DAY));
const closes = (prices: Record<string, string>) => (day: string) => ({
  price: decimal(prices[day] ?? '100'),
  interpolated: prices[day] === undefined,
});

test('daily performance: each day its own result, interpolated days are marked', () => {
  const [position] = fold([trade(1, 'Buy', '1', '100', 0), trade(2, 'Buy', '1', '110', 1), trade(3, 'Sell', '1', '130', 2)]);
  const [first, second, third] = daysFrom(0, 3) as [string, string, string];
  const days = dailyPerformance(position!, [first, second, third], dayOf, closes({ [first]: '105', [third]: '120' }));
  // Day 1: 105 − 100. Day 2: 2 × 100 − 105 − 110. Day 3: 120 − 200 + 130.
  expect(days.map(({ pnl, interpolated }) => [toText(pnl), interpolated])).toEqual([
    ['5', false],
    ['-15', true],
    ['50', false],
  ]);
  expect(toText(days[0]!.returnPct)).toBe('5');
});

const history = fc.array(
  fc.record({
    buy: fc.boolean(),
    quantity: fc.integer({ min: 1, max: 500 }),
    price: fc.integer({ min: 1, max: 999 }),
    gap: fc.integer({ min: 0, max: 2 }),
    out: fc.boolean(),
  }),
  { minLength: 1, maxLength: 25 },
);

test('the days of a position add up to its result, whatever the closes', () => {
  fc.assert(
    fc.property(history, fc.array(fc.integer({ min: 1, max: 999 }), { minLength: 60, maxLength: 60 }), (steps, prices) => {
      let day = 0;
      const entries: LedgerEntry[] = steps.map(({ buy, quantity, price, gap, out }, index) => {
        day += gap;
        const units = toText(multiply(decimal(quantity), decimal('0.01')));
        if (out && !buy)
          return {
            kind: 'transfer',
            id: `x${index}`,
            at: start + day * DAY + index,
            asset: 'BTC',
            change: `-${units}`,
            transfer: 'withdrawal',
            cost: null,
            source: 'user',
          };
        return trade(index, buy ? 'Buy' : 'Sell', units, String(price), day);
      });
      const days = daysFrom(0, 60);
      const priceOf = (name: string) => decimal(prices[days.indexOf(name)] ?? 1);
      for (const position of fold(entries)) {
        const until = position.closedAt === null ? days : days.slice(0, days.indexOf(dayOf(position.closedAt)) + 1);
        const own = dailyPerformance(position, until, dayOf, (name) => ({ price: priceOf(name), interpolated: false }));
        const worth = multiply(position.quantity, priceOf(days.at(-1)!));
        const total = add(position.realised, subtract(worth, position.cost));
        expect(toText(sum(own.map(({ pnl }) => pnl)))).toBe(toText(total));
      }
    }),
    { numRuns: runs(1000) },
  );
});

test('monthly overview: the month of the sell, the fees of each fill, wins and losses of what closed', () => {
  const eth = { symbol: 'ETHBTC', baseAsset: 'ETH', quoteAsset: 'BTC', feeAsset: 'BTC' };
  const entries = [
    trade(1, 'Buy', '2', '100', 0, { fee: '0.2' }),
    trade(2, 'Sell', '1', '120', 1, { fee: '0.12' }),
    trade(3, 'Sell', '1', '90', 3, { fee: '0.01', feeAsset: 'BTC' }),
    trade(4, 'Buy', '1', '100', 4),
    trade(5, 'Sell', '1', '80', 5),
    trade(6, 'Buy', '1', '0.1', 4, eth),
    trade(7, 'Sell', '1', '0.2', 5, { ...eth, quoteRate: '50000' }),
  ];
  const broken = new Set(fold(entries).flatMap(({ key, reasons }) => (reasons.size > 0 ? [key] : [])));
  const overview = months(entries, ({ key }) => (broken.has(key) ? 'broken' : undefined));
  const shown = overview.map((month) => [
    month.month,
    month.currency,
    toText(month.realised),
    month.realisedInPrimary && toText(month.realisedInPrimary),
    month.closed,
    month.wins,
    month.losses,
  ]);
  // The third fill sells 1.01 of 1 left: oversold, so the first position is in no sum.
  expect(shown).toEqual([
    ['2026-02', 'BTC', '0.1', '5000', 1, 1, 0],
    ['2026-02', 'USDT', '-20', '-20', 1, 0, 1],
  ]);
  expect(overview[1]).toMatchObject({ broken: 1, unmatched: 1, profitFactor: expect.anything() });
  expect(toText(overview[1]!.profitFactor!)).toBe('0');
});

test('an unknown rate makes the converted sum unknown, not smaller', () => {
  const eth = { symbol: 'ETHBTC', baseAsset: 'ETH', quoteAsset: 'BTC', feeAsset: 'BTC', quoteRate: null };
  const [month] = months([trade(1, 'Buy', '1', '0.1', 0, eth), trade(2, 'Sell', '1', '0.2', 1, eth)]);
  expect([toText(month!.realised), month!.realisedInPrimary]).toEqual(['0.1', null]);
});

/** Each sum as its text: of two equal results either may be the best one, and one zero may have more digits than another. */
const inTexts = (results: readonly MonthResult[]) =>
  results.map((month) =>
    Object.fromEntries(
      Object.entries(month).map(([name, value]) => [name, value !== null && typeof value === 'object' ? toText(value) : value]),
    ),
  );

test('months gathered line by line are those of whole lists, to the digit', () => {
  const pairs = [
    {},
    { symbol: 'ETHUSDT', baseAsset: 'ETH' },
    { symbol: 'ETHBTC', baseAsset: 'ETH', quoteAsset: 'BTC', quoteRate: '50000.123' },
    { symbol: 'BNBUSDT', baseAsset: 'BNB' },
    { symbol: 'SOLBTC', baseAsset: 'SOL', quoteAsset: 'BTC', quoteRate: null },
  ] satisfies Partial<TradeEntry>[];
  const step = fc.record({
    pair: fc.constantFrom(...pairs),
    buy: fc.boolean(),
    units: fc.integer({ min: 1, max: 400 }),
    price: fc.integer({ min: 1, max: 10 ** 7 }),
    day: fc.integer({ min: 0, max: 40 }),
    feeAsset: fc.constantFrom('USDT', 'BTC', 'ETH', 'BNB'),
    fee: fc.constantFrom('0', '0.00010001', '0.1'),
    feeInQuote: fc.constantFrom(null, '0.0777'),
  });
  const standings = fc.array(fc.constantFrom(undefined, undefined, 'excluded' as const, 'broken' as const), { minLength: 1, maxLength: 7 });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), standings, fc.integer({ min: 1, max: 9 }), (steps, said, parts) => {
      const entries = steps.map(({ pair, buy, units, price, day, feeAsset, fee, feeInQuote }, index) =>
        trade(index, buy ? 'Buy' : 'Sell', String(units / 100), String(price / 10_000), day, {
          ...pair,
          feeAsset,
          fee,
          feeInQuote,
          feeInPrimary: feeInQuote,
        }),
      );
      const standingOf: StandingOf = ({ key }) => said[Number(key.slice(1)) % said.length];
      const wanted = monthsOfLists(fold(entries), {
        primary: 'USDT',
        monthOf,
        isBroken: (position) => standingOf(position) === 'broken',
        isExcluded: (position) => standingOf(position) === 'excluded',
      });
      expect(inTexts(months(entries, standingOf, parts))).toEqual(inTexts(wanted));
    }),
    { numRuns: runs(400) },
  );
});
