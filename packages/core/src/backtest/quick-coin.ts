import { Phase } from '../auto-trades/decide.ts';
import { walkTime } from '../prices/candle-walk.ts';
import type { BacktestCoin, BacktestOptions } from './backtest.ts';
import type { DeskCoin } from './backtest-desk.ts';
import { createBarWalk } from './backtest-walk.ts';
import { createBarSearch } from './bar-search.ts';
import { candleBlocks } from './candle-blocks.ts';
import { createEntryWindow } from './entry-window.ts';
import { courseOf } from './quick-course.ts';
import type { QuickDesk } from './quick-desk.ts';
import { ASK, AT, BID, HIGH, PRICE } from './quick-position.ts';

/** Where a coin is before the first bar. */
export const newView = ({ pair }: BacktestCoin, slot: number): DeskCoin => ({
  slot,
  pair,
  bar: -1,
  price: Number.NaN,
  at: 0,
  ambiguous: false,
  baseFloat: 0,
  held: 0,
  stopLevel: Number.NaN,
  targetLevel: Number.NaN,
});

/** The bars of one coin of a quick run: which of them may decide something, and how they are walked or passed over. */
export function createQuickCoin(
  { candles, zoom }: BacktestCoin,
  view: DeskCoin,
  desk: QuickDesk,
  trigger: BacktestOptions['config']['entry']['trigger'],
  half: number,
  dataGapMs: number,
) {
  const { openTime, open, high, low, close, volume, intervalMs } = candles;
  const size = openTime.length;
  const { slot } = view;
  const { columns, engine } = desk;
  const several = desk.exchanges.length > 1;
  const broker = desk.exchanges[slot]!;
  const market = desk.markets[slot]!;
  const drop = trigger.kind === 'drop' ? trigger : undefined;
  const window = drop && createEntryWindow(candles, drop.lookbackMin, columns.dropFactor[slot]!);
  const bars = createBarWalk(candles, zoom);
  const { path } = bars;
  const blocks = candleBlocks(candles);
  const { firstEndingAt, firstOutside, firstTraded } = createBarSearch(candles);
  const course = courseOf(candles, dataGapMs);
  const lastPoint = walkTime(3, intervalMs);
  const bidShare = 1 - half;
  const askShare = 1 + half;
  let nextGap = 0;

  /** The next bar that leaves the bounds of what is held, before `limit`. */
  function nextCrossing(from: number, limit: number): number {
    const above = broker.idle ? columns.quietAbove[slot]! : Math.max(columns.quietAbove[slot]!, broker.clearAbove);
    return firstOutside(above, columns.quietBelow[slot]!, from, limit);
  }
  /** The next bar, from `from` on, in which something may be decided or filled. */
  function nextBar(from: number): number {
    if (from >= size) return size;
    if (!broker.restsOnly) return firstTraded(from);
    switch (columns.phase[slot]) {
      case Phase.Watching: {
        const cooldown = columns.cooldownUntil[slot]!;
        const first = Number.isNaN(cooldown) ? from : firstEndingAt(cooldown, from);
        if (first >= size) return size;
        return firstTraded(window ? window.nextTrigger(first) : first);
      }
      case Phase.Holding:
      case Phase.Protected: {
        const until = columns.quietUntil[slot]!;
        let limit = until === Number.POSITIVE_INFINITY ? size : firstEndingAt(until, from);
        if (columns.phase[slot] === Phase.Protected) {
          while (nextGap < course.gaps.length && course.gaps[nextGap]! < from) nextGap += 1;
          const gap = course.gaps[nextGap];
          if (gap !== undefined && gap < limit) limit = gap;
        }
        const bar = nextCrossing(from, limit);
        return bar < limit ? bar : firstTraded(bar);
      }
      default:
        return firstTraded(from);
    }
  }
  /** The high that a passed bar leaves, for who wants a slot at its price; NaN: nothing holds there. */
  function highAfter(bar: number, at: number): number {
    if (!window) return close[bar]!;
    // Asked for where the coin may be looked for before its next price: its cooldown is over, or its resting stop sold, when
    // a slot becomes free at the next open.
    const waits = columns.phase[slot] === Phase.Watching ? at < columns.cooldownUntil[slot]! : !broker.idle;
    if (!several || !waits) return Number.NaN;
    return window.highThrough(bar);
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
    engine.observeSlot(slot, at, price, price * bidShare, price * askShare, highAfter(bar, at));
  }
  /** Whether a bar that was reached has nothing to decide after its open. */
  function isQuiet(bar: number): boolean {
    const phase = columns.phase[slot];
    const quiet = phase === Phase.Watching || phase === Phase.Holding || phase === Phase.Protected;
    return quiet && broker.restsThrough(bar, low[bar]!, high[bar]!) && nextBar(bar) > bar;
  }

  function tickAt(point: number): void {
    const price = path.price[point]!;
    const at = path.at[point]!;
    view.price = price;
    view.at = at;
    if (!broker.idle) {
      broker.trade(view.bar, price, at);
      if (desk.waiting) desk.hear(view);
    }
    window?.tell(at, price);
    market[PRICE] = price;
    market[BID] = price * bidShare;
    market[ASK] = price * askShare;
    market[HIGH] = window ? window.top[0]! : price;
    market[AT] = at;
    desk.tick(slot);
    if (!broker.idle) broker.settle(at);
    while (desk.waiting) {
      desk.hear(view);
      broker.settle(at);
    }
  }

  const coin = {
    view,
    broker,
    candles,
    blocks,
    standing: course.close,
    path,
    /** The next bar that may decide something, as far as it is known. */
    next: -1,
    /** It is in the midst of a bar, of which so many prices are told. */
    walking: false,
    done: 0,
    ambiguousBars: 0,
    zoomedBars: 0,
    nextBar,
    pass,
    /** The open of a bar; answers whether the rest of it has to be walked. */
    begin(bar: number): boolean {
      view.bar = bar;
      view.ambiguous = false;
      let sought = coin.next <= bar;
      if (!broker.restsThrough(bar, low[bar]!, high[bar]!)) {
        view.price = open[bar]!;
        view.at = openTime[bar]!;
        broker.openBar(bar, openTime[bar]!, open[bar]!, volume[bar]!);
        if (desk.waiting) desk.hear(view);
        sought = false;
      }
      // A bar that was sought and found, and in which nothing was filled yet, is not asked once more.
      if (!sought && isQuiet(bar)) {
        pass(bar, bar + 1);
        return false;
      }
      coin.done = 0;
      // While something is held nobody asks for the window; where an order may end the position does. Of several coins one
      // that is sold at the next open may want the slot that another leaves there, at the high of this bar.
      window?.begin(bar, several || columns.phase[slot]! <= Phase.Trailing || !broker.idle);
      if (view.held > 0 && low[bar]! <= view.stopLevel && high[bar]! >= view.targetLevel) {
        view.ambiguous = bars.walkAmbiguous(bar, view.stopLevel, view.targetLevel);
        if (view.ambiguous) coin.ambiguousBars += 1;
        else coin.zoomedBars += 1;
        window?.turn(bar);
      } else bars.walk(bar);
      return true;
    },
    /** The next price of a bar. */
    tick(): void {
      tickAt(coin.done++);
    },
    /** All prices of a bar. */
    tickAll(): void {
      for (let point = 0; point < path.length; point += 1) tickAt(point);
    },
  };
  return coin;
}
export type QuickCoin = ReturnType<typeof createQuickCoin>;
