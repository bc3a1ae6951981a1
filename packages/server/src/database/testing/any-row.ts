import { type Kysely, sql } from 'kysely';
import { OF_MARKET } from '../market-scope.ts';
import type { Schema } from '../migrations.ts';

/** The columns of a row of any table: those that are not given are empty texts or zeros, null where they may be. */
export async function anyRow(
  queries: Kysely<Schema>,
  table: string,
  given: Readonly<Record<string, string | number | null>>,
): Promise<Record<string, string | number | null>> {
  const columns = (await queries.introspection.getTables()).find(({ name }) => name === table)!.columns;
  const all = columns.map(
    ({ name, dataType, isNullable }) => [name, isNullable ? null : /int|real|double/i.test(dataType) ? 0 : ''] as const,
  );
  return { ...Object.fromEntries(all), ...given };
}

/**
 * No server sees a row without a market once one has run, so raw SQL that forgets the market would lose what it writes.
 * The database cannot refuse it: SQLite adds no column without a default, and tables that others reference cannot be
 * written anew.
 * @throws naming the tables
 */
export async function requireMarkets({ queries }: { readonly queries: Kysely<Schema> }): Promise<void> {
  const each = Object.keys(OF_MARKET).map(
    (table) => sql`select ${sql.lit(table)} as name where exists (select 1 from ${sql.table(table)} where market = '')`,
  );
  // A database that a test has closed or broken has nothing to say.
  const { rows } = await sql<{ name: string }>`${sql.join(each, sql` union all `)}`.execute(queries).catch(() => ({ rows: [] }));
  if (rows.length > 0) throw new Error(`Rows without a market: ${rows.map(({ name }) => name).join(', ')}`);
}
