import { promisify } from 'node:util';
import { gunzip, inflateRaw } from 'node:zlib';
import { archiveReader } from '@pilotfish/core/candles/candle-archive';
import { CandleFileError } from '@pilotfish/core/prices/candle-columns';
import type { ExactCandle } from '@pilotfish/core/prices/candle-gaps';
import { CandleRoomError, requireCandleRoom } from '@pilotfish/core/prices/candle-room';
import { firstOfZip, packingOf } from '@pilotfish/core/prices/candle-zip';
import { eachInPieces } from './pieces.ts';

const unzip = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(inflateRaw);
const ungzip = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(gunzip);

/** A month's file, packed and unpacked: 44,640 rows of minutes are six million bytes. */
export const MONTH_ROOM = { bytes: 32 * 1024 * 1024, rows: 50_000, record: 2000 };

async function unpacked(bytes: Uint8Array): Promise<Uint8Array> {
  const most = { maxOutputLength: MONTH_ROOM.bytes };
  const packing = packingOf(bytes);
  if (packing === 'plain') return bytes;
  if (packing === 'gzip') return ungzip(bytes, most);
  const { content, isDeflated } = firstOfZip(bytes);
  return isDeflated ? unzip(content, most) : content;
}

/** Why a file of candles was refused: the reason, and the line where there is one. */
export class MonthFileRefused extends Error {
  override readonly name = 'MonthFileRefused';
  readonly code: CandleFileError['code'] | 'TOO_LARGE' | 'NOT_READABLE';
  readonly line: number;
  constructor(code: MonthFileRefused['code'], line: number, cause: unknown) {
    super((cause as Error).message, { cause });
    this.code = code;
    this.line = line;
  }
}

/**
 * Exact candles of a file as the exchange's archive has it, plain, gzip or ZIP. @throws MonthFileRefused
 */
export async function candlesOfMonthFile(bytes: Uint8Array, interval: string, month: string): Promise<ExactCandle[]> {
  try {
    const content = await unpacked(bytes);
    requireCandleRoom(content, MONTH_ROOM);
    const reader = archiveReader(interval, month);
    const lines = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('utf8').split('\n');
    await eachInPieces(lines, (line) => reader.add(line));
    return reader.candles();
  } catch (error) {
    if (error instanceof CandleFileError) throw new MonthFileRefused(error.code, error.line, error);
    if (error instanceof CandleRoomError) throw new MonthFileRefused('TOO_LARGE', error.line, error);
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new MonthFileRefused('TOO_LARGE', 0, error);
    // What zlib and a reader of ZIPs say of a damaged file.
    if (error instanceof RangeError || code?.startsWith('Z_')) throw new MonthFileRefused('NOT_READABLE', 0, error);
    throw error;
  }
}
