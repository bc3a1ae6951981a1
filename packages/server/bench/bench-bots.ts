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

// Bots as the server runs them, with everything but the exchange and the database.

/** The rules of a pair that is quoted in USDT. */
export const pair = (symbol: string): Pair => ({
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
const log = pino({ level: 'silent' });
const nothing = () => undefined;

/** Makes bots of one market; `steps` counts what they decide. Times in ms. */
export function benchBots(options: {
  pairs: ReadonlyMap<string, Pair>;
  watch: (symbol: string, listener: (tick: Tick) => void) => () => void;
  now: () => number;
}) {
  const { pairs: bySymbol, now } = options;
  const market = {
    pair: (symbol: string) => bySymbol.get(symbol),
    get asOf() {
      return now();
    },
    rate: () => '1',
    minuteHighs: async () => Array.from({ length: 5 }, (_, n): [number, number] => [now() - (5 - n) * 60_000, 100]),
    watch: options.watch,
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
  return {
    steps: () => steps,
    /** A bot that watches these coins for a drop, and is at work. */
    begun: async (n: number, symbols: readonly string[]): Promise<RunningBot> => {
      const config = autoTradeConfigSchema.parse({
        name: `Bot ${n}`,
        walletId: '01890000-0000-7000-8000-000000000001',
        coins: { symbols: [...symbols] },
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
          coins: [...symbols],
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
          now,
          timers: realTimers,
          holdings: undefined as never,
          log,
          onProtection: nothing,
          onProtectionWarning: nothing,
          onPauseEnded: nothing,
        },
      );
      await bot.begin();
      return bot;
    },
  };
}
