import type { Migration } from 'kysely';
import { COUNT, ID, JSON_TEXT, TEXT, TIME } from '../database/column-types.ts';

export type PricesTables = {
  /** Closed candles in compressed pieces; a cache of what the exchange would tell again. */
  candle_chunks: {
    /** Which market: exchanges and simulated seeds do not mix. */
    market: string;
    symbol: string;
    candle_interval: string;
    /** Epoch ms of the first candle that the piece has room for. */
    start_at: number;
    bytes: number;
    body: Buffer;
  };
  /** When each pair had its first candle; asked once. */
  pair_listings: { market: string; symbol: string; listed_at: number };
  coin_filters: {
    id: string;
    account_id: string;
    name: string;
    /** What must be unique: the name as `foldName` writes it. */
    name_key: string;
    /** Everything else of the filter, JSON. */
    settings: string;
    /** The last coins that could be found, JSON {coins, at}; null before the first. */
    last_coins: string | null;
    created_at: number;
  };
};

export const pricesMigrations: Record<string, Migration> = {
  '0160-prices-candles': {
    up: async (db) => {
      await db.schema
        .createTable('candle_chunks')
        .addColumn('market', TEXT, (column) => column.notNull())
        .addColumn('symbol', TEXT, (column) => column.notNull())
        .addColumn('candle_interval', TEXT, (column) => column.notNull())
        .addColumn('start_at', TIME, (column) => column.notNull())
        .addColumn('bytes', COUNT, (column) => column.notNull())
        // SQLite takes any name of a type and keeps bytes as bytes.
        .addColumn('body', 'bytea', (column) => column.notNull())
        .addPrimaryKeyConstraint('candle_chunks_key', ['market', 'symbol', 'candle_interval', 'start_at'])
        .execute();
      await db.schema
        .createTable('pair_listings')
        .addColumn('market', TEXT, (column) => column.notNull())
        .addColumn('symbol', TEXT, (column) => column.notNull())
        .addColumn('listed_at', TIME, (column) => column.notNull())
        .addPrimaryKeyConstraint('pair_listings_key', ['market', 'symbol'])
        .execute();
    },
  },
  '0161-prices-coin-filters': {
    up: async (db) => {
      await db.schema
        .createTable('coin_filters')
        .addColumn('id', ID, (column) => column.primaryKey())
        .addColumn('account_id', ID, (column) => column.notNull().references('accounts.id').onDelete('cascade'))
        .addColumn('name', TEXT, (column) => column.notNull())
        .addColumn('name_key', TEXT, (column) => column.notNull())
        .addColumn('settings', JSON_TEXT, (column) => column.notNull())
        .addColumn('last_coins', JSON_TEXT)
        .addColumn('created_at', TIME, (column) => column.notNull())
        .addUniqueConstraint('coin_filters_name', ['account_id', 'name_key'])
        .execute();
    },
  },
};
