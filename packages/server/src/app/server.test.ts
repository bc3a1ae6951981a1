import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSqlite, sqliteFile } from '../database/sqlite.ts';
import { masterKeyFile } from '../secrets/master-key.ts';
import type { Feature } from './feature.ts';
import { accountFeatures } from './features.ts';
import { createLog } from './log.ts';
import { type RunningServer, type ServerOptions, startServer } from './server.ts';
import { readSettings, type Settings } from './settings.ts';
import { startTestServer } from './testing/test-server.ts';

let folder: string;
let running: RunningServer[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-start-'));
});
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const log = createLog('silent');
const start = async (
  more: Partial<Settings> = {},
  features: Feature[] = [],
  options: Partial<ServerOptions> = {},
): Promise<RunningServer> => {
  const settings = { ...readSettings({ PILOTFISH_PORT: '0', PILOTFISH_DATA_DIR: folder }), ...more };
  const server = await startServer({ settings, log, processMetrics: false, features: async () => features, ...options });
  running = [...running, server];
  return server;
};

const sizeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.size;
/** Another file of the name: this process may still hold the one of before. */
const zeroed = (file: string): void => {
  rmSync(file);
  writeFileSync(file, '');
};
/** A healthy database without a table, as a start leaves it that ended at once. */
const emptied = (file: string): void => {
  rmSync(file);
  openSqlite(file).close();
};

