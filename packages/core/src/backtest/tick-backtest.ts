import type { AutoTradeConfig } from '../auto-trades/config/auto-trade-config.ts';
import { type AutoTradeEngine, createAutoTradeEngine } from '../auto-trades/engine/auto-trade-engine.ts';
import type { EngineStep, TakerFees } from '../auto-trades/engine/engine-inputs.ts';
import { type TapeInput, type TapeRecord, tapePlayer } from '../auto-trades/engine/tape.ts';
import { ordersInFlight } from '../auto-trades/position/position-state.ts';
import type { Trace } from '../auto-trades/trace.ts';
import { add, type Decimal, decimal, isPositive, subtract, toText } from '../money/decimal.ts';
import type { Pair } from '../prices/prices-contract.ts';
import { afterTransfer, emptySums, type WalletBook, type WalletSums, walletTotal } from '../wallets/wallet-book.ts';
import type { BacktestResult } from './backtest.ts';
import { reportFigures } from './backtest-report.ts';
import { createTimeline } from './backtest-timeline.ts';
import { createEquityCurve } from './equity-curve.ts';
import { DEFAULT_FILL_MODEL, type FillModel } from './fill-model.ts';
import { passiveBenchmarks } from './passive-benchmarks.ts';
import { createTickExchange } from './tick-exchange.ts';
import { requireAnswers, TickTapeError } from './tick-tape.ts';

type Activation = Extract<TapeRecord, { type: 'activated' }>;

export type TickBacktestOptions = {
  /** A bot's tape: it begins with an activation. Read once, in order. */
  readonly records: Iterable<TapeRecord>;
  /** Other settings over the same prices: what the bot's owner did while it was recorded is left out then. */
  readonly config?: AutoTradeConfig;
  /** In place of the wallet as it was when the recording began; with it nothing is held at the beginning. */
  readonly startBalance?: string;
  /** Fees are the account's, unless they are given here. */
  readonly model?: Partial<FillModel>;
  /** How long an order takes to the exchange, ms of its market. */
  readonly latencyMs?: number;
};

export type TickBacktestResult = BacktestResult & {
  readonly counts: {
    readonly ticks: number;
    readonly orders: number;
    /** Market orders that wanted more than stood at the best price. */
    readonly beyondBest: number;
    /** Fills on the tape whose fee was paid in another coin than a run takes it in. */
    readonly otherFees: number;
  };
};

const MINUTE = 60_000;
/** What the market told the bot: played whoever's settings are run. Everything else its owner did. */
const OF_MARKET: ReadonlySet<TapeRecord['type']> = new Set([
  'high',
  'tick',
  'moment',
  'connected',
  'conditions',
  'reference',
  'volumes',
  'coins',
]);

/**
 * Runs a bot over the trades that it was told while it was recorded: the live engine, fed with its own tape from which
 * everything about orders is taken out, and the exchange of a backtest over the best prices that stood then. With no
 * time between a decision and its order, whole orders at the best price and nobody else's orders in the book, the
 * traces are those of the recorded run. Throws `TickTapeError` for a tape that cannot be run.
 */
