import { decimal, fromFloat, isPositive, lessThan, toText } from '../../money/decimal.ts';
import type { Pair } from '../../prices/prices-contract.ts';
import { afterMove } from '../../wallets/wallet-book.ts';
import { advancePosition, type PositionState } from '../position/auto-trade-position-machine.ts';
import type { EntryPlan } from '../position/entry-plan.ts';
import { positionIdFor } from '../position/position-ids.ts';
import { refusedStill } from '../position/position-refusals.ts';
import {
  type Carried,
  type MarketMoment,
  newPosition,
  type PositionContext,
  type PositionEvent,
  type Refusals,
} from '../position/position-state.ts';
import { upgradedContext } from '../position/position-upgrade.ts';
import type { ConditionVerdict } from './condition-verdicts.ts';
import { createColumns, grownColumns } from './decide.ts';
import type { EngineOptions, OrderInput, TakerFees } from './engine-inputs.ts';
import { loadColumns } from './position-columns.ts';

/** Least venue time between an entry that was refused and the next one of its coin. */
const REFUSED_ENTRY_MS = 60_000;
/** Columns of a market that begin with 0; the others are unknown at first. */
const FROM_ZERO: ReadonlySet<string> = new Set(['price', 'bid', 'ask', 'at']);
const NOTHING: Carried = { quantity: '0', cost: '0', refused: null };
/** States in which a coin takes up a slot of the bot. */
export const OCCUPIED: ReadonlySet<PositionState> = new Set([
  'entryPending',
  'open',
  'protected',
  'adding',
  'reducing',
  'exitPending',
  'needsAttention',
]);

/**
 * The coins of a bot, one slot each: its position, the columns that its ticks are compared with, and where its market
 * stands. `onEnded` hears of every position that is over, after its coin began anew.
 */
type Cooldown = EngineOptions['config']['cooldown'];

