import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** A PostgreSQL server for tests: databases are made and dropped freely. */
export type TestPostgres = {
  /** URL of a new, empty database. */
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
};

export type PostgresOrReason = { postgres: TestPostgres } | { skipped: string };

/**
 * `TEST_DATABASE_URL` names a server whose user may create databases; otherwise one is started from Debian's
 * binaries in a temporary folder, on a Unix socket, as the user `postgres` when the tests run as root.
 */
export async function findPostgres(): Promise<PostgresOrReason> {
  const given = process.env.TEST_DATABASE_URL;
  if (given !== undefined && given !== '') return { postgres: on(given, async () => undefined) };
  const binaries = installedBinaries();
  if (binaries === undefined) return { skipped: 'no TEST_DATABASE_URL and no PostgreSQL under /usr/lib/postgresql' };
  const owner = unprivilegedUser();
  if (owner === 'none') return { skipped: 'running as root and there is no user "postgres" to run PostgreSQL as' };

  const folder = mkdtempSync(join(tmpdir(), 'pilotfish-pg-'));
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  try {
    execFileSync(join(binaries, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'], {
      ...owner,
      cwd: folder,
      stdio: 'pipe',
    });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    return { skipped: `initdb failed: ${(error as Error).message}` };
  }
  const server = spawn(
    join(binaries, 'postgres'),
    ['-D', data, '-k', folder, '-c', 'listen_addresses=', '-c', 'fsync=off', '-c', 'max_connections=60', '-c', 'shared_buffers=16MB'],
    { ...owner, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const killAtExit = () => server.kill('SIGKILL');
  process.once('exit', killAtExit);
  const stop = async () => {
    process.off('exit', killAtExit);
    if (server.exitCode === null && server.signalCode === null) {
      server.kill('SIGINT');
      await once(server, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  };
  const failure = await readiness(server);
  if (failure !== undefined) {
    await stop();
    return { skipped: failure };
  }
  return { postgres: on(`postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`, stop) };
}

function installedBinaries(): string | undefined {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return undefined;
  const newest = readdirSync(root).sort((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? undefined : join(root, newest, 'bin');
}

/** PostgreSQL refuses to run as root. */
function unprivilegedUser(): { uid: number; gid: number } | undefined | 'none' {
  if (process.getuid?.() !== 0) return undefined;
  try {
    const ask = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { stdio: 'pipe' }).toString());
    return { uid: ask('-u'), gid: ask('-g') };
  } catch {
    return 'none';
  }
}

/** Waits for the server's own "ready" line; answers why it failed otherwise. */
function readiness(server: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    let said = '';
    server.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('database system is ready to accept connections')) resolve(undefined);
    });
    server.once('exit', (code) => resolve(`postgres ended with ${code}: ${said.slice(-500)}`));
    server.once('error', (error) => resolve(`postgres did not start: ${error.message}`));
  });
}

function on(serverUrl: string, stop: () => Promise<void>): TestPostgres {
  const made: string[] = [];
  const admin = async (statements: string[]) => {
    const client = new pg.Client({ connectionString: serverUrl });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  };
  return {
    createDatabase: async () => {
      const name = `pilotfish_test_${randomBytes(6).toString('hex')}`;
      await admin([`create database ${name}`]);
      made.push(name);
      const url = new URL(serverUrl);
      url.pathname = `/${name}`;
      return url.href;
    },
    stop: async () => {
      await admin(made.map((name) => `drop database if exists ${name} with (force)`));
      await stop();
    },
  };
}
