import type { Evaluation } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { AutoTradeConfig } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { type AutoTradeEngine, createAutoTradeEngine } from '@pilotfish/core/auto-trades/engine/auto-trade-engine';
import {
  type AutoTradeContext,
  type AutoTradeEvent,
  type AutoTradeStateName,
  advanceAutoTrade,
  looksForEntries,
  mayTrade,
} from '@pilotfish/core/auto-trades/engine/auto-trade-machine';
import type { Pause, PauseEnd, ProtectionNotice, ProtectionWarningNotice } from '@pilotfish/core/auto-trades/engine/bot-pauses';
import type { ConditionVerdict } from '@pilotfish/core/auto-trades/engine/condition-verdicts';
import type { EngineStep, EnterAnswer, OrderInput, SettingsPreview, TakerFees } from '@pilotfish/core/auto-trades/engine/engine-inputs';
import type { ClosedTrade } from '@pilotfish/core/auto-trades/engine/protections';
import { playInput, recordByHand, type TapeRecord } from '@pilotfish/core/auto-trades/engine/tape';
import { explain } from '@pilotfish/core/auto-trades/explain';
import { jumpIsAsked } from '@pilotfish/core/auto-trades/position/position-jump';
import { REFUSED } from '@pilotfish/core/auto-trades/position/position-refusals';
import { type AskedByHand, ordersInFlight } from '@pilotfish/core/auto-trades/position/position-state';
import { decimal, isPositive } from '@pilotfish/core/money/decimal';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import type { Timers } from '@pilotfish/core/time/timers';
import type { WalletBook } from '@pilotfish/core/wallets/wallet-book';
import type { Logger } from 'pino';
import type { AccountKey, TradingAccount } from '../exchange-connection/trading-accounts.ts';
import type { HighWindow, HighWindows } from '../market/high-windows.ts';
import type { Market } from '../market/market.ts';
import type { Tick } from '../market/symbol-feed.ts';
import type { BotRow, PositionRow } from './auto-trades-store.ts';
import { withFeeValue } from './fill-fees.ts';
import { followedCoins } from './followed-coins.ts';
import { guardReference } from './guard-reference.ts';
import { haltedCoins } from './halted-coins.ts';
import { notReady } from './not-ready.ts';
import { storedContexts } from './position-rows.ts';
import { type AskHoldings, standstillWatch } from './standstill-watch.ts';
import type { StepWriter } from './step-writer.ts';
import { withWallet } from './tape-folder.ts';
import { unlistedPair } from './unlisted-pair.ts';

/** Venue time between two writes of the newest tick while a protected cost is drawn. */
const HEARTBEAT_MS = 10_000;

export type BotParts = {
  readonly market: Market;
  /** The highs of look-back windows, shared by all bots. */
  readonly highs: HighWindows;
  readonly writer: StepWriter;
  readonly now: () => number;
  readonly timers: Pick<Timers, 'wait'>;
  readonly log: Logger;
  /** What the account holds of a coin that stood still. */
  readonly holdings: AskHoldings;
  /** What the engine has to tell about pauses; called after the input that caused it. */
  readonly onProtection: (notice: ProtectionNotice) => void;
  readonly onProtectionWarning: (notice: ProtectionWarningNotice) => void;
  readonly onPauseEnded: (end: PauseEnd) => void;
  /** Records everything the engine is told; absent unless recording is on. */
  readonly tape?: ((record: TapeRecord) => void) | undefined;
};

export type RunningBot = ReturnType<typeof runBot>;

