import type { Decimal } from '@pilotfish/core/money/decimal';
import { addFlows, type EntrySource, type LedgerEntry, type TradeEntry, type TransferKind } from '@pilotfish/core/positions/ledger-entry';
import { yesNo } from '../database/column-types.ts';
import type { Database, Queries } from '../database/database.ts';
import { accountTurns } from './account-turns.ts';
import type { LedgerTables } from './ledger-tables.ts';

type Row = LedgerTables['ledger_entries'];

/** Rows per statement: both databases bound the values of one. */
const ROWS = 500;
/** Names read at once. */
const NAMES = 5000;
/** Rows read at once. */
const PAGE = 5000;

export type LedgerChange = {
  readonly accountId: string;
  readonly version: number;
  readonly assets: readonly string[];
  /** Pairs of the trades among what changed. */
  readonly symbols: readonly string[];
  /** By how much what the entries explain of each asset's balance changed. */
  readonly flows: ReadonlyMap<string, Decimal>;
};
export type LedgerStore = ReturnType<typeof ledgerStore>;

/**
 * What moved the assets of each account. An entry has one name in every source, so writing it again changes
 * nothing. Every write is one transaction, and one that changes something raises the account's version.
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
      const touched = new Touched();
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
          for (const entry of fresh) touched.came(entry);
        }
        onStored?.(start + part.length);
        // A long history must not keep the process from answering others.
        await new Promise((resolve) => setImmediate(resolve));
      }
      await within?.(queries);
      const lists = touched.lists();
      // Nothing came and nothing went: whoever has read this version need not read again.
      if (lists.assets.length === 0) await lower(queries, accountId);
      return { added, duplicates, change: { accountId, version, ...lists } };
    });
    if (change.assets.length > 0) tell(change);
    return result;
  }

  /** Takes entries away, by their names or by the import that brought them. Answers how many. */
  async function remove(accountId: string, what: { batchId: string } | { ids: readonly string[] }): Promise<number> {
    const { count, change } = await database.transaction(async (queries) => {
      const version = await raise(queries, accountId);
      const touched = new Touched();
      let removed = 0;
      if ('ids' in what) removed = await removeIds(queries, accountId, what.ids, touched);
      else {
        const rows = await queries
          .deleteFrom('ledger_entries')
          .where('account_id', '=', accountId)
          .where('batch_id', '=', what.batchId)
          .returningAll()
          .execute();
        removed = rows.length;
        for (const row of rows) touched.went(fromRow(row));
      }
      return { count: removed, change: { accountId, version, ...touched.lists() } };
    });
    if (change.assets.length > 0) tell(change);
    return count;
  }

  return {
    append,
    remove,
    /** Runs what first looks at the ledger of an account and then writes to it; others that do so wait for it. */
    inTurn,
    /** Entries in the order of time; of one pair, of some assets, or of a span of time (ends included), if asked. */
    entries: async (
      accountId: string,
      {
        kind,
        symbol,
        assets,
        from,
        to,
      }: { kind?: LedgerEntry['kind']; symbol?: string; assets?: readonly string[]; from?: number; to?: number } = {},
    ): Promise<LedgerEntry[]> => {
      let query = database.queries.selectFrom('ledger_entries').selectAll().where('account_id', '=', accountId);
      if (kind !== undefined) query = query.where('kind', '=', kind);
      if (symbol !== undefined) query = query.where('symbol', '=', symbol);
      if (from !== undefined) query = query.where('at', '>=', from);
      if (to !== undefined) query = query.where('at', '<=', to);
      if (assets !== undefined) {
        if (assets.length === 0) return [];
        query = query.where((e) => e.or([e('asset', 'in', assets), e('quote_asset', 'in', assets), e('fee_asset', 'in', assets)]));
      }
      return (await query.orderBy('at').orderBy('entry_id').execute()).map(fromRow);
    },
    /** All entries in the order of time, read in pages, so that others have their turn between two of them. */
    allEntries: async (accountId: string): Promise<LedgerEntry[]> => {
      const all: LedgerEntry[] = [];
      for (let last: { at: number; id: string } | undefined; ; last = all.at(-1)) {
        let query = database.queries.selectFrom('ledger_entries').selectAll().where('account_id', '=', accountId);
        if (last !== undefined) {
          const { at, id } = last;
          query = query.where((e) => e.or([e('at', '>', at), e.and([e('at', '=', at), e('entry_id', '>', id)])]));
        }
        const rows = await query.orderBy('at').orderBy('entry_id').limit(PAGE).execute();
        for (const row of rows) all.push(fromRow(row));
        if (rows.length < PAGE) return all;
        await new Promise((done) => setImmediate(done));
      }
    },
    /** Names of the entries of a span of time (ends included), read page by page. */
    names: async (accountId: string, { from, to }: { from: number; to: number }): Promise<Set<string>> => {
      const names = new Set<string>();
      for (let after = { at: from, id: '' }; ; ) {
        const { at, id } = after;
        const rows = await database.queries
          .selectFrom('ledger_entries')
          .select(['at', 'entry_id'])
          .where('account_id', '=', accountId)
          .where('at', '<=', to)
          .where((e) => e.or([e('at', '>', at), e.and([e('at', '=', at), e('entry_id', '>', id)])]))
          .orderBy('at')
          .orderBy('entry_id')
          .limit(NAMES)
          .execute();
        for (const row of rows) names.add(row.entry_id);
        const last = rows.at(-1);
        if (last === undefined || rows.length < NAMES) return names;
        after = { at: last.at, id: last.entry_id };
        await new Promise((resolve) => setImmediate(resolve));
      }
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
      const rows = await database.queries
        .selectFrom('ledger_entries')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('kind', '=', 'trade')
        .where((e) =>
          e.or([
            e('quote_rate', 'is', null),
            e.and([
              e.or([e('fee_in_quote', 'is', null), e('fee_in_primary', 'is', null)]),
              e('fee', '<>', '0'),
              e('fee_asset', '<>', e.ref('asset')),
              e('fee_asset', '<>', e.ref('quote_asset')),
            ]),
          ]),
        )
        .orderBy('at')
        .orderBy('entry_id')
        .limit(limit)
        .execute();
      return rows.map(fromRow).filter((entry) => entry.kind === 'trade');
    },
    /** Pairs an account has trades of, with the time of the first and the last and where they came from. */
    symbols: async (accountId: string): Promise<{ symbol: string; first: number; last: number; sources: ReadonlySet<string> }[]> => {
      const rows = await database.queries
        .selectFrom('ledger_entries')
        .select(({ fn }) => ['symbol', 'source', fn.min<number>('at').as('first'), fn.max<number>('at').as('last')])
        .where('account_id', '=', accountId)
        .where('kind', '=', 'trade')
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

/** What a write changed the positions of. */
class Touched {
  private readonly assets = new Set<string>();
  private readonly symbols = new Set<string>();
  private readonly flows = new Map<string, Decimal>();

  came(entry: LedgerEntry): void {
    this.changed(entry);
    addFlows(this.flows, entry);
  }
  went(entry: LedgerEntry): void {
    this.changed(entry);
    addFlows(this.flows, entry, -1);
  }
  changed(entry: LedgerEntry): void {
    for (const asset of assetsOf(entry)) this.assets.add(asset);
    if (entry.kind === 'trade') this.symbols.add(entry.symbol);
  }
  lists(): Pick<LedgerChange, 'assets' | 'symbols' | 'flows'> {
    return { assets: [...this.assets], symbols: [...this.symbols], flows: this.flows };
  }
}

async function removeIds(queries: Queries, accountId: string, ids: readonly string[], touched: Touched): Promise<number> {
  let removed = 0;
  for (let start = 0; start < ids.length; start += ROWS) {
    const rows = await queries
      .deleteFrom('ledger_entries')
      .where('account_id', '=', accountId)
      .where('entry_id', 'in', ids.slice(start, start + ROWS))
      .returningAll()
      .execute();
    removed += rows.length;
    for (const row of rows) touched.went(fromRow(row));
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
