import { Phase } from '../auto-trades/decide.ts';
import { createRollingHigh } from '../auto-trades/rolling-high.ts';
import type { CandleSeries } from '../prices/candle-series.ts';
import { walkTime } from '../prices/candle-walk.ts';
import { afterTransfer, emptySums } from '../wallets/wallet-book.ts';
import type { BacktestOptions } from './backtest.ts';
import type { DeskCoin } from './backtest-desk.ts';
import type { WalkedRun } from './backtest-run.ts';
import { createTimeline } from './backtest-timeline.ts';
import { createBarWalk } from './backtest-walk.ts';
import { BLOCK, candleBlocks, PART } from './candle-blocks.ts';
import { createEquityCurve, type MarkedRange } from './equity-curve.ts';
import { DEFAULT_FILL_MODEL } from './fill-model.ts';
import { createQuickDesk } from './quick-desk.ts';
import { createHighsBefore, createWindowFiller, reachOf, triggerBars } from './trigger-bars.ts';

/** What a series says of time and volume, found once: closes that stand while nothing is traded, and bars after a gap. */
type Course = { readonly close: Float64Array; readonly gaps: readonly number[] };
const courses = new WeakMap<CandleSeries, Map<number, Course>>();

function courseOf(candles: CandleSeries, gapMs: number): Course {
  const own = courses.get(candles) ?? new Map<number, Course>();
  courses.set(candles, own);
  const made = own.get(gapMs);
  if (made) return made;
  const { openTime, volume, close, intervalMs } = candles;
  const lastPoint = walkTime(3, intervalMs);
  const gaps: number[] = [];
  let standing = close;
  let before = Number.NaN;
  for (let bar = 0; bar < openTime.length; bar += 1) {
    if (volume[bar] === 0) {
      if (standing === close) standing = Float64Array.from(close);
      standing[bar] = bar > 0 ? standing[bar - 1]! : 0;
      continue;
    }
    if (openTime[bar]! - before > gapMs) gaps.push(bar);
    before = openTime[bar]! + lastPoint;
  }
  const course = { close: standing, gaps };
  own.set(gapMs, course);
  return course;
}

/**
 * Walks the candles of a bot of one coin as `walkCandles` does, but goes from one bar that may decide something to the
 * next: bars are passed over by the extremes of blocks while something is held, by the kept bars of the trigger while
 * nothing is, and the curve is drawn a stretch at a time; untold it has neither points nor traces. Throws `NotCovered` like the desk it tells its prices to.
 */
