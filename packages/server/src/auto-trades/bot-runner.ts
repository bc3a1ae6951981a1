import type { AutoTradeConfig } from '@pilotfish/core/auto-trades/auto-trade-config';
import { type AutoTradeEngine, createAutoTradeEngine, type OrderInput } from '@pilotfish/core/auto-trades/auto-trade-engine';
import {
  type AutoTradeContext,
  type AutoTradeEvent,
  type AutoTradeStateName,
  advanceAutoTrade,
  mayTrade,
  opensPositions,
} from '@pilotfish/core/auto-trades/auto-trade-machine';
import type { Evaluation } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { explain } from '@pilotfish/core/auto-trades/explain';
import type { PositionSettings } from '@pilotfish/core/auto-trades/position-state';
import { rollingHighs, type TapeRecord } from '@pilotfish/core/auto-trades/tape';
import { AppError } from '@pilotfish/core/http/problem';
import { decimal, multiply, toText } from '@pilotfish/core/money/decimal';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import type { WalletBook } from '@pilotfish/core/wallets/wallet-book';
import type { Logger } from 'pino';
import type { AccountKey, TradingAccount } from '../exchange-connection/trading-accounts.ts';
import type { Market } from '../market/market.ts';
import type { Tick } from '../market/symbol-feed.ts';
import { type BotRow, type PositionRow, withSettings } from './auto-trades-store.ts';
import type { StepWriter } from './step-writer.ts';

/** Venue time between two writes of the newest tick while a protected cost is drawn. */
const HEARTBEAT_MS = 10_000;

export type BotParts = {
  readonly market: Market;
  readonly writer: StepWriter;
  readonly now: () => number;
  readonly log: Logger;
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
  readonly pairs: readonly Pair[];
  readonly positions: readonly PositionRow[];
  readonly configs: ReadonlyMap<number, AutoTradeConfig>;
  readonly lastSeq: number;
};

/**
 * One bot at work: its engine, the ticks it hears, and the way its steps take to the writer. Inputs are taken in the
 * order they come; none is judged before the history of the look-back window is there.
 */
