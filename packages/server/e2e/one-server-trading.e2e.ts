import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { findPostgres } from '../src/database/postgres-fixture.ts';
import { botStageOfEachTest } from './bot-stage.ts';

// A bot at work while its server's hold on PostgreSQL is away, or goes to another server. The market stands still.

const before = process.env.PILOTFISH_TEST_DIALECT;
let beside: pg.Client;
let inside: pg.Client;

beforeAll(async () => {
  const found = await findPostgres();
  if ('skipped' in found) console.warn(`SKIPPED: ${found.skipped}`);
  else await found.postgres.stop();
  process.env.PILOTFISH_TEST_DIALECT = 'postgres' in found ? 'postgres' : 'sqlite';
});
afterAll(() => {
  if (before === undefined) delete process.env.PILOTFISH_TEST_DIALECT;
  else process.env.PILOTFISH_TEST_DIALECT = before;
});

const stage = botStageOfEachTest({ wallet: '5000' });
const { enabled, until, isIn, detail, story, ordersAtExchange } = stage;

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'pilotfish, the other one' });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
beforeEach(async (context) => {
  const { databaseUrl } = stage.server.context.settings;
  if (databaseUrl === undefined) return context.skip('no PostgreSQL');
  inside = await connected(databaseUrl);
  const other = new URL(databaseUrl);
  other.pathname = '/postgres';
  beside = await connected(other.href);
});
afterEach(async () => {
  await inside?.end();
  await beside?.end();
});

const admitConnections = (admitted: boolean) =>
  beside.query(
    `alter database ${new URL(stage.server.context.settings.databaseUrl!).pathname.slice(1)} with allow_connections ${admitted}`,
  );
/** The session that holds the database is ended, and no new one begins until it is admitted. */
async function takeAway(): Promise<void> {
  await admitConnections(false);
  await inside.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like 'pilotfish server on %'`);
  await until('the hold being away', async () => !stage.server.context.lease.held(), 0);
}
const sell = async (id: string, positionId: string) =>
  expect((await stage.user.call(`/bff/v2/auto-trades/${id}/positions/${positionId}/sell`, { method: 'POST', body: {} })).status).toBe(200);

const keptBack = () => stage.server.logged().split('an order is kept back').length - 1;

test('while the hold is away nothing is signed; what is to be sold leaves when it is back', async () => {
  const bot = await enabled();
  await until('an open position', isIn(bot, 'Open'));
  const { id } = (await detail(bot)).positions[0]!;
  await takeAway();
  await sell(bot.id, id);
  await until('the order being decided', isIn(bot, 'ExitPending'), 0);
  await until('it being kept back', async () => keptBack() >= 3, 0);
  expect(await ordersAtExchange()).toHaveLength(1);
  // By hand neither.
  const cancelled = await stage.user.call<{ detail?: string }>('/bff/v2/orders/Binance/BTCUSDT/1', { method: 'DELETE' });
  expect(cancelled.status).toBe(502);
  expect(cancelled.body.detail).toContain('may not be the only one');
  await admitConnections(true);
  await until('the sale', async () => (await story(bot)).includes('Exit Manual'), 0);
  expect(await ordersAtExchange()).toHaveLength(2);
});
test('PostgreSQL restarts in the middle of everything: what is to be sold leaves when it is back', async () => {
  const uncaught: Error[] = [];
  const note = (error: Error) => uncaught.push(error);
  process.on('uncaughtExceptionMonitor', note);
  onTestFinished(() => void process.off('uncaughtExceptionMonitor', note));
  const bot = await enabled();
  await until('an open position', isIn(bot, 'Open'));
  const { id } = (await detail(bot)).positions[0]!;
  await sell(bot.id, id);
  // Whatever the sale is at.
  await admitConnections(false);
  await inside.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name in (
    'pilotfish', (select application_name from pg_stat_activity
      where datname = current_database() and application_name like 'pilotfish server on %' limit 1))`);
  await until('the hold being away', async () => !stage.server.context.lease.held(), 0);
  // Nobody is signed out by it: it is not the session that is refused.
  const asked = async () => (await stage.user.call<{ code?: string; retryAfter?: number }>('/bff/v2/auto-trades')).body;
  await until('an answer without the database', async () => (await asked()).code === 'database-unreachable', 0);
  expect(await asked()).toMatchObject({ status: 503, retryAfter: 2 });
  await admitConnections(true);
  // A connection that was lost without its server having noticed yet may still be asked.
  const seen = () =>
    story(bot).catch((error: Error) => {
      if (!error.message.includes('database-unreachable')) throw error;
      return [] as string[];
    });
  await until('the sale', async () => (await seen()).includes('Exit Manual'), 0);
  expect(await ordersAtExchange()).toHaveLength(2);
  expect(uncaught).toEqual([]);
});
test('taken by another server meanwhile: this one signs nothing any more and ends', async () => {
  const bot = await enabled();
  await until('an open position', isIn(bot, 'Open'));
  const { id } = (await detail(bot)).positions[0]!;
  await takeAway();
  await sell(bot.id, id);
  await inside.query(`select pg_advisory_lock(x'50464953'::int, hashtext(current_schema()))`);
  await admitConnections(true);
  await until('its end', async () => stage.server.logged().includes('this one trades no more'), 0);
  await until(
    'its port being closed',
    () =>
      fetch(`${stage.server.url}/healthz`).then(
        () => false,
        () => true,
      ),
    0,
  );
  expect(stage.server.logged()).toContain('pilotfish, the other one');
  expect(await ordersAtExchange()).toHaveLength(1);
});
