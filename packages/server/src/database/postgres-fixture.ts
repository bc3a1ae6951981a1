import { createHash, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { openDatabase } from './database.ts';
import { MIGRATIONS } from './migrations.ts';
import { startPostgres } from './postgres-process.ts';

/** A PostgreSQL server for tests: databases are made and dropped freely. */
export type TestPostgres = {
  /** URL of a new, empty database. */
  readonly createDatabase: () => Promise<string>;
  /** URL of a new database with every table of the product: a copy of one that was migrated once. */
  readonly createMigratedDatabase: () => Promise<string>;
  readonly dropDatabase: (url: string) => Promise<void>;
  /** Drops what was made here; ends the server if it is of this caller alone. */
  readonly stop: () => Promise<void>;
};

export type PostgresOrReason = { postgres: TestPostgres } | { skipped: string };

/** The port of loopback on which `scripts/postgres-setup.ts` answers the URL of the server of this run. */
export const POSTGRES_DOOR = 'PILOTFISH_POSTGRES_DOOR';

/**
 * `TEST_DATABASE_URL` names a server whose user may create databases. Otherwise there is one for each run of the tests,
 * which is started when the first file asks for it; a program that is no test gets one of its own.
 */
export async function findPostgres(): Promise<PostgresOrReason> {
  const given = process.env.TEST_DATABASE_URL;
  if (given !== undefined && given !== '') return { postgres: on(given, async () => undefined) };
  const door = process.env[POSTGRES_DOOR];
  if (door !== undefined) {
    const answer = JSON.parse(await text(connect(Number(door), '127.0.0.1'))) as { url: string } | { skipped: string };
    return 'skipped' in answer ? answer : { postgres: on(answer.url, async () => undefined) };
  }
  const started = await startPostgres();
  return 'skipped' in started ? started : { postgres: on(started.url, started.stop) };
}

/** One per set of migrations: a server that outlives a run may know those of another branch. */
const templateName = (): string =>
  `pilotfish_template_${createHash('sha256').update(Object.keys(MIGRATIONS).join()).digest('hex').slice(0, 12)}`;
const TEMPLATE_LOCK = 4600;

function on(serverUrl: string, stop: () => Promise<void>): TestPostgres {
  const made = new Set<string>();
  const urlOf = (name: string): string => {
    const url = new URL(serverUrl);
    url.pathname = `/${name}`;
    return url.href;
  };
  async function asAdmin<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const client = new pg.Client({ connectionString: serverUrl });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
  async function create(client: pg.Client, from = ''): Promise<string> {
    const name = `pilotfish_test_${randomBytes(6).toString('hex')}`;
    await client.query(`create database ${name} ${from}`);
    made.add(name);
    return urlOf(name);
  }
  /** Made by the first worker that needs it. It gets its name when it is whole, so that a killed run leaves no half one. */
  async function ensureTemplate(client: pg.Client, name: string): Promise<void> {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    try {
      const known = await client.query('select 1 from pg_database where datname = $1', [name]);
      if (known.rowCount !== 0) return;
      await client.query(`drop database if exists ${name}_new`);
      await client.query(`create database ${name}_new`);
      await (await openDatabase({ dataDir: '', databaseUrl: urlOf(`${name}_new`) })).close();
      await client.query(`alter database ${name}_new rename to ${name}`);
    } finally {
      await client.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
    }
  }
  const drop = async (client: pg.Client, name: string): Promise<void> => {
    await client.query(`drop database if exists ${name} with (force)`);
    made.delete(name);
  };
  return {
    createDatabase: () => asAdmin((client) => create(client)),
    createMigratedDatabase: () =>
      asAdmin(async (client) => {
        const name = templateName();
        await ensureTemplate(client, name);
        return create(client, `template ${name}`);
      }),
    dropDatabase: (url) => asAdmin((client) => drop(client, new URL(url).pathname.slice(1))),
    stop: async () => {
      if (made.size > 0)
        await asAdmin(async (client) => {
          for (const name of made) await drop(client, name);
        });
      await stop();
    },
  };
}
