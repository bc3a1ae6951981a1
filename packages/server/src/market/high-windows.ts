import { createRollingHigh, type RollingHigh } from '@pilotfish/core/auto-trades/engine/rolling-high';
import type { Timers } from '@pilotfish/core/time/timers';
import type { Market } from './market.ts';
import type { Tick } from './symbol-feed.ts';
import { untilRead } from './until-read.ts';

export type HighWindow = Pick<RollingHigh, 'high' | 'entries'>;
/** Told of each high that is filled in later. */
type Told = (at: number, price: number) => void;
type Shared = {
  readonly symbol: string;
  readonly minutes: number;
  readonly window: RollingHigh;
  readonly ready: Promise<void>;
  readonly stop: () => void;
  readonly told: Set<Told>;
  users: number;
};
const MINUTE = 60_000;

export type HighWindows = ReturnType<typeof highWindows>;

/**
 * The highest prices of look-back windows, one for each symbol and length, shared by every bot that asks for it: ten
 * thousand bots over two thousand coins keep two thousand windows, and ask the exchange for their history once. What the
 * market's stream did not tell is read after the gap: a fall is measured from where the price has really been.
 */
export function highWindows(
  market: Pick<Market, 'watch' | 'minuteHighs' | 'afterGap' | 'asOf'>,
  timers: Pick<Timers, 'wait'>,
  onError: (error: unknown) => void,
) {
  const shared = new Map<string, Shared>();

  function open(symbol: string, minutes: number): Shared {
    const window = createRollingHigh(minutes);
    let early: Tick[] | undefined = [];
    // Prices that come while the history is read are newer than it: they wait for it.
    const stop = market.watch(symbol, (tick) => {
      if (early) early.push(tick);
      else window.trade(tick.at, tick.price);
    });
    const ready = market.minuteHighs(symbol, minutes).then((highs) => {
      for (const [at, price] of highs) window.add(at, price);
      for (const tick of early ?? []) window.trade(tick.at, tick.price);
      early = undefined;
    });
    return { symbol, minutes, window, ready, stop, told: new Set(), users: 0 };
  }

  let filling: Promise<void> = Promise.resolve();
  /** From when a reading that has not begun yet is to read: it does for all gaps until it begins. */
  let waitsSince: number | undefined;
  market.afterGap((since) => {
    const waits = waitsSince !== undefined;
    waitsSince = Math.min(waitsSince ?? since, since);
    if (waits) return;
    filling = filling
      .then(() => {
        const from = waitsSince!;
        waitsSince = undefined;
        return refill(from);
      })
      .catch(onError);
  });

  /** One after the other: exits come before the history of entries. */
  async function refill(since: number): Promise<void> {
    const begin = Math.floor(since / MINUTE) * MINUTE;
    for (const [key, { symbol, minutes, window, told, ready }] of shared) {
      await ready.catch(() => undefined);
      // As late as it is when it can be read at last.
      const behind = () => Math.ceil((market.asOf - begin) / MINUTE) + 1;
      const isOver = () => !shared.has(key);
      // One that cannot be read keeps none of the others from being read.
      const highs = await untilRead(() => market.minuteHighs(symbol, Math.max(1, Math.min(minutes, behind()))), {
        timers,
        isOver,
        onError,
      });
      if (!highs || isOver()) continue;
      for (const [at, price] of highs) {
        if (at < begin) continue;
        window.read(at, price);
        for (const listener of told) listener(at, price);
      }
    }
  }

  return {
    /**
     * A window that follows the market until it is left. Whoever watches the symbol after this has resolved hears each
     * price after the window did. @param told of each high that is filled in after a gap, when it is. @throws what the exchange answers when the history cannot be read
     */
    join: async (symbol: string, minutes: number, told?: Told): Promise<{ readonly window: HighWindow; readonly leave: () => void }> => {
      const key = `${symbol} ${minutes}`;
      const found = shared.get(key) ?? open(symbol, minutes);
      shared.set(key, found);
      found.users += 1;
      let left = false;
      const leave = (): void => {
        if (left) return;
        left = true;
        found.users -= 1;
        if (told) found.told.delete(told);
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
      if (told && !left) found.told.add(told);
      return { window: found.window, leave };
    },
    get size(): number {
      return shared.size;
    },
  };
}
