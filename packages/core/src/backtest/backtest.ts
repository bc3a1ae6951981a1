import type { AutoTradeConfig } from '../auto-trades/config/auto-trade-config.ts';
import type { Trace } from '../auto-trades/trace.ts';
import type { CandleSeries } from '../prices/candle-series.ts';
import type { Pair } from '../prices/prices-contract.ts';
import { type ConditionJudge, ConditionsError, coinProblems, runProblems } from './backtest-conditions.ts';
import type { BacktestFigures } from './backtest-contract.ts';
import type { BacktestSummary } from './backtest-report.ts';
import { resultOf, summaryOf, type WalkedRun, walkCandles } from './backtest-run.ts';
import type { CandleSource } from './candle-feed.ts';
import type { FillModel } from './fill-model.ts';

/** A coin of the bot: its pair, its candles, and finer ones that tell what happened inside a bar where that matters. */
export type BacktestCoin = {
  readonly pair: Pair;
  readonly candles: CandleSeries;
  readonly zoom?: CandleSeries;
  /** Closed candles of any lengths from before the run (and up to the end of the one it begins in): what figures reach back to. */
  readonly history?: readonly CandleSeries[];
  /** When the pair was listed, epoch ms, where that is known. */
  readonly listedAt?: number;
};

export type BacktestOptions = {
  readonly config: AutoTradeConfig;
  /** In the order of the bot's coins. All candles have one interval, all pairs one quote asset. */
  readonly coins: readonly BacktestCoin[];
  /** Candles of BTCUSDT, for correlations of a bot that does not trade it. */
  readonly reference?: CandleSource;
  readonly startBalance: string;
  readonly reservePct?: string;
  readonly model?: FillModel;
  /** Told at most a hundred times, with the share that is done (0–1). */
  readonly onProgress?: (done: number) => void;
  readonly signal?: AbortSignal;
  /** Walks quiet bars too; the result is the same, as a test shows. */
  readonly walkEveryBar?: boolean;
  /** Bars by which every buy comes later than decided: the test of delay. */
  readonly delayBars?: number;
  /** Every bar is hidden until its turn comes: the test of look-ahead. */
  readonly veiled?: boolean;
  /** What judges the conditions of a coin, in place of the bot's own rules. */
  readonly judgeFor?: (coin: BacktestCoin) => ConditionJudge | undefined;
};

export type BacktestResult = { readonly report: BacktestFigures; readonly traces: readonly Trace[] };

/**
 * Runs a bot over the candles of its coins with the live engine and an in-process exchange: one wallet, one set of
 * slots, ticks in the order of time. Decisions are made at four prices of each bar (open, both extremes, close); where
 * stop and target lie in one bar, finer candles tell which came first, else the stop did. A decision sees the ticks up
 * to its own, orders fill from the next bar on. Throws `TimelineError` for candles that cannot be walked together and
 * `ConditionsError` for what these candles cannot answer.
 */
export const runBacktest = (options: BacktestOptions): BacktestResult => run(options, resultOf);

/** The same run for its figures alone: without traces, a curve and benchmarks, as a sweep wants it. */
export const runSummary = (options: BacktestOptions): BacktestSummary => run(options, summaryOf);

function run<Result>(options: BacktestOptions, finish: (options: BacktestOptions, run: WalkedRun) => Result): Result {
  const { config, coins, reference, judgeFor } = options;
  const problems = judgeFor ? coinProblems(config, coins) : runProblems(config, coins, reference);
  if (problems.length > 0) throw new ConditionsError(problems);
  return finish(options, walkCandles(options));
}