describe('starting', () => {
  test('an empty folder becomes a data folder: database, key file, lock', async () => {
    const { url } = await start({ dataDir: join(folder, 'deep', 'data') });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    for (const name of ['pilotfish.db', 'master.key', 'pilotfish.pid'])
      expect(existsSync(join(folder, 'deep', 'data', name)), name).toBe(true);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  test('a port in use is named', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as { port: number };
    await expect(start({ port })).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is in use by another program. Stop that one, or name another port by PILOTFISH_PORT.`,
    );
    blocker.close();
    // Nothing is left behind: the folder can be used at once.
    await start();
  });

  test('an address that is not ours is named', async () => {
    await expect(start({ host: '192.0.2.1' })).rejects.toThrow('does not belong to this machine');
  });

  test('a second start on the same folder says who runs there', async () => {
    await start();
    await expect(start()).rejects.toThrow(`already running (pid ${process.pid})`);
  });

  test('a folder that cannot be written is named', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    await expect(start({ dataDir: join(file, 'data') })).rejects.toThrow(/data folder .*cannot be written \(ENOTDIR\)/);
    if (process.getuid?.() !== 0) {
      const closed = join(folder, 'closed');
      mkdirSync(closed);
      chmodSync(closed, 0o500);
      await expect(start({ dataDir: closed })).rejects.toThrow(/cannot be written \(EACCES\)/);
    } else await expect(start({ dataDir: '/proc/pilotfish' })).rejects.toThrow(/data folder \/proc\/pilotfish cannot be written/);
  });

  test('a database without its key file does not start, and nothing is made', async () => {
    await (await start()).close();
    rmSync(masterKeyFile(folder));
    const before = readFileSync(sqliteFile(folder));
    await expect(start()).rejects.toThrow(/The database exists but its key file .*master\.key is missing/);
    expect(existsSync(masterKeyFile(folder))).toBe(false);
    expect(readFileSync(sqliteFile(folder)).equals(before)).toBe(true);
  });

  test.each([
    ['missing', () => rmSync(sqliteFile(folder)), 'is missing'],
    ['a file of no bytes', () => zeroed(sqliteFile(folder)), 'is empty'],
    ['without a table', () => emptied(sqliteFile(folder)), 'the database is empty'],
  ])('a database that is %s beside a key file does not start, and nothing is made', async (_what, lose, found) => {
    await (await start()).close();
    for (const part of ['-wal', '-shm']) rmSync(`${sqliteFile(folder)}${part}`, { force: true });
    lose();
    const [bytes, key] = [sizeOf(sqliteFile(folder)), readFileSync(masterKeyFile(folder))];
    await expect(start()).rejects.toThrow(found);
    await expect(start()).rejects.toThrow(/holds a key file, but .*"pilotfish restore".*"pilotfish serve --fresh"/);
    expect(sizeOf(sqliteFile(folder))).toBe(bytes);
    const { url } = await start({}, [], { fresh: true });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(readFileSync(masterKeyFile(folder)).equals(key)).toBe(true);
  });

  test('a missing database beside accounts of the simulated exchange does not start; an empty folder of them is none', async () => {
    mkdirSync(join(folder, 'exchange'));
    await (await start()).close();
    for (const name of ['pilotfish.db', 'master.key']) rmSync(join(folder, name));
    for (const part of ['-wal', '-shm']) rmSync(`${sqliteFile(folder)}${part}`, { force: true });
    writeFileSync(join(folder, 'exchange', 'journal'), '{}');
    await expect(start()).rejects.toThrow(/holds accounts of the simulated exchange, but the database .* is missing/);
    await start({}, [], { fresh: true });
  });

  test('a damaged database does not start and is not touched', async () => {
    await (await start()).close();
    const damaged = randomBytes(50_000);
    writeFileSync(sqliteFile(folder), damaged);
    await expect(start()).rejects.toThrow(/damaged .*Nothing was changed; restore a backup/);
    expect(readFileSync(sqliteFile(folder)).equals(damaged)).toBe(true);
  });

  test('a PostgreSQL server that does not answer is named without its password', async () => {
    const attempt = start({ databaseUrl: 'postgres://ann:canary@127.0.0.1:1/nowhere' });
    await expect(attempt).rejects.toThrow(/PostgreSQL server of DATABASE_URL does not answer/);
    await expect(attempt).rejects.not.toThrow('canary');
  });
});

describe('the lock', () => {
  const HOLDER = `
    import Libsql from 'libsql';
    import { writeFileSync } from 'node:fs';
    const lock = new Libsql(process.argv[2] + '/pilotfish.lock');
    lock.exec('BEGIN EXCLUSIVE');
    writeFileSync(process.argv[2] + '/pilotfish.pid', String(process.pid));
    process.send('held');
    setInterval(() => lock.inTransaction, 1000);
  `;

  test('of a killed process is no lock, whatever its pid file says', async () => {
    // Beside this file, so that the library is found.
    const script = new URL(`./.lock-holder-${process.pid}.mjs`, import.meta.url);
    writeFileSync(script, HOLDER);
    let child: ChildProcess | undefined;
    try {
      child = fork(script, [folder], { execArgv: [] });
      await once(child, 'message');
      await expect(start()).rejects.toThrow(`already running (pid ${child.pid})`);
      child.kill('SIGKILL');
      await once(child, 'exit');
      await start();
    } finally {
      child?.kill('SIGKILL');
      rmSync(script);
    }
  });
});

describe('stopping', () => {
  test('features stop in reverse order, after the last call has ended and the port is closed', async () => {
    const events: string[] = [];
    let release: () => void = () => undefined;
    let entered: () => void = () => undefined;
    const inside = new Promise<void>((resolve) => {
      entered = resolve;
    });
    const feature = (name: string, handlers: Feature['handlers'] = {}): Feature => ({
      handlers,
      start: async () => void events.push(`start ${name}`),
      stop: async () => void events.push(`stop ${name}`),
    });
    const slow: Feature['handlers'] = {
      listTags: async () => {
        entered();
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        events.push('answered');
        return [];
      },
    };
    const server = await start({}, [feature('a', slow), feature('b')]);
    const call = fetch(`${server.url}/bff/v1/tags`);
    await inside;
    const closing = server.close();
    release();
    expect((await call).status).toBe(200);
    await closing;
    expect(events).toEqual(['start a', 'start b', 'answered', 'stop b', 'stop a']);
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
  });

  test('a feature that cannot start stops those before it and frees the folder', async () => {
    const events: string[] = [];
    const good: Feature = { handlers: {}, stop: async () => void events.push('stopped') };
    const bad: Feature = {
      handlers: {},
      start: async () => {
        throw new Error('no market');
      },
    };
    await expect(start({}, [good, bad])).rejects.toThrow('no market');
    expect(events).toEqual(['stopped']);
    await start();
  });

  test('whatever fails once features are made stops them, so that the process ends', async () => {
    const events: string[] = [];
    const made: Feature = { handlers: {}, stop: async () => void events.push('stopped') };
    await expect(start({ trustProxy: ['no address'] }, [made])).rejects.toThrow('invalid IP address');
    expect(events).toEqual(['stopped']);
  });

  test('closing twice is closing once', async () => {
    const server = await start();
    await Promise.all([server.close(), server.close()]);
    await server.close();
  });
});

test('what was acknowledged is there after a restart', async () => {
  const server = await startTestServer({ features: accountFeatures });
  const user = await server.register();
  await server.restart();
  expect((await user.call('/bff/v2/account')).body).toMatchObject({ username: user.username });
  await server.close();
});
