import type { Migration } from 'kysely';
import { COUNT, DECIMAL, ID, TEXT, TIME, YES_NO, type YesNo } from '../database/column-types.ts';

export type LedgerTables = {
  /** Everything that moved an asset of an account, once. `entry_id` is the name it has in every source. */
  ledger_entries: {
    account_id: string;
    entry_id: string;
    kind: 'trade' | 'transfer';
    at: number;
    /** Base asset of a trade, asset of a transfer. */
    asset: string;
    symbol: string | null;
    quote_asset: string | null;
    side: 'Buy' | 'Sell' | null;
    price: string | null;
    quantity: string | null;
    quote_quantity: string | null;
    fee: string | null;
    fee_asset: string | null;
    fee_in_quote: string | null;
    fee_in_primary: string | null;
    quote_rate: string | null;
    fee_unknown: YesNo;
    is_aggregate: YesNo;
    trade_id: string | null;
    order_id: string | null;
    transfer: string | null;
    change: string | null;
    cost: string | null;
    cost_estimated: YesNo;
    source: string;
    /** The import that brought it; null for what the exchange told. */
    batch_id: string | null;
  };
  /** Grows with every change of an account's ledger. */
  ledger_versions: { account_id: string; version: number };
};

export const ledgerMigrations: Record<string, Migration> = {
  '0170-ledger-entries': {
    up: async (db) => {
      await db.schema
        .createTable('ledger_entries')
        .addColumn('account_id', ID, (column) => column.notNull().references('accounts.id').onDelete('cascade'))
        .addColumn('entry_id', TEXT, (column) => column.notNull())
        .addColumn('kind', TEXT, (column) => column.notNull())
        .addColumn('at', TIME, (column) => column.notNull())
        .addColumn('asset', TEXT, (column) => column.notNull())
        .addColumn('symbol', TEXT)
        .addColumn('quote_asset', TEXT)
        .addColumn('side', TEXT)
        .addColumn('price', DECIMAL)
        .addColumn('quantity', DECIMAL)
        .addColumn('quote_quantity', DECIMAL)
        .addColumn('fee', DECIMAL)
        .addColumn('fee_asset', TEXT)
        .addColumn('fee_in_quote', DECIMAL)
        .addColumn('fee_in_primary', DECIMAL)
        .addColumn('quote_rate', DECIMAL)
        .addColumn('fee_unknown', YES_NO, (column) => column.notNull())
        .addColumn('is_aggregate', YES_NO, (column) => column.notNull())
        .addColumn('trade_id', TEXT)
        .addColumn('order_id', TEXT)
        .addColumn('transfer', TEXT)
        .addColumn('change', DECIMAL)
        .addColumn('cost', DECIMAL)
        .addColumn('cost_estimated', YES_NO, (column) => column.notNull())
        .addColumn('source', TEXT, (column) => column.notNull())
        .addColumn('batch_id', ID)
        .addPrimaryKeyConstraint('ledger_entries_key', ['account_id', 'entry_id'])
        .execute();
      await db.schema.createIndex('ledger_entries_symbol').on('ledger_entries').columns(['account_id', 'symbol', 'at']).execute();
      await db.schema.createIndex('ledger_entries_asset').on('ledger_entries').columns(['account_id', 'asset']).execute();
      await db.schema.createIndex('ledger_entries_batch').on('ledger_entries').columns(['account_id', 'batch_id']).execute();
      await db.schema
        .createTable('ledger_versions')
        .addColumn('account_id', ID, (column) => column.primaryKey().references('accounts.id').onDelete('cascade'))
        .addColumn('version', COUNT, (column) => column.notNull())
        .execute();
    },
  },
};
