import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { candleLines, candleOfLine } from '@pilotfish/core/candles/candle-lines';
import { gapsWithin, monthEnd, monthStart } from '@pilotfish/core/candles/candle-month';
import { type CandleMonth, type CandleOrigin, candleMonthSchema } from '@pilotfish/core/candles/candles-contract';
import { AppError } from '@pilotfish/core/http/problem';
import type { ExactCandle } from '@pilotfish/core/prices/candle-gaps';
import type { Logger } from 'pino';
import * as z from 'zod';
import { eachInPieces } from './pieces.ts';

const deflate = promisify<Buffer, Buffer>(deflateRaw);
const inflate = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw);
/** A month of minutes is four million bytes. */
const MOST_UNPACKED = 32 * 1024 * 1024;
const MOST_HEADER = 2048;
/** Left free on the disk beside a new month: the reserve of `storage-room.ts`, and as much again. */
const LEAST_FREE = 64 * 1024 * 1024;
/** A disk gives room by blocks: by their bytes alone, millions of months of a few hundred would be within the bound. */
const BLOCK = 4096;
const roomOf = (size: number): number => Math.ceil(size / BLOCK) * BLOCK;
const ENDING = '.candles';
const NEW_LINE = 10;

const headerSchema = candleMonthSchema.omit({ bytes: true }).extend({ by: z.string().optional() });
/** `by` is the account whose share of the room a month counts in; none for what Admins stored. */
type Header = Omit<CandleMonth, 'bytes'> & { readonly by?: string | undefined };
type Listed = Header & Pick<CandleMonth, 'bytes'>;
export type MonthKey = Pick<CandleMonth, 'symbol' | 'interval' | 'month'>;
export type MonthSpan = { symbol?: string | undefined; interval?: string | undefined; from?: string | undefined; to?: string | undefined };
export type NewMonth = MonthKey & { origin: CandleOrigin /** Epoch ms, exclusive. */; coveredTo: number; candles: readonly ExactCandle[] };

export type Share = { readonly by: string; readonly most: number };

export type CandleMonthStore = {
  /** Stored months by pair, interval and month, as their headers say. */
  readonly list: (span: MonthSpan) => Promise<CandleMonth[]>;
  /** The lines of a month; undefined where there is none, or its file was damaged, which is removed then. */
  readonly read: (key: MonthKey) => Promise<{ month: CandleMonth; lines: string } | undefined>;
  /**
   * @param share the account that stores it, and most that its months may take together, bytes
   * @throws AppError `storage-full` where the disk, the bound or the share has no room
   */
  readonly write: (month: NewMonth, share?: Share) => Promise<CandleMonth>;
  readonly remove: (span: MonthSpan & { symbol: string; interval: string }) => Promise<number>;
  readonly bytes: () => Promise<number>;
};

const publicOf = ({ by: _by, ...month }: Listed): CandleMonth => month;
const keyOf = ({ symbol, interval, month }: MonthKey): string => `${symbol}/${interval}/${month}`;
const checksum = (header: Header, body: Uint8Array): string =>
  createHash('sha256').update(JSON.stringify(header)).update('\n').update(body).digest('hex');

/** Waits for the disk without holding back the process, as `fsyncSync` would. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** A file is a line of JSON (what it holds, the SHA-256 of that and of the rest, the length of the rest) and deflated lines. */
function parse(file: Buffer): { header: Header; sum: string; length: number; body: Buffer } | undefined {
  const end = file.indexOf(NEW_LINE);
  if (end < 0) return undefined;
  try {
    const { sha256, length, ...rest } = JSON.parse(file.subarray(0, end).toString()) as Record<string, unknown>;
    return { header: headerSchema.parse(rest), sum: String(sha256), length: Number(length), body: file.subarray(end + 1) };
  } catch {
    return undefined;
  }
}

/**
 * Closed candles of one market by pair, interval and month, each in a file of its own. A file is written beside its place
 * and renamed, so that a process that ends leaves no half of one.
 */
