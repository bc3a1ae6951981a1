import type { RunningBot } from '../src/auto-trades/bot-runner.ts';
import type { Tick } from '../src/market/symbol-feed.ts';
import { benchBots, pair } from './bench-bots.ts';

/**
 * 10,000 bots over 2,000 symbols, every symbol traded once a second: how long one beat of the whole market takes (the
 * lag of the last bot in it), the share of a core, and the memory of a bot. The bots are those of the server with
 * everything but the exchange and the database: what they decide is counted.
 */
const BOTS = 10_000;
const SYMBOLS = 2000;
/** Coins that a bot watches. */
const COINS = 5;
const BEATS = 30;

let seed = 20_261_121;
const random = () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};
const pairs = Array.from({ length: SYMBOLS }, (_, n) => pair(`C${n}USDT`));
const bySymbol = new Map(pairs.map((each) => [each.symbol, each]));
const listeners = new Map<string, Set<(tick: Tick) => void>>();
const prices = new Float64Array(SYMBOLS).fill(100);
let at = 1_700_000_000_000;

const made = benchBots({
  pairs: bySymbol,
  now: () => at,
  watch: (symbol, listener) => {
    const heard = listeners.get(symbol) ?? new Set();
    listeners.set(symbol, heard.add(listener));
    return () => void heard.delete(listener);
  },
});

const before = memory();
const bots: RunningBot[] = [];
for (let n = 0; n < BOTS; n += 1) {
  const symbols = [...new Set(Array.from({ length: COINS }, () => `C${Math.floor(SYMBOLS * random() ** 2)}USDT`))];
  bots.push(await made.begun(n, symbols));
}
const perBot = (memory() - before) / BOTS;

const lags: number[] = [];
const cpu = process.cpuUsage();
for (let beat = 0; beat < BEATS; beat += 1) {
  at += 1000;
  const start = performance.now();
  for (let n = 0; n < SYMBOLS; n += 1) {
    const price = prices[n]! * (1 + (random() - 0.5) * 0.004);
    prices[n] = price;
    const tick: Tick = { at, price, bid: price * 0.9999, ask: price * 1.0001 };
    for (const listener of listeners.get(`C${n}USDT`) ?? []) listener(tick);
  }
  lags.push(performance.now() - start);
}
const { user, system } = process.cpuUsage(cpu);
lags.sort((a, b) => a - b);
const watched = bots.reduce((total, bot) => total + bot.symbols().length, 0);
const lag = (share: number) => `${lags[Math.min(lags.length - 1, Math.floor(lags.length * share))]!.toFixed(1)} ms`;
console.log(`${BOTS} bots, ${watched} coins of theirs over ${SYMBOLS} symbols, one trade of each a second`);
console.log(`lag of a beat: p50 ${lag(0.5)}, p99 ${lag(0.99)}, most ${lag(1)} (a beat is 1,000 ms)`);
console.log(
  `CPU ${((user + system) / 1000 / BEATS / 10).toFixed(2)} % of a core, ${(((user + system) * 1000) / BEATS / watched).toFixed(0)} ns a coin and tick; ` +
    `${(perBot / 1024).toFixed(1)} kB a bot; ${made.steps()} steps decided`,
);
if (lags.at(-1)! > 1000) throw new Error('a beat took longer than a beat');

function memory(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
