import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A PostgreSQL server in a temporary folder, for tests. */
export type PostgresProcess = { readonly url: string; readonly stop: () => Promise<void> };

/**
 * Ends PostgreSQL and removes its folder as soon as its own input ends, which happens with the process that started it,
 * by whatever signal that one ends. It has a process group of its own: Ctrl-C must not reach it halfway.
 */
const GUARDIAN = `
  folder=$1; shift
  "$@" </dev/null & postgres=$!
  (cat >/dev/null; kill -INT $postgres 2>/dev/null) <&3 &
  wait $postgres; code=$?
  rm -rf "$folder"
  exit $code
`;

/**
 * Starts a server from Debian's binaries, on a Unix socket, as the user `postgres` when the tests run as root.
 * @returns why there is none, otherwise
 */
export async function startPostgres(): Promise<PostgresProcess | { skipped: string }> {
  const binaries = postgresBinaries();
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
  const settings = ['listen_addresses=', 'fsync=off', 'max_connections=200', 'shared_buffers=32MB'].flatMap((each) => ['-c', each]);
  const server = spawn('sh', ['-c', GUARDIAN, 'sh', folder, join(binaries, 'postgres'), '-D', data, '-k', folder, ...settings], {
    ...owner,
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const stop = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.stdio[3]?.destroy();
    await ended;
  };
  const failure = await readiness(server);
  if (failure !== undefined) {
    await stop();
    return { skipped: failure };
  }
  // It must not keep a worker alive that has nothing more to do.
  server.unref();
  return { url: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`, stop };
}

/** The folder with the programs of the newest PostgreSQL server that is installed. */
export function postgresBinaries(): string | undefined {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return undefined;
  const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
  // A client or a removed server leaves a folder behind that has no `initdb`.
  return versions.map((version) => join(root, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
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
      said = (said + chunk.toString()).slice(-4000);
      if (said.includes('database system is ready to accept connections')) resolve(undefined);
    });
    server.once('exit', (code) => resolve(`postgres ended with ${code}: ${said.slice(-500)}`));
    server.once('error', (error) => resolve(`postgres did not start: ${error.message}`));
  });
}
