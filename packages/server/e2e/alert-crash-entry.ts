// The whole server, from the environment, which ends itself with SIGKILL at one moment in the life of a firing. Armed
// once the file `armed` lies in its folder. PILOTFISH_AHEAD_MS moves its clock.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { startServer } from '../src/app/server.ts';
import { readSettings } from '../src/app/settings.ts';

const moment = process.env.PILOTFISH_CRASH_AT ?? '';
const ahead = Number(process.env.PILOTFISH_AHEAD_MS ?? 0);
const settings = readSettings(process.env);
const armed = join(settings.dataDir, 'armed');

function reach(where: string): void {
  if (where !== moment || !existsSync(armed)) return;
  writeFileSync(join(settings.dataDir, 'crashed'), where);
  process.kill(process.pid, 'SIGKILL');
}

let isFiring = false;
const { prepare } = Libsql.prototype as { prepare: (this: Libsql.Database, sql: string) => Libsql.Statement };
Libsql.prototype.prepare = function prepareWatched(this: Libsql.Database, sql: string) {
  if (sql.startsWith('insert into "price_alert_firings"')) isFiring = true;
  // What was claimed is looked up before it is sent, and noted as sent after that.
  if (/^select .* from "notification_deliveries" as "delivery"/.test(sql)) reach('before its sending');
  if (sql.startsWith('update "notification_deliveries" set "state"')) reach('after its sending');
  const statement = prepare.call(this, sql);
  if (!isFiring || !/^\s*commit/i.test(sql)) return statement;
  const run = statement.run.bind(statement) as (...values: unknown[]) => Libsql.RunResult;
  statement.run = function runWatched(...values: unknown[]) {
    reach('before its commit');
    const result = run(...values);
    isFiring = false;
    reach('after its commit');
    return result;
  } as typeof run;
  return statement;
} as typeof Libsql.prototype.prepare;

const server = await startServer({ settings, processMetrics: false, now: () => Date.now() + ahead });
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)));
process.stderr.write(`listening ${server.url}\n`);
