import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@pilotfish/core/http/problem';
import type { Timers } from '@pilotfish/core/time/timers';
import type { UploadedFile } from '../http/endpoint-handler.ts';
import { csvRows, type FileRow } from './csv-rows.ts';
import { FileRefused } from './file-refused.ts';
import { isXlsx, xlsxRows } from './xlsx-rows.ts';
import { type ByteCount, byteCount, MAX_ENTRIES, openZip, type Zip } from './zip-entries.ts';

/** One table of an upload: the file itself, or one of several in a ZIP. */
export type Table = { readonly name: string; readonly rows: () => AsyncGenerator<FileRow[]> };

/** Entries an XLSX may have; it is a ZIP of small files. */
const XLSX_ENTRIES = 200;
const SILENCE_MS = 60_000;
const TABLE = /\.(csv|txt|tsv)$/i;

/** Where an upload lies, what it is called, and the folder that lasts as long as the work on it. */
export type SavedUpload = { readonly path: string; readonly name: string; readonly folder: string };

/**
 * Keeps an upload in a file of its own while `work` deals with it, and removes it after.
 * @throws AppError `payload-too-large`, `timeout`
 */
export async function withUpload<Result>(
  upload: UploadedFile,
  timers: Pick<Timers, 'after'>,
  work: (saved: SavedUpload) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'pilotfish-import-'));
  const path = join(folder, 'upload');
  try {
    await save(upload, path, timers);
    // Beyond the size limit the stream just ends: half a file must not pass for a whole one.
    if ('truncated' in upload.stream && upload.stream.truncated === true) throw new AppError('payload-too-large');
    await upload.end?.();
    return await work({ path, folder, name: basename(upload.name.replaceAll('\\', '/')) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The tables of a saved upload. What kind of file it is, its first bytes say, not its name.
 * @param mostBytes that are unpacked of it @throws FileRefused
 */
export async function withTables<Result>(
  { path, name, folder }: SavedUpload,
  work: (tables: readonly Table[]) => Promise<Result>,
  mostBytes?: number,
): Promise<Result> {
  if (!(await startsAsZip(path))) return work([{ name, rows: () => csvRows(createReadStream(path)) }]);
  const count = byteCount(mostBytes);
  const zip = await openZip(path, XLSX_ENTRIES, count);
  try {
    if (isXlsx(zip)) return await work([{ name, rows: () => xlsxRows(zip) }]);
    return await work(tablesIn(zip, folder, count));
  } finally {
    zip.close();
  }
}

/** Whoever falls silent in the middle of a file keeps no place for ever. @throws AppError `timeout` */
async function save({ stream }: UploadedFile, path: string, timers: Pick<Timers, 'after'>): Promise<void> {
  const silence = new AbortController();
  const listen = () => timers.after(SILENCE_MS, () => silence.abort(new AppError('timeout')), { ref: true });
  let cancel = listen();
  try {
    await pipeline(
      stream,
      async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          cancel();
          cancel = listen();
          yield chunk;
        }
      },
      createWriteStream(path, { mode: 0o600 }),
      { signal: silence.signal },
    );
  } catch (error) {
    throw silence.signal.aborted ? silence.signal.reason : error;
  } finally {
    cancel();
  }
}

/** Text tables and workbooks of a ZIP, in the order of their names. */
function tablesIn(zip: Zip, folder: string, count: ByteCount): Table[] {
  if (zip.entries.length > MAX_ENTRIES) throw new FileRefused('zipTooManyFiles', MAX_ENTRIES);
  const tables: Table[] = [];
  const sorted = [...zip.entries].sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const [index, entry] of sorted.entries()) {
    const name = basename(entry.name);
    if (TABLE.test(name)) tables.push({ name, rows: () => entryRows(() => entry.open()) });
    else if (/\.xlsx$/i.test(name)) {
      const inner = join(folder, String(index));
      tables.push({ name, rows: () => workbookRows(() => entry.open(), inner, count) });
    }
  }
  if (tables.length === 0) throw new FileRefused('zipNothing');
  return tables;
}

async function* entryRows(openEntry: () => Promise<AsyncIterable<Uint8Array>>): AsyncGenerator<FileRow[]> {
  yield* csvRows(await openEntry());
}

async function* workbookRows(
  openEntry: () => Promise<AsyncIterable<Uint8Array>>,
  path: string,
  count: ByteCount,
): AsyncGenerator<FileRow[]> {
  try {
    await pipeline(await openEntry(), createWriteStream(path, { mode: 0o600 }));
    const zip = await openZip(path, XLSX_ENTRIES, count);
    try {
      if (!isXlsx(zip)) throw new FileRefused('xlsxBroken');
      yield* xlsxRows(zip);
    } finally {
      zip.close();
    }
  } finally {
    await rm(path, { force: true });
  }
}

async function startsAsZip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const start = Buffer.alloc(4);
    await file.read(start, 0, 4, 0);
    return start[0] === 0x50 && start[1] === 0x4b;
  } finally {
    await file.close();
  }
}
