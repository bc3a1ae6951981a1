import {
  add,
  type Decimal,
  decimal,
  divide,
  equals,
  greaterThan,
  isNegative,
  isPositive,
  isZero,
  minimum,
  multiply,
  negate,
  ONE,
  subtract,
  ZERO,
} from '../money/decimal.ts';
import type { FoldedPosition } from './folded-position.ts';
import { addFlows, compareEntries, type LedgerEntry, type SwapEntry, type TradeEntry, type TransferEntry } from './ledger-entry.ts';
import { type GivenValue, type LineKeeping, type PairRules, PairState } from './pair-state.ts';

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
  /** Positions that sales up to a moment, epoch ms, do not end, by their keys: what comes next is of them. */
  readonly reopenings?: ReadonlyMap<string, number>;
  /**
   * Entries by which somebody remembers a position: it keeps them, so that it is found again when an earlier entry
   * turns up and opens it. The positions of closings and reopenings are to be among them.
   */
  readonly marked?: ReadonlySet<string>;
  /** Keep every line of every position; lists do without, and sums over all of them hear of each once (closed positions are not kept then). */
  readonly lines?: LineKeeping;
};

/** Units that came in and wait for the first trade: they open no position by themselves. */
type Pool = { quantity: Decimal; cost: Decimal; unknown: Decimal };

/** So small a share of a swap may be of units that no entry explains, as crumbs of fees are. */
const TOLERANCE = decimal('0.001');

const NONE: ReadonlySet<string> = new Set();
const NO_REOPENINGS: ReadonlyMap<string, number> = new Map();

/** A file tells the second of it; a coin's swap is made of both its sides at once. */
const hasSecondsOnly = ({ kind, source }: LedgerEntry): boolean => source !== 'api' && kind !== 'swap';
const secondOf = ({ at }: LedgerEntry): number => Math.floor(at / 1000);
/** What an entry does to one asset, and by how much the asset's units change. */
type Step = { readonly change: Decimal; readonly run: () => void };

export type AssetFold = {
  readonly asset: string;
  readonly positions: readonly FoldedPosition[];
  /** Units the entries explain: positions, dust and what waits. Compared with the exchange's balance. */
  readonly known: Decimal;
};

/** Everything the entries say, as positions; the order in which entries are given does not matter. */
export function foldLedger(entries: readonly LedgerEntry[], options: FoldOptions): AssetFold[] {
  const fold = new LedgerFold(options);
  fold.push([...entries].sort(compareEntries));
  return [...fold.end()];
}

/**
 * The same, a part at a time: entries in the order of time, those of one second in any order, wherever parts are cut.
 * It holds positions, not entries: a history of any length fits.
 */
export class LedgerFold {
  private readonly options: FoldOptions;
  private readonly only: ReadonlySet<string> | undefined;
  private readonly books = new Map<string, AssetBook>();
  private readonly closings: readonly PositionClosing[];
  private closed = 0;
  /** Entries of the last second: more of it may come. */
  private second: LedgerEntry[] = [];

  /** @param only the assets to fold, where not all of them: with one that was swapped also what it was swapped for */
  constructor(options: FoldOptions, only?: ReadonlySet<string>) {
    this.options = options;
    this.only = only;
    this.closings = (options.closings ?? []).toSorted((one, other) => one.at - other.at);
  }

  push(entries: readonly LedgerEntry[]): void {
    for (const entry of entries) {
      if (this.second[0] !== undefined && secondOf(this.second[0]) !== secondOf(entry)) this.settle();
      this.second.push(entry);
    }
  }

  /** After the last entry: each asset in the order of their names; a caller with other work can pause between two. */
  *end(): Generator<AssetFold, void, undefined> {
    this.settle();
    this.closeBefore(Number.POSITIVE_INFINITY);
    for (const asset of [...this.books.keys()].sort()) {
      const book = this.books.get(asset);
      if (book !== undefined) yield { asset, positions: book.positions(), known: book.known() };
    }
  }

