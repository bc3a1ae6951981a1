import { type Migration, sql } from 'kysely';
import { COUNT, DECIMAL, ID, JSON_TEXT, TEXT, TIME } from '../database/column-types.ts';

export type AutoTradesTables = {
  auto_trades: {
    id: string;
    account_id: string;
    wallet_id: string;
    name: string;
    /** `keyInMarket`; null once deleted, so that the name is free again. */
    name_key: string | null;
    /** State of the bot's machine, and its context as JSON. */
    state: string;
    context: string;
    config_version: number;
    /** Taker fees by symbol, as JSON. */
    taker_fees: string;
    created_at: number;
    updated_at: number;
  };
  /** Every version of a bot's settings; positions name the one they live by. */
  auto_trade_configs: { auto_trade_id: string; version: number; config: string; created_at: number };
  auto_trade_positions: {
    id: string;
    auto_trade_id: string;
    run_no: number;
    symbol: string;
    number: number;
    config_version: number;
    taker_fee: string;
    /** State of the position's machine, and its context without settings and effects as JSON. */
    state: string;
    context: string;
    realised: string;
    opened_at: number | null;
    closed_at: number | null;
    /** The result of the whole wallet once this position was closed: a point of its curve. */
    wallet_realised: string | null;
    /** What had been put into the wallet then, less what had been taken out. */
    wallet_paid_in: string | null;
    updated_at: number;
  };
  /** Immutable. `seq` has no gaps within a bot. */
  auto_trade_traces: {
    id: string;
    auto_trade_id: string;
    seq: number;
    run_no: number;
    position_id: string;
    kind: string;
    symbol: string;
    at: number;
    recorded_at: number;
    body: string;
  };
  auto_trade_logs: {
    id: string;
    auto_trade_id: string;
    position_id: string | null;
    symbol: string | null;
    at: number;
    code: string;
    level: 'info' | 'warning' | 'error';
    facts: string;
  };
  auto_trade_fills: {
    auto_trade_id: string;
    position_id: string;
    symbol: string;
    trade_id: string;
    order_id: string;
    client_order_id: string;
    side: 'Buy' | 'Sell';
    price: string;
    quantity: string;
    quote_quantity: string;
    fee: string;
    fee_asset: string;
    fee_in_quote: string;
    at: number;
  };
  /** The outbox of orders: written with the step that wants them, sent afterwards, never twice. */
  order_intents: {
    id: string;
    auto_trade_id: string;
    /** Null in rows of version 0.1.0, whose order ids name the position. */
    position_id: string | null;
    account_key: string;
    client_order_id: string;
    kind: 'place' | 'cancel';
    symbol: string;
    body: string;
    status: 'pending' | 'sent' | 'done' | 'refused' | 'unknown';
    detail: string | null;
    created_at: number;
    updated_at: number;
  };
  /** What an account at the exchange was found to hold, by asset, when it was held against the database last. */
  account_states: { account_key: string; account_id: string; at: number; held: string };
  /** Orders of this installation that the database did not know: their owner was told. */
  unknown_orders: {
    account_key: string;
    client_order_id: string;
    account_id: string;
    symbol: string;
    side: 'Buy' | 'Sell';
    status: string;
    executed: string;
    quote: string;
    found_at: number;
  };
  /** Kill switches in force, per account or per bot (`scope_id`). */
  halts: { scope_id: string; account_id: string; reason: string; halted_at: number; liquidate: number };
  /** Kill switches of single coins, until a moment: of all bots of an account, or of one. */
  coin_halts: {
    id: string;
    account_id: string;
    auto_trade_id: string | null;
    symbol: string;
    reason: string;
    halted_at: number;
    until: number;
  };
};

/** Closed positions with a fee that has no value yet: word for word as in their index, or that index is not used. */
export const HAS_UNVALUED_FEES = sql<boolean>`state = 'closed' and context like '%"unvalued":[{%'`;

