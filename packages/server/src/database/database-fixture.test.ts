import type { AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Order } from '@pilotfish/core/orders/orders-contract';
import type { OpenPosition } from '@pilotfish/core/positions/positions-contract';
import type { PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { walletBalances } from '@pilotfish/core/wallets/wallet-book';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SEALED_COLUMNS } from '../app/sealed-columns.ts';
import { type Database, openDatabase } from './database.ts';
import { findPostgres, type PostgresOrReason } from './postgres-fixture.ts';
import { copyFixture, type FixtureCopy, fixtureFolder, fixtureVersions, readFacts, serveFixture } from './testing/fixture-files.ts';
import { type FixtureView, viewOfAdmin, viewOfUser } from './testing/fixture-view.ts';

// Databases as earlier versions left them, opened by this one: nothing in them may be lost. A table that a migration
// empties or splits gets an expectation of its own here; the fixtures themselves never change.

type AppSettingsPage = { readonly items: readonly { readonly key: string }[] };
const [ADMIN, USER] = [0, 1];

/** Defaults of settings that the instance of the fixture had not chosen, and that are others by now. */
const NEW_DEFAULTS: Readonly<Record<string, { readonly value: number; readonly default: number }>> = {
  'sessions.accessMinutes': { value: 720, default: 720 },
};

/** Sentences that are worded otherwise by now; their figures are compared as they were. */
const REWORDED: readonly (readonly [string, string])[] = [
  [' came in, and nobody said what they cost.', ' came in without a cost.'],
  [' were sold that no known trade had bought.', ' were sold, but no known trade bought them.'],
  ['Take the mark away once its figures are right.', 'Remove the mark once the figures are right.'],
  ['"State currency"', '"Fiat currency"'],
  ['"Borsa jetonu"', '"Borsa tokeni"'],
  ['"Taraftar jetonu"', '"Taraftar tokeni"'],
];
const reworded = <View>(view: View): View =>
  JSON.parse(REWORDED.reduce((text, [then, now]) => text.replaceAll(then, now), JSON.stringify(view))) as View;

