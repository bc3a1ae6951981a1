import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, Migrator, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { type Database, openDatabase, type WholeDatabase } from './database.ts';
import { restsByMarket } from './market-rests.ts';
import { keyInMarket, type OF_MARKET } from './market-scope.ts';
import { MIGRATIONS, type Schema } from './migrations.ts';
import { openPostgres, postgresDialect } from './postgres.ts';
import { findPostgres, type PostgresOrReason } from './postgres-fixture.ts';
import { openSqlite, sqliteDialect, sqliteFile } from './sqlite.ts';
import { anyRow } from './testing/any-row.ts';

/** Steps that build on a column `market`: they come after those that add it. */
const AFTER = new Set(['0189-landing-balance-mode']);
const BEFORE = Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => !name.endsWith('-apart') && !AFTER.has(name)));

describe.each(['sqlite', 'postgres'] as const)('a database from before markets were kept apart [%s]', (dialect) => {
  let found: PostgresOrReason | undefined;
  beforeAll(async () => {
    if (dialect === 'postgres') found = await findPostgres();
  });
  afterAll(async () => {
    if (found && 'postgres' in found) await found.postgres.stop();
  });

  /** What `fill` left in a database of the version before: `direct` goes to it past the schema's steps. */
  async function before(context: TestContext, fill: (queries: Kysely<Schema>) => Promise<void>) {
    if (found && 'skipped' in found) context.skip(`PostgreSQL: ${found.skipped}`);
    const dataDir = mkdtempSync(join(tmpdir(), 'pilotfish-markets-'));
    const databaseUrl = found && 'postgres' in found ? await found.postgres.createDatabase() : undefined;
    const toEnd: (() => Promise<void>)[] = [];
    context.onTestFinished(async () => {
      for (const end of toEnd) await end();
      if (databaseUrl !== undefined && found && 'postgres' in found) await found.postgres.dropDatabase(databaseUrl);
      rmSync(dataDir, { recursive: true, force: true });
    });
    const direct = async (work: (queries: Kysely<Schema>) => Promise<void>): Promise<void> => {
      const kind = databaseUrl === undefined ? sqliteDialect(openSqlite(sqliteFile(dataDir))) : undefined;
      const queries = new Kysely<Schema>({ dialect: kind ?? postgresDialect(await openPostgres(databaseUrl!, () => undefined)) });
      await work(queries).finally(() => queries.destroy());
    };
    await direct(async (queries) => {
      const { error } = await new Migrator({ db: queries, provider: { getMigrations: async () => BEFORE } }).migrateToLatest();
      expect(error).toBeUndefined();
      await fill(queries);
    });
    const open = async (): Promise<WholeDatabase> => {
      const whole = await openDatabase({ dataDir, databaseUrl });
      toEnd.push(() => whole.close());
      return whole;
    };
    return { direct, open };
  }
  const upgraded = async (context: TestContext, fill: (queries: Kysely<Schema>) => Promise<void>): Promise<WholeDatabase> =>
    (await before(context, fill)).open();

  async function row(queries: Kysely<Schema>, table: string, given: Record<string, string | number | null>): Promise<void> {
    const entries = Object.entries(await anyRow(queries, table, given));
    await sql`insert into ${sql.table(table)} (${sql.join(entries.map(([name]) => sql.ref(name)))})
      values (${sql.join(entries.map(([, value]) => value))})`.execute(queries);
  }

  /** Two accounts alike, one with keys of Binance and one without; each with a live wallet, one on paper, a bot on each. */
  async function filled(queries: Kysely<Schema>): Promise<void> {
    await row(queries, 'installation', { id: 'installation', seen_at: 77 });
    for (const [account, hasKeys] of [
      ['k', true],
      ['n', false],
    ] as const) {
      await row(queries, 'accounts', { id: account, username_key: account, email_key: account });
      if (hasKeys) await row(queries, 'exchange_connections', { account_id: account, exchange: 'binance', claim: 'binance:1' });
      for (const mode of ['live', 'paper']) {
        const id = `${account}-${mode}`;
        const wallet = { id, account_id: account, name_key: mode, mode, paper_market: mode === 'paper' ? 'simulated' : null };
        await row(queries, 'wallets', wallet);
        const bot = { account_id: account, wallet_id: id, taker_fees: '{}' };
        await row(queries, 'auto_trades', { ...bot, id: `${id}-bot`, name_key: `bot ${mode}`, state: 'running' });
        await row(queries, 'auto_trades', { ...bot, id: `${id}-gone`, name_key: null, state: 'deleted' });
        await row(queries, 'auto_trade_positions', { id: `${id}-held`, auto_trade_id: `${id}-bot`, state: 'open', opened_at: 5 });
        await row(queries, 'auto_trade_positions', {
          id: `${id}-sold`,
          auto_trade_id: `${id}-bot`,
          number: 2,
          state: 'closed',
          closed_at: 9,
        });
        await row(queries, 'order_intents', { id, auto_trade_id: `${id}-bot`, client_order_id: id });
        const key = { account_key: mode === 'live' ? `live:${account}` : `paper:${id}`, account_id: account };
        await row(queries, 'account_states', key);
        await row(queries, 'unknown_orders', { ...key, client_order_id: 'o' });
        const about = JSON.stringify({ autoTradeId: `${id}-bot` });
        await row(queries, 'price_alerts', { id, account_id: account, body: mode === 'paper' ? about : '{}' });
        await row(queries, 'price_alert_firings', { id, account_id: account, price_alert_id: id });
      }
      await row(queries, 'price_alert_firings', {
        id: `${account}-gone`,
        account_id: account,
        price_alert_id: 'gone',
        trigger_key: account,
      });
      for (const table of [
        'ledger_entries',
        'ledger_versions',
        'import_operations',
        'position_overrides',
        'position_breakages',
        'sync_cursors',
        'sync_runs',
        'transfer_cursors',
        'unread_rows',
        'balance_snapshots',
      ])
        await row(queries, table, { account_id: account });
      await row(queries, 'import_batches', { id: account, account_id: account });
      await row(queries, 'hidden_batches', { batch_id: account, account_id: account });
    }
    await row(queries, 'price_alert_feed', { id: 'feed' });
  }

  const marketsOf = async (database: Pick<Database, 'queries'>, table: string): Promise<Record<string, string>> => {
    const id = { hidden_batches: 'batch_id', account_states: 'account_key', unknown_orders: 'account_key' }[table];
    const has = (await database.queries.introspection.getTables()).find(({ name }) => name === table)!.columns.map(({ name }) => name);
    const name = id ?? (has.includes('id') ? 'id' : has.includes('account_id') ? 'account_id' : 'market');
    const { rows } = await sql<{ name: string; market: string }>`select ${sql.ref(name)} as name, market from ${sql.table(table)}
      order by 1`.execute(database.queries);
    return Object.fromEntries(rows.map((one) => [one.name, one.market]));
  };

  test('what has keys or is on paper gets its market, the rest that of the first server, and nothing that of the second', async (context) => {
    const whole = await upgraded(context, filled);
    const byAccount = { k: 'binance', n: '' };
    const byWallet = { 'k-live': 'binance', 'k-paper': 'simulated', 'n-live': '', 'n-paper': 'simulated' };
    const named = (ending: string, from: Record<string, string> = byWallet) =>
      Object.fromEntries(Object.entries(from).map(([name, market]) => [name + ending, market]));
    const byKey = { 'live:k': 'binance', 'live:n': '', 'paper:k-paper': 'simulated', 'paper:n-paper': 'simulated' };
    const expected: Record<keyof typeof OF_MARKET, Record<string, string>> = {
      markets: { '': '' },
      exchange_connections: { k: 'binance' },
      wallets: byWallet,
      auto_trades: { ...named('-bot'), ...named('-gone') },
      auto_trade_positions: { ...named('-held'), ...named('-sold') },
      order_intents: byWallet,
      account_states: byKey,
      unknown_orders: byKey,
      price_alerts: byWallet,
      price_alert_firings: { ...byWallet, ...named('-gone', byAccount) },
      price_alert_feed: { feed: '' },
      ledger_entries: byAccount,
      ledger_versions: byAccount,
      hidden_batches: byAccount,
      import_batches: byAccount,
      import_operations: byAccount,
      position_overrides: byAccount,
      position_breakages: byAccount,
      sync_cursors: byAccount,
      sync_runs: byAccount,
      transfer_cursors: byAccount,
      unread_rows: byAccount,
      balance_snapshots: byAccount,
    };
    for (const [table, markets] of Object.entries(expected))
      expect({ table, ...(await marketsOf(whole, table)) }).toEqual({ table, ...markets });

    // Points of before are of connected accounts.
    expect(await whole.queries.selectFrom('balance_snapshots').select('mode').distinct().execute()).toEqual([{ mode: 'live' }]);
    const first = await whole.forMarket('binance-testnet');
    const taken = (market: string) => (market === '' ? 'binance-testnet' : market);
    const settled = async () => {
      for (const [table, markets] of Object.entries(expected).filter(([table]) => table !== 'markets'))
        expect({ table, ...(await marketsOf(whole, table)) }).toEqual({
          table,
          ...Object.fromEntries(Object.entries(markets).map(([name, market]) => [name, taken(market)])),
        });
    };
    await settled();
    expect(await first.queries.selectFrom('markets').select('seen_at').execute()).toEqual([{ seen_at: 77 }]);
    await sql`update price_alert_feed set market = ''`.execute(whole.queries);
    const second = await whole.forMarket('simulated');
    // Only the first one takes what is nobody's.
    expect(await marketsOf(whole, 'price_alert_feed')).toEqual({ feed: '' });
    expect(await second.queries.selectFrom('markets').select('seen_at').execute()).toEqual([{ seen_at: null }]);

    const keys = await whole.queries.selectFrom('wallets').select(['id', 'name_key']).orderBy('id').execute();
    expect(keys.map(({ name_key }) => name_key)).toEqual(['binance live', 'simulated paper', 'binance-testnet live', 'simulated paper']);
    const bots = await second.queries.selectFrom('auto_trades').select(['id', 'name_key']).orderBy('id').execute();
    expect(bots.map(({ name_key }) => name_key)).toEqual(['simulated bot paper', null, 'simulated bot paper', null]);
  });

  test('names that begin with the name of a market stand in nobody’s way', async (context) => {
    const NAMES = ['main', 'binance main', 'binance binance main', 'simulated main'];
    const whole = await upgraded(context, async (queries) => {
      await row(queries, 'accounts', { id: 'k', username_key: 'k', email_key: 'k' });
      await row(queries, 'accounts', { id: 'n', username_key: 'n', email_key: 'n' });
      await row(queries, 'exchange_connections', { account_id: 'k', exchange: 'binance', claim: 'binance:1' });
      // The prefixed ones first and last: whichever is changed first, another one has its name then.
      for (const account of ['k', 'n'])
        for (const [index, name] of [...NAMES, 'paper main', ...NAMES.toReversed().map((name) => `${name} 2`)].entries()) {
          const id = `${account}${index}`;
          const mode = name === 'paper main' ? 'paper' : 'live';
          const name_key = mode === 'paper' ? 'main 3' : name;
          const paper_market = mode === 'paper' ? 'simulated' : null;
          await row(queries, 'wallets', { id, account_id: account, mode, name_key, paper_market });
          await row(queries, 'auto_trades', { id, account_id: account, wallet_id: id, name_key, taker_fees: '{}' });
        }
      await row(queries, 'wallets', { id: 'n-other', account_id: 'n', mode: 'live', name_key: 'simulated main 3' });
    });
    await whole.forMarket('binance');
    for (const table of ['wallets', 'auto_trades'] as const) {
      const rows = await whole.queries.selectFrom(table).select(['id', 'name_key']).execute();
      const keyOf = (id: string) => rows.find((one) => one.id === id)?.name_key;
      for (const account of ['k', 'n'])
        for (const [index, name] of NAMES.entries()) expect(keyOf(`${account}${index}`)).toBe(keyInMarket('binance', name));
      expect(keyOf('n4')).toBe(keyInMarket('simulated', 'main 3'));
    }
  });

  test('an upgrade that ends half-way leaves the database as it was, and can begin again', async (context) => {
    const LAST = 'price_alert_firings';
    const refuse =
      dialect === 'sqlite'
        ? [sql`create trigger cut_off before update on ${sql.table(LAST)} begin select raise(abort, 'cut off'); end`]
        : [
            sql`create function cut_off() returns trigger language plpgsql as $$ begin raise exception 'cut off'; end $$`,
            sql`create trigger cut_off before update on ${sql.table(LAST)} for each row execute function cut_off()`,
          ];
    const { direct, open } = await before(context, async (queries) => {
      await filled(queries);
      for (const each of refuse) await each.execute(queries);
    });
    const rowsOf = async (queries: Kysely<Schema>) => {
      const tables = (await queries.introspection.getTables()).map(({ name }) => name).filter((name) => !name.startsWith('kysely_'));
      const all = tables
        .sort()
        .map(async (table) => [table, (await sql`select * from ${sql.table(table)}`.execute(queries)).rows] as const);
      return Object.fromEntries(await Promise.all(all));
    };
    let stood: Awaited<ReturnType<typeof rowsOf>> = {};
    await direct(async (queries) => {
      stood = await rowsOf(queries);
    });
    await expect(open()).rejects.toThrow(/"0211-price-alerts-apart" of the database schema failed: .*cut off.* Nothing was changed/s);
    await direct(async (queries) => {
      const { server_lease: _, ...stands } = await rowsOf(queries);
      expect(stands).toEqual(stood);
      await (dialect === 'sqlite' ? sql`drop trigger cut_off` : sql`drop function cut_off() cascade`).execute(queries);
    });
    const whole = await open();
    expect(await marketsOf(whole, 'wallets')).toEqual({
      'k-live': 'binance',
      'k-paper': 'simulated',
      'n-live': '',
      'n-paper': 'simulated',
    });
  });

  test.runIf(dialect === 'postgres')('a long ledger may take longer than a statement of a running server', async (context) => {
    const whole = await upgraded(context, async (queries) => {
      await filled(queries);
      // Instead of half a million entries: the limit itself is looked at.
      await sql`create function refuse_hurry() returns trigger language plpgsql as $$ begin
        if current_setting('statement_timeout') <> '0' then
          raise exception 'hurried after %', current_setting('statement_timeout');
        end if;
        return null; end $$`.execute(queries);
      for (const table of ['ledger_entries', 'price_alerts'])
        await sql`create trigger refuse_hurry after update on ${sql.table(table)} for each statement
          execute function refuse_hurry()`.execute(queries);
    });
    await whole.forMarket('binance');
    const { rows } = await sql<{ limit: string }>`select current_setting('statement_timeout') as limit`.execute(whole.queries);
    expect(rows).toEqual([{ limit: '30s' }]);
    await expect(sql`update ledger_entries set market = market`.execute(whole.queries)).rejects.toThrow('hurried after 30s');
  });

  test('keeps its indexes, what a row was bound to, and the rule that an account of the exchange is connected once', async (context) => {
    const indexes = async (queries: Kysely<Schema>): Promise<string[]> => {
      const { rows } =
        dialect === 'sqlite'
          ? await sql<{ name: string }>`select name from sqlite_master where type = 'index' and sql is not null`.execute(queries)
          : await sql<{ name: string }>`select indexname as name from pg_indexes where schemaname = 'public'
              and indexname not like '%pkey' and indexname not like 'kysely%'`.execute(queries);
      return rows.map(({ name }) => name).sort();
    };
    let before: string[] = [];
    const whole = await upgraded(context, async (queries) => {
      await filled(queries);
      before = await indexes(queries);
    });
    expect(await indexes(whole.queries)).toEqual(before);
    const again = sql`insert into exchange_connections select 'n', exchange, api_key, api_secret, key_ending, uid, permissions,
      connected_at, checked_at, claim, 'simulated' from exchange_connections`.execute(whole.queries);
    await expect(again).rejects.toThrow(/claim/);
    await sql`delete from accounts where id = 'k'`.execute(whole.queries);
    for (const table of ['ledger_entries', 'account_states', 'exchange_connections', 'sync_runs', 'import_batches', 'price_alerts'])
      expect(Object.keys(await marketsOf(whole, table)).join(), table).not.toMatch(/k/);
  });

  test('says how much lies at each market, whichever the server runs with', async (context) => {
    const whole = await upgraded(context, filled);
    const one = { bots: 1, runningBots: 1, openPositions: 1, liveOpenPositions: 1, priceAlerts: 1, wallets: 1, ledgerEntries: 1 };
    const paper = { bots: 2, runningBots: 2, openPositions: 2, liveOpenPositions: 0, priceAlerts: 2, wallets: 2, ledgerEntries: 0 };
    const rests = (rest: string) => [
      { market: rest, ...one },
      { market: 'binance', ...one },
      { market: 'simulated', ...paper },
    ];
    // What no server has taken over yet is of no market that could be chosen.
    expect(await restsByMarket(whole)).toEqual(rests('').slice(1));
    const scoped = await whole.forMarket('binance-demo');
    await sql`update auto_trades set state = 'disabled' where id = 'k-live-bot'`.execute(whole.queries);
    const [binance, demo, simulated] = [
      { market: 'binance', ...one, runningBots: 0 },
      ...rests('binance-demo').filter((_, at) => at !== 1),
    ];
    expect(await restsByMarket(scoped)).toEqual([binance, demo, simulated]);
  });
});
