import type { EntrySource, LedgerEntry, TradeEntry, TransferKind } from '@pilotfish/core/positions/ledger-entry';
import { CompiledQuery, type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { yesNo } from '../database/column-types.ts';
import type { Database, Queries } from '../database/database.ts';
import type { Schema } from '../database/migrations.ts';
import type { LedgerTables } from './ledger-tables.ts';

export type LedgerRow = LedgerTables['ledger_entries'];

/** Entries that count: those of no hidden import, and none that gave way to an import that counts. */
export const counts = (e: ExpressionBuilder<Schema, 'ledger_entries'>): Expression<SqlBool> =>
  e.and([
    e.not(
      e.exists(
        e
          .selectFrom('hidden_batches')
          .select('hidden_batches.batch_id')
          .whereRef('hidden_batches.batch_id', '=', 'ledger_entries.batch_id'),
      ),
    ),
    e.or([
      e('ledger_entries.gave_way_to', 'is', null),
      e.exists(
        e
          .selectFrom('hidden_batches')
          .select('hidden_batches.batch_id')
          .whereRef('hidden_batches.batch_id', '=', 'ledger_entries.gave_way_to'),
      ),
    ]),
  ]);

/**
 * What gave way to a swap that the owner of the account entered, for as long as that is not taken back. What gave way to the
 * rows of a file is no such thing: another file is compared with those, and may tell of it otherwise.
 */
const isCarriedOver = (e: ExpressionBuilder<Schema, 'ledger_entries'>): Expression<SqlBool> =>
  e.and([
    e('ledger_entries.gave_way_to', 'is not', null),
    e.exists(
      e
        .selectFrom('ledger_entries as swaps')
        .select('swaps.entry_id')
        .whereRef('swaps.account_id', '=', 'ledger_entries.account_id')
        // Entered by the index of swaps, which are few: an import can have half a million rows to look through for one.
        .where(sql<boolean>`swaps.kind = 'swap'`)
        .where(sql<boolean>`swaps.batch_id || '' = ledger_entries.gave_way_to`)
        .where('swaps.source', '=', 'user'),
    ),
    e.not(
      e.exists(
        e
          .selectFrom('hidden_batches')
          .select('hidden_batches.batch_id')
          .where((h) =>
            h.or([
              h('hidden_batches.batch_id', '=', h.ref('ledger_entries.gave_way_to')),
              h('hidden_batches.batch_id', '=', h.ref('ledger_entries.batch_id')),
            ]),
          ),
      ),
    ),
  ]);

/** A name that must not be written again: what has it counts, or is a side of a swap that counts in its place. */
export const isKnown = (e: ExpressionBuilder<Schema, 'ledger_entries'>): Expression<SqlBool> => e.or([counts(e), isCarriedOver(e)]);

/** Every column, in the order of `cellsOf`, with its type in an array of PostgreSQL. */
const COLUMNS = {
  market: 'text',
  account_id: 'text',
  entry_id: 'text',
  kind: 'text',
  at: 'bigint',
  asset: 'text',
  symbol: 'text',
  quote_asset: 'text',
  side: 'text',
  price: 'text',
  quantity: 'text',
  quote_quantity: 'text',
  fee: 'text',
  fee_asset: 'text',
  fee_in_quote: 'text',
  fee_in_primary: 'text',
  quote_rate: 'text',
  fee_unknown: 'int',
  is_aggregate: 'int',
  trade_id: 'text',
  order_id: 'text',
  transfer: 'text',
  change: 'text',
  cost: 'text',
  cost_estimated: 'int',
  source: 'text',
  batch_id: 'text',
  gave_way_to: 'text',
} as const satisfies Record<keyof LedgerRow | 'market', string>;
const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];

const INTO = `insert into ledger_entries (${NAMES.map((name) => `"${name}"`).join(', ')})`;
/** Rows of one statement on SQLite, where its text is kept prepared: full ones, and single ones for the rest. */
const AT_ONCE = 100;
const PLACES = `(${NAMES.map(() => '?').join(', ')})`;
const MANY = `${INTO} values ${Array.from({ length: AT_ONCE }, () => PLACES).join(', ')} on conflict do nothing`;
const ONE = `${INTO} values ${PLACES} on conflict do nothing`;
const ARRAYS = `${INTO} select * from unnest(${NAMES.map((name, index) => `$${index + 1}::${COLUMNS[name]}[]`).join(', ')}) on conflict do nothing`;

