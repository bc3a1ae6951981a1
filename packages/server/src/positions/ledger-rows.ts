import type { EntrySource, LedgerEntry, TradeEntry, TransferKind } from '@pilotfish/core/positions/ledger-entry';
import { CompiledQuery, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import { yesNo } from '../database/column-types.ts';
import type { Dialect, Queries } from '../database/database.ts';
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

/** Every column with its type in an array of PostgreSQL. */
const COLUMNS = {
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
} as const satisfies Record<keyof LedgerRow, string>;
const NAMES = Object.keys(COLUMNS) as (keyof LedgerRow)[];

const INTO = `insert into ledger_entries (${NAMES.map((name) => `"${name}"`).join(', ')})`;
/** Rows of one statement on SQLite, where its text is kept prepared: full ones, and single ones for the rest. */
const AT_ONCE = 100;
const PLACES = `(${NAMES.map(() => '?').join(', ')})`;
const MANY = `${INTO} values ${Array.from({ length: AT_ONCE }, () => PLACES).join(', ')} on conflict do nothing`;
const ONE = `${INTO} values ${PLACES} on conflict do nothing`;
const ARRAYS = `${INTO} select * from unnest(${NAMES.map((name, index) => `$${index + 1}::${COLUMNS[name]}[]`).join(', ')}) on conflict do nothing`;

/**
 * Writes rows as fast as the database takes them: building a query for each costs several times what writing it does.
 * A row whose name is taken is left out. Answers how many were written.
 */
export async function insertRows(queries: Queries, dialect: Dialect, rows: readonly LedgerRow[]): Promise<number> {
  const run = async (sql: string, parameters: unknown[]) =>
    Number((await queries.executeQuery(CompiledQuery.raw(sql, parameters))).numAffectedRows ?? 0);
  if (rows.length === 0) return 0;
  if (dialect === 'postgres')
    return run(
      ARRAYS,
      NAMES.map((name) => rows.map((row) => row[name])),
    );
  let written = 0;
  for (let start = 0; start < rows.length; ) {
    const size = rows.length - start >= AT_ONCE ? AT_ONCE : 1;
    const values = rows.slice(start, start + size).flatMap((row) => NAMES.map((name) => row[name]));
    written += await run(size === AT_ONCE ? MANY : ONE, values);
    start += size;
  }
  return written;
}

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
  gave_way_to: null,
} as const;

export function toRow(accountId: string, entry: LedgerEntry, batchId: string | null): LedgerRow {
  const common = {
    ...NOTHING,
    account_id: accountId,
    entry_id: entry.id,
    kind: entry.kind,
    at: entry.at,
    source: entry.source,
    batch_id: batchId,
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
