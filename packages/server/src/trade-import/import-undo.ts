import type { LedgerEntry } from '@pilotfish/core/positions/ledger-entry';
import { crossDuplicateSteps } from '@pilotfish/core/trade-import/cross-duplicates';
import type { Database } from '../database/database.ts';
import type { GaveWay } from '../positions/ledger-batches.ts';
import type { LedgerStore } from '../positions/ledger-store.ts';
import { breathe } from './csv-rows.ts';
import { AROUND_MS } from './import-comparison.ts';

/**
 * Takes an import back: what it brought counts no more, and what had given way to it counts again, but for what
 * something better has told of since. Called in the account's turn. Answers false when there is no such import.
 */
export async function undoImport(database: Database, store: LedgerStore, accountId: string, batchId: string): Promise<boolean> {
  const { batches } = store;
  const found = await database.queries
    .selectFrom('import_batches')
    .select('replaced')
    .where('account_id', '=', accountId)
    .where('id', '=', batchId)
    .executeTakeFirst();
  if (found === undefined) return false;
  await keepOldForm(database, store, accountId, batchId, JSON.parse(found.replaced) as GaveWay[]);

  const gaveWay = await batches.gaveWayTo(accountId, batchId);
  const { returning, settled, yields } = await whatReturns(store, accountId, batchId, gaveWay);
  await batches.takeBack(accountId, batchId, {
    returning,
    settled,
    yields,
    within: async (queries) => {
      await queries.deleteFrom('import_batches').where('account_id', '=', accountId).where('id', '=', batchId).execute();
    },
  });
  return true;
}

type ByBatch = Map<string | null, LedgerEntry[]>;

async function whatReturns(
  store: LedgerStore,
  accountId: string,
  batchId: string,
  gaveWay: readonly GaveWay[],
): Promise<{ returning: readonly LedgerEntry[]; settled: ByBatch; yields: ByBatch }> {
  const settled: ByBatch = new Map();
  const yields: ByBatch = new Map();
  if (gaveWay.length === 0) return { returning: [], settled, yields };
  const entries = gaveWay.map(({ entry }) => entry);
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { at } of entries) [from, to] = [Math.min(from, at), Math.max(to, at)];
  const around = await store.entries(accountId, { from: from - AROUND_MS, to: to + AROUND_MS, exceptBatch: batchId });
  const steps = crossDuplicateSteps(entries, around, await store.batches.givenSides(accountId, around));
  let step = steps.next();
  for (; !step.done; step = steps.next()) await breathe();
  const { known, replaced, tellers } = step.value;
  // Whoever tells of it may give way to somebody else in turn: the last one counts.
  const tellerOf = (id: string): string => {
    let teller = tellers.get(id) ?? id;
    for (let next = tellers.get(teller); next !== undefined && next !== id; next = tellers.get(teller)) teller = next;
    return teller;
  };
  const batchOf = await store.batches.batchesOf(accountId, [...new Set([...known, ...replaced].map(tellerOf))]);
  const put = (lists: ByBatch, entry: LedgerEntry) => {
    const teller = batchOf.get(tellerOf(entry.id)) ?? null;
    const list = lists.get(teller);
    if (list) list.push(entry);
    else lists.set(teller, [entry]);
  };
  for (const entry of entries) if (known.has(entry.id)) put(settled, entry);
  const gone = new Set(replaced);
  for (const entry of around) if (gone.has(entry.id)) put(yields, entry);
  return { returning: entries.filter(({ id }) => !known.has(id)), settled, yields };
}

/** Imports of earlier versions kept what gave way to them beside the ledger: it is put where it is now looked for. */
async function keepOldForm(
  database: Database,
  store: LedgerStore,
  accountId: string,
  batchId: string,
  replaced: readonly GaveWay[],
): Promise<void> {
  if (replaced.length === 0) return;
  const alive = await database.queries.selectFrom('import_batches').select('id').where('account_id', '=', accountId).execute();
  const ids = new Set<string | null>([null, ...alive.map(({ id }) => id)]);
  // What came with an import that was undone since stays away.
  await store.batches.keepGaveWay(
    accountId,
    batchId,
    replaced.flatMap(({ entry, batchId: owner }) => {
      const id = entry.id.replace(/^([a-z-]+:)(?=[0-9a-f]{32}:)/, `$1${entry.at}:`);
      return ids.has(owner) ? [{ entry: { ...entry, id }, batchId: owner }] : [];
    }),
  );
  await database.queries.updateTable('import_batches').set({ replaced: '[]' }).where('id', '=', batchId).execute();
}
