import {
  add,
  type Decimal,
  decimal,
  divide,
  equals,
  isNegative,
  isPositive,
  isZero,
  minimum,
  multiply,
  negate,
  subtract,
  ZERO,
} from '../money/decimal.ts';
import { compareEntries, type LedgerEntry, type TradeEntry, type TransferEntry } from './ledger-entry.ts';
import { type FoldedPosition, type GivenValue, type PairRules, PairState } from './pair-state.ts';

/** A person's word about a position, kept apart from what the exchange says; `position` is the key of the position. */
export type PositionClosing = {
  readonly position: string;
  readonly at: number;
  readonly remainder: 'at-cost' | 'at-market';
  /** Price of the remainder, quote units, for `at-market`. */
  readonly price: string;
};

export type FoldOptions = {
  readonly primary: string;
  /** Assets that are money here: spending them is no disposal. */
  readonly cash: ReadonlySet<string>;
  readonly rulesOf: (symbol: string) => PairRules;
  readonly closings?: readonly PositionClosing[];
  /**
   * Entries by which somebody remembers a position: it keeps them, so that it is found again when an earlier entry
   * turns up and opens it. The positions of closings are to be among them.
   */
  readonly marked?: ReadonlySet<string>;
  /** Keep every line of every position; lists do without. */
  readonly lines?: boolean;
};

/** Units that came in and wait for the first trade: they open no position by themselves. */
type Pool = { quantity: Decimal; cost: Decimal; unknown: Decimal };

const NONE: ReadonlySet<string> = new Set();

/** What happened to one asset, in one order. A trade is seen twice when its quote asset is an asset too. */
type Step =
  | { readonly at: number; readonly entry: TradeEntry; readonly as: 'base' | 'quote' | 'fee' }
  | { readonly at: number; readonly entry: TransferEntry; readonly as: 'transfer' }
  | { readonly at: number; readonly closing: PositionClosing; readonly as: 'closing' };

/** Every asset the entries touch, with the entries that touch it. */
export function stepsByAsset(entries: readonly LedgerEntry[], { cash, closings = [] }: FoldOptions): Map<string, Step[]> {
  const byAsset = new Map<string, Step[]>();
  const put = (asset: string, step: Step) => {
    const steps = byAsset.get(asset);
    if (steps) steps.push(step);
    else byAsset.set(asset, [step]);
  };
  for (const entry of [...entries].sort(compareEntries)) {
    const { at } = entry;
    if (entry.kind === 'transfer') {
      put(entry.asset, { at, entry, as: 'transfer' });
      continue;
    }
    put(entry.baseAsset, { at, entry, as: 'base' });
    if (!cash.has(entry.quoteAsset)) put(entry.quoteAsset, { at, entry, as: 'quote' });
    const { feeAsset } = entry;
    if (feeAsset !== entry.baseAsset && feeAsset !== entry.quoteAsset && !cash.has(feeAsset)) put(feeAsset, { at, entry, as: 'fee' });
  }
  // A closing names a position, not an asset: every book looks whether it is its own.
  if (closings.length > 0) {
    for (const steps of byAsset.values()) {
      for (const closing of closings) steps.push({ at: closing.at, closing, as: 'closing' });
      steps.sort((one, other) => one.at - other.at);
    }
  }
  return byAsset;
}

export type AssetFold = {
  readonly asset: string;
  readonly positions: readonly FoldedPosition[];
  /** Units the entries explain: positions, dust and what waits. Compared with the exchange's balance. */
  readonly known: Decimal;
};

/** Everything the entries say, as positions; the order in which entries are given does not matter. */
export function foldLedger(entries: readonly LedgerEntry[], options: FoldOptions): AssetFold[] {
  return [...stepsByAsset(entries, options)]
    .map(([asset, steps]) => foldAsset(asset, steps, options))
    .sort((one, other) => (one.asset < other.asset ? -1 : 1));
}

/** The positions of one asset, over all pairs it is the base of. */
export function foldAsset(asset: string, steps: readonly Step[], options: FoldOptions): AssetFold {
  const book = new AssetBook(asset, options);
  for (const step of steps) {
    if (step.as === 'closing') book.close(step.closing);
    else if (step.as === 'transfer') book.transfer(step.entry);
    else if (step.as === 'base') book.trade(step.entry);
    else if (step.as === 'quote') book.quoteLeg(step.entry);
    else book.payFee(step.entry);
  }
  return { asset, positions: book.positions(), known: book.known() };
}

class AssetBook {
  private readonly asset: string;
  private readonly options: FoldOptions;
  private readonly pairs = new Map<string, PairState>();
  private readonly pool: Pool = { quantity: ZERO, cost: ZERO, unknown: ZERO };

  constructor(asset: string, options: FoldOptions) {
    this.asset = asset;
    this.options = options;
  }

  private pair(symbol: string, quoteAsset: string): PairState {
    let state = this.pairs.get(symbol);
    if (state === undefined) {
      state = new PairState({ symbol, baseAsset: this.asset, quoteAsset }, this.options.rulesOf(symbol), {
        keepLines: this.options.lines ?? false,
        marked: this.options.marked ?? NONE,
      });
      this.pairs.set(symbol, state);
    }
    return state;
  }

  /** The pair whose position answers for what is not a trade of a pair: that of the primary currency first. */
  private open(): PairState[] {
    const { primary } = this.options;
    const rank = ({ quoteAsset }: PairState) => (quoteAsset === primary ? 0 : 1);
    return [...this.pairs.values()]
      .filter((pair) => pair.isOpen)
      .sort((one, other) => rank(one) - rank(other) || (one.symbol < other.symbol ? -1 : 1));
  }

