import { createRollingHigh } from '../auto-trades/engine/rolling-high.ts';
import { add, fromFloat, multiply, toText } from '../money/decimal.ts';
import type { CandleSeries } from '../prices/candle-series.ts';
import { walkTime } from '../prices/candle-walk.ts';
import type { BacktestOptions, BacktestResult } from './backtest.ts';
import { type ConditionJudge, createConditionJudges, GUARD_ASSET } from './backtest-conditions.ts';
import { createDesk, type DeskCoin } from './backtest-desk.ts';
import { type BacktestSummary, reportFigures, type SummaryParts, summaryFigures } from './backtest-report.ts';
import { createTimeline } from './backtest-timeline.ts';
import { createBarWalk } from './backtest-walk.ts';
import { BLOCK, type CandleBlocks, candleBlocks } from './candle-blocks.ts';
import { createEquityCurve } from './equity-curve.ts';
import { assumedBid, DEFAULT_FILL_MODEL } from './fill-model.ts';
import { passiveBenchmarks } from './passive-benchmarks.ts';
import { createPickVolumes } from './traded-volumes.ts';
import { createVeil } from './veil.ts';

type Coin = DeskCoin & {
  readonly candles: CandleSeries;
  readonly walk: ReturnType<typeof createBarWalk>;
  readonly window: ReturnType<typeof createRollingHigh> | undefined;
  readonly blocks: CandleBlocks | undefined;
  readonly judge: ConditionJudge | undefined;
  /** What a sale is paid at a price. */
  readonly bidAt: (price: number) => number;
  /** The guard of the bot looks at this coin's prices: they are all told. */
  readonly isReference: boolean;
  close: number;
  /** The bar of this step; -1: it has none. */
  next: number;
  /** Points of it that are walked already. */
  done: number;
};

/** Bars that the look-back window of an entry can reach back to: its oldest minute counts whole. */
const reachOf = (lookbackMin: number, intervalMs: number): number => Math.ceil(((lookbackMin + 1) * 60_000) / intervalMs) + 2;

