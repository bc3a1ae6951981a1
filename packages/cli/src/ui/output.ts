import type { Figure, Price } from '@pilotfish/core/money/figure';
import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import type { Places } from '../app/price-places.ts';
import { exactText, shownText } from './cell-text.ts';
import { type Colours, colours } from './colour.ts';
import { layoutTable } from './table-layout.ts';
import { widthOf } from './terminal-size.ts';
import { hanging, wrapped } from './wrap.ts';

/**
 * One column of a resource. `key` is the API's name, so that --fields, --csv and --json speak the same language;
 * its heading is the text `cli.columns.<key>`.
 */
export type Column<Row> = {
  readonly key: string;
  readonly right?: boolean;
  /** Its heading, where the key is not one of `cli.columns`. */
  readonly head?: string;
  /** Left out of a terminal that is too narrow, the highest first; columns without one stay. */
  readonly rank?: number;
  /** Its text tells prices: the digits of their pairs are asked for. */
  readonly tellsPrices?: true;
  /** For pipes and files: in a table a person reads it elsewhere, unless it is asked for by name. */
  readonly dataOnly?: true;
} & (TextCell<Row> | FigureCell<Row> | PriceCell<Row>);
type Shown<Row> = (row: Row, paint: Colours, places: Places) => string;
type TextCell<Row> = {
  /** The exact value, for pipes and files; null where nothing is known. */
  readonly value: (row: Row) => string | null;
  /** What a person reads, when that differs. */
  readonly shown?: Shown<Row>;
};
/** A figure is read through the formatter of its kind: its digits alone are for pipes and files. */
type FigureCell<Row> = {
  readonly value: (row: Row) => Figure | null;
  readonly shown: Shown<Row>;
};
/** A price is read with the digits that the tick size of its pair needs. */
type PriceCell<Row> = {
  readonly value: (row: Row) => Price | null;
  readonly pair: (row: Row) => string | null;
  /** What a person reads where there is none; nothing, if it is not said. */
  readonly none?: string;
  readonly shown?: Shown<Row>;
};
export type Resource<Row> = {
  readonly columns: readonly Column<Row>[] /** The text for no rows: `cli.empty.<empty>`. */;
  readonly empty: string;
};

type Format = 'json' | 'jsonl' | 'csv' | 'table' | 'plain';

export function formatOf({ globals, stdout }: Pick<Context, 'globals' | 'stdout'>): Format {
  if (globals.json) return 'json';
  if (globals.jsonl) return 'jsonl';
  if (globals.csv) return 'csv';
  return stdout.isTTY ? 'table' : 'plain';
}

/** The chosen columns, in the order that was asked for; fields of the API without a column are printed as they are. */
function chosen<Row extends object>(
  { globals }: Pick<Context, 'globals'>,
  columns: readonly Column<Row>[],
  sample: Row | undefined,
): readonly Column<Row>[] {
  if (!globals.fields) return columns;
  const raw = new Set(Object.keys(sample ?? {}));
  return globals.fields.map((key) => {
    const column = columns.find((each) => each.key === key);
    if (column) return column;
    if (sample && !raw.has(key))
      throw new UsageError('unknownField', { field: key, fields: [...new Set([...columns.map((each) => each.key), ...raw])].join(', ') });
    return { key, value: (row: Row) => plainText((row as Record<string, unknown>)[key]) };
  });
}

export const plainText = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

const picked = <Row extends object>(row: Row, fields: readonly string[] | undefined, columns: readonly Column<Row>[]): object =>
  fields
    ? Object.fromEntries(
        chosen({ globals: { fields } } as never, columns, row).map((column) => [
          column.key,
          column.key in row ? (row as Record<string, unknown>)[column.key] : exactText(column, row),
        ]),
      )
    : row;

/** Rows with the chosen fields only, as --json gives them. */
export const pickedRows = <Row extends object>(context: Context, { columns }: Resource<Row>, rows: readonly Row[]): object[] =>
  rows.map((row) => picked(row, context.globals.fields, columns));

