import { expect, test } from 'vitest';
import { random, randomSeries } from '../../bench/series.ts';
import { backtestCase } from '../../testing/backtest-cases.ts';
import { add, decimal, sum, toText, ZERO } from '../money/decimal.ts';
import type { Money } from '../money/figure.ts';
import { runBacktest } from './backtest.ts';
import type { BacktestDocument, BacktestTrade } from './backtest-contract.ts';
import { type BacktestPerformance, backtestTrades, performanceOfBacktest } from './backtest-performance.ts';
import { reportDocument } from './backtest-report.ts';

const document = (number: number, draw: () => number): BacktestDocument =>
  reportDocument(`case ${number}`, runBacktest(backtestCase(draw, randomSeries)), null);
const total = (list: readonly { readonly net: Money }[]): string => toText(sum(list.map(({ net }) => decimal(net))));
const lists = ({ days, months, coins, reasons, hours }: BacktestPerformance) => ({ days, months, coins, reasons, hours });

test('over runs of random bots every list adds up to the closed trades, and with what is open to the net result', () => {
  const draw = random(20_261_128);
  const seen = { closed: 0, open: 0, soldInPart: 0, coins: 0 };
  for (let number = 0; number < 30; number += 1) {
    const report = document(number, draw);
    const run = backtestTrades(report, ['UTC', 'Europe/Istanbul', 'America/New_York'][number % 3]!);
    const found = performanceOfBacktest(run, {});
    for (const [name, list] of Object.entries(lists(found))) {
      expect(total(list), `${name} of ${report.name}`).toBe(found.net);
      expect(
        list.reduce((all, { exits }) => all + exits, 0),
        name,
      ).toBe(found.exits);
    }
    expect(toText(add(decimal(found.net), decimal(run.open.result)))).toBe(report.netPnl);
    // Counted as the report counts.
    expect([found.exits, found.wins, found.winRatePct, found.profitFactor, found.averageExit]).toEqual([
      report.trades,
      report.wins,
      report.winRatePct,
      report.profitFactor,
      report.expectancy,
    ]);
    // What open positions have sold is realised in the wallet, and no trade yet.
    const open = report.positions.filter(({ closedAt }) => closedAt === null);
    const ofOpen = open.flatMap(({ traces }) =>
      traces.flatMap(({ kind, after }) => (kind === 'Sell' ? decimal(String(after.realised)) : [])),
    );
    expect(toText(add(decimal(found.net), sum(ofOpen)))).toBe(report.realised);
    expect(found.trades).toEqual(report.positions.filter(({ buys }) => buys > 0).toReversed());
    expect([found.drawdown, found.sharpe, found.returnPct]).toEqual([null, null, null]);
    seen.closed += found.exits;
    seen.open += run.open.positions;
    seen.soldInPart += ofOpen.length;
    if (found.coins.length > 1) seen.coins += 1;
  }
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0);
});

const trade = (closedAt: string | null, realised: string, more: Partial<BacktestTrade> = {}): BacktestTrade => ({
  positionId: `${closedAt} ${realised}`,
  symbol: 'BTCUSDT',
  enteredAt: '2026-03-06T00:00:00.000Z',
  openedAt: '2026-03-06T00:00:00.000Z',
  closedAt,
  reason: closedAt === null ? null : 'TakeProfit',
  bought: '100',
  sold: '100',
  buys: 1,
  sells: closedAt === null ? 0 : 1,
  fees: '0.2',
  realised: closedAt === null ? null : realised,
  resultPct: null,
  traces: [],
  ...more,
});
const ofTrades = (positions: readonly BacktestTrade[], more: Partial<BacktestDocument> = {}) =>
  backtestTrades(
    {
      ...document(0, random(1)),
      quoteAsset: 'USDT',
      from: '2026-03-06T00:00:00.000Z',
      to: '2026-03-10T04:00:00.000Z',
      netPnl: toText(positions.reduce((all, { realised }) => add(all, decimal(realised ?? '0')), ZERO)),
      positions: [...positions],
      ...more,
    },
    'America/New_York',
  );

