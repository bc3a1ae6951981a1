import '../platform/strict-zod.ts';
import { type BacktestOptions, runBacktest } from '@pilotfish/core/backtest/backtest';
import type { BacktestDocument } from '@pilotfish/core/backtest/backtest-contract';
import { reportDocument } from '@pilotfish/core/backtest/backtest-report';
import { checkLookAhead } from '@pilotfish/core/backtest/look-ahead';

/** What the worker is asked, and what it says. */
export type WorkerTask = Pick<BacktestOptions, 'config' | 'coins' | 'reference' | 'startBalance' | 'reservePct'>;
export type WorkerNews =
  | { readonly type: 'progress'; readonly done: number }
  | { readonly type: 'report'; readonly document: BacktestDocument };

/** One of three runs is the result, the others are the checks for look-ahead. */
const SHARE = 1 / 3;

const say = (news: WorkerNews) => postMessage(news);

addEventListener('message', ({ data }: MessageEvent<WorkerTask>) => {
  const result = runBacktest({ ...data, onProgress: (done) => say({ type: 'progress', done: done * SHARE }) });
  const checks = checkLookAhead({ ...data, onProgress: (done) => say({ type: 'progress', done: SHARE + done * (1 - SHARE) }) }, result);
  say({ type: 'report', document: reportDocument(data.config.name, result, checks) });
});
