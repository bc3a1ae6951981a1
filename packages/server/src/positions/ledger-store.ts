import type { EntrySource, LedgerEntry, TradeEntry, TransferKind } from '@pilotfish/core/positions/ledger-entry';
import { yesNo } from '../database/column-types.ts';
import type { Database, Queries } from '../database/database.ts';
import type { LedgerTables } from './ledger-tables.ts';

type Row = LedgerTables['ledger_entries'];

/** Rows per statement: both databases bound the values of one. */
const ROWS = 500;

export type LedgerChange = { readonly accountId: string; readonly version: number; readonly assets: readonly string[] };
export type LedgerStore = ReturnType<typeof ledgerStore>;

/**
 * What moved the assets of each account. An entry has one name in every source, so writing it again changes
 * nothing. Every write is one transaction and raises the account's version.
 */
export function ledgerStore(database: Database) {
  const listeners = new Set<(change: LedgerChange) => void>();
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

  /**
   * Adds what is not there yet and takes away what gives way to it, all or nothing.
   * `duplicates` are the names that were there before.
   */
  async function append(
    accountId: string,
    entries: readonly LedgerEntry[],
    more: {
      batchId?: string;
      replaces?: readonly string[];
      onStored?: (done: number) => void;
      within?: (queries: Queries) => Promise<void>;
    } = {},
  ): Promise<{ added: number; duplicates: string[] }> {
    const { batchId, replaces = [], onStored, within } = more;
    const { change, ...result } = await database.transaction(async (queries) => {
      // The version first: it locks the account's ledger, so that two writers come one after the other.
      const version = await raise(queries, accountId);
      const touched = new Set<string>();
      await removeIds(queries, accountId, replaces, touched);
      const duplicates: string[] = [];
      let added = 0;
      for (let start = 0; start < entries.length; start += ROWS) {
        const part = entries.slice(start, start + ROWS);
        const known = new Set(await idsAmong(queries, accountId, part));
        const fresh = part.filter(({ id }) => {
          if (!known.has(id)) {
            known.add(id);
            return true;
          }
          duplicates.push(id);
          return false;
        });
        if (fresh.length > 0) {
          await queries
            .insertInto('ledger_entries')
            .values(fresh.map((entry) => toRow(accountId, entry, batchId)))
            .execute();
          added += fresh.length;
          for (const entry of fresh) for (const asset of assetsOf(entry)) touched.add(asset);
        }
        onStored?.(start + part.length);
      }
      await within?.(queries);
      return { added, duplicates, change: { accountId, version, assets: [...touched] } };
    });
    if (change.assets.length > 0) tell(change);
    return result;
  }

  /** Takes entries away, by their names or by the import that brought them. Answers how many. */
  async function remove(accountId: string, what: { batchId: string } | { ids: readonly string[] }): Promise<number> {
    const { count, change } = await database.transaction(async (queries) => {
      const version = await raise(queries, accountId);
      const touched = new Set<string>();
      let removed = 0;
      if ('ids' in what) removed = await removeIds(queries, accountId, what.ids, touched);
      else {
        const rows = await queries
          .deleteFrom('ledger_entries')
          .where('account_id', '=', accountId)
          .where('batch_id', '=', what.batchId)
          .returning(['asset', 'quote_asset', 'fee_asset'])
          .execute();
        removed = rows.length;
        for (const row of rows) for (const asset of [row.asset, row.quote_asset, row.fee_asset]) if (asset !== null) touched.add(asset);
      }
      return { count: removed, change: { accountId, version, assets: [...touched] } };
    });
    if (change.assets.length > 0) tell(change);
    return count;
  }

  return {
    append,
    remove,
    /** Entries in the order of time; of one pair, of some assets, or of a span of time (ends included), if asked. */
    entries: async (
      accountId: string,
      { symbol, assets, from, to }: { symbol?: string; assets?: readonly string[]; from?: number; to?: number } = {},
    ): Promise<LedgerEntry[]> => {
      let query = database.queries.selectFrom('ledger_entries').selectAll().where('account_id', '=', accountId);
      if (symbol !== undefined) query = query.where('symbol', '=', symbol);
      if (from !== undefined) query = query.where('at', '>=', from);
      if (to !== undefined) query = query.where('at', '<=', to);
      if (assets !== undefined) {
        if (assets.length === 0) return [];
        query = query.where(({ or, eb }) =>
          or([eb('asset', 'in', assets), eb('quote_asset', 'in', assets), eb('fee_asset', 'in', assets)]),
        );
      }
      return (await query.orderBy('at').orderBy('entry_id').execute()).map(fromRow);
    },
    /** Values that were not known when the entry was written; anything else of an entry never changes. */
    revalue: async (
      accountId: string,
      values: readonly Pick<TradeEntry, 'id' | 'feeInQuote' | 'feeInPrimary' | 'quoteRate'>[],
    ): Promise<void> => {
      if (values.length === 0) return;
      const change = await database.transaction(async (queries) => {
        const version = await raise(queries, accountId);
        const touched = new Set<string>();
        for (const { id, feeInQuote, feeInPrimary, quoteRate } of values) {
          const row = await queries
            .updateTable('ledger_entries')
            .set({ fee_in_quote: feeInQuote, fee_in_primary: feeInPrimary, quote_rate: quoteRate })
            .where('account_id', '=', accountId)
            .where('entry_id', '=', id)
            .returning(['asset', 'quote_asset', 'fee_asset'])
            .executeTakeFirst();
          for (const asset of [row?.asset, row?.quote_asset, row?.fee_asset]) if (asset) touched.add(asset);
        }
        return { accountId, version, assets: [...touched] };
      });
      tell(change);
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

async function idsAmong(queries: Queries, accountId: string, entries: readonly LedgerEntry[]): Promise<string[]> {
  const rows = await queries
    .selectFrom('ledger_entries')
    .select('entry_id')
    .where('account_id', '=', accountId)
    .where(
      'entry_id',
      'in',
      entries.map(({ id }) => id),
    )
    .execute();
  return rows.map((row) => row.entry_id);
}

async function removeIds(queries: Queries, accountId: string, ids: readonly string[], touched: Set<string>): Promise<number> {
  let removed = 0;
  for (let start = 0; start < ids.length; start += ROWS) {
    const rows = await queries
      .deleteFrom('ledger_entries')
      .where('account_id', '=', accountId)
      .where('entry_id', 'in', ids.slice(start, start + ROWS))
      .returning(['asset', 'quote_asset', 'fee_asset'])
      .execute();
    removed += rows.length;
    for (const row of rows) for (const asset of [row.asset, row.quote_asset, row.fee_asset]) if (asset !== null) touched.add(asset);
  }
  return removed;
}

/** Every asset whose positions an entry can change. */
export const assetsOf = (entry: LedgerEntry): readonly string[] =>
  entry.kind === 'transfer' ? [entry.asset] : [entry.baseAsset, entry.quoteAsset, entry.feeAsset];

const NOTHING = {
  symbol: null,
  quote_asset: null,
  side: null,
  price: null,
  quantity: null,
  quote_quantity: null,
  fee: null,
  fee_asset: null,
  fee_in_quote: null,
  fee_in_primary: null,
  quote_rate: null,
  fee_unknown: 0,
  is_aggregate: 0,
  trade_id: null,
  order_id: null,
  transfer: null,
  change: null,
  cost: null,
  cost_estimated: 0,
} as const;

function toRow(accountId: string, entry: LedgerEntry, batchId: string | undefined): Row {
  const common = {
    ...NOTHING,
    account_id: accountId,
    entry_id: entry.id,
    kind: entry.kind,
    at: entry.at,
    source: entry.source,
    batch_id: batchId ?? null,
  };
  if (entry.kind === 'transfer') {
    const { asset, transfer, change, cost, costEstimated } = entry;
    return { ...common, asset, transfer, change, cost, cost_estimated: yesNo(costEstimated === true) };
  }
  return {
    ...common,
    asset: entry.baseAsset,
    symbol: entry.symbol,
    quote_asset: entry.quoteAsset,
    side: entry.side,
    price: entry.price,
    quantity: entry.quantity,
    quote_quantity: entry.quoteQuantity,
    fee: entry.fee,
    fee_asset: entry.feeAsset,
    fee_in_quote: entry.feeInQuote,
    fee_in_primary: entry.feeInPrimary,
    quote_rate: entry.quoteRate,
    fee_unknown: yesNo(entry.feeUnknown === true),
    is_aggregate: yesNo(entry.aggregate === true),
    trade_id: entry.tradeId,
    order_id: entry.orderId,
  };
}

/** A column that is there for every row of its kind. */
const there = (value: string | null): string => {
  if (value === null) throw new Error('a ledger row without a value it must have');
  return value;
};

function fromRow(row: Row): LedgerEntry {
  const common = { id: row.entry_id, at: row.at, source: row.source as EntrySource };
  if (row.kind === 'transfer') {
    return {
      kind: 'transfer',
      ...common,
      asset: row.asset,
      change: there(row.change),
      transfer: there(row.transfer) as TransferKind,
      cost: row.cost,
      ...(row.cost_estimated ? { costEstimated: true } : {}),
    };
  }
  return {
    kind: 'trade',
    ...common,
    symbol: there(row.symbol),
    baseAsset: row.asset,
    quoteAsset: there(row.quote_asset),
    side: there(row.side) as TradeEntry['side'],
    price: there(row.price),
    quantity: there(row.quantity),
    quoteQuantity: there(row.quote_quantity),
    fee: there(row.fee),
    feeAsset: there(row.fee_asset),
    tradeId: row.trade_id,
    orderId: row.order_id,
    feeInQuote: row.fee_in_quote,
    feeInPrimary: row.fee_in_primary,
    quoteRate: row.quote_rate,
    ...(row.fee_unknown ? { feeUnknown: true } : {}),
    ...(row.is_aggregate ? { aggregate: true } : {}),
  };
}
