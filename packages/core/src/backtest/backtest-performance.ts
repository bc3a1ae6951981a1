import { isUndecided } from '../auto-trades/exit-tally.ts';
import { decimal, subtract, sum, toText } from '../money/decimal.ts';
import { monthsOf, type PerformanceFigures, performanceOf } from '../performance/performance.ts';
import type { Performance } from '../performance/performance-contract.ts';
import { atOnce, type CountedExit, passes } from '../performance/performance-exits.ts';
import { baseAssetOf } from '../prices/base-asset.ts';
import { clockNames, latestDay } from '../time/calendar-day.ts';
import type { BacktestDocument, BacktestTrade } from './backtest-contract.ts';

/**
 * What the panels of _Performance_ read, of a backtest.
 *
 * An exit is a closed position here, a trade of the report: its result counts whole, on the day of a zone and in the hour
 * in which it closed. Exits, wins, win rate, profit factor and average are therefore those of the report. Every list adds
 * up to `net`, the result of the closed trades; with `open.result` it is the report's `netPnl`.
 *
 * Equity is left out (no equity by day, drawdown, Sharpe, Sortino, return): the report has its own, of every bar and of
 * days of UTC. The same figures of a zone's days would be other numbers under the same names.
 */
export type BacktestPerformance = PerformanceFigures & {
  /** Every month of the run, whatever the picked days: the year of `to` alone would leave out most of a run of two years. */
  readonly months: Performance['year']['months'];
  /** What passes, newest first; positions that are still open only where neither days, reason nor hour are asked for. */
  readonly trades: readonly BacktestTrade[];
};

/** The trades of a run with what they are counted by. */
export type BacktestTrades = {
  /** First and last day of the run. */
  readonly from: string;
  readonly to: string;
  /** Oldest position first. */
  readonly trades: readonly { readonly trade: BacktestTrade; readonly coin: string; readonly exit: CountedExit | null }[];
  /** In the order in which they closed. */
  readonly exits: readonly CountedExit[];
  /** What `netPnl` has beside the closed trades: held positions and dust at their last price, and what open ones sold. */
  readonly open: Performance['open'] & { readonly result: string };
};

export type BacktestFilter = {
  /** Days of the zone, both included. */
  readonly days?: { readonly from: string; readonly to: string } | undefined;
  readonly coins?: readonly string[];
  readonly reasons?: readonly CountedExit['reason'][];
  readonly hour?: number | undefined;
};

/** The trades of a report by the days and hours of a time zone. Positions that bought nothing are no trades. */
export function backtestTrades(report: BacktestDocument, timeZone: string): BacktestTrades {
  const clock = clockNames(timeZone);
  const trades = report.positions
    .filter(({ buys }) => buys > 0)
    .map((trade) => {
      const coin = baseAssetOf(trade.symbol, report.quoteAsset);
      return { trade, coin, exit: exitOf(trade, coin, report.name, clock) };
    });
  const exits = trades.flatMap(({ exit }) => exit ?? []).sort((one, other) => one.at - other.at);
  const closed = sum(exits.map(({ net }) => net));
  const from = clock(Date.parse(report.from)).day;
  return {
    from,
    // A run that ends with midnight has nothing of the day that begins then, unless a trade closed at that very moment.
    to: latestDay(from, clock(Date.parse(report.to) - 1).day, exits.at(-1)?.day ?? from),
    trades,
    exits,
    open: { result: toText(subtract(decimal(report.netPnl), closed)), positions: trades.length - exits.length },
  };
}

function exitOf(trade: BacktestTrade, coin: string, whose: string, clock: ReturnType<typeof clockNames>): CountedExit | null {
  const { closedAt, openedAt, realised, reason, fees } = trade;
  if (closedAt === null || realised === null || reason === null) return null;
  const at = Date.parse(closedAt);
  const net = decimal(realised);
  return {
    at,
    ...clock(at),
    whose,
    walletId: null,
    coin,
    reason,
    net,
    fees: decimal(fees),
    heldMs: openedAt === null ? null : at - Date.parse(openedAt),
    // As the report counts: what ended at its cost after a price jump is in every list and no trade that was won or lost.
    isExit: !isUndecided(reason, net),
  };
}

/** Every figure and list of the trades that pass. */
export function performanceOfBacktest(run: BacktestTrades, filter: BacktestFilter): BacktestPerformance {
  const { days, ...traits } = filter;
  const range = { from: days?.from ?? run.from, to: days?.to ?? run.to, today: run.to };
  const isWanted = passes(traits);
  const wanted = run.exits.filter(isWanted);
  const asksExit = days !== undefined || traits.hour !== undefined || (traits.reasons?.length ?? 0) > 0;
  const coins = new Set(traits.coins);
  const isShown = ({ coin, exit }: BacktestTrades['trades'][number]): boolean =>
    exit === null ? !asksExit && (coins.size === 0 || coins.has(coin)) : exit.day >= range.from && exit.day <= range.to && isWanted(exit);
  const input = { exits: run.exits, uncounted: [], range, filter: traits, held: [], names: { bots: new Map(), wallets: new Map() } };
  return {
    ...atOnce(performanceOf({ ...input, equity: { points: [], flows: [], benchmark: { asset: '', priceAt: () => undefined } } })),
    months: atOnce(monthsOf(wanted, run.from.slice(0, 7), run.to.slice(0, 7))),
    trades: run.trades.flatMap((each) => (isShown(each) ? each.trade : [])).reverse(),
  };
}
