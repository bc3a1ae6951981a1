import { rebuyLevels } from '../auto-trades/rebuy-levels.ts';
import type { BacktestOptions } from './backtest.ts';
import { deskOptions } from './backtest-desk.ts';
import type { WalkedRun } from './backtest-run.ts';
import { createTimeline } from './backtest-timeline.ts';
import { createBarWalk } from './backtest-walk.ts';
import { createBarSearch } from './bar-search.ts';
import { candleBlocks } from './candle-blocks.ts';
import { createEntryWindow } from './entry-window.ts';
import { createEquityCurve, rangeOver } from './equity-curve.ts';
import { createQuickBooks } from './quick-books.ts';
import { newView } from './quick-coin.ts';
import { createQuickColumns } from './quick-columns.ts';
import { courseOf } from './quick-course.ts';
import { offeredAt } from './quick-exchange.ts';
import { ASK, AT, BID, createQuickBook, createQuickRun, PRICE, Stage } from './quick-position.ts';
import { quickResult } from './quick-result.ts';
import { NotCovered, safe } from './quick-scales.ts';
import { createQuickRows } from './quick-traces.ts';
import { createTripEntries, type Slice } from './trip-entries.ts';
import { createTripExits } from './trip-exits.ts';

/**
 * Whether a bot that the quick run covers does nothing but round trips: of one coin, bought at once at the market and
 * sold at once at the market. Then no order rests, no two are on their way, and nothing is half done.
 */
export const makesRoundTrips = ({ config, coins }: BacktestOptions): boolean =>
  coins.length === 1 &&
  config.entry.order.type === 'Market' &&
  config.exit.order.type === 'Market' &&
  config.takeProfit.levels.length <= 1 &&
  rebuyLevels(config.rebuys).length === 0 &&
  !config.protectiveStop.enabled;

/**
 * A run of round trips as `walkQuickly` makes it, without orders, columns and an exchange in between: looked for, bought
 * at the next open, followed, sold at the next open. The rules, the books and the rows are those of the quick run. For what
 * `canLeap` and `makesRoundTrips` say yes to. Throws `NotCovered` for whatever else happens.
 */
export function walkRoundTrips<Result>(
  options: BacktestOptions,
  finish: (options: BacktestOptions, run: WalkedRun) => Result,
  { told }: { readonly told: boolean },
): Result {
  const walked = roundTripsInSlices(options, finish, { told, slice: { end: Number.POSITIVE_INFINITY } }).next();
  if (!walked.done) throw new Error('a run without slices waits for nobody');
  return walked.value;
}

/** The same, which waits at the end of each slice of the bars. */
export function* roundTripsInSlices<Result>(
  options: BacktestOptions,
  finish: (options: BacktestOptions, run: WalkedRun) => Result,
  { told, slice }: { readonly told: boolean; readonly slice: Slice },
): Generator<void, Result> {
  const { onProgress, signal } = options;
  const coin = options.coins[0]!;
  const { candles } = coin;
  const { openTime, open, intervalMs } = candles;
  const timeline = createTimeline([candles]);
  const { size } = timeline;
  const view = newView(coin, 0);
  const deskWith = deskOptions(options, [view], intervalMs, told);
  const { config, model, startBalance, delayBars, dataGapMs } = deskWith;
  const half = model.halfSpreadPct / 100;
  const slip = half + model.slippagePct / 100;
  const run = createQuickRun(deskWith, told ? createQuickRows() : undefined, { ended() {}, withdraw() {} });
  const book = createQuickBook(run, 0);
  const { state, held, market, columns, lines, scales, wallet } = book;
  const levels = createQuickColumns(book);
  const books = createQuickBooks(book, levels);
  const { trigger } = config.entry;
  const window = trigger.kind === 'drop' ? createEntryWindow(candles, trigger.lookbackMin, columns.dropFactor[0]!) : undefined;
  const course = courseOf(candles, dataGapMs);
  const search = createBarSearch(candles);
  const walk = { candles, bars: createBarWalk(candles, coin.zoom), window, search, gaps: course.gaps, slice, stand, stopsAt, markTo };
  const entries = createTripEntries(book, books, levels, walk);
  const exits = createTripExits(book, levels, walk);

  const curve = createEquityCurve(Number(startBalance), size, told);
  const range = rangeOver(timeline, candles, course.close, candleBlocks(candles));
  /** Marks everything before a step with what is held now. */
  function markTo(step: number): void {
    if (range.to >= step) return;
    range.from = range.to;
    range.to = step;
    range.cash = wallet.cash;
    range.units = view.baseFloat;
    range.holding = view.held > 0;
    curve.markRange(range);
  }
  /** The market stands at a price. */
  function stand(price: number, at: number): void {
    market[PRICE] = price;
    market[BID] = price * (1 - half);
    market[ASK] = price * (1 + half);
    market[AT] = at;
  }
  const every = Math.max(1, Math.floor(size / 100));
  let nextTold = 0;
  let stopped = false;
  /** Tells how far the walk is; true when it is to end here. */
  function stopsAt(bar: number): boolean {
    if (bar < nextTold) return stopped;
    nextTold = bar + every;
    onProgress?.(bar / size);
    stopped ||= signal?.aborted === true;
    return stopped;
  }

  let slippage = 0;
  /** An order at the market takes what is offered when a bar opens. */
  function fill(bar: number, buys: boolean, lots: number): number {
    stand(course.close[bar - 1]!, openTime[bar]!);
    const price = offeredAt(scales, open[bar]!, buys, slip);
    slippage = safe(slippage + safe(lots * Math.abs(price - book.units(open[bar]!))));
    return price;
  }
  function buyAt(bar: number): void {
    const at = openTime[bar]!;
    const price = fill(bar, true, entries.lots);
    books.bought({ purpose: 'entry', level: null, step: state.step, attempt: 0 }, entries.lots, price, scales.takerFee, at);
    if (lines.tooSmall(lines.sellable(held.quantity), book.now(at).price)) throw new NotCovered('a buy that is dust');
    books.trim();
    books.go(Stage.Open);
    book.show();
  }
  function sellAt(bar: number): void {
    const at = openTime[bar]!;
    const reason = state.exitReason!;
    const price = fill(bar, false, exits.lots);
    const level = reason === 'TakeProfit' ? held.levelsDone : null;
    books.sold({ purpose: 'exit', level, step: state.step, attempt: 0 }, reason, exits.lots, price, scales.takerFee, at);
    const moment = book.now(at);
    if (!lines.isDust(held, moment.price, true)) throw new NotCovered('an exit that leaves more than dust');
    books.close(reason, moment);
  }

  books.start();
  let bar = 0;
  while (bar < size) {
    const sent = yield* entries.seek(bar);
    const bought = search.firstTraded(sent + 1 + delayBars);
    if (bought >= size) break;
    markTo(bought);
    buyAt(bought);
    const decided = yield* exits.hold(bought);
    bar = search.firstTraded(decided + 1);
    if (bar >= size) break;
    markTo(bar);
    sellAt(bar);
    entries.rest(openTime[bar]!);
  }
  markTo(stopped ? Math.min(size, nextTold) : size);
  onProgress?.(1);
  return finish(options, {
    timeline,
    desk: quickResult(run, [book], [slippage]),
    curve,
    closes: [course.close[size - 1]!],
    ambiguousBars: exits.ambiguousBars,
    zoomedBars: exits.zoomedBars,
  });
}
