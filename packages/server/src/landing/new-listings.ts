import type { Pair } from '@pilotfish/core/prices/prices-contract';
import type { Database } from '../database/database.ts';

export type NewListings = {
  /** Compares the exchange's pairs with those seen before and keeps when a new one appeared. */
  look(pairs: readonly Pick<Pair, 'symbol'>[]): Promise<void>;
  /** Pairs that appeared while we watched, newest first. */
  newest(most: number): Promise<{ symbol: string; firstSeenAt: number }[]>;
};

/** Rows per statement; both databases limit the number of values in one. */
const BATCH = 500;

/** @param exchange the simulated and the real exchange list different pairs, so each has its own memory */
export function newListings(database: Database, exchange: string, now: () => number): NewListings {
  let known: Set<string> | undefined;
  return {
    look: async (pairs) => {
      if (pairs.length === 0) return;
      if (known === undefined) {
        const rows = await database.queries.selectFrom('seen_pairs').select('symbol').where('exchange', '=', exchange).execute();
        known = new Set(rows.map((row) => row.symbol));
      }
      // On the first look everything is old: nobody knows when it was listed.
      const firstSeen = known.size === 0 ? 0 : now();
      const seen = known;
      const fresh = pairs.filter(({ symbol }) => !seen.has(symbol));
      if (fresh.length === 0) return;
      // All or none: a first look cut short would take the rest for new ones.
      await database.transaction(async (queries) => {
        for (let start = 0; start < fresh.length; start += BATCH)
          await queries
            .insertInto('seen_pairs')
            .values(fresh.slice(start, start + BATCH).map(({ symbol }) => ({ exchange, symbol, first_seen_at: firstSeen })))
            .onConflict((conflict) => conflict.columns(['exchange', 'symbol']).doNothing())
            .execute();
      });
      for (const { symbol } of fresh) seen.add(symbol);
    },
    newest: async (most) => {
      const rows = await database.queries
        .selectFrom('seen_pairs')
        .select(['symbol', 'first_seen_at'])
        .where('exchange', '=', exchange)
        .where('first_seen_at', '>', 0)
        .orderBy('first_seen_at', 'desc')
        .orderBy('symbol')
        .limit(most)
        .execute();
      return rows.map((row) => ({ symbol: row.symbol, firstSeenAt: row.first_seen_at }));
    },
  };
}
