import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import { type CandleSeries, parseCandles } from '@pilotfish/core/prices/candle-series';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure } from '../app/failure.ts';

/** `BTCUSDT-1m-2025.csv.gz` is about BTCUSDT. */
export const symbolOf = (file: string): string => /^([A-Z0-9]{5,20})[-_.]/.exec(basename(file))?.[1] ?? '';

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const [STORED, DEFLATED] = [0, 8];
/** More than the largest candle file of the exchange's archive holds. */
const MOST_BYTES = 1024 ** 3;

/** The first file in a ZIP, as the exchange's archive packs its candles: one CSV. Throws `RangeError` on anything else. */
export function unzipFirst(bytes: Buffer): Buffer {
  let end = bytes.length - 22;
  while (end >= 0 && bytes.readUInt32LE(end) !== END_OF_DIRECTORY) end -= 1;
  if (end < 0) throw new RangeError('not a ZIP file');
  let entry = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (bytes.readUInt32LE(entry) !== DIRECTORY_ENTRY) throw new RangeError('a damaged ZIP file');
    const [method, packed] = [bytes.readUInt16LE(entry + 10), bytes.readUInt32LE(entry + 20)];
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((at) => bytes.readUInt16LE(entry + at)) as [number, number, number];
    const local = bytes.readUInt32LE(entry + 42);
    const isFolder = bytes[entry + 46 + nameLength - 1] === 0x2f;
    if (!isFolder) {
      const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
      const content = bytes.subarray(from, from + packed);
      if (method === STORED) return content;
      if (method === DEFLATED) return inflateRawSync(content, { maxOutputLength: MOST_BYTES });
      throw new RangeError('a ZIP file packed in a way that is not known');
    }
    entry += 46 + nameLength + extraLength + commentLength;
  }
  throw new RangeError('an empty ZIP file');
}

/** Unpacks by what the bytes are, not by what the file is called. */
export function unpack(bytes: Buffer): Buffer {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gunzipSync(bytes, { maxOutputLength: MOST_BYTES });
  return bytes[0] === 0x50 && bytes[1] === 0x4b ? unzipFirst(bytes) : bytes;
}

/** Candles of a CSV file, plain, gzip or zip. @throws LocalFailure naming the file and what is wrong with it */
export function readCandles(file: string, symbol: string): CandleSeries {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const reason = String((error as NodeJS.ErrnoException).code);
    throw new LocalFailure('cannotRead', { file, reason }, { exit: EXIT.usage, cause: error });
  }
  try {
    return parseCandles(unpack(bytes).toString('utf8'), symbol);
  } catch (error) {
    throw new LocalFailure('badCandles', { file, reason: (error as Error).message }, { exit: EXIT.usage, cause: error });
  }
}
