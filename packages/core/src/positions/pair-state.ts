import {
  add,
  compare,
  type Decimal,
  decimal,
  divide,
  greaterThan,
  HUNDRED,
  isPositive,
  isZero,
  lessThan,
  maximum,
  multiply,
  subtract,
  ZERO,
} from '../money/decimal.ts';
import type { PositionClosing } from './asset-fold.ts';
import { afterBuy, afterSell, type Execution, takeOut } from './average-cost.ts';
import type { FoldedPosition, FoldReason, LineKind, PositionLine } from './folded-position.ts';
import type { SwapEntry, TradeEntry } from './ledger-entry.ts';

/** The rules of a pair that decide when what is left is dust. */
export type PairRules = { readonly stepSize: Decimal; readonly minNotional: Decimal };

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] };
type Draft = Omit<Mutable<FoldedPosition>, 'reasons' | 'lines' | 'fills' | 'marks'> & {
  marks: string[];
  reasons: Set<FoldReason>;
  lines: PositionLine[];
  fills: Mutable<FoldedPosition['fills']>;
};

/** Dust is at most this share of the most that was held. */
const DUST_PERCENT = decimal('2');

/** What a unit that leaves without a trade is worth: an amount, not known, or none on purpose (it just left). */
export type GivenValue = Decimal | 'unknown' | 'none';

/**
 * Whether positions keep their lines; or who hears of each instead, with its position as it is by then. Then closed
 * positions are not kept either: a history of any length needs no more than what is open.
 */
export type LineKeeping = boolean | ((position: FoldedPosition, line: PositionLine) => void);

/** The positions of one pair, built entry by entry in the order of time. */
export class PairState {
  readonly symbol: string;
  readonly baseAsset: string;
  readonly quoteAsset: string;
  private readonly rules: PairRules;
  private readonly lines: LineKeeping;
  private readonly marked: ReadonlySet<string>;
  private readonly reopenings: ReadonlyMap<string, number>;
  private readonly done: Draft[] = [];
  private count = 0;
  private current: Draft | undefined;
  /** Dust of the position before, waiting for the next buy. */
  private dust = { quantity: ZERO, cost: ZERO };

  constructor(
    pair: { symbol: string; baseAsset: string; quoteAsset: string },
    rules: PairRules,
    { lines, marked, reopenings }: { lines: LineKeeping; marked: ReadonlySet<string>; reopenings: ReadonlyMap<string, number> },
  ) {
    this.symbol = pair.symbol;
    this.baseAsset = pair.baseAsset;
    this.quoteAsset = pair.quoteAsset;
    this.rules = rules;
    this.lines = lines;
    this.marked = marked;
    this.reopenings = reopenings;
  }

  get isOpen(): boolean {
    return this.current !== undefined;
  }

  /** Units of the open position. */
  get held(): Decimal {
    return this.current?.quantity ?? ZERO;
  }

  /** Units held, dust included. */
  get units(): Decimal {
    return add(this.current?.quantity ?? ZERO, this.dust.quantity);
  }

  /** What is held has cost, dust included; quote units. */
  get cost(): Decimal {
    return add(this.current?.cost ?? ZERO, this.dust.cost);
  }

  get isCostKnown(): boolean {
    const reasons = this.current?.reasons;
    return reasons === undefined || !(reasons.has('MISSING_COST') || reasons.has('FEE_UNVALUED'));
  }

  positions(): FoldedPosition[] {
    return this.current === undefined ? this.done : [...this.done, this.current];
  }

  private opened(key: string, at: number): Draft {
    this.current ??= {
      key,
      symbol: this.symbol,
      baseAsset: this.baseAsset,
      quoteAsset: this.quoteAsset,
      number: this.count + 1,
      openedAt: at,
      closedAt: null,
      closedBy: null,
      quantity: ZERO,
      cost: ZERO,
      realised: ZERO,
      matchedCost: ZERO,
      peakCost: ZERO,
      peakQuantity: ZERO,
      fees: ZERO,
      bought: ZERO,
      sold: ZERO,
      fills: { boughtQuantity: ZERO, boughtQuote: ZERO, soldQuantity: ZERO, soldQuote: ZERO },
      dust: { quantity: ZERO, cost: ZERO },
      unmatched: { quantity: ZERO, proceeds: ZERO },
      unknownCost: ZERO,
      trades: 0,
      lastAt: at,
      marks: [],
      reasons: new Set(),
      lines: [],
    };
    return this.current;
  }

  /** Units that waited in the asset's pool become part of the position its first trade opens. */
  join(entry: TradeEntry, waiting: { quantity: Decimal; cost: Decimal; unknown: Decimal }): void {
    const position = this.opened(entry.id, entry.at);
    this.come(position, entry.id, entry.at, waiting.quantity, waiting.cost, 'received', 'deposit');
    if (isPositive(waiting.unknown)) this.missCost(position, waiting.unknown);
  }

