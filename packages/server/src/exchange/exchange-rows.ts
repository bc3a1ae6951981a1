import { plainDecimal } from '@pilotfish/core/money/plain-decimal';
import * as z from 'zod';
import { ExchangeError } from './exchange-error.ts';

/**
 * A row of a list that could not be read. `name` and `field` may be written down: which row it is and what was wrong with
 * it, never the value. `given` is the row itself, for whoever has to know what it may stand for.
 */
export type UnreadRow = { readonly list: string; readonly name: string; readonly field: string; readonly given: unknown };

/** The rows of a list that could be read, beside those that could not: what is missing there is not absent. */
export type Rows<Row> = Row[] & { readonly unread?: readonly UnreadRow[] };

/** An id as text, whatever the list writes: never a number that was rounded. */
export const idText = z.union([z.string().min(1), z.int().transform(String)]);

/** An amount or a price as plain decimal text: an exponent is a number too. */
export const amountText = z.union([z.string(), z.number()]).transform((given, context) => {
  const plain = plainDecimal(String(given));
  if (plain === undefined) context.addIssue({ code: 'custom', message: 'no number' });
  return plain ?? z.NEVER;
});

const LONGEST_NAME = 80;
const written = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
const field = (given: unknown, name: string): unknown =>
  typeof given === 'object' && given !== null ? (given as Record<string, unknown>)[name] : undefined;

/** A field of a row that could not be read, where that much can be. */
export const textOfUnread = ({ given }: UnreadRow, name: string): string | undefined => written(field(given, name)) || undefined;

function unreadRow(list: string, given: unknown, index: number, names: readonly string[], error: z.ZodError): UnreadRow {
  const name = names.map((each) => written(field(given, each))).filter((each) => each !== '');
  const bounded = Array.from(name.join(' ').replaceAll(/\p{C}/gu, ' ')).slice(0, LONGEST_NAME).join('');
  return { list, name: bounded === '' ? `#${index + 1}` : bounded, field: error.issues[0]?.path.join('.') || 'row', given };
}

/**
 * A list that is read row by row: one that cannot be read fails nothing but itself.
 * @param names the fields that name a row
 */
export function rowsOf<Row extends z.ZodType>(list: string, row: Row, names: readonly string[]) {
  return z.array(z.unknown()).transform((given): Rows<z.output<Row>> => {
    const unread: UnreadRow[] = [];
    const rows = given.flatMap((each, index) => {
      const read = row.safeParse(each);
      if (read.success) return [read.data];
      unread.push(unreadRow(list, each, index, names, read.error));
      return [];
    });
    return withUnread(rows, unread);
  });
}

/** The same for what comes one by one: undefined where it cannot be read. */
export function readRow<Row>(
  { list, row, names }: { readonly list: string; readonly row: z.ZodType<Row>; readonly names: readonly string[] },
  given: unknown,
  onUnread: ((rows: readonly UnreadRow[]) => void) | undefined,
): Row | undefined {
  const read = row.safeParse(given);
  if (read.success) return read.data;
  onUnread?.([unreadRow(list, given, 0, names, read.error)]);
  return undefined;
}

/** Not enumerable: it belongs to the answer, not to its rows. */
export const withUnread = <Row>(rows: Row[], unread: readonly UnreadRow[]): Rows<Row> =>
  unread.length === 0 ? rows : Object.defineProperty(rows, 'unread', { value: unread });

export const unreadOf = (rows: Rows<unknown>): readonly UnreadRow[] => rows.unread ?? [];

/** Rows that were sent, read or not: by their number the end of a paged list is seen. */
export const sentIn = (rows: Rows<unknown>): number => rows.length + unreadOf(rows).length;

/** The lists of an answer: itself, or its fields. */
export const listsIn = (answer: unknown): Rows<unknown>[] =>
  (Array.isArray(answer) ? [answer] : typeof answer === 'object' && answer !== null ? Object.values(answer) : []).filter(
    (each): each is Rows<unknown> => Array.isArray(each) && unreadOf(each).length > 0,
  );

/**
 * The row of a list by its name, undefined where the list has none.
 * @throws ExchangeError where the row may be one that could not be read: unknown is not absent, a balance not nothing
 */
export function rowOf<Row extends object>(rows: Rows<Row>, name: keyof Row & string, value: string): Row | undefined {
  const found = rows.find((row) => row[name] === value);
  if (found === undefined) requireRead(rows, (row) => (textOfUnread(row, name) ?? value) === value);
  return found;
}

/** What is free of an asset. @throws ExchangeError where its balance cannot be read: that is not nothing */
export const freeOf = (balances: Rows<{ readonly asset: string; readonly free: string }>, asset: string): string =>
  rowOf(balances, 'asset', asset)?.free ?? '0';

/** @throws ExchangeError where a row that could not be read matters */
export function requireRead(rows: Rows<unknown>, matters: (row: UnreadRow) => boolean = () => true): undefined {
  const row = unreadOf(rows).find(matters);
  if (row) throw new ExchangeError('unreachable', `A row of the exchange's ${row.list} cannot be read: ${row.name} (${row.field}).`);
}

/** When the candles of an answer open, also of those that could not be read, ms. */
export const openTimesIn = (rows: Rows<readonly [number, ...unknown[]]>): number[] =>
  [...rows.map(([openTime]) => openTime), ...unreadOf(rows).map((row) => Number(textOfUnread(row, '0')))].filter(Number.isFinite);

/** The id after the last of a page. */
export function idAfter(ids: readonly string[]): string | undefined {
  let last: bigint | undefined;
  for (const id of ids) if (/^\d+$/.test(id) && (last === undefined || BigInt(id) > last)) last = BigInt(id);
  return last === undefined ? undefined : String(last + 1n);
}
