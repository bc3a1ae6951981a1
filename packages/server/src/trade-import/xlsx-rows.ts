import { TextDecoder } from 'node:util';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { BATCH, breathe, type FileRow, type FileTraits, MAX_CELLS_OF_FILE, MAX_LINES_OF_FILE, MAX_ROWS } from './csv-rows.ts';
import { FileRefused } from './file-refused.ts';
import type { Zip } from './zip-entries.ts';

const MAX_SHARED = 2_000_000;
/** Characters of all shared texts together: they are held in memory while the sheet is read. */
const MAX_SHARED_TEXT = 64 * 1024 * 1024;
const MAX_TEXT = 64 * 1024;
const MAX_COLUMNS = 100;
/** A sheet's own elements lie eight deep at most; the parser remembers every open one. */
const MAX_DEPTH = 64;
/** Characters from one element to the next: the parser holds a text, a comment or a tag whole until it ends. */
const MAX_PIECE = 1024 * 1024;

/** What the reader of an XML file wants to be told of. */
type Told = {
  readonly open: (name: string, attributes: SaxesTagPlain['attributes']) => void;
  readonly text: (piece: string) => void;
  readonly close: (name: string) => void;
};

export const isXlsx = ({ entries }: Zip): boolean => entries.some(({ name }) => name === 'xl/workbook.xml');

/**
 * Feeds an XML file to a handler piece by piece. Only the five entities of XML itself are known, a document type is
 * refused: there is nothing to expand. What the parser has to remember is bounded. @throws FileRefused
 */
async function* walk(zip: Zip, name: string, told: Told): AsyncGenerator<void> {
  const entry = zip.entries.find((each) => each.name === name);
  if (entry === undefined) return;
  const parser = new SaxesParser();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  parser.on('error', () => {
    throw new FileRefused('xlsxBroken');
  });
  parser.on('doctype', () => {
    throw new FileRefused('xlsxBroken');
  });
  let depth = 0;
  let piece = 0;
  /** What some writers put before every name of the sheet's own elements: `x:`. The root has it too. */
  let prefix: string | undefined;
  const nameOf = ({ name }: { name: string }) => (prefix !== undefined && name.startsWith(prefix) ? name.slice(prefix.length) : name);
  parser.on('opentag', (tag) => {
    depth += 1;
    if (depth > MAX_DEPTH) throw new FileRefused('xlsxBroken');
    piece = 0;
    prefix ??= tag.name.slice(0, tag.name.indexOf(':') + 1);
    told.open(nameOf(tag), tag.attributes);
  });
  parser.on('text', told.text);
  parser.on('closetag', (tag) => {
    depth -= 1;
    told.close(nameOf(tag));
  });
  try {
    for await (const chunk of await entry.open()) {
      const text = decoder.decode(chunk, { stream: true });
      piece += text.length;
      parser.write(text);
      if (piece > MAX_PIECE) throw new FileRefused('xlsxBroken');
      await breathe();
      yield;
    }
    parser.close();
    yield;
  } catch (error) {
    throw error instanceof FileRefused ? error : new FileRefused('xlsxBroken');
  }
}

/** Texts that cells point to by number. */
async function sharedTexts(zip: Zip): Promise<string[]> {
  const texts: string[] = [];
  let length = 0;
  let text = '';
  let inText = false;
  let inReading = false;
  const work = walk(zip, 'xl/sharedStrings.xml', {
    open: (name) => {
      if (name === 'si') text = '';
      // A reading aid beside Asian text is not part of it.
      else if (name === 'rPh') inReading = true;
      else if (name === 't') inText = !inReading;
    },
    text: (piece) => {
      if (inText) text += piece;
      if (text.length > MAX_TEXT) throw new FileRefused('lineTooLong', MAX_TEXT);
    },
    close: (name) => {
      if (name === 't') inText = false;
      else if (name === 'rPh') inReading = false;
      else if (name === 'si') {
        length += text.length;
        if (texts.length >= MAX_SHARED || length > MAX_SHARED_TEXT) throw new FileRefused('tooManyRows', MAX_ROWS);
        texts.push(text);
      }
    },
  });
  for await (const _ of work);
  return texts;
}

/** True where the workbook counts the days of its dates from 1904, as old spreadsheets of one platform did. */
async function countsFrom1904(zip: Zip): Promise<boolean> {
  let is1904 = false;
  const work = walk(zip, 'xl/workbook.xml', {
    open: (name, { date1904 }) => {
      if (name === 'workbookPr') is1904 = date1904 === '1' || date1904 === 'true';
    },
    text: () => {},
    close: () => {},
  });
  for await (const _ of work);
  return is1904;
}