describe.each(fixtureVersions())('a database of version %s', (version) => {
  describe.each(['sqlite', 'postgres'] as const)('[%s]', (dialect) => {
    const folder = fixtureFolder(version, dialect);
    const facts = readFacts(folder);
    let found: PostgresOrReason | undefined;
    let copy: FixtureCopy;
    beforeAll(async () => {
      if (dialect === 'postgres') found = await findPostgres();
    });
    afterAll(async () => {
      if (found && 'postgres' in found) await found.postgres.stop();
    });
    beforeEach(async (context) => {
      if (found && 'skipped' in found) return context.skip(`PostgreSQL: ${found.skipped}`);
      copy = await copyFixture(folder, found?.postgres.createDatabase);
    });
    afterEach(() => copy?.remove());

    async function onDatabase(work: (database: Database) => Promise<void>): Promise<void> {
      const database = await openDatabase(copy);
      await work(database).finally(() => database.close());
    }
    async function onServer(work: (served: Awaited<ReturnType<typeof serveFixture>>) => Promise<void>): Promise<void> {
      const served = await serveFixture(copy, facts.endedAt);
      await work(served).finally(served.close);
    }
    const onServerAsking = async <Value>(work: (ask: Awaited<ReturnType<typeof askAs>>) => Promise<Value>): Promise<Value> => {
      let value!: Value;
      await onServer(async (served) => {
        value = await work(await askAs(served, USER));
      });
      return value;
    };
    type Served = Awaited<ReturnType<typeof serveFixture>>;
    /** Signs in with password and authenticator; answers calls that expect 200. */
    async function askAs({ server }: Served, index: number) {
      const { accessToken } = await server.signIn(facts.users[index]!);
      return async <Body>(path: string, method?: string): Promise<Body> => {
        const { status, body } = await server.call<Body>(path, { token: accessToken, ...(method !== undefined && { method, body: {} }) });
        expect([200, 204], `${path} answered ${status} ${JSON.stringify(body)}`).toContain(status);
        return body;
      };
    }

    test('keeps every row of every table', () =>
      onDatabase(async ({ queries }) => {
        for (const [table, rows] of Object.entries(facts.counts)) {
          const counted = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`.execute(queries);
          if (table === 'kysely_migration') expect(Number(counted.rows[0]?.rows)).toBeGreaterThanOrEqual(rows);
          else expect({ table, rows: Number(counted.rows[0]?.rows) }).toEqual({ table, rows });
        }
      }));

    test('one row that cannot be read costs its list no other, and a bot of which that is said does not trade', async () => {
      const lists = ['auto-trades', 'price-alerts', 'price-alerts/history?pageSize=100', 'wallets', 'notifications?pageSize=100'];
      let kinds: string[] | undefined;
      const sizes = () =>
        onServerAsking(async (ask) => {
          const { items } = await ask<{ items: { kind: string }[] }>('/bff/v2/account/unreadable');
          kinds = items.map(({ kind }) => kind).sort();
          return Promise.all(
            lists.map(async (path) => {
              const list = await ask<readonly unknown[] | { items: readonly unknown[] }>(`/bff/v2/${path}`);
              return ('items' in list ? list.items : list).length;
            }),
          );
        });
      const before = await sizes();
      expect(kinds).toEqual([]);
      let damaged: string | undefined;
      await onDatabase(async ({ queries }) => {
        const owner = sql`(select id from accounts where username = ${facts.users[USER]!.username})`;
        const { rows } = await sql<{ id: string }>`select id from auto_trades where account_id = ${owner} and state <> 'deleted'
          order by id limit 1`.execute(queries);
        damaged = rows[0]?.id;
        await sql`update auto_trade_configs set config = '{"coins":' where auto_trade_id = ${damaged}`.execute(queries);
        for (const [table, column] of [
          ['price_alerts', 'body'],
          ['price_alert_firings', 'facts'],
          ['notifications', 'facts'],
        ] as const)
          await sql`update ${sql.table(table)} set ${sql.ref(column)} = '?' where id = (select min(id) from ${sql.table(table)}
            where account_id = ${owner})`.execute(queries);
        // The clock of the fixture stands: the same code is taken a second time.
        await sql`delete from totp_steps`.execute(queries);
        await sql`update wallet_ledger set move = '{}' where wallet_id = (select min(id) from wallets where account_id = ${owner})`.execute(
          queries,
        );
      });
      const after = await sizes();
      // A notification that cannot be read is listed by its code, and there is one more: of the bot.
      expect(kinds).toEqual(['auto-trade', 'price-alert', 'wallet']);
      expect(after.slice(0, 4)).toEqual(before.slice(0, 4).map((size) => size - 1));
      await onDatabase(async ({ queries }) => {
        const told = await queries.selectFrom('notifications').select('key').where('code', '=', 'bot-unreadable').execute();
        expect(told).toHaveLength(1);
      });
      expect(after[4]).toBeGreaterThanOrEqual(before[4]!);
    });

    test.each(['all', 'bot'] as const)(
      'a kill switch (%s) halts a bot that cannot be read in its row, and its owner sees both',
      async (scope) => {
        let damaged: string | undefined;
        await onDatabase(async ({ queries }) => {
          const { rows } = await sql<{ id: string }>`select id from auto_trades where state <> 'deleted' and account_id =
          (select id from accounts where username = ${facts.users[USER]!.username}) order by id limit 1`.execute(queries);
          damaged = rows[0]?.id;
          await sql`update auto_trade_configs set config = '{"coins":' where auto_trade_id = ${damaged}`.execute(queries);
        });
        await onServer(async ({ server }) => {
          const { accessToken: token } = await server.signIn(facts.users[USER]!);
          const readable = (await server.call<unknown[]>('/bff/v2/auto-trades', { token })).body.length;
          const listed = async () => (await server.call<{ items: unknown[] }>('/bff/v2/account/unreadable', { token })).body.items;
          const missing = { kind: 'auto-trade', id: damaged, name: expect.any(String) };
          expect(await listed()).toEqual([{ ...missing, halted: false }]);
          const halt = { scope, reason: 'stop', ...(scope === 'bot' && { autoTradeId: damaged }) };
          const { body } = await server.call<{ halted: number }>('/bff/v2/auto-trades/halt', { token, method: 'POST', body: halt });
          expect(body.halted).toBe(scope === 'all' ? readable + 1 : 1);
          expect(await listed()).toEqual([{ ...missing, halted: true }]);
        });
        await onDatabase(async ({ queries }) => {
          const halts = await queries.selectFrom('halts').select('reason').where('scope_id', '=', damaged!).execute();
          expect(halts).toEqual([{ reason: 'stop' }]);
          const row = await queries
            .selectFrom('auto_trades')
            .select(['state', 'context'])
            .where('id', '=', damaged!)
            .executeTakeFirstOrThrow();
          expect(row.state).toBe('halted');
          expect(JSON.parse(row.context)).toMatchObject({ reason: 'stop', mustAcknowledge: true });
        });
      },
    );

    test('opens every secret with the key beside it', () =>
      onServer(async ({ server }) => {
        const { database, secretBox } = server.context;
        for (const { table, column, id, owner, binding } of SEALED_COLUMNS) {
          const columns = sql.join([...new Set([id, column, ...(owner === undefined ? [] : [owner])])].map((name) => sql.ref(name)));
          const { rows } = await sql<Record<string, string>>`select ${columns} from ${sql.table(table)}
            where ${sql.ref(column)} is not null`.execute(database.queries);
          expect(rows, `${table}.${column}`).not.toEqual([]);
          for (const row of rows) expect(secretBox.open(row[column]!, binding(row)).length, `${table}.${column}`).toBeGreaterThan(0);
        }
      }));

    test('shows its users what the version that wrote it showed', () =>
      onServer(async (served) => {
        const ada = await viewOfAdmin(await askAs(served, ADMIN));
        const ben = await viewOfUser(await askAs(served, USER), facts.endedAt);
        const view = reworded(facts.view);
        const settingsOf = ({ appSettings }: FixtureView) => (appSettings as AppSettingsPage).items;
        const toldOf = new Set(settingsOf(view.ada as FixtureView).map(({ key }) => key));
        const appSettings = { items: settingsOf(ada).filter(({ key }) => toldOf.has(key)) };
        // Later versions tell more; what this one told has to be there, and equal, but for defaults that they changed.
        const then = view.ada as FixtureView;
        const settingsThen = settingsOf(then).map((setting) => ({ ...setting, ...NEW_DEFAULTS[setting.key] }));
        expect({ ada: { ...ada, appSettings }, ben }).toMatchObject({
          ...view,
          ada: { ...then, appSettings: { items: settingsThen } },
        });
      }));

    test('lets its users in by an unused recovery code, not by a used one, and goes on with their sessions', () =>
      onServer(async ({ server }) => {
        const { username, password, recoveryCodes, refreshToken } = facts.users[ADMIN]!;
        const { code } = (await server.call<{ code: string }>('/gateway/v1/account/login', { body: { username, password } })).body;
        const verify = (otpCode: string) => server.call('/gateway/v1/account/verify-2fa', { body: { otpCode }, token: code });
        expect((await verify(recoveryCodes[0]!)).status).toBe(400);
        expect((await verify(recoveryCodes[1]!)).status).toBe(200);
        const refreshed = await server.call('/gateway/v1/account/refresh-token', { method: 'POST', token: refreshToken });
        expect(refreshed.status).toBe(200);
      }));

    test('goes on with its money: wallets balance, orders stand, bots hold, alerts are armed, an import is taken back', () =>
      onServer(async (served) => {
        const ask = await askAs(served, USER);
        for (const wallet of await ask<Wallet[]>('/bff/v2/wallets')) expect(walletBalances(wallet), wallet.name).toBe(true);
        // Asked with the sealed keys: the limit orders and the guard's stop rest at the exchange.
        const orders = await ask<Order[]>('/bff/v2/orders/Binance/all');
        expect(orders.map(({ symbol }) => symbol).sort()).toEqual(['ADAUSDT', 'ADAUSDT', 'BNBUSDT', 'XRPUSDT']);
        const bots = await ask<{ id: string; name: string }[]>('/bff/v2/auto-trades');
        const holds = bots.find(({ name }) => name === 'Holds')!;
        const detail = await ask<AutoTradeDetail>(`/bff/v2/auto-trades/${holds.id}/detail`);
        expect(detail).toMatchObject({ state: 'Running', positions: [{ state: 'Open', symbol: 'SOLUSDT' }] });
        const alerts = await ask<PriceAlert[]>('/bff/v2/price-alerts');
        expect(alerts.filter(({ state }) => state === 'Armed').length).toBeGreaterThan(1);
        const open = async () => (await ask<{ items: OpenPosition[] }>('/bff/v2/positions/open')).items.map(({ symbol }) => symbol);
        expect(await open()).toContain('ETHUSDT');
        const imports = await ask<{ id: string; fileName: string }[]>('/bff/v2/import-trades/Binance');
        await ask(`/bff/v2/import-trades/Binance/${imports.find(({ fileName }) => fileName === 'trades.csv')?.id}`, 'DELETE');
        expect(await open()).not.toContain('ETHUSDT');
      }));

    test('lets a bot that was disabled trade again', () =>
      onServer(async (served) => {
        const ask = await askAs(served, USER);
        const bots = await ask<{ id: string; name: string }[]>('/bff/v2/auto-trades');
        const path = `/bff/v2/auto-trades/${bots.find(({ name }) => name === 'Disabled')?.id}`;
        await ask(`${path}/enable`, 'POST');
        const isOpen = async () => (await ask<AutoTradeDetail>(`${path}/detail`)).positions.some(({ state }) => state === 'Open');
        await expect
          .poll(async () => {
            served.server.advance(1000);
            await served.simulator.clock.advance(1000);
            return isOpen();
          })
          .toBe(true);
      }));
  });
});
