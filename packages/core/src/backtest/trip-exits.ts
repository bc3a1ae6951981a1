import { lowFirst, walkTime } from '../prices/candle-walk.ts';
import type { QuickColumns } from './quick-columns.ts';
import type { QuickBook } from './quick-position.ts';
import type { QuickMoment } from './quick-traces.ts';
import { ROUNDS, type TripWalk } from './trip-entries.ts';

const MINUTE_MS = 60_000;

/** The exits of a run of round trips: what `decide.ts` says of a coin that is held, in its order. */
export function createTripExits(book: QuickBook, levels: QuickColumns, walk: TripWalk) {
  const { config, view, slot, state, held, columns, lines, entries, traces, quote, units } = book;
  const { candles, bars, window, gaps, slice, stand, stopsAt } = walk;
  const { firstEndingAt, firstOutside, firstTraded, startOf } = walk.search;
  const { openTime, open: opens, low: lows, high: highs, close: closes, intervalMs } = candles;
  // When the extremes of a bar and its last price happen, from its begin.
  const [firstExtreme, secondExtreme, lastPoint] = [1, 2, 3].map((point) => walkTime(point, intervalMs)) as [number, number, number];
  const size = openTime.length;
  const { trailingCost, timeStop } = config;
  const floors = trailingCost.floor === 'breakEven';
  const lifetime = trailingCost.expiryMin > 0 ? trailingCost.expiryMin * MINUTE_MS : Number.NaN;
  const timeBound = timeStop?.onlyIfGainPctAbove ?? null;
  const confirmMs = columns.confirmMs[slot]!;
  /** A line that is drawn in a bar does not end in it. */
  const outlives = !(lifetime <= intervalMs);
  /** Somebody asks when the line was drawn. */
  const timed = traces !== undefined || lifetime > 0 || gaps.length > 0;
  let nextGap = 0;
  let lots = 0;
  let ambiguousBars = 0;
  let zoomedBars = 0;

  function at(price: number, time: number): QuickMoment {
    stand(price, time);
    return book.now(time);
  }
  /** The first bar after a gap, from `from` on; the number of bars when there is none. */
  function gapFrom(from: number): number {
    while (nextGap < gaps.length && gaps[nextGap]! < from) nextGap += 1;
    return gaps[nextGap] ?? size;
  }
  /** Everything is sold at the next open. */
  function leave(reason: string, moment: QuickMoment, ambiguous: boolean): void {
    lots = lines.sellable(held.quantity);
    entries.refusals.sell(lots, 0, 0, moment.price);
    state.step += 1;
    if (ambiguous) state.ambiguous = true;
    book.seen(moment.price);
    state.exitReason = reason;
  }
  /** The line that a peak justifies, never under its floor. */
  function lineFor(price: number): number {
    const below = lines.lineBelow(price);
    return floors ? Math.max(below, levels.breakEvenAt()) : below;
  }
  /** A line may be drawn, or rise so far. */
  const rises = (from: number, to: number): boolean => Number.isNaN(from) || lines.raises(from, to);
  function drawn(price: number, time: number, line: number, peak: number, next: number): void {
    if (traces) traces.movedUp(state.number, at(quote(price), time), state.average, line, peak, next);
    book.seen(price);
  }

  return {
    /** Lots of the exit that was sent. */
    get lots(): number {
      return lots;
    },
    get ambiguousBars(): number {
      return ambiguousBars;
    },
    get zoomedBars(): number {
      return zoomedBars;
    },
    /**
     * Follows what was bought at the open of a bar; answers the bar in which an exit is sent, the number of bars when none is.
     * Waits at the end of each slice.
     */
    *hold(from: number): Generator<void, number> {
      const { path } = bars;
      const filledAt = openTime[from]!;
      const stop = quote(state.stop);
      const take = columns.takeProfit[slot]!;
      const timeStopAt = columns.timeStopAt[slot]!;
      const timeStopAbove = columns.timeStopAbove[slot]!;
      const target = view.targetLevel;
      let arm = trailingCost.enabled ? quote(levels.armAt()) : Number.NaN;
      // The line, its peak and when it was drawn; in units of the price, and the line in quote. Far below a cheap coin it lies at 0.
      let line = Number.NaN;
      let lineQuote = Number.NaN;
      let peak = Number.NaN;
      let lineAt = Number.NaN;
      let raiseAt = Number.NaN;
      let expiresAt = Number.NaN;
      let stopSince = Number.NaN;
      for (let bar = from; ; bar += 1) {
        if (bar >= size || stopsAt(bar)) return size;
        while (bar >= slice.end) yield;
        const isDrawn = lineQuote >= 0;
        // Strictly between `above` and `below`, before `until`, nothing is decided. A stop in doubt is looked at with every price.
        let above = isDrawn && !(lineQuote < stop) ? lineQuote : stop > 0 ? stop : Number.NEGATIVE_INFINITY;
        const below = lowest(take, isDrawn ? raiseAt : arm);
        const until = lowest(timeStopAt, expiresAt);
        if (Number.isNaN(stopSince)) {
          let limit = until === Number.POSITIVE_INFINITY ? size : firstEndingAt(until, bar);
          if (isDrawn && gapFrom(bar) < limit) limit = gapFrom(bar);
          if (slice.end < limit) {
            // What lies beyond the slice is looked at with it.
            bar = firstOutside(above, below, bar, slice.end);
            if (bar >= slice.end) {
              bar -= 1;
              continue;
            }
          } else bar = firstOutside(above, below, bar, limit);
        }
        bar = firstTraded(bar);
        if (bar >= size) return size;
        const isLate = isDrawn && gapFrom(bar) === bar;
        const low = lows[bar]!;
        const high = highs[bar]!;
        // Most bars only draw or raise the line, and stay above where it comes to lie: in whatever order their prices came.
        const drawAt = isDrawn ? raiseAt : arm;
        if (
          high >= drawAt &&
          outlives &&
          low > above &&
          high < take &&
          bar > from &&
          !isLate &&
          Number.isNaN(stopSince) &&
          startOf(bar) + lastPoint < until
        ) {
          const first = opens[bar]! >= drawAt ? units(opens[bar]!) : 0;
          const between = first > 0 ? lineFor(first) : line;
          const top = units(high);
          const next = lineFor(top);
          const again = first === 0 || high >= quote(lines.raiseAt(between));
          const last = again ? next : between;
          if (low > quote(last) && (first === 0 || rises(line, between)) && (!again || rises(between, next))) {
            if (first > 0) {
              lineAt = startOf(bar);
              drawn(first, lineAt, line, peak, between);
              peak = first;
            }
            if (again) {
              lineAt = timed ? startOf(bar) + (lowFirst(opens[bar]!, closes[bar]!) ? secondExtreme : firstExtreme) : 0;
              drawn(top, lineAt, between, peak, next);
              peak = top;
            }
            line = last;
            lineQuote = quote(last);
            raiseAt = quote(lines.raiseAt(last));
            expiresAt = lineAt + lifetime;
            continue;
          }
        }
        const floor = above;
        let ambiguous = false;
        if (low <= floor && high >= target) {
          ambiguous = bars.walkAmbiguous(bar, floor, target);
          if (ambiguous) ambiguousBars += 1;
          else zoomedBars += 1;
          window?.turn(bar);
        } else bars.walk(bar);
        if (isLate || !Number.isNaN(stopSince)) above = Number.NaN;
        for (let point = 0; point < path.length; point += 1) {
          const price = path.price[point]!;
          const time = path.at[point]!;
          if ((price > above && price < below && time < until) || time <= filledAt) continue;
          // What is changed here is looked at closely until the end of the bar.
          above = Number.NaN;
          for (let round = 0; round < ROUNDS; round += 1) {
            if (price <= stop) {
              if (confirmMs === 0 || time - stopSince >= confirmMs) {
                leave('StopLoss', at(price, time), ambiguous);
                return bar;
              }
              if (Number.isNaN(stopSince)) {
                stopSince = time;
                break;
              }
            } else if (!Number.isNaN(stopSince)) {
              stopSince = Number.NaN;
              continue;
            }
            if (lineQuote >= 0) {
              const isGap = isLate && point === 0 && lineAt < time;
              const timesOut = time >= expiresAt;
              if (isGap || timesOut || price <= lineQuote) {
                const moment = at(price, time);
                const why = isGap ? 'DataGap' : timesOut ? 'Timeout' : 'BelowFloor';
                const hit = why === 'BelowFloor';
                const asks = hit ? floors : why === 'Timeout' && trailingCost.onExpiry === 'sellIfProfit';
                const sells = asks ? lines.covers(held, moment.bid) : hit;
                if (!(hit && sells)) {
                  const next = sells ? 'sell' : trailingCost.onExpiry === 'disarm' ? 'disarm' : 'rearm';
                  traces?.expired(state.number, why, moment, moment.price, line, peak, time - lineAt, next, state.average);
                  book.seen(moment.price);
                  line = Number.NaN;
                  lineQuote = Number.NaN;
                  peak = Number.NaN;
                  raiseAt = Number.NaN;
                  expiresAt = Number.NaN;
                  if (next === 'disarm') arm = Number.NaN;
                }
                if (!sells) continue;
                leave('TrailingCost', moment, ambiguous);
                return bar;
              }
            }
            const isDrawnNow = lineQuote >= 0;
            if (isDrawnNow ? price >= raiseAt : price >= arm) {
              const seen = units(price);
              const next = lineFor(seen);
              if (isDrawnNow ? !lines.raises(line, next) : seen < levels.armAt()) break;
              drawn(seen, time, line, peak, next);
              line = next;
              lineQuote = quote(next);
              peak = seen;
              lineAt = time;
              raiseAt = quote(lines.raiseAt(next));
              expiresAt = time + lifetime;
              continue;
            }
            if (price >= take) {
              const due = lines.slice(held);
              if (!due || units(price) < due.price) break;
              leave('TakeProfit', at(price, time), ambiguous);
              return bar;
            }
            if (time >= timeStopAt && price > timeStopAbove) {
              if (timeBound !== null && !lines.isAbove(held, units(price), timeBound)) break;
              leave('TimeStop', at(price, time), ambiguous);
              return bar;
            }
            break;
          }
        }
      }
    },
  };
}

/** The lower of two levels either of which may not exist (NaN); without both there is none to reach. */
const lowest = (a: number, b: number): number => {
  const least = a <= b || Number.isNaN(b) ? a : b;
  return Number.isNaN(least) ? Number.POSITIVE_INFINITY : least;
};