/** Walks the candles of a bot's coins and tells their prices to the engine. */
export function walkCandles(options: BacktestOptions) {
  const { startBalance, model = DEFAULT_FILL_MODEL, onProgress, signal, walkEveryBar = false } = options;
  const timeline = createTimeline(options.coins.map(({ candles }) => candles));
  const { size, intervalMs, openTime } = timeline;
  const config = { ...options.config, coins: { symbols: options.coins.map(({ pair }) => pair.symbol), coinFilterIds: [] } };
  const veil = options.veiled ? createVeil(options.coins, options.reference) : undefined;
  const shown = veil?.coins ?? options.coins;
  let ambiguousBars = 0;
  let zoomedBars = 0;
  const trigger = config.entry.trigger;
  const { judgeFor } = options;
  const guarded = config.protections.btcGuard !== null;
  const judges = judgeFor ? shown.map(judgeFor) : createConditionJudges(config, shown, veil ? veil.reference : options.reference);
  const judged = judges.some((judge) => judge !== undefined);
  const coins: Coin[] = shown.map(({ pair, candles, zoom }, slot) => ({
    slot,
    pair,
    candles,
    walk: createBarWalk(candles, zoom),
    window: trigger.kind === 'drop' ? createRollingHigh(trigger.lookbackMin) : undefined,
    // A look at the extremes of a block is a look ahead: it only decides what need not be walked, and a veiled run goes without.
    blocks: walkEveryBar || veil || judged || guarded || !timeline.aligned ? undefined : candleBlocks(candles),
    judge: judges[slot],
    bidAt: assumedBid(pair, model),
    isReference: guarded && pair.baseAsset === GUARD_ASSET,
    baseFloat: 0,
    held: 0,
    stopLevel: Number.NaN,
    targetLevel: Number.NaN,
    price: Number.NaN,
    at: 0,
    close: 0,
    bar: -1,
    ambiguous: false,
    next: -1,
    done: 0,
  }));
  const desk = createDesk(options, config, coins, intervalMs);
  const { engine, brokers } = desk;

  const volumesAt = createPickVolumes(config, shown);
  const half = model.halfSpreadPct / 100;
  const lastPoint = walkTime(3, intervalMs);
  const curve = createEquityCurve(Number(startBalance), size);
  const mark = (step: number): void => {
    let value = desk.cash;
    let holding = false;
    for (const coin of coins) {
      value += coin.baseFloat * coin.close;
      holding ||= coin.held > 0;
    }
    curve.mark(step, openTime[step]! + intervalMs, value, holding);
  };

  const observe = (coin: Coin, at: number, price: number): void => {
    coin.price = price;
    coin.at = at;
    coin.close = price;
    engine.observeSlot(coin.slot, at, price, coin.bidAt(price), price * (1 + half), coin.window ? coin.window.high : price);
  };

  /** A bar in which nothing can be decided: only remembered. */
  function passBar(coin: Coin, bar: number): void {
    coin.bar = bar;
    coin.ambiguous = false;
    remember(coin, bar);
    observe(coin, coin.candles.openTime[bar]! + lastPoint, coin.candles.close[bar]!);
  }

  const isQuiet = (coin: Coin, bar: number, low: number, high: number, from: number, until: number, top = highAt(coin, from)): boolean =>
    !coin.isReference &&
    brokers[coin.slot]!.restsThrough(bar, low, high) &&
    !engine.mayDecideSlot(coin.slot, low, high, Math.max(top, high), from, until);

  const isQuietBar = (coin: Coin, bar: number): boolean => {
    const { openTime: starts, low, high } = coin.candles;
    return isQuiet(coin, bar, low[bar]!, high[bar]!, starts[bar]!, starts[bar]! + lastPoint);
  };

  const highAt = (coin: Coin, at: number): number => coin.window?.peek(at) ?? 0;

  /** Bars that the look-back window of the entry rule can reach back to. */
  const reach = trigger.kind === 'drop' ? reachOf(trigger.lookbackMin, intervalMs) : 0;
  /** The first bar that was passed over and is not in the window yet; one coin alone waits until its high is asked for. */
  let waiting = -1;
  const remember = ({ candles, walk, window }: Coin, bar: number): void => {
    if (!window) return;
    const start = candles.openTime[bar]!;
    // The window keeps the high of each minute: of a bar within one minute nothing else is left.
    if ((start % 60_000) + intervalMs <= 60_000) {
      window.add(start + lastPoint, candles.high[bar]!);
      return;
    }
    const path = walk.walk(bar);
    for (let point = 0; point < 4; point += 1) window.add(path.at[point]!, path.price[point]!);
  };
  function catchUp(step: number): void {
    if (waiting < 0) return;
    for (let bar = Math.max(waiting, step - reach); bar < step; bar += 1) remember(coins[0]!, bar);
    waiting = -1;
  }
  /** No less than the high of the window at the begin of a block, from the highs of the blocks it reaches into. */
  function highBefore(coin: Coin, block: number): number {
    if (!coin.window || !coin.blocks) return 0;
    let top = 0;
    for (let before = Math.max(0, block - Math.ceil(reach / BLOCK) - 1); before < block; before += 1)
      top = Math.max(top, coin.blocks.high[before]!);
    return top;
  }

  /** True when nothing can be decided in a whole block for any coin; it is passed over then. */
  function passBlock(step: number): boolean {
    const until = openTime[step + BLOCK - 1]! + lastPoint;
    const block = step / BLOCK;
    const alone = coins.length === 1;
    for (const coin of coins) {
      if (coin.blocks?.plain[block] !== 1) return false;
      const top = alone ? highBefore(coin, block) : highAt(coin, openTime[step]!);
      if (!isQuiet(coin, coin.bar, coin.blocks.low[block]!, coin.blocks.high[block]!, openTime[step]!, until, top)) return false;
    }
    if (alone && coins[0]!.window && waiting < 0) waiting = step;
    const { baseFloat, candles, held } = coins[0]!;
    const closes = openTime[step]! + intervalMs;
    if (!alone || !curve.markMany(step, closes, intervalMs, BLOCK, desk.cash, baseFloat, candles.close, held > 0)) {
      for (let next = step; next < step + BLOCK; next += 1) {
        for (const coin of coins) {
          coin.close = coin.candles.close[next]!;
          if (!alone) remember(coin, next);
        }
        mark(next);
      }
    }
    for (const coin of coins) {
      coin.bar = step + BLOCK - 1;
      observe(coin, until, coin.candles.close[coin.bar]!);
    }
    return true;
  }

  /** Prepares the walk over a coin's bar. */
  function beginBar(coin: Coin, bar: number): void {
    const { candles } = coin;
    const broker = brokers[coin.slot]!;
    coin.bar = bar;
    coin.ambiguous = false;
    coin.done = 0;
    const [low, high, open, at] = [candles.low[bar]!, candles.high[bar]!, candles.open[bar]!, candles.openTime[bar]!];
    if (engine.meet(coin.pair.symbol, at, open, coin.bidAt(open), open * (1 + half))) {
      coin.price = open;
      coin.at = at;
      coin.window?.forget();
      desk.jumped(coin);
    }
    if (!broker.restsThrough(bar, low, high)) {
      coin.price = open;
      coin.at = at;
      broker.openBar(bar, coin.at, coin.price, candles.volume[bar]!);
      if (desk.waiting) desk.hear(coin);
    }
    if (coin.held > 0 && low <= coin.stopLevel && high >= coin.targetLevel) {
      coin.ambiguous = coin.walk.walkAmbiguous(bar, coin.stopLevel, coin.targetLevel);
      if (coin.ambiguous) ambiguousBars += 1;
      else zoomedBars += 1;
    } else coin.walk.walk(bar);
  }

  function tick(coin: Coin): void {
    const { path } = coin.walk;
    const price = path.price[coin.done]!;
    const at = path.at[coin.done]!;
    coin.done += 1;
    coin.price = price;
    coin.at = at;
    coin.close = price;
    const broker = brokers[coin.slot]!;
    if (!broker.idle) {
      broker.trade(coin.bar, price, at);
      if (desk.waiting) desk.hear(coin);
    }
    coin.window?.add(at, price);
    if (coin.isReference) engine.reference(at, price);
    engine.tickSlot(coin.slot, at, price, coin.bidAt(price), price * (1 + half), coin.window ? coin.window.high : price);
    if (!broker.idle) broker.settle(at);
    while (desk.waiting) {
      desk.hear(coin);
      broker.settle(at);
    }
  }

  /** All prices of a step, the earliest first; of equal times the earlier coin first. */
  function walkStep(): void {
    if (coins.length === 1) {
      const coin = coins[0]!;
      while (coin.next >= 0 && coin.done < coin.walk.path.length) tick(coin);
      return;
    }
    for (;;) {
      let earliest: Coin | undefined;
      for (const coin of coins) {
        if (coin.next < 0 || coin.done >= coin.walk.path.length) continue;
        if (!earliest || coin.walk.path.at[coin.done]! < earliest.walk.path.at[earliest.done]!) earliest = coin;
      }
      if (!earliest) return;
      tick(earliest);
    }
  }

  /** What the conditions say once the bars of a step have closed; the next prices are judged by it. */
  function judgeStep(step: number): void {
    for (const coin of coins) {
      const bar = timeline.barAt(coin.slot, step);
      const verdict = bar < 0 ? undefined : coin.judge?.close(bar);
      if (verdict) engine.conditions(coin.pair.symbol, verdict);
    }
  }

  const every = Math.max(1, Math.floor(size / 100));
  let told = 0;
  const blocks = coins.every((coin) => coin.blocks !== undefined);
  for (let step = 0; step < size; step += 1) {
    if (step >= told) {
      told = step + every;
      onProgress?.(step / size);
      if (signal?.aborted) break;
    }
    if (blocks && step % BLOCK === 0 && step + BLOCK <= size && passBlock(step)) {
      step += BLOCK - 1;
      continue;
    }
    catchUp(step);
    veil?.lift(openTime[step]!);
    if (volumesAt) desk.tellVolumes(volumesAt(openTime[step]!));
    for (const coin of coins) {
      const bar = timeline.barAt(coin.slot, step);
      // A bar without volume is no market: nothing traded, so nothing is decided.
      coin.next = bar >= 0 && coin.candles.volume[bar] !== 0 ? bar : -1;
    }
    // All or none: what one coin frees another gets at the price it has then, not at that of the end of its bar.
    const quiet = !walkEveryBar && coins.every((coin) => coin.next < 0 || isQuietBar(coin, coin.next));
    for (const coin of coins) {
      if (coin.next < 0) continue;
      if (quiet) passBar(coin, coin.next);
      else beginBar(coin, coin.next);
    }
    if (!quiet) walkStep();
    if (judged) judgeStep(step);
    mark(step);
  }
  onProgress?.(1);

  return {
    timeline,
    desk: desk.finish(),
    curve,
    /** The newest price of each coin; 0: it had none. */
    closes: coins.map(({ close }) => close),
    ambiguousBars,
    zoomedBars,
  };
}
export type WalkedRun = ReturnType<typeof walkCandles>;

