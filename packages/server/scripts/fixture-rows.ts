import { sql } from 'kysely';
import { VERSION } from '../src/app/version.ts';
import type { Database, Queries } from '../src/database/database.ts';
import { keyInMarket } from '../src/database/market-scope.ts';

/** Every state that a column can have: the fixture holds a row of each. */
const STATES: Readonly<Record<string, readonly string[]>> = {
  'auto_trades.state': ['draft', 'disabled', 'running', 'paused', 'blocked', 'halted', 'deleted'],
  'auto_trade_positions.state': [
    'watching',
    'trailingEntry',
    'entryPending',
    'open',
    'protected',
    'adding',
    'reducing',
    'exitPending',
    'needsAttention',
    'closed',
    'detached',
  ],
  'order_intents.status': ['pending', 'sent', 'done', 'refused', 'unknown'],
  'price_alerts.state': ['warming', 'armed', 'cooldown', 'fired', 'expired', 'failed', 'disabled'],
  'price_alert_firings.delivery': ['sent', 'held', 'dropped', 'digest'],
  'notification_deliveries.state': ['pending', 'sent', 'undelivered', 'dropped'],
  'account_exports.state': ['running', 'ready', 'failed'],
  'sync_runs.state': ['running', 'done', 'failed'],
  'ledger_entries.kind': ['trade', 'transfer'],
  'telegram_codes.kind': ['start', 'connect'],
};

/** Rows of every table of the database. */
export async function countsOf(queries: Queries): Promise<Record<string, number>> {
  const tables = (await queries.introspection.getTables()).map(({ name }) => name).filter((name) => !name.startsWith('sqlite_'));
  const counts: Record<string, number> = {};
  for (const table of tables.sort()) {
    const { rows } = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`.execute(queries);
    counts[table] = Number(rows[0]?.rows);
  }
  return counts;
}

/** What the fixture lacks: empty tables, and states without a row. */
export async function missingIn(queries: Queries): Promise<string[]> {
  const missing = Object.entries(await countsOf(queries))
    .filter(([, rows]) => rows === 0)
    .map(([table]) => table);
  for (const [place, states] of Object.entries(STATES)) {
    const [table = '', column = ''] = place.split('.');
    const { rows } = await sql<{ state: string }>`select distinct ${sql.ref(column)} as state from ${sql.table(table)}`.execute(queries);
    const there = new Set(rows.map(({ state }) => state));
    missing.push(...states.filter((state) => !there.has(state)).map((state) => `${place} = ${state}`));
  }
  return missing;
}

type Row = Record<string, unknown>;

/** Rows in the states that a process leaves only when it ends at the wrong moment, or after days: copies of others. */
export async function addRareRows(database: Database, newId: () => string): Promise<void> {
  const { queries } = database;
  async function copyOf(table: string, where: ReturnType<typeof sql<boolean>>, changes: Row): Promise<Row> {
    const { rows } = await sql<Row>`select * from ${sql.table(table)} where ${where} order by 1 limit 1`.execute(queries);
    if (rows[0] === undefined) throw new Error(`no row of ${table} to copy`);
    const row: Row = { ...rows[0], ...changes };
    const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)));
    await sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row))})`.execute(queries);
    return row;
  }
  const withReason = (row: Row, reason: string) => JSON.stringify({ ...(JSON.parse(String(row.context)) as object), reason });

  const { rows: bots } = await sql<Row>`select * from auto_trades where name = 'Disabled'`.execute(queries);
  for (const [state, reason] of [
    ['draft', null],
    ['blocked', 'invalid-key'],
  ] as const) {
    const id = newId();
    const name = state === 'draft' ? 'Draft' : 'Blocked';
    const context = reason === null ? bots[0]?.context : withReason(bots[0] ?? {}, reason);
    await copyOf('auto_trades', sql`name = 'Disabled'`, {
      id,
      name,
      name_key: keyInMarket('simulated', name.toLowerCase()),
      state,
      context,
    });
    await copyOf('auto_trade_configs', sql`auto_trade_id = ${bots[0]?.id}`, { auto_trade_id: id });
  }
  // A rebuy is over within milliseconds: this is what lies there when the process ends in between.
  await sql`update auto_trade_positions set state = 'adding' where auto_trade_id in (select id from auto_trades where name = 'Adds')`.execute(
    queries,
  );
  const intents = [
    ['place', 'pending', null],
    ['place', 'sent', null],
    ['place', 'unknown', 'VANISHED'],
    ['place', 'refused', '-2010'],
    ['cancel', 'pending', null],
  ] as const;
  for (const [kind, status, detail] of intents) {
    const change = { id: newId(), client_order_id: newId().replaceAll('-', ''), kind, status, detail };
    await copyOf('order_intents', sql`auto_trade_id in (select id from auto_trades where state = 'deleted')`, change);
  }
  const { account_key, account_id } = await queries.selectFrom('account_states').selectAll().executeTakeFirstOrThrow();
  await queries
    .insertInto('unknown_orders')
    .values({
      account_key,
      account_id,
      client_order_id: 'pf-000000-0000000000000-000000000000',
      symbol: 'BTCUSDT',
      side: 'Sell',
      status: 'FILLED',
      executed: '0.1',
      quote: '6000',
      found_at: 0,
    })
    .execute();
  const { account_id: reader, uid } = await queries.selectFrom('transfer_cursors').selectAll().executeTakeFirstOrThrow();
  await queries
    .insertInto('unread_rows')
    .values({ account_id: reader, uid, list: 'conversions', name: '77', field: 'fromAmount', version: VERSION, seen_at: 0 })
    .execute();
  for (const state of ['warming', 'failed']) await copyOf('price_alerts', sql`state = 'disabled'`, { id: newId(), state });
  for (const delivery of ['held', 'dropped', 'digest']) {
    const held_until = delivery === 'held' ? 1_800_000_000_000 : null;
    await copyOf('price_alert_firings', sql`delivery = 'sent'`, { id: newId(), trigger_key: `copy:${delivery}`, delivery, held_until });
  }
  const states = await sql<{ state: string }>`select distinct state from notification_deliveries`.execute(queries);
  const known = new Set(states.rows.map(({ state }) => state));
  for (const state of ['pending', 'sent', 'undelivered', 'dropped'].filter((each) => !known.has(each)))
    await copyOf('notification_deliveries', sql`channel = 'webhook'`, {
      id: newId(),
      notification_id: sql`(select min(id) from notifications where id not in (select notification_id from notification_deliveries))`,
      state,
      due_at: 1_800_000_000_000,
    });
  const { rows: others } = await sql<{
    id: string;
  }>`select id from accounts where id not in (select account_id from sync_runs) order by id`.execute(queries);
  for (const [index, state] of (['running', 'failed'] as const).entries())
    await copyOf('sync_runs', sql`state = 'done'`, {
      account_id: others[index]?.id,
      state,
      error: state === 'failed' ? 'exchange-unreachable' : null,
    });
}

/** What the exchange would tell again: a few pieces prove as much as all of them. */
export async function dropMostCandles({ queries }: Database): Promise<void> {
  await sql`delete from candle_chunks where symbol not in ('BTCUSDT') or candle_interval not in ('1d', '1h')`.execute(queries);
}
