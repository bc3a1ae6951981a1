import type { CandleSeries } from '../prices/candle-series.ts';
import type { createBarWalk } from './backtest-walk.ts';
import type { createBarSearch } from './bar-search.ts';
import type { EntryWindow } from './entry-window.ts';
import type { QuickBooks } from './quick-books.ts';
import type { QuickColumns } from './quick-columns.ts';
import { HIGH, type QuickBook, Stage } from './quick-position.ts';
import { compareProducts, shareOf } from './quick-scales.ts';

/** Most decisions of one tick, as in the engine. */
export const ROUNDS = 4;
const MINUTE_MS = 60_000;

/** The bars that several runs walk in turns, before they go on to the next. */
export type Slice = { end: number };

/** The bars of a run of round trips. */
export type TripWalk = {
  readonly candles: CandleSeries;
  readonly bars: ReturnType<typeof createBarWalk>;
  readonly search: ReturnType<typeof createBarSearch>;
  /** Of an entry that waits for a fall. */
  readonly window: EntryWindow | undefined;
  /** Bars after a time without any. */
  readonly gaps: readonly number[];
  /** The market stands at a price. */
  readonly stand: (price: number, at: number) => void;
  /** True when the run is to end here. */
  readonly stopsAt: (bar: number) => boolean;
  /** The run waits before bar `end`: those that run beside it read the same bars next. */
  readonly slice: Slice;
  /** Marks the curve of everything before a bar. */
  readonly markTo: (bar: number) => void;
};

/** The entries of a run of round trips: what `decide.ts` says of a coin that is watched or whose low is followed. */
export function createTripEntries(book: QuickBook, books: QuickBooks, levels: QuickColumns, walk: TripWalk) {
  const { config, run, slot, state, market, columns, entries, units, settings } = book;
  const { candles, bars, search, window, slice, stand, stopsAt, markTo } = walk;
  const { firstEndingAt } = search;
  const { trigger, trailing } = config.entry;
  const size = candles.openTime.length;
  const drop = trigger.kind === 'drop' ? shareOf(trigger.dropPct) : null;
  const rebound = shareOf(trailing.reboundPct);
  const dropFactor = columns.dropFactor[slot]!;
  const reboundFactor = columns.reboundFactor[slot]!;
  /** From when on the bot may buy again. */
  let readyAt = Number.NEGATIVE_INFINITY;
  let lots = 0;

  /** Sends the entry at a price; false when something stands against it. */
  function enter(bar: number, price: number, at: number, high: number): boolean {
    stand(price, at);
    market[HIGH] = high;
    const moment = book.now(at);
    const plan = entries.plan(moment.price, moment.bid, moment.ask, state.carriedCost);
    if (!plan) return false;
    markTo(bar);
    state.step += 1;
    books.enter(plan, moment);
    lots = plan.lots;
    return true;
  }

  return {
    /** Lots of the entry that was sent. */
    get lots(): number {
      return lots;
    },
    /** A position was closed: pauses begin, and the cooldown, which is that of the bot too where there is one coin. */
    rest(at: number): void {
      readyAt = run.pauses.allowedFrom(settings.symbol, at);
      if (columns.cooldownUntil[slot]! > readyAt) readyAt = columns.cooldownUntil[slot]!;
    },
    /** The bar in which an entry is sent, from `from` on; the number of bars when none is. Waits at the end of each slice. */
    *seek(from: number): Generator<void, number> {
      const { path } = bars;
      let bar = from;
      let low = Number.NaN;
      let chase = Number.NaN;
      let trailUntil = Number.NaN;
      for (; ; bar += 1) {
        if (bar >= size || stopsAt(bar)) return size;
        if (Number.isNaN(low)) {
          const first = readyAt === Number.NEGATIVE_INFINITY ? bar : firstEndingAt(readyAt, bar);
          if (first >= size) return size;
          bar = window ? window.nextTrigger(first) : first;
        }
        bar = search.firstTraded(bar);
        if (bar >= size) return size;
        while (bar >= slice.end) yield;
        bars.walk(bar);
        window?.begin(bar, true);
        let sent = false;
        for (let point = 0; point < path.length; point += 1) {
          const price = path.price[point]!;
          const at = path.at[point]!;
          window?.tell(at, price);
          if (sent) continue;
          for (let round = 0; round < ROUNDS; round += 1) {
            if (Number.isNaN(low)) {
              const high = window ? window.top[0]! : price;
              if (at < readyAt || !(price <= high * dropFactor)) break;
              if (drop && compareProducts(units(price), drop.hundred, units(high), drop.hundred - drop.units) > 0) break;
              if (!trailing.enabled) {
                sent = enter(bar, price, at, high);
                break;
              }
              state.triggerPrice = units(price);
              state.low = state.triggerPrice;
              state.trailUntil = at + trailing.expiryMin * MINUTE_MS;
              state.stage = Stage.Trailing;
              levels.load();
              low = columns.low[slot]!;
              chase = columns.chasePrice[slot]!;
              trailUntil = state.trailUntil;
              continue;
            }
            if (at >= trailUntil || price > chase) {
              state.triggerPrice = 0;
              state.low = 0;
              state.stage = Stage.Watching;
              low = Number.NaN;
              continue;
            }
            if (price < low) {
              state.low = units(price);
              low = price;
              break;
            }
            if (!(price >= low * reboundFactor)) break;
            if (compareProducts(units(price), rebound.hundred, state.low, rebound.hundred + rebound.units) < 0) break;
            sent = enter(bar, price, at, window ? window.top[0]! : price);
            break;
          }
        }
        if (sent) return bar;
      }
    },
  };
}
