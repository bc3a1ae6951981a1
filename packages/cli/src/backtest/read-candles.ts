import { closeSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import { NAME_CHARACTER } from '@pilotfish/core/money/asset-name';
import { formatQuantity } from '@pilotfish/core/money/format';
import { CANDLE_ROOM, type CandleRoom, CandleRoomError, requireCandleRoom } from '@pilotfish/core/prices/candle-room';
import { type CandleSeries, parseCandles } from '@pilotfish/core/prices/candle-series';
import { firstOfZip, packingOf } from '@pilotfish/core/prices/candle-zip';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure } from '../app/failure.ts';

const NAMED = new RegExp(`^(${NAME_CHARACTER}{5,30})[-_.]`, 'u');
/** `BTCUSDT-1m-2025.csv.gz` is about BTCUSDT. */
export const symbolOf = (file: string): string => NAMED.exec(basename(file))?.[1] ?? '';

/** Most that a recorded tape may hold, unpacked. */
const MOST_TAPE_BYTES = 1024 ** 3;
const CHUNK_BYTES = 1 << 20;

/** Unpacks by what the bytes are, not by what the file is called. @param mostBytes unpacked; more throws `ERR_BUFFER_TOO_LARGE` */
export function unpack(bytes: Buffer, mostBytes = MOST_TAPE_BYTES): Buffer {
  const packing = packingOf(bytes);
  if (packing === 'plain') return bytes;
  if (packing === 'gzip') return gunzipSync(bytes, { maxOutputLength: mostBytes });
  const { content, isDeflated } = firstOfZip(bytes);
  return isDeflated ? inflateRawSync(content, { maxOutputLength: mostBytes }) : Buffer.from(content);
}

/** All bytes of a file or a pipe, which may say nothing of its size. @throws CandleRoomError with more than so many */
function readAtMost(file: string, mostBytes: number): Buffer {
  const opened = openSync(file, 'r');
  try {
    const chunks: Buffer[] = [];
    for (let total = 0; ; ) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const length = readSync(opened, chunk);
      if (length === 0) return Buffer.concat(chunks);
      total += length;
      if (total > mostBytes) throw new CandleRoomError('TOO_LARGE', mostBytes);
      chunks.push(chunk.subarray(0, length));
    }
  } finally {
    closeSync(opened);
  }
}

/** What is wrong with a file of candles, by the texts `cli.failures.*`. */
function failureOf(file: string, error: unknown, { bytes }: CandleRoom): LocalFailure {
  const more = { exit: EXIT.usage, cause: error };
  const { code } = error as NodeJS.ErrnoException;
  const found = code === 'ERR_BUFFER_TOO_LARGE' ? new CandleRoomError('TOO_LARGE', bytes) : error;
  if (!(found instanceof CandleRoomError)) return new LocalFailure('badCandles', { file, reason: (error as Error).message }, more);
  const { limit, line } = found;
  if (found.code === 'LONG_RECORD') return new LocalFailure('longCandle', { file, line, limit: formatQuantity(String(limit)) }, more);
  if (found.code === 'TOO_MANY_ROWS') return new LocalFailure('tooManyCandles', { file, limit: formatQuantity(String(limit)) }, more);
  return new LocalFailure('candlesTooLarge', { file, megabytes: formatQuantity(String(Math.floor(limit / 1_000_000))) }, more);
}

/**
 * Candles of a CSV file, plain, gzip or zip.
 * @param room looked at before anything is made of the file
 * @throws LocalFailure naming the file and what is wrong with it
 */
export function readCandles(file: string, symbol: string, room: CandleRoom = CANDLE_ROOM): CandleSeries {
  let bytes: Buffer;
  try {
    bytes = readAtMost(file, room.bytes);
  } catch (error) {
    if (error instanceof CandleRoomError) throw failureOf(file, error, room);
    const reason = String((error as NodeJS.ErrnoException).code);
    throw new LocalFailure('cannotRead', { file, reason }, { exit: EXIT.usage, cause: error });
  }
  try {
    const unpacked = unpack(bytes, room.bytes);
    requireCandleRoom(unpacked, room);
    return parseCandles(unpacked.toString('utf8'), symbol);
  } catch (error) {
    throw failureOf(file, error, room);
  }
}
