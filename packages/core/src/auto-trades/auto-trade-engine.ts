import { add, decimal, fromFloat, greaterThan, lessThan, multiply, ONE, subtract, toText } from '../money/decimal.ts';
import type { Pair } from '../prices/prices-contract.ts';
import { afterMove, type WalletBook } from '../wallets/wallet-book.ts';
import type { AutoTradeConfig } from './auto-trade-config.ts';
import { advancePosition } from './auto-trade-position-machine.ts';
import { createColumns, Decision, decide, mayDecide, Phase } from './decide.ts';
import { type EntryPlan, planEntry, spreadPct } from './entry-plan.ts';
import type { PositionState } from './position-chart.ts';
import { loadColumns } from './position-columns.ts';
import { positionIdFor, positionIdOfOrder } from './position-ids.ts';
import { armPrice, coversCost, lessPercent, protectedCostFor, smallestRaise, takeProfitPrice } from './position-lines.ts';
import {
  type FillFacts,
  type MarketMoment,
  newPosition,
  type PositionContext,
  type PositionEvent,
  type PositionSettings,
} from './position-state.ts';

/** What changed in one step: the position's row and what it asks of the world (`context.effects`). */
export type EngineStep = {
  readonly symbol: string;
  readonly from: PositionState;
  readonly state: PositionState;
  readonly context: PositionContext;
};

export type EngineOptions = {
  readonly autoTradeId: string;
  readonly runNo: number;
  readonly mode: 'paper' | 'live';
  readonly config: AutoTradeConfig;
  readonly configVersion: number;
  /** Pairs of the config's symbols, in its order. */
  readonly pairs: readonly Pair[];
  readonly takerFee: string;
  readonly wallet: WalletBook;
  /** Newest position of each coin, from storage. Their own config version travels in their settings. */
  readonly restored?: readonly { readonly state: PositionState; readonly context: PositionContext }[];
  readonly acceptsEntries?: boolean;
  readonly dataGapMs?: number;
  /** How often a drawn line's newest tick is stored, venue ms; never when absent (a backtest does not restart). */
  readonly heartbeatMs?: number;
  /** Receives every step, in order, before the next input is taken. Must not throw. */
  readonly emit: (step: EngineStep) => void;
};

/** What an order event needs besides what the engine knows. */
export type OrderInput =
  | { readonly type: 'accepted'; readonly clientOrderId: string; readonly orderId: string }
  | ({ readonly type: 'filled'; readonly clientOrderId: string; readonly orderId: string } & FillFacts)
  | {
      readonly type: 'ended';
      readonly clientOrderId: string;
      readonly status: 'FILLED' | 'CANCELED' | 'EXPIRED' | 'REJECTED';
      readonly code: string | null;
      readonly at: number;
    }
  | { readonly type: 'lost'; readonly clientOrderId: string; readonly code: string };

const DATA_GAP_MS = 60_000;
/** Least venue time between an entry that was refused and the next one of its coin. */
const REFUSED_ENTRY_MS = 60_000;
/** States in which a coin takes up a slot of the bot. */
const OCCUPIED: ReadonlySet<PositionState> = new Set(['entryPending', 'open', 'protected', 'reducing', 'exitPending', 'needsAttention']);

/**
 * The bot over all its coins: ticks in, steps out. Deterministic: no clock, no randomness; the same inputs in the
 * same order give the same steps, live, on paper and in a backtest. The high of the look-back window is an input
 * (`RollingHigh`), because bots of one symbol share it.
 */
