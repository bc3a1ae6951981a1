import { createRollingHigh, type RollingHigh } from '@pilotfish/core/auto-trades/rolling-high';
import type { Market } from './market.ts';
import type { Tick } from './symbol-feed.ts';

export type HighWindow = Pick<RollingHigh, 'high' | 'entries'>;
type Shared = { readonly window: RollingHigh; readonly ready: Promise<void>; readonly stop: () => void; users: number };

export type HighWindows = ReturnType<typeof highWindows>;

/**
 * The highest prices of look-back windows, one for each symbol and length, shared by every bot that asks for it: ten
 * thousand bots over two thousand coins keep two thousand windows, and ask the exchange for their history once.
 */
export function highWindows(market: Pick<Market, 'watch' | 'minuteHighs'>) {
  const shared = new Map<string, Shared>();

  function open(symbol: string, minutes: number): Shared {
    const window = createRollingHigh(minutes);
    let early: Tick[] | undefined = [];
    // Prices that come while the history is read are newer than it: they wait for it.
    const stop = market.watch(symbol, (tick) => {
      if (early) early.push(tick);
      else window.add(tick.at, tick.price);
    });
    const ready = market.minuteHighs(symbol, minutes).then((highs) => {
      for (const [at, price] of highs) window.add(at, price);
      for (const tick of early ?? []) window.add(tick.at, tick.price);
      early = undefined;
    });
    return { window, ready, stop, users: 0 };
  }

  return {
    /**
     * A window that follows the market until it is left. Whoever watches the symbol after this has resolved hears each
     * price after the window did. @throws what the exchange answers when the history cannot be read
     */
    join: async (symbol: string, minutes: number): Promise<{ readonly window: HighWindow; readonly leave: () => void }> => {
      const key = `${symbol} ${minutes}`;
      const found = shared.get(key) ?? open(symbol, minutes);
      shared.set(key, found);
      found.users += 1;
      let left = false;
      const leave = (): void => {
        if (left) return;
        left = true;
        found.users -= 1;
        if (found.users > 0) return;
        found.stop();
        if (shared.get(key) === found) shared.delete(key);
      };
      try {
        await found.ready;
      } catch (error) {
        // The next one asks anew.
        if (shared.get(key) === found) shared.delete(key);
        leave();
        throw error;
      }
      return { window: found.window, leave };
    },
    get size(): number {
      return shared.size;
    },
  };
}
