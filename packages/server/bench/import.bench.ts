import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { openDatabase } from '../src/database/database.ts';
import { uuidGenerator } from '../src/database/uuid.ts';
import { ledgerStore } from '../src/positions/ledger-store.ts';
import { importService } from '../src/trade-import/import-service.ts';

// A trade history of 500,000 rows, previewed, imported, and imported again: seconds, memory, and how long the
// process could not answer anybody else.
const ROWS = 500_000;
const folder = mkdtempSync(join(tmpdir(), 'pilotfish-bench-'));
const database = await openDatabase({ dataDir: folder });
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
  { database, now: Date.now, newId, stream: { publish: () => {} } as never },
  {
    market: { pairs: () => [{ symbol: 'BTCUSDT', baseAsset: 'BTC', quoteAsset: 'USDT' }] as never },
    store: ledgerStore(database),
    rates: { load: async () => () => undefined },
    valueLater: () => {},
  },
);
globalThis.gc?.();
let peak = 0;
let longest = 0;
let last = performance.now();
const watch = setInterval(() => {
  const now = performance.now();
  longest = Math.max(longest, now - last - 5);
  last = now;
  peak = Math.max(peak, process.memoryUsage().rss);
}, 5);
for (const [name, commit] of [
  ['preview', false],
  ['import', true],
  ['the same file again', true],
] as const) {
  longest = 0;
  peak = 0;
  const before = performance.now();
  const answer = await service.importFile(
    accountId,
    { name: 'trades.csv', mimeType: 'text/csv', stream: Readable.from(file()) },
    { commit, acceptPartial: false },
  );
  const seconds = (performance.now() - before) / 1000;
  console.log(
    `${name.padEnd(20)} ${seconds.toFixed(1)} s, ${Math.round(ROWS / seconds).toLocaleString('en-US')} rows/s, ` +
      `peak ${(peak / 1e6).toFixed(0)} MB, longest pause ${longest.toFixed(0)} ms, ${JSON.stringify(answer.counts)}`,
  );
}
clearInterval(watch);
await database.close();
rmSync(folder, { recursive: true, force: true });
