import type { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { CsvError, parse } from 'csv-parse';
import { FileRefused } from './file-refused.ts';

/** A row of a table and the line it stands on, counted from 1. */
export type FileRow = { readonly line: number; readonly cells: readonly string[]; readonly of?: FileTraits };
/** What the kind of a file says of its cells. */
export type FileTraits = {
  /** Dates that are plain numbers count days from 1904. */
  readonly is1904?: boolean;
  /** Cells are parted by commas: one inside a number can only part thousands. */
  readonly isCommaSeparated?: boolean;
};

export const MAX_ROWS = 500_000;
/** Bytes of a record, its separators, quotes and line ends included. */
const MAX_LINE = 64 * 1024;
const MAX_CELLS = 100;
/** Lines of a file, the empty ones included: they bring nothing, and reading them costs the same. */
export const MAX_LINES_OF_FILE = 4 * MAX_ROWS;
/** Cells of all rows together, the empty ones included. */
export const MAX_CELLS_OF_FILE = 25 * MAX_ROWS;
/** Rows handed on at once; between two batches the process does other things. */
export const BATCH = 1000;

/** The decoder a file's first bytes call for. Anything that is not valid in it is refused, never replaced. */
function decoderOf(start: Uint8Array): TextDecoder {
  if (start[0] === 0xff && start[1] === 0xfe) return new TextDecoder('utf-16le', { fatal: true });
  if (start[0] === 0xfe && start[1] === 0xff) return new TextDecoder('utf-16be', { fatal: true });
  return new TextDecoder('utf-8', { fatal: true });
}

async function* decoded(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  const decode = (chunk: Uint8Array | undefined, stream: boolean): string => {
    try {
      return decoder?.decode(chunk, { stream }) ?? '';
    } catch {
      throw new FileRefused('encoding');
    }
  };
  for await (const chunk of source) {
    decoder ??= decoderOf(chunk);
    const text = decode(chunk, true);
    // A table has no such characters: this is a picture, a program or a database.
    if (text.includes('\u0000')) throw new FileRefused('binary');
    if (text !== '') yield text;
  }
  const rest = decode(undefined, false);
  if (rest !== '') yield rest;
}

/** What separates the cells of the first line, outside quotes. */
export function separatorOf(line: string): string {
  const bare = line.replace(/"[^"]*"/g, '');
  const count = (separator: string) => bare.split(separator).length;
  return [',', ';', '\t'].reduce((best, separator) => (count(separator) > count(best) ? separator : best), ',');
}

/**
 * The rows of a text file, in batches. Separator and encoding are found out; quotes may hold separators and line
 * ends. @throws FileRefused when it is no table, or one beyond the limits
 */
export async function* csvRows(source: Readable | AsyncIterable<Uint8Array>): AsyncGenerator<FileRow[]> {
  const chunks = decoded(source as AsyncIterable<Uint8Array>);
  try {
    yield* rowsOf(chunks);
  } finally {
    // Whoever stops early must not leave the file open: it would stay on the disk after it was removed.
    await chunks.return(undefined);
  }
}

async function* rowsOf(chunks: AsyncGenerator<string>): AsyncGenerator<FileRow[]> {
  let head = '';
  let ended = false;
  const hasLine = () => /\n|\r/.test(head.replace(/^[\s\uFEFF]+/, ''));
  while (!hasLine()) {
    const next = await chunks.next();
    if (next.done) {
      ended = true;
      break;
    }
    head += next.value;
    if (head.length > 4 * MAX_LINE && !hasLine()) throw new FileRefused('lineTooLong', MAX_LINE);
  }
  if (head.trim() === '') throw new FileRefused('empty');
  const start = head.replace(/^\uFEFF/, '').trimStart();
  const delimiter = separatorOf(start.split(/\r|\n/, 1)[0] ?? '');
  const of: FileTraits = { isCommaSeparated: delimiter === ',' };
  const parser = parse({
    bom: true,
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    // It counts the text of cells only: 45 million separators are a record of no size. `check` counts them too.
    max_record_size: MAX_LINE,
    info: true,
  });
  let rows: FileRow[] = [];
  let total = 0;
  let cells = 0;
  /** Where the last record ended, and how many empty lines there were before it. */
  let last = { bytes: 0, empty: 0 };
  /** Bytes given to the parser since a piece of text that ended a record or an empty line. */
  let unfinished = 0;
  let endings = 0;
  const take = () => {
    for (let record = parser.read() as Parsed | null; record !== null; record = parser.read() as Parsed | null) {
      const { bytes, empty_lines: empty } = record.info;
      if (bytes - last.bytes - LINE_END * (empty - last.empty) > MAX_LINE) throw new FileRefused('lineTooLong', MAX_LINE);
      last = { bytes, empty };
      if (record.record.length > MAX_CELLS) throw new FileRefused('tooManyCells', MAX_CELLS);
      cells += record.record.length;
      if (cells > MAX_CELLS_OF_FILE) throw new FileRefused('fileTooManyCells', MAX_CELLS_OF_FILE);
      // Skipped here and not by the parser, which would hide them from the limits.
      if (record.record.every((cell) => cell.trim() === '')) continue;
      total += 1;
      if (total > MAX_ROWS + 1) throw new FileRefused('tooManyRows', MAX_ROWS);
      rows.push({ line: record.info.lines, cells: record.record, of });
    }
  };
  let failure: Error | undefined;
  parser.on('error', (error) => {
    failure ??= error;
  });
  const check = () => {
    // An unfinished record is held by the parser as cells: refused while it is still small.
    if (unfinished > MAX_LINE) throw new FileRefused('lineTooLong', MAX_LINE);
    if (parser.info.lines > MAX_LINES_OF_FILE) throw new FileRefused('tooManyRows', MAX_ROWS);
    if (failure === undefined) return;
    if (failure instanceof CsvError && failure.code === 'CSV_MAX_RECORD_SIZE') throw new FileRefused('lineTooLong', MAX_LINE);
    throw new FileRefused('binary');
  };
  async function* fed(text: string): AsyncGenerator<FileRow[]> {
    for (let start = 0; start < text.length; start += SLICE) {
      const slice = text.slice(start, start + SLICE);
      parser.write(slice);
      const before = endings;
      endings = parser.info.records + parser.info.empty_lines;
      unfinished = endings === before ? unfinished + Buffer.byteLength(slice) : 0;
      take();
      check();
      if (rows.length >= BATCH) {
        yield rows;
        rows = [];
      }
      await breathe();
    }
  }
  yield* fed(head.replace(/^\uFEFF/, ''));
  while (!ended) {
    const next = await chunks.next();
    if (next.done) break;
    yield* fed(next.value);
  }
  parser.end();
  await breathe();
  take();
  check();
  if (rows.length > 0) yield rows;
}

type Parsed = {
  readonly record: string[];
  readonly info: { readonly lines: number; readonly bytes: number; readonly empty_lines: number };
};
const SLICE = 32 * 1024;
/** Bytes of a line's end, at most. */
const LINE_END = 2;
/** Lets the process answer others before the next piece. */
export const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