  /**
   * Each asset in the order of its entries, but that what is given away must have come where only files tell of its
   * second: they do not say more of it. That is decided for each asset alone, because a fold of some assets must say
   * what a fold of all says.
   */
  private settle(): void {
    const entries = this.second.length > 1 ? this.second.sort(compareEntries) : this.second;
    this.second = [];
    const kept = this.toBeOrdered(entries);
    const steps = new Map<AssetBook, Step[]>();
    const finish = () => {
      for (const own of steps) runCovered(...own);
      steps.clear();
    };
    for (const entry of entries) {
      const next = this.closings[this.closed];
      // What a person closed at a moment was closed after all that happened in it.
      if (next !== undefined && next.at < entry.at) {
        finish();
        this.closeBefore(entry.at);
      }
      let flows: Map<string, Decimal> | undefined;
      this.take(entry, (book, run) => {
        if (!kept.has(book.asset)) return run();
        if (flows === undefined) {
          flows = new Map();
          addFlows(flows, entry);
        }
        const step = { change: flows.get(book.asset) ?? ZERO, run };
        const own = steps.get(book);
        if (own) own.push(step);
        else steps.set(book, [step]);
      });
    }
    finish();
  }

  /** Assets that several entries of one second touch, all of them of files. */
  private toBeOrdered(entries: readonly LedgerEntry[]): ReadonlySet<string> {
    if (entries.length === 1) return NONE;
    const [once, more, precise] = [new Set<string>(), new Set<string>(), new Set<string>()];
    for (const entry of entries)
      for (const asset of touchedBy(entry)) {
        if (!hasSecondsOnly(entry)) precise.add(asset);
        (once.has(asset) ? more : once).add(asset);
      }
    for (const asset of precise) more.delete(asset);
    return more;
  }

  private closeBefore(at: number): void {
    for (let next = this.closings[this.closed]; next !== undefined && next.at < at; next = this.closings[this.closed]) {
      this.closed += 1;
      // A closing names a position, not an asset: every book looks whether it is its own.
      for (const book of this.books.values()) book.close(next);
    }
  }

  /** A trade is seen twice when its quote asset is an asset too, and again where its fee is paid in a third. */
  private take(entry: LedgerEntry, each: (book: AssetBook, run: () => void) => void): void {
    const { cash } = this.options;
    const step = (asset: string, run: (book: AssetBook) => void) => {
      const book = this.book(asset);
      if (book) each(book, () => run(book));
    };
    if (entry.kind === 'transfer') {
      step(entry.asset, (book) => book.transfer(entry));
      return;
    }
    if (entry.kind === 'swap') {
      const given = this.book(entry.fromAsset);
      if (entry.fromAsset === entry.asset) given?.recount(entry);
      else this.book(entry.asset)?.swappedIn(entry, given?.swappedOut(entry));
      return;
    }
    const { baseAsset, quoteAsset, feeAsset } = entry;
    step(baseAsset, (book) => book.trade(entry));
    if (!cash.has(quoteAsset)) step(quoteAsset, (book) => book.quoteLeg(entry));
    if (feeAsset !== baseAsset && feeAsset !== quoteAsset && !cash.has(feeAsset)) step(feeAsset, (book) => book.payFee(entry));
  }

  private book(asset: string): AssetBook | undefined {
    const known = this.books.get(asset);
    if (known !== undefined || (this.only !== undefined && !this.only.has(asset))) return known;
    const book = new AssetBook(asset, this.options);
    this.books.set(asset, book);
    return book;
  }
}

function touchedBy(entry: LedgerEntry): ReadonlySet<string> {
  if (entry.kind === 'transfer') return new Set([entry.asset]);
  if (entry.kind === 'swap') return new Set([entry.fromAsset, entry.asset]);
  return new Set([entry.baseAsset, entry.quoteAsset, entry.feeAsset]);
}

/**
 * In their order, but one that takes more than there is waits for those that bring. Each is gone through once: a file
 * without times of the day has a whole day in one second.
 */
function runCovered(book: AssetBook, steps: readonly Step[]): void {
  const done = new Set<Step>();
  const bringing = steps.filter(({ change }) => isPositive(change));
  let brings = 0;
  for (const step of steps)
    while (!done.has(step)) {
      while (brings < bringing.length && done.has(bringing[brings]!)) brings += 1;
      const isCovered = !isNegative(add(book.known(), step.change));
      const next = isCovered ? step : (bringing[brings] ?? step);
      done.add(next);
      next.run();
    }
}

