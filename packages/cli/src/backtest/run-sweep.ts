import { availableParallelism } from 'node:os';
import { ConditionsError, runProblems } from '@pilotfish/core/backtest/backtest-conditions';
import { judgeOverfitting } from '@pilotfish/core/backtest/overfitting';
import { ranked, type SweepGoal, type SweepOutcome, type SweepRow, type SweepTask, splitHeldOut } from '@pilotfish/core/backtest/sweep';
import { parseAxis, SweepError, type SweepSet, sweepSets, withSettings } from '@pilotfish/core/backtest/sweep-axes';
import { formatPercent, formatRatio, formatShare } from '@pilotfish/core/money/format';
import { formatElapsed } from '@pilotfish/core/time/duration';
import type { Context } from '../app/context.ts';
import { EXIT, SIGNAL_EXIT } from '../app/exit-codes.ts';
import { Ended, Interrupted, LocalFailure, UsageError } from '../app/failure.ts';
import { tint } from '../ui/colour.ts';
import { type Column, formatOf, printRows } from '../ui/output.ts';
import { progressLine } from '../ui/progress-line.ts';
import { wholeNumber } from '../ui/whole-number.ts';
import { type BacktestInputOptions, backtestInput } from './backtest-input.ts';
import { explained } from './run-backtest.ts';
import { fingerprint, openSweepFile, type SweepFile } from './sweep-file.ts';
import { runSets, sharedCoins } from './sweep-pool.ts';

export type SweepOptions = BacktestInputOptions & {
  set?: string[];
  random?: string;
  seed: string;
  heldOut: string;
  by: SweepGoal;
  top: string;
  workers?: string;
  out?: string;
  resume?: true;
};

/** Runs a bot with many settings on all cores, and shows how the best ones do where they were not chosen. */
export async function sweep(context: Context, options: SweepOptions): Promise<void> {
  if (!options.set || options.set.length === 0) throw new UsageError('needsFlag', { flag: '--set' });
  if (options.resume && options.out === undefined) throw new UsageError('needsFlag', { flag: '--out' });
  const share = Number(options.heldOut) / 100;
  if (!(share >= 0 && share <= 0.9)) throw new UsageError('invalidValue', { word: '--held-out', allowed: '0–90' });
  const count = wholeNumber(options.random, '--random');
  const workers = wholeNumber(options.workers, '--workers') ?? availableParallelism();
  const top = wholeNumber(options.top, '--top') ?? 10;
  const input = await backtestInput(context, options);
  const { axes, sets } = await planned(() => {
    const parsed = (options.set ?? []).map(parseAxis);
    const all = sweepSets(parsed, count === undefined ? undefined : { count, seed: Number(options.seed) });
    // What is wrong with a path is said before anything runs; a set the rules refuse is one row of the result.
    try {
      withSettings(input.config, parsed, all[0]?.values ?? []);
    } catch (error) {
      if (!(error instanceof SweepError) || error.code !== 'REFUSED') throw error;
    }
    return { axes: parsed, sets: all };
  });
  const { config, reference, startBalance, model } = input;
  // What candles cannot answer is said once, before a thread begins.
  const split = splitHeldOut(sharedCoins(input.coins), share);
  const unanswered = runProblems(config, split.chosenOn, reference);
  if (unanswered.length > 0) throw await explained(context, new ConditionsError(unanswered));
  const task = { config, axes, split, ...(reference ? { reference } : {}), startBalance, model };
  const file = options.out === undefined ? undefined : openSweepFile(options.out, fingerprint(task), options.resume === true);
  const rows = [...(file?.rows ?? [])];
  const known = new Set(rows.map(({ index }) => index));
  const open = sets.filter(({ index }) => !known.has(index));
  if (known.size > 0) await context.say('cli.backtest.resumed', { done: known.size, open: open.length });

  const stopped = await runOpen(context, { task, open, workers, file, rows });
  const wanted = new Set(sets.map(({ index }) => index));
  const own = rows.filter(({ index }) => wanted.has(index));
  const overfitting = judgeOverfitting(own, options.by);
  const refused = own.filter((row) => row.refused !== null);
  if (refused[0]) await context.say('cli.backtest.refusedSets', { count: refused.length, reason: refused[0].refused ?? '' });
  for (const reason of overfitting.reasons)
    await context.say(`cli.backtest.overfitting.${reason}`, {
      correlation: overfitting.rankCorrelation,
      beats: Math.round((overfitting.bestStandsAt ?? 0) * 100),
      sharpe: overfitting.bestSharpe,
      luck: overfitting.luckSharpe,
    });
  const best = ranked(own, options.by).slice(0, top);
  if (formatOf(context) === 'json' && !context.globals.fields) {
    const { chosenOn, heldOut, from } = task.split;
    const bars = { chosenOn: chosenOn[0]?.candles.openTime.length, heldOut: heldOut[0]?.candles.openTime.length };
    const said = {
      version: 1,
      goal: options.by,
      axes,
      sets: own.length,
      planned: sets.length,
      bars,
      heldOutFrom: new Date(from).toISOString(),
      overfitting,
      best,
    };
    context.stdout.write(`${JSON.stringify(said, null, context.stdout.isTTY ? 2 : 0)}\n`);
  } else await printRows(context, { columns: sweepColumns(axes.map(({ path }) => path)), empty: 'sweep' }, best);
  if (stopped) throw new Ended(SIGNAL_EXIT.SIGINT);
}