export function runTickBacktest(options: TickBacktestOptions): TickBacktestResult {
  const asRecorded = options.config === undefined;
  const traces: Trace[] = [];
  const refusals: Record<string, number> = {};
  const counts = { ticks: 0, orders: 0, otherFees: 0 };
  const assets = new Set<string>();
  const marks: { readonly minute: number; readonly value: number; readonly holding: boolean }[] = [];
  let minute = Number.NaN;
  let activation: Activation | undefined;
  let engine: AutoTradeEngine | undefined;
  let player: ReturnType<typeof tapePlayer> | undefined;
  let wallet: WalletBook | undefined;
  let model: FillModel = DEFAULT_FILL_MODEL;
  let exchange: ReturnType<typeof createTickExchange> | undefined;
  let startBalance = options.startBalance ?? '0';
  let takerFees: TakerFees = {};
  let seq = 0;
  let now = 0;
  /** Coins whose owner a recorded bot would ask: other settings have none, and end what is held at its cost. */
  const jumped = new Set<string>();

  function emit({ symbol, context }: EngineStep): void {
    for (const effect of context.effects) {
      if (effect.kind === 'trace') traces.push({ ...effect.trace, seq: ++seq });
      else if (effect.kind === 'cancel') exchange?.cancel(symbol, effect.clientOrderId);
      else if (effect.kind === 'place') {
        counts.orders += 1;
        exchange?.place(symbol, effect.order);
      }
    }
  }

  /** The coins that may be entered: those recorded, or of them the ones that the other settings name. */
  function coinsOf(record: Activation): readonly string[] {
    const recorded = record.coins ?? record.pairs.map(({ symbol }) => symbol);
    const named = recorded.filter((symbol) => options.config?.coins.symbols.includes(symbol));
    return named.length > 0 ? named : recorded;
  }
  const configOf = (record: Activation): AutoTradeConfig =>
    options.config ? { ...options.config, coins: { symbols: [...coinsOf(record)], coinFilterIds: [] } } : record.config;
  /** The recorded fees of pairs, unless the run has one of its own for all. */
  function takeFees(record: Pick<Activation, 'takerFees'>): void {
    if (options.model?.takerFee === undefined) takerFees = { ...takerFees, ...record.takerFees };
    engine?.setTakerFees(takerFees);
  }
  function addPair(pair: Pair, held?: Decimal): void {
    exchange?.add(pair, held, takerFees[pair.symbol]);
    for (const asset of [pair.baseAsset, pair.quoteAsset]) assets.add(asset);
  }

  /** A run begins: as it was recorded, or with nothing but a budget. */
  function begin(record: Activation): void {
    const config = configOf(record);
    if (options.config) requireAnswers(options.config, record.config);
    const fresh = !asRecorded || options.startBalance !== undefined;
    const balance = options.startBalance ?? walletTotal(record.wallet.sums);
    if (!activation) startBalance = balance;
    wallet = { ...record.wallet, ...(fresh ? { sums: afterTransfer(emptySums, balance) } : {}) };
    takeFees(record);
    const fee = record.takerFee;
    model = { ...DEFAULT_FILL_MODEL, halfSpreadPct: 0, takerFee: fee, makerFee: fee, ...options.model };
    exchange ??= createTickExchange({
      model,
      latencyMs: options.latencyMs ?? 0,
      hear: (input) => engine?.order(input),
      onRefusal: (code) => {
        refusals[code] = (refusals[code] ?? 0) + 1;
      },
    });
    const restored = fresh ? [] : (record.restored ?? []);
    const heldOf = (symbol: string) => restored.find(({ context }) => context.settings.symbol === symbol)?.context;
    for (const pair of record.pairs) {
      const held = heldOf(pair.symbol);
      addPair(pair, held && decimal(isPositive(decimal(held.bought)) ? held.quantity : held.carriedQuantity));
    }
    seq = record.seq;
    const { references, awaitingFees: _awaitingFees, ...rest } = record;
    engine = createAutoTradeEngine({
      ...rest,
      config,
      coins: coinsOf(record),
      takerFee: model.takerFee,
      takerFees,
      wallet,
      restored,
      ...(fresh ? { history: [], pauses: [], acceptsEntries: true } : {}),
      ...(references ? { references } : {}),
      emit,
    });
    if (!fresh) engine.setFrozen(record.frozen ?? false);
    player = tapePlayer(engine, config, engine.symbols);
    for (const { context } of restored)
      for (const order of ordersInFlight(context)) if (!order.cancelRequested) exchange.place(context.settings.symbol, order);
  }

  /** The process began anew in the middle of a run: this run goes on, with what is new of coins and settings. */
  function goOn(record: Activation): void {
    if (!engine || !exchange) return;
    exchange.reach(now, true);
    takeFees(record);
    for (const pair of record.pairs) addPair(pair);
    engine.setCoins(coinsOf(record), record.pairs, now);
    if (asRecorded) {
      engine.setOrderPrefix(record.orderPrefix);
      if (record.configVersion !== activation?.configVersion)
        engine.reconfigure(record.config, record.configVersion, { applyToOpen: false, at: now });
      engine.setAcceptsEntries(record.acceptsEntries, now);
      engine.setFrozen(record.frozen ?? false);
    }
    player = tapePlayer(engine, configOf(record), engine.symbols);
  }

  function mark(at: number): void {
    if (at < minute + MINUTE || !wallet || !exchange) return;
    if (!Number.isNaN(minute)) {
      const value = Number(wallet.sums.free) + Number(wallet.sums.reserved) + exchange.heldFloat;
      marks.push({ minute, value, holding: isPositive(decimal(wallet.sums.invested)) });
    }
    minute = at === Number.POSITIVE_INFINITY ? minute : Math.floor(at / MINUTE) * MINUTE;
  }

  function play(record: TapeInput): void {
    if (!exchange || !player || (!asRecorded && !OF_MARKET.has(record.type))) return;
    if (record.type === 'order' || record.type === 'fee') {
      if (record.type === 'order' && record.input.type === 'filled' && !assets.has(record.input.feeAsset)) counts.otherFees += 1;
      return;
    }
    if (record.type === 'tick') {
      if (!exchange.knows(record.symbol)) return;
      exchange.reach(record.at);
      now = Math.max(now, record.at);
      mark(record.at);
      counts.ticks += 1;
      if (!asRecorded && engine?.meet(record.symbol, record.at, record.price, record.bid, record.ask)) {
        exchange.withdraw(record.symbol, record.at);
        jumped.add(record.symbol);
      }
      for (const symbol of jumped)
        if (engine?.settleJump(symbol)) {
          exchange.scale(symbol, '0');
          jumped.delete(symbol);
        }
      exchange.trade(record);
    } else if (record.type === 'moment') {
      if (exchange.knows(record.symbol)) exchange.observe(record);
    } else if (record.type === 'reference') {
      exchange.reach(record.at);
      now = Math.max(now, record.at);
    } else if (record.type !== 'high' && record.type !== 'conditions' && record.type !== 'volumes') {
      // Whoever did this saw what had become of the orders before.
      exchange.reach(now, true);
      if (record.type === 'coins') for (const pair of record.pairs) addPair(pair);
      if (record.type === 'carryOver') {
        const symbol = engine?.symbols.find((each) => engine?.inspect(each)?.context.positionId === record.positionId);
        if (symbol !== undefined) exchange.scale(symbol, record.factor);
      }
    }
    player.play(record);
  }

  for (const record of options.records) {
    if (record.type === 'activated') {
      if (activation?.runNo === record.runNo && activation.autoTradeId === record.autoTradeId) goOn(record);
      else {
        exchange?.reach(now, true);
        begin(record);
      }
      activation = record;
    } else if (!wallet) throw new TickTapeError('NOT_ACTIVATED', 1, 'the tape does not begin with an activation');
    else if (record.type === 'takerFees') takeFees(record);
    else if (record.type === 'wallet') {
      if (asRecorded && options.startBalance === undefined) wallet.sums = movedBy(wallet.sums, record.before, record.sums);
    } else play(record);
  }
  if (!exchange || !wallet || counts.ticks === 0) throw new TickTapeError('NO_TICKS', 1, 'the tape holds no prices');
  exchange.reach(Number.POSITIVE_INFINITY);
  mark(Number.POSITIVE_INFINITY);

  const { candles } = exchange;
  const timeline = createTimeline(candles);
  const curve = createEquityCurve(Number(startBalance), timeline.size);
  for (let step = 0, known = 0; step < timeline.size; step += 1) {
    const opened = timeline.openTime[step]!;
    while (known + 1 < marks.length && marks[known + 1]!.minute <= opened) known += 1;
    curve.mark(step, opened + MINUTE, marks[known]!.value, marks[known]!.holding);
  }
  const figures = curve.finish();
  const cash = add(decimal(wallet.sums.free), decimal(wallet.sums.reserved));
  const report = reportFigures({
    symbols: candles.map(({ symbol }) => symbol),
    quoteAsset: wallet.currency,
    timeline,
    model,
    startBalance,
    endValue: toText(add(cash, exchange.held)),
    realised: wallet.sums.realised,
    slippage: toText(exchange.slippage),
    figures,
    candles,
    passive: passiveBenchmarks(candles, timeline, figures.steps, Number(startBalance), Number(model.takerFee)),
    traces,
    ambiguous: new Set(),
    ambiguousBars: 0,
    zoomedBars: 0,
    refusals,
  });
  return {
    report: { ...report, ticks: counts.ticks },
    traces,
    counts: { ...counts, beyondBest: exchange.beyondBest },
  };
}

/** What others did to the wallet, done to ours. */
function movedBy(sums: WalletSums, before: WalletSums, after: WalletSums): WalletSums {
  const moved: { -readonly [Name in keyof WalletSums]: string } = { ...sums };
  for (const name of Object.keys(emptySums) as (keyof WalletSums)[])
    moved[name] = toText(add(decimal(sums[name]), subtract(decimal(after[name]), decimal(before[name]))));
  return moved;
}