/** RFC 4180: quotes only where they are needed. A cell that a spreadsheet would run as a formula is quoted as text. */
export const csvCell = (text: string): string => {
  const safe = /^[=@\t\r]|^[+-](?![\d.])/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
const tabCell = (text: string): string => text.replace(/[\t\r\n]+/g, ' ');

/** Rows as the person or the program asked for them: a table, tab-separated, CSV, one JSON document or JSON lines. */
export async function printRows<Row extends object>(
  context: Context,
  { columns, empty }: Resource<Row>,
  rows: readonly Row[],
): Promise<void> {
  const { stdout, globals } = context;
  const list = chosen(context, columns, rows[0]);
  switch (formatOf(context)) {
    case 'json':
      stdout.write(`${JSON.stringify(pickedRows(context, { columns, empty }, rows), null, stdout.isTTY ? 2 : 0)}\n`);
      return;
    case 'jsonl':
      for (const row of rows) stdout.write(`${JSON.stringify(picked(row, globals.fields, columns))}\n`);
      return;
    case 'csv':
      stdout.write(
        [list.map(({ key }) => key), ...rows.map((row) => list.map((column) => csvCell(exactText(column, row))))]
          .map((line) => `${line.join(',')}\r\n`)
          .join(''),
      );
      return;
    case 'plain':
      stdout.write(rows.map((row) => `${list.map((column) => tabCell(exactText(column, row))).join('\t')}\n`).join(''));
      return;
    case 'table': {
      if (rows.length === 0) return context.say(`cli.empty.${empty}`);
      const { text, left } = await layout(context, list, rows);
      stdout.write(text);
      if (left.length > 0 && context.stderr.isTTY) {
        const t = await context.texts();
        context.stderr.write(`${wrapped(t('cli.table.left', { columns: left.join(', ') }), widthOf(context)).join('\n')}\n`);
      }
    }
  }
}

/** The text of a table, no wider than the terminal. */
export const table = async <Row extends object>(context: Context, columns: readonly Column<Row>[], rows: readonly Row[]): Promise<string> =>
  (await layout(context, globalsColumns(context, columns, rows[0]), rows)).text;

/** A table that stays on the screen shows the chosen fields, too. */
const globalsColumns = <Row extends object>(context: Context, columns: readonly Column<Row>[], sample: Row | undefined) =>
  context.globals.fields && sample ? chosen(context, columns, sample) : columns;

/** The text of a table and the columns that found no room. */
async function layout<Row extends object>(
  context: Context,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): Promise<{ text: string; left: readonly string[] }> {
  const [t, { default: width }] = await Promise.all([context.texts(), import('string-width')]);
  const paint = colours(context, context.stdout);
  const places = await placesFor(context, columns);
  const keepAll = context.globals.fields !== undefined;
  const { head, body, left } = layoutTable(columns, rows, {
    room: widthOf(context),
    unicode: context.unicode,
    paint,
    places,
    width,
    t,
    keepAll,
  });
  return { text: [head, ...body].map((line) => `${line}\n`).join(''), left };
}

/** The digits of prices, where a column shows one: other tables ask for nothing. */
const placesFor = async <Row>(context: Context, columns: readonly Column<Row>[]): Promise<Places> =>
  columns.some((column) => 'pair' in column || column.tellsPrices)
    ? (await import('../app/price-places.ts')).pricePlaces(context)
    : () => undefined;

/** One thing: its columns from top to bottom, or the whole document with --json. */
export async function printOne<Row extends object>(context: Context, { columns }: Pick<Resource<Row>, 'columns'>, row: Row): Promise<void> {
  const { stdout, globals } = context;
  const format = formatOf(context);
  if (format === 'json' || format === 'jsonl') {
    stdout.write(`${JSON.stringify(picked(row, globals.fields, columns), null, format === 'json' && stdout.isTTY ? 2 : 0)}\n`);
    return;
  }
  if (format === 'csv') return printRows(context, { columns, empty: '' }, [row]);
  const list = chosen(context, columns, row);
  if (format === 'plain') {
    stdout.write(list.map((column) => `${column.key}\t${tabCell(exactText(column, row))}\n`).join(''));
    return;
  }
  const [t, places] = await Promise.all([context.texts(), placesFor(context, list)]);
  const paint = colours(context, stdout);
  const heads = list.map(({ key, head }) => head ?? t(`cli.columns.${key}`, { defaultValue: key }));
  const wide = Math.max(...heads.map((head) => head.length));
  const room = widthOf(context);
  const { default: width } = await import('string-width');
  const line = (column: Column<Row>, index: number) =>
    hanging(`${paint.dim((heads[index] ?? '').padEnd(wide))}  `, shownText(column, row, paint, places), room, width);
  stdout.write(list.map((column, index) => `${line(column, index)}\n`).join(''));
}

/** How many there are of each, in one cell: `stop loss 3, take profit 12`. */
export const counts = (of: Readonly<Record<string, number>>, named = (key: string): string => key): string =>
  Object.entries(of)
    .map(([key, count]) => `${named(key)} ${count}`)
    .join(', ');
