import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { testMarket } from '@pilotfish/simulator/testing/test-market';
import pg from 'pg';
import { startTestServer, type TestServer } from '../../app/testing/test-server.ts';
import type { Dialect } from '../database.ts';
import { sqliteFile } from '../sqlite.ts';
import type { FixtureView } from './fixture-view.ts';

/** What a fixture says of itself, beside the database. */
export type FixtureFacts = {
  /** The version that wrote it. */
  readonly version: string;
  /** The time of its last row, epoch ms. */
  readonly endedAt: number;
  readonly users: readonly FixtureUser[];
  /** Rows of every table. */
  readonly counts: Readonly<Record<string, number>>;
  /** What its users see, as the version that wrote it answered. */
  readonly view: FixtureView;
};
export type FixtureUser = {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly secretKey: string;
  readonly recoveryCodes: readonly string[];
  readonly refreshToken: string;
};

const FIXTURES = fileURLToPath(new URL('../../../fixtures', import.meta.url));
const FACTS = 'facts.json';
const EXCHANGE = 'exchange.jsonl.gz';
const databaseName = (dialect: Dialect) => (dialect === 'sqlite' ? 'pilotfish.db.gz' : 'pilotfish.sql.gz');

export const fixtureFolder = (version: string, dialect: Dialect): string => join(FIXTURES, version, dialect);
/** Versions that left a fixture, oldest first. */
export const fixtureVersions = (): string[] => readdirSync(FIXTURES).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
export const readFacts = (folder: string): FixtureFacts => JSON.parse(readFileSync(join(folder, FACTS), 'utf8')) as FixtureFacts;

/** Level 9 and no time stamp: the same contents make the same file. */
const packed = (contents: Uint8Array): Buffer => gzipSync(contents, { level: 9 });

/** Writes the files of a fixture. `database` is a SQLite file or the SQL text of a PostgreSQL database. */
export function writeFixture(
  folder: string,
  dialect: Dialect,
  parts: { readonly database: Uint8Array; readonly masterKey: string; readonly journal: Uint8Array; readonly facts: FixtureFacts },
): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, databaseName(dialect)), packed(parts.database));
  writeFileSync(join(folder, EXCHANGE), packed(parts.journal));
  copyFileSync(parts.masterKey, join(folder, 'master.key'));
  writeFileSync(join(folder, FACTS), `${JSON.stringify(parts.facts, null, 1)}\n`);
}

/** A copy of a fixture that can be opened and changed. */
export type FixtureCopy = {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly exchangeFolder: string;
  readonly remove: () => void;
};

/** @param createDatabase makes an empty PostgreSQL database and answers its URL */
export async function copyFixture(folder: string, createDatabase: (() => Promise<string>) | undefined): Promise<FixtureCopy> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pilotfish-copy-'));
  const exchangeFolder = join(dataDir, 'exchange');
  mkdirSync(exchangeFolder);
  const contents = (name: string) => gunzipSync(readFileSync(join(folder, name)));
  writeFileSync(join(exchangeFolder, 'journal.jsonl'), contents(EXCHANGE));
  copyFileSync(join(folder, 'master.key'), join(dataDir, 'master.key'));
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  if (createDatabase === undefined) {
    writeFileSync(sqliteFile(dataDir), contents(databaseName('sqlite')));
    return { dataDir, databaseUrl: undefined, exchangeFolder, remove };
  }
  const databaseUrl = await createDatabase();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(contents(databaseName('postgres')).toString('utf8'));
  } finally {
    await client.end();
  }
  return { dataDir, databaseUrl, exchangeFolder, remove };
}

/** A whole server on a copy, with the exchange that its keys belong to. The market stands where it was left. */
export async function serveFixture(
  copy: FixtureCopy,
  endedAt: number,
): Promise<{ server: TestServer; simulator: Simulator; readonly close: () => Promise<void> }> {
  let server: TestServer | undefined;
  const simulator = await startSimulator({
    market: testMarket(7),
    paused: true,
    storageFolder: copy.exchangeFolder,
    now: () => server?.now() ?? endedAt,
  });
  const { dataDir, databaseUrl } = copy;
  const origins = { exchangeRestUrl: simulator.origin, exchangeWsUrl: simulator.wsOrigin };
  const running = await startTestServer({ now: endedAt, settings: { dataDir, databaseUrl, ...origins } });
  server = running;
  const close = async () => {
    await running.close();
    await simulator.close();
  };
  return { server: running, simulator, close };
}