/** Digits a spreadsheet shows of a number. */
const SHOWN_DIGITS = 15;

/**
 * A number as the spreadsheet shows it: it stores 0.58 as 0.57999999999999996, which nobody has typed. Its point is one,
 * whatever those in text cells are: 1.125 gets a zero, because beside a text `1.234,50` it would be read as 1125.
 */
function asShown(value: string): string {
  const isBinary = /^-?\d*\.\d+(e[+-]?\d+)?$|^-?\d+e[+-]?\d+$/i.test(value);
  const shown = isBinary ? String(Number(Number(value).toPrecision(SHOWN_DIGITS))) : value;
  return /^-?\d{1,3}\.\d{3}$/.test(shown) ? `${shown}0` : shown;
}

/** Column number, from 0, of a cell's name: `C7` is 2. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of reference) {
    const digit = letter.charCodeAt(0) - 64;
    if (digit < 1 || digit > 26) break;
    column = column * 26 + digit;
  }
  return column - 1;
}

function textOf({ type, value, formula }: { type: string; value: string; formula: string }, shared: readonly string[]): string {
  if (formula !== '') return `=${formula}`;
  if (type === 's') return shared[Number(value)] ?? '';
  return type === 'n' ? asShown(value) : value;
}

/** The rows of the first sheet, in batches. Formulas are never computed: such a cell reads as the formula itself. */
export async function* xlsxRows(zip: Zip): AsyncGenerator<FileRow[]> {
  const shared = await sharedTexts(zip);
  const of: FileTraits = { is1904: await countsFrom1904(zip) };
  const sheet = zip.entries
    .map(({ name }) => name)
    .filter((name) => /^xl\/worksheets\/sheet\d+\.xml$/.test(name))
    .sort((one, other) => one.length - other.length || (one < other ? -1 : 1))[0];
  if (sheet === undefined) throw new FileRefused('xlsxBroken');
  let rows: FileRow[] = [];
  let total = 0;
  let seenRows = 0;
  let seenCells = 0;
  let line = 0;
  let cells: string[] = [];
  let cell = { column: 0, type: '', value: '', formula: '' };
  let into: 'value' | 'formula' | undefined;
  const work = walk(zip, sheet, {
    open: (name, attributes) => {
      if (name === 'row') {
        seenRows += 1;
        if (seenRows > MAX_LINES_OF_FILE) throw new FileRefused('tooManyRows', MAX_ROWS);
        line = Number(attributes.r ?? line + 1);
        cells = [];
      } else if (name === 'c') {
        seenCells += 1;
        if (seenCells > MAX_CELLS_OF_FILE) throw new FileRefused('fileTooManyCells', MAX_CELLS_OF_FILE);
        const reference = attributes.r;
        const column = reference === undefined ? cells.length : columnOf(reference);
        if (column < 0) throw new FileRefused('tooManyCells', MAX_COLUMNS);
        cell = { column, type: attributes.t ?? 'n', value: '', formula: '' };
      } else if (name === 'v' || name === 't') into = 'value';
      else if (name === 'f') into = 'formula';
    },
    text: (piece) => {
      if (into === undefined) return;
      cell[into] += piece;
      if (cell[into].length > MAX_TEXT) throw new FileRefused('lineTooLong', MAX_TEXT);
    },
    close: (name) => {
      if (name === 'v' || name === 't' || name === 'f') into = undefined;
      else if (name === 'c') {
        // Cells that have a format and nothing in them can stand in every column there is.
        if (cell.value === '' && cell.formula === '') return;
        if (cell.column >= MAX_COLUMNS) throw new FileRefused('tooManyCells', MAX_COLUMNS);
        while (cells.length < cell.column) cells.push('');
        cells[cell.column] = textOf(cell, shared);
      } else if (name === 'row') {
        if (cells.every((text) => text.trim() === '')) return;
        // A long shared text costs its file one place and every row that points to it the whole of it.
        if (cells.reduce((length, { length: more }) => length + more, 0) > MAX_TEXT) throw new FileRefused('lineTooLong', MAX_TEXT);
        total += 1;
        if (total > MAX_ROWS + 1) throw new FileRefused('tooManyRows', MAX_ROWS);
        rows.push({ line, cells, of });
      }
    },
  });
  for await (const _ of work) {
    if (rows.length < BATCH) continue;
    yield rows;
    rows = [];
  }
  if (total === 0) throw new FileRefused('empty');
  yield rows;
}
