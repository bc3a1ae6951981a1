import { pipeline, type Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { type Entry, open, type ZipFile } from 'yauzl';
import { FileRefused } from './file-refused.ts';

/** Files that a folder of exports may have. */
export const MAX_ENTRIES = 20;
const MAX_RATIO = 100;
/** Uncompressed bytes of everything that is read of one upload. */
const MAX_BYTES = 512 * 1024 * 1024;
/** Small files compress well without being bombs. */
const RATIO_FROM = 1024 * 1024;
/** The compression method of nearly every ZIP. */
const DEFLATED = 8;

export type ZipEntry = { readonly name: string; readonly size: number; readonly open: () => Promise<AsyncIterable<Uint8Array>> };
export type Zip = { readonly entries: readonly ZipEntry[]; close(): void };

/** Counts what is unpacked of one upload, however deep it lies in it. @throws FileRefused beyond the limit */
export type ByteCount = (size: number) => void;
export function byteCount(most = MAX_BYTES): ByteCount {
  let bytes = 0;
  return (size) => {
    bytes += size;
    if (bytes > most) throw new FileRefused('zipBomb', MAX_RATIO);
  };
}

/**
 * The files in a ZIP; an XLSX has a few more than a folder of exports, so its own reader asks for more of them.
 * Bytes are counted while they come, whatever the headers promise. @throws FileRefused
 */
export async function openZip(path: string, mostEntries: number, count: ByteCount): Promise<Zip> {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    open(path, { lazyEntries: true, autoClose: false, validateEntrySizes: true }, (error, file) =>
      error ? reject(new FileRefused('zipBroken')) : resolve(file),
    );
  });
  try {
    const found = await list(zip, mostEntries);
    const entries = found
      .filter(({ fileName }) => !fileName.endsWith('/') && !fileName.startsWith('__MACOSX/'))
      .map((entry): ZipEntry => ({ name: entry.fileName, size: entry.uncompressedSize, open: () => openEntry(zip, entry, count) }));
    return { entries, close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

function list(zip: ZipFile, mostEntries: number): Promise<Entry[]> {
  if (zip.entryCount > mostEntries) throw new FileRefused('zipTooManyFiles', mostEntries);
  return new Promise((resolve, reject) => {
    const entries: Entry[] = [];
    zip.on('error', () => reject(new FileRefused('zipBroken')));
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry: Entry) => {
      const fault = faultOf(entry);
      if (fault !== undefined) reject(fault);
      else {
        entries.push(entry);
        zip.readEntry();
      }
    });
    zip.readEntry();
  });
}

function faultOf(entry: Entry): FileRefused | undefined {
  if ((entry.generalPurposeBitFlag & 1) === 1) return new FileRefused('zipEncrypted');
  if (/\.(zip|7z|rar|gz|tar)$/i.test(entry.fileName)) return new FileRefused('zipNested');
  const ratio = entry.uncompressedSize / Math.max(1, entry.compressedSize);
  if (entry.uncompressedSize > RATIO_FROM && ratio > MAX_RATIO) return new FileRefused('zipBomb', MAX_RATIO);
  return undefined;
}

/** Unpacked here and not by the library, which leaves an inflater that nobody reads any more as it is: buffers, and work. */
async function openEntry(zip: ZipFile, entry: Entry, count: ByteCount): Promise<AsyncIterable<Uint8Array>> {
  const isPacked = entry.compressionMethod === DEFLATED;
  const packed = await new Promise<Readable>((resolve, reject) => {
    const opened = (error: Error | null, stream: Readable) => (error ? reject(new FileRefused('zipBroken')) : resolve(stream));
    if (isPacked) zip.openReadStream(entry, { decompress: false, decrypt: null, start: null, end: null }, opened);
    else zip.openReadStream(entry, opened);
  });
  // Ends both when either ends; what went wrong is heard by who reads.
  const stream = isPacked ? pipeline(packed, createInflateRaw(), () => undefined) : packed;
  return counted(stream, entry, count);
}

async function* counted(stream: Readable, entry: Entry, count: ByteCount): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const chunk of stream) {
      const bytes = chunk as Uint8Array;
      size += bytes.length;
      count(bytes.length);
      if (size > entry.uncompressedSize) throw new FileRefused('zipBroken');
      if (size > RATIO_FROM && size > MAX_RATIO * Math.max(1, entry.compressedSize)) throw new FileRefused('zipBomb', MAX_RATIO);
      yield bytes;
    }
    if (size < entry.uncompressedSize) throw new FileRefused('zipBroken');
  } catch (error) {
    throw error instanceof FileRefused ? error : new FileRefused('zipBroken');
  } finally {
    stream.destroy();
  }
}
