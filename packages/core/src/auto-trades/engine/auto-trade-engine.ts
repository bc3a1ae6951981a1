import { decimal, fromFloat, isPositive, toText } from '../../money/decimal.ts';
import type { Pair } from '../../prices/prices-contract.ts';
import { afterMove } from '../../wallets/wallet-book.ts';
import type { AutoTradeConfig } from '../config/auto-trade-config.ts';
import { advancePosition } from '../position/auto-trade-position-machine.ts';
import { planEntry, spreadPct } from '../position/entry-plan.ts';
import { feeValued } from '../position/position-fills.ts';
import { jumpIsAsked } from '../position/position-jump.ts';
import { REFUSED } from '../position/position-refusals.ts';
import { exitAsked, saleIsPaused } from '../position/position-retry.ts';
import { settingsChangeOf } from '../position/position-settings.ts';
import type { EntryReason, MarketMoment, PositionContext, PositionEvent, SetByHand, UnvaluedFee } from '../position/position-state.ts';
import { upgradedContext } from '../position/position-upgrade.ts';
import { createBotPauses, type Pause } from './bot-pauses.ts';
import type { ConditionVerdict } from './condition-verdicts.ts';
import { Decision, decide, decideBehind, mayDecide } from './decide.ts';
import type { EngineOptions, EnterAnswer, FeeValue, Inspection, OrderInput, SettingsPreview } from './engine-inputs.ts';
import { judge } from './engine-judgement.ts';
import { createEngineSlots } from './engine-slots.ts';
import { failingRule } from './entry-gate.ts';
import { picksFor } from './pick-order.ts';
import type { ClosedTrade } from './protections.ts';
import { isJump } from './standstill.ts';
import { createTradeWatch } from './trade-watch.ts';

export type { EngineStep, OrderInput } from './engine-inputs.ts';

/** Market data that is missing for longer is a gap: prices in it are unknown. */
const DATA_GAP_MS = 60_000;
/** What followed from a decision: nothing, something, or something after which the same tick may decide more. */
type Acted = 'nothing' | 'done' | 'again';
/** Most decisions of one tick: a line that is drawn, one that rises, a sale, a stop that follows. */
const ROUNDS = 4;
const REASONS = { drop: 'Drop', immediate: 'Immediate', conditions: 'Conditions', manual: 'Manual' } as const;

/**
 * The bot over all its coins: ticks in, steps out. Deterministic: no clock, no randomness; the same inputs in the
 * same order give the same steps, live, on paper and in a backtest. The high of the look-back window is an input
 * (`RollingHigh`), because bots of one symbol share it.
 */
