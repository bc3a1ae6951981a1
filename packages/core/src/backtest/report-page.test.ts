import { expect, test } from 'vitest';
import { deepTest } from '../../testing/tiers.ts';
import type { BacktestDocument, BacktestTrade } from './backtest-contract.ts';
import { reportPage } from './report-page.ts';

const MINUTE = 60_000;
const DAYS = 400;
const at = (minute: number) => new Date(Date.UTC(2025, 0, 1) + minute * MINUTE).toISOString();
const END = DAYS * 1440;

const trace = (kind: 'Buy' | 'Sell', minute: number) =>
  ({ kind, at: at(minute), price: String(100 + (minute % 7)) }) as BacktestTrade['traces'][number];
const tradeAt = (minute: number, index: number): BacktestTrade => ({
  positionId: `p${index}`,
  symbol: 'BTCUSDT',
  enteredAt: at(minute),
  openedAt: at(minute),
  closedAt: at(minute + 5),
  reason: 'TakeProfit',
  bought: '100',
  sold: '101',
  buys: 1,
  sells: 1,
  fees: '0.2',
  realised: '0.8',
  resultPct: '0.8',
  traces: [trace('Buy', minute), trace('Sell', minute + 5)],
});

/** A report of so many trades, spread over the whole time. */
const reportOf = (count: number): BacktestDocument => {
  const equity = Array.from({ length: 500 }, (_, index) => ({ at: at((index * END) / 499), value: 1000 + index, hold: 1000, dca: 1000 }));
  const passive = { endValue: '1000', returnPct: '0' };
  return {
    version: 1,
    name: 'Busy',
    symbols: ['BTCUSDT'],
    quoteAsset: 'USDT',
    from: at(0),
    to: at(END),
    bars: END,
    intervalMs: MINUTE,
    model: { takerFee: '0.001', makerFee: '0.001', halfSpreadPct: '0.01', slippagePct: '0.02', volumeSharePct: '10' },
    startBalance: '1000',
    endValue: '1499',
    netPnl: '499',
    returnPct: '49.9',
    hold: passive,
    dca: { ...passive, buys: 12, everyMs: 1 },
    realised: '499',
    fees: '10',
    slippage: '1',
    trades: count,
    wins: count,
    losses: 0,
    winRatePct: '100',
    profitFactor: null,
    expectancy: '0.8',
    sharpe: null,
    sortino: null,
    maxDrawdownPct: 0,
    maxDrawdownMs: 0,
    underWaterMs: 0,
    exposurePct: 10,
    ambiguousBars: 0,
    zoomedBars: 0,
    ambiguousExitsPct: 0,
    exits: {},
    refusals: {},
    equity,
    prices: { BTCUSDT: equity.map(() => 103) },
    checks: null,
    positions: Array.from({ length: count }, (_, index) => tradeAt(Math.floor((index * (END - 10)) / count), index)),
  } as unknown as BacktestDocument;
};
const page = (count: number) => reportPage(reportOf(count), (key) => (typeof key === 'string' ? key : key[0]!), 'en');
const marksOf = (html: string) =>
  Array.from(html.matchAll(/<path class="mark (gain|loss)" d="M([\d.]+) /g), ([, side, x]) => ({ side, x: Number(x) }));

test('a few trades are marked one by one', () => {
  expect(marksOf(page(8))).toHaveLength(16);
});

deepTest(
  'with tens of thousands of trades the whole time is marked, not only its beginning, by no more marks than can be told apart',
  () => {
    const marks = marksOf(page(30_000));
    expect(marks.length).toBeLessThan(1500);
    for (const side of ['gain', 'loss']) {
      const places = marks.filter((mark) => mark.side === side).map(({ x }) => x);
      expect(Math.min(...places)).toBeLessThan(90);
      expect(Math.max(...places)).toBeGreaterThan(940);
    }
  },
);
