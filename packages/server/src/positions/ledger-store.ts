import type { LedgerEntry, TradeEntry } from '@pilotfish/core/positions/ledger-entry';
import { accountTurns } from '../database/account-turns.ts';
import type { Database, Queries } from '../database/database.ts';
import type { ReadStored } from '../database/stored-rows.ts';
import { ledgerBatches } from './ledger-batches.ts';
import { type LedgerChange, Touched } from './ledger-change.ts';
import { type LedgerFilter, ledgerPages } from './ledger-pages.ts';
import { counts, fromRow, insertEntries, isKnown } from './ledger-rows.ts';

/** Names of one statement: both databases bound the values of one. */
const ROWS = 500;

export type LedgerStore = ReturnType<typeof ledgerStore>;

/**
 * What moved the assets of each account. An entry has one name in every source, so writing it again changes
 * nothing. Every write that changes something that counts raises the account's version.
 */
export function ledgerStore(database: Database) {
  const listeners = new Set<(change: LedgerChange) => void>();
  const inTurn = accountTurns();
  const tell = (change: LedgerChange) => {
    for (const listener of listeners) listener(change);
  };

  async function raise(queries: Queries, accountId: string): Promise<number> {
    const { version } = await queries
      .insertInto('ledger_versions')
      .values({ account_id: accountId, version: 1 })
      .onConflict((conflict) =>
        conflict.column('account_id').doUpdateSet((update) => ({ version: update('ledger_versions.version', '+', 1) })),
      )
      .returning('version')
      .executeTakeFirstOrThrow();
    return version;
  }

  const lower = (queries: Queries, accountId: string) =>
    queries
      .updateTable('ledger_versions')
      .set((update) => ({ version: update('version', '-', 1) }))
      .where('account_id', '=', accountId)
      .execute();

  /**
   * Adds what is not there yet and takes away what gives way to it, all or nothing: one transaction, so for what the
   * exchange tells and a person types; long files come as `batches`. `duplicates` are the names that were there before.
   */
  async function append(
    accountId: string,
    entries: readonly LedgerEntry[],
    { replaces = [], within }: { replaces?: readonly string[]; within?: (queries: Queries) => Promise<void> } = {},
  ): Promise<{ added: number; duplicates: string[] }> {
    const { change, ...result } = await database.transaction(async (queries) => {
      // The version first: it locks the account's ledger, so that two writers come one after the other.
      const version = await raise(queries, accountId);
      const touched = new Touched();
      await removeIds(queries, accountId, replaces, touched);
      const duplicates: string[] = [];
      let added = 0;
      for (let start = 0; start < entries.length; start += ROWS) {
        const part = entries.slice(start, start + ROWS);
        const known = await idsAmong(
          queries,
          accountId,
          part.map(({ id }) => id),
        );
        const unseen = [...known].flatMap(([id, isSeen]) => (isSeen ? [] : [id]));
        const fresh = part.filter(({ id }) => {
          if (known.get(id) !== true) {
            known.set(id, true);
            return true;
          }
          duplicates.push(id);
          return false;
        });
        // What does not count any more must not stand in the way of what does.
        await removeIds(queries, accountId, unseen);
        await insertEntries(queries, database, { accountId, batchId: null }, fresh);
        added += fresh.length;
        for (const entry of fresh) touched.came(entry);
        // A long answer of the exchange must not keep the process from answering others.
        if (start + ROWS < entries.length) await new Promise((resolve) => setImmediate(resolve));
      }
      await within?.(queries);
      // Nothing came and nothing went: whoever has read this version need not read again.
      if (touched.isEmpty) await lower(queries, accountId);
      return { added, duplicates, change: { accountId, version, ...touched.lists() } };
    });
    if (change.assets.length > 0) tell(change);
    return result;
  }

  return {
    append,
    /** Runs what first looks at the ledger of an account and then writes to it; others that do so wait for it. */
    inTurn,
    /** Imports: many entries that come and go together. */
    batches: ledgerBatches(database, {
      raise,
      tell: (accountId, version, touched) => tell({ accountId, version, ...touched.lists() }),
    }),
    /** Entries in the order of time, a page at a time; others have their turn in between. */
    pages: (accountId: string, filter?: LedgerFilter): AsyncGenerator<LedgerEntry[]> => ledgerPages(database, accountId, filter),
    /** The same, all of them: for what is not a whole history. */
    entries: async (accountId: string, filter?: LedgerFilter): Promise<LedgerEntry[]> => {
      const all: LedgerEntry[] = [];
      for await (const page of ledgerPages(database, accountId, filter)) for (const entry of page) all.push(entry);
      return all;
    },
    /** Those of some names that entries have; at most a few thousand are asked for at once. */
    known: async (accountId: string, ids: readonly string[]): Promise<Set<string>> => {
      const known = new Set<string>();
      for (let start = 0; start < ids.length; start += ROWS)
        for (const [id, isSeen] of await idsAmong(database.queries, accountId, ids.slice(start, start + ROWS))) if (isSeen) known.add(id);
      return known;
    },
    /** The first trade of a pair from a time on. */
    firstTrade: async (accountId: string, symbol: string, from: number): Promise<string | undefined> => {
      const row = await database.queries
        .selectFrom('ledger_entries')
        .select('entry_id')
        .where('account_id', '=', accountId)
        .where('symbol', '=', symbol)
        .where('at', '>=', from)
        .where(counts)
        .orderBy('at')
        .orderBy('entry_id')
        .limit(1)
        .executeTakeFirst();
      return row?.entry_id;
    },
    /** The newest trades of a pair, newest first, for a list: no sum is made of them. */
    newestTrades: async (
      accountId: string,
      { symbol, limit, readable }: { readonly symbol: string; readonly limit: number; readonly readable: ReadStored },
    ): Promise<TradeEntry[]> => {
      const rows = await database.queries
        .selectFrom('ledger_entries')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('symbol', '=', symbol)
        .where('kind', '=', 'trade')
        .where(counts)
        .orderBy('at', 'desc')
        .orderBy('entry_id', 'desc')
        .limit(limit)
        .execute();
      const entries = await readable(
        'ledger_entries',
        rows.map((row) => ({ ...row, id: row.entry_id })),
        fromRow,
      );
      return entries.filter((entry) => entry.kind === 'trade');
    },
    /** Nothing is known of the account. */
    isEmpty: async (accountId: string): Promise<boolean> =>
      (await database.queries
        .selectFrom('ledger_entries')
        .select('entry_id')
        .where('account_id', '=', accountId)
        .limit(1)
        .executeTakeFirst()) === undefined,
    /**
     * These assets, with all that they were swapped for or came of, near or far: what one of them had cost is known from
     * the others' history.
     */
    withSwapped: async (accountId: string, assets: ReadonlySet<string>): Promise<ReadonlySet<string>> => {
      const swaps = await database.queries
        .selectFrom('ledger_entries')
        .select(['asset', 'quote_asset'])
        .distinct()
        .where('account_id', '=', accountId)
        .where('kind', '=', 'swap')
        .execute();
      const all = new Set(assets);
      for (let size = -1; size !== all.size; ) {
        size = all.size;
        for (const { asset, quote_asset: from } of swaps) if (from !== null && (all.has(asset) || all.has(from))) all.add(asset).add(from);
      }
      return all;
    },
    /** What a transfer had cost, as its owner says; it stays the entry it is, with the import it came with. */
    giveCost: async (accountId: string, id: string, cost: string): Promise<void> => {
      const change = await database.transaction(async (queries) => {
        const version = await raise(queries, accountId);
        const touched = new Touched();
        const row = await queries
          .updateTable('ledger_entries')
          .set({ cost, cost_estimated: 0 })
          .where('account_id', '=', accountId)
          .where('entry_id', '=', id)
          .returningAll()
          .executeTakeFirst();
        if (row) touched.changed(fromRow(row));
        return { accountId, version, ...touched.lists() };
      });
      tell(change);
    },
    /** Values that were not known when the entry was written; anything else of an entry never changes. */
    revalue: async (
      accountId: string,
      values: readonly Pick<TradeEntry, 'id' | 'feeInQuote' | 'feeInPrimary' | 'quoteRate'>[],
    ): Promise<void> => {
      if (values.length === 0) return;
      const change = await database.transaction(async (queries) => {
        const version = await raise(queries, accountId);
        const touched = new Touched();
        for (const { id, feeInQuote, feeInPrimary, quoteRate } of values) {
          const row = await queries
            .updateTable('ledger_entries')
            .set({ fee_in_quote: feeInQuote, fee_in_primary: feeInPrimary, quote_rate: quoteRate })
            .where('account_id', '=', accountId)
            .where('entry_id', '=', id)
            .returningAll()
            .executeTakeFirst();
          if (row) touched.changed(fromRow(row));
        }
        return { accountId, version, ...touched.lists() };
      });
      tell(change);
    },
    /** Trades whose fee or quote asset has no known value yet, oldest first, at most `limit`. */
    unvalued: async (accountId: string, limit: number): Promise<TradeEntry[]> => {
      const found: TradeEntry[] = [];
      for await (const page of ledgerPages(database, accountId, { kind: 'trade', lacksValue: true }))
        for (const entry of page) {
          if (entry.kind === 'trade') found.push(entry);
          if (found.length === limit) return found;
        }
      return found;
    },
    /** Pairs an account has trades of, with the time of the first and the last and where they came from. */
    symbols: async (accountId: string): Promise<{ symbol: string; first: number; last: number; sources: ReadonlySet<string> }[]> => {
      const rows = await database.queries
        .selectFrom('ledger_entries')
        .select(({ fn }) => ['symbol', 'source', fn.min<number>('at').as('first'), fn.max<number>('at').as('last')])
        .where('account_id', '=', accountId)
        .where('kind', '=', 'trade')
        .where(counts)
        .groupBy(['symbol', 'source'])
        .execute();
      const bySymbol = new Map<string, { symbol: string; first: number; last: number; sources: Set<string> }>();
      for (const { symbol, source, first, last } of rows) {
        if (symbol === null) continue;
        const known = bySymbol.get(symbol) ?? { symbol, first, last, sources: new Set<string>() };
        known.first = Math.min(known.first, first);
        known.last = Math.max(known.last, last);
        known.sources.add(source);
        bySymbol.set(symbol, known);
      }
      return [...bySymbol.values()].sort((one, other) => (one.symbol < other.symbol ? -1 : 1));
    },
    /** 0 for an account nothing was ever written of. */
    version: async (accountId: string): Promise<number> => {
      const row = await database.queries
        .selectFrom('ledger_versions')
        .select('version')
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return row?.version ?? 0;
    },
    /** Called after each write with what it touched. Answers how to stop. */
    onChange: (listener: (change: LedgerChange) => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Of some names those that are taken, and whether it is known: what has such a name must not be written again. */
async function idsAmong(queries: Queries, accountId: string, ids: readonly string[]): Promise<Map<string, boolean>> {
  if (ids.length === 0) return new Map();
  const rows = await queries
    .selectFrom('ledger_entries')
    .select('entry_id')
    .select((e) => e.case().when(isKnown(e)).then(1).else(0).end().as('counts'))
    .where('account_id', '=', accountId)
    .where('entry_id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.entry_id, row.counts === 1]));
}

/** Takes entries away by their names; those that count are noted, where somebody wants to know. */
async function removeIds(queries: Queries, accountId: string, ids: readonly string[], touched?: Touched): Promise<void> {
  for (let start = 0; start < ids.length; start += ROWS) {
    const some = ids.slice(start, start + ROWS);
    if (touched !== undefined) {
      const rows = await queries
        .selectFrom('ledger_entries')
        .selectAll('ledger_entries')
        .where('account_id', '=', accountId)
        .where('entry_id', 'in', some)
        .where(counts)
        .execute();
      for (const row of rows) touched.went(fromRow(row));
    }
    await queries.deleteFrom('ledger_entries').where('account_id', '=', accountId).where('entry_id', 'in', some).execute();
  }
}