export function createAutoTradeEngine(options: EngineOptions) {
  const { wallet } = options;
  const dataGapMs = options.dataGapMs ?? DATA_GAP_MS;
  const lineGapMs = options.alwaysConnected ? Number.POSITIVE_INFINITY : dataGapMs;
  const heartbeatMs = options.heartbeatMs ?? Number.POSITIVE_INFINITY;
  const volumes = new Map<string, number>();
  const pauses = createBotPauses({
    protections: options.config.protections,
    wallet,
    history: options.history ?? [],
    pauses: options.pauses ?? [],
    references: options.references ?? [],
  });
  let acceptsEntries = options.acceptsEntries ?? true;
  let frozen = false;
  /** The coin whose slot has just become free, and when; -1: none has. */
  let [freedSlot, freedAt] = [-1, 0];
  const slots = createEngineSlots(options, ended);
  const { states, contexts, slotOf, slotOfPosition, advance } = slots;
  const trades = createTradeWatch(slots, options.standstillMs);
  for (const { state, context } of options.restored ?? []) slots.restore(state, context);
  followRefusals();
  for (const context of options.awaitingFees ?? []) slots.unvalued.set(context.positionId, upgradedContext(context));

  /** A position is over: protections judge, and its slot is free for another. */
  function ended(slot: number, state: 'closed' | 'detached', context: PositionContext): void {
    const at = context.closedAt ?? 0;
    freedSlot = slot;
    freedAt = at;
    pauses.refuse(context.settings.symbol, contexts[slot]!.refused);
    if (state !== 'closed' || context.exitReason === 'Abandoned') return;
    for (const notice of pauses.closed(context, at)) withdrawEntries(notice.at, notice.symbol);
  }

  function followRefusals(): void {
    for (const { settings, refused } of contexts) pauses.refuse(settings.symbol, refused);
  }

  const mayBuySymbol = (symbol: string, at: number): boolean => !slots.forbidden.has(symbol) && pauses.allows(symbol, at);
  const mayBuy = (slot: number, at: number): boolean => acceptsEntries && !frozen && mayBuySymbol(slots.pairs[slot]!.symbol, at);
  const mayEnter = (slot: number, at: number): boolean =>
    slots.occupied < slots.config.maxOpenPositions && !(at < slots.botCooldownUntil) && mayBuy(slot, at);
  /** Buys are for a bot that may buy; everything else is decided whatever stands against buying. */
  function allowed(decision: Decision, slot: number, at: number): boolean {
    if (decision === Decision.Triggered || decision === Decision.Enter) return mayEnter(slot, at);
    return decision === Decision.Rebuy || decision === Decision.RebuyLowered ? mayBuy(slot, at) : true;
  }

  function enter(slot: number, moment: MarketMoment, reason: EntryReason = REASONS[slots.config.entry.trigger.kind]): boolean {
    const context = contexts[slot]!;
    const plan = planEntry(context.settings, wallet, moment, context.carriedCost);
    slots.plans[slot] = plan;
    if (!plan.ok) return false;
    const observed: Record<string, string> = {
      ...(reason === 'Conditions' ? (context.triggerFacts ?? slots.verdicts[slot]?.observed) : {}),
      spreadPct: spreadPct(moment),
    };
    if (reason === 'Drop') observed.high = toText(fromFloat(slots.high[slot]!, context.settings.pricePrecision));
    if (context.triggerPrice) observed.trigger = context.triggerPrice;
    if (context.entryLow) observed.low = context.entryLow;
    const { order, reserve, entryReserve, ladder, quote } = plan;
    const taken = { slot: slots.occupied + 1, slots: slots.config.maxOpenPositions };
    return advance(slot, { type: 'entry.decided', ...moment, order, reserve, entryReserve, quote, ladder, reason, ...taken, observed });
  }

  /** Re-checks a decision in exact decimals and does what follows. */
  function act(slot: number, decision: Decision, at: number): Acted {
    const moment = slots.momentOf(slot, at);
    const facts = { high: slots.high[slot]!, observed: slots.verdicts[slot]?.observed ?? {} };
    const judgement = judge(decision, states[slot]!, contexts[slot]!, moment, facts);
    if (!judgement) return 'nothing';
    const more: Acted = judgement.kind === 'enter' || judgement.again ? 'again' : 'done';
    if (judgement.kind === 'enter') return enter(slot, moment) ? more : 'done';
    if (judgement.kind === 'event') return advance(slot, judgement.event) ? more : 'done';
    slots.write(slot, judgement.change);
    return more;
  }

  function withdrawEntries(at: number, symbol: string | null): void {
    for (let slot = 0; slot < slots.pairs.length; slot += 1) {
      if (symbol !== null && slots.pairs[slot]!.symbol !== symbol) continue;
      if (states[slot] === 'trailingEntry' || states[slot] === 'entryPending') advance(slot, { type: 'entry.withdrawn', at });
      else if (states[slot] === 'adding') advance(slot, { type: 'rebuy.withdrawn', at });
    }
  }

  /**
   * A slot has become free: of the coins whose entry holds at their last price the first by the bot's order takes it.
   * The coin that left it waits for its next price.
   */
  function compete(): void {
    const [at, except] = [freedAt, freedSlot];
    freedSlot = -1;
    if (slots.pairs.length < 2 || slots.occupied >= slots.config.maxOpenPositions) return;
    for (const { slot, decision } of picksFor(slots, volumes, { at, except, dataGapMs, mayEnter }))
      if (mayEnter(slot, at)) act(slot, decision, Math.max(at, slots.at[slot]!));
  }

  /** After an input: free slots are given away, and what others have to know is told. */
  function settle(): void {
    while (freedSlot >= 0) compete();
    for (let notice = pauses.notices.shift(); notice; notice = pauses.notices.shift()) options.onProtection?.(notice);
    for (let notice = pauses.warnings.shift(); notice; notice = pauses.warnings.shift()) options.onProtectionWarning?.(notice);
    for (let end = pauses.ends.shift(); end; end = pauses.ends.shift()) options.onPauseEnded?.(end);
  }

  /** Stores until when market data came, so that a restart does not take a quiet pair for a gap. */
  function storeConnected(slot: number, at: number): void {
    if (!Number.isNaN(slots.columns.line[slot]!) && at - (contexts[slot]!.seenAt ?? 0) >= heartbeatMs) slots.write(slot, { seenAt: at });
  }
  /** What an owner asks of a position, at the last price of its coin; false before the first, or when it does not take it. */
  function advanceNow(positionId: string, event: (moment: MarketMoment, slot: number) => PositionEvent): boolean {
    const slot = slotOfPosition.get(positionId);
    return slot !== undefined && slots.at[slot]! > 0 && advance(slot, event(slots.momentOf(slot), slot));
  }
  const later = (a: number, b: number): number => Math.max(Number.isNaN(a) ? 0 : a, Number.isNaN(b) ? 0 : b);

  return {
    /** One trade of the market with the best prices beside it; `high` is that of the look-back window. */
    tick(symbol: string, at: number, price: number, bid: number, ask: number, high: number): void {
      const slot = slotOf.get(symbol);
      if (slot !== undefined) this.tickSlot(slot, at, price, bid, ask, high);
    },
    /** The same by index of the pair: the hot path. */
    tickSlot(slot: number, at: number, price: number, bid: number, ask: number, high: number): void {
      const { columns } = slots;
      trades.meet(slot, at, price, bid, ask);
      slots.high[slot] = high;
      const paused = pauses.pass(at);
      // A rise of the line and a take profit may fall on one tick: decide again while something happened.
      const held = trades.isHeld(slot, at);
      for (let round = 0; round < ROUNDS && !frozen && !held; round += 1) {
        let decision = decide(columns, slot, price, bid, at, high, lineGapMs);
        let acted: Acted = 'nothing';
        while (decision !== Decision.None && acted === 'nothing') {
          if (allowed(decision, slot, at)) acted = act(slot, decision, at);
          if (acted === 'nothing') decision = decideBehind(columns, slot, decision, price, at);
        }
        if (acted !== 'again') break;
      }
      if (!held) columns.connectedAt[slot] = at;
      storeConnected(slot, at);
      trades.store(slot, at, price);
      if (paused || freedSlot >= 0) settle();
    },
    /** A trade before the orders that rest at a simulated exchange meet it. True after a jump: those orders are void. */
    meet(symbol: string, at: number, price: number, bid: number, ask: number): boolean {
      const slot = slotOf.get(symbol);
      return slot !== undefined && trades.meet(slot, at, price, bid, ask);
    },
    /** Ends at its cost what a jump has left to its owner. Answers false while an order of it is in flight. */
    settleJump(symbol: string): boolean {
      const slot = slotOf.get(symbol)!;
      return advance(slot, { type: 'jump.settled', ...slots.momentOf(slot) }) || !jumpIsAsked(contexts[slot]!);
    },
    /** Where the market stands, without judging it: after a restart, before the first tick, order events need it. */
    observe(symbol: string, at: number, price: number, bid: number, ask: number, high?: number): void {
      const slot = slotOf.get(symbol);
      if (slot === undefined) return;
      const [knownAt, known] = [slots.tradedAt[slot]!, slots.tradedPrice[slot]!];
      this.observeSlot(slot, at, price, bid, ask, high ?? slots.high[slot]!);
      // It was no trade. One that jumped since storage knew the price is left to be seen by the next.
      slots.tradedAt[slot] = knownAt;
      if (isJump(known, price)) slots.tradedPrice[slot] = known;
    },
    observeSlot(slot: number, at: number, price: number, bid: number, ask: number, high: number): void {
      slots.note(slot, at, price, bid, ask);
      slots.high[slot] = high;
    },
    /**
     * The market connection is up at this venue time, ms: a coin without a price since its last one did not trade. After a
     * gap this changes nothing, because only the next price shows where the market is.
     */
    connected(at: number): void {
      for (let slot = 0; slot < slots.pairs.length; slot += 1) {
        const { connectedAt } = slots.columns;
        if (at - connectedAt[slot]! > dataGapMs || at < connectedAt[slot]!) continue;
        connectedAt[slot] = at;
        storeConnected(slot, at);
        // A market that takes no sale may have no trade either: the next try does not wait for one.
        const due = saleIsPaused(contexts[slot]!) && at >= slots.columns.deadline[slot]!;
        if (due && !frozen && slots.at[slot]! > 0 && !trades.isHeld(slot, at)) act(slot, Decision.OrderTimedOut, at);
      }
    },
    /** False when no tick between these bounds can decide anything (`mayDecide`); the caller may pass over them. */
    mayDecideSlot: (slot: number, low: number, high: number, top: number, from: number, until: number): boolean =>
      trades.mayJump(slot, low, high, from) || mayDecide(slots.columns, slot, low, high, top, from, until, lineGapMs),
    /** What the exchange said about one of our orders; others are ignored. */
    order(input: OrderInput): boolean {
      const slot = slots.slotOfOrder(input.clientOrderId);
      if (slot === undefined) return false;
      const done = advance(slot, slots.orderEvent(slot, input));
      settle();
      return done;
    },
    /** What conditions say of a coin, until when; the next tick is judged by it. */
    conditions(symbol: string, input: ConditionVerdict): void {
      const slot = slotOf.get(symbol);
      if (slot === undefined) return;
      slots.verdicts[slot] = input;
      slots.load(slot);
    },
    /** The price of the reference (BTC) that the guard of the bot looks at. */
    reference(at: number, price: number): void {
      if (pauses.reference(at, price)) withdrawEntries(at, null);
      settle();
    },
    /** Traded volumes of coins, in the quote asset, for the order in which coins are picked. */
    setVolumes(values: Readonly<Record<string, number>>): void {
      for (const [symbol, value] of Object.entries(values)) volumes.set(symbol, value);
    },
    /** Nothing of this coin is bought until then (venue ms); a time that is over lifts it. `REFUSED` ends a row of refusals. */
    pauseCoin(symbol: string, until: number, reason: string, at: number): void {
      if (reason === REFUSED) {
        slots.forgive(slotOf.get(symbol));
        followRefusals();
        return;
      }
      pauses.pauseCoin(symbol, until, reason);
      if (until > at) withdrawEntries(at, symbol);
      else pauses.pass(at);
      settle();
    },
    /**
     * The coins that may be entered, in order, with the pairs of those not known yet, and of those whose filters the
     * exchange has changed. One that left is watched until its position is closed; its rebuys go on.
     */
    setCoins(symbols: readonly string[], added: readonly Pair[], at: number): void {
      slots.listCoins(symbols);
      slots.addPairs(added);
      for (let slot = 0; slot < slots.pairs.length; slot += 1) {
        if (!slots.tradable.has(slots.pairs[slot]!.symbol) && states[slot] === 'trailingEntry')
          advance(slot, { type: 'entry.withdrawn', at });
        slots.load(slot);
        slots.releaseIfLeft(slot, at);
      }
      followRefusals();
      settle();
    },
    /** The coins that the account may not trade, instead of those known before: buys of them are withdrawn. */
    setForbidden(symbols: readonly string[], at: number): void {
      slots.forbidden = new Set(symbols);
      for (const symbol of symbols) withdrawEntries(at, symbol);
      settle();
    },
    /** Enters a coin by hand, or says which rule stands against it. */
    enter(symbol: string): EnterAnswer {
      const refusal = failingRule(this.inspect(symbol));
      if (refusal) return { ok: false, ...refusal };
      const slot = slotOf.get(symbol)!;
      const done = enter(slot, slots.momentOf(slot), 'Manual');
      settle();
      return done ? { ok: true } : { ok: false, rule: 'no-data', observed: null, limit: null };
    },
    /** The price at which its owner sells all of a position, or where they put its levels. Answers false when nothing is held. */
    setByHand(positionId: string, event: SetByHand): boolean {
      const slot = slotOfPosition.get(positionId);
      return slot !== undefined && slots.held(slot) && advance(slot, event);
    },
    /** The value of a fee that had none. Answers false when it is not waited for. */
    feeValued(value: FeeValue): boolean {
      const event = { type: 'fee.valued', tradeId: value.tradeId, feeInQuote: value.feeInQuote, at: value.at } as const;
      const waits = (context: PositionContext) => context.unvalued.some(({ tradeId }) => tradeId === value.tradeId);
      const slot = slotOfPosition.get(value.positionId);
      if (slot !== undefined) return waits(contexts[slot]!) && advance(slot, event);
      const closed = slots.unvalued.get(value.positionId);
      if (!closed || !waits(closed)) return false;
      const context = feeValued(closed, event);
      if (context.unvalued.length > 0) slots.unvalued.set(value.positionId, context);
      else slots.unvalued.delete(value.positionId);
      for (const effect of context.effects) if (effect.kind === 'wallet') wallet.sums = afterMove(wallet.sums, effect.entry);
      pauses.lateFee(context, value.feeInQuote);
      options.emit({ symbol: context.settings.symbol, from: 'closed', state: 'closed', context });
      return true;
    },
    /** Fees whose asset had no price yet, of positions that are held and of those that are over. */
    get unvaluedFees(): readonly (UnvaluedFee & { readonly positionId: string; readonly symbol: string })[] {
      return [...contexts, ...slots.unvalued.values()].flatMap(({ positionId, settings, unvalued }) =>
        unvalued.map((fee) => ({ ...fee, positionId, symbol: settings.symbol })),
      );
    },
    /** New settings, for new positions at once; with `applyToOpen` those that are held take them too. */
    reconfigure(next: AutoTradeConfig, version: number, { applyToOpen, at }: { applyToOpen: boolean; at: number }): void {
      slots.config = next;
      slots.configVersion = version;
      pauses.setProtections(next.protections);
      if (next.coins.symbols.length > 0) slots.listCoins(next.coins.symbols);
      for (let slot = 0; slot < slots.pairs.length; slot += 1) {
        if (states[slot] === 'trailingEntry') advance(slot, { type: 'entry.withdrawn', at });
        if (!slots.held(slot)) {
          slots.restart(slot);
          slots.releaseIfLeft(slot, at);
        } else if (applyToOpen) advance(slot, settingsChangeOf(contexts[slot]!, next, version, slots.momentOrKnown(slot), wallet));
        else slots.forgive(slot);
      }
      followRefusals();
      settle();
    },
    /** What `applyToOpen` would do to each position that is held, without doing it. */
    preview(next: AutoTradeConfig, version: number): SettingsPreview[] {
      return slots.pairs.flatMap(({ symbol }, slot) => {
        if (!slots.held(slot)) return [];
        const before = { state: states[slot]!, context: contexts[slot]! };
        const event = settingsChangeOf(before.context, next, version, slots.momentOrKnown(slot), wallet);
        const after = advancePosition(before.state, before.context, event) ?? before;
        return [{ symbol, positionId: before.context.positionId, before, after, ladderKept: event.ladder === null }];
      });
    },
    /** The run ends: dust that is carried for next positions leaves the budget. */
    releaseDust(at: number): void {
      for (let slot = 0; slot < slots.pairs.length; slot += 1) {
        if (slots.held(slot) || !isPositive(decimal(contexts[slot]!.carriedQuantity))) continue;
        if (states[slot] === 'trailingEntry') advance(slot, { type: 'entry.withdrawn', at });
        advance(slot, { type: 'dust.released', at });
      }
    },
    /** New entries and rebuys on or off; resting buys and trails are withdrawn when they go off. */
    setAcceptsEntries(accepts: boolean, at: number): void {
      acceptsEntries = accepts;
      if (!accepts) withdrawEntries(at, null);
      settle();
    },
    /** Another start of the server goes on with this run: orders are named after it. */
    setOrderPrefix: slots.setOrderPrefix,
    /** What the exchange takes of takers now, by pair; those that are not named keep theirs. */
    setTakerFees: slots.setTakerFees,
    /** Nothing is decided any more, exits included. */
    setFrozen(value: boolean): void {
      frozen = value;
    },
    /** Sells a position by hand, or for a switch. Answers false when it cannot be sold now. */
    exit: (positionId: string, reason: 'Manual' | 'KillSwitch'): boolean =>
      advanceNow(positionId, (moment, slot) => exitAsked(contexts[slot]!, moment, reason, slots.columns.connectedAt[slot]!)),
    detach(positionId: string, at: number): boolean {
      const slot = slotOfPosition.get(positionId);
      const done = slot !== undefined && advance(slot, { type: 'position.detached', at });
      settle();
      return done;
    },
    /** After the cause of `needsAttention` is gone. */
    resume(positionId: string): boolean {
      const done = advanceNow(positionId, (moment) => ({ type: 'position.resumed', ...moment }));
      settle();
      return done;
    },
    /** A coin that stood still trades again: nothing of it is judged until venue time `until`, or until its balance is known. */
    hold(symbol: string, until: number): void {
      const slot = slotOf.get(symbol);
      if (slot !== undefined) trades.hold(slot, until);
    },
    /** What the account holds of a coin that was held, as a multiple of what it should; null: about as much, or unknown. */
    balance(symbol: string, factor: string | null, at: number): void {
      const slot = slotOf.get(symbol);
      if (slot !== undefined) trades.balance(slot, factor, at);
    },
    /** The unit of a coin that jumped has changed: so many new coins for one old, positive decimal text. */
    carryOver: (positionId: string, factor: string): boolean =>
      advanceNow(positionId, (moment) => ({ type: 'position.carriedOver', factor, ...moment })),
    get openPositions(): number {
      return slots.occupied;
    },
    get acceptsEntries(): boolean {
      return acceptsEntries;
    },
    /** Every coin that is looked at, those included that left the settings while something of them was held. */
    get symbols(): readonly string[] {
      return slots.pairs.map(({ symbol }) => symbol);
    },
    /** The coins that may be entered, in order. */
    get coins(): readonly string[] {
      return slots.coins;
    },
    /** What the protections judge by, and the pauses in force: `options.history` and `options.pauses` of a restart. */
    get history(): readonly ClosedTrade[] {
      return pauses.history;
    },
    get pauses(): readonly Pause[] {
      return pauses.pauses;
    },
    /** What the engine knows of a coin; undefined when it does not look at it. */
    inspect(symbol: string): Inspection | undefined {
      const slot = slotOf.get(symbol);
      if (slot === undefined) return undefined;
      const at = slots.at[slot]!;
      const cooldownUntil = later(slots.columns.cooldownUntil[slot]!, slots.botCooldownUntil);
      return {
        state: states[slot]!,
        context: contexts[slot]!,
        moment: at ? slots.momentOf(slot) : undefined,
        high: slots.high[slot]!,
        cooldownUntil,
        plan: slots.plans[slot],
        verdict: slots.verdicts[slot],
        gate: {
          acceptsEntries: acceptsEntries && !frozen,
          occupied: slots.occupied,
          slots: slots.config.maxOpenPositions,
          tradable: slots.tradable.has(symbol),
          permitted: !slots.forbidden.has(symbol),
          botPause: pauses.bot(at),
          coinPause: pauses.coin(symbol, at),
          cooldownUntil: states[slot] === 'trailingEntry' ? later(slots.botCooldownUntil, Number.NaN) : cooldownUntil,
        },
        wallet,
      };
    },
  };
}
export type AutoTradeEngine = ReturnType<typeof createAutoTradeEngine>;