export function candleMonthStore(options: {
  /** Of this market alone. */
  folder: string;
  mostBytes: number;
  /** Bytes that are free on the disk. */
  free: () => number;
  log: Logger;
}): CandleMonthStore {
  const { folder, mostBytes, free, log } = options;
  let index: Promise<Map<string, Listed>> | undefined;
  let writes = 0;
  const fileOf = (key: MonthKey) => join(folder, key.symbol, key.interval, `${key.month}${ENDING}`);
  const damaged = async (path: string): Promise<void> => {
    log.warn({ path }, 'candles.damaged: a file of stored candles is damaged and was removed; it is fetched again when needed');
    await rm(path, { force: true });
  };

  async function headerOf(path: string): Promise<Listed | undefined> {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      const head = Buffer.alloc(Math.min(size, MOST_HEADER));
      await file.read(head, 0, head.length, 0);
      const found = parse(head);
      return found && head.indexOf(NEW_LINE) + 1 + found.length === size ? { ...found.header, bytes: size } : undefined;
    } finally {
      await file.close();
    }
  }

  async function load(): Promise<Map<string, Listed>> {
    const names = await readdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const found = new Map<string, Listed>();
    for (const name of names) {
      const path = join(folder, name);
      try {
        // What a process that was killed was writing.
        if (name.includes('.part-')) await rm(path, { force: true });
        if (!name.endsWith(ENDING)) continue;
        const month = await headerOf(path);
        if (month === undefined || fileOf(month) !== path) await damaged(path);
        else found.set(keyOf(month), month);
      } catch (err) {
        log.warn({ err, path }, 'candles.unreadable: an entry of the folder of stored candles cannot be read and is left out');
      }
    }
    return found;
  }
  const known = (): Promise<Map<string, Listed>> => {
    index ??= load().catch((error: unknown) => {
      index = undefined;
      throw error;
    });
    return index;
  };
  const selected = async ({ symbol, interval, from, to }: MonthSpan): Promise<Listed[]> =>
    [...(await known()).values()]
      .filter((each) => (symbol === undefined || each.symbol === symbol) && (interval === undefined || each.interval === interval))
      .filter(({ month }) => (from === undefined || month >= from) && (to === undefined || month <= to))
      .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const bytes = async (by?: string) =>
    [...(await known()).values()].reduce((sum, each) => sum + (by === undefined || each.by === by ? roomOf(each.bytes) : 0), 0);

  let turn: Promise<unknown> = Promise.resolve();
  /** One change after the other: two at once would both find the last room, or leave a file that is in no list. */
  const inTurn = <Result>(change: () => Promise<Result>): Promise<Result> => {
    const next = turn.then(change);
    turn = next.catch(() => undefined);
    return next;
  };

  async function place(header: Header, file: Buffer, share: Share | undefined): Promise<CandleMonth> {
    await requireRoom(header, file.length, share);
    const path = fileOf(header);
    writes += 1;
    const part = `${path}.part-${process.pid}-${writes}`;
    await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
    try {
      const handle = await open(part, 'wx', 0o600);
      try {
        await handle.writeFile(file);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(part, path);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
    await syncFolder(join(path, '..'));
    const stored = { ...header, bytes: file.length };
    (await known()).set(keyOf(header), stored);
    return publicOf(stored);
  }

  async function requireRoom(key: MonthKey, size: number, share: Share | undefined): Promise<void> {
    const before = (await known()).get(keyOf(key));
    const replaced = roomOf(before?.bytes ?? 0);
    if ((await bytes()) - replaced + roomOf(size) > mostBytes)
      throw new AppError('storage-full', { parameters: { context: 'candles_bound' } });
    if (share && (await bytes(share.by)) - (before?.by === share.by ? replaced : 0) + roomOf(size) > share.most)
      throw new AppError('storage-full', { parameters: { context: 'candles_share' } });
    if (free() < size + LEAST_FREE) throw new AppError('storage-full');
  }

  return {
    list: async (span) => (await selected(span)).map(publicOf),
    bytes: () => bytes(),
    read: async (key) => {
      const months = await known();
      const listed = months.get(keyOf(key));
      if (listed === undefined) return undefined;
      const path = fileOf(key);
      const file = await readFile(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      });
      const found = file && parse(file);
      if (found && found.sum === checksum(found.header, found.body) && keyOf(found.header) === keyOf(key)) {
        const lines = (await inflate(found.body, { maxOutputLength: MOST_UNPACKED })).toString();
        return { month: publicOf({ ...found.header, bytes: file.length }), lines };
      }
      await inTurn(async () => {
        // Written again since: that file is another one.
        if (months.get(keyOf(key)) !== listed) return;
        months.delete(keyOf(key));
        await damaged(path);
      });
      return undefined;
    },
    write: async ({ candles, coveredTo, origin, symbol, interval, month }, share) => {
      const header: Header = {
        symbol,
        interval,
        month,
        rows: candles.length,
        gaps: gapsWithin(candles, interval, coveredTo),
        origin,
        coveredTo: new Date(coveredTo).toISOString(),
        complete: coveredTo >= monthEnd(month),
        ...(share && { by: share.by }),
      };
      const lines: string[] = [];
      await eachInPieces(candles, (candle) => {
        if (candle.filled !== true) lines.push(candleLines([candle], interval, monthStart(month)));
      });
      const body = await deflate(Buffer.from(lines.join('\n')));
      const head = JSON.stringify({ ...header, length: body.length, sha256: checksum(header, body) });
      const file = Buffer.concat([Buffer.from(`${head}\n`), body]);
      return inTurn(() => place(header, file, share));
    },
    remove: (span) =>
      inTurn(async () => {
        const months = await known();
        const found = await selected(span);
        for (const month of found) {
          await rm(fileOf(month), { force: true });
          months.delete(keyOf(month));
        }
        return found.length;
      }),
  };
}

/** The candles of a month that was read. */
export async function candlesOf({ month, lines }: { month: CandleMonth; lines: string }): Promise<ExactCandle[]> {
  const candles: ExactCandle[] = [];
  const read = candleOfLine(month.interval, monthStart(month.month));
  if (lines !== '') await eachInPieces(lines.split('\n'), (line) => void candles.push(read(line)));
  return candles;
}
