import { autoTradeConfigSchema } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { newAutoTradeContext } from '@pilotfish/core/auto-trades/engine/auto-trade-machine';
import { orderPrefixFor } from '@pilotfish/core/auto-trades/position/position-ids';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { realTimers } from '@pilotfish/core/time/timers';
import { afterTransfer, emptySums } from '@pilotfish/core/wallets/wallet-book';
import { pino } from 'pino';
import { type RunningBot, runBot } from '../src/auto-trades/bot-runner.ts';
import { highWindows } from '../src/market/high-windows.ts';
import type { Tick } from '../src/market/symbol-feed.ts';

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
const pair = (symbol: string): Pair => ({
  symbol,
  baseAsset: symbol.replace('USDT', ''),
  quoteAsset: 'USDT',
  baseAssetPrecision: 8,
  quoteAssetPrecision: 8,
  pricePrecision: 4,
  quantityPrecision: 3,
  status: 'TRADING',
  filters: {
    tickSize: '0.0001',
    minPrice: '0.0001',
    maxPrice: '1000000',
    stepSize: '0.001',
    minQty: '0.001',
    maxQty: '900000',
    marketMaxQty: '900000',
    minNotional: '5',
    maxNotional: '9000000',
    bidMultiplierUp: '5',
    bidMultiplierDown: '0.2',
    askMultiplierUp: '5',
    askMultiplierDown: '0.2',
    maxNumOrders: 200,
    maxNumAlgoOrders: 5,
  },
});
const pairs = Array.from({ length: SYMBOLS }, (_, n) => pair(`C${n}USDT`));
const bySymbol = new Map(pairs.map((each) => [each.symbol, each]));
const listeners = new Map<string, Set<(tick: Tick) => void>>();
const prices = new Float64Array(SYMBOLS).fill(100);
let at = 1_700_000_000_000;

const market = {
  pair: (symbol: string) => bySymbol.get(symbol),
  get asOf() {
    return at;
  },
  rate: () => '1',
  minuteHighs: async () => Array.from({ length: 5 }, (_, n): [number, number] => [at - (5 - n) * 60_000, 100]),
  watch: (symbol: string, listener: (tick: Tick) => void) => {
    const heard = listeners.get(symbol) ?? new Set();
    listeners.set(symbol, heard.add(listener));
    return () => void heard.delete(listener);
  },
  afterGap: () => () => undefined,
};
const highs = highWindows(market, realTimers, () => undefined);
let steps = 0;
const writer = {
  push: (): void => {
    steps += 1;
  },
  settled: async () => undefined,
};
const log = pino({ level: 'silent' });
const nothing = () => undefined;

const before = memory();
const bots: RunningBot[] = [];
for (let n = 0; n < BOTS; n += 1) {
  const symbols = [...new Set(Array.from({ length: COINS }, () => `C${Math.floor(SYMBOLS * random() ** 2)}USDT`))];
  const config = autoTradeConfigSchema.parse({
    name: `Bot ${n}`,
    walletId: '01890000-0000-7000-8000-000000000001',
    coins: { symbols },
    entry: { trigger: { kind: 'drop', dropPct: '8', lookbackMin: 240 }, trailing: { enabled: true } },
    rebuys: { levels: [{ dropPct: '3' }, { dropPct: '5' }] },
    stopLoss: { mode: 'percent', pct: '15' },
  });
  const wallet = { id: config.walletId, currency: 'USDT', reservePct: '1', sums: afterTransfer(emptySums, '10000') };
  const bot = runBot(
    {
      bot: {
        id: `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`,
        accountId: 'a',
        walletId: config.walletId,
        name: config.name,
        state: 'running',
        context: newAutoTradeContext,
        config,
        configVersion: 1,
        takerFees: {},
        createdAt: 0,
        updatedAt: 0,
      },
      wallet,
      walletMode: 'paper',
      accountKey: `paper:${n}`,
      takerFee: '0.001',
      pairs: symbols.map((symbol) => bySymbol.get(symbol)!),
      coins: symbols,
      forbidden: [],
      positions: [],
      awaitingFees: [],
      configs: new Map([[1, config]]),
      lastSeq: 0,
      orderPrefix: orderPrefixFor('bench0', '0000000000000'),
      history: [],
      pauses: [],
    },
    {
      market: market as never,
      highs,
      writer: writer as never,
      now: () => at,
      timers: realTimers,
      holdings: undefined as never,
      log,
      onProtection: nothing,
      onProtectionWarning: nothing,
      onPauseEnded: nothing,
    },
  );
  await bot.begin();
  bots.push(bot);
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
    `${(perBot / 1024).toFixed(1)} kB a bot; ${steps} steps decided`,
);
if (lags.at(-1)! > 1000) throw new Error('a beat took longer than a beat');

function memory(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