export const autoTradesMigrations: Record<string, Migration> = {
  '0120-auto-trades': {
    up: async (db) => {
      await db.schema
        .createTable('auto_trades')
        .addColumn('id', ID, (column) => column.primaryKey())
        .addColumn('account_id', ID, (column) => column.notNull().references('accounts.id').onDelete('cascade'))
        .addColumn('wallet_id', ID, (column) => column.notNull().references('wallets.id'))
        .addColumn('name', TEXT, (column) => column.notNull())
        .addColumn('name_key', TEXT)
        .addColumn('state', TEXT, (column) => column.notNull())
        .addColumn('context', JSON_TEXT, (column) => column.notNull())
        .addColumn('config_version', COUNT, (column) => column.notNull())
        .addColumn('taker_fee', DECIMAL, (column) => column.notNull())
        .addColumn('created_at', TIME, (column) => column.notNull())
        .addColumn('updated_at', TIME, (column) => column.notNull())
        .addUniqueConstraint('auto_trades_name', ['account_id', 'name_key'])
        .execute();
      await db.schema
        .createTable('auto_trade_configs')
        .addColumn('auto_trade_id', ID, (column) => column.notNull().references('auto_trades.id').onDelete('cascade'))
        .addColumn('version', COUNT, (column) => column.notNull())
        .addColumn('config', JSON_TEXT, (column) => column.notNull())
        .addColumn('created_at', TIME, (column) => column.notNull())
        .addPrimaryKeyConstraint('auto_trade_configs_key', ['auto_trade_id', 'version'])
        .execute();
      await db.schema
        .createTable('auto_trade_positions')
        .addColumn('id', ID, (column) => column.primaryKey())
        .addColumn('auto_trade_id', ID, (column) => column.notNull().references('auto_trades.id').onDelete('cascade'))
        .addColumn('run_no', COUNT, (column) => column.notNull())
        .addColumn('symbol', TEXT, (column) => column.notNull())
        .addColumn('number', COUNT, (column) => column.notNull())
        .addColumn('config_version', COUNT, (column) => column.notNull())
        .addColumn('taker_fee', DECIMAL, (column) => column.notNull())
        .addColumn('state', TEXT, (column) => column.notNull())
        .addColumn('context', JSON_TEXT, (column) => column.notNull())
        .addColumn('realised', DECIMAL, (column) => column.notNull())
        .addColumn('opened_at', TIME)
        .addColumn('closed_at', TIME)
        .addColumn('updated_at', TIME, (column) => column.notNull())
        .addUniqueConstraint('auto_trade_positions_number', ['auto_trade_id', 'run_no', 'symbol', 'number'])
        .execute();
      await db.schema
        .createTable('auto_trade_traces')
        .addColumn('id', ID, (column) => column.primaryKey())
        .addColumn('auto_trade_id', ID, (column) => column.notNull())
        .addColumn('seq', COUNT, (column) => column.notNull())
        .addColumn('run_no', COUNT, (column) => column.notNull())
        .addColumn('position_id', ID, (column) => column.notNull())
        .addColumn('kind', TEXT, (column) => column.notNull())
        .addColumn('symbol', TEXT, (column) => column.notNull())
        .addColumn('at', TIME, (column) => column.notNull())
        .addColumn('recorded_at', TIME, (column) => column.notNull())
        .addColumn('body', JSON_TEXT, (column) => column.notNull())
        .addUniqueConstraint('auto_trade_traces_seq', ['auto_trade_id', 'seq'])
        .execute();
      await db.schema.createIndex('auto_trade_traces_position').on('auto_trade_traces').columns(['position_id', 'seq']).execute();
      await db.schema
        .createTable('auto_trade_logs')
        .addColumn('id', ID, (column) => column.primaryKey())
        .addColumn('auto_trade_id', ID, (column) => column.notNull())
        .addColumn('position_id', ID)
        .addColumn('symbol', TEXT)
        .addColumn('at', TIME, (column) => column.notNull())
        .addColumn('code', TEXT, (column) => column.notNull())
        .addColumn('level', TEXT, (column) => column.notNull())
        .addColumn('facts', JSON_TEXT, (column) => column.notNull())
        .execute();
      await db.schema.createIndex('auto_trade_logs_bot').on('auto_trade_logs').columns(['auto_trade_id', 'id']).execute();
      await db.schema
        .createTable('auto_trade_fills')
        .addColumn('auto_trade_id', ID, (column) => column.notNull())
        .addColumn('position_id', ID, (column) => column.notNull())
        .addColumn('symbol', TEXT, (column) => column.notNull())
        .addColumn('trade_id', TEXT, (column) => column.notNull())
        .addColumn('order_id', TEXT, (column) => column.notNull())
        .addColumn('client_order_id', TEXT, (column) => column.notNull())
        .addColumn('side', TEXT, (column) => column.notNull())
        .addColumn('price', DECIMAL, (column) => column.notNull())
        .addColumn('quantity', DECIMAL, (column) => column.notNull())
        .addColumn('quote_quantity', DECIMAL, (column) => column.notNull())
        .addColumn('fee', DECIMAL, (column) => column.notNull())
        .addColumn('fee_asset', TEXT, (column) => column.notNull())
        .addColumn('fee_in_quote', DECIMAL, (column) => column.notNull())
        .addColumn('at', TIME, (column) => column.notNull())
        .addPrimaryKeyConstraint('auto_trade_fills_key', ['position_id', 'symbol', 'trade_id'])
        .execute();
      await db.schema
        .createTable('order_intents')
        .addColumn('id', ID, (column) => column.primaryKey())
        .addColumn('auto_trade_id', ID, (column) => column.notNull())
        .addColumn('account_key', TEXT, (column) => column.notNull())
        .addColumn('client_order_id', TEXT, (column) => column.notNull())
        .addColumn('kind', TEXT, (column) => column.notNull())
        .addColumn('symbol', TEXT, (column) => column.notNull())
        .addColumn('body', JSON_TEXT, (column) => column.notNull())
        .addColumn('status', TEXT, (column) => column.notNull())
        .addColumn('detail', TEXT)
        .addColumn('created_at', TIME, (column) => column.notNull())
        .addColumn('updated_at', TIME, (column) => column.notNull())
        .addUniqueConstraint('order_intents_once', ['client_order_id', 'kind'])
        .execute();
      await db.schema.createIndex('order_intents_status').on('order_intents').columns(['status', 'id']).execute();
      await db.schema
        .createTable('halts')
        .addColumn('scope_id', ID, (column) => column.primaryKey())
        .addColumn('account_id', ID, (column) => column.notNull())
        .addColumn('reason', TEXT, (column) => column.notNull())
        .addColumn('halted_at', TIME, (column) => column.notNull())
        .execute();
    },
  },
  '0121-coin-halts': {
    up: async (db) => {
      await db.schema
        .alterTable('halts')
        .addColumn('liquidate', COUNT, (column) => column.notNull().defaultTo(0))
        .execute();
      await db.schema.alterTable('auto_trade_positions').addColumn('wallet_realised', DECIMAL).execute();
      await db.schema
        .createIndex('auto_trade_positions_closed')
        .on('auto_trade_positions')
        .columns(['auto_trade_id', 'closed_at'])
        .execute();
      await db.schema
        .createTable('coin_halts')
        .addColumn('id', ID, (column) => column.primaryKey())
        .addColumn('account_id', ID, (column) => column.notNull().references('accounts.id').onDelete('cascade'))
        .addColumn('auto_trade_id', ID)
        .addColumn('symbol', TEXT, (column) => column.notNull())
        .addColumn('reason', TEXT, (column) => column.notNull())
        .addColumn('halted_at', TIME, (column) => column.notNull())
        .addColumn('until', TIME, (column) => column.notNull())
        .execute();
      await db.schema.createIndex('coin_halts_account').on('coin_halts').columns(['account_id', 'until']).execute();
    },
  },
  '0122-wallet-paid-in': {
    up: async (db) => {
      await db.schema.alterTable('auto_trade_positions').addColumn('wallet_paid_in', DECIMAL).execute();
    },
  },
  '0123-unvalued-fees': {
    up: async (db) => {
      // Few rows of many are looked for, every few minutes, while everything else waits.
      await sql`create index auto_trade_positions_unvalued on auto_trade_positions (updated_at) where ${HAS_UNVALUED_FEES}`.execute(db);
    },
  },
  '0124-order-positions': {
    up: async (db) => {
      await db.schema.alterTable('order_intents').addColumn('position_id', ID).execute();
    },
  },
  '0125-account-states': {
    up: async (db) => {
      await db.schema
        .createTable('account_states')
        .addColumn('account_key', TEXT, (column) => column.primaryKey())
        .addColumn('account_id', ID, (column) => column.notNull().references('accounts.id').onDelete('cascade'))
        .addColumn('at', TIME, (column) => column.notNull())
        .addColumn('held', JSON_TEXT, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('unknown_orders')
        .addColumn('account_key', TEXT, (column) => column.notNull())
        .addColumn('client_order_id', TEXT, (column) => column.notNull())
        .addColumn('account_id', ID, (column) => column.notNull().references('accounts.id').onDelete('cascade'))
        .addColumn('symbol', TEXT, (column) => column.notNull())
        .addColumn('side', TEXT, (column) => column.notNull())
        .addColumn('status', TEXT, (column) => column.notNull())
        .addColumn('executed', DECIMAL, (column) => column.notNull())
        .addColumn('quote', DECIMAL, (column) => column.notNull())
        .addColumn('found_at', TIME, (column) => column.notNull())
        .addPrimaryKeyConstraint('unknown_orders_key', ['account_key', 'client_order_id'])
        .execute();
    },
  },
  '0126-taker-fees': {
    up: async (db) => {
      await db.schema
        .alterTable('auto_trades')
        .addColumn('taker_fees', JSON_TEXT, (column) => column.notNull().defaultTo('{}'))
        .execute();
      // What was kept for all coins was asked for the first of them; coins of filters had no order that is known now.
      const { rows } = await sql<{ id: string; taker_fee: string; config: string }>`
        select bot.id, bot.taker_fee, config.config from auto_trades bot
        join auto_trade_configs config on config.auto_trade_id = bot.id and config.version = bot.config_version`.execute(db);
      for (const { id, taker_fee, config } of rows) {
        const { coins } = JSON.parse(config) as { coins: { symbols?: string[] } };
        const [first] = coins.symbols ?? [];
        if (first === undefined) continue;
        await sql`update auto_trades set taker_fees = ${JSON.stringify({ [first]: taker_fee })} where id = ${id}`.execute(db);
      }
      await db.schema.alterTable('auto_trades').dropColumn('taker_fee').execute();
    },
  },
  '0190-auto-trades-activity': {
    up: async (db) => {
      // What the bots of an account did today is asked for by everybody who looks at the home screen.
      await db.schema.createIndex('auto_trade_traces_time').on('auto_trade_traces').columns(['auto_trade_id', 'at']).execute();
      await db.schema.createIndex('wallet_ledger_time').on('wallet_ledger').columns(['wallet_id', 'at']).execute();
    },
  },
};
