import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { archiveName, archivePath, checksumOf } from '@pilotfish/core/candles/candle-archive';
import { monthOf, monthsBetween } from '@pilotfish/core/candles/candle-month';
import type { StoredCandleInterval } from '@pilotfish/core/candles/candles-contract';
import { fileForm } from '@pilotfish/core/http/file-form';
import { AppError } from '@pilotfish/core/http/problem';
import { formatQuantity } from '@pilotfish/core/money/format';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, Interrupted, LocalFailure, UsageError } from '../app/failure.ts';
import { tell } from '../app/show-error.ts';
import type { Translate } from '../app/texts.ts';
import { formatOf } from '../ui/output.ts';
import { progressLine } from '../ui/progress-line.ts';
import type { CandlesClient } from './fetch-candles.ts';

type Span = { symbol: string; interval: StoredCandleInterval; from: string; to?: string };

const ENDINGS = ['.zip', '.csv', '.csv.gz'];

/** A month's file, flat in the folder or where the archive has it; undefined where there is none. */
async function fileOf(folder: string, { symbol, interval }: Span, month: string): Promise<string | undefined> {
  for (const place of [archiveName, archivePath])
    for (const ending of ENDINGS) {
      const path = join(folder, `${place(symbol, interval, month)}${ending}`);
      if ((await stat(path).catch(() => undefined))?.isFile()) return path;
    }
  return undefined;
}

async function bytesOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new LocalFailure('cannotRead', { file: path, reason: String((error as NodeJS.ErrnoException).code) }, { cause: error });
  }
}

/** @throws LocalFailure where the `.CHECKSUM` beside a file is of other bytes */
async function checked(path: string): Promise<Buffer> {
  const bytes = await bytesOf(path);
  const sums = `${path}.CHECKSUM`;
  if (!(await stat(sums).catch(() => undefined))?.isFile()) return bytes;
  const wanted = checksumOf((await bytesOf(sums)).toString('utf8'), basename(path));
  if (wanted !== createHash('sha256').update(bytes).digest('hex')) throw new LocalFailure('candleChecksum', { file: path });
  return bytes;
}

type FileProblem = {
  readonly month: string;
  readonly file: string;
  readonly code: string;
  readonly message: string;
  readonly exit: number;
};
type Report = {
  readonly stored: number;
  readonly rows: number;
  readonly missing: readonly string[];
  readonly problems: readonly FileProblem[];
};

/** What is wrong with one file alone; undefined for what would stop every other one, too. */
function problemOf(t: Translate, error: unknown, month: string, file: string): FileProblem | undefined {
  if (error instanceof LocalFailure) return { month, file, code: error.code, message: tell(error, t).sentence, exit: error.exit };
  const field = error instanceof AppError ? error.fields.find(({ path }) => path === 'file') : undefined;
  return (
    field && {
      month,
      file,
      code: field.code,
      message: t('cli.failures.badCandles', { file, reason: field.message }),
      exit: EXIT.usage,
    }
  );
}

/**
 * Uploads the months that a folder holds and the server does not. A file that is refused is named, and the next one
 * follows. Ctrl-C ends it; what is stored stays. @throws what would stop every file, after the report
 */
export async function uploadMonths(context: Context, client: CandlesClient, span: Span, folder: string): Promise<void> {
  const { symbol, interval, from, to = monthOf(context.now()) } = span;
  if (from > to) throw new UsageError('lateMonth', { flag: '--from', given: from, newest: to });
  const t = await context.texts();
  const controller = new AbortController();
  const { signal } = controller;
  void context.untilInterrupted().then(() => controller.abort(new Interrupted()));
  const { items } = await client.listCandleMonths({ query: { symbol, interval, from, to } }, { signal });
  const there = new Set(items.filter(({ complete }) => complete).map(({ month }) => month));
  const line = progressLine(context, `${symbol} ${interval}`);
  const all = monthsBetween(from, to);
  const [missing, problems]: [string[], FileProblem[]] = [[], []];
  let [stored, rows] = [0, 0];
  let stopped: unknown;
  for (const [index, month] of all.entries()) {
    line.show(index / all.length, month);
    if (there.has(month)) continue;
    const path = await fileOf(folder, span, month);
    if (path === undefined) {
      missing.push(month);
      continue;
    }
    try {
      signal.throwIfAborted();
      const form = fileForm(new Blob([new Uint8Array(await checked(path))]), basename(path));
      rows += (await client.putCandleMonth({ params: { symbol, interval, month } }, { form, signal })).rows;
      stored += 1;
    } catch (error) {
      const problem = problemOf(t, error, month, path);
      if (problem) problems.push(problem);
      else {
        stopped = error;
        break;
      }
    }
  }
  line.end();
  const about = { symbol, interval, months: all.length, had: there.size };
  await report(
    context,
    { ...about, from, to, folder, state: stopped === undefined ? 'done' : 'ended' },
    { stored, rows, missing, problems },
  );
  if (stopped !== undefined) throw stopped;
  const [first] = problems;
  if (first) throw new Ended(first.exit);
  if (stored === 0 && there.size === 0) throw new LocalFailure('noCandleFiles', { folder, symbol, interval }, { exit: EXIT.notFound });
}

type About = Omit<Required<Span>, 'interval'> & { interval: string; folder: string; months: number; had: number; state: 'done' | 'ended' };

async function report(context: Context, about: About, { stored, rows, missing, problems }: Report): Promise<void> {
  const { symbol, interval, months, had, folder } = about;
  if (['json', 'jsonl'].includes(formatOf(context))) {
    const shown = problems.map(({ exit: _exit, ...problem }) => problem);
    context.stdout.write(`${JSON.stringify({ ...about, source: 'folder', stored, rows, missing, problems: shown })}\n`);
  }
  for (const { month, message } of problems) await context.say('cli.candles.problem', { month, message });
  const values = { symbol, interval, stored, months, had, rows: formatQuantity(String(rows)) };
  await context.say(`cli.candles.${about.state === 'ended' ? 'stopped' : 'stored'}`, values);
  if (missing.length > 0) await context.say('cli.candles.missing', { folder, months: missing.join(', ') });
}
