import type { LedgerEntry } from '@pilotfish/core/positions/ledger-entry';
import { sql } from 'kysely';
import type { Database, Queries } from '../database/database.ts';
import { Touched } from './ledger-change.ts';
import { ledgerPages } from './ledger-pages.ts';
import { fromRow, insertEntries, isKnown, type LedgerRow } from './ledger-rows.ts';

/** Entries of one transaction: whoever else wants to write, such as a bot, waits no longer than for these. */
const STEP = 500;

/** An entry that gave way to an import, and the import it came with itself; null for what came without one. */
export type GaveWay = { readonly entry: LedgerEntry; readonly batchId: string | null };

/** An import while it is written. */
export type BatchWriter = {
  /** Writes entries nobody sees yet; each name once over all calls. Answers the names that were taken already. */
  add(entries: readonly LedgerEntry[]): Promise<string[]>;
  /** Entries that will not count for as long as this import does. */
  replace(entries: readonly LedgerEntry[]): Promise<void>;
  /** Entries that had given way to something that gives way to this import, and count again with it. */
  free(entries: readonly LedgerEntry[]): void;
  /** From now on it counts, all of it at once. */
  commit(within: (queries: Queries) => Promise<void>): Promise<void>;
  /** Leaves nothing of it. Called when it was not committed. */
  discard(): Promise<void>;
};

export type LedgerBatches = ReturnType<typeof ledgerBatches>;

/**
 * Many entries that come and go together. They are written in small transactions under a batch that is hidden and
 * begin to count when one row is taken away, so that no other writer waits long and a stop in between leaves nothing
 * that anybody sees. Callers hold the account's turn, for `sweep` excepted.
 */
