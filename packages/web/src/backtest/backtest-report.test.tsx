// @vitest-environment happy-dom

import type { BacktestDocument, BacktestTrade } from '@pilotfish/core/backtest/backtest-contract';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { show, testApp } from '../platform/testing/shown-app.tsx';
import { BacktestReport } from './backtest-report.tsx';

// What is drawn, in words: a canvas has none.
vi.mock('../ui/charts/line-chart.tsx', () => ({
  LineChart: ({ series, pane }: { series: { label: string; values: number[] }[]; pane?: { values: number[] } }) => (
    <output aria-label="lines">
      {[...series.map(({ label, values }) => `${label} ${values.at(-1)}`), ...(pane?.values ?? [])].join(' | ')}
    </output>
  ),
}));
vi.mock('../ui/charts/bar-chart.tsx', () => ({ BarChart: () => null }));
afterEach(cleanup);

const at = (day: number) => new Date(Date.UTC(2025, 2, day, 12)).toISOString();
const trade = (day: number, symbol: string, realised: string | null, reason: BacktestTrade['reason']): BacktestTrade => ({
  positionId: `${symbol} ${day}`,
  symbol,
  enteredAt: at(day - 1),
  openedAt: at(day - 1),
  closedAt: realised === null ? null : at(day),
  reason,
  bought: '100',
  sold: '100',
  buys: 1,
  sells: 1,
  fees: '0.2',
  realised,
  resultPct: realised,
  traces: [],
});
const passive = { endValue: '1020', returnPct: '2' };
const report = (positions: BacktestTrade[], more: Partial<BacktestDocument> = {}): BacktestDocument => ({
  version: 1,
  name: 'Tried',
  symbols: ['BTCUSDT', 'ETHUSDT'],
  quoteAsset: 'USDT',
  from: at(1),
  to: at(9),
  bars: 192,
  intervalMs: 3_600_000,
  model: { takerFee: '0.001', makerFee: '0.001', halfSpreadPct: 0.01, slippagePct: 0.02, volumeSharePct: 10 },
  startBalance: '1000',
  endValue: '1005.5',
  netPnl: '5.5',
  returnPct: '0.55',
  hold: passive,
  dca: { ...passive, buys: 8, everyMs: 86_400_000 },
  realised: '4',
  fees: '0.9',
  slippage: '0.3',
  trades: 3,
  wins: 2,
  losses: 1,
  winRatePct: '66.67',
  profitFactor: '3',
  expectancy: '1.33333333',
  sharpe: 1.25,
  sortino: null,
  maxDrawdownPct: 0.4,
  maxDrawdownMs: 7_200_000,
  underWaterMs: 7_200_000,
  exposurePct: 40,
  ambiguousBars: 0,
  zoomedBars: 0,
  ambiguousExitsPct: 0,
  exits: { TakeProfit: 2, StopLoss: 1 },
  refusals: {},
  equity: [
    { at: at(1), value: 1000, hold: 1000, dca: 1000 },
    { at: at(9), value: 1005.5, hold: 1020, dca: 1010 },
  ],
  prices: {},
  checks: null,
  positions,
  ...more,
});
const POSITIONS = [
  trade(3, 'BTCUSDT', '4', 'TakeProfit'),
  trade(4, 'ETHUSDT', '2', 'TakeProfit'),
  trade(6, 'ETHUSDT', '-2', 'StopLoss'),
  trade(8, 'BTCUSDT', null, null),
];
const draw = (document: BacktestDocument) => show(testApp(), <BacktestReport document={document} candles={[]} pairs={[]} />);
const figure = (label: RegExp): string => screen.getAllByText(label, { selector: 'dt' })[0]!.parentElement!.textContent!;
const listed = (): (string | null)[] =>
  screen.queryAllByRole('group').flatMap((each) => (each.tagName === 'DETAILS' ? each.querySelector('summary')!.textContent : []));
const press = (list: string, name: string) =>
  fireEvent.click(within(screen.getByRole('list', { name: list })).getByRole('button', { name }));

test('the figures of the report stand beside those of its trades, which say what they leave open', async () => {
  await draw(report(POSITIONS));
  expect(figure(/^Net result/)).toBe('Net result, USDT+5.50incl. open +1.50');
  expect(figure(/^Against buy and hold/)).toBe('Against buy and hold−1.45 pts+0.55% · hold +2.00%');
  expect(figure(/^Win rate/)).toBe('Win rate67%2 of 3');
  expect(figure(/^Profit factor/)).toBe('Profit factor3.00won 6 · lost 2');
  expect(figure(/^Sharpe/)).toContain('1.25');
  expect(figure(/^Max drawdown/)).toBe('Max drawdown−0.40%2 h');
  expect(figure(/^Result of closed/)).toBe('Result of closed trades+4.00');
  expect(figure(/^Result of open/)).toBe('Result of open positions+1.501 position open at the end, included in the net result');
  expect((await screen.findByLabelText('lines')).textContent).toBe('This bot 1005.5 | Buy and hold 1020 | 8 equal buys 1010 | 0 | 0');
  expect(listed()).toHaveLength(4);
});

test('a reason, a coin and a day leave their trades; what belongs to the whole run says so, and chips undo it', async () => {
  await draw(report(POSITIONS));
  press('By exit reason', 'Take profit');
  expect(listed()).toHaveLength(2);
  expect(screen.getByText('2 of 4')).toBeTruthy();
  expect(figure(/^Result shown/)).toBe('Result shown, USDT+6.00after fees');
  expect(figure(/^Max drawdown/)).toContain('unknown with a filter');
  expect((await screen.findByLabelText('lines')).textContent).toBe('Total result 6');
  press('By coin', 'ETH');
  expect(listed()).toHaveLength(1);
  const chips = within(screen.getByRole('group', { name: 'Filters' }));
  fireEvent.click(chips.getByRole('button', { name: 'Take profit' }));
  expect(listed()).toHaveLength(2);
  fireEvent.click(chips.getByRole('button', { name: 'ETH' }));
  fireEvent.click(screen.getByRole('button', { name: /^6 March: −2\.00 USDT/ }));
  expect(listed()).toEqual([expect.stringContaining('ETHUSDT')]);
  // A day narrows nothing of the curve: it is that of the whole run.
  expect(screen.getByLabelText('lines').textContent).toContain('This bot 1005.5');
});

test('a run in which nothing closed says so, and has its further figures', async () => {
  const none = { realised: '0', trades: 0, wins: 0, losses: 0, winRatePct: null, profitFactor: null, expectancy: null, sharpe: null };
  await draw(report([], { ...none, netPnl: '0', endValue: '1000', returnPct: '0' }));
  expect(screen.getByRole('heading', { name: 'No trade closed in this period' })).toBeTruthy();
  expect(screen.getByText('The bot bought nothing in this period.')).toBeTruthy();
  expect(figure(/^Net result/)).toBe('Net result, USDT0.00after fees');
  expect(figure(/^Final value/)).toContain('1,000.00');
  expect(screen.queryByRole('list', { name: 'By coin' })).toBeNull();
});
