// `npm run fixture`: makes the database fixture of this version. See CONTRIBUTING.md, "When a version is released".
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { sql } from 'kysely';
import type { SignedInUser } from '../src/app/testing/test-server.ts';
import { VERSION } from '../src/app/version.ts';
import { type Dialect, openDatabase } from '../src/database/database.ts';
import { findPostgres } from '../src/database/postgres-fixture.ts';
import { postgresBinaries } from '../src/database/postgres-process.ts';
import { copyFixture, type FixtureFacts, serveFixture, writeFixture } from '../src/database/testing/fixture-files.ts';
import { viewOfAdmin, viewOfUser } from '../src/database/testing/fixture-view.ts';
import { uuidGenerator } from '../src/database/uuid.ts';
import { masterKeyFile } from '../src/secrets/master-key.ts';
import { accountsStory, changeTheKey, channelsStory, instanceStory } from './fixture-accounts.ts';
import { alertsStory, positionsStory } from './fixture-positions.ts';
import { addRareRows, countsOf, dropMostCandles, missingIn } from './fixture-rows.ts';
import { openFixtureStage } from './fixture-stage.ts';
import { tradingStory } from './fixture-trading.ts';

/** Where fixtures are kept. */
const [, , fixtures = ''] = process.argv;

const ADMIN = { username: 'ada', email: 'ada@example.com', password: 'deep water and old wood' };
const USER = { username: 'ben', email: 'ben@example.com', password: 'an other shore of it' };

/** A life of an instance, driven as its users would, up to a moment at which the process ends. */
async function live(databaseUrl: string | undefined) {
  const stage = await openFixtureStage(databaseUrl);
  const { server, ask, simulator } = stage;
  try {
    const admin = await server.register(ADMIN);
    const user = await server.register(USER);
    await changeTheKey(stage);
    await accountsStory(stage, admin);
    await channelsStory(stage, user);
    const { apiKey, apiSecret } = await simulator.createAccount({ balances: { USDT: '20000', BNB: '2' } });
    await ask(user, '/gateway/v2/account/connect/binance', { body: { clientId: apiKey, clientSecret: apiSecret } });
    const wallet = await ask<Wallet>(user, '/bff/v2/wallets', { body: { name: 'Main', mode: 'live', initialBalance: '10000' } });
    await ask(user, '/bff/v2/wallets', { body: { name: 'Paper', mode: 'paper', initialBalance: '5000' } });
    const trading = tradingStory(stage, user, wallet);
    await trading.run();
    const conditions = { match: 'all', rules: [{ key: 'price', operation: 'gt', value: 1 }] };
    const filter = { body: { name: 'Liquid', conditions, minAgeDays: 0 }, headers: { 'idempotency-key': 'fixture-coin-filter' } };
    const { id } = await ask<{ id: string }>(user, '/bff/v2/coin-filters', filter);
    await ask(user, `/bff/v2/coin-filters/${id}/coins`);
    const template = { name: 'Ladder', settings: { entry: {}, stopLoss: { mode: 'percent', pct: '5' } } };
    await ask(user, '/bff/v2/auto-trades/templates', { body: template });
    await ask(user, '/bff/v2/estimated-balance');
    await ask(user, '/bff/v1/candles/BTCUSDT?interval=1h');
    await positionsStory(stage, user);
    await alertsStory(stage, user, id);
    await trading.protect();
    await instanceStory(stage, admin);
    const { queries } = server.context.database;
    const isTold = async () => (await queries.selectFrom('position_breakages').select('code').execute()).length > 0;
    await stage.until('the breakage of a position', isTold);
    for (const each of [admin, user]) each.session = await server.signIn(each);
    const last = { stage, users: [admin, user], endedAt: server.now() };
    return last;
  } finally {
    await stage.close();
  }
}

const factsOf = ({ username, email, password, secretKey, recoveryCodes, session }: SignedInUser) => ({
  username,
  email,
  password,
  secretKey,
  recoveryCodes,
  refreshToken: session.refreshToken,
});

/** The whole database as SQL that a client can run in one go. */
function dumped(databaseUrl: string): Buffer {
  const options = ['--inserts', '--rows-per-insert=50', '--no-owner', '--no-privileges', '--dbname', databaseUrl];
  const text = execFileSync(join(postgresBinaries() ?? '', 'pg_dump'), options, { maxBuffer: 1 << 28 }).toString('utf8');
  // Commands of psql, one of them with a random word in it.
  return Buffer.from(text.replaceAll(/^\\(?:un)?restrict .*$/gm, '').replaceAll(/^-- Dumped .*$/gm, ''));
}

async function make(dialect: Dialect, createDatabase: (() => Promise<string>) | undefined): Promise<void> {
  const databaseUrl = await createDatabase?.();
  const { stage, users, endedAt } = await live(databaseUrl);
  const { dataDir, exchangeFolder } = stage;
  const database = await (await openDatabase({ dataDir, databaseUrl })).forMarket('simulated');
  await dropMostCandles(database);
  await addRareRows(
    database,
    uuidGenerator(() => endedAt, randomBytes),
  );
  const missing = await missingIn(database.queries);
  if (missing.length > 0) throw new Error(`The fixture lacks ${missing.join(', ')}.`);
  const counts = await countsOf(database.queries);
  const compact = join(dataDir, 'compact.db');
  if (dialect === 'sqlite') await sql`vacuum into ${sql.lit(compact)}`.execute(database.queries);
  await database.close();

  const folder = join(fixtures, VERSION, dialect);
  const facts: FixtureFacts = { version: VERSION, endedAt, users: users.map(factsOf), counts, view: {} };
  const parts = {
    database: databaseUrl === undefined ? readFileSync(compact) : dumped(databaseUrl),
    masterKey: masterKeyFile(dataDir),
    journal: readFileSync(join(exchangeFolder, 'journal.jsonl')),
  };
  writeFixture(folder, dialect, { ...parts, facts });
  // What its users see is read by the way the test reads it: from a copy, by a server that was started on it.
  const copy = await copyFixture(folder, createDatabase);
  const served = await serveFixture(copy, endedAt);
  const view: Record<string, unknown> = {};
  for (const [index, user] of users.entries()) {
    const { accessToken } = await served.server.signIn(user);
    const ask = async <Body>(path: string) => (await served.server.call<Body>(path, { token: accessToken })).body;
    view[user.username] = index === 0 ? await viewOfAdmin(ask) : await viewOfUser(ask, endedAt);
  }
  await served.close();
  copy.remove();
  writeFixture(folder, dialect, { ...parts, facts: { ...facts, view } });
  for (const each of [dataDir, exchangeFolder]) rmSync(each, { recursive: true, force: true });
}

const found = await findPostgres();
if ('skipped' in found) throw new Error(`No PostgreSQL: ${found.skipped}`);
try {
  await make('sqlite', undefined);
  await make('postgres', found.postgres.createDatabase);
} finally {
  await found.postgres.stop();
}
