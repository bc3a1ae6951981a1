import { absolute, add, compare, type Decimal, decimal, equals, isNegative, multiply, subtract, ZERO } from '../money/decimal.ts';
import { ENTRY_SOURCES, type LedgerEntry, type TradeEntry, type TransferEntry } from '../positions/ledger-entry.ts';
import { fillLikeness } from './import-identity.ts';
import { type GivenSides, matchSwaps, type Names, NO_SIDES, rank } from './swap-duplicates.ts';

/** Rows that stand for several fills: an order in one row, or a second of a statement. */
const isCoarse = (entry: TradeEntry): boolean => entry.aggregate === true || entry.source === 'transaction-records';

/** Conversions are written down when they are asked for, or when they settle. */
const CONVERSION_MS = 60_000;
/** A purchase from a person is written down when it is offered, and when the coins are released. */
const RELEASED_MS = 6 * 3_600_000;
/** Names of the exchange's own lists of conversions; its fills are named by pair and number. */
const CONVERSION_NAME = /^(convert|dust):/;
/** What conversions between coins are valued in. */
const VALUED_IN = 'USDT';
/** How long after it was placed an order is looked for among the fills, and how long before a row its fills may lie. */
const OPEN_ORDER_MS = 7 * 86_400_000;
const BEFORE_MS = 60_000;
/** Fills looked at for one row. */
const RUN_WITHIN = 100;
const QUOTE_ROUNDING = decimal('0.0005');
/** A purchase by card or bank costs a fee, 2 % mostly; money that differs by more than this part is no fee. */
const MOST_FEE = decimal('0.05');
/** Clocks of two exports differ by this much, in ms. */
const tolerance = (entry: LedgerEntry): number => (entry.kind === 'transfer' ? 3_600_000 : 1000);

export type CrossDuplicates = {
  /** Names of incoming entries that something else already tells of, as well or better. */
  readonly known: ReadonlySet<string>;
  /** Names of stored entries that give way to incoming ones. */
  readonly replaced: readonly string[];
  /** By the name of each of both: one that tells of it instead. */
  readonly tellers: ReadonlyMap<string, string>;
  /** What a person said a transfer had cost, by the name of the incoming one that takes its place. */
  readonly costs: ReadonlyMap<string, Pick<TransferEntry, 'cost' | 'costEstimated'>>;
};

/**
 * Compares what comes with what is stored, over all sources. Fills are the same when pair, side, price, quantity and
 * second agree, each counted once: two honest fills that are alike need two partners. A row for several fills is the
 * same as those fills when order or second agree and their quantities add up to its own.
 * @param sides what has given way to swaps their owner told of, by the names of those
 */
