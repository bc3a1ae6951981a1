import type { AutoTradeConfig } from '../auto-trades/auto-trade-config.ts';
import { createAutoTradeEngine, type EngineStep, type OrderInput } from '../auto-trades/auto-trade-engine.ts';
import { createRollingHigh } from '../auto-trades/rolling-high.ts';
import type { Trace } from '../auto-trades/trace.ts';
import { add, decimal, divide, fromFloat, multiply, subtract, toFloat, toText } from '../money/decimal.ts';
import type { CandleSeries } from '../prices/candle-series.ts';
import { lowFirst, walkTime } from '../prices/candle-walk.ts';
import type { Pair } from '../prices/prices-contract.ts';
import { afterTransfer, emptySums, type WalletBook } from '../wallets/wallet-book.ts';
import { createBacktestBroker, DEFAULT_FILL_MODEL, type FillModel } from './backtest-broker.ts';
import { type BacktestReport, createReport } from './backtest-report.ts';

export type BacktestOptions = {
  readonly config: AutoTradeConfig;
  readonly pair: Pair;
  readonly candles: CandleSeries;
  readonly startBalance: string;
  readonly model?: FillModel;
  /** Told at most a hundred times, with the share that is done (0–1). */
  readonly onProgress?: (done: number) => void;
  readonly signal?: AbortSignal;
  /** Walks quiet bars too; the result is the same, as a test shows. */
  readonly walkEveryBar?: boolean;
};

export type BacktestResult = { readonly report: BacktestReport; readonly traces: readonly Trace[] };

const HOLDING: ReadonlySet<string> = new Set(['entryPending', 'open', 'protected', 'reducing', 'exitPending', 'needsAttention']);
const BACKTEST_ID = '00000000-0000-7000-8000-000000000001';

/**
 * Runs a bot over one candle series with the live engine and an in-process broker. Decisions are made at four prices
 * of each bar (open, both extremes, close); where stop and target lie in one bar, the stop is met first.
 * Look-ahead is impossible by construction: a decision sees the ticks up to its own, orders fill from the next bar on.
 */