export function walkQuickly<Result>(
  options: BacktestOptions,
  finish: (options: BacktestOptions, run: WalkedRun) => Result,
  { told }: { readonly told: boolean },
): Result {
  const { startBalance, model = DEFAULT_FILL_MODEL, onProgress, signal, delayBars = 0 } = options;
  const { pair, candles, zoom } = options.coins[0]!;
  const timeline = createTimeline([candles]);
  const { size, intervalMs } = timeline;
  const { openTime, open, high, low, close, volume } = candles;
  const config = { ...options.config, coins: { symbols: [pair.symbol], coinFilterIds: [] } };
  const wallet = {
    id: config.walletId,
    currency: pair.quoteAsset,
    reservePct: options.reservePct ?? '0',
    sums: afterTransfer(emptySums, startBalance),
  };
  const view: DeskCoin = {
    slot: 0,
    pair,
    bar: -1,
    price: Number.NaN,
    at: 0,
    ambiguous: false,
    baseFloat: 0,
    held: 0,
    stopLevel: Number.NaN,
    targetLevel: Number.NaN,
  };
  const dataGapMs = Math.max(60_000, intervalMs * 2);
  const desk = createQuickDesk({ config, coins: [view], wallet, model, startBalance, dataGapMs, delayBars, told });
  const { columns } = desk;
  const broker = desk.exchanges[0]!;
  const { engine } = desk;
  const { trigger } = config.entry;
  const drop = trigger.kind === 'drop' ? trigger : undefined;
  const highBefore = drop && createHighsBefore(candles, drop.lookbackMin);
  const window = drop && !highBefore ? createRollingHigh(drop.lookbackMin) : undefined;
  const triggers = drop && triggerBars(candles, drop.lookbackMin, columns.dropFactor[0]!);
  const reach = drop ? reachOf(drop.lookbackMin, intervalMs) : 0;
  const fill = createWindowFiller(candles);
  const bars = createBarWalk(candles, zoom);
  const blocks = candleBlocks(candles);
  const course = courseOf(candles, dataGapMs);
  const lastPoint = walkTime(3, intervalMs);
  const half = model.halfSpreadPct / 100;
  const curve = createEquityCurve(Number(startBalance), size, told);
  const { close: standing } = course;
  const range: MarkedRange = {
    from: 0,
    to: 0,
    cash: 0,
    units: 0,
    holding: false,
    openTime,
    length: intervalMs,
    close: standing,
    blocks,
    // A close that stands for bars without volume may lie outside of what was traded.
    parted: standing === close ? blocks.low.length * BLOCK : 0,
  };
  let ambiguousBars = 0;
  let zoomedBars = 0;
  let nextGap = 0;
  /** Bars longer than a minute whose extremes were taken in another order, because both stop and target lay in them. */
  const askew = new Set<number>();
  let lastAskew = Number.NEGATIVE_INFINITY;
  /** The first bar that is not in the window yet; it waits until the window is asked for. */
  let waiting = 0;

  /** Marks everything before a bar with what is held now. */
  function markTo(bar: number): void {
    if (range.to >= bar) return;
    range.from = range.to;
    range.to = bar;
    range.cash = desk.cash;
    range.units = view.baseFloat;
    range.holding = view.held > 0;
    curve.markRange(range);
  }
  /** The first bar whose last price is not before a time. */
  function firstEndingAt(time: number, from: number): number {
    let [least, most] = [from, size];
    const guess = Math.min(size, from + Math.max(0, Math.ceil((time - lastPoint - openTime[from]!) / intervalMs)));
    // In a market without gaps the guess is right; with gaps it is too late.
    if (guess < size && openTime[guess]! + lastPoint >= time) most = guess;
    if (most > from && openTime[most - 1]! + lastPoint < time) return most;
    while (least < most) {
      const middle = (least + most) >> 1;
      if (openTime[middle]! + lastPoint >= time) most = middle;
      else least = middle + 1;
    }
    return least;
  }
  function traded(bar: number): number {
    let at = bar;
    while (at < size && volume[at] === 0) at += 1;
    return at;
  }
  /** The next bar that leaves the bounds of what is held, before `limit`. */
  function nextCrossing(from: number, limit: number): number {
    const above = broker.idle ? columns.quietAbove[0]! : Math.max(columns.quietAbove[0]!, broker.clearAbove);
    const below = columns.quietBelow[0]!;
    let bar = from;
    while (bar < limit) {
      if (bar % PART === 0) {
        if (bar % BLOCK === 0 && bar + BLOCK <= limit && blocks.low[bar / BLOCK]! > above && blocks.high[bar / BLOCK]! < below) {
          bar += BLOCK;
          continue;
        }
        if (bar + BLOCK <= size && bar + PART <= limit && blocks.partLow[bar / PART]! > above && blocks.partHigh[bar / PART]! < below) {
          bar += PART;
          continue;
        }
      }
      if (!(low[bar]! > above && high[bar]! < below) && volume[bar] !== 0) return bar;
      bar += 1;
    }
    return bar;
  }
  /** The next bar, from `from` on, in which something may be decided or filled. */
  function nextBar(from: number): number {
    if (!broker.restsOnly) return traded(from);
    switch (columns.phase[0]) {
      case Phase.Watching: {
        const cooldown = columns.cooldownUntil[0]!;
        const first = Number.isNaN(cooldown) ? from : firstEndingAt(cooldown, from);
        if (first >= size) return size;
        // The kept bars know the usual order of extremes only.
        return triggers && first > lastAskew + reach ? triggers(first) : traded(first);
      }
      case Phase.Holding:
      case Phase.Protected: {
        const until = columns.quietUntil[0]!;
        let limit = until === Number.POSITIVE_INFINITY ? size : firstEndingAt(until, from);
        if (columns.phase[0] === Phase.Protected) {
          while (nextGap < course.gaps.length && course.gaps[nextGap]! < from) nextGap += 1;
          const gap = course.gaps[nextGap];
          if (gap !== undefined && gap < limit) limit = gap;
        }
        const bar = nextCrossing(from, limit);
        return bar < limit ? bar : traded(bar);
      }
      default:
        return traded(from);
    }
  }
  /** Bars in which nothing is decided: only the last price of them is seen. */
  function pass(from: number, to: number): void {
    let bar = to - 1;
    while (bar >= from && volume[bar] === 0) bar -= 1;
    if (bar < from) return;
    const price = close[bar]!;
    const at = openTime[bar]! + lastPoint;
    view.bar = bar;
    view.price = price;
    view.at = at;
    engine.observeSlot(0, at, price, price * (1 - half), price * (1 + half), price);
  }
  /** Whether a bar that was reached for an order of before has something to decide as well. */
  function isQuiet(bar: number): boolean {
    const phase = columns.phase[0];
    const quiet = phase === Phase.Watching || phase === Phase.Holding || phase === Phase.Protected;
    return quiet && broker.restsThrough(bar, low[bar]!, high[bar]!) && nextBar(bar) > bar;
  }
  function walkBar(bar: number): void {
    // While something is held nobody asks for the window; where an order may end the position does.
    const looked = columns.phase[0]! <= Phase.Trailing || !broker.idle;
    let top = looked && highBefore ? highBefore(bar) : Number.NEGATIVE_INFINITY;
    if (looked && window) {
      for (let before = Math.max(waiting, bar - reach); before < bar; before += 1) fill(window, before, askew.has(before) || undefined);
      waiting = bar + 1;
    }
    if (view.held > 0 && low[bar]! <= view.stopLevel && high[bar]! >= view.targetLevel) {
      view.ambiguous = bars.walkAmbiguous(bar, view.stopLevel, view.targetLevel);
      if (view.ambiguous) ambiguousBars += 1;
      else zoomedBars += 1;
      if (intervalMs > 60_000) {
        askew.add(bar);
        lastAskew = bar;
      }
    } else bars.walk(bar);
    const { path } = bars;
    for (let point = 0; point < path.length; point += 1) {
      const price = path.price[point]!;
      const at = path.at[point]!;
      view.price = price;
      view.at = at;
      if (!broker.idle) {
        broker.trade(bar, price, at);
        if (desk.waiting) desk.hear(view);
      }
      if (looked && window) {
        window.add(at, price);
        top = window.high;
      } else if (price > top) top = price;
      engine.tickSlot(0, at, price, price * (1 - half), price * (1 + half), drop ? top : price);
      if (!broker.idle) broker.settle(at);
      while (desk.waiting) {
        desk.hear(view);
        broker.settle(at);
      }
    }
  }

  const every = Math.max(1, Math.floor(size / 100));
  let nextTold = 0;
  let last = -1;
  for (let bar = 0; bar < size; ) {
    if (bar >= nextTold) {
      nextTold = bar + every;
      onProgress?.(bar / size);
      if (signal?.aborted) break;
    }
    const next = nextBar(bar);
    if (next > bar) pass(bar, next);
    if (next >= size) break;
    markTo(next);
    view.bar = next;
    view.ambiguous = false;
    if (!broker.restsThrough(next, low[next]!, high[next]!)) {
      view.price = open[next]!;
      view.at = openTime[next]!;
      broker.openBar(next, openTime[next]!, open[next]!, volume[next]!);
      if (desk.waiting) desk.hear(view);
    }
    if (isQuiet(next)) pass(next, next + 1);
    else walkBar(next);
    last = next;
    bar = next + 1;
  }
  if (!signal?.aborted) markTo(size);
  else markTo(last + 1);
  onProgress?.(1);
  return finish(options, {
    timeline,
    desk: desk.finish(),
    curve,
    closes: [standing[size - 1]!],
    ambiguousBars,
    zoomedBars,
  });
}