export function ledgerBatches(
  database: Database,
  {
    raise,
    tell,
  }: {
    raise: (queries: Queries, accountId: string) => Promise<number>;
    tell: (accountId: string, version: number, touched: Touched) => void;
  },
) {
  const writing = new Set<string>();
  const sweeping = new Map<string, Promise<void>>();
  let stopped = false;

  /** One small transaction after the other, others in between, until one has nothing to do. */
  async function steps(work: (queries: Queries) => Promise<number>): Promise<void> {
    while (!stopped) {
      const done = await database.transaction(work);
      if (done === 0) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  const some = (queries: Queries, accountId: string, column: 'batch_id' | 'gave_way_to', batchId: string) =>
    queries.selectFrom('ledger_entries').select('entry_id').where('account_id', '=', accountId).where(column, '=', batchId).limit(STEP);

  async function removeHidden(accountId: string, batchId: string): Promise<void> {
    await steps(async (queries) => {
      const ids = (await some(queries, accountId, 'gave_way_to', batchId).execute()).map((row) => row.entry_id);
      if (ids.length > 0)
        await queries
          .updateTable('ledger_entries')
          .set({ gave_way_to: null })
          .where('account_id', '=', accountId)
          .where('gave_way_to', '=', batchId)
          .where('entry_id', 'in', ids)
          .execute();
      return ids.length;
    });
    await steps(async (queries) => {
      const ids = (await some(queries, accountId, 'batch_id', batchId).execute()).map((row) => row.entry_id);
      if (ids.length > 0)
        await queries
          .deleteFrom('ledger_entries')
          .where('account_id', '=', accountId)
          // Entered by the names: by the batch it would look through the whole of it for every step.
          .where(sql<string>`batch_id || ''`, '=', batchId)
          .where('entry_id', 'in', ids)
          .execute();
      return ids.length;
    });
    // Stopped half-way, it stays hidden and goes at the next start.
    if (!stopped) await database.queries.deleteFrom('hidden_batches').where('batch_id', '=', batchId).execute();
  }

  /** Removes what was left of imports that were taken back, or never finished; of one account or of all. */
  async function sweep(accountId?: string): Promise<void> {
    let query = database.queries.selectFrom('hidden_batches').selectAll();
    if (accountId !== undefined) query = query.where('account_id', '=', accountId);
    for (const batch of await query.orderBy('batch_id').execute()) {
      if (stopped || writing.has(batch.batch_id)) continue;
      const known = sweeping.get(batch.batch_id);
      const work = known ?? removeHidden(batch.account_id, batch.batch_id).finally(() => sweeping.delete(batch.batch_id));
      sweeping.set(batch.batch_id, work);
      await work;
    }
  }

  /** Writes a part of an import. Names that do not count are taken over; those that do are answered. */
  async function addPart(accountId: string, batchId: string, part: readonly LedgerEntry[]): Promise<string[]> {
    const place = { accountId, batchId };
    return database.transaction(async (queries) => {
      if ((await insertEntries(queries, database, place, part)) === part.length) return [];
      const ids = part.map(({ id }) => id);
      const found = (column: boolean) => {
        const query = queries
          .selectFrom('ledger_entries')
          .select('entry_id')
          .where('account_id', '=', accountId)
          .where('entry_id', 'in', ids)
          .where((e) => e.or([e('batch_id', 'is', null), e('batch_id', '<>', batchId)]));
        return query.where((e) => (column ? isKnown(e) : e.not(isKnown(e)))).execute();
      };
      const unseen = new Set((await found(false)).map((row) => row.entry_id));
      if (unseen.size > 0) {
        await queries
          .deleteFrom('ledger_entries')
          .where('account_id', '=', accountId)
          .where('entry_id', 'in', [...unseen])
          .execute();
        await insertEntries(
          queries,
          database,
          place,
          part.filter(({ id }) => unseen.has(id)),
        );
      }
      return (await found(true)).map((row) => row.entry_id);
    });
  }

  /** Of each entry the import it came with, null without one. */
  async function batchesOf(accountId: string, ids: readonly string[]): Promise<Map<string, string | null>> {
    const batches = new Map<string, string | null>();
    for (let start = 0; start < ids.length; start += STEP) {
      const rows = await database.queries
        .selectFrom('ledger_entries')
        .select(['entry_id', 'batch_id'])
        .where('account_id', '=', accountId)
        .where('entry_id', 'in', ids.slice(start, start + STEP))
        .execute();
      for (const row of rows) batches.set(row.entry_id, row.batch_id);
    }
    return batches;
  }

  /** Entries that gave way to an import and are nowhere else; names that are there stay as they are. */
  async function keepGaveWay(accountId: string, batchId: string, entries: readonly GaveWay[]): Promise<void> {
    for (const owner of new Set(entries.map((each) => each.batchId))) {
      const own = entries.filter((each) => each.batchId === owner).map(({ entry }) => entry);
      for (let start = 0; start < own.length; start += STEP)
        await insertEntries(database.queries, database, { accountId, batchId: owner, gaveWayTo: batchId }, own.slice(start, start + STEP));
    }
  }

  return {
    sweep,
    /** Ends sweeping after its present step. */
    stop: async (): Promise<void> => {
      stopped = true;
      await Promise.allSettled(sweeping.values());
    },
    open: async (accountId: string, batchId: string): Promise<BatchWriter> => {
      // What an import before left behind may have the names of this one.
      await sweep(accountId);
      writing.add(batchId);
      await database.queries.insertInto('hidden_batches').values({ batch_id: batchId, account_id: accountId }).execute();
      const touched = new Touched();
      const freed: LedgerEntry[] = [];
      return {
        add: async (entries) => {
          const taken: string[] = [];
          for (let start = 0; start < entries.length; start += STEP) {
            const part = entries.slice(start, start + STEP);
            const duplicates = new Set(await addPart(accountId, batchId, part));
            for (const entry of part) if (!duplicates.has(entry.id)) touched.came(entry);
            taken.push(...duplicates);
            await new Promise((resolve) => setImmediate(resolve));
          }
          return taken;
        },
        replace: async (entries) => {
          for (let start = 0; start < entries.length; start += STEP) {
            const part = entries.slice(start, start + STEP);
            await giveWay(database.queries, accountId, part, batchId);
            for (const entry of part) touched.went(entry);
            await new Promise((resolve) => setImmediate(resolve));
          }
        },
        free: (entries) => {
          freed.push(...entries);
          for (const entry of entries) touched.came(entry);
        },
        commit: async (within) => {
          const version = await database.transaction(async (queries) => {
            const next = touched.isEmpty ? 0 : await raise(queries, accountId);
            await queries.deleteFrom('hidden_batches').where('batch_id', '=', batchId).execute();
            const ids = freed.map(({ id }) => id);
            if (ids.length > 0)
              await queries
                .updateTable('ledger_entries')
                .set({ gave_way_to: null })
                .where('account_id', '=', accountId)
                .where('entry_id', 'in', ids)
                .execute();
            await within(queries);
            return next;
          });
          writing.delete(batchId);
          if (!touched.isEmpty) tell(accountId, version, touched);
        },
        discard: async () => {
          writing.delete(batchId);
          await sweep(accountId);
        },
      };
    },
    /** What gave way to an import and would count again without it. */
    gaveWayTo: async (accountId: string, batchId: string): Promise<GaveWay[]> => {
      const found: GaveWay[] = [];
      for await (const rows of gaveWay(database, accountId, batchId))
        for (const row of rows) found.push({ entry: fromRow(row), batchId: row.batch_id });
      return found;
    },
    keepGaveWay,
    /** What an import tells of and swaps tell of already, by the names of those: it counts once they are taken back. */
    keepBeside: async (accountId: string, batchId: string, beside: ReadonlyMap<string, readonly LedgerEntry[]>): Promise<void> => {
      const batches = await batchesOf(accountId, [...beside.keys()]);
      for (const [swap, entries] of beside) {
        const to = batches.get(swap);
        if (to != null)
          await keepGaveWay(
            accountId,
            to,
            entries.map((entry) => ({ entry, batchId })),
          );
      }
    },
    batchesOf,
    /** By the names of the swaps among some entries that their owner told of: what has given way to them. */
    givenSides: async (accountId: string, entries: readonly LedgerEntry[]): Promise<Map<string, LedgerEntry[]>> => {
      const swaps = entries.filter(({ kind, source }) => kind === 'swap' && source === 'user').map(({ id }) => id);
      const sides = new Map<string, LedgerEntry[]>();
      for (const [id, batchId] of await batchesOf(accountId, swaps)) {
        const own: LedgerEntry[] = [];
        if (batchId !== null) for await (const rows of gaveWay(database, accountId, batchId)) own.push(...rows.map(fromRow));
        sides.set(id, own);
      }
      return sides;
    },
    /**
     * Hides an import, and with that brings back what gave way to it, in one short transaction. What is `settled`
     * does not return: it gives way to another import, or, to none, is gone. What `yields` stops counting because
     * something better returns. The entries themselves go afterwards, step by step.
     */
    takeBack: async (
      accountId: string,
      batchId: string,
      more: {
        readonly returning: readonly LedgerEntry[];
        readonly settled: ReadonlyMap<string | null, readonly LedgerEntry[]>;
        readonly yields: ReadonlyMap<string | null, readonly LedgerEntry[]>;
        readonly within: (queries: Queries) => Promise<void>;
      },
    ): Promise<void> => {
      const { returning, settled, yields, within } = more;
      const touched = new Touched();
      for await (const entries of ledgerPages(database, accountId, { batch: batchId })) for (const entry of entries) touched.went(entry);
      for (const entry of returning) touched.came(entry);
      for (const [to, entries] of settled)
        for (let start = 0; start < entries.length; start += STEP)
          await giveWay(database.queries, accountId, entries.slice(start, start + STEP), to);
      const version = await database.transaction(async (queries) => {
        const next = touched.isEmpty ? 0 : await raise(queries, accountId);
        await queries.insertInto('hidden_batches').values({ batch_id: batchId, account_id: accountId }).execute();
        for (const [to, entries] of yields) {
          for (let start = 0; start < entries.length; start += STEP)
            await giveWay(queries, accountId, entries.slice(start, start + STEP), to);
          for (const entry of entries) touched.went(entry);
        }
        await within(queries);
        return next;
      });
      if (!touched.isEmpty) tell(accountId, version, touched);
    },
  };
}

/** Entries give way to an import for as long as it counts; to none, they go for good. */
async function giveWay(queries: Queries, accountId: string, entries: readonly LedgerEntry[], to: string | null): Promise<void> {
  const ids = entries.map(({ id }) => id);
  if (ids.length === 0) return;
  if (to === null) await queries.deleteFrom('ledger_entries').where('account_id', '=', accountId).where('entry_id', 'in', ids).execute();
  else
    await queries
      .updateTable('ledger_entries')
      .set({ gave_way_to: to })
      .where('account_id', '=', accountId)
      .where('entry_id', 'in', ids)
      .execute();
}

/** What gave way to an import and is of no hidden import itself, page by page in the order of its names. */
async function* gaveWay(database: Database, accountId: string, batchId: string): AsyncGenerator<LedgerRow[]> {
  for (let after = ''; ; ) {
    const rows = await database.queries
      .selectFrom('ledger_entries')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('gave_way_to', '=', batchId)
      .where('entry_id', '>', after)
      .where((e) =>
        e.not(
          e.exists(
            e
              .selectFrom('hidden_batches')
              .select('hidden_batches.batch_id')
              .whereRef('hidden_batches.batch_id', '=', 'ledger_entries.batch_id'),
          ),
        ),
      )
      .orderBy('entry_id')
      .limit(STEP)
      .execute();
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < STEP) return;
    after = last.entry_id;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
