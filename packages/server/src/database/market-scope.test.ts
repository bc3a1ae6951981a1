import type { MarketSource } from '@pilotfish/core/prices/prices-contract';
import { sql } from 'kysely';
import { expect, type TestContext, test } from 'vitest';
import { account, NOW, OWNER } from '../positions/ledger-fixture.ts';
import type { Queries } from './database.ts';
import { describeEachDialect } from './database-fixture.ts';
import { COMMON, OF_MARKET } from './market-scope.ts';
import { anyRow } from './testing/any-row.ts';

const OTHER = '018f0000-0000-7000-8000-000000000002';

describeEachDialect('data of markets', (open) => {
  /** One database as the servers of two markets see it, with the same rows written by each. */
  async function stage(test: TestContext) {
    const { whole } = await open(test);
    await account(whole);
    await account(whole, OTHER);
    const [here, there] = await Promise.all((['simulated', 'binance'] satisfies MarketSource[]).map((market) => whole.forMarket(market)));
    return { whole, here: here!, there: there! };
  }
  const version = (queries: Queries, change = 1, accountId = OWNER) =>
    queries
      .insertInto('ledger_versions')
      .values({ account_id: accountId, version: change })
      .onConflict((conflict) =>
        conflict.column('account_id').doUpdateSet((update) => ({ version: update('ledger_versions.version', '+', change) })),
      )
      .returning('version')
      .executeTakeFirstOrThrow();
  const versions = async (queries: Queries) =>
    (await queries.selectFrom('ledger_versions').select(['account_id', 'version']).orderBy('account_id').execute()).map(
      (row) => row.version,
    );
  const batch = (queries: Queries, id: string, accountId = OWNER, bytes = 1) =>
    queries
      .insertInto('import_batches')
      .values({ id, account_id: accountId, file_name: id, format: 'f', at: NOW, counts: '{}', period: '{}', replaced: '[]', bytes })
      .execute();

  test('every table is of a market or common to all, for a reason that is given', async (context) => {
    const { whole } = await open(context);
    const tables = (await whole.queries.introspection.getTables()).map(({ name, columns }) => ({
      name,
      of: columns.some((column) => column.name === 'market'),
    }));
    const named = tables.filter(({ name }) => !name.startsWith('kysely_') && name !== 'server_lease');
    expect(named.map(({ name }) => name).sort()).toEqual([...Object.keys(OF_MARKET), ...Object.keys(COMMON)].sort());
    for (const { name, of } of named)
      if (name in OF_MARKET) expect({ name, of }).toEqual({ name, of: true });
      else expect(COMMON[name as keyof typeof COMMON].length, name).toBeGreaterThan(10);
    for (const [table, kind] of Object.entries(OF_MARKET)) {
      const key =
        whole.dialect === 'sqlite'
          ? await sql<{ name: string }>`select name from pragma_table_info(${table}) where pk > 0`.execute(whole.queries)
          : await sql<{ name: string }>`select attname as name from pg_index join pg_attribute on attrelid = indrelid
              and attnum = any(indkey) where indisprimary and indrelid = ${table}::regclass`.execute(whole.queries);
      expect({ table, kind: key.rows.some(({ name }) => name === 'market') ? 'keyed' : 'owned' }).toEqual({ table, kind });
    }
  });

  test('of every table of the list a market reads, joins, changes and deletes its own rows only', async (context) => {
    const { whole, here, there } = await stage(context);
    // What others reference comes first.
    const tables = [...new Set(['wallets', 'auto_trades', ...Object.keys(OF_MARKET)])] as (keyof typeof OF_MARKET)[];
    for (const [side, { queries }] of Object.entries({ h: here, t: there }))
      for (const table of tables.filter((name) => name !== 'markets')) {
        const { market: _, ...row } = await anyRow(queries, table, {});
        // Tables of ids have an id of each market; in the others both rows have the same key.
        for (const [column, value] of Object.entries({
          account_id: OWNER,
          wallet_id: `wallets ${side}`,
          auto_trade_id: `auto_trades ${side}`,
        }))
          if (column in row) row[column] = value;
        const isOwned = OF_MARKET[table] === 'owned';
        for (const column of isOwned ? ['id', 'batch_id', 'name_key', 'client_order_id', 'price_alert_id'] : ['claim'])
          if (column in row) row[column] = `${table} ${side}`;
        await queries
          .insertInto(table)
          .values(row as never)
          .execute();
      }
    for (const table of tables) {
      const rows = (queries: Queries) => queries.selectFrom(table as 'wallets').select((e) => e.fn.countAll<number>().as('n'));
      const seen = async (queries: Queries) => Number((await rows(queries).executeTakeFirstOrThrow()).n);
      expect({ table, both: await seen(whole.queries) }).toEqual({ table, both: 2 });
      const joined = await here.queries
        .selectFrom('accounts')
        .leftJoin(`${table} as of` as 'wallets as of', (join) => join.on(sql<boolean>`1 = 1`))
        .select('accounts.id')
        .where('accounts.id', '=', OWNER)
        .execute();
      expect({ table, seen: await seen(here.queries), joined: joined.length }).toEqual({ table, seen: 1, joined: 1 });
      // Whatever it is that both have: a change of one leaves the other as it is.
      const column = table === 'markets' ? 'seen_at' : 'market';
      const changed = await there.queries
        .updateTable(table as never)
        .set({ [column]: sql.ref(column) } as never)
        .executeTakeFirstOrThrow();
      expect({ table, changed: Number(changed.numUpdatedRows) }).toEqual({ table, changed: 1 });
    }
    for (const table of tables.toReversed()) {
      const deleted = await there.queries.deleteFrom(table as never).executeTakeFirstOrThrow();
      expect({ table, deleted: Number(deleted.numDeletedRows) }).toEqual({ table, deleted: 1 });
    }
  });

  test('the same key stands in two markets; what one writes, changes and deletes is its own', async (context) => {
    const { whole, here, there } = await stage(context);
    expect([await version(here.queries), await version(here.queries), await version(there.queries)].map((row) => row.version)).toEqual([
      1, 2, 1,
    ]);
    expect([await versions(here.queries), await versions(there.queries)]).toEqual([[2], [1]]);
    await there.queries.updateTable('ledger_versions').set({ version: 9 }).execute();
    expect([await versions(here.queries), await versions(there.queries)]).toEqual([[2], [9]]);
    await here.queries.deleteFrom('ledger_versions').execute();
    expect([await versions(here.queries), await versions(there.queries), await versions(whole.queries)]).toEqual([[], [9], [9]]);
  });

  test('an `or` opens no other market, in kysely or in SQL', async (context) => {
    const { here, there } = await stage(context);
    await version(here.queries, 1);
    await version(there.queries, 2);
    const all = here.queries.selectFrom('ledger_versions').select('version');
    expect(await all.where(sql<boolean>`version = 1 or version = 2`).execute()).toEqual([{ version: 1 }]);
    expect(await all.where((e) => e.or([e('version', '=', 1), e('version', '=', 2)])).execute()).toEqual([{ version: 1 }]);
  });

  test('joins, left joins and aliases see one market; a left join keeps its rows', async (context) => {
    const { here, there } = await stage(context);
    await batch(there.queries, 'b');
    await version(here.queries, 1);
    await version(there.queries, 5);
    await version(there.queries, 7, OTHER);
    const kept = await here.queries
      .selectFrom('accounts')
      .leftJoin('ledger_versions as mine', 'mine.account_id', 'accounts.id')
      .select(['accounts.id', 'mine.version'])
      .orderBy('accounts.id')
      .execute();
    expect(kept).toEqual([
      { id: OWNER, version: 1 },
      { id: OTHER, version: null },
    ]);
    const joined = await there.queries
      .selectFrom('ledger_versions as one')
      .innerJoin('ledger_versions as two', (join) => join.onRef('one.version', '<=', 'two.version'))
      .select(['one.version as low', 'two.version as high'])
      .orderBy('low')
      .orderBy('high')
      .execute();
    expect(joined).toEqual([
      { low: 5, high: 5 },
      { low: 5, high: 7 },
      { low: 7, high: 7 },
    ]);
    const crossed = await here.queries
      .selectFrom(['accounts', 'import_batches as file'])
      .crossJoin('ledger_versions')
      .select('file.id')
      .execute();
    expect(crossed).toEqual([]);
  });

  test('sub-queries see one market, wherever they stand and however they were made', async (context) => {
    const { here, there } = await stage(context);
    await version(here.queries, 1);
    await version(there.queries, 5);
    await batch(there.queries, 'b');
    const { queries } = here;
    const newest = queries.selectFrom('ledger_versions').select(['account_id', 'version']).as('newest');
    expect(await queries.selectFrom(newest).select('newest.version').execute()).toEqual([{ version: 1 }]);
    expect(
      newest.expression !== undefined &&
        queries
          .selectFrom(newest)
          .selectAll()
          .compile()
          .sql.match(/market/g),
    ).toHaveLength(1);
    const files = await queries
      .with('files', (db) => db.selectFrom('import_batches').select('account_id'))
      .selectFrom('accounts')
      .select('accounts.id')
      .where((e) =>
        e.or([
          e.exists(e.selectFrom('import_batches').select('id').whereRef('account_id', '=', 'accounts.id')),
          e('accounts.id', 'in', e.selectFrom('files').select('account_id')),
          sql<boolean>`exists ${queries.selectFrom('import_batches as b').select('b.id')}`,
        ]),
      )
      .execute();
    expect(files).toEqual([]);
    await queries
      .updateTable('accounts')
      .set((e) => ({ created_at: e.selectFrom('ledger_versions').select((s) => s.fn.sum<number>('version').as('sum')) }))
      .execute();
    const times = await queries.selectFrom('accounts').select('created_at').distinct().execute();
    expect(times.map((row) => Number(row.created_at))).toEqual([1]);
  });

  test('an update from another table and a delete by a sub-query stay in the market', async (context) => {
    const { here, there, whole } = await stage(context);
    for (const database of [here, there]) await version(database.queries, 1);
    await batch(here.queries, 'h', OWNER, 3);
    await batch(there.queries, 't', OWNER, 4);
    await here.queries
      .updateTable('import_batches as file')
      .from('ledger_versions as counted')
      .set({ format: 'seen' })
      .whereRef('counted.account_id', '=', 'file.account_id')
      .execute();
    const formats = () => whole.queries.selectFrom('import_batches').select(['id', 'format']).orderBy('id').execute();
    expect(await formats()).toEqual([
      { id: 'h', format: 'seen' },
      { id: 't', format: 'f' },
    ]);
    await here.queries
      .deleteFrom('import_batches')
      .where('account_id', 'in', (e) => e.selectFrom('ledger_versions').select('account_id'))
      .execute();
    expect(await formats()).toEqual([{ id: 't', format: 'f' }]);
  });

  test('a row that is known by its id alone is not changed from another market, whoever knows the id', async (context) => {
    const { here, there } = await stage(context);
    await batch(here.queries, 'b');
    const values = { id: 'b', account_id: OTHER, file_name: 'b', format: 'x', at: 1, counts: '', period: '', replaced: '' };
    const upsert = there.queries.insertInto('import_batches').values(values);
    await upsert.onConflict((conflict) => conflict.column('id').doUpdateSet({ format: 'x' })).execute();
    expect(await here.queries.selectFrom('import_batches').select(['account_id', 'format']).execute()).toEqual([
      { account_id: OWNER, format: 'f' },
    ]);
  });

  test('transactions are of the market, and are undone', async (context) => {
    const { here, there } = await stage(context);
    await there.transaction(async (queries) => void (await version(queries, 5)));
    const failing = here.transaction(async (queries) => {
      await version(queries, 1);
      expect(await versions(queries)).toEqual([1]);
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect([await versions(here.queries), await versions(there.queries)]).toEqual([[], [5]]);
    await there.transaction(async (queries) => expect(await versions(queries.withoutPlugins())).toEqual([5]));
  });

  test('what the scope cannot be applied to is refused', async (context) => {
    const { here } = await stage(context);
    const { queries } = here;
    const rows = queries.selectFrom('ledger_versions').select(['account_id', 'version']);
    await expect(queries.insertInto('ledger_versions').columns(['account_id', 'version']).expression(rows).execute()).rejects.toThrow(
      'inserted by values',
    );
    await expect(
      queries.selectFrom('accounts').rightJoin('ledger_versions', 'account_id', 'accounts.id').selectAll().execute(),
    ).rejects.toThrow('joined from the left');
    const named = queries.with('ledger_versions', () => rows);
    await expect(named.selectFrom('ledger_versions').selectAll().execute()).rejects.toThrow('cannot be told from');
  });
});