type Cell = string | number | null;
/** Where an entry stands: whose it is, with which import it came, and to which it gave way. */
export type Place = { readonly accountId: string; readonly batchId: string | null; readonly gaveWayTo?: string | null };

/**
 * Writes entries as fast as the database takes them: building a query for each costs several times what writing it
 * does. An entry whose name is taken is left out. Answers how many were written.
 */
export async function insertEntries(
  queries: Queries,
  { dialect, market }: Pick<Database, 'dialect' | 'market'>,
  place: Place,
  entries: readonly LedgerEntry[],
): Promise<number> {
  // Raw statements pass the database's own rule by: the market is a cell like any other.
  const cellsIn = (entry: LedgerEntry): Cell[] => [market, ...cellsOf(place, entry)];
  const run = async (sql: string, parameters: unknown[]) =>
    Number((await queries.executeQuery(CompiledQuery.raw(sql, parameters))).numAffectedRows ?? 0);
  if (entries.length === 0) return 0;
  if (dialect === 'postgres') {
    const columns: Cell[][] = NAMES.map(() => []);
    for (const entry of entries) for (const [index, cell] of cellsIn(entry).entries()) columns[index]?.push(cell);
    return run(ARRAYS, columns);
  }
  let written = 0;
  for (let start = 0; start < entries.length; ) {
    const size = entries.length - start >= AT_ONCE ? AT_ONCE : 1;
    const cells: Cell[] = [];
    for (let index = start; index < start + size; index += 1) cells.push(...cellsIn(entries[index] as LedgerEntry));
    written += await run(size === AT_ONCE ? MANY : ONE, cells);
    start += size;
  }
  return written;
}

/** The cells of an entry in the order of `COLUMNS`, after the market. */
function cellsOf({ accountId, batchId, gaveWayTo = null }: Place, entry: LedgerEntry): Cell[] {
  const { id, kind, at, source } = entry;
  if (entry.kind === 'transfer') {
    const { asset, transfer, change, cost, costEstimated } = entry;
    const noTrade = [null, null, null, null, null, null, null, null, null, null, null, 0, 0, null, null];
    return [accountId, id, kind, at, asset, ...noTrade, transfer, change, cost, yesNo(costEstimated === true), source, batchId, gaveWayTo];
  }
  if (entry.kind === 'swap') {
    const { asset, quantity, fromAsset, fromQuantity } = entry;
    const given = [null, fromAsset, null, null, quantity, fromQuantity, null, null, null, null, null, 0, 0, null, null];
    return [accountId, id, kind, at, asset, ...given, null, null, null, 0, source, batchId, gaveWayTo];
  }
  return [
    accountId,
    id,
    kind,
    at,
    entry.baseAsset,
    entry.symbol,
    entry.quoteAsset,
    entry.side,
    entry.price,
    entry.quantity,
    entry.quoteQuantity,
    entry.fee,
    entry.feeAsset,
    entry.feeInQuote,
    entry.feeInPrimary,
    entry.quoteRate,
    yesNo(entry.feeUnknown === true),
    yesNo(entry.aggregate === true),
    entry.tradeId,
    entry.orderId,
    null,
    null,
    null,
    0,
    source,
    batchId,
    gaveWayTo,
  ];
}

/** A column that is there for every row of its kind. */
const there = (value: string | null): string => {
  if (value === null) throw new RangeError('a ledger row without a value it must have');
  return value;
};

export function fromRow(row: LedgerRow): LedgerEntry {
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
  if (row.kind === 'swap') {
    const given = { fromAsset: there(row.quote_asset), fromQuantity: there(row.quote_quantity) };
    return { kind: 'swap', ...common, ...given, asset: row.asset, quantity: there(row.quantity) };
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
