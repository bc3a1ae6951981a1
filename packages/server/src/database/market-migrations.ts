import { type Kysely, type Migration, PostgresAdapter, type RawBuilder, sql } from 'kysely';
import { TEXT, TIME } from './column-types.ts';

export type MarketTables = {
  /** A row for each market that a server of this database ran with: when one did last. */
  markets: { seen_at: number | null };
};

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the tables as they were, not as the schema has them now.
type Any = Kysely<any>;

const quoted = (columns: readonly string[]): string => columns.map((column) => `"${column}"`).join(', ');

/** Adds the column; rows of before belong to no market until something says which one. */
const addMarket = (db: Any, table: string): Promise<void> =>
  db.schema
    .alterTable(table)
    .addColumn('market', TEXT, (column) => column.notNull().defaultTo(''))
    .execute();

/**
 * Makes the market a part of the primary key, after its first column: the same key may stand in two markets. SQLite has
 * no statement for that: the table is written anew. Never for one that others reference: there dropping it deletes theirs.
 */
async function keyByMarket(db: Any, table: string, key: readonly string[]): Promise<void> {
  const [first = '', ...others] = key;
  const anew = `primary key (${quoted([first, 'market', ...others])})`;
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    const { rows } = await sql<{ conname: string }>`select conname from pg_constraint
      where conrelid = ${table}::regclass and contype = 'p'`.execute(db);
    const name = sql.ref(rows[0]!.conname);
    await sql`alter table ${sql.table(table)} drop constraint ${name}, add constraint ${name} ${sql.raw(anew)}`.execute(db);
    return;
  }
  const { rows: made } = await sql<{ type: string; sql: string }>`select type, sql from sqlite_master
    where tbl_name = ${table} and sql is not null order by type = 'index'`.execute(db);
  const [{ sql: before } = { sql: '' }, ...indexes] = made;
  const beside = `${table}_by_market`;
  const whole = `primary key (${quoted(key)})`;
  const alone = `"${first}" text primary key`;
  const keyed = before.includes(whole)
    ? before.replace(whole, anew)
    : before.replace(alone, `"${first}" text not null`).replace(/\)\s*$/, `, ${anew})`);
  const text = keyed.replace(`"${table}"`, `"${beside}"`);
  if (!text.includes(anew) || text.includes(alone) || !text.includes(beside))
    throw new Error(`The key of ${table} is another one: ${before}`);
  await sql.raw(text).execute(db);
  // In the order of the key: written in another order, half a million entries take several times as long.
  await sql`insert into ${sql.table(beside)} select * from ${sql.table(table)} order by ${sql.raw(quoted(key))}`.execute(db);
  await sql`drop table ${sql.table(table)}`.execute(db);
  await sql`alter table ${sql.table(beside)} rename to ${sql.table(table)}`.execute(db);
  for (const index of indexes) await sql.raw(index.sql).execute(db);
}

/** The market of the account's keys; nothing of an account without keys. */
const ofKeys = (table: string): RawBuilder<string> =>
  sql`(select max(connection.exchange) from exchange_connections connection where connection.account_id = ${sql.ref(`${table}.account_id`)})`;

/** What was read with the keys of an account, or imported beside them, is of the exchange of these keys. */
async function fillByKeys(db: Any, table: string): Promise<void> {
  await sql`update ${sql.table(table)} set market = ${ofKeys(table)}
    where account_id in (select account_id from exchange_connections)`.execute(db);
}

/** Tables keyed within an account, by their keys. */
const KEYED: Readonly<Record<string, readonly string[]>> = {
  ledger_versions: ['account_id'],
  import_operations: ['account_id', 'operation'],
  position_overrides: ['account_id', 'entry_id'],
  position_breakages: ['account_id', 'position_id', 'code'],
  sync_cursors: ['account_id', 'uid', 'symbol'],
  sync_runs: ['account_id'],
  transfer_cursors: ['account_id', 'uid', 'kind'],
  unread_rows: ['account_id', 'uid', 'list', 'name'],
  balance_snapshots: ['account_id', 'at'],
};

/** A search for one market's entries must not go through those of the others: the market stands in each index. */
async function ledgerByMarket(db: Any): Promise<void> {
  const indexes = { symbol: ['symbol', 'at'], batch: ['batch_id'], time: ['at', 'entry_id'] };
  for (const name of [...Object.keys(indexes), 'gave_way', 'swaps']) await db.schema.dropIndex(`ledger_entries_${name}`).execute();
  await addMarket(db, 'ledger_entries');
  await fillByKeys(db, 'ledger_entries');
  await keyByMarket(db, 'ledger_entries', ['account_id', 'entry_id']);
  const index = (name: string, columns: readonly string[]) =>
    db.schema
      .createIndex(`ledger_entries_${name}`)
      .on('ledger_entries')
      .columns(['account_id', 'market', ...columns]);
  for (const [name, columns] of Object.entries(indexes)) await index(name, columns).execute();
  await index('gave_way', ['gave_way_to', 'entry_id']).where('gave_way_to', 'is not', null).execute();
  await index('swaps', ['kind', 'asset', 'quote_asset']).where('kind', '=', 'swap').execute();
}

