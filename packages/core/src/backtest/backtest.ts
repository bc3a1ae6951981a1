import type { AutoTradeConfig } from '../auto-trades/auto-trade-config.ts';
import { createAutoTradeEngine, type EngineStep, type OrderInput } from '../auto-trades/auto-trade-engine.ts';
import { createRollingHigh } from '../auto-trades/rolling-high.ts';
import type { Trace } from '../auto-trades/trace.ts';
import { add, type Decimal, decimal, fromFloat, multiply, subtract, toFloat, toText, ZERO } from '../money/decimal.ts';
import type { CandleSeries } from '../prices/candle-series.ts';
import { walkTime } from '../prices/candle-walk.ts';
import type { Pair } from '../prices/prices-contract.ts';
import { afterTransfer, emptySums, type WalletBook } from '../wallets/wallet-book.ts';
import { type BacktestBroker, createBacktestBroker } from './backtest-broker.ts';
import { type ConditionJudge, ConditionsError, createConditionJudge } from './backtest-conditions.ts';
import type { BacktestFigures } from './backtest-contract.ts';
import { reportFigures } from './backtest-report.ts';
import { createTimeline } from './backtest-timeline.ts';
import { createBarWalk } from './backtest-walk.ts';
import { BLOCK, type CandleBlocks, candleBlocks } from './candle-blocks.ts';
import { createEquityCurve } from './equity-curve.ts';
import { DEFAULT_FILL_MODEL, type FillModel } from './fill-model.ts';
import { passiveBenchmarks } from './passive-benchmarks.ts';
import { createVeil } from './veil.ts';

/** A coin of the bot: its pair, its candles, and finer ones that tell what happened inside a bar where that matters. */
export type BacktestCoin = { readonly pair: Pair; readonly candles: CandleSeries; readonly zoom?: CandleSeries };

export type BacktestOptions = {
  readonly config: AutoTradeConfig;
  /** In the order of the bot's coins. All candles have one interval, all pairs one quote asset. */
  readonly coins: readonly BacktestCoin[];
  readonly startBalance: string;
  readonly reservePct?: string;
  readonly model?: FillModel;
  /** Told at most a hundred times, with the share that is done (0–1). */
  readonly onProgress?: (done: number) => void;
  readonly signal?: AbortSignal;
  /** Walks quiet bars too; the result is the same, as a test shows. */
  readonly walkEveryBar?: boolean;
  /** Bars by which every buy comes later than decided: the test of delay. */
  readonly delayBars?: number;
  /** Every bar is hidden until its turn comes: the test of look-ahead. */
  readonly veiled?: boolean;
  /** What judges the conditions of a coin, in place of the bot's own rules. */
  readonly judgeFor?: (coin: BacktestCoin) => ConditionJudge | undefined;
};

export type BacktestResult = { readonly report: BacktestFigures; readonly traces: readonly Trace[] };

const HOLDING: ReadonlySet<string> = new Set(['entryPending', 'open', 'protected', 'reducing', 'exitPending', 'needsAttention', 'adding']);
/** The coin whose fall stops entries, where a bot has that guard. */
const REFERENCE = 'BTC';
const BACKTEST_ID = '00000000-0000-7000-8000-000000000001';

type Coin = {
  readonly slot: number;
  readonly pair: Pair;
  readonly candles: CandleSeries;
  readonly walk: ReturnType<typeof createBarWalk>;
  readonly window: ReturnType<typeof createRollingHigh> | undefined;
  readonly blocks: CandleBlocks | undefined;
  readonly broker: BacktestBroker;
  readonly judge: ConditionJudge | undefined;
  /** The guard of the bot looks at this coin's prices: they are all told. */
  readonly isReference: boolean;
  /** Base units on the account, dust of closed positions included: exact, from the fills; and as a double. */
  base: Decimal;
  baseFloat: number;
  held: number;
  stopLevel: number;
  targetLevel: number;
  /** The newest price and when it was, for orders placed now. */
  price: number;
  at: number;
  close: number;
  bar: number;
  ambiguous: boolean;
  /** Points of this step that are walked already. */
  done: number;
  walking: boolean;
};