export function crossDuplicates(
  incoming: readonly LedgerEntry[],
  stored: readonly LedgerEntry[],
  sides: GivenSides = NO_SIDES,
): CrossDuplicates {
  const steps = crossDuplicateSteps(incoming, stored, sides);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/** The same in steps of a few milliseconds, for long histories: whoever walks them can do other things in between. */
export function* crossDuplicateSteps(
  incoming: readonly LedgerEntry[],
  stored: readonly LedgerEntry[],
  sides: GivenSides = NO_SIDES,
): Steps<CrossDuplicates> {
  const known = new Map<string, string>();
  const replaced = new Map<string, string>();
  const fresh = new Set(incoming.map(({ id }) => id));
  const others = stored.filter(({ id }) => !fresh.has(id));
  const costs: Costs = new Map();
  // One upload can hold several sources: the better one is taken first, and the next is compared with it too.
  let settled: readonly LedgerEntry[] = others;
  for (const source of ENTRY_SOURCES) {
    const own = incoming.filter((entry) => entry.source === source);
    if (own.length === 0) continue;
    yield* matchFills(own, settled, known, replaced);
    yield* matchConversions(own, settled, known, replaced);
    yield* matchTransfers(own, settled, known, replaced, costs);
    matchSwaps(own, settled, known, replaced, sides);
    settled = [...settled.filter(({ id }) => !replaced.has(id)), ...own.filter(({ id }) => !known.has(id))];
    yield;
  }
  yield* matchCoarse(incoming, others, known, replaced);
  return { known: new Set(known.keys()), replaced: [...replaced.keys()], tellers: new Map([...known, ...replaced]), costs };
}

type Steps<Result> = Generator<undefined, Result, undefined>;
/** Entries of one step. */
const STEP = 1000;

/** The members of a list, with a pause after every so many. */
function* paced<Member>(list: readonly Member[], each: (member: Member) => void): Steps<void> {
  for (let index = 0; index < list.length; index += 1) {
    each(list[index] as Member);
    if (index % STEP === STEP - 1) yield;
  }
}

type Costs = Map<string, Pick<TransferEntry, 'cost' | 'costEstimated'>>;

const tradesOf = (entries: readonly LedgerEntry[]): TradeEntry[] => entries.filter((entry): entry is TradeEntry => entry.kind === 'trade');

function* matchFills(incoming: readonly LedgerEntry[], stored: readonly LedgerEntry[], known: Names, replaced: Names): Steps<void> {
  const byLikeness = new Map<string, TradeEntry[]>();
  yield* paced(tradesOf(stored), (entry) => {
    if (isCoarse(entry) || mayBeConversion(entry)) return;
    const likeness = fillLikeness(entry);
    const list = byLikeness.get(likeness);
    if (list) list.push(entry);
    else byLikeness.set(likeness, [entry]);
  });
  if (byLikeness.size === 0) return;
  yield* paced(tradesOf(incoming), (entry) => {
    if (isCoarse(entry) || mayBeConversion(entry)) return;
    const partners = byLikeness.get(fillLikeness(entry));
    // The same source twice is its own business: its rows have names.
    const at = partners?.findIndex((partner) => partner.source !== entry.source) ?? -1;
    if (partners === undefined || at < 0) return;
    const [partner] = partners.splice(at, 1) as [TradeEntry];
    if (rank(partner) <= rank(entry)) known.set(entry.id, partner.id);
    else replaced.set(partner.id, entry.id);
  });
}

/**
 * What an entry that may be part of a conversion did to its coin. The same conversion is a trade of each coin where
 * its worth is known, and a coming and going where it is not: only asset and amount are alike in both.
 */
export function conversionLeg(entry: LedgerEntry): string | undefined {
  if (!mayBeConversion(entry)) return undefined;
  if (entry.kind === 'transfer') return `${entry.asset} ${entry.change}`;
  if (entry.kind === 'swap') return undefined;
  return `${entry.baseAsset} ${entry.side === 'Buy' ? '' : '-'}${entry.quantity}`;
}

const isConversionMove = ({ transfer }: TransferEntry): boolean => transfer === 'conversion' || transfer === 'fiat';
const apart = (...both: readonly LedgerEntry[]): number =>
  both.some((entry) => entry.kind === 'transfer' && entry.transfer === 'fiat') ? RELEASED_MS : CONVERSION_MS;

/** Whether an entry can be one side of a conversion: such are alike over the bounds of pairs. */
export function mayBeConversion(entry: LedgerEntry): boolean {
  if (entry.kind === 'transfer') return isConversionMove(entry);
  if (entry.kind === 'swap') return false;
  const { id, source } = entry;
  return source === 'convert' || source === 'transaction-records' || (source === 'api' && CONVERSION_NAME.test(id));
}

function* matchConversions(incoming: readonly LedgerEntry[], stored: readonly LedgerEntry[], known: Names, replaced: Names): Steps<void> {
  const byLeg = new Map<string, LedgerEntry[]>();
  yield* paced(stored, (entry) => {
    const leg = conversionLeg(entry);
    if (leg === undefined) return;
    const list = byLeg.get(leg);
    if (list) list.push(entry);
    else byLeg.set(leg, [entry]);
  });
  if (byLeg.size === 0) return;
  const taken = new Set<string>();
  // Those of the same money first: of two purchases within a minute one could take the other's place.
  for (const isSure of [true, false])
    yield* paced(incoming, (entry) => {
      const leg = conversionLeg(entry);
      const partners = leg === undefined || known.has(entry.id) ? undefined : byLeg.get(leg);
      const near = (partners ?? []).filter(
        (partner) =>
          partner.source !== entry.source &&
          Math.abs(partner.at - entry.at) <= apart(partner, entry) &&
          (isSure ? isOfSameMoney(partner, entry) === true : mayBeSame(partner, entry)),
      );
      const partner = near.toSorted((one, other) => Math.abs(one.at - entry.at) - Math.abs(other.at - entry.at))[0];
      if (partners === undefined || partner === undefined || taken.has(entry.id)) return;
      partners.splice(partners.indexOf(partner), 1);
      taken.add(entry.id);
      if (rank(partner) <= rank(entry)) known.set(entry.id, partner.id);
      else replaced.set(partner.id, entry.id);
    });
}

/**
 * Whether two trades gave or got the same money, with their fees or without: one source has a fee in what was paid, another
 * beside it. Undefined where one of them does not tell of money, or not of the same.
 */
function isOfSameMoney(one: LedgerEntry, other: LedgerEntry): boolean | undefined {
  if (one.kind !== 'trade' || other.kind !== 'trade' || one.quoteAsset !== other.quoteAsset) return undefined;
  const isSame = (a: Decimal, b: Decimal) => compare(absolute(subtract(a, b)), multiply(b, QUOTE_ROUNDING)) <= 0;
  return isSame(decimal(one.quoteQuantity), decimal(other.quoteQuantity)) || isSame(moneyOf(one), moneyOf(other));
}

/** What was given or got in all, with the fee that was taken in the same money. */
function moneyOf({ side, quoteQuantity, quoteAsset, fee, feeAsset }: TradeEntry): Decimal {
  const [quote, taken] = [decimal(quoteQuantity), feeAsset === quoteAsset ? decimal(fee) : ZERO];
  return side === 'Buy' ? add(quote, taken) : subtract(quote, taken);
}

/**
 * The history of purchases has what was spent in all, and a statement can have what was left of it after the fee; of a sale
 * likewise what arrived, and what was got before. The other way round it is another purchase.
 */
function isLessItsFee(one: LedgerEntry, other: LedgerEntry): boolean {
  const [history, statement] = one.source === 'convert' ? [one, other] : [other, one];
  if (history.kind !== 'trade' || statement.kind !== 'trade') return false;
  if (history.source !== 'convert' || statement.source !== 'transaction-records') return false;
  const [whole, told] = [moneyOf(history), moneyOf(statement)];
  const [more, less] = history.side === 'Buy' ? [whole, told] : [told, whole];
  const taken = subtract(more, less);
  return !isNegative(taken) && compare(taken, multiply(more, MOST_FEE)) <= 0;
}

/**
 * Conversions between coins are valued in one currency, by each source for itself. Any other money is what was really paid:
 * the same coins for other money, and not in the same second, are another purchase, unless a fee is what is between the two.
 */
function mayBeSame(one: LedgerEntry, other: LedgerEntry): boolean {
  if (isOfSameMoney(one, other) !== false || Math.abs(one.at - other.at) <= 1000 || isLessItsFee(one, other)) return true;
  return one.kind === 'trade' && one.quoteAsset === VALUED_IN;
}

const sideOf = ({ symbol, side }: TradeEntry): string => `${symbol} ${side}`;

/** Fills of one pair and side in the order of time, to be found by time. */
function bySide(entries: readonly TradeEntry[]): Map<string, TradeEntry[]> {
  const sides = new Map<string, TradeEntry[]>();
  for (const entry of entries) {
    const list = sides.get(sideOf(entry));
    if (list) list.push(entry);
    else sides.set(sideOf(entry), [entry]);
  }
  for (const list of sides.values()) list.sort((one, other) => one.at - other.at);
  return sides;
}

/** Where the fills from a time on begin. */
function firstFrom(list: readonly TradeEntry[], from: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] as TradeEntry).at < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Milliseconds of rows of a file are their order within the second, and tell nothing of the time between two. */
const secondOf = ({ at }: TradeEntry): number => Math.floor(at / 1000);

