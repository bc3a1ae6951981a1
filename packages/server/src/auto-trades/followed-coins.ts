import { isDeepStrictEqual } from 'node:util';
import type { AutoTradeConfig } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import type { TapeRecord } from '@pilotfish/core/auto-trades/engine/tape';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { namesNoPair } from '../exchange/exchange-error.ts';
import type { HighWindow, HighWindows } from '../market/high-windows.ts';
import type { Market } from '../market/market.ts';
import type { Tick } from '../market/symbol-feed.ts';

/**
 * The coins of a running bot: which it may enter, the pairs they are traded by, and the prices it hears of them. A coin
 * that the exchange begins to list, or lists again, is followed from then on.
 */
export function followedCoins(options: {
  readonly config: Pick<AutoTradeConfig, 'coins' | 'entry'>;
  /** Pairs of its coins, and of those it still holds; the coins it may enter, in order. */
  readonly pairs: readonly Pair[];
  readonly coins: readonly string[];
  /** Those that the account may not trade. */
  readonly forbidden: readonly string[];
  readonly market: Pick<Market, 'asOf' | 'pair' | 'watch'>;
  readonly highs: HighWindows;
  /** Every coin that the engine looks at. */
  readonly symbols: () => readonly string[];
  readonly tell: (record: Extract<TapeRecord, { type: 'coins' | 'forbidden' }>) => void;
  readonly onTick: (symbol: string, tick: Tick, window: HighWindow | undefined) => void;
  readonly tape?: ((record: TapeRecord) => void) | undefined;
  /** A coin could not be followed yet: it is tried again when the pairs are looked at next. */
  readonly onError: (error: unknown, symbol: string) => void;
}) {
  const { config, market, tape, tell } = options;
  const pairs = new Map(options.pairs.map((pair) => [pair.symbol, pair]));
  const followed = new Set<string>();
  const stops: (() => void)[] = [];
  let { coins, forbidden } = options;
  let stopped = false;

  /** Hears every price of a coin from now on; with the high of its window, so that a drop is told from its first tick. */
  async function follow(symbol: string): Promise<void> {
    followed.add(symbol);
    try {
      const { trigger } = config.entry;
      const taped = tape && ((at: number, price: number): void => tape({ type: 'high', symbol, at, price }));
      const joined = trigger.kind === 'drop' ? await options.highs.join(symbol, trigger.lookbackMin, taped) : undefined;
      if (joined) stops.push(joined.leave);
      if (stopped) return joined?.leave();
      const window = joined?.window;
      for (const [at, price] of window?.entries() ?? []) taped?.(at, price);
      stops.push(market.watch(symbol, (tick) => options.onTick(symbol, tick, window)));
    } catch (error) {
      followed.delete(symbol);
      throw error;
    }
  }

  const listed = (): string[] => options.symbols().filter((symbol) => !followed.has(symbol) && market.pair(symbol));

  /** Takes the coins that may be entered now, with the pairs among `asked` that are new or not what they were. */
  async function take(wanted: readonly string[], asked: Iterable<string>): Promise<void> {
    const changed: Pair[] = [];
    for (const symbol of asked) {
      const [pair, known] = [market.pair(symbol), pairs.get(symbol)];
      if (!pair || pair === known) continue;
      pairs.set(symbol, pair);
      if (!isDeepStrictEqual(pair, known)) changed.push(pair);
    }
    const symbols = wanted.filter((symbol) => pairs.has(symbol));
    if (changed.length > 0 || symbols.join() !== coins.join()) {
      coins = symbols;
      tell({ type: 'coins', symbols, pairs: changed, at: market.asOf });
    }
    const due = listed();
    const outcomes = await Promise.allSettled(due.map(follow));
    for (const [n, outcome] of outcomes.entries()) if (outcome.status === 'rejected') options.onError(outcome.reason, due[n]!);
  }

  return {
    pair: (symbol: string): Pair | undefined => pairs.get(symbol),
    get coins(): readonly string[] {
      return coins;
    },
    /** @throws when the history of a coin cannot be read, unless because the exchange lists it no more: it is tried again */
    begin: async (): Promise<void> => {
      await Promise.all(
        listed().map((symbol) =>
          follow(symbol).catch((error: unknown) => {
            if (!namesNoPair(error)) throw error;
            options.onError(error, symbol);
          }),
        ),
      );
    },
    setForbidden: (symbols: readonly string[]): void => {
      if (isDeepStrictEqual(new Set(symbols), new Set(forbidden))) return;
      forbidden = symbols;
      tell({ type: 'forbidden', symbols, at: market.asOf });
    },
    /** The coins that filters select now. */
    setCoins: (symbols: readonly string[]): Promise<void> =>
      take(
        symbols,
        symbols.filter((symbol) => !pairs.has(symbol)),
      ),
    /** Pairs that the exchange lists now, or has changed: what is planned by the old ones would be refused. */
    followPairs: (): Promise<void> => {
      const { symbols, coinFilterIds } = config.coins;
      const wanted = coinFilterIds.length > 0 ? coins : symbols.filter((symbol) => market.pair(symbol));
      return take(wanted, new Set([...pairs.keys(), ...wanted]));
    },
    stop: (): void => {
      stopped = true;
      for (const stop of stops) stop();
    },
  };
}
