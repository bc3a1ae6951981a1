import type { Logger } from 'pino';
import * as z from 'zod';

/** Rows of one process that are named in the log. */
const MOST_NAMED = 200;

/** What is wrong with the row itself: no JSON, or not of the shape that this version knows. Anything else is not the row's fault. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof SyntaxError || error instanceof z.ZodError || error instanceof RangeError;

export type ReadStored = <Row extends { readonly id: string }, Value>(
  table: string,
  rows: readonly Row[],
  read: (row: Row) => Value | Promise<Value>,
) => Promise<Value[]>;

/** The rows that cannot be read, for the owner to see what a list lacks. */
export async function unreadableAmong<Row>(rows: readonly Row[], read: (row: Row) => unknown): Promise<Row[]> {
  const found = await Promise.all(
    rows.map(async (row) => {
      try {
        await read(row);
        return [];
      } catch (error) {
        if (!isUnreadable(error)) throw error;
        return [row];
      }
    }),
  );
  return found.flat();
}

/**
 * Reads the rows of a list one by one: one that this version cannot read (damaged, or written by a newer one) is left out
 * and named once in the log, so that it costs its owner no other. Not for rows that make up a sum.
 */
export function storedRows(log: Pick<Logger, 'error'>): ReadStored {
  const named = new Set<string>();
  return async (table, rows, read) => {
    const values = await Promise.all(
      rows.map(async (row) => {
        try {
          return [await read(row)];
        } catch (error) {
          if (!isUnreadable(error)) throw error;
          const name = `${table} ${row.id}`;
          if (named.size < MOST_NAMED && !named.has(name)) {
            named.add(name);
            const field = error instanceof z.ZodError ? error.issues[0]?.path.join('.') : undefined;
            log.error({ table, row: row.id, field, error: (error as Error).name }, 'a stored row cannot be read; it is left out');
          }
          return [];
        }
      }),
    );
    return values.flat();
  };
}