const total = (entries: readonly TradeEntry[]): Decimal => entries.reduce((sum, { quantity }) => add(sum, decimal(quantity)), ZERO);

/** Fills in a row that add up to exactly what the coarse row says, in quantity and in money; undefined when there are none. */
function runOf(row: TradeEntry, free: readonly TradeEntry[]): TradeEntry[] | undefined {
  const [quantity, quote] = [decimal(row.quantity), decimal(row.quoteQuantity)];
  let [sum, paid] = [ZERO, ZERO];
  let start = 0;
  for (let end = 0; end < free.length; end += 1) {
    const last = free[end] as TradeEntry;
    sum = add(sum, decimal(last.quantity));
    paid = add(paid, decimal(last.quoteQuantity));
    for (; compare(sum, quantity) > 0; start += 1) {
      const first = free[start] as TradeEntry;
      sum = subtract(sum, decimal(first.quantity));
      paid = subtract(paid, decimal(first.quoteQuantity));
    }
    if (start > end || !equals(sum, quantity)) continue;
    // Old files round totals.
    if (compare(absolute(subtract(paid, quote)), multiply(quote, QUOTE_ROUNDING)) <= 0) return free.slice(start, end + 1);
  }
  return undefined;
}

/**
 * The fills a coarse row stands for: those of its order; or all of its second; or some in a row that add up to it,
 * for an order is written down when it is placed and fills later, and a statement when the last of its fills came.
 */
