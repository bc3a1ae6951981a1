import { promisify } from 'node:util';
import { gunzip, inflateRaw } from 'node:zlib';
import { archiveName, archiveNameIn, archiveReader } from '@pilotfish/core/candles/candle-archive';
import { CandleFileError } from '@pilotfish/core/prices/candle-columns';
import type { ExactCandle } from '@pilotfish/core/prices/candle-gaps';
import { CandleRoomError, requireCandleRoom } from '@pilotfish/core/prices/candle-room';
import { firstOfZip, packingOf } from '@pilotfish/core/prices/candle-zip';
import type { MonthKey } from './candle-month-store.ts';
import { eachInPieces } from './pieces.ts';

const unzip = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(inflateRaw);
const ungzip = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(gunzip);

/** A month's file, packed and unpacked: 44,640 rows of minutes are six million bytes. */
export const MONTH_ROOM = { bytes: 32 * 1024 * 1024, rows: 50_000, record: 2000 };

/** The text of a file, and the name that the archive gives its candles. */
type Unpacked = { readonly content: Uint8Array; readonly named: string | undefined };

async function unpacked(bytes: Uint8Array, name: string): Promise<Unpacked> {
  const most = { maxOutputLength: MONTH_ROOM.bytes };
  const packing = packingOf(bytes);
  if (packing === 'plain') return { content: bytes, named: archiveNameIn(name) };
  if (packing === 'gzip') return { content: await ungzip(bytes, most), named: archiveNameIn(name) };
  const packed = firstOfZip(bytes);
  // The name of the ZIP itself can be anything; the file in it has kept its own.
  return {
    content: packed.isDeflated ? await unzip(packed.content, most) : packed.content,
    named: archiveNameIn(packed.name) ?? packed.name,
  };
}

const NEW_LINE = 10;
/** Line by line: one text of all of them would hold back the process while it is made. */
function* linesOf(content: Uint8Array): Generator<string> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  for (let from = 0; from < bytes.length; ) {
    const found = bytes.indexOf(NEW_LINE, from);
    const end = found < 0 ? bytes.length : found;
    yield bytes.toString('utf8', from, end);
    from = end + 1;
  }
}

/** Why a file of candles was refused: the reason, the line where there is one, and the name of other candles. */
export class MonthFileRefused extends Error {
  override readonly name = 'MonthFileRefused';
  readonly code: CandleFileError['code'] | 'OTHER_FILE' | 'TOO_LARGE' | 'NOT_READABLE';
  readonly line: number;
  readonly found: string | undefined;
  constructor(code: MonthFileRefused['code'], line: number, more: { cause?: unknown; found?: string } = {}) {
    super(code, { cause: more.cause });
    this.code = code;
    this.line = line;
    this.found = more.found;
  }
}

/**
 * Exact candles of a file as the exchange's archive has it, plain, gzip or ZIP. No row says of which pair it is: a file
 * whose name (in a ZIP that of the file in it) names other candles is refused.
 * @param name of the file, without folders
 * @throws MonthFileRefused
 */
export async function candlesOfMonthFile(bytes: Uint8Array, { symbol, interval, month }: MonthKey, name: string): Promise<ExactCandle[]> {
  try {
    const { content, named } = await unpacked(bytes, name);
    if (named !== undefined && named !== archiveName(symbol, interval, month))
      throw new MonthFileRefused('OTHER_FILE', 0, { found: named });
    requireCandleRoom(content, MONTH_ROOM);
    const reader = archiveReader(interval, month);
    await eachInPieces(linesOf(content), (line) => reader.add(line));
    return reader.candles();
  } catch (cause) {
    if (cause instanceof CandleFileError) throw new MonthFileRefused(cause.code, cause.line, { cause });
    if (cause instanceof CandleRoomError) throw new MonthFileRefused('TOO_LARGE', cause.line, { cause });
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new MonthFileRefused('TOO_LARGE', 0, { cause });
    // What zlib and a reader of ZIPs say of a damaged file.
    if (cause instanceof RangeError || code?.startsWith('Z_')) throw new MonthFileRefused('NOT_READABLE', 0, { cause });
    throw cause;
  }
}
