import { hash } from 'node:crypto';
import type { EntrySource } from '@pilotfish/core/positions/ledger-entry';
import { fileOrder } from '@pilotfish/core/trade-import/file-order';
import { FileSigns } from '@pilotfish/core/trade-import/file-signs';
import { zoneIn } from '@pilotfish/core/trade-import/import-cells';
import { type ImportDraft, isProblem, type RowProblem } from '@pilotfish/core/trade-import/import-draft';
import { detectFormat, type ImportFormat, mappedHeader, productColumns } from '@pilotfish/core/trade-import/import-formats';
import { readHeader } from '@pilotfish/core/trade-import/import-header';
import { rowNamer } from '@pilotfish/core/trade-import/import-identity';
import type { KnownPairs } from '@pilotfish/core/trade-import/known-pairs';
import { type GivenMeanings, operationName } from '@pilotfish/core/trade-import/statement-operations';
import { tradeHistoryReader } from '@pilotfish/core/trade-import/trade-history';
import type { ImportField, RowCode } from '@pilotfish/core/trade-import/trade-import-contract';
import { type FileRow, MAX_ROWS } from './csv-rows.ts';
import type { NamedDraft } from './draft-spool.ts';
import { FileRefused } from './file-refused.ts';
import { PROBLEMS_TOLD } from './import-answer.ts';
import type { Table } from './uploaded-file.ts';

/** A title or two may stand above the header. */
const HEADER_WITHIN = 5;

/** What an upload says as a whole; its rows were handed on one by one. */
export type Reading = {
  readonly format: string;
  /** Minutes east of UTC; undefined when nobody says. */
  readonly zone: number | undefined;
  readonly needs: 'zone' | 'mapping' | null;
  readonly columns: readonly string[];
  readonly sources: ReadonlySet<EntrySource>;
  /** The first and the last moment of its rows, epoch ms; undefined without any. */
  readonly period: { readonly from: number; readonly to: number } | undefined;
  /** One table names every row once; several may tell of the same, and so do rows with the exchange's own numbers. */
  readonly mayRepeat: boolean;
  readonly problems: RowProblem[];
  readonly counts: { rows: number; skipped: number; question: number; error: number };
  /** Rows left out, by reason. */
  readonly leftOut: ReadonlyMap<RowCode, number>;
  /** Operations of statements that are not known, by name; those that were said to mean something with it. */
  readonly operations: ReadonlyMap<string, UnknownOperation>;
};

export type ReadingOptions = {
  /** Minutes east of UTC the person named: of one file in place of what it says, of several where they say nothing. */
  readonly zone?: number | undefined;
  readonly mapping?: Readonly<Record<string, ImportField>> | undefined;
  /** What operations of statements mean that are not known. */
  readonly meanings?: GivenMeanings | undefined;
  readonly pairs: KnownPairs;
  readonly onDraft: (named: NamedDraft) => void;
  readonly onRows?: (done: number) => void;
};

/** An operation nobody knows: as it is first written, in how many rows, and some of the coins it moves. */
export type UnknownOperation = { readonly name: string; readonly rows: number; readonly assets: Set<string> };
/** Different ones of a file, and coins of each, that are told of. */
const MOST_UNKNOWN = 1000;
const ASSETS_NAMED = 5;

const MAPPED: ImportFormat = {
  key: 'mapped',
  source: 'trade-history',
  words: [],
  reader: tradeHistoryReader,
  product: ['price', 'executed', 'amount'],
};

/** Reads every table of an upload to its end. @throws FileRefused */
export async function readTables(tables: readonly Table[], options: ReadingOptions): Promise<Reading> {
  const namers = new Map<string, (draft: ImportDraft) => string>();
  const reading: Totals = {
    problems: [],
    counts: { rows: 0, skipped: 0, question: 0, error: 0 },
    leftOut: new Map(),
    operations: new Map(),
    sources: new Set(),
    from: Number.POSITIVE_INFINITY,
    to: Number.NEGATIVE_INFINITY,
    isNumbered: false,
  };
  const formats = new Set<string>();
  let zone: number | undefined;
  let columns: readonly string[] = [];
  let needs: Reading['needs'] = null;
  for (const table of tables) {
    const isAlone = tables.length === 1;
    const found = await readTable(table, { ...options, isAlone }, reading, (source) => {
      const key = `${source} ${exportOf(table.name)}`;
      const known = namers.get(key) ?? rowNamer(source, (text) => hash('sha256', text));
      namers.set(key, known);
      return known;
    });
    formats.add(found.format);
    zone ??= found.zone;
    if (columns.length === 0) columns = found.columns;
    needs ??= found.needs;
  }
  const { problems, counts, leftOut, operations, sources, from, to, isNumbered } = reading;
  const format = formats.size === 1 ? ([...formats][0] ?? 'unknown') : 'several';
  const period = from <= to ? { from, to } : undefined;
  return {
    problems,
    counts,
    leftOut,
    operations,
    sources,
    period,
    mayRepeat: isNumbered || tables.length > 1,
    format,
    zone,
    needs,
    columns,
  };
}

