// The whole server, from the environment, which ends itself with SIGKILL at one moment of the second month of candles
// that it stores.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { startServer } from '../src/app/server.ts';
import { readSettings } from '../src/app/settings.ts';

const moment = process.env.PILOTFISH_CRASH_AT ?? '';
const die = (): void => void process.kill(process.pid, 'SIGKILL');
/** Months whose file was begun. */
let begun = 0;
const isNow = (where: string): boolean => where === moment && begun === 2;

const { open, rename } = fs.promises;
fs.promises.open = async (path, ...how) => {
  const file = await open(path, ...how);
  if (!String(path).includes('.part-')) return file;
  begun += 1;
  const write = file.writeFile.bind(file);
  file.writeFile = async (data, ...more) => {
    if (!isNow('in its file')) return write(data, ...more);
    await write((data as Buffer).subarray(0, (data as Buffer).length / 2));
    await file.sync();
    die();
  };
  return file;
};
fs.promises.rename = async (from, to) => {
  if (isNow('before its file has its name')) die();
  await rename(from, to);
  if (isNow('after its file has its name')) die();
};
syncBuiltinESMExports();

const { fetch } = globalThis;
globalThis.fetch = async (input, init) => {
  const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input);
  const answer = await fetch(input, init);
  // One month is stored, and of the next one the first page has come.
  if (pathname === '/api/v3/klines' && searchParams.get('interval') === '30m' && begun === 1) {
    asked += 1;
    if (moment === 'between its pages' && asked === 2) die();
  }
  return answer;
};
let asked = 0;

const server = await startServer({ settings: readSettings(process.env), processMetrics: false });
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)));
process.stderr.write(`listening ${server.url}\n`);
