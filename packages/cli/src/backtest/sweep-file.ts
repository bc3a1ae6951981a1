import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type SweepRow, type SweepTask, sweepRowSchema } from '@pilotfish/core/backtest/sweep';
import { type CandleSeries, mapColumns } from '@pilotfish/core/prices/candle-series';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure } from '../app/failure.ts';

/** What a file of results is about: another bot, other candles or other axes must not be mixed into it. */
export function fingerprint({ config, axes, split, reference, startBalance, model }: SweepTask): string {
  const hash = createHash('sha256').update(JSON.stringify([config, axes, startBalance, model, split.from]));
  const add = (series: CandleSeries): void => {
    hash.update(JSON.stringify([series.symbol, series.intervalMs]));
    mapColumns(series, (column) => {
      hash.update(Buffer.from(column.buffer, column.byteOffset, column.byteLength));
      return column;
    });
  };
  for (const { pair, candles, history, listedAt } of [...split.chosenOn, ...split.heldOut]) {
    hash.update(JSON.stringify([pair, listedAt]));
    for (const series of [candles, ...(history ?? [])]) add(series);
  }
  if (reference) add(reference.candles);
  return hash.digest('hex');
}

export type SweepFile = { readonly rows: readonly SweepRow[]; readonly append: (row: SweepRow) => void };

/**
 * Opens the file that rows are appended to, one JSON line each, after a line that says what they are about. Answers
 * the rows that are there already. A last line that was cut off by a crash is left out and run again.
 * @throws LocalFailure when there are results and `resume` was not asked for, or when they are about something else
 */
export function openSweepFile(file: string, about: string, resume: boolean): SweepFile {
  const append = (row: SweepRow) => appendFileSync(file, `${JSON.stringify(row)}\n`);
  const fail = (code: string, cause?: unknown) => new LocalFailure(code, { file }, { exit: EXIT.usage, cause });
  try {
    if (!existsSync(file) || statSync(file).size === 0) {
      writeFileSync(file, `${JSON.stringify({ sweep: 1, about })}\n`);
      return { rows: [], append };
    }
  } catch (error) {
    const reason = String((error as NodeJS.ErrnoException).code);
    throw new LocalFailure('cannotWrite', { file, reason }, { exit: EXIT.failed, cause: error });
  }
  if (!resume) throw fail('sweepExists');
  const text = readFileSync(file, 'utf8');
  const [head = '', ...lines] = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  let known: unknown;
  try {
    known = (JSON.parse(head) as { about?: unknown }).about;
  } catch (error) {
    throw fail('sweepDiffers', error);
  }
  if (known !== about) throw fail('sweepDiffers');
  const rows = lines.filter((line) => line !== '').map((line) => sweepRowSchema.parse(JSON.parse(line)));
  if (!text.endsWith('\n')) writeFileSync(file, text.slice(0, text.lastIndexOf('\n') + 1));
  return { rows, append };
}
