// The whole server, from the environment, which ends itself with SIGKILL at one moment: before or after one commit of
// the database, or before or after one request about an order. Counted from when the file `armed` lies in its folder.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { startServer } from '../src/app/server.ts';
import { readSettings } from '../src/app/settings.ts';

const crashAt = Number(process.env.PILOTFISH_CRASH_AT ?? 0);
const settings = readSettings(process.env);
const armed = join(settings.dataDir, 'armed');
let crossed = 0;
let isArmed = false;

function cross(what: string): void {
  isArmed ||= existsSync(armed);
  if (!isArmed) return;
  crossed += 1;
  if (crossed !== crashAt) return;
  writeFileSync(join(settings.dataDir, 'crashed'), `${crossed} ${what}\n`);
  process.kill(process.pid, 'SIGKILL');
}

const { prepare } = Libsql.prototype as { prepare: (this: Libsql.Database, sql: string) => Libsql.Statement };
Libsql.prototype.prepare = function prepareWatched(this: Libsql.Database, sql: string) {
  const statement = prepare.call(this, sql);
  if (!/^\s*commit/i.test(sql)) return statement;
  const run = statement.run.bind(statement) as (...values: unknown[]) => Libsql.RunResult;
  statement.run = function runWatched(...values: unknown[]) {
    cross('before a commit');
    const result = run(...values);
    cross('after a commit');
    return result;
  } as typeof run;
  return statement;
} as typeof Libsql.prototype.prepare;

const { fetch } = globalThis;
globalThis.fetch = async (input, init) => {
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  const watched = /\/api\/v3\/(order|myTrades)$/.test(pathname);
  const what = `${init?.method ?? 'GET'} ${pathname}`;
  if (watched) cross(`before ${what}`);
  const answer = await fetch(input, init);
  if (watched) cross(`after ${what}`);
  return answer;
};

const server = await startServer({ settings, processMetrics: false });
process.once('SIGTERM', () => {
  writeFileSync(join(settings.dataDir, 'crossings'), String(crossed));
  void server.close().then(() => process.exit(0));
});
process.stderr.write(`listening ${server.url}\n`);
