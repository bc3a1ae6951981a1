import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { realTimers } from '@pilotfish/core/time/timers';
import { openDatabase } from '../src/database/database.ts';
import { uuidGenerator } from '../src/database/uuid.ts';
import { ledgerStore } from '../src/positions/ledger-store.ts';
import { importService } from '../src/trade-import/import-service.ts';

// A trade history of 500,000 rows, previewed, imported, imported again, and taken back: seconds, memory, how long the
// process could not answer anybody else, and how long a bot waits that wants to write one step meanwhile.
const ROWS = Number(process.argv[2] ?? 500_000);
const folder = mkdtempSync(join(tmpdir(), 'pilotfish-bench-'));
const database = await (await openDatabase({ dataDir: folder })).forMarket('simulated');
const newId = uuidGenerator(Date.now, (count) => crypto.getRandomValues(new Uint8Array(count)));
const accountId = newId();
const values = {
  id: accountId,
  username: 'x',
  username_key: 'x',
  email: 'x',
  email_key: 'x',
  email_confirmed: 0,
  password_hash: '',
  phone: null,
} as const;
await database.queries
  .insertInto('accounts')
  .values({ ...values, phone_confirmed: 0, two_factor_confirmed: 1, totp_secret: null, language: 'en', created_at: 0, updated_at: 0 })
  .execute();

const start = Date.UTC(2021, 0, 1);
async function* file(): AsyncGenerator<Buffer> {
  yield Buffer.from('Date(UTC),Pair,Side,Price,Executed,Amount,Fee\n');
  for (let row = 0; row < ROWS; row += 1000) {
    let text = '';
    for (let index = row; index < row + 1000; index += 1) {
      const time = new Date(start + index * 250_000).toISOString().slice(0, 19).replace('T', ' ');
      const quantity = (1 + (index % 97)) / 1000;
      text += `${time},BTCUSDT,${index % 2 ? 'SELL' : 'BUY'},50000,${quantity}BTC,${(quantity * 50_000).toFixed(2)}USDT,0.01USDT\n`;
    }
    yield Buffer.from(text);
  }
}
const service = importService(
  { database, now: Date.now, timers: realTimers, newId, stream: { publish: () => {} } as never, log: { error: console.error } as never },
  {
    market: { pairs: () => [{ symbol: 'BTCUSDT', baseAsset: 'BTC', quoteAsset: 'USDT' }] as never },
    store: ledgerStore(database),
    rates: { load: async () => () => undefined },
    valueLater: () => {},
    reconcile: async () => undefined,
  },
);
globalThis.gc?.();
console.log(`before: ${Math.round(process.memoryUsage().rss / 1e6)} MB`);
let peak = 0;
let longest = 0;
let last = performance.now();
const watch = setInterval(() => {
  const now = performance.now();
  longest = Math.max(longest, now - last - 5);
  last = now;
  peak = Math.max(peak, process.memoryUsage().rss);
}, 5);
let waits: number[] = [];
let isWriting = true;
/** Writes as a bot does: one small transaction, twenty times a second. */
async function bot(): Promise<void> {
  for (let step = 0; isWriting; step += 1) {
    const before = performance.now();
    await database.transaction((queries) =>
      queries
        .insertInto('throttles')
        .values({ key: `step ${step}`, failures: 0, blocked_until: 0, updated_at: step })
        .execute(),
    );
    waits.push(performance.now() - before);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
const writing = bot();
async function timed(name: string, work: () => Promise<unknown>): Promise<void> {
  globalThis.gc?.();
  await new Promise((resolve) => setTimeout(resolve, 100));
  [longest, peak, waits] = [0, 0, []];
  const before = performance.now();
  const answer = await work();
  const seconds = (performance.now() - before) / 1000;
  const sorted = waits.toSorted((one, other) => one - other);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(0);
  console.log(
    `${name.padEnd(20)} ${seconds.toFixed(1)} s, ${Math.round(ROWS / seconds).toLocaleString('en-US')} rows/s, ` +
      `peak ${(peak / 1e6).toFixed(0)} MB, longest pause ${longest.toFixed(0)} ms, ` +
      `a bot's write p50 ${at(0.5)} p99 ${at(0.99)} longest ${at(1)} ms of ${sorted.length}, ${JSON.stringify(answer)}`,
  );
}
let batchId = '';
const run = async (commit: boolean) => {
  const upload = { name: 'trades.csv', mimeType: 'text/csv', stream: Readable.from(file()) };
  const answer = await service.importFile(accountId, upload, { commit, acceptPartial: false });
  if (answer.counts.imported > 0) batchId = answer.batchId ?? '';
  return answer.counts;
};
const small = async () => {
  const text = 'Date(UTC),Pair,Side,Price,Executed,Amount,Fee\n2025-01-01 10:00:00,BTCUSDT,BUY,50000,1BTC,50000USDT,0USDT\n';
  const upload = { name: 'small.csv', mimeType: 'text/csv', stream: Readable.from([Buffer.from(text)]) };
  return (await service.importFile(accountId, upload, { commit: false, acceptPartial: false })).counts.imported;
};
const commas = () =>
  service
    .importFile(
      accountId,
      { name: 'commas.csv', mimeType: 'text/csv', stream: Readable.from([Buffer.from('a,b\n'), Buffer.alloc(45_000_000, ',')]) },
      { commit: false, acceptPartial: false },
    )
    .then((answer) => answer.counts)
    .catch((error: { code: string }) => error.code);
await timed('a row, cold', small);
await timed('a row, warm', small);
await timed('45 million commas', commas);
await timed('preview', () => run(false));
await timed('import', () => run(true));
await timed('the same file again', () => run(true));
await timed('taking it back', () => service.undo(accountId, batchId));
await timed('removing what it was', () => service.sweep());
isWriting = false;
await writing;
clearInterval(watch);
await service.stop();
await database.close();
rmSync(folder, { recursive: true, force: true });