function summaryParts({ coins, startBalance, model = DEFAULT_FILL_MODEL }: BacktestOptions, run: WalkedRun): SummaryParts {
  const { timeline, desk, closes, ambiguousBars, zoomedBars } = run;
  let endValue = desk.money;
  coins.forEach(({ pair }, slot) => {
    const close = closes[slot]!;
    if (close > 0) endValue = add(endValue, multiply(desk.bases[slot]!, fromFloat(close, pair.pricePrecision)));
  });
  return {
    symbols: coins.map(({ pair }) => pair.symbol),
    quoteAsset: coins[0]!.pair.quoteAsset,
    timeline,
    model,
    startBalance,
    endValue: toText(endValue),
    realised: desk.realised,
    slippage: toText(desk.slippage),
    figures: run.curve.finish(),
    traces: desk.traces,
    ambiguous: desk.ambiguous,
    ambiguousBars,
    zoomedBars,
    refusals: desk.refusals,
  };
}

/** The summary of a run whose bars are walked. */
export const summaryOf = (options: BacktestOptions, run: WalkedRun): BacktestSummary => summaryFigures(summaryParts(options, run));

/** The report of a run whose bars are walked, and its traces. */
export function resultOf(options: BacktestOptions, run: WalkedRun): BacktestResult {
  const { coins, startBalance, model = DEFAULT_FILL_MODEL } = options;
  const candles = coins.map((coin) => coin.candles);
  const parts = summaryParts(options, run);
  const passive = passiveBenchmarks(candles, run.timeline, parts.figures.steps, Number(startBalance), Number(model.takerFee));
  return { report: reportFigures({ ...parts, candles, passive }), traces: run.desk.traces };
}