/**
 * Runs a bot over the candles of its coins with the live engine and an in-process exchange: one wallet, one set of
 * slots, ticks in the order of time. Decisions are made at four prices of each bar (open, both extremes, close); where
 * stop and target lie in one bar, finer candles tell which came first, else the stop did. A decision sees the ticks up
 * to its own, orders fill from the next bar on. Throws `TimelineError` for candles that cannot be walked together and
 * `ConditionsError` for rules that candles cannot answer.
 */
export function runBacktest(options: BacktestOptions): BacktestResult {
  const { startBalance, model = DEFAULT_FILL_MODEL, onProgress, signal, walkEveryBar = false, delayBars = 0 } = options;
  const quoteAsset = options.coins[0]?.pair.quoteAsset ?? '';
  const wallet: WalletBook = {
    id: options.config.walletId,
    currency: quoteAsset,
    reservePct: options.reservePct ?? '0',
    sums: afterTransfer(emptySums, startBalance),
  };
  const timeline = createTimeline(options.coins.map(({ candles }) => candles));
  const { size, intervalMs, openTime } = timeline;
  const config = { ...options.config, coins: { symbols: options.coins.map(({ pair }) => pair.symbol), coinFilterIds: [] } };
  const veil = options.veiled ? createVeil(options.coins) : undefined;
  const shown = veil?.coins ?? options.coins;
  const traces: Trace[] = [];
  const queue: OrderInput[] = [];
  const refusals: Record<string, number> = {};
  const ambiguous = new Set<string>();
  let ambiguousBars = 0;
  let zoomedBars = 0;
  /** Free and reserved money as a double, for the equity curve only. */
  let cash = Number(startBalance);
  const trigger = config.entry.trigger;
  const judgeFor = options.judgeFor ?? (({ pair, candles }: BacktestCoin) => createConditionJudge(config, pair, candles));
  const guarded = config.protections.btcGuard !== null;
  const judges = shown.map(judgeFor);
  const judged = judges.some((judge) => judge !== undefined);
  if (guarded && !shown.some(({ pair }) => pair.baseAsset === REFERENCE))
    throw new ConditionsError([{ column: 'protections.btcGuard', code: 'needsReference' }]);
  const coins: Coin[] = shown.map(({ pair, candles, zoom }, slot) => {
    const coin: Coin = {
      slot,
      pair,
      candles,
      walk: createBarWalk(candles, zoom),
      window: trigger.kind === 'drop' ? createRollingHigh(trigger.lookbackMin) : undefined,
      // A look at the extremes of a block is a look ahead: it only decides what need not be walked, and a veiled run goes without.
      blocks: walkEveryBar || veil || judged || guarded || !timeline.aligned ? undefined : candleBlocks(candles),
      broker: createBacktestBroker({
        pair,
        model,
        deliver: (input) => queue.push(input),
        holdings: () => coin.base,
        onRefusal: ({ code, rule }) => {
          refusals[`${code} ${rule}`] = (refusals[`${code} ${rule}`] ?? 0) + 1;
        },
      }),
      judge: judges[slot],
      isReference: guarded && pair.baseAsset === REFERENCE,
      base: ZERO,
      baseFloat: 0,
      held: 0,
      stopLevel: Number.NaN,
      targetLevel: Number.NaN,
      price: Number.NaN,
      at: 0,
      close: 0,
      bar: -1,
      ambiguous: false,
      done: 0,
      walking: false,
    };
    return coin;
  });
  const coinOf = new Map(coins.map((coin) => [coin.pair.symbol, coin]));

  const engine = createAutoTradeEngine({
    autoTradeId: BACKTEST_ID,
    runNo: 1,
    mode: 'paper',
    config,
    configVersion: 1,
    pairs: coins.map(({ pair }) => pair),
    takerFee: model.takerFee,
    wallet,
    dataGapMs: Math.max(60_000, intervalMs * 2),
    emit: ({ symbol, context, state }: EngineStep) => {
      const coin = coinOf.get(symbol)!;
      for (const effect of context.effects) {
        if (effect.kind === 'trace') traces.push({ ...effect.trace, seq: traces.length + 1 });
        else if (effect.kind === 'cancel') coin.broker.cancel(effect.clientOrderId);
        else if (effect.kind === 'place') {
          if (coin.ambiguous && effect.order.side === 'Sell') ambiguous.add(context.positionId);
          coin.broker.place(effect.order, coin.bar + 1 + (effect.order.side === 'Buy' ? delayBars : 0), coin.price, coin.at);
        }
      }
      cash = Number(wallet.sums.free) + Number(wallet.sums.reserved);
      coin.held = HOLDING.has(state) ? toFloat(decimal(context.quantity)) : 0;
      coin.stopLevel = highest(number(context.stopPrice), number(context.line));
      const gain = config.takeProfit.levels[context.levelsDone]?.gainPct;
      coin.targetLevel = coin.held > 0 && gain ? (toFloat(decimal(context.cost)) / coin.held) * (1 + Number(gain) / 100) : Number.NaN;
    },
  });

  const drain = (coin: Coin) => {
    for (let input = queue.shift(); input; input = queue.shift()) {
      if (input.type === 'filled') {
        const bought = input.feeInQuote === null;
        coin.base = bought
          ? add(coin.base, subtract(decimal(input.quantity), decimal(input.fee)))
          : subtract(coin.base, decimal(input.quantity));
        coin.baseFloat = toFloat(coin.base);
      }
      engine.order(input);
    }
  };

  const half = model.halfSpreadPct / 100;
  const lastPoint = walkTime(3, intervalMs);
  const curve = createEquityCurve(Number(startBalance), size);
  const mark = (step: number): void => {
    let value = cash;
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
    engine.observeSlot(coin.slot, at, price, price * (1 - half), price * (1 + half), coin.window ? coin.window.high : price);
  };

  /** A bar in which nothing can be decided: only remembered. */
  function passBar(coin: Coin, bar: number, end: number): void {
    remember(coin, bar);
    observe(coin, end, coin.candles.close[bar]!);
  }

  const isQuiet = (coin: Coin, low: number, high: number, from: number, until: number, top = highAt(coin, from)): boolean =>
    !coin.isReference &&
    coin.broker.restsThrough(coin.bar, low, high) &&
    !engine.mayDecideSlot(coin.slot, low, high, Math.max(top, high), from, until);

  const highAt = (coin: Coin, at: number): number => coin.window?.peek(at) ?? 0;

  /** Bars that the look-back window of the entry rule can reach back to. */
  const reach = trigger.kind === 'drop' ? Math.ceil((trigger.lookbackMin * 60_000) / intervalMs) + 2 : 0;
  /** The first bar that was passed over and is not in the window yet; one coin alone waits until its high is asked for. */
  let waiting = -1;
  const remember = ({ candles, walk, window }: Coin, bar: number): void => {
    if (!window) return;
    if (intervalMs <= 60_000) {
      window.add(candles.openTime[bar]! + lastPoint, candles.high[bar]!);
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
      if (!isQuiet(coin, coin.blocks.low[block]!, coin.blocks.high[block]!, openTime[step]!, until, top)) return false;
    }
    if (alone) {
      const coin = coins[0]!;
      if (coin.window && waiting < 0) waiting = step;
      const closes = openTime[step]! + intervalMs;
      if (!curve.markMany(step, closes, intervalMs, BLOCK, cash, coin.baseFloat, coin.candles.close, coin.held > 0)) {
        for (let next = step; next < step + BLOCK; next += 1) {
          coin.close = coin.candles.close[next]!;
          mark(next);
        }
      }
      coin.close = coin.candles.close[step + BLOCK - 1]!;
    } else {
      for (let next = step; next < step + BLOCK; next += 1) {
        for (const coin of coins) {
          coin.close = coin.candles.close[next]!;
          remember(coin, next);
        }
        mark(next);
      }
    }
    for (const coin of coins) {
      coin.bar = step + BLOCK - 1;
      observe(coin, until, coin.close);
    }
    return true;
  }

  /** Prepares a coin's bar; answers whether it has to be walked. */
  function beginBar(coin: Coin, bar: number): boolean {
    const { candles, broker } = coin;
    coin.bar = bar;
    coin.ambiguous = false;
    coin.done = 0;
    const start = candles.openTime[bar]!;
    const [low, high] = [candles.low[bar]!, candles.high[bar]!];
    if (!broker.restsThrough(bar, low, high)) {
      coin.price = candles.open[bar]!;
      coin.at = start;
      broker.openBar(bar, start, candles.open[bar]!, candles.volume[bar]!);
      drain(coin);
    }
    const end = start + lastPoint;
    if (!walkEveryBar && isQuiet(coin, low, high, start, end)) {
      passBar(coin, bar, end);
      return false;
    }
    if (coin.held > 0 && low <= coin.stopLevel && high >= coin.targetLevel) {
      coin.ambiguous = coin.walk.walkAmbiguous(bar, coin.stopLevel, coin.targetLevel);
      if (coin.ambiguous) ambiguousBars += 1;
      else zoomedBars += 1;
    } else coin.walk.walk(bar);
    return true;
  }

  function tick(coin: Coin): void {
    const { path } = coin.walk;
    const price = path.price[coin.done]!;
    const at = path.at[coin.done]!;
    coin.done += 1;
    coin.price = price;
    coin.at = at;
    coin.close = price;
    if (!coin.broker.idle) {
      coin.broker.trade(coin.bar, price, at);
      if (queue.length > 0) drain(coin);
    }
    coin.window?.add(at, price);
    if (coin.isReference) engine.reference(at, price);
    engine.tickSlot(coin.slot, at, price, price * (1 - half), price * (1 + half), coin.window ? coin.window.high : price);
    if (!coin.broker.idle) coin.broker.settle(at);
    while (queue.length > 0) {
      drain(coin);
      coin.broker.settle(at);
    }
  }

  /** All prices of a step, the earliest first; of equal times the earlier coin first. */
  function walkStep(): void {
    for (;;) {
      let earliest: Coin | undefined;
      for (const coin of coins) {
        if (!coin.walking || coin.done >= coin.walk.path.length) continue;
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
    let walking = 0;
    let only: Coin | undefined;
    for (const coin of coins) {
      const bar = timeline.barAt(coin.slot, step);
      // A bar without volume is no market: nothing traded, so nothing is decided.
      coin.walking = bar >= 0 && coin.candles.volume[bar] !== 0 && beginBar(coin, bar);
      if (!coin.walking) continue;
      walking += 1;
      only = coin;
    }
    if (walking === 1 && only) while (only.done < only.walk.path.length) tick(only);
    else if (walking > 1) walkStep();
    if (judged) judgeStep(step);
    mark(step);
  }
  onProgress?.(1);

  let endValue = add(decimal(wallet.sums.free), decimal(wallet.sums.reserved));
  let slippage = ZERO;
  for (const coin of coins) {
    if (coin.close > 0) endValue = add(endValue, multiply(coin.base, fromFloat(coin.close, coin.pair.pricePrecision)));
    slippage = add(slippage, coin.broker.slippage);
  }
  const figures = curve.finish();
  return {
    report: reportFigures({
      symbols: coins.map(({ pair }) => pair.symbol),
      quoteAsset,
      timeline,
      model,
      startBalance,
      endValue: toText(endValue),
      realised: wallet.sums.realised,
      slippage: toText(slippage),
      figures,
      candles: options.coins.map(({ candles }) => candles),
      passive: passiveBenchmarks(
        options.coins.map(({ candles }) => candles),
        timeline,
        figures.steps,
        Number(startBalance),
        Number(model.takerFee),
      ),
      traces,
      ambiguous,
      ambiguousBars,
      zoomedBars,
      refusals,
    }),
    traces,
  };
}

/** The higher of two levels either of which may not exist (NaN). */
const highest = (a: number, b: number): number => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b));
const number = (text: string | null): number => (text === null ? Number.NaN : Number(text));
