import type { LedgerEntry } from '@pilotfish/core/positions/ledger-entry';
import { CASH_ASSETS } from '@pilotfish/core/trade-import/known-pairs';
import type { Database } from '../database/database.ts';
import { counts, fromRow } from './ledger-rows.ts';

/** Rows looked through before others have their turn: fewer where every one of them is read. */
const READ_AT_ONCE = 1000;
const LOOKED_THROUGH = 4000;

/** Which entries of an account are wanted; without anything all of them. Both ends of a span of time are included. */
export type LedgerFilter = {
  readonly kind?: LedgerEntry['kind'];
  readonly symbol?: string;
  /** Entries that touch one of them, as base, quote or fee; money (`CASH_ASSETS`) only where it is bought, sold or sent. */
  readonly assets?: readonly string[];
  readonly from?: number;
  readonly to?: number;
  /** Trades whose fee or quote asset has no known value yet. */
  readonly lacksValue?: true;
  /** An import whose entries alone are wanted, or are left out. */
  readonly batch?: string;
  readonly exceptBatch?: string;
};

/** A place in the order of time: after it, or up to it. */
type Place = { readonly at: number; readonly entry_id: string };

const others = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * The entries of an account that count, in the order of time, a page at a time: no length of a history keeps the
 * process from its other work. Every page is of its own moment; whoever needs one moment compares versions.
 */
export async function* ledgerPages(database: Database, accountId: string, filter: LedgerFilter = {}): AsyncGenerator<LedgerEntry[]> {
  const { kind, symbol, assets, from, to, lacksValue, batch, exceptBatch } = filter;
  if (assets?.length === 0) return;
  // What money pays for changes no position of it; nearly every entry would be read for it.
  const paying = (assets ?? []).filter((asset) => !CASH_ASSETS.has(asset));
  const isSparse = kind !== undefined || symbol !== undefined || assets !== undefined || batch !== undefined;
  const inTime = (after: Place | undefined) => {
    let query = database.queries.selectFrom('ledger_entries').where('ledger_entries.account_id', '=', accountId);
    if (from !== undefined && (after === undefined || after.at < from)) query = query.where('at', '>=', from);
    if (to !== undefined) query = query.where('at', '<=', to);
    // Both conditions on the time: the first is what an index can be entered by.
    if (after !== undefined)
      query = query.where('at', '>=', after.at).where((e) => e.or([e('at', '>', after.at), e('entry_id', '>', after.entry_id)]));
    return query;
  };
  for (let after: Place | undefined; ; await others()) {
    // Stretch by stretch, whatever is wanted of it: one search for the next thousand can go through all of a history.
    const end: Place | undefined = await inTime(after)
      .select(['at', 'entry_id'])
      .orderBy('at')
      .orderBy('entry_id')
      .offset((isSparse ? LOOKED_THROUGH : READ_AT_ONCE) - 1)
      .limit(1)
      .executeTakeFirst();
    let query = inTime(after).selectAll('ledger_entries').where(counts);
    if (end !== undefined)
      query = query.where('at', '<=', end.at).where((e) => e.or([e('at', '<', end.at), e('entry_id', '<=', end.entry_id)]));
    if (kind !== undefined) query = query.where('kind', '=', kind);
    if (symbol !== undefined) query = query.where('symbol', '=', symbol);
    if (batch !== undefined) query = query.where('batch_id', '=', batch);
    if (exceptBatch !== undefined) query = query.where((e) => e.or([e('batch_id', 'is', null), e('batch_id', '<>', exceptBatch)]));
    if (assets !== undefined)
      query = query.where((e) =>
        paying.length === 0
          ? e('asset', 'in', assets)
          : e.or([e('asset', 'in', assets), e('quote_asset', 'in', paying), e('fee_asset', 'in', paying)]),
      );
    if (lacksValue)
      query = query.where((e) =>
        e.or([
          e('quote_rate', 'is', null),
          e.and([
            e.or([e('fee_in_quote', 'is', null), e('fee_in_primary', 'is', null)]),
            e('fee', '<>', '0'),
            e('fee_asset', '<>', e.ref('asset')),
            e('fee_asset', '<>', e.ref('quote_asset')),
          ]),
        ]),
      );
    const rows = await query.orderBy('at').orderBy('entry_id').execute();
    if (rows.length > 0) yield rows.map(fromRow);
    if (end === undefined) return;
    after = end;
  }
}