export function runBot(start: BotStart, parts: BotParts) {
  const { bot, wallet } = start;
  const { market, writer, now, log, tape } = parts;
  let state: AutoTradeStateName = bot.state;
  let context: AutoTradeContext = bot.context;
  let seq = start.lastSeq;
  let ready = false;
  let stopped = false;
  let waiting: (() => void)[] = [];
  const stops: (() => void)[] = [];
  const highs = rollingHighs(bot.config);
  const quoteOf = new Map(start.pairs.map((pair) => [pair.symbol, pair]));

  const settingsOf = (position: PositionRow): PositionSettings | undefined => {
    const pair = market.pair(position.symbol);
    const config = start.configs.get(position.configVersion);
    return (
      pair &&
      config && {
        autoTradeId: bot.id,
        runNo: position.runNo,
        mode: start.walletMode,
        config,
        configVersion: position.configVersion,
        symbol: pair.symbol,
        baseAsset: pair.baseAsset,
        quoteAsset: pair.quoteAsset,
        filters: pair.filters,
        pricePrecision: pair.pricePrecision,
        takerFee: position.takerFee,
      }
    );
  };
  const restored = start.positions.flatMap((position) => {
    const settings = settingsOf(position);
    return settings ? [{ state: position.state, context: withSettings(position.context, settings) }] : [];
  });

  tape?.({
    type: 'activated',
    autoTradeId: bot.id,
    runNo: context.runNo,
    mode: start.walletMode,
    config: bot.config,
    configVersion: bot.configVersion,
    pairs: start.pairs,
    takerFee: bot.takerFee,
    wallet: { ...wallet },
    restored,
    acceptsEntries: opensPositions(state),
    seq,
  });
  const engine: AutoTradeEngine = createAutoTradeEngine({
    autoTradeId: bot.id,
    runNo: context.runNo,
    mode: start.walletMode,
    config: bot.config,
    configVersion: bot.configVersion,
    pairs: start.pairs,
    takerFee: bot.takerFee,
    wallet,
    restored,
    acceptsEntries: opensPositions(state),
    heartbeatMs: HEARTBEAT_MS,
    emit: (step) => {
      const firstSeq = seq + 1;
      for (const effect of step.context.effects) if (effect.kind === 'trace') seq += 1;
      writer.push({
        autoTradeId: bot.id,
        accountId: bot.accountId,
        accountKey: start.accountKey,
        walletId: wallet.id,
        step,
        firstSeq,
        recordedAt: now(),
      });
    },
  });
  engine.setFrozen(!mayTrade(state, context));

  /** Runs now, or after the history has come, in the order of arrival. */
  const inOrder = (work: () => void) => {
    if (stopped) return;
    if (ready) work();
    else waiting.push(work);
  };

  const withdraw = () => {
    const at = market.asOf;
    tape?.({ type: 'entries', accepts: false, at });
    engine.setAcceptsEntries(false, at);
  };

  const onTick = (symbol: string, tick: Tick) =>
    inOrder(() => {
      const window = highs?.get(symbol);
      window?.add(tick.at, tick.price);
      tape?.({ type: 'tick', symbol, ...tick });
      try {
        engine.tick(symbol, tick.at, tick.price, tick.bid, tick.ask, window ? window.high : tick.price);
      } catch (error) {
        // One coin of one bot may not take the process, and the exits of everybody else, with it.
        log.error({ err: error, autoTradeId: bot.id, symbol }, 'a price could not be judged');
      }
    });

  /** A fee in a third asset is valued at the moment it is heard of. */
  const valued = (input: OrderInput): OrderInput => {
    if (input.type !== 'filled' || input.feeInQuote !== null) return input;
    const position = [...quoteOf.values()].find(
      (pair) => engine.inspect(pair.symbol)?.context.order?.clientOrderId === input.clientOrderId,
    );
    if (!position || input.feeAsset === position.baseAsset) return input;
    if (input.feeAsset === position.quoteAsset || Number(input.fee) === 0) return { ...input, feeInQuote: input.fee };
    const rate = market.rate(input.feeAsset, position.quoteAsset);
    if (!rate) log.error({ asset: input.feeAsset, tradeId: input.tradeId }, 'a fee could not be valued; it counts as zero until it is');
    return { ...input, feeInQuote: rate ? toText(multiply(decimal(input.fee), decimal(rate))) : '0' };
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
    /** Tells the engine where the market stands, before it hears what became of its orders. */
    observe: (symbol: string, moment: Tick): void => {
      if (stopped) return;
      tape?.({ type: 'moment', symbol, ...moment });
      engine.observe(symbol, moment.at, moment.price, moment.bid, moment.ask);
    },
    /** Positions that needed attention go on, unless an order of theirs is still unclear. */
    resume: (): void =>
      inOrder(() => {
        for (const { symbol } of start.pairs) {
          const inspection = engine.inspect(symbol);
          if (inspection?.state !== 'needsAttention') continue;
          tape?.({ type: 'resume', positionId: inspection.context.positionId });
          engine.resume(inspection.context.positionId);
        }
      }),
    /** Hears from now on what is executed on the account. */
    listen: (account: TradingAccount, listener: Parameters<TradingAccount['listen']>[0]): void => {
      if (!stopped) stops.push(account.listen(listener));
    },
    /** Loads the look-back history and begins to judge what it hears. Does nothing once it was stopped. */
    begin: async (): Promise<void> => {
      if (stopped) return;
      for (const { symbol } of start.pairs) stops.push(market.watch(symbol, (tick) => onTick(symbol, tick)));
      if (highs) {
        const { trigger } = bot.config.entry;
        const minutes = trigger.kind === 'drop' ? trigger.lookbackMin : 0;
        for (const symbol of highs.keys()) {
          if (!quoteOf.has(symbol)) continue;
          for (const [at, price] of await market.minuteHighs(symbol, minutes)) {
            highs.get(symbol)?.add(at, price);
            tape?.({ type: 'high', symbol, at, price });
          }
          if (stopped) return;
        }
      }
      ready = true;
      const early = waiting;
      waiting = [];
      // What was withdrawn just before a restart is withdrawn again: its order may still rest at the exchange.
      if (!opensPositions(state)) withdraw();
      for (const work of early) work();
    },
    /** What the exchange said of an order; taken at once, also while the history is still loading. */
    order: (input: OrderInput): void => {
      if (stopped) return;
      const known = valued(input);
      tape?.({ type: 'order', input: known });
      engine.order(known);
    },
    /** What the order in flight of a client order id has executed so far; undefined when it is not in flight here. */
    executedOf: (clientOrderId: string): string | undefined => {
      for (const { symbol } of start.pairs) {
        const order = engine.inspect(symbol)?.context.order;
        if (order?.clientOrderId === clientOrderId) return order.executed;
      }
      return undefined;
    },
    /** An event of the bot's machine. Answers the new state for storage, or undefined when it does not apply. */
    apply: (event: AutoTradeEvent): { state: AutoTradeStateName; context: AutoTradeContext } | undefined => {
      const next = advanceAutoTrade(state, context, event);
      if (!next) return undefined;
      state = next.state;
      context = next.context;
      const frozen = !mayTrade(state, context);
      const accepts = opensPositions(state);
      inOrder(() => {
        tape?.({ type: 'frozen', frozen });
        engine.setFrozen(frozen);
        if (accepts === engine.acceptsEntries) return;
        if (!accepts) return withdraw();
        tape?.({ type: 'entries', accepts, at: market.asOf });
        engine.setAcceptsEntries(true, market.asOf);
      });
      return next;
    },
    detachAll: (): void => {
      for (const { symbol } of start.pairs) {
        const inspection = engine.inspect(symbol);
        if (!inspection) continue;
        const { positionId } = inspection.context;
        tape?.({ type: 'detach', positionId, at: market.asOf });
        engine.detach(positionId, market.asOf);
      }
    },
    evaluations: (): Evaluation[] =>
      start.pairs.flatMap(({ symbol }) => {
        const inspection = engine.inspect(symbol);
        return inspection ? [explain(inspection, { state, reason: context.reason, openPositions: engine.openPositions, wallet })] : [];
      }),
    /** Orders in flight, to be reconciled after a restart or a gap. */
    inFlight: () =>
      start.pairs.flatMap(({ symbol }) => {
        const inspection = engine.inspect(symbol);
        return inspection?.context.order ? [{ symbol, state: inspection.state, order: inspection.context.order }] : [];
      }),
    stop: (): void => {
      stopped = true;
      for (const stop of stops) stop();
      ready = false;
      waiting = [];
    },
  };
}

export const notReady = (detail: string): AppError => new AppError('not-ready', { detail });