/** The positions of one asset, over all pairs it is the base of. */
class AssetBook {
  readonly asset: string;
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
        lines: this.options.lines ?? false,
        marked: this.options.marked ?? NONE,
        reopenings: this.options.reopenings ?? NO_REOPENINGS,
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
    // What is earned was paid for with nothing; what came from elsewhere cost what its owner says.
    const cost = entry.cost !== null ? decimal(entry.cost) : entry.transfer === 'reward' ? ZERO : undefined;
    if (isPositive(change)) this.arrive(entry, change, cost, entry.transfer);
  }

  /** @param cost primary currency; undefined when nobody said */
  private arrive({ id, at }: LedgerEntry, quantity: Decimal, cost: Decimal | undefined, kind: string): void {
    const [pair] = this.open();
    if (pair?.quoteAsset === this.options.primary) {
      pair.receive(id, at, quantity, cost, kind);
      return;
    }
    this.pool.quantity = add(this.pool.quantity, quantity);
    if (cost === undefined) this.pool.unknown = add(this.pool.unknown, quantity);
    else this.pool.cost = add(this.pool.cost, cost);
  }

  /**
   * Units that go without a trade of their pair; a value in the primary currency makes it a disposal with a result.
   * Answers how many the entries cannot explain.
   */
  private leave(entryId: string, at: number, quantity: Decimal, value: GivenValue, kind: string): Decimal {
    let left = quantity;
    for (const pair of this.open()) {
      if (!isPositive(left)) return ZERO;
      const taken = minimum(left, pair.held);
      // In a pair of another quote asset the value is not known: its cost leaves with it.
      const isPrimary = pair.quoteAsset === this.options.primary;
      const part = typeof value === 'string' ? value : isPrimary ? share(value, taken, quantity) : 'none';
      left = pair.giveAway(entryId, at, left, part, kind);
    }
    if (isPositive(left)) left = this.takeFromPool(left);
    // Last the crumbs that closed positions left behind.
    for (const pair of this.pairs.values()) if (isPositive(left)) left = pair.loseDust(left);
    return left;
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
    this.arrive(entry, received, rate === undefined ? undefined : multiply(received, rate), 'received');
  }

  /** Answers what the units that became another coin had cost, primary currency; undefined where that is not known. */
  swappedOut({ id, at, fromQuantity }: SwapEntry): Decimal | undefined {
    const given = decimal(fromQuantity);
    const before = this.costs();
    const unexplained = this.leave(id, at, given, 'none', 'swap');
    const after = this.costs();
    const isKnown = before.isKnown && equals(before.elsewhere, after.elsewhere) && !greaterThan(unexplained, share(given, TOLERANCE, ONE));
    return isKnown ? subtract(before.primary, after.primary) : undefined;
  }

  /** What all of it has cost, and whether that can be told; a cost in another quote asset cannot go to another coin. */
  private costs(): { primary: Decimal; elsewhere: Decimal; isKnown: boolean } {
    let [primary, elsewhere, isKnown] = [this.pool.cost, ZERO, isZero(this.pool.unknown)];
    for (const pair of this.pairs.values()) {
      if (pair.quoteAsset === this.options.primary) primary = add(primary, pair.cost);
      else elsewhere = add(elsewhere, pair.cost);
      isKnown &&= pair.isCostKnown;
    }
    return { primary, elsewhere, isKnown };
  }

  /** @param cost of the units that were given for them, primary currency; undefined where that is not known */
  swappedIn(entry: SwapEntry, cost: Decimal | undefined): void {
    this.arrive(entry, decimal(entry.quantity), cost, 'swap');
  }

  /**
   * The coin has a new unit: what is held of it is counted in that, at the cost it had. What the entries did not know of
   * before is of unknown cost after it.
   */
  recount(entry: SwapEntry): void {
    const [from, to] = [decimal(entry.fromQuantity), decimal(entry.quantity)];
    const known = this.known();
    const change = subtract(to, from);
    const explained = greaterThan(from, known) ? share(change, known, from) : change;
    let left = explained;
    const holders = [...this.pairs.values()].filter(({ units }) => isPositive(units));
    const waits = isPositive(this.pool.quantity);
    for (const [index, pair] of holders.entries()) {
      const part = index === holders.length - 1 && !waits ? left : share(explained, pair.units, known);
      left = subtract(left, part);
      pair.recount(entry, part);
    }
    if (waits) {
      const after = add(this.pool.quantity, left);
      this.pool.unknown = share(this.pool.unknown, after, this.pool.quantity);
      this.pool.quantity = after;
    }
    const unexplained = subtract(change, explained);
    if (isPositive(unexplained)) this.arrive(entry, unexplained, undefined, 'swap');
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
