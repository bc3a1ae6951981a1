import type { Trace } from '../auto-trades/trace.ts';
import { variance } from '../indicators/statistics.ts';
import { type BacktestOptions, type BacktestResult, runBacktest } from './backtest.ts';
import type { LookAhead } from './backtest-contract.ts';

/** Moments at which the traces of the veiled run are held against those of the open one. */
const SAMPLES = 20;
/** Fewer trades than this say nothing about a difference. */
const LEAST_TRADES = 10;

const sameTrace = (a: Trace | undefined, b: Trace | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The time of the first trace in which two runs differ; undefined when they are the same to the end. */
export function firstDifference(a: readonly Trace[], b: readonly Trace[]): number | undefined {
  const length = Math.max(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    if (sameTrace(a[index], b[index])) continue;
    return Math.min(...[a[index], b[index]].flatMap((trace) => (trace ? [Date.parse(trace.at)] : [])));
  }
  return undefined;
}

/** Moments of a period, evenly apart, the last one its end. */
export const sampledTimes = (from: number, to: number, count = SAMPLES): number[] =>
  Array.from({ length: count }, (_, index) => from + ((to - from) * (index + 1)) / count);

const results = (traces: readonly Trace[]): number[] =>
  traces.filter(({ kind, reason }) => kind === 'Exit' && reason !== 'Abandoned').map(({ after }) => Number(after.realised));

/** Variance of the sum of results; fewer than two say nothing of it. */
const sumVariance = (values: readonly number[]): number => (values.length < 2 ? 0 : values.length * variance(values));

/**
 * What buying one bar later does to the result. Chance explains two standard errors of the difference of the two sums
 * of results, as if the trades of both runs were drawn independently: wider than the truth, so that only what is far
 * beyond is flagged. `improves` is not believed; `collapses` says that the result hangs on a single bar.
 */
export function judgeDelay(open: BacktestResult, late: BacktestResult): LookAhead['delay'] {
  const [before, after] = [results(open.traces), results(late.traces)];
  const noise = 2 * Math.sqrt(sumVariance(before) + sumVariance(after));
  const improvement = Number(late.report.netPnl) - Number(open.report.netPnl);
  const few = Math.min(before.length, after.length) < LEAST_TRADES;
  return {
    verdict: few ? 'tooFewTrades' : improvement > noise ? 'improves' : improvement < -noise ? 'collapses' : 'passed',
    netPnl: late.report.netPnl,
    trades: late.report.trades,
    improvement: Math.round(improvement * 100) / 100,
    noise: Math.round(noise * 100) / 100,
  };
}

/** Holds an open run against a veiled one at 20 moments: the traces up to each must be the same. */
export function judgePrefix(open: BacktestResult, veiled: BacktestResult): LookAhead['prefix'] {
  const different = firstDifference(open.traces, veiled.traces);
  const times = sampledTimes(Date.parse(open.report.from), Date.parse(open.report.to));
  const failed = different === undefined ? undefined : (times.find((time) => different <= time) ?? times.at(-1));
  return { passed: failed === undefined, sampled: times.length, failedAt: failed === undefined ? null : new Date(failed).toISOString() };
}

/**
 * The two checks for look-ahead, two more runs: one in which every bar is hidden until its turn, which equals a replay
 * of every prefix at once (a decision at t cannot have read what is not there yet), and one that buys a bar later.
 * `onProgress` is told the share of both that is done.
 */
export function checkLookAhead(options: BacktestOptions, open: BacktestResult): LookAhead {
  const { onProgress, ...rest } = options;
  const part = (from: number) => (onProgress ? { onProgress: (done: number) => onProgress(from + done / 2) } : {});
  const prefix = judgePrefix(open, runBacktest({ ...rest, ...part(0), veiled: true }));
  const delay = judgeDelay(open, runBacktest({ ...rest, ...part(0.5), delayBars: 1 }));
  return { prefix, delay };
}