type OpenSets = {
  readonly task: SweepTask;
  readonly open: readonly SweepSet[];
  readonly workers: number;
  readonly file: SweepFile | undefined;
  readonly rows: SweepRow[];
};

/** Runs what is open, and answers whether it was stopped before its end: what is done by then is kept and shown. */
async function runOpen(context: Context, { task, open, workers, file, rows }: OpenSets): Promise<boolean> {
  const controller = new AbortController();
  void context.untilInterrupted().then(() => controller.abort(new Interrupted('stopped')));
  const line = progressLine(context);
  const started = performance.now();
  let done = 0;
  const onRow = (row: SweepRow): void => {
    rows.push(row);
    file?.append(row);
    done += 1;
  };
  const onProgress = (share: number): void => line.show(share, `${done}/${open.length}`);
  try {
    await runSets(task, open, workers, { onRow, onProgress, signal: controller.signal });
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    await context.say(file ? 'cli.backtest.stoppedWithFile' : 'cli.backtest.stopped', { done, sets: open.length });
    return true;
  } finally {
    line.end();
  }
  const time = formatElapsed(performance.now() - started, context.language);
  await context.say('cli.backtest.swept', { sets: open.length, time, workers: Math.min(workers, open.length) });
  return false;
}

/** @throws LocalFailure for what is wrong with the axes */
async function planned<Plan>(make: () => Plan): Promise<Plan> {
  try {
    return make();
  } catch (error) {
    if (error instanceof SweepError) throw new LocalFailure('badSweep', { reason: error.message }, { exit: EXIT.usage, cause: error });
    throw error;
  }
}

function sweepColumns(paths: readonly string[]): readonly Column<SweepRow>[] {
  const figures = (part: 'inSample' | 'heldOut'): Column<SweepRow>[] => {
    const named = (key: keyof SweepOutcome): string => (part === 'heldOut' ? `heldOut${key[0]?.toUpperCase()}${key.slice(1)}` : key);
    const value = (row: SweepRow, key: 'maxDrawdownPct' | 'sharpe' | 'trades') => String(row[part]?.[key] ?? '');
    const shown = (row: SweepRow, key: 'maxDrawdownPct' | 'sharpe', format: (text: string) => string) => {
      const known = row[part]?.[key] ?? null;
      return known === null ? '' : format(known.toFixed(2));
    };
    return [
      {
        key: named('returnPct'),
        value: (row) => row[part]?.returnPct ?? null,
        shown: (row, paint) => (row[part] ? tint(paint, formatPercent(row[part].returnPct)) : ''),
        right: true,
      },
      {
        key: named('maxDrawdownPct'),
        value: (row) => value(row, 'maxDrawdownPct'),
        shown: (row) => shown(row, 'maxDrawdownPct', formatShare),
        right: true,
        rank: 1,
      },
      {
        key: named('sharpe'),
        value: (row) => value(row, 'sharpe'),
        shown: (row) => shown(row, 'sharpe', formatRatio),
        right: true,
        rank: 2,
      },
      { key: named('trades'), value: (row) => value(row, 'trades'), right: true, rank: part === 'heldOut' ? 3 : 1 },
    ];
  };
  const axes = paths.map(
    (path, axis): Column<SweepRow> => ({ key: path, head: path, value: ({ values }) => values[axis] ?? '', right: true }),
  );
  return [...axes, ...figures('inSample'), ...figures('heldOut')];
}
