import type { MarketSource } from '@pilotfish/core/prices/prices-contract';
import { sql } from 'kysely';
import type { Database } from './database.ts';
import { OF_MARKET } from './market-scope.ts';
import { withoutHurry } from './postgres.ts';

/** Tables whose names are unique by a key that begins with the market. */
const NAMED: ReadonlySet<string> = new Set(['wallets', 'auto_trades']);

/**
 * Notes that a server runs with a market. The first market of a database takes over the rows that the migration could
 * give to none: those of accounts without keys, which have always been seen by whichever server ran. A second market
 * takes nothing over: it would get what the first one goes on with.
 * @param whole the database over all markets, of whoever has it for itself
 */
export async function enterMarket(whole: Pick<Database, 'queries' | 'transaction'>, market: MarketSource): Promise<void> {
  const known = await sql<{ market: string }>`select market from markets`.execute(whole.queries);
  if (known.rows.some((row) => row.market === market)) return;
  await whole.transaction(async (queries) => {
    await withoutHurry(queries);
    for (const table of known.rows.some((row) => row.market !== '') ? [] : Object.keys(OF_MARKET)) {
      const named = NAMED.has(table) ? sql`, name_key = ${market} || name_key` : sql``;
      await sql`update ${sql.table(table)} set market = ${market}${named} where market = ''`.execute(queries);
    }
    await sql`insert into markets (market, seen_at) values (${market}, null) on conflict do nothing`.execute(queries);
  });
}