export function runBacktest({
  config,
  pair,
  candles,
  startBalance,
  model = DEFAULT_FILL_MODEL,
  onProgress,
  signal,
  walkEveryBar = false,
}: BacktestOptions): BacktestResult {
  const wallet: WalletBook = {
    id: config.walletId,
    currency: pair.quoteAsset,
    reservePct: '0',
    sums: afterTransfer(emptySums, startBalance),
  };
  const traces: Trace[] = [];
  const queue: OrderInput[] = [];
  const broker = createBacktestBroker(pair, model, (input) => queue.push(input));
  let bar = 0;
  let held = 0;
  /** Free and reserved money as a double, for the equity curve only. */
  let cash = Number(startBalance);
  let stopLevel = Number.NaN;
  let targetLevel = Number.NaN;
  const engine = createAutoTradeEngine({
    autoTradeId: BACKTEST_ID,
    runNo: 1,
    mode: 'paper',
    config: { ...config, coins: { symbols: [pair.symbol], coinFilterIds: [] } },
    configVersion: 1,
    pairs: [pair],
    takerFee: model.takerFee,
    wallet,
    dataGapMs: Math.max(60_000, candles.intervalMs * 2),
    emit: ({ context, state }: EngineStep) => {
      for (const effect of context.effects) {
        if (effect.kind === 'trace') traces.push({ ...effect.trace, seq: traces.length + 1 });
        else if (effect.kind === 'place') broker.place(effect.order, bar);
        else if (effect.kind === 'cancel') broker.cancel(effect.clientOrderId);
      }
      cash = Number(wallet.sums.free) + Number(wallet.sums.reserved);
      held = HOLDING.has(state) ? toFloat(decimal(context.quantity)) : 0;
      stopLevel = highest(number(context.stopPrice), number(context.line));
      const gain = config.takeProfit.levels[context.levelsDone]?.gainPct;
      targetLevel = held > 0 && gain ? (toFloat(decimal(context.cost)) / held) * (1 + Number(gain) / 100) : Number.NaN;
    },
  });
  /** Base units on the account, dust of closed positions included: exact, from the fills. */
  let base = decimal('0');
  let baseFloat = 0;
  const drain = () => {
    for (let input = queue.shift(); input; input = queue.shift()) {
      if (input.type === 'filled') {
        const bought = input.feeInQuote === null;
        base = bought ? add(base, subtract(decimal(input.quantity), decimal(input.fee))) : subtract(base, decimal(input.quantity));
        baseFloat = toFloat(base);
      }
      engine.order(input);
    }
  };
  const trigger = config.entry.trigger;
  const window = trigger.kind === 'drop' ? createRollingHigh(trigger.lookbackMin) : undefined;
  const half = model.halfSpreadPct / 100;
  const { openTime, open, high, low, close, volume, intervalMs } = candles;
  const size = openTime.length;
  const priceAt = (index: number, point: number, lowsFirst: boolean): number =>
    point === 0 ? open[index]! : point === 3 ? close[index]! : (point === 1) === lowsFirst ? low[index]! : high[index]!;
  const offsets = [0, 1, 2, 3].map((point) => walkTime(point, intervalMs));
  const report = createReport({ startBalance: Number(startBalance), candles, model });
  const every = Math.max(1, Math.floor(size / 100));
  for (bar = 0; bar < size; bar += 1) {
    if (bar % every === 0) {
      onProgress?.(bar / size);
      if (signal?.aborted) break;
    }
    // A bar without volume is no market: nothing traded, so nothing is decided.
    if (volume[bar] === 0) continue;
    const start = openTime[bar]!;
    if (!broker.idle) {
      broker.openBar(bar, start, open[bar]!, volume[bar]!);
      drain();
    }
    let lowsFirst = lowFirst(open[bar]!, close[bar]!);
    if (held > 0 && low[bar]! <= stopLevel && high[bar]! >= targetLevel) {
      lowsFirst = true;
      report.ambiguous();
    }
    const end = start + offsets[3]!;
    if (!walkEveryBar && broker.idle) {
      const top = window ? Math.max(window.peek(start), high[bar]!) : high[bar]!;
      if (!engine.mayDecideSlot(0, low[bar]!, high[bar]!, top, start, end)) {
        if (window && start % 60_000 === 0 && intervalMs <= 60_000) window.add(end, high[bar]!);
        else if (window) for (let point = 0; point < 4; point += 1) window.add(start + offsets[point]!, priceAt(bar, point, lowsFirst));
        engine.observeSlot(0, end, close[bar]!, close[bar]! * (1 - half), close[bar]! * (1 + half), window ? window.high : close[bar]!);
        report.bar(bar, cash + baseFloat * close[bar]!, held > 0);
        continue;
      }
    }
    for (let point = 0; point < 4; point += 1) {
      const price = priceAt(bar, point, lowsFirst);
      const at = start + offsets[point]!;
      if (!broker.idle) {
        broker.trade(bar, price, at);
        drain();
      }
      window?.add(at, price);
      engine.tickSlot(0, at, price, price * (1 - half), price * (1 + half), window ? window.high : price);
      if (queue.length > 0) drain();
    }
    report.bar(bar, cash + baseFloat * close[bar]!, held > 0);
  }
  onProgress?.(1);
  const last = fromFloat(close[size - 1]!, pair.pricePrecision);
  return {
    report: report.finish({
      traces,
      endValue: toText(add(add(decimal(wallet.sums.free), decimal(wallet.sums.reserved)), multiply(base, last))),
      realised: wallet.sums.realised,
      holdReturnPct: toText(
        divide(
          multiply(subtract(last, fromFloat(open[0]!, pair.pricePrecision)), decimal('100')),
          fromFloat(open[0]!, pair.pricePrecision),
          4,
        ),
      ),
    }),
    traces,
  };
}

/** The higher of two levels either of which may not exist (NaN). */
const highest = (a: number, b: number): number => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b));
const number = (text: string | null): number => (text === null ? Number.NaN : Number(text));
