import { fork } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { realTimers } from '@pilotfish/core/time/timers';
import { WebSocket } from 'ws';
import { connectionBudget } from '../src/exchange/connection-budget.ts';
import { marketStream } from '../src/exchange/market-stream.ts';
import { type SymbolFeed, symbolFeed, type Tick } from '../src/market/symbol-feed.ts';
import { benchBots, pair } from './bench-bots.ts';

/**
 * Best prices of 1,000 symbols from a real socket: 200 a second of each of the busiest ten, one a second of the others,
 * and a trade for every twentieth. The share of a core that reading them costs, beside a bare client that parses the
 * same; and the lag from the moment when the exchange sends a trade until the bots of its symbol have decided.
 */
const SYMBOLS = 1000;
const BUSY = 10;
const BUSY_RATE = 200;
const QUIET_RATE = 1;
const TRADE_SHARE = 0.05;
const BOTS = 500;
/** Coins that a bot watches. */
const COINS = 5;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
/** No more than this many times the CPU of a client that only parses. */
const MOST_RATIO = 6;

let seed = 20_261_127;
const random = () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};
const now = () => performance.timeOrigin + performance.now();
const names = Array.from({ length: SYMBOLS }, (_, n) => `C${n}USDT`);
const streams = names.flatMap((name) => [`${name.toLowerCase()}@bookTicker`, `${name.toLowerCase()}@trade`]);

// The benchmark runs as a bundle somewhere below the root; the venue is found from there.
const here = dirname(fileURLToPath(import.meta.url));
const root = here.includes('node_modules') ? here.slice(0, here.indexOf('node_modules')) : join(here, '../../..');
const venue = fork(
  join(root, 'packages/server/bench/book-tickers-venue.mjs'),
  [SYMBOLS, BUSY, BUSY_RATE, QUIET_RATE, TRADE_SHARE].map(String),
);
let subscribed = 0;
venue.on('message', (told: { subscribed?: number }) => {
  subscribed = told.subscribed ?? subscribed;
});
const [{ port }] = (await once(venue, 'message')) as [{ port: number }];
const origin = `ws://127.0.0.1:${port}`;
const all = async () => {
  while (subscribed < streams.length) await realTimers.wait(50, { ref: true });
};
/** Share of a core while so many seconds pass, and how many messages came. */
async function measured(count: () => number) {
  const [before, begun] = [count(), performance.now()];
  const cpu = process.cpuUsage();
  await realTimers.wait(SECONDS * 1000, { ref: true });
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - begun) / 1000;
  return { share: (user + system) / 1e6 / seconds, rate: (count() - before) / seconds };
}

let parsed = 0;
const bare = new WebSocket(`${origin}/stream`);
await once(bare, 'open');
bare.on('message', (data: Buffer) => {
  if ('stream' in (JSON.parse(data.toString('utf8')) as object)) parsed += 1;
});
bare.send(JSON.stringify({ method: 'SUBSCRIBE', params: streams, id: 1 }));
await all();
const parsing = await measured(() => parsed);
bare.terminate();
await once(bare, 'close');
subscribed = 0;

const budget = connectionBudget({ now: Date.now, timers: realTimers, random });
const stream = marketStream({ origin, now: Date.now, timers: realTimers, random, budget });
let heard = 0;
const lags: number[] = [];
const feeds = new Map<string, SymbolFeed>();
const counted = {
  subscribe: (name: string, listener: (data: unknown) => void) =>
    stream.subscribe(name, (data) => {
      heard += 1;
      listener(data);
    }),
};
for (const name of names) feeds.set(name, symbolFeed(counted, name, Date.now()));
const made = benchBots({
  pairs: new Map(names.map((name) => [name, pair(name)])),
  now: Date.now,
  watch: (symbol, listener: (tick: Tick) => void) => feeds.get(symbol)!.listen(listener),
});
for (let n = 0; n < BOTS; n += 1)
  await made.begun(n, [...new Set(Array.from({ length: COINS }, () => names[Math.floor(SYMBOLS * random() ** 3)]!))]);
// Behind the bots: it runs when they have decided.
for (const feed of feeds.values()) feed.listen(({ at }) => void lags.push(now() - at));
await all();
lags.length = 0;
const whole = await measured(() => heard);
await stream.close();
venue.disconnect();

lags.sort((a, b) => a - b);
const lag = (share: number) => `${lags[Math.min(lags.length - 1, Math.floor(lags.length * share))]!.toFixed(2)} ms`;
const line = (name: string, { share, rate }: typeof whole) =>
  console.log(`${name.padEnd(40)} ${(share * 100).toFixed(1).padStart(5)} % of a core  ${rate.toFixed(0).padStart(5)} messages/s`);
console.log(`${SYMBOLS} symbols, ${BUSY_RATE} best prices a second of ${BUSY}, ${QUIET_RATE} of the others; ${BOTS} bots`);
line('a bare client that parses', parsing);
line('market streams, feeds and bots', whole);
const ratio = whole.share / whole.rate / (parsing.share / parsing.rate);
console.log(`${ratio.toFixed(2)} × the bare client, message by message`);
console.log(
  `lag from socket to decision: p50 ${lag(0.5)}, p99 ${lag(0.99)}, most ${lag(1)} (${lags.length} trades; ${made.steps()} steps decided)`,
);
if (ratio > MOST_RATIO) throw new Error(`more than ${MOST_RATIO} times the cost of parsing`);
process.exit();