  trade(entry: TradeEntry): void {
    const inBase = entry.feeAsset === entry.baseAsset;
    const inQuote = entry.feeAsset === entry.quoteAsset;
    const fee = decimal(entry.fee);
    const third = !inBase && !inQuote && isPositive(fee);
    const valued = inQuote ? fee : third && entry.feeInQuote !== null ? decimal(entry.feeInQuote) : ZERO;
    const execution: Execution = {
      quantity: decimal(entry.quantity),
      quoteQuantity: decimal(entry.quoteQuantity),
      feeInBase: inBase ? fee : ZERO,
      feeInQuote: valued,
    };
    const position = entry.side === 'Buy' ? this.buy(entry, execution) : this.sell(entry, execution);
    position.trades += 1;
    if (this.marked.has(entry.id)) position.marks.push(entry.id);
    position.lastAt = entry.at;
    position.fees = add(position.fees, inBase ? multiply(fee, decimal(entry.price)) : valued);
    if ((third && entry.feeInQuote === null) || entry.feeUnknown) position.reasons.add('FEE_UNVALUED');
  }

  private buy(entry: TradeEntry, execution: Execution): Draft {
    const position = this.opened(entry.id, entry.at);
    if (isPositive(this.dust.quantity)) {
      const { quantity, cost } = this.dust;
      this.dust = { quantity: ZERO, cost: ZERO };
      this.come(position, entry.id, entry.at, quantity, cost, 'carried', null);
    }
    const { quantity, cost, received, costAdded } = afterBuy(position, execution);
    position.quantity = quantity;
    position.cost = cost;
    position.bought = add(position.bought, costAdded);
    position.fills.boughtQuantity = add(position.fills.boughtQuantity, execution.quantity);
    position.fills.boughtQuote = add(position.fills.boughtQuote, execution.quoteQuantity);
    this.peak(position);
    this.line(position, {
      entryId: entry.id,
      at: entry.at,
      kind: 'buy',
      detail: null,
      change: received,
      amount: costAdded,
      realised: null,
      trade: entry,
    });
    return position;
  }

  private sell(entry: TradeEntry, execution: Execution): Draft {
    const position = this.opened(entry.id, entry.at);
    const held = position.quantity;
    const result = afterSell(position, execution);
    position.quantity = result.quantity;
    position.cost = result.cost;
    position.realised = add(position.realised, result.realised);
    position.matchedCost = add(position.matchedCost, result.matchedCost);
    position.sold = add(position.sold, result.proceeds);
    position.fills.soldQuantity = add(position.fills.soldQuantity, execution.quantity);
    position.fills.soldQuote = add(position.fills.soldQuote, execution.quoteQuantity);
    if (isPositive(result.excess)) {
      position.reasons.add('OVERSOLD');
      position.unmatched = {
        quantity: add(position.unmatched.quantity, result.excess),
        proceeds: add(position.unmatched.proceeds, result.excessProceeds),
      };
    }
    this.line(position, {
      entryId: entry.id,
      at: entry.at,
      kind: 'sell',
      detail: null,
      change: subtract(result.quantity, held),
      amount: result.proceeds,
      realised: result.realised,
      trade: entry,
    });
    this.closeWhenDone(position, entry.at, decimal(entry.price), 'sell');
    return position;
  }

  /** Units that come without a trade, at a cost or at one nobody said. Only an open position receives. */
  receive(entryId: string, at: number, quantity: Decimal, cost: Decimal | undefined, detail: string): void {
    const position = this.opened(entryId, at);
    this.come(position, entryId, at, quantity, cost ?? ZERO, 'received', detail);
    if (cost === undefined) this.missCost(position, quantity);
    if (detail === 'unknown') position.reasons.add('UNKNOWN_OPERATION');
    position.lastAt = at;
  }

  private missCost(position: Draft, quantity: Decimal): void {
    position.unknownCost = add(position.unknownCost, quantity);
    position.reasons.add('MISSING_COST');
  }

  private come(
    position: Draft,
    entryId: string,
    at: number,
    quantity: Decimal,
    cost: Decimal,
    kind: LineKind,
    detail: string | null,
  ): void {
    position.quantity = add(position.quantity, quantity);
    position.cost = add(position.cost, cost);
    position.bought = add(position.bought, cost);
    this.peak(position);
    this.line(position, { entryId, at, kind, detail, change: quantity, amount: cost, realised: null, trade: null });
  }

  /**
   * Units that go without a trade of this pair. With a value they are disposed of at it and have a result;
   * otherwise their share of the cost leaves with them and there is none. Answers what could not be taken.
   */
  giveAway(entryId: string, at: number, wanted: Decimal, value: GivenValue, detail: string): Decimal {
    const position = this.current;
    if (position === undefined) return wanted;
    const held = position.quantity;
    const { matched, matchedCost, quantity, cost } = takeOut(position, wanted);
    if (isZero(matched)) return wanted;
    const disposed = typeof value !== 'string';
    const amount = disposed ? value : matchedCost;
    position.quantity = quantity;
    position.cost = cost;
    position.sold = add(position.sold, amount);
    const realised = disposed ? subtract(amount, matchedCost) : null;
    if (realised !== null) {
      position.realised = add(position.realised, realised);
      position.matchedCost = add(position.matchedCost, matchedCost);
    }
    if (detail === 'unknown') position.reasons.add('UNKNOWN_OPERATION');
    if (value === 'unknown') position.reasons.add(detail === 'fee' ? 'FEE_UNVALUED' : 'DELISTED_PRICE');
    this.line(position, {
      entryId,
      at,
      kind: 'gave',
      detail,
      change: subtract(quantity, held),
      amount: disposed ? amount : null,
      realised,
      trade: null,
    });
    position.lastAt = at;
    this.closeWhenDone(position, at, undefined, 'gone');
    return subtract(wanted, matched);
  }

