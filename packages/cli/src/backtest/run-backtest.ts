import { writeFileSync } from 'node:fs';
import { runBacktest } from '@pilotfish/core/backtest/backtest';
import { ConditionsError } from '@pilotfish/core/backtest/backtest-conditions';
import type { BacktestDocument } from '@pilotfish/core/backtest/backtest-contract';
import { reportDocument } from '@pilotfish/core/backtest/backtest-report';
import { TimelineError } from '@pilotfish/core/backtest/backtest-timeline';
import { checkLookAhead } from '@pilotfish/core/backtest/look-ahead';
import { reportPage, warningsOf } from '@pilotfish/core/backtest/report-page';
import { formatElapsed } from '@pilotfish/core/time/duration';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure } from '../app/failure.ts';
import { traces } from '../auto-trades/bot-columns.ts';
import { formatOf, printOne, printRows } from '../ui/output.ts';
import { progressLine } from '../ui/progress-line.ts';
import { sparkline } from '../ui/sparkline.ts';
import { widthOf } from '../ui/terminal-size.ts';
import { type BacktestInputOptions, backtestInput } from './backtest-input.ts';
import { reportColumns } from './report-columns.ts';

export type BacktestRunOptions = BacktestInputOptions & {
  report?: string;
  traces?: true;
  checks?: boolean;
  ticks?: string;
  latency?: string;
};

/** Runs a bot over recorded candles with the engine the server uses, in this process. */
export async function run(context: Context, options: BacktestRunOptions): Promise<void> {
  const { ticks } = options;
  if (ticks !== undefined) return (await import('./run-ticks.ts')).runTicks(context, { ...options, ticks });
  const input = await backtestInput(context, options);
  const started = performance.now();
  // Two of the three runs are those of the checks.
  const checked = options.checks !== false;
  const line = progressLine(context);
  const share = checked ? 1 / 3 : 1;
  try {
    const result = runBacktest({ ...input, onProgress: (done) => line.show(done * share) });
    const checks = checked ? checkLookAhead({ ...input, onProgress: (done) => line.show(share + done * (1 - share)) }, result) : null;
    line.end();
    const time = formatElapsed(performance.now() - started, context.language);
    await context.say('cli.backtest.took', { bars: result.report.bars, time });
    const document = reportDocument(input.config.name, result, checks);
    await sayChecks(context, document);
    if (options.report !== undefined) await writeReport(context, options.report, document);
    if (options.traces) return printRows(context, traces(await context.texts(), document.quoteAsset), result.traces);
    await printReport(context, document);
  } catch (error) {
    line.end();
    throw await explained(context, error);
  }
}

/** What the core refuses, as sentences for the person. */
export async function explained(context: Context, error: unknown): Promise<unknown> {
  if (error instanceof TimelineError)
    return new LocalFailure('candlesDiffer', { reason: error.message }, { exit: EXIT.usage, cause: error });
  if (!(error instanceof ConditionsError)) return error;
  const t = await context.texts();
  const problems = error.problems.map(({ code, column }) => t(`backtest.problem.${code}`, { column })).join(' ');
  return new LocalFailure('cannotJudge', { problems }, { exit: EXIT.usage, cause: error });
}

/** The figures, and on a terminal the curve as a line of marks. */
export async function printReport(context: Context, document: BacktestDocument): Promise<void> {
  await printOne(context, { columns: reportColumns(await context.texts(), context.language) }, document);
  if (formatOf(context) !== 'table') return;
  const every = Math.max(1, Math.ceil(document.equity.length / Math.min(70, widthOf(context))));
  const values = document.equity.filter((_, index) => index % every === 0).map(({ value }) => value);
  context.stdout.write(`${sparkline(values, context.unicode)}\n`);
}

/** What the checks found is said aloud when it is bad, in every format: a result that is not to be believed must not look like one. */
async function sayChecks(context: Context, document: BacktestDocument): Promise<void> {
  for (const warning of warningsOf(document, await context.texts())) context.stderr.write(`${warning}\n`);
}

/** The report as a page that needs nothing else. */
export async function writeReport(context: Context, file: string, document: BacktestDocument): Promise<void> {
  try {
    writeFileSync(file, reportPage(document, await context.texts(), context.language));
  } catch (error) {
    const reason = String((error as NodeJS.ErrnoException).code);
    throw new LocalFailure('cannotWrite', { file, reason }, { exit: EXIT.failed, cause: error });
  }
  await context.say('cli.backtest.wrote', { file });
}
