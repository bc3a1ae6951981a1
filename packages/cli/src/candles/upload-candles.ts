import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { archiveName, archivePath, checksumOf } from '@pilotfish/core/candles/candle-archive';
import { monthOf, monthsBetween } from '@pilotfish/core/candles/candle-month';
import type { StoredCandleInterval } from '@pilotfish/core/candles/candles-contract';
import { fileForm } from '@pilotfish/core/http/file-form';
import { AppError } from '@pilotfish/core/http/problem';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure } from '../app/failure.ts';
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

/** Uploads the months that a folder holds and the server does not. @throws LocalFailure for the first file that is refused */
export async function uploadMonths(context: Context, client: CandlesClient, span: Span, folder: string): Promise<void> {
  const { symbol, interval, from, to = monthOf(context.now()) } = span;
  const { items } = await client.listCandleMonths({ query: { symbol, interval, from, to } });
  const there = new Set(items.filter(({ complete }) => complete).map(({ month }) => month));
  const line = progressLine(context, `${symbol} ${interval}`);
  const all = monthsBetween(from, to);
  const missing: string[] = [];
  let [stored, rows] = [0, 0];
  for (const [index, month] of all.entries()) {
    line.show(index / all.length, month);
    if (there.has(month)) continue;
    const path = await fileOf(folder, span, month);
    if (path === undefined) {
      missing.push(month);
      continue;
    }
    try {
      const bytes = await checked(path);
      const form = fileForm(new Blob([new Uint8Array(bytes)]), basename(path));
      const put = await client.putCandleMonth({ params: { symbol, interval, month } }, { form });
      stored += 1;
      rows += put.rows;
    } catch (error) {
      line.end();
      const reason = error instanceof AppError ? error.fields?.find((field) => field.path === 'file')?.message : undefined;
      if (reason !== undefined) throw new LocalFailure('badCandles', { file: path, reason }, { exit: EXIT.usage, cause: error });
      throw error;
    }
  }
  line.end();
  await context.say('cli.candles.stored', { symbol, interval, stored, months: all.length, had: there.size, rows: String(rows) });
  if (missing.length > 0) {
    await context.say('cli.candles.missing', { folder, months: missing.join(', ') });
    if (stored === 0 && there.size === 0) throw new LocalFailure('noCandleFiles', { folder, symbol, interval }, { exit: EXIT.notFound });
  }
}