export function createEngineSlots(
  options: EngineOptions,
  onEnded: (slot: number, state: 'closed' | 'detached', context: PositionContext) => void,
) {
  const { wallet, emit, interpreter = advancePosition } = options;
  const named = options.config.coins.symbols;
  const listed: readonly string[] = options.coins ?? (named.length > 0 ? named : options.pairs.map(({ symbol }) => symbol));
  let takerFees: TakerFees = options.takerFees ?? {};
  const slots = {
    config: options.config,
    configVersion: options.configVersion,
    orderPrefix: options.orderPrefix,
    pairs: [] as Pair[],
    columns: createColumns(0),
    states: [] as PositionState[],
    contexts: [] as PositionContext[],
    plans: [] as (EntryPlan | undefined)[],
    verdicts: [] as (ConditionVerdict | undefined)[],
    /** Newest moment of each coin's market; `at` 0 before the first. */
    price: new Float64Array(0),
    bid: new Float64Array(0),
    ask: new Float64Array(0),
    at: new Float64Array(0),
    high: new Float64Array(0),
    /** The newest trade of each coin, NaN before the first; after a restart its time is not known, so any is long ago. */
    tradedAt: new Float64Array(0),
    tradedPrice: new Float64Array(0),
    /** What storage knows of the price of what is held; NaN where nothing is to be stored. */
    knownPrice: new Float64Array(0),
    slotOf: new Map<string, number>(),
    slotOfPosition: new Map<string, number>(),
    /** Coins that may be entered, in order. Others are only watched until their positions are closed. */
    coins: listed,
    tradable: new Set(listed),
    /** Coins that the account may not trade. */
    forbidden: new Set(options.forbidden),
    /** Closed positions with fees that have no price yet. */
    unvalued: new Map<string, PositionContext>(),
    occupied: 0,
    botCooldownUntil: Number.NaN,
    advance,
    write,
    load,
    momentOf,
    momentOrKnown,
    orderEvent,
    held: (slot: number): boolean => slots.states[slot] !== 'watching' && slots.states[slot] !== 'trailingEntry',
    /** Where the market of a coin stands: its newest trade and the best prices beside it. */
    note(slot: number, at: number, price: number, bid: number, ask: number): void {
      slots.tradedAt[slot] = at;
      slots.tradedPrice[slot] = price;
      slots.price[slot] = price;
      slots.bid[slot] = bid;
      slots.ask[slot] = ask;
      slots.at[slot] = at;
    },
    /** Begins to look at a coin again under the present settings; what is carried for it stays, refused entries do not count. */
    restart(slot: number): void {
      const { number, positionId, carriedQuantity, carriedCost, settings } = slots.contexts[slot]!;
      slots.slotOfPosition.delete(positionId);
      if (!isSameCooldown(settings.config.cooldown, slots.config.cooldown)) {
        slots.columns.cooldownUntil[slot] = Number.NaN;
        slots.botCooldownUntil = Number.NaN;
      }
      start(slot, number, { quantity: carriedQuantity, cost: carriedCost, refused: null });
    },
    releaseIfLeft,
    forgive,
    listCoins(symbols: readonly string[]): void {
      slots.coins = symbols;
      slots.tradable = new Set(symbols);
    },
    addPairs,
    restore,
    setOrderPrefix,
    setTakerFees,
    slotOfOrder,
  };

  function addPairs(added: readonly Pair[]): void {
    const first = slots.pairs.length;
    for (const pair of added) {
      const known = slots.slotOf.get(pair.symbol);
      if (known !== undefined) {
        followPair(known, pair);
        continue;
      }
      slots.slotOf.set(pair.symbol, slots.pairs.length);
      slots.pairs.push(pair);
    }
    const size = slots.pairs.length;
    if (size === first) return;
    slots.columns = grownColumns(slots.columns, size);
    for (const name of ['price', 'bid', 'ask', 'at', 'high', 'tradedAt', 'tradedPrice', 'knownPrice'] as const) {
      const wider = new Float64Array(size).fill(FROM_ZERO.has(name) ? 0 : Number.NaN);
      wider.set(slots[name]);
      slots[name] = wider;
    }
    for (let slot = first; slot < size; slot += 1) start(slot, 1, NOTHING);
  }

  /** What the exchange asks of orders of a known coin has changed: those from here on are planned by it. */
  function followPair(slot: number, pair: Pair): void {
    const isNews = JSON.stringify(pair) !== JSON.stringify(slots.pairs[slot]);
    slots.pairs[slot] = pair;
    const context = slots.contexts[slot]!;
    const { filters, pricePrecision } = pair;
    slots.contexts[slot] = { ...context, settings: { ...context.settings, filters, pricePrecision } };
    load(slot);
    if (isNews) forgive(slot);
  }

  /** What refused the entries of a coin may have changed: the next one begins to count anew, after a restart, too. */
  function forgive(slot: number | undefined): void {
    if (slot !== undefined && slots.contexts[slot]!.refused) write(slot, { refused: null });
  }

  const stillRefused = (slot: number, context: PositionContext): Refusals | null =>
    refusedStill(context, slots.configVersion, slots.pairs[slot]!);

  const takerFeeOf = (symbol: string): string => takerFees[symbol] ?? options.takerFee;
  function setTakerFees(told: TakerFees): void {
    takerFees = { ...takerFees, ...told };
    for (const slot of slots.pairs.keys()) takeFee(slot);
  }

  /** What is not entered yet is planned by the fee of now; what is held keeps the one that its lines are drawn with. */
  function takeFee(slot: number): void {
    const { settings } = slots.contexts[slot]!;
    const takerFee = takerFeeOf(settings.symbol);
    if (!slots.held(slot)) slots.contexts[slot] = { ...slots.contexts[slot]!, settings: { ...settings, takerFee } };
  }

  function start(slot: number, number: number, carried: Carried): void {
    const pair = slots.pairs[slot]!;
    const { autoTradeId, runNo, mode } = options;
    const { config, configVersion, orderPrefix } = slots;
    const { symbol, baseAsset, quoteAsset, filters, pricePrecision } = pair;
    const own = { autoTradeId, runNo, mode, config, configVersion, takerFee: takerFeeOf(symbol), orderPrefix };
    const settings = { ...own, symbol, baseAsset, quoteAsset, filters, pricePrecision };
    const id = positionIdFor(autoTradeId, runNo, symbol, number);
    slots.states[slot] = 'watching';
    // The row of the position before, which knows it, is no longer the newest once this one is written.
    const cooldownUntil = Math.max(slots.columns.cooldownUntil[slot] || 0, slots.botCooldownUntil || 0) || null;
    slots.contexts[slot] = { ...newPosition(settings, number, id, carried), cooldownUntil };
    slots.slotOfPosition.set(id, slot);
    load(slot);
  }

  /** Whatever a position orders from here on is named after the present start. */
  const namedNow = (context: PositionContext): PositionContext => ({
    ...context,
    settings: { ...context.settings, orderPrefix: slots.orderPrefix },
  });

  function setOrderPrefix(prefix: string | undefined): void {
    slots.orderPrefix = prefix;
    for (const [slot, context] of slots.contexts.entries()) slots.contexts[slot] = namedNow(context);
  }

  /** The slot of the position that waits for an order; undefined when none does. */
  function slotOfOrder(clientOrderId: string): number | undefined {
    const waits = ({ order, resident }: PositionContext): boolean =>
      order?.clientOrderId === clientOrderId || resident?.clientOrderId === clientOrderId;
    const slot = slots.contexts.findIndex(waits);
    return slot < 0 ? undefined : slot;
  }

  function cooldownAfter(slot: number, context: PositionContext): void {
    const { cooldown } = context.settings.config;
    const minutes = lessThan(decimal(context.realised), decimal('0')) ? cooldown.afterLossMin : cooldown.afterWinMin;
    // An entry that was refused is not tried again at once: what stands in its way is seldom gone by the next tick.
    const spacing = context.exitReason === 'Abandoned' && context.rejections > 0 ? REFUSED_ENTRY_MS : 0;
    const until = (context.closedAt ?? 0) + Math.max(minutes * 60_000, spacing);
    // A coin that pauses for longer waits for nothing else.
    if (until > (context.refused?.until ?? 0)) slots.columns.cooldownUntil[slot] = until;
    if (cooldown.scope === 'bot') slots.botCooldownUntil = Math.max(slots.botCooldownUntil || 0, until);
  }

  /**
   * A cooldown that began before this start of the server, as a coin knows it of which nothing was entered since. Another
   * one in the settings ends it: whoever sets it to 0 wants to buy now.
   */
  function cooldownGoesOn(slot: number, { cooldownUntil, settings }: PositionContext): void {
    if (cooldownUntil === null || !isSameCooldown(settings.config.cooldown, slots.config.cooldown)) return;
    slots.columns.cooldownUntil[slot] = cooldownUntil;
    if (settings.config.cooldown.scope === 'bot') slots.botCooldownUntil = Math.max(slots.botCooldownUntil || 0, cooldownUntil);
  }

  function load(slot: number): void {
    const { config: own } = slots.contexts[slot]!.settings;
    const verdict = slots.verdicts[slot];
    const { columns } = slots;
    columns.entryUntil[slot] = own.entry.trigger.kind === 'conditions' && verdict?.entry === true ? verdict.validUntil : Number.NaN;
    columns.exitUntil[slot] = own.exit.conditions !== null && verdict?.exit === true ? verdict.validUntil : Number.NaN;
    slots.knownPrice[slot] =
      options.heartbeatMs !== undefined && slots.held(slot) ? Number(slots.contexts[slot]!.knownPrice ?? 0) : Number.NaN;
    loadColumns(columns, slot, slots.states[slot]!, slots.contexts[slot]!, slots.tradable);
  }

  /** An event of a coin's position. Answers whether it changed anything. */
  function advance(slot: number, event: PositionEvent): boolean {
    const from = slots.states[slot]!;
    const result = interpreter(from, slots.contexts[slot]!, event);
    if (!result || (result.state === from && result.context === slots.contexts[slot])) return false;
    slots.states[slot] = result.state;
    slots.contexts[slot] = result.context;
    slots.occupied += Number(OCCUPIED.has(result.state)) - Number(OCCUPIED.has(from));
    for (const effect of result.context.effects) if (effect.kind === 'wallet') wallet.sums = afterMove(wallet.sums, effect.entry);
    emit({ symbol: result.context.settings.symbol, from, state: result.state, context: result.context });
    if (result.state === 'closed' || result.state === 'detached') ended(slot, result.state, result.context);
    else load(slot);
    return true;
  }

  function ended(slot: number, state: 'closed' | 'detached', context: PositionContext): void {
    begun(slot, state, context);
    releaseIfLeft(slot, context.closedAt ?? 0);
    onEnded(slot, state, context);
  }

  /** The coin of a position that is over cools down and is looked at again. */
  function begun(slot: number, state: 'closed' | 'detached', context: PositionContext): void {
    cooldownAfter(slot, context);
    slots.slotOfPosition.delete(context.positionId);
    if (context.unvalued.length > 0 && state === 'closed') slots.unvalued.set(context.positionId, context);
    start(slot, context.number + 1, carriedAfter(state, context, stillRefused(slot, context)));
  }

  /** What was carried for a coin that is not entered any more leaves the budget. */
  function releaseIfLeft(slot: number, at: number): void {
    const { carriedQuantity, settings } = slots.contexts[slot]!;
    if (slots.states[slot] === 'watching' && isPositive(decimal(carriedQuantity)) && !slots.tradable.has(settings.symbol))
      advance(slot, { type: 'dust.released', at });
  }

  /** A write of a column that must survive a restart but is no event of the machine. */
  function write(slot: number, change: Partial<PositionContext>): void {
    const state = slots.states[slot]!;
    const context = { ...slots.contexts[slot]!, ...change, effects: [] };
    slots.contexts[slot] = context;
    emit({ symbol: context.settings.symbol, from: state, state, context });
    load(slot);
  }

  function momentOf(slot: number, at = slots.at[slot]!): MarketMoment {
    const { pricePrecision } = slots.contexts[slot]!.settings;
    const text = (value: number) => toText(fromFloat(value, pricePrecision));
    return { at, price: text(slots.price[slot]!), bid: text(slots.bid[slot]!), ask: text(slots.ask[slot]!) };
  }

  /** What an order's event means for its position, at the newest moment of the market that is known. */
  function orderEvent(slot: number, input: OrderInput): PositionEvent {
    if (input.type === 'accepted') return { type: 'order.accepted', clientOrderId: input.clientOrderId, orderId: input.orderId };
    if (input.type === 'lost') return { type: 'order.lost', clientOrderId: input.clientOrderId, code: input.code };
    if (input.type === 'filled') {
      const { bid, ask } = slots.at[slot] ? momentOf(slot) : { bid: input.price, ask: input.price };
      return { ...input, type: 'order.filled', bid, ask };
    }
    return { ...momentOrKnown(slot), ...input, type: 'order.ended' };
  }

  function momentOrKnown(slot: number): MarketMoment {
    const { firstBuyPrice, order, lastFillAt } = slots.contexts[slot]!;
    const known = firstBuyPrice ?? order?.price ?? '0';
    return slots.at[slot] ? momentOf(slot) : { at: lastFillAt ?? 0, price: known, bid: known, ask: known };
  }

  function restore(state: PositionState, stored: PositionContext): void {
    const context = namedNow(upgradedContext(stored));
    const slot = slots.slotOf.get(context.settings.symbol);
    if (slot === undefined) return;
    slots.slotOfPosition.delete(slots.contexts[slot]!.positionId);
    if (state === 'closed' || state === 'detached') {
      begun(slot, state, context);
      return;
    }
    // Nothing was entered yet: what is looked for is what the present settings say.
    if (state === 'watching' || (state === 'trailingEntry' && context.settings.configVersion !== slots.configVersion)) {
      cooldownGoesOn(slot, context);
      start(slot, context.number, carriedAfter('closed', context, stillRefused(slot, context)));
      return;
    }
    slots.states[slot] = state;
    // An entry in flight counts no refusal from before: a third one would announce a pause that does not follow.
    slots.contexts[slot] = { ...context, refused: stillRefused(slot, context) };
    takeFee(slot);
    slots.slotOfPosition.set(context.positionId, slot);
    slots.occupied += Number(OCCUPIED.has(state));
    if (context.seenAt !== null) slots.columns.connectedAt[slot] = context.seenAt;
    slots.tradedPrice[slot] = Number(context.knownPrice ?? context.entryLow ?? Number.NaN);
    slots.tradedAt[slot] = Number.NEGATIVE_INFINITY;
    load(slot);
  }

  addPairs(options.pairs);
  return slots;
}
export type EngineSlots = ReturnType<typeof createEngineSlots>;

const isSameCooldown = (one: Cooldown, other: Cooldown): boolean =>
  one.afterWinMin === other.afterWinMin && one.afterLossMin === other.afterLossMin && one.scope === other.scope;

/** What of a position that is over joins the next one of its coin. */
function carriedAfter(state: 'closed' | 'detached', context: PositionContext, refused: Refusals | null): Carried {
  if (state === 'detached') return NOTHING;
  const { carriedQuantity, carriedCost, quantity, cost, settings } = context;
  // Nothing was bought, so nothing was joined: it still waits.
  if (!isPositive(decimal(context.bought))) return { quantity: carriedQuantity, cost: carriedCost, refused };
  return settings.config.dust.policy === 'includeInNext' ? { ...NOTHING, quantity, cost } : NOTHING;
}
