import { type Migration, sql } from 'kysely';
import { COUNT, DECIMAL, ID, JSON_TEXT, TEXT, TIME, YES_NO, type YesNo } from '../database/column-types.ts';

export type LedgerTables = {
  /** Why figures of a position cannot be trusted, as far as its owner was told. */
  position_breakages: { account_id: string; position_id: string; code: string; found_at: number };
  /** Everything that moved an asset of an account, once. `entry_id` is the name it has in every source. */
  ledger_entries: {
    account_id: string;
    entry_id: string;
    kind: 'trade' | 'transfer' | 'swap';
    at: number;
    /** Base asset of a trade, asset of a transfer; of a swap what came, its `quote_asset` and `quote_quantity` are what went. */
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
    /** The import that tells of the same, and better: it does not count for as long as that one does. */
    gave_way_to: string | null;
  };
  /**
   * Imports that do not count: still being written, or taken back and not removed yet. One row here takes thousands of
   * entries into the ledger or out of it.
   */
  hidden_batches: { batch_id: string; account_id: string };
  /** Grows with every change of an account's ledger. */
  ledger_versions: { account_id: string; version: number };
  /** How far the trades of a pair were read from an account at the exchange (`uid`). */
  sync_cursors: {
    account_id: string;
    uid: string;
    symbol: string;
    /** The next trade to ask for. */
    next_trade_id: number;
    trades: number;
    /** When it was last read to its end; null while it never was. */
    read_at: number | null;
    /** The exchange does not answer for this pair: it is gone. */
    refused: YesNo;
    /** Its owner named it: read along from then on. */
    is_asked: YesNo;
  };
  /** How far deposits, withdrawals and the like were read. */
  transfer_cursors: { account_id: string; uid: string; kind: string; read_to: number };
  /** Rows of these histories that could not be read: what they say is missing in the ledger. */
  unread_rows: {
    account_id: string;
    uid: string;
    /** Of transfers their kind, of trades `trades` and the pair. */
    list: string;
    name: string;
    field: string;
    /** Of the product that could not read it, and when it tried last. */
    version: string;
    seen_at: number;
  };
  /** The last reading of the history of each account; one that runs is taken up again after a restart. */
  sync_runs: {
    account_id: string;
    state: 'running' | 'done' | 'failed';
    /** Pairs still to read, JSON. */
    remaining: string;
    done: number;
    total: number;
    trades_found: number;
    started_at: number;
    finished_at: number | null;
    error: string | null;
  };
  /** What a person says of a position, by the entry that opened it. */
  position_overrides: {
    account_id: string;
    symbol: string;
    entry_id: string;
    /** When that entry happened: finds the position should the entry be replaced. */
    entry_at: number;
    target_price: string | null;
    closed_at: number | null;
    closed_remainder: 'at-cost' | 'at-market' | null;
    closed_price: string | null;
    /** Sales up to then do not end it. */
    reopened_until: number | null;
    is_excluded: YesNo;
    /** Why it is broken in the person's words; empty for no words, null when it is not. */
    broken_text: string | null;
    updated_at: number;
  };
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
  '0171-positions-sync-and-overrides': {
    up: async (db) => {
      const owner = (table: string) =>
        db.schema
          .createTable(table)
          .addColumn('account_id', ID, (column) => column.notNull().references('accounts.id').onDelete('cascade'));
      await db.schema.createIndex('ledger_entries_time').on('ledger_entries').columns(['account_id', 'at', 'entry_id']).execute();
      await owner('sync_cursors')
        .addColumn('uid', TEXT, (column) => column.notNull())
        .addColumn('symbol', TEXT, (column) => column.notNull())
        .addColumn('next_trade_id', COUNT, (column) => column.notNull())
        .addColumn('trades', COUNT, (column) => column.notNull())
        .addColumn('read_at', TIME)
        .addColumn('refused', YES_NO, (column) => column.notNull())
        .addColumn('is_asked', YES_NO, (column) => column.notNull())
        .addPrimaryKeyConstraint('sync_cursors_key', ['account_id', 'uid', 'symbol'])
        .execute();
      await owner('transfer_cursors')
        .addColumn('uid', TEXT, (column) => column.notNull())
        .addColumn('kind', TEXT, (column) => column.notNull())
        .addColumn('read_to', TIME, (column) => column.notNull())
        .addPrimaryKeyConstraint('transfer_cursors_key', ['account_id', 'uid', 'kind'])
        .execute();
      await owner('sync_runs')
        .addColumn('state', TEXT, (column) => column.notNull())
        .addColumn('remaining', JSON_TEXT, (column) => column.notNull())
        .addColumn('done', COUNT, (column) => column.notNull())
        .addColumn('total', COUNT, (column) => column.notNull())
        .addColumn('trades_found', COUNT, (column) => column.notNull())
        .addColumn('started_at', TIME, (column) => column.notNull())
        .addColumn('finished_at', TIME)
        .addColumn('error', TEXT)
        .addPrimaryKeyConstraint('sync_runs_key', ['account_id'])
        .execute();
      await owner('position_overrides')
        .addColumn('symbol', TEXT, (column) => column.notNull())
        .addColumn('entry_id', TEXT, (column) => column.notNull())
        .addColumn('entry_at', TIME, (column) => column.notNull())
        .addColumn('target_price', DECIMAL)
        .addColumn('closed_at', TIME)
        .addColumn('closed_remainder', TEXT)
        .addColumn('closed_price', DECIMAL)
        .addColumn('is_excluded', YES_NO, (column) => column.notNull())
        .addColumn('broken_text', TEXT)
        .addColumn('updated_at', TIME, (column) => column.notNull())
        .addPrimaryKeyConstraint('position_overrides_key', ['account_id', 'entry_id'])
        .execute();
    },
  },
  '0172-ledger-hidden-batches': {
    up: async (db) => {
      await db.schema.alterTable('ledger_entries').addColumn('gave_way_to', ID).execute();
      // Histories are read in the order of time: nobody enters by the asset, and half a million rows pay for each index.
      await db.schema.dropIndex('ledger_entries_asset').execute();
      await db.schema
        .createIndex('ledger_entries_gave_way')
        .on('ledger_entries')
        .columns(['account_id', 'gave_way_to', 'entry_id'])
        .where('gave_way_to', 'is not', null)
        .execute();
      await db.schema
        .createTable('hidden_batches')
        .addColumn('batch_id', ID, (column) => column.primaryKey())
        .addColumn('account_id', ID, (column) => column.notNull().references('accounts.id').onDelete('cascade'))
        .execute();
    },
  },
  '0173-ledger-names-by-time': {
    up: async (db) => {
      // `source:hash:n` becomes `source:time:hash:n`, here and where a position is remembered by it.
      const named = sql`l.source <> 'api' and l.entry_id like l.source || ':%'`;
      const name = sql`replace(l.entry_id, l.source || ':', l.source || ':' || cast(l.at as text) || ':')`;
      await sql`update position_overrides set entry_id = coalesce((select ${name} from ledger_entries l
        where l.account_id = position_overrides.account_id and l.entry_id = position_overrides.entry_id and ${named}), entry_id)`.execute(
        db,
      );
      await sql`update ledger_entries as l set entry_id = ${name} where ${named}`.execute(db);
    },
  },
  '0174-ledger-breakages': {
    up: async (db) => {
      await db.schema
        .createTable('position_breakages')
        .addColumn('account_id', ID, (column) => column.notNull().references('accounts.id').onDelete('cascade'))
        .addColumn('position_id', ID, (column) => column.notNull())
        .addColumn('code', TEXT, (column) => column.notNull())
        .addColumn('found_at', TIME, (column) => column.notNull())
        .addPrimaryKeyConstraint('position_breakages_key', ['account_id', 'position_id', 'code'])
        .execute();
    },
  },
  '0175-ledger-reopenings': {
    up: async (db) => {
      await db.schema.alterTable('position_overrides').addColumn('reopened_until', TIME).execute();
    },
  },
  '0176-ledger-swaps': {
    up: async (db) => {
      await db.schema
        .createIndex('ledger_entries_swaps')
        .on('ledger_entries')
        .columns(['account_id', 'kind', 'asset', 'quote_asset'])
        .where('kind', '=', 'swap')
        .execute();
    },
  },
  '0177-ledger-unread-rows': {
    up: async (db) => {
      await db.schema
        .createTable('unread_rows')
        .addColumn('account_id', ID, (column) => column.notNull().references('accounts.id').onDelete('cascade'))
        .addColumn('uid', TEXT, (column) => column.notNull())
        .addColumn('list', TEXT, (column) => column.notNull())
        .addColumn('name', TEXT, (column) => column.notNull())
        .addColumn('field', TEXT, (column) => column.notNull())
        .addColumn('version', TEXT, (column) => column.notNull())
        .addColumn('seen_at', TIME, (column) => column.notNull())
        .addPrimaryKeyConstraint('unread_rows_key', ['account_id', 'uid', 'list', 'name'])
        .execute();
    },
  },
};