  /** The coin has a new unit: `change` more or fewer units stand for what is held. Its cost and its results stay. */
  recount({ id, at }: SwapEntry, change: Decimal): void {
    const { units } = this;
    const counted = (quantity: Decimal) => divide(multiply(quantity, add(units, change)), units);
    const position = this.current;
    const dust = position === undefined ? add(this.dust.quantity, change) : counted(this.dust.quantity);
    const inPosition = subtract(change, subtract(dust, this.dust.quantity));
    this.dust = { quantity: dust, cost: this.dust.cost };
    if (position === undefined) return;
    position.quantity = add(position.quantity, inPosition);
    position.peakQuantity = counted(position.peakQuantity);
    position.unknownCost = counted(position.unknownCost);
    position.unmatched = { ...position.unmatched, quantity: counted(position.unmatched.quantity) };
    position.fills.boughtQuantity = counted(position.fills.boughtQuantity);
    position.fills.soldQuantity = counted(position.fills.soldQuantity);
    position.lastAt = at;
    const kind = isPositive(inPosition) ? 'received' : 'gave';
    this.line(position, { entryId: id, at, kind, detail: 'swap', change: inPosition, amount: null, realised: null, trade: null });
  }

  /** Dust that left the account without a trade. Answers what could not be taken. */
  loseDust(wanted: Decimal): Decimal {
    const { matched, quantity, cost } = takeOut(this.dust, wanted);
    this.dust = { quantity, cost };
    return subtract(wanted, matched);
  }

  /** The person's own close: what is held leaves at its cost, or at the price it had then. */
  closeByHand({ position: key, at, remainder, price }: PositionClosing): void {
    const position = this.current;
    if (position === undefined || (position.key !== key && !position.marks.includes(key))) return;
    const { quantity, cost } = position;
    const amount = remainder === 'at-market' ? multiply(quantity, decimal(price)) : cost;
    const realised = remainder === 'at-market' ? subtract(amount, cost) : null;
    if (realised !== null) {
      position.realised = add(position.realised, realised);
      position.matchedCost = add(position.matchedCost, cost);
    }
    position.sold = add(position.sold, amount);
    position.quantity = ZERO;
    position.cost = ZERO;
    this.line(position, {
      entryId: key,
      at,
      kind: 'closed',
      detail: remainder,
      change: subtract(ZERO, quantity),
      amount: realised === null ? null : amount,
      realised,
      trade: null,
    });
    this.finish(position, at, 'hand');
  }

  /** Nothing left, less than one lot, or so little that the exchange would not sell it and the peak makes it dust. */
  private closeWhenDone(position: Draft, at: number, price: Decimal | undefined, by: 'sell' | 'gone'): void {
    const { quantity, peakQuantity } = position;
    const none = isZero(quantity) || lessThan(quantity, this.rules.stepSize);
    const tooSmall =
      price !== undefined &&
      lessThan(multiply(quantity, price), this.rules.minNotional) &&
      compare(multiply(quantity, HUNDRED), multiply(peakQuantity, DUST_PERCENT)) <= 0;
    if ((!none && !tooSmall) || this.goesOn(position, at)) return;
    if (isPositive(quantity)) {
      position.dust = { quantity, cost: position.cost };
      this.dust = { quantity: add(this.dust.quantity, quantity), cost: add(this.dust.cost, position.cost) };
      position.quantity = ZERO;
      position.cost = ZERO;
    }
    this.finish(position, at, by);
  }

  /** Its owner opened it again after it had ended here. */
  private goesOn({ key, marks }: Draft, at: number): boolean {
    if (this.reopenings.size === 0) return false;
    return [key, ...marks].some((each) => at <= (this.reopenings.get(each) ?? Number.NEGATIVE_INFINITY));
  }

  private finish(position: Draft, at: number, by: 'sell' | 'gone' | 'hand'): void {
    position.closedAt = at;
    position.closedBy = by;
    position.lastAt = at;
    this.count += 1;
    if (typeof this.lines !== 'function') this.done.push(position);
    this.current = undefined;
  }

  private peak(position: Draft): void {
    position.peakQuantity = maximum(position.peakQuantity, position.quantity);
    if (greaterThan(position.cost, position.peakCost)) position.peakCost = position.cost;
  }

  private line(position: Draft, line: Omit<PositionLine, 'quantityAfter' | 'costAfter'>): void {
    if (this.lines === false) return;
    const whole = { ...line, quantityAfter: position.quantity, costAfter: position.cost };
    if (this.lines === true) position.lines.push(whole);
    else this.lines(position, whole);
  }
}