  trade(entry: TradeEntry): void {
    const pair = this.pair(entry.symbol, entry.quoteAsset);
    // What waited belongs to the first pair that trades: from now on it is bought and sold with the rest.
    if (isPositive(this.pool.quantity)) {
      const waiting = this.drainPool(entry);
      pair.join(entry, waiting);
    }
    pair.trade(entry);
  }

  /** The pool's cost is in the primary currency; a pair with another quote asset takes it at the rate of the trade. */
  private drainPool(entry: TradeEntry): { quantity: Decimal; cost: Decimal; unknown: Decimal } {
    const { quantity, cost, unknown } = this.pool;
    this.pool.quantity = ZERO;
    this.pool.cost = ZERO;
    this.pool.unknown = ZERO;
    if (entry.quoteAsset === this.options.primary || isZero(cost)) return { quantity, cost, unknown };
    const rate = entry.quoteRate === null ? ZERO : decimal(entry.quoteRate);
    return isPositive(rate) ? { quantity, cost: divide(cost, rate), unknown } : { quantity, cost: ZERO, unknown: quantity };
  }

  transfer(entry: TransferEntry): void {
    const change = decimal(entry.change);
    if (isNegative(change)) this.leave(entry.id, entry.at, negate(change), 'none', entry.transfer);
    else if (isPositive(change)) this.arrive(entry, change);
  }

  private arrive(entry: TransferEntry, quantity: Decimal): void {
    // What is earned was paid for with nothing; what came from elsewhere cost what its owner says.
    const cost = entry.cost !== null ? decimal(entry.cost) : entry.transfer === 'reward' ? ZERO : undefined;
    const [pair] = this.open();
    if (pair?.quoteAsset === this.options.primary) pair.receive(entry.id, entry.at, quantity, cost, entry.transfer);
    else this.wait(quantity, cost);
  }

  private wait(quantity: Decimal, cost: Decimal | undefined): void {
    this.pool.quantity = add(this.pool.quantity, quantity);
    if (cost === undefined) this.pool.unknown = add(this.pool.unknown, quantity);
    else this.pool.cost = add(this.pool.cost, cost);
  }

  /** Units that go without a trade of their pair; a value in the primary currency makes it a disposal with a result. */
  private leave(entryId: string, at: number, quantity: Decimal, value: GivenValue, kind: string): void {
    let left = quantity;
    for (const pair of this.open()) {
      if (!isPositive(left)) return;
      const taken = minimum(left, pair.held);
      // In a pair of another quote asset the value is not known: its cost leaves with it.
      const isPrimary = pair.quoteAsset === this.options.primary;
      const part = typeof value === 'string' ? value : isPrimary ? share(value, taken, quantity) : 'none';
      left = pair.giveAway(entryId, at, left, part, kind);
    }
    if (isPositive(left)) left = this.takeFromPool(left);
    // Last the crumbs that closed positions left behind.
    for (const pair of this.pairs.values()) if (isPositive(left)) left = pair.loseDust(left);
  }

  private takeFromPool(wanted: Decimal): Decimal {
    const { pool } = this;
    const remaining = subtract(pool.quantity, wanted);
    if (!isPositive(remaining)) {
      pool.quantity = ZERO;
      pool.cost = ZERO;
      pool.unknown = ZERO;
      return negate(remaining);
    }
    pool.cost = share(pool.cost, remaining, pool.quantity);
    pool.unknown = share(pool.unknown, remaining, pool.quantity);
    pool.quantity = remaining;
    return ZERO;
  }

  /** The asset was money in a trade of another: spent by a buy, received by a sell, at its worth in that minute. */
  quoteLeg(entry: TradeEntry): void {
    const amount = decimal(entry.quoteQuantity);
    const feeHere = entry.feeAsset === this.asset ? decimal(entry.fee) : ZERO;
    const rate = entry.quoteRate === null ? undefined : decimal(entry.quoteRate);
    if (entry.side === 'Buy') {
      const spent = add(amount, feeHere);
      this.leave(entry.id, entry.at, spent, rate === undefined ? 'unknown' : multiply(spent, rate), 'spent');
      return;
    }
    const received = subtract(amount, feeHere);
    const worth = rate === undefined ? undefined : multiply(received, rate);
    const [pair] = this.open();
    if (pair?.quoteAsset === this.options.primary) pair.receive(entry.id, entry.at, received, worth, 'received');
    else this.wait(received, worth);
  }

  /** A fee paid in this asset for a trade of others: gone at its price of that minute. */
  payFee(entry: TradeEntry): void {
    const fee = decimal(entry.fee);
    if (!isPositive(fee)) return;
    this.leave(entry.id, entry.at, fee, entry.feeInPrimary === null ? 'unknown' : decimal(entry.feeInPrimary), 'fee');
  }

  close(closing: PositionClosing): void {
    for (const pair of this.pairs.values()) pair.closeByHand(closing);
  }

  positions(): FoldedPosition[] {
    return [...this.pairs.values()].flatMap((pair) => pair.positions());
  }

  known(): Decimal {
    let known = this.pool.quantity;
    for (const pair of this.pairs.values()) known = add(known, pair.units);
    return known;
  }
}

/** amount × part / whole, and exactly the amount when the part is the whole. */
const share = (amount: Decimal, part: Decimal, whole: Decimal): Decimal =>
  equals(part, whole) ? amount : divide(multiply(amount, part), whole);
