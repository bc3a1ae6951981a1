import type { AppError } from '@pilotfish/core/http/problem';
import { decimal, sum, toText } from '@pilotfish/core/money/decimal';
import { closedRowSchema, listClosedPositions } from '@pilotfish/core/positions/positions-contract';
import { expect, test } from 'vitest';
import { closedPositions } from './closed-answer.ts';
import type { EndedOnPaper } from './closed-on-paper.ts';

const id = (number: number): string => `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const [DIP, TREND] = [id(1), id(2)];
const HOUR = 3_600_000;
const at = (day: number, hour = 12): number => Date.UTC(2026, 0, day, hour);

const ended = (number: number, realised: string, more: Partial<EndedOnPaper> = {}): EndedOnPaper => ({
  id: id(100 + number),
  autoTradeId: DIP,
  symbol: 'BTCUSDT',
  baseAsset: 'BTC',
  quoteAsset: 'USDT',
  number,
  openedAt: at(number) - HOUR,
  closedAt: at(number),
  realised: decimal(realised),
  fees: decimal('0.5'),
  matchedCost: decimal('100'),
  dust: decimal('0'),
  trades: 2,
  exit: 'TakeProfit',
  ...more,
});
const ALL = [
  ended(1, '5', { openedAt: at(1) - 9 * HOUR, matchedCost: decimal('80') }),
  // At 23:30 UTC: the day after where it is three hours later.
  ended(2, '-3', { autoTradeId: TREND, symbol: 'ETHUSDT', baseAsset: 'ETH', exit: 'StopLoss', closedAt: at(2, 23) + HOUR / 2 }),
  ended(3, '0', { exit: 'gone', matchedCost: decimal('0'), openedAt: at(3) - 2 * HOUR }),
  ended(4, '7', { autoTradeId: TREND, symbol: 'SOLEUR', baseAsset: 'SOL', quoteAsset: 'EUR', exit: 'Manual', dust: decimal('0.01') }),
];

/** The list of an account in Istanbul whose ledger must not be looked at. */
function lists(positions: readonly EndedOnPaper[] = ALL) {
  const bots = new Map([
    [DIP, { name: 'Dip' }],
    [TREND, { name: 'A trend' }],
  ]);
  const refuse = () => Promise.reject(new Error('the ledger is not asked'));
  const answer = closedPositions({ text: (_: string, key: string) => key } as never, {
    positions: { look: refuse },
    botFills: refuse,
    botsEnded: async () => ({ positions, bots }),
    timeZoneOf: async () => 'Europe/Istanbul',
  });
  return (query: Record<string, string> = {}) =>
    answer(id(9), 'en', listClosedPositions.query!.parse({ mode: 'paper', ...query }) as never);
}
const numbers = async (query: Record<string, string>) => (await lists()(query)).items.map(({ number }) => number).join('');

test('a row says all that one of the ledger does, and nothing may be asked of it', async () => {
  const { items, ...rest } = await lists()({ order: 'asc', pageSize: '3' });
  for (const row of items) expect(closedRowSchema.parse(row)).toEqual(row);
  expect(items[0]).toEqual({
    id: id(101),
    exchange: 'Binance',
    symbol: 'BTCUSDT',
    baseAsset: 'BTC',
    quoteAsset: 'USDT',
    number: 1,
    openedAt: '2026-01-01T03:00:00.000Z',
    closedAt: '2026-01-01T12:00:00.000Z',
    closedBy: 'sell',
    quantity: '0',
    averageCost: null,
    breakEven: null,
    averageAsOnExchange: null,
    realised: '5',
    returnPct: '6.25',
    matchedCost: '80',
    fees: '0.5',
    dust: '0',
    trades: 2,
    broken: [],
    excludedFromTotals: false,
    reopened: false,
    allowed: [],
    bots: [{ id: DIP, name: 'Dip' }],
    byHand: false,
    exit: 'TakeProfit',
  });
  expect(items[2]).toMatchObject({ closedBy: 'gone', exit: 'gone', returnPct: null });
  expect(rest).toMatchObject({ page: 1, pageSize: 3, total: 4 });
  expect(rest.choices).toEqual({
    bots: [
      { id: TREND, name: 'A trend' },
      { id: DIP, name: 'Dip' },
    ],
    coins: ['BTC', 'ETH', 'SOL'],
    exits: ['TakeProfit', 'StopLoss', 'Manual', 'gone'],
  });
  const sums = { invested: '0', value: '0', unrealised: '0', broken: 0, excluded: 0 };
  expect(rest.totalsAll).toEqual([
    { ...sums, currency: 'EUR', realised: '7', fees: '0.5', count: 1, wins: 1, losses: 0 },
    { ...sums, currency: 'USDT', realised: '2', fees: '1.5', count: 3, wins: 1, losses: 1 },
  ]);
});

test.each<[Record<string, string>, string]>([
  [{}, '4321'],
  [{ currency: 'EUR' }, '4'],
  [{ 'excludedPnl.min': '-1', 'excludedPnl.max': '1' }, '421'],
  [{ coins: 'BTC,SOL' }, '431'],
  [{ bots: TREND }, '42'],
  [{ bots: 'hand' }, ''],
  [{ exits: 'gone,Manual' }, '43'],
  [{ result: 'win' }, '41'],
  [{ result: 'loss' }, '2'],
  [{ from: '2026-01-03', to: '2026-01-03' }, '32'],
  [{ onlyBrokenPositions: 'true' }, ''],
  [{ order: 'realised-desc' }, '4132'],
  [{ order: 'returnPct-asc' }, '2143'],
  [{ order: 'symbol-asc' }, '3124'],
  [{ order: 'matchedCost-asc' }, '3142'],
  [{ order: 'held-desc' }, '2134'],
  [{ page: '2', pageSize: '3' }, '1'],
])('by %o', async (query, expected) => {
  expect(await numbers(query)).toBe(expected);
});

test('what is listed has sums of its own, which are those of its rows', async () => {
  const { items, totalsListed, totalsAll } = await lists()({ coins: 'BTC,ETH', result: 'win' });
  expect(totalsListed).toMatchObject([{ currency: 'USDT', count: 1, realised: '5' }]);
  expect(toText(sum(items.map(({ realised }) => decimal(realised!))))).toBe('5');
  expect(totalsAll).toHaveLength(2);
});

test('bounds the wrong way round are refused before anything is read', async () => {
  const refused = await lists()({ 'excludedPnl.min': '2', 'excludedPnl.max': '1' }).catch((error: AppError) => error);
  expect(refused).toMatchObject({ code: 'invalid' });
});