test('a run without trades has its days and nothing in them', () => {
  const run = ofTrades([trade(null, '0', { buys: 0 })]);
  const found = performanceOfBacktest(run, {});
  expect(run.open).toEqual({ result: '0', positions: 0 });
  expect(found).toMatchObject({ net: '0', exits: 0, winRatePct: null, coins: [], reasons: [], trades: [], from: '2026-03-05' });
  expect(found.days).toHaveLength(5);
  expect(found.months).toEqual([{ month: '2026-03', exits: 0, net: '0' }]);
});

test('what is open at the end is in no list, and shown until days, a reason or an hour are asked for', () => {
  const closed = trade('2026-03-07T12:00:00.000Z', '5', { symbol: 'ETHUSDT' });
  const open = trade(null, '0');
  const run = ofTrades([closed, open], { netPnl: '3.5' });
  expect(run.open).toEqual({ result: '-1.5', positions: 1 });
  const shown = (filter: Parameters<typeof performanceOfBacktest>[1]) => performanceOfBacktest(run, filter).trades;
  expect([shown({}), shown({ coins: ['BTC'] }), shown({ coins: ['ETH'] })]).toEqual([[open, closed], [open], [closed]]);
  const days = { from: '2026-03-06', to: '2026-03-09' };
  expect([shown({ days }), shown({ reasons: ['TakeProfit'] }), shown({ hour: 7 }), shown({ hour: 8 })]).toEqual([
    [closed],
    [closed],
    [closed],
    [],
  ]);
});

test('days follow the clock of the zone, also where it changes: each is there once', () => {
  const run = ofTrades([
    // Clocks go forward on 8 March at 07:00 UTC: midnight is at 05:00 before, at 04:00 after.
    trade('2026-03-08T04:59:59.999Z', '1'),
    trade('2026-03-08T05:00:00.000Z', '2'),
    trade('2026-03-09T03:59:59.999Z', '4'),
    trade('2026-03-09T04:00:00.000Z', '8'),
    // The run ends with a midnight: what closes at it has the day that begins then.
    trade('2026-03-10T04:00:00.000Z', '16'),
  ]);
  const found = performanceOfBacktest(run, {});
  expect(found.days.map(({ day, net }) => [day, net])).toEqual([
    ['2026-03-05', '0'],
    ['2026-03-06', '0'],
    ['2026-03-07', '1'],
    ['2026-03-08', '6'],
    ['2026-03-09', '8'],
    ['2026-03-10', '16'],
  ]);
  expect(found.hours.filter(({ exits }) => exits > 0).map(({ hour, net }) => [hour, net])).toEqual([
    [0, '26'],
    [23, '5'],
  ]);
  expect(ofTrades([]).to).toBe('2026-03-09');
});

test('a filter leaves the same trades in the figures and in the list; months are those of the whole run', () => {
  const run = ofTrades(
    [
      trade('2025-12-31T12:00:00.000Z', '10'),
      trade('2026-01-02T12:00:00.000Z', '-3', { reason: 'StopLoss' }),
      trade('2026-01-03T12:00:00.000Z', '7', { symbol: 'ETHUSDT' }),
      // Ended at its cost after a price jump: neither won nor lost.
      trade('2026-01-04T12:00:00.000Z', '0', { reason: 'PriceJump' }),
    ],
    { from: '2025-12-30T12:00:00.000Z', to: '2026-01-05T12:00:00.000Z' },
  );
  const days = { from: '2026-01-01', to: '2026-01-31' };
  const january = performanceOfBacktest(run, { days, coins: ['BTC'] });
  expect([january.net, january.exits, january.trades.map(({ realised }) => realised)]).toEqual(['-3', 1, ['0', '-3']]);
  expect(january.months.map(({ month, net }) => [month, net])).toEqual([
    ['2025-12', '10'],
    ['2026-01', '-3'],
  ]);
  expect(performanceOfBacktest(run, {}).coins.map(({ asset, net }) => [asset, net])).toEqual([
    ['BTC', '7'],
    ['ETH', '7'],
  ]);
});