function standsFor(
  row: TradeEntry,
  fills: readonly TradeEntry[],
  byOrder: ReadonlyMap<string, TradeEntry[]>,
  taken: ReadonlySet<string>,
): readonly TradeEntry[] | undefined {
  if (row.orderId !== null) {
    const own = byOrder.get(`${row.symbol} ${row.orderId}`)?.filter(({ source }) => source !== row.source);
    if (own !== undefined && own.length > 0) return own;
  }
  const until = row.source === 'order-history' ? row.at + OPEN_ORDER_MS : 1000 * (secondOf(row) + 2) - 1;
  const free: TradeEntry[] = [];
  for (let at = firstFrom(fills, row.at - BEFORE_MS); at < fills.length && free.length < RUN_WITHIN; at += 1) {
    const fill = fills[at] as TradeEntry;
    if (fill.at > until) break;
    // A fill has one order: one that is named otherwise is none of this row's.
    const isOther = row.orderId !== null && fill.orderId !== null;
    if (fill.source !== row.source && !taken.has(fill.id) && !isOther) free.push(fill);
  }
  const near = free.filter((fill) => Math.abs(secondOf(fill) - secondOf(row)) <= 1);
  return near.length > 0 && equals(total(near), decimal(row.quantity)) ? near : runOf(row, free);
}

function* matchCoarse(incoming: readonly LedgerEntry[], stored: readonly LedgerEntry[], known: Names, replaced: Names): Steps<void> {
  const alive = [...tradesOf(stored).filter(({ id }) => !replaced.has(id)), ...tradesOf(incoming).filter(({ id }) => !known.has(id))];
  const coarse = alive.filter(isCoarse).sort((one, other) => rank(one) - rank(other) || one.at - other.at);
  if (coarse.length === 0) return;
  const cameNow = new Set(incoming.map(({ id }) => id));
  const settled = alive.filter((entry) => !isCoarse(entry));
  const fills = bySide(settled);
  const byOrder = new Map<string, TradeEntry[]>();
  for (const fill of settled) {
    if (fill.orderId === null) continue;
    const key = `${fill.symbol} ${fill.orderId}`;
    const list = byOrder.get(key);
    if (list) list.push(fill);
    else byOrder.set(key, [fill]);
  }
  // Better rows first: an order's row, once it stays, speaks against a statement's row of the same second.
  const taken = new Map<string, Set<string>>();
  yield* paced(coarse, (row) => {
    // Of one source no two rows tell of the same fill.
    const ofSource = taken.get(row.source) ?? new Set();
    taken.set(row.source, ofSource);
    const partners = standsFor(row, fills.get(sideOf(row)) ?? [], byOrder, ofSource);
    if (partners !== undefined) {
      for (const { id } of partners) ofSource.add(id);
      const [teller] = partners as readonly [TradeEntry];
      if (cameNow.has(row.id)) known.set(row.id, teller.id);
      else replaced.set(row.id, teller.id);
      return;
    }
    const list = fills.get(sideOf(row)) ?? [];
    list.splice(firstFrom(list, row.at), 0, row);
    fills.set(sideOf(row), list);
  });
}

/**
 * Transfers have no names of their own across sources: asset, amount and about the hour must do. What a person typed
 * has the hour they remember, so only asset and amount count.
 */
function* matchTransfers(
  incoming: readonly LedgerEntry[],
  stored: readonly LedgerEntry[],
  known: Names,
  replaced: Names,
  costs: Costs,
): Steps<void> {
  const candidates = new Map<string, TransferEntry[]>();
  yield* paced(stored, (entry) => {
    if (entry.kind !== 'transfer' || isConversionMove(entry)) return;
    const key = `${entry.asset} ${entry.change}`;
    const list = candidates.get(key);
    if (list) list.push(entry);
    else candidates.set(key, [entry]);
  });
  const near = (one: TransferEntry, other: TransferEntry) =>
    one.source === 'user' || other.source === 'user' || Math.abs(one.at - other.at) <= Math.max(tolerance(one), tolerance(other));
  if (candidates.size === 0) return;
  yield* paced(incoming, (entry) => {
    if (entry.kind !== 'transfer' || isConversionMove(entry)) return;
    const partners = candidates.get(`${entry.asset} ${entry.change}`);
    const at = partners?.findIndex((partner) => partner.source !== entry.source && near(partner, entry)) ?? -1;
    if (partners === undefined || at < 0) return;
    const [partner] = partners.splice(at, 1) as [TransferEntry];
    if (rank(partner) <= rank(entry)) {
      known.set(entry.id, partner.id);
      return;
    }
    replaced.set(partner.id, entry.id);
    if (partner.cost !== null && entry.cost === null) {
      costs.set(entry.id, { cost: partner.cost, ...(partner.costEstimated ? { costEstimated: true } : {}) });
    }
  });
}