/** A paper wallet says itself which market its money was won in; the bots of a wallet are where the wallet is. */
async function walletsAndBots(db: Any): Promise<void> {
  await addMarket(db, 'wallets');
  await sql`update wallets set market = coalesce(paper_market, ${ofKeys('wallets')}, '')`.execute(db);
  await db.schema.alterTable('wallets').dropColumn('paper_market').execute();
  await addMarket(db, 'auto_trades');
  await sql`update auto_trades set market =
    (select wallet.market from wallets wallet where wallet.id = auto_trades.wallet_id)`.execute(db);
  // These cannot be written anew: what is unique stands in the text of the name instead (`keyInMarket`). In one step
  // "Main" would become "binance main" while a "Binance main" still has that name.
  for (const table of ['wallets', 'auto_trades']) {
    await sql`update ${sql.table(table)} set name_key = ' ' || name_key`.execute(db);
    await sql`update ${sql.table(table)} set name_key = market || name_key where market <> ''`.execute(db);
  }
  for (const table of ['auto_trade_positions', 'order_intents']) {
    await addMarket(db, table);
    await sql`update ${sql.table(table)} set market = coalesce(
      (select bot.market from auto_trades bot where bot.id = ${sql.ref(`${table}.auto_trade_id`)}), '')`.execute(db);
  }
  for (const [table, key] of [
    ['account_states', ['account_key']],
    ['unknown_orders', ['account_key', 'client_order_id']],
  ] as const) {
    await addMarket(db, table);
    const key7 = sql`substr(${sql.ref(`${table}.account_key`)}, 7)`;
    // By the account's keys a paper account would be held against an exchange that never had it.
    await sql`update ${sql.table(table)} set market = coalesce(case when account_key like 'paper:%'
      then (select wallet.market from wallets wallet where wallet.id = ${key7}) else ${ofKeys(table)} end, '')`.execute(db);
    await keyByMarket(db, table, key);
  }
}

export const marketMigrations: Record<string, Migration> = {
  '0188-markets-apart': {
    up: async (db) => {
      await db.schema
        .createTable('markets')
        .addColumn('market', TEXT, (column) => column.primaryKey())
        .addColumn('seen_at', TIME)
        .execute();
      await sql`insert into markets (market, seen_at) select '', seen_at from installation`.execute(db);
      await db.schema.alterTable('installation').dropColumn('seen_at').execute();
      await addMarket(db, 'exchange_connections');
      await sql`update exchange_connections set market = exchange`.execute(db);
      await walletsAndBots(db);
      await ledgerByMarket(db);
      for (const table of [...Object.keys(KEYED), 'import_batches', 'hidden_batches']) {
        await addMarket(db, table);
        await fillByKeys(db, table);
      }
      for (const [table, key] of Object.entries(KEYED)) await keyByMarket(db, table, key);
      await keyByMarket(db, 'exchange_connections', ['account_id']);
    },
  },
  // Price alerts are made by step 0210, so in a new database they are not there before it.
  '0211-price-alerts-apart': {
    up: async (db) => {
      for (const table of ['price_alerts', 'price_alert_firings', 'price_alert_feed']) await addMarket(db, table);
      await fillByKeys(db, 'price_alerts');
      await alertsOfBots(db);
      await sql`update price_alert_firings set market = coalesce(
        (select alert.market from price_alerts alert where alert.id = price_alert_firings.price_alert_id),
        ${ofKeys('price_alert_firings')}, '')`.execute(db);
      await keyByMarket(db, 'price_alert_feed', ['id']);
    },
  },
};

/** An alert about a bot goes with the bot: in another market the bot would count as gone, and the alert would fail. */
async function alertsOfBots(db: Any): Promise<void> {
  const { rows } = await sql<{ id: string; body: string }>`select id, body from price_alerts
    where body like '%"autoTradeId"%'`.execute(db);
  for (const { id, body } of rows) {
    const bot = /"autoTradeId":"([^"]*)"/.exec(body)?.[1];
    if (bot !== undefined)
      await sql`update price_alerts set market = bot.market from auto_trades bot
        where price_alerts.id = ${id} and bot.id = ${bot}`.execute(db);
  }
}
