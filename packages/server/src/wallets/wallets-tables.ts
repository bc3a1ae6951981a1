import type { Migration } from 'kysely';
import { COUNT, DECIMAL, ID, JSON_TEXT, TEXT, TIME } from '../database/column-types.ts';

export type WalletsTables = {
  wallets: {
    id: string;
    account_id: string;
    name: string;
    /** What must be unique: `keyInMarket`. */
    name_key: string;
    currency: string;
    mode: 'paper' | 'live';
    reserve_pct: string;
    /** Sealed keys of its account on paper; null for live wallets. */
    paper_key: string | null;
    paper_secret: string | null;
    /** Its terms on paper; null for live wallets. */
    maker_fee_pct: string | null;
    taker_fee_pct: string | null;
    latency_ms: number | null;
    created_at: number;
  };
  /** Append-only: the sums of a wallet are this ledger folded, so nothing can drift from it. */
  wallet_ledger: {
    id: string;
    wallet_id: string;
    at: number;
    kind: string;
    /** Signed change of what is free, decimal text: for reading. */
    amount: string;
    /** The exact move, JSON: for folding. */
    move: string;
    note: string;
    position_id: string | null;
  };
};

export const walletsMigrations: Record<string, Migration> = {
  '0110-wallets': {
    up: async (db) => {
      await db.schema
        .createTable('wallets')
        .addColumn('id', ID, (column) => column.primaryKey())
        .addColumn('account_id', ID, (column) => column.notNull().references('accounts.id').onDelete('cascade'))
        .addColumn('name', TEXT, (column) => column.notNull())
        .addColumn('name_key', TEXT, (column) => column.notNull())
        .addColumn('currency', TEXT, (column) => column.notNull())
        .addColumn('mode', TEXT, (column) => column.notNull())
        .addColumn('reserve_pct', DECIMAL, (column) => column.notNull())
        .addColumn('paper_key', TEXT)
        .addColumn('paper_secret', TEXT)
        .addColumn('created_at', TIME, (column) => column.notNull())
        .addUniqueConstraint('wallets_name', ['account_id', 'name_key'])
        .execute();
      await db.schema
        .createTable('wallet_ledger')
        .addColumn('id', ID, (column) => column.primaryKey())
        .addColumn('wallet_id', ID, (column) => column.notNull().references('wallets.id').onDelete('cascade'))
        .addColumn('at', TIME, (column) => column.notNull())
        .addColumn('kind', TEXT, (column) => column.notNull())
        .addColumn('amount', DECIMAL, (column) => column.notNull())
        .addColumn('move', JSON_TEXT, (column) => column.notNull())
        .addColumn('note', TEXT, (column) => column.notNull())
        .addColumn('position_id', ID)
        .execute();
      await db.schema.createIndex('wallet_ledger_wallet').on('wallet_ledger').columns(['wallet_id', 'id']).execute();
    },
  },
  '0187-paper-markets': {
    up: async (db) => {
      await db.schema.alterTable('wallets').addColumn('paper_market', TEXT).execute();
      // Before this there were accounts on paper at the simulated exchange alone.
      await db.updateTable('wallets').set({ paper_market: 'simulated' }).where('mode', '=', 'paper').execute();
    },
  },
  '0193-paper-terms': {
    up: async (db) => {
      await db.schema.alterTable('wallets').addColumn('maker_fee_pct', DECIMAL).execute();
      await db.schema.alterTable('wallets').addColumn('taker_fee_pct', DECIMAL).execute();
      await db.schema.alterTable('wallets').addColumn('latency_ms', COUNT).execute();
      // What the accounts on paper had until then. Written out: what later versions begin with is another matter.
      const terms = { maker_fee_pct: '0.1', taker_fee_pct: '0.1', latency_ms: 0 };
      await db.updateTable('wallets').set(terms).where('mode', '=', 'paper').execute();
    },
  },
};