export function createAutoTradeEngine(options: EngineOptions) {
  const { config, wallet, emit } = options;
  const dataGapMs = options.dataGapMs ?? DATA_GAP_MS;
  const heartbeatMs = options.heartbeatMs ?? Number.POSITIVE_INFINITY;
  const size = options.pairs.length;
  const columns = createColumns(size);
  const slotOf = new Map(options.pairs.map((pair, slot) => [pair.symbol, slot]));
  const slotOfPosition = new Map<string, number>();
  const states: PositionState[] = [];
  const contexts: PositionContext[] = [];
  const plans: (EntryPlan | undefined)[] = Array.from({ length: size });
  const last = {
    price: new Float64Array(size),
    bid: new Float64Array(size),
    ask: new Float64Array(size),
    at: new Float64Array(size),
    high: new Float64Array(size).fill(Number.NaN),
  };
  /** Coins taken out of the settings are only watched until their positions are closed. */
  const tradable = new Set(config.coins.symbols);
  let acceptsEntries = options.acceptsEntries ?? true;
  let frozen = false;
  let occupied = 0;
  let botCooldownUntil = Number.NaN;

  const settingsOf = (pair: Pair): PositionSettings => ({
    autoTradeId: options.autoTradeId,
    runNo: options.runNo,
    mode: options.mode,
    config,
    configVersion: options.configVersion,
    symbol: pair.symbol,
    baseAsset: pair.baseAsset,
    quoteAsset: pair.quoteAsset,
    filters: pair.filters,
    pricePrecision: pair.pricePrecision,
    takerFee: options.takerFee,
  });

  function start(slot: number, number: number): void {
    const pair = options.pairs[slot]!;
    const id = positionIdFor(options.autoTradeId, options.runNo, pair.symbol, number);
    states[slot] = 'watching';
    contexts[slot] = newPosition(settingsOf(pair), number, id);
    slotOfPosition.set(id, slot);
    load(slot);
  }

  function cooldownAfter(slot: number, context: PositionContext): void {
    const { cooldown } = context.settings.config;
    const minutes = lessThan(decimal(context.realised), decimal('0')) ? cooldown.afterLossMin : cooldown.afterWinMin;
    // An entry that was refused is not tried again at once: what stands in its way is seldom gone by the next tick.
    const spacing = context.exitReason === 'Abandoned' && context.rejections > 0 ? REFUSED_ENTRY_MS : 0;
    const until = (context.closedAt ?? 0) + Math.max(minutes * 60_000, spacing);
    columns.cooldownUntil[slot] = until;
    if (cooldown.scope === 'bot') botCooldownUntil = Math.max(botCooldownUntil, until);
  }

  const load = (slot: number): void => loadColumns(columns, slot, states[slot]!, contexts[slot]!, tradable);

  function advance(slot: number, event: PositionEvent): boolean {
    const from = states[slot]!;
    const result = advancePosition(from, contexts[slot]!, event);
    if (!result || (result.state === from && result.context === contexts[slot])) return false;
    states[slot] = result.state;
    contexts[slot] = result.context;
    occupied += Number(OCCUPIED.has(result.state)) - Number(OCCUPIED.has(from));
    for (const effect of result.context.effects) if (effect.kind === 'wallet') wallet.sums = afterMove(wallet.sums, effect.entry);
    emit({ symbol: result.context.settings.symbol, from, state: result.state, context: result.context });
    if (result.state === 'closed' || result.state === 'detached') {
      cooldownAfter(slot, result.context);
      slotOfPosition.delete(result.context.positionId);
      start(slot, result.context.number + 1);
    } else load(slot);
    return true;
  }

  /** A write of a column that must survive a restart but is no event of the machine. */
  function write(slot: number, change: Partial<PositionContext>): void {
    const state = states[slot]!;
    contexts[slot] = { ...contexts[slot]!, ...change, effects: [] };
    emit({ symbol: contexts[slot].settings.symbol, from: state, state, context: contexts[slot] });
    load(slot);
  }

  function momentOf(slot: number, at = last.at[slot]!): MarketMoment {
    const { pricePrecision } = contexts[slot]!.settings;
    const text = (value: number) => toText(fromFloat(value, pricePrecision));
    return { at, price: text(last.price[slot]!), bid: text(last.bid[slot]!), ask: text(last.ask[slot]!) };
  }

  function enter(slot: number, moment: MarketMoment): boolean {
    const context = contexts[slot]!;
    const plan = planEntry(context.settings, wallet, moment);
    plans[slot] = plan;
    if (!plan.ok) return false;
    const trigger = config.entry.trigger;
    const observed: Record<string, string> = { spreadPct: spreadPct(moment) };
    if (trigger.kind === 'drop') observed.high = toText(fromFloat(last.high[slot]!, context.settings.pricePrecision));
    if (context.triggerPrice) observed.trigger = context.triggerPrice;
    if (context.entryLow) observed.low = context.entryLow;
    return advance(slot, {
      type: 'entry.decided',
      ...moment,
      order: plan.order,
      reserve: plan.reserve,
      slot: occupied + 1,
      slots: config.maxOpenPositions,
      observed,
    });
  }

  /** Re-checks a decision in exact decimals and turns it into an event. Answers whether anything happened. */
  function act(slot: number, decision: Decision): boolean {
    const context = contexts[slot]!;
    const moment = momentOf(slot);
    const price = decimal(moment.price);
    const { entry, trailingCost } = context.settings.config;
    switch (decision) {
      case Decision.Triggered: {
        if (entry.trigger.kind === 'drop') {
          const level = lessPercent(fromFloat(last.high[slot]!, context.settings.pricePrecision), decimal(entry.trigger.dropPct));
          if (greaterThan(price, level)) return false;
        }
        if (!entry.trailing.enabled) return enter(slot, moment);
        return advance(slot, { type: 'entry.triggered', ...moment, trailUntil: moment.at + entry.trailing.expiryMin * 60_000 });
      }
      case Decision.Lowered:
        write(slot, { entryLow: moment.price });
        return false;
      case Decision.TrailExpired:
        return advance(slot, { type: 'entry.lapsed', reason: 'Expired', ...moment });
      case Decision.TrailChased:
        return advance(slot, { type: 'entry.lapsed', reason: 'Chased', ...moment });
      case Decision.Enter: {
        const rebound = multiply(decimal(context.entryLow!), add(ONE, multiply(decimal(entry.trailing.reboundPct), decimal('0.01'))));
        return lessThan(price, rebound) ? false : enter(slot, moment);
      }
      case Decision.StopSuspected:
        write(slot, { stopSince: moment.at });
        return false;
      case Decision.StopCleared:
        write(slot, { stopSince: null });
        return true;
      case Decision.StopLoss:
        return (
          context.stopPrice !== null &&
          !greaterThan(price, decimal(context.stopPrice)) &&
          advance(slot, { type: 'exit.decided', reason: 'StopLoss', ...moment })
        );
      case Decision.LineArmed: {
        const arm = armPrice(context);
        return arm !== null && !lessThan(price, arm) && advance(slot, { type: 'line.armed', ...moment });
      }
      case Decision.LineRaised: {
        const line = decimal(context.line!);
        const raise = subtract(protectedCostFor(context, price), line);
        return !lessThan(raise, smallestRaise(context, line)) && advance(slot, { type: 'line.raised', ...moment });
      }
      case Decision.LineHit:
        if (greaterThan(price, decimal(context.line!))) return false;
        // While a sell rests in the book only a sale that pays its cost overtakes it.
        if (context.order && !coversCost(context, decimal(moment.bid))) return false;
        return trailingCost.floor === 'breakEven' && !coversCost(context, decimal(moment.bid))
          ? advance(slot, { type: 'line.expired', reason: 'BelowFloor', ...moment })
          : advance(slot, { type: 'exit.decided', reason: 'TrailingCost', ...moment });
      case Decision.LineTimedOut:
        return advance(slot, { type: 'line.expired', reason: 'Timeout', ...moment });
      case Decision.LineGap:
        return advance(slot, { type: 'line.expired', reason: 'DataGap', ...moment });
      case Decision.TakeProfit: {
        const level = takeProfitPrice(context, context.levelsDone);
        return level !== null && !lessThan(price, level) && advance(slot, { type: 'takeProfit.decided', ...moment });
      }
      case Decision.OrderTimedOut:
        return advance(slot, { type: 'order.timedOut', ...moment });
      default:
        return false;
    }
  }

  for (let slot = 0; slot < size; slot += 1) start(slot, 1);
  for (const { state, context } of options.restored ?? []) {
    const slot = slotOf.get(context.settings.symbol);
    if (slot === undefined) continue;
    if (state === 'closed' || state === 'detached') {
      cooldownAfter(slot, context);
      start(slot, context.number + 1);
      continue;
    }
    // Nothing was entered yet: what is looked for is what the present settings say.
    if (state === 'watching' || (state === 'trailingEntry' && context.settings.configVersion !== options.configVersion)) {
      slotOfPosition.delete(contexts[slot]!.positionId);
      start(slot, context.number);
      continue;
    }
    slotOfPosition.delete(contexts[slot]!.positionId);
    states[slot] = state;
    contexts[slot] = context;
    slotOfPosition.set(context.positionId, slot);
    occupied += Number(OCCUPIED.has(state));
    if (context.seenAt !== null) columns.lastTickAt[slot] = context.seenAt;
    load(slot);
  }

  const slotOfOrder = (clientOrderId: string) => {
    const positionId = positionIdOfOrder(clientOrderId);
    return positionId === undefined ? undefined : slotOfPosition.get(positionId);
  };

  return {
    /** One trade of the market with the best prices beside it; `high` is that of the look-back window. */
    tick(symbol: string, at: number, price: number, bid: number, ask: number, high: number): void {
      const slot = slotOf.get(symbol);
      if (slot !== undefined) this.tickSlot(slot, at, price, bid, ask, high);
    },
    /** The same by index of the pair: the hot path. */
    tickSlot(slot: number, at: number, price: number, bid: number, ask: number, high: number): void {
      last.price[slot] = price;
      last.bid[slot] = bid;
      last.ask[slot] = ask;
      last.at[slot] = at;
      last.high[slot] = high;
      // A rise of the line and a take profit may fall on one tick: decide again while something happened.
      for (let round = 0; round < 3; round += 1) {
        const phase = columns.phase[slot]!;
        if ((phase === Phase.Watching && (!acceptsEntries || occupied >= config.maxOpenPositions || at < botCooldownUntil)) || frozen)
          break;
        if (phase === Phase.Trailing && occupied >= config.maxOpenPositions) break;
        const decision = decide(columns, slot, price, at, high, dataGapMs);
        if (decision === Decision.None || !act(slot, decision)) break;
      }
      columns.lastTickAt[slot] = at;
      if (columns.phase[slot] === Phase.Protected && at - (contexts[slot]!.seenAt ?? 0) >= heartbeatMs) write(slot, { seenAt: at });
    },
    /** Where the market stands, without judging it: after a restart, before the first tick, order events need it. */
    observe(symbol: string, at: number, price: number, bid: number, ask: number): void {
      const slot = slotOf.get(symbol);
      if (slot !== undefined) this.observeSlot(slot, at, price, bid, ask, last.high[slot]!);
    },
    observeSlot(slot: number, at: number, price: number, bid: number, ask: number, high: number): void {
      last.price[slot] = price;
      last.bid[slot] = bid;
      last.ask[slot] = ask;
      last.at[slot] = at;
      last.high[slot] = high;
      // After a restart the gap is counted from what storage knows; in a backtest from here.
      if (heartbeatMs === Number.POSITIVE_INFINITY) columns.lastTickAt[slot] = at;
    },
    /** False when no tick between these bounds can decide anything (`mayDecide`); the caller may pass over them. */
    mayDecideSlot: (slot: number, low: number, high: number, top: number, from: number, until: number): boolean =>
      mayDecide(columns, slot, low, high, top, from, until, dataGapMs),
    /** What the exchange said about one of our orders; others are ignored. */
    order(input: OrderInput): boolean {
      const slot = slotOfOrder(input.clientOrderId);
      if (slot === undefined) return false;
      if (input.type === 'accepted')
        return advance(slot, { type: 'order.accepted', clientOrderId: input.clientOrderId, orderId: input.orderId });
      if (input.type === 'lost') return advance(slot, { type: 'order.lost', clientOrderId: input.clientOrderId, code: input.code });
      const moment = last.at[slot] ? momentOf(slot, input.at) : undefined;
      if (input.type === 'filled') {
        const { bid, ask } = moment ?? { bid: input.price, ask: input.price };
        return advance(slot, { ...input, type: 'order.filled', bid, ask });
      }
      if (contexts[slot]!.order?.clientOrderId !== input.clientOrderId) return false;
      const fallback = contexts[slot]!.firstBuyPrice ?? contexts[slot]!.order?.price ?? '0';
      return advance(slot, { price: fallback, bid: fallback, ask: fallback, ...moment, ...input, type: 'order.ended' });
    },
    /** New entries on or off; resting entries and trails are withdrawn when they go off. */
    setAcceptsEntries(accepts: boolean, at: number): void {
      acceptsEntries = accepts;
      if (accepts) return;
      for (let slot = 0; slot < size; slot += 1)
        if (states[slot] === 'trailingEntry' || states[slot] === 'entryPending') advance(slot, { type: 'entry.withdrawn', at });
    },
    /** Nothing is decided any more, exits included. */
    setFrozen(value: boolean): void {
      frozen = value;
    },
    /** Sells a position by hand, or for a switch. Answers false when it cannot be sold now. */
    exit(positionId: string, reason: 'Manual' | 'KillSwitch'): boolean {
      const slot = slotOfPosition.get(positionId);
      return slot !== undefined && last.at[slot]! > 0 && advance(slot, { type: 'exit.decided', reason, ...momentOf(slot) });
    },
    detach(positionId: string, at: number): boolean {
      const slot = slotOfPosition.get(positionId);
      return slot !== undefined && advance(slot, { type: 'position.detached', at });
    },
    /** After the cause of `needsAttention` is gone. */
    resume(positionId: string): boolean {
      const slot = slotOfPosition.get(positionId);
      return slot !== undefined && last.at[slot]! > 0 && advance(slot, { type: 'position.resumed', ...momentOf(slot) });
    },
    get openPositions(): number {
      return occupied;
    },
    get acceptsEntries(): boolean {
      return acceptsEntries;
    },
    /** What the engine knows of each coin, for screens and for the question why. */
    inspect: (symbol: string) => {
      const slot = slotOf.get(symbol);
      if (slot === undefined) return undefined;
      return {
        state: states[slot]!,
        context: contexts[slot]!,
        moment: last.at[slot] ? momentOf(slot) : undefined,
        high: last.high[slot]!,
        cooldownUntil: Math.max(
          Number.isNaN(columns.cooldownUntil[slot]!) ? 0 : columns.cooldownUntil[slot]!,
          Number.isNaN(botCooldownUntil) ? 0 : botCooldownUntil,
        ),
        plan: plans[slot],
      };
    },
  };
}
export type AutoTradeEngine = ReturnType<typeof createAutoTradeEngine>;