/**
 * The export a file is a part of. Parts never overlap, so rows that are alike in two of them are honest; other files
 * that lie together may tell of the same days, and each counts its rows for itself.
 */
const exportOf = (name: string): string => name.replace(/part[-_ ]?\d+/i, 'part');

type Totals = {
  readonly problems: RowProblem[];
  readonly counts: Reading['counts'];
  readonly leftOut: Map<RowCode, number>;
  readonly operations: Map<string, UnknownOperation>;
  readonly sources: Set<EntrySource>;
  from: number;
  to: number;
  isNumbered: boolean;
};
type Found = { format: string; zone: number | undefined; columns: readonly string[]; needs: Reading['needs'] };

async function readTable(
  table: Table,
  { zone: said, isAlone, mapping, meanings = {}, pairs, onDraft, onRows }: ReadingOptions & { readonly isAlone: boolean },
  reading: Totals,
  namerOf: (source: EntrySource) => (draft: ImportDraft) => string,
): Promise<Found> {
  let open: { readonly signs: FileSigns; readonly end: () => void; readonly line: string } | undefined;
  let found: Found | undefined;
  const before: FileRow[] = [];

  const start = ({ cells, of }: FileRow): Found | undefined => {
    const header = mapping === undefined ? readHeader(cells) : mappedHeader(readHeader(cells), mapping);
    const format = mapping === undefined ? detectFormat(header) : header.columns.size > 0 ? MAPPED : undefined;
    if (format === undefined) return undefined;
    const zone = (isAlone ? said : undefined) ?? header.zone ?? zoneIn(table.name) ?? said;
    if (zone === undefined) return { format: format.key, zone, columns: header.names, needs: 'zone' };
    const name = namerOf(format.source);
    const order = fileOrder((draft, read) => {
      reading.sources.add(format.source);
      reading.from = Math.min(reading.from, read.at);
      reading.to = Math.max(reading.to, read.at);
      reading.isNumbered ||= read.kind === 'trade' && read.tradeId !== null;
      onDraft({ draft, id: name(read), source: format.source });
    });
    const emit = (parsed: ImportDraft | RowProblem) => {
      if (!isProblem(parsed)) order.push(parsed);
      else {
        reading.counts[parsed.result] += 1;
        if (parsed.result === 'skipped' && parsed.code !== undefined)
          reading.leftOut.set(parsed.code, (reading.leftOut.get(parsed.code) ?? 0) + 1);
        if (reading.problems.length < PROBLEMS_TOLD) reading.problems.push(parsed);
      }
    };
    const onUnknownOperation = (text: string, asset: string) => {
      const known = reading.operations.get(operationName(text));
      if (known === undefined && reading.operations.size >= MOST_UNKNOWN) return;
      const { name = text.trim().slice(0, 100), rows = 0, assets = new Set<string>() } = known ?? {};
      if (assets.size < ASSETS_NAMED) assets.add(asset);
      reading.operations.set(operationName(text), { name, rows: rows + 1, assets });
    };
    const reader = format.reader({
      header,
      pairs,
      zone,
      is1904: of?.is1904 === true,
      fileName: table.name,
      meanings,
      onUnknownOperation,
      emit,
    });
    const signs = new FileSigns(of?.isCommaSeparated === true, (row, line) => reader.push(row, line), productColumns(format, header));
    const end = () => {
      signs.end();
      reader.end();
      order.end();
    };
    open = { signs, end, line: cells.join('\n') };
    return { format: format.key, zone, columns: header.names, needs: null };
  };

  for await (const rows of table.rows()) {
    for (const row of rows) {
      if (open === undefined) {
        found = start(row);
        if (found?.needs) return found;
        if (found === undefined) {
          before.push(row);
          if (before.length >= HEADER_WITHIN) return unknown(before);
        }
        continue;
      }
      // Parts that were put together carry their header again.
      if (row.cells.join('\n') === open.line) continue;
      reading.counts.rows += 1;
      if (reading.counts.rows > MAX_ROWS) throw new FileRefused('tooManyRows', MAX_ROWS);
      open.signs.take(row.cells, row.line);
    }
    onRows?.(reading.counts.rows);
  }
  open?.end();
  return found ?? unknown(before);
}

const unknown = (rows: readonly FileRow[]): Found => ({
  format: 'unknown',
  zone: undefined,
  columns: rows[0]?.cells.map((cell) => cell.trim()).filter((cell) => cell !== '') ?? [],
  needs: 'mapping',
});