/** What a bot is activated with: rows of the database, opened accounts, and where its positions stand. */
export type BotStart = {
  readonly bot: BotRow;
  readonly wallet: WalletBook;
  readonly walletMode: 'paper' | 'live';
  readonly accountKey: AccountKey;
  /** Fee of pairs of which the exchange has not said it. */
  readonly takerFee: string;
  /** Pairs of its coins, and of those it still holds. */
  readonly pairs: readonly Pair[];
  /** The coins it may enter, in order; those that its account may not trade. */
  readonly coins: readonly string[];
  readonly forbidden: readonly string[];
  readonly positions: readonly PositionRow[];
  /** Closed positions with a fee that still has no value. */
  readonly awaitingFees: readonly PositionRow[];
  readonly configs: ReadonlyMap<number, AutoTradeConfig>;
  readonly lastSeq: number;
  /** What the ids of its orders begin with. */
  readonly orderPrefix: string;
  /** Closed positions that its protections still look at, oldest first, and the pauses in force. */
  readonly history: readonly ClosedTrade[];
  readonly pauses: readonly Pause[];
};

/**
 * One bot at work: its engine, the ticks it hears, and the way its steps take to the writer. Inputs are taken in the
 * order they come; none is judged before the history of the look-back window is there.
 */
export function runBot(start: BotStart, parts: BotParts) {
  const { bot, wallet } = start;
  const { market, writer, now, timers, log } = parts;
  const { tape, movedHere } = withWallet(wallet, parts.tape);
  let state: AutoTradeStateName = bot.state;
  let context: AutoTradeContext = bot.context;
  let seq = start.lastSeq;
  let { takerFees } = bot;
  let ready = false;
  let stopped = false;
  let waiting: (() => void)[] = [];
  const stops: (() => void)[] = [];
  const halted = haltedCoins();
  const coins = followedCoins({
    config: bot.config,
    pairs: start.pairs,
    coins: start.coins,
    forbidden: start.forbidden,
    market,
    highs: parts.highs,
    symbols: () => engine.symbols,
    tell: (record) => tell(record),
    onTick: (symbol, tick, window) => {
      if (ready) judge(symbol, tick, window);
      else inOrder(() => judge(symbol, tick, window));
    },
    tape,
    onError: (error, symbol) => log.warn({ err: error, autoTradeId: bot.id, symbol }, 'a coin of a bot could not be followed yet'),
  });

  const contextsOf = (positions: readonly PositionRow[]) =>
    storedContexts(positions, {
      start,
      pairOf: (symbol) => coins.pair(symbol) ?? market.pair(symbol) ?? unlistedPair(symbol, wallet.currency),
    });
  const restored = contextsOf(start.positions);
  const awaitingFees = contextsOf(start.awaitingFees).map((position) => position.context);

  const activation = {
    autoTradeId: bot.id,
    runNo: context.runNo,
    mode: start.walletMode,
    config: bot.config,
    configVersion: bot.configVersion,
    pairs: start.pairs,
    takerFee: start.takerFee,
    takerFees,
    orderPrefix: start.orderPrefix,
    restored,
    coins: coins.coins,
    forbidden: start.forbidden,
    history: start.history,
    pauses: start.pauses,
    awaitingFees,
    acceptsEntries: looksForEntries(state),
  };
  tape?.({ type: 'activated', ...activation, wallet: { ...wallet }, frozen: !mayTrade(state, context), seq });
  const engine: AutoTradeEngine = createAutoTradeEngine({
    ...activation,
    wallet,
    heartbeatMs: HEARTBEAT_MS,
    onProtection: parts.onProtection,
    onProtectionWarning: parts.onProtectionWarning,
    onPauseEnded: parts.onPauseEnded,
    emit: (step: EngineStep) => {
      movedHere();
      const firstSeq = seq + 1;
      for (const effect of step.context.effects) if (effect.kind === 'trace') seq += 1;
      writer.push({
        autoTradeId: bot.id,
        accountId: bot.accountId,
        accountKey: start.accountKey,
        walletId: wallet.id,
        step,
        firstSeq,
        walletSums: wallet.sums,
        recordedAt: now(),
      });
    },
  });
  engine.setFrozen(!mayTrade(state, context));
  /** Every input is recorded, and then told: what is on the tape is what the engine heard. */
  const tell = (record: Parameters<typeof playInput>[1]): void => {
    tape?.(record);
    playInput(engine, record);
  };

  /** What its owner asks of a position is recorded, too; nothing is done any more once the bot was stopped. */
  const asked = (record: TapeRecord, does: () => boolean): boolean => {
    if (stopped) return false;
    tape?.(record);
    return does();
  };

  /** Runs now, or after the history has come, in the order of arrival. */
  const inOrder = (work: () => void) => {
    if (stopped) return;
    if (ready) work();
    else waiting.push(work);
  };

  const standstills = standstillWatch({
    accountKey: start.accountKey,
    engine,
    market,
    ask: parts.holdings,
    tell: (record) => stopped || tell(record),
    onError: (error, symbol) =>
      log.warn({ err: error, autoTradeId: bot.id, symbol }, 'what an account holds of a halted coin is not known'),
  });

  const withdraw = () => tell({ type: 'entries', accepts: false, at: market.asOf });

  /** One price of one coin, judged with the high of its look-back window. The hot path: nothing is made here. */
  function judge(symbol: string, tick: Tick, window: HighWindow | undefined): void {
    standstills.met(symbol, tick.at);
    tape?.({ type: 'tick', symbol, ...tick });
    try {
      engine.tick(symbol, tick.at, tick.price, tick.bid, tick.ask, window ? window.high : tick.price);
    } catch (error) {
      // One coin of one bot may not take the process, and the exits of everybody else, with it.
      log.error({ err: error, autoTradeId: bot.id, symbol }, 'a price could not be judged');
    }
  }

  /** The orders in flight here, resident stops among them. */
  const inFlight = () =>
    engine.symbols.flatMap((symbol) => {
      const inspection = engine.inspect(symbol);
      if (!inspection) return [];
      const { state: at, context: position } = inspection;
      return ordersInFlight(position).map((order) => ({ symbol, state: at, attention: position.attention, order }));
    });

  const valued = (input: OrderInput): OrderInput => {
    const symbol = inFlight().find(({ order }) => order.clientOrderId === input.clientOrderId)?.symbol;
    return withFeeValue(input, symbol === undefined ? undefined : coins.pair(symbol), market);
  };

  const statusOf = (symbol: string): Pair['status'] => market.pair(symbol)?.status ?? 'BREAK';

  const evaluation = (symbol: string): Evaluation | undefined => {
    const inspection = engine.inspect(symbol);
    return inspection && explain(halted.told(symbol, inspection), { state, context, pairStatus: statusOf(symbol) });
  };

  const followReference = async (): Promise<void> => {
    const guard = bot.config.protections.btcGuard;
    if (!guard) return;
    const follows = await guardReference({
      market,
      timers,
      quote: wallet.currency,
      windowMin: guard.windowMin,
      tell: (at, price) => tell({ type: 'reference', at, price }),
      inOrder,
      onError: (error) => log.warn({ err: error, autoTradeId: bot.id }, 'what a guard missed of its reference could not be read'),
    });
    if (follows) stops.push(follows);
    else log.error({ autoTradeId: bot.id }, 'the exchange lists no BTC pair for a guard; it buys nothing');
  };

  return {
    bot,
    wallet,
    engine,
    accountKey: start.accountKey,
    get state() {
      return state;
    },
    get context() {
      return context;
    },
    symbols: (): readonly string[] => engine.symbols,
    pauseNow: () => engine.inspect(engine.symbols[0] ?? '')?.gate.botPause,
    coins: (): readonly string[] => coins.coins,
    /** Tells the engine where the market stands, before it hears what became of its orders. */
    observe: (symbol: string, moment: Tick): void => {
      if (stopped) return;
      tell({ type: 'moment', symbol, ...moment });
    },
    /** The market connection is up: a coin without a price did not trade. */
    connected: (): void =>
      inOrder(() => {
        tell({ type: 'connected', at: market.asOf });
      }),
    /** What the conditions say of a coin. */
    conditions: (symbol: string, input: ConditionVerdict): void =>
      inOrder(() => {
        tell({ type: 'conditions', symbol, input });
      }),
    /** What the exchange takes of pairs now. Answers all that are known where that is news, undefined where it is none. */
    setTakerFees: (told: TakerFees): TakerFees | undefined => {
      const news = Object.entries(told).filter(([symbol, fee]) => takerFees[symbol] !== fee);
      if (stopped || news.length === 0) return undefined;
      takerFees = { ...takerFees, ...told };
      tell({ type: 'takerFees', takerFees: Object.fromEntries(news) });
      return takerFees;
    },
    /** The coins that its account may not trade now. */
    setForbidden: (symbols: readonly string[]): void => (stopped ? undefined : coins.setForbidden(symbols)),
    /** The coins that its filters select now. New ones are watched once their history is there. */
    setCoins: async (symbols: readonly string[]): Promise<void> => {
      if (!stopped && ready) await coins.setCoins(symbols);
    },
    /** Pairs that were listed, or changed, since they were looked at last. */
    followPairs: async (): Promise<void> => {
      if (!stopped && ready) await coins.followPairs();
    },
    setVolumes: (values: Readonly<Record<string, number>>): void =>
      inOrder(() => {
        tell({ type: 'volumes', values });
      }),
    /** A kill switch of one coin: no entries of it until it is let go. The clock of the market decides when that is. */
    haltCoin: (symbol: string, until: number | undefined): void =>
      inOrder(() => {
        const at = market.asOf;
        const pausedUntil = halted.hold(symbol, until, at);
        if (pausedUntil !== undefined) tell({ type: 'pauseCoin', symbol, until: pausedUntil, reason: 'halt', at });
      }),
    haltedCoins: halted.symbols,
    noteStandstills: (): void => standstills.note(),
    /** Enters a coin by hand, or says which rule stands against it. */
    enter: (symbol: string): EnterAnswer => {
      if (stopped || !ready) throw notReady('starting');
      const status = statusOf(symbol);
      if (status !== 'TRADING') {
        // It may trade again at the very price it stood at, which nothing would tell: the next try knows.
        void market.readPairs();
        return { ok: false, rule: 'coin-trading', observed: status, limit: null };
      }
      tape?.({ type: 'enter', symbol });
      return engine.enter(symbol);
    },
    sell: (positionId: string, reason: 'Manual' | 'KillSwitch' = 'Manual'): boolean =>
      asked({ type: 'exit', positionId, reason }, () => engine.exit(positionId, reason)),
    setByHand: (positionId: string, asked: AskedByHand): boolean => {
      if (stopped) return false;
      const set = { ...asked, at: market.asOf };
      tape?.(recordByHand(positionId, set));
      return engine.setByHand(positionId, set);
    },
    detach: (positionId: string): boolean => {
      if (stopped) return false;
      const at = market.asOf;
      tape?.({ type: 'detach', positionId, at });
      return engine.detach(positionId, at);
    },
    resumePosition: (positionId: string): boolean => asked({ type: 'resume', positionId }, () => engine.resume(positionId)),
    carryOver: (positionId: string, factor: string): boolean =>
      asked({ type: 'carryOver', positionId, factor }, () => engine.carryOver(positionId, factor)),
    feeValued: (positionId: string, tradeId: string, feeInQuote: string): boolean => {
      if (stopped) return false;
      const value = { positionId, tradeId, feeInQuote, at: market.asOf };
      tape?.({ type: 'fee', value });
      return engine.feeValued(value);
    },
    /** Fees whose asset had no price when their fill was heard of. */
    unvaluedFees: () => engine.unvaluedFees,
    /** New settings for new positions, and, when asked, for those that are held. */
    preview: (config: AutoTradeConfig, version: number): SettingsPreview[] => engine.preview(config, version),
    applyToOpen: (config: AutoTradeConfig, version: number): void =>
      tell({ type: 'settings', config, version, applyToOpen: true, at: market.asOf }),
    releaseDust: (): void => tell({ type: 'dust', at: market.asOf }),
    /** Its owner wants it at work: coins whose entries were refused are entered again, and positions that needed attention go on. */
    resume: (): void =>
      inOrder(() => {
        const at = market.asOf;
        for (const symbol of engine.symbols) {
          const inspection = engine.inspect(symbol);
          if (inspection?.context.refused) tell({ type: 'pauseCoin', symbol, until: at, reason: REFUSED, at });
          // Enabling a bot says nothing of what a jump was.
          if (inspection?.state !== 'needsAttention' || jumpIsAsked(inspection.context)) continue;
          tell({ type: 'resume', positionId: inspection.context.positionId });
        }
      }),
    /** Hears from now on what is executed on the account. */
    listen: (account: TradingAccount, listener: Parameters<TradingAccount['listen']>[0]): void => {
      if (!stopped) stops.push(account.listen(listener));
    },
    /** Loads the look-back history and begins to judge what it hears. Does nothing once it was stopped. */
    begin: async (): Promise<void> => {
      if (stopped) return;
      await coins.begin();
      await followReference();
      if (stopped) return;
      ready = true;
      const early = waiting;
      waiting = [];
      // What was withdrawn just before a restart is withdrawn again: its order may still rest at the exchange.
      if (!looksForEntries(state)) withdraw();
      for (const work of early) work();
      // Dust of a coin that left the settings while nobody was at work leaves the budget.
      const listed = coins.coins;
      if (engine.symbols.some((symbol) => !listed.includes(symbol))) tell({ type: 'coins', symbols: listed, pairs: [], at: market.asOf });
    },
    /** What the exchange said of an order; taken at once, also while the history is still loading. */
    order: (input: OrderInput): void => {
      if (stopped) return;
      const known = valued(input);
      tell({ type: 'order', input: known });
    },
    /** What the order in flight of a client order id has executed so far; undefined when it is not in flight here. */
    executedOf: (clientOrderId: string): string | undefined =>
      inFlight().find(({ order }) => order.clientOrderId === clientOrderId)?.order.executed,
    /** An event of the bot's machine. Answers the new state for storage, or undefined when it does not apply. */
    apply: (event: AutoTradeEvent): { state: AutoTradeStateName; context: AutoTradeContext } | undefined => {
      const next = advanceAutoTrade(state, context, event);
      if (!next) return undefined;
      state = next.state;
      context = next.context;
      const frozen = !mayTrade(state, context);
      const accepts = looksForEntries(state);
      inOrder(() => {
        tell({ type: 'frozen', frozen });
        if (accepts === engine.acceptsEntries) return;
        if (!accepts) return withdraw();
        tell({ type: 'entries', accepts, at: market.asOf });
      });
      return next;
    },
    detachAll: (): void => {
      for (const symbol of engine.symbols) {
        const inspection = engine.inspect(symbol);
        if (inspection) tell({ type: 'detach', positionId: inspection.context.positionId, at: market.asOf });
      }
    },
    evaluation,
    evaluations: (): Evaluation[] => engine.symbols.flatMap((symbol) => evaluation(symbol) ?? []),
    /** Orders in flight, to be reconciled after a restart or a gap. */
    inFlight,
    /** Sells everything that can be sold now, whatever the state. Answers how many positions still hold something. */
    sellOff: (): number => {
      let left = 0;
      for (const symbol of engine.symbols) {
        const inspection = engine.inspect(symbol);
        if (!inspection || inspection.state === 'closed' || inspection.state === 'detached') continue;
        // A buy in flight may still bring something.
        if (!isPositive(decimal(inspection.context.quantity)) && ordersInFlight(inspection.context).length === 0) continue;
        left += 1;
        tell({ type: 'exit', positionId: inspection.context.positionId, reason: 'KillSwitch' });
      }
      return left;
    },
    stop: (): void => {
      stopped = true;
      coins.stop();
      for (const stop of stops) stop();
      ready = false;
      waiting = [];
    },
  };
}
