import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decimal } from '@pilotfish/core/money/decimal';
import type { LedgerEntry } from '@pilotfish/core/positions/ledger-entry';
import { NOTHING_SAID, restoredPosition } from '@pilotfish/core/positions/position-machine';
import { dayNames } from '@pilotfish/core/time/calendar-day';
import { openDatabase } from '../src/database/database.ts';
import { createTexts } from '../src/http/texts.ts';
import { tickerBoard } from '../src/market/ticker-board.ts';
import { ledgerStore } from '../src/positions/ledger-store.ts';
import { overridesStore } from '../src/positions/overrides-store.ts';
import { type BookPosition, positionBooks } from '../src/positions/position-book.ts';
import { toOpenPosition, valuedAt } from '../src/positions/position-view.ts';
import { resultsOverTime } from '../src/positions/results-over-time.ts';

/**
 * A ledger of 500,000 fills over 1,000 pairs that ends with 1,000 open positions: writing it, reading and folding all
 * of it, folding anew after one more fill, putting together what the list of open positions answers, and the months. The longest
 * time in which nothing else had its turn is told, too. `npm run bench`
 */
const FILLS = Number(process.argv[2] ?? 500_000);
const PAIRS = Number(process.argv[3] ?? 1000);
const ACCOUNT = '018f0000-0000-7000-8000-000000000001';

let seed = 7;
const random = () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};
const symbolOf = (pair: number) => `C${pair}USDT`;

function history(): LedgerEntry[] {
  const held = new Float64Array(PAIRS);
  return Array.from({ length: FILLS }, (_, n): LedgerEntry => {
    const pair = n % PAIRS;
    const last = n >= FILLS - PAIRS;
    const sells = !last && held[pair]! > 0 && random() < 0.48;
    const units = sells ? Math.max(1, Math.floor(held[pair]! * (random() < 0.3 ? 1 : random()))) : 1 + Math.floor(random() * 1000);
    held[pair]! += sells ? -units : units;
    const price = (50 + random() * 100).toFixed(4);
    const paysThird = n % 2 === 0;
    return {
      kind: 'trade',
      id: `trade:${symbolOf(pair)}:${n}`,
      at: 1_700_000_000_000 + n * 1000,
      symbol: symbolOf(pair),
      baseAsset: `C${pair}`,
      quoteAsset: 'USDT',
      side: sells ? 'Sell' : 'Buy',
      price,
      quantity: String(units / 1000),
      quoteQuantity: ((units / 1000) * Number(price)).toFixed(8),
      fee: '0.0001',
      feeAsset: paysThird ? 'BNB' : 'USDT',
      tradeId: String(n),
      orderId: String(n),
      source: 'api',
      feeInQuote: paysThird ? '0.06' : null,
      feeInPrimary: paysThird ? '0.06' : null,
      quoteRate: '1',
    };
  });
}

async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  let longest = 0;
  let last = performance.now();
  const beat = setInterval(() => {
    longest = Math.max(longest, performance.now() - last - 1);
    last = performance.now();
  }, 1);
  const started = performance.now();
  const result = await work();
  const took = performance.now() - started;
  longest = Math.max(longest, performance.now() - last);
  clearInterval(beat);
  const memory = Math.round(process.memoryUsage().rss / 1024 / 1024);
  process.stdout.write(`${what}: ${took.toFixed(0)} ms, longest without a turn ${longest.toFixed(0)} ms, RSS ${memory} MB\n`);
  return result;
}

const dataDir = mkdtempSync(join(tmpdir(), 'pilotfish-bench-'));
const database = await (await openDatabase({ dataDir })).forMarket('simulated');
const now = Date.now();
await database.queries
  .insertInto('accounts')
  .values({
    id: ACCOUNT,
    username: 'a',
    username_key: 'a',
    email: 'a',
    email_key: 'a',
    email_confirmed: 0,
    password_hash: '',
    phone: null,
    phone_confirmed: 0,
    two_factor_confirmed: 1,
    totp_secret: null,
    language: 'en',
    created_at: now,
    updated_at: now,
  })
  .execute();
const ledger = ledgerStore(database);
const board = tickerBoard();
board.apply(
  Array.from({ length: PAIRS }, (_, pair) => ({ s: symbolOf(pair), E: now, c: '100', o: '99', h: '101', l: '98', v: '1', q: '100' })),
);
const market = {
  pair: (symbol: string) => ({ symbol, filters: { stepSize: '0.001', minNotional: '5' }, pricePrecision: 4 }),
  pairs: () => [],
};
const prices = { board, loaded: true, pair: market.pair, price: (symbol: string) => board.price(symbol) } as never;
const books = positionBooks({ ledger, overrides: overridesStore(database), market: market as never });

const entries = history();
await timed(`writing ${FILLS} fills`, async () => {
  const writer = await ledger.batches.open(ACCOUNT, 'bench');
  await writer.add(entries);
  await writer.commit(async () => undefined);
});
const before = process.memoryUsage().rss;
const book = await timed('reading and folding all of them', () => books.of(ACCOUNT));
process.stdout.write(
  `positions: ${book.positions.length}, open: ${book.positions.filter(({ position }) => position.closedAt === null).length}; memory for it: ${Math.round((process.memoryUsage().rss - before) / 1024 / 1024)} MB\n`,
);
const more = (n: number): LedgerEntry => ({
  ...(entries[2 * n + 1] as LedgerEntry & { kind: 'trade' }),
  id: `more:${n}`,
  at: now + n,
  feeAsset: 'USDT',
});
await ledger.append(ACCOUNT, [more(0)]);
await timed('folding anew after one more fill', () => books.of(ACCOUNT));
await timed('the same, nothing changed', () => books.of(ACCOUNT));
const texts = createTexts();
const options = {
  facts: { compared: undefined, cursors: undefined, hasPrice: () => true },
  texts,
  language: 'en',
  timeZone: 'Europe/Berlin',
  dayOf: dayNames('Europe/Berlin'),
  market: prices,
  takerOf: () => decimal('0.001'),
  stateOf: ({ position }: BookPosition) =>
    restoredPosition({
      closedAt: position.closedAt,
      closedBy: position.closedBy,
      holds: position.closedAt === null,
      laterOpen: false,
      reasons: [],
      calculating: false,
      word: NOTHING_SAID,
    }),
} as const;
for (const round of [1, 2])
  await timed(`open positions put together (${round})`, async () => {
    return (await books.of(ACCOUNT)).positions
      .filter(({ position }) => position.closedAt === null)
      .map((of) => toOpenPosition(valuedAt(of, options), [], options));
  });
const results = resultsOverTime(books);
const months = async () => {
  const valued = (of: BookPosition) => valuedAt(of, options);
  return results.of(ACCOUNT, { ...options, book: await books.of(ACCOUNT), valued, standing: () => undefined });
};
await timed('every line of every position, for the months', months);
await ledger.append(ACCOUNT, [more(1)]);
await timed('the months after one more fill', months);
await timed('the same, nothing changed', months);
await database.close();
rmSync(dataDir, { recursive: true });
