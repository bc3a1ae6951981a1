import { crc32 } from 'node:zlib';
import { MAX_ICON_BYTES } from '@pilotfish/core/admin/instance-contract';
import { AppError } from '@pilotfish/core/http/problem';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MAX_SIDE = 512;
/** What draws a picture. Everything else (texts, profiles, times, animation) is left behind. */
const KEPT = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);

/** Reads an upload up to its limit. @throws AppError `payload-too-large` */
export async function limitedBytes(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += (chunk as Buffer).length;
    // Read to its end all the same, so that the answer reaches who sends.
    if (size <= MAX_ICON_BYTES) chunks.push(chunk as Buffer);
  }
  if (size > MAX_ICON_BYTES) throw new AppError('payload-too-large');
  return Buffer.concat(chunks);
}

/**
 * A PNG as it may be served: its signature, its chunks with their check sums, a sane size, and nothing after its end.
 * Only the chunks that draw are kept, so that no file of another kind hides in it.
 * @throws AppError `invalid`
 */
export function checkedPng(bytes: Buffer): Buffer {
  const refuse = (): never => {
    throw new AppError('invalid', { fields: [{ path: 'file', code: 'invalid_format', message: '', limit: 'PNG' }] });
  };
  if (bytes.length > MAX_ICON_BYTES) throw new AppError('payload-too-large');
  if (!bytes.subarray(0, 8).equals(SIGNATURE)) refuse();
  const kept: Buffer[] = [SIGNATURE];
  let [at, first, drawn, ended] = [8, true, false, false];
  while (at + 12 <= bytes.length && !ended) {
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > bytes.length) refuse();
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) refuse();
    if (first !== (type === 'IHDR')) refuse();
    if (first) {
      const [width, height] = length === 13 ? [bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12)] : [0, 0];
      if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE) refuse();
    }
    if (KEPT.has(type)) kept.push(bytes.subarray(at, end));
    first = false;
    drawn ||= type === 'IDAT';
    ended = type === 'IEND';
    at = end;
  }
  if (!drawn || !ended) refuse();
  return Buffer.concat(kept);
}
