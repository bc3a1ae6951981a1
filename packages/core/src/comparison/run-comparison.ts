import type { Trace } from '../auto-trades/trace.ts';
import type { BacktestTrade } from '../backtest/backtest-contract.ts';
import { tradesOf } from '../backtest/backtest-report.ts';
import {
  absolute,
  add,
  compare,
  type Decimal,
  decimal,
  divide,
  equals,
  greaterThan,
  HUNDRED,
  isPositive,
  lessThan,
  multiply,
  subtract,
  sum,
  toText,
  ZERO,
} from '../money/decimal.ts';
import { digits, type Percent } from '../money/figure.ts';
import type { ComparedPosition, ComparisonReason, Gap, KnownPositionRow, RunComparison, RunPosition } from './comparison-contract.ts';

/** What is known of a position beside its traces: when its owner took it over, and its sums with fees that were valued later. */
export type KnownPosition = { readonly takenOverAt: number | null; readonly realised: string; readonly fees: string };
export const knownById = (rows: readonly KnownPositionRow[]): ReadonlyMap<string, KnownPosition> =>
  new Map(
    rows.map(({ positionId, takenOverAt, realised, fees }) => [
      positionId,
      { takenOverAt: takenOverAt === null ? null : Date.parse(takenOverAt), realised: digits(realised), fees: digits(fees) },
    ]),
  );

/**
 * A run as it is compared. `slots` is how many positions its bot may hold at once; `known` is by the position's id.
 * `idleAt` says why its bot was not at work when the other run decided an entry, undefined where it was.
 */
export type ComparedRun = {
  readonly traces: readonly Trace[];
  readonly slots: number;
  readonly known?: ReadonlyMap<string, KnownPosition>;
  readonly idleAt?: (entry: Trace) => 'disabled' | 'halted' | undefined;
};

/** Decimals of average prices and of parts of a gap, which divide. */
const PLACES = 12;
/** What divisions leave, in the quote asset: it belongs to the part that was divided, and to no dust. */
const DIVIDED = decimal('0.00000001');
/** Entries further apart than this are named. */
const SAME_MOMENT_MS = 60_000;
/** Differences of percentages, in points, and of sizes, in parts, from which on they are named. */
const SLIPPAGE_POINTS = decimal('0.02');
const FEE_POINTS = decimal('0.005');
const SIZE_PART = decimal('0.01');
const BY_HAND: ReadonlySet<string> = new Set(['Manual', 'TargetPrice', 'KillSwitch', 'SoldOutside', 'SetAsClosed']);

const fact = ({ after }: Trace, key: string): Decimal => decimal(String(after[key] ?? '0'));
const over = (part: Decimal, whole: Decimal, places = PLACES): Decimal => (isPositive(whole) ? divide(part, whole, places) : ZERO);
const percentOf = (part: Decimal, whole: Decimal): string => toText(over(multiply(part, HUNDRED), whole, 4));

/** A position with what its parts are reckoned from, exact. */
type Walked = {
  readonly trade: BacktestTrade;
  readonly entered: number;
  readonly ended: number;
  readonly isTakenOver: boolean;
  readonly row: RunPosition;
  readonly bought: Decimal;
  readonly units: Decimal;
  readonly sold: Decimal;
  readonly unitsSold: Decimal;
  readonly fees: Decimal;
  /** Null while it is open. */
  readonly result: Decimal | null;
};

function walked(trade: BacktestTrade, known?: KnownPosition): Walked {
  const buys = trade.traces.filter(({ kind }) => kind === 'Buy');
  // Coins that were found missing left without a sale: they have no price.
  const sells = trade.traces.filter(({ kind, reason }) => kind === 'Sell' && reason !== 'SoldOutside');
  const entry = trade.traces.find(({ kind }) => kind === 'Entry');
  const total = (rows: readonly Trace[], key: string) => sum(rows.map((row) => fact(row, key)));
  const [units, unitsSold] = [total(buys, 'quantity'), total(sells, 'quantity')];
  const [bought, sold, fees] = [decimal(trade.bought), decimal(trade.sold), decimal(known?.fees ?? trade.fees)];
  const result = trade.closedAt === null || trade.realised === null ? null : decimal(known?.realised ?? trade.realised);
  const turnover = add(bought, sold);
  const row: RunPosition = {
    positionId: trade.positionId,
    enteredAt: trade.enteredAt,
    openedAt: trade.openedAt,
    closedAt: trade.closedAt,
    exitReason: trade.reason,
    buys: new Set(buys.map(({ clientOrderId, tradeId }) => clientOrderId ?? tradeId)).size,
    quantity: toText(units),
    entryPrice: isPositive(units) ? toText(over(bought, units)) : null,
    exitPrice: isPositive(unitsSold) ? toText(over(sold, unitsSold)) : null,
    entrySlippagePct: entrySlippage(entry, buys),
    exitSlippagePct: exitSlippage(sells),
    fees: toText(fees),
    feePct: isPositive(turnover) ? percentOf(fees, turnover) : null,
    result: result && toText(result),
    resultPct: result && isPositive(bought) ? percentOf(result, bought) : null,
  };
  const entered = Date.parse(trade.enteredAt);
  // What its owner took over has no row of its end.
  const ended = trade.closedAt === null ? (known?.takenOverAt ?? Number.POSITIVE_INFINITY) : Date.parse(trade.closedAt);
  return {
    trade,
    entered,
    ended,
    isTakenOver: known !== undefined && known.takenOverAt !== null,
    row,
    bought,
    units,
    sold,
    unitsSold,
    fees,
    result,
  };
}

/** What the first order paid above the best ask that it was decided by, in per cent of that. */
function entrySlippage(entry: Trace | undefined, buys: readonly Trace[]): string | null {
  const first = buys.filter(({ reason }) => reason === 'Entry');
  const units = sum(first.map((row) => fact(row, 'quantity')));
  const ask = decimal(entry?.ask ?? '0');
  if (!isPositive(units) || !isPositive(ask)) return null;
  const paid = over(sum(first.map((row) => fact(row, 'quoteQuantity'))), units);
  return percentOf(subtract(paid, ask), ask);
}

/** What sales got below the price that they were decided by, in per cent of that; a sale at it or above lost nothing. */
function exitSlippage(sells: readonly Trace[]): string | null {
  if (sells.length === 0) return null;
  const got = sum(sells.map((row) => fact(row, 'quoteQuantity')));
  const lost = sum(
    sells.map((row) =>
      row.after.offered === undefined ? ZERO : subtract(multiply(fact(row, 'offered'), fact(row, 'quantity')), fact(row, 'quoteQuantity')),
    ),
  );
  return percentOf(lost, add(got, lost));
}

/**
 * Positions of two runs that were under way at the same time. Each meets those alone that have not ended when it begins:
 * thousands of entries that bought nothing would be millions of pairs.
 */
function overlaps(real: readonly Walked[], others: readonly Walked[]): [Walked, Walked][] {
  const pairs: [Walked, Walked][] = [];
  let [ours, theirs]: [Walked[], Walked[]] = [[], []];
  const begun = [...real.map((each) => ({ each, isReal: true })), ...others.map((each) => ({ each, isReal: false }))];
  for (const { each, isReal } of begun.sort((a, b) => a.each.entered - b.each.entered)) {
    const isUnderWay = ({ ended }: Walked): boolean => ended >= each.entered;
    [ours, theirs] = [ours.filter(isUnderWay), theirs.filter(isUnderWay)];
    if (isReal) for (const other of theirs) pairs.push([each, other]);
    else for (const one of ours) pairs.push([one, each]);
    (isReal ? ours : theirs).push(each);
  }
  return pairs;
}

/**
 * Positions of one coin in two runs that are the same trade: under way at the same time, those that both bought first,
 * then those entered closest together.
 */
function pairsOf(real: readonly Walked[], others: readonly Walked[]): [Walked | undefined, Walked | undefined][] {
  const near = overlaps(real, others)
    .map(([one, other]) => ({ one, other, both: hasBought(one) && hasBought(other), apart: Math.abs(one.entered - other.entered) }))
    .sort((a, b) => Number(b.both) - Number(a.both) || a.apart - b.apart || a.one.entered - b.one.entered);
  const pairs = new Map<Walked, Walked>();
  const taken = new Set<Walked>();
  for (const { one, other } of near)
    if (!pairs.has(one) && !taken.has(other)) {
      pairs.set(one, other);
      taken.add(other);
    }
  return [
    ...real.map((one): [Walked, Walked | undefined] => [one, pairs.get(one)]),
    ...others.filter((other) => !taken.has(other)).map((other): [undefined, Walked] => [undefined, other]),
  ];
}

const hasBought = (position: Walked | undefined): position is Walked => position !== undefined && isPositive(position.bought);

const NO_GAP: Gap = { entry: '0', exit: '0', fees: '0', size: '0', missed: '0', rest: '0', total: '0' };

/**
 * Most of what was bought was sold, in the same units: coins that were missing, ended at their cost by a jump or count in
 * a new unit have no price of their own, and the difference is not split.
 */
const soldWhole = ({ units, unitsSold, trade: { reason, traces } }: Walked): boolean =>
  reason !== 'PriceJump' &&
  !traces.some((row) => row.kind === 'Sell' && row.reason === 'SoldOutside') &&
  isPositive(unitsSold) &&
  !lessThan(multiply(unitsSold, TWICE), units) &&
  !greaterThan(unitsSold, multiply(units, TWICE));
const TWICE = decimal('2');

/** By how much the other result lies above the real one, in parts that add up to it. Undefined while one is open. */
function gapOf(real: Walked | undefined, other: Walked | undefined): Gap | undefined {
  if (real?.result === null || other?.result === null) return undefined;
  const total = subtract(other?.result ?? ZERO, real?.result ?? ZERO);
  if (!real || !other) return { ...NO_GAP, missed: toText(total), total: toText(total) };
  const parts = { entry: ZERO, exit: ZERO, fees: ZERO, size: ZERO };
  if (soldWhole(real) && soldWhole(other)) {
    // What the other run would have come to with as many units as were really sold.
    const scaled = (part: Decimal) =>
      equals(real.unitsSold, other.unitsSold) ? part : over(multiply(part, real.unitsSold), other.unitsSold);
    const paid = (run: Walked) => over(multiply(run.bought, real.unitsSold), run.units);
    parts.entry = subtract(paid(real), paid(other));
    parts.exit = subtract(scaled(other.sold), real.sold);
    parts.fees = subtract(real.fees, scaled(other.fees));
    parts.size = subtract(other.result!, scaled(other.result!));
  }
  let rest = subtract(total, sum(Object.values(parts)));
  if (lessThan(absolute(rest), DIVIDED)) {
    const [largest] = (Object.keys(parts) as (keyof typeof parts)[]).sort((a, b) => compare(absolute(parts[b]), absolute(parts[a])));
    parts[largest!] = add(parts[largest!], rest);
    rest = ZERO;
  }
  const named = Object.fromEntries(Object.entries(parts).map(([part, value]) => [part, toText(value)]));
  return { ...NO_GAP, ...named, rest: toText(rest), total: toText(total) };
}

/** Why a run did not have a position that the other had. */
function lacking(had: Walked, lacks: Walked | undefined, bought: readonly Walked[], { slots, idleAt }: ComparedRun): ComparisonReason {
  if (lacks) return 'unfilled';
  const idle = idleAt?.(had.trade.traces[0]!);
  if (idle) return idle;
  const open = bought.filter((position) => position.entered <= had.entered && had.entered < position.ended);
  if (open.some(({ trade }) => trade.symbol === had.trade.symbol)) return 'held';
  return open.length >= slots ? 'full' : 'notDecided';
}

/** Why a position has no result. */
const unfinished = ({ result, isTakenOver }: Walked): ComparisonReason[] => (result !== null ? [] : isTakenOver ? ['takenOver'] : ['open']);

const points = (a: Percent | null, b: Percent | null): Decimal => absolute(subtract(decimal(a ?? '0'), decimal(b ?? '0')));

function differences(real: Walked, other: Walked): ComparisonReason[] {
  const [one, two] = [real.row, other.row];
  const holds: Readonly<Partial<Record<ComparisonReason, boolean>>> = {
    open: [real, other].some(({ result, isTakenOver }) => result === null && !isTakenOver),
    takenOver: real.isTakenOver || other.isTakenOver,
    byHand: one.exitReason !== null && BY_HAND.has(one.exitReason),
    exitReason: one.exitReason !== null && two.exitReason !== null && one.exitReason !== two.exitReason,
    entryTime: Math.abs(real.entered - other.entered) > SAME_MOMENT_MS,
    rebuys: one.buys !== two.buys,
    slippage:
      greaterThan(points(one.entrySlippagePct, two.entrySlippagePct), SLIPPAGE_POINTS) ||
      greaterThan(points(one.exitSlippagePct, two.exitSlippagePct), SLIPPAGE_POINTS),
    fees: greaterThan(points(one.feePct, two.feePct), FEE_POINTS),
    size: greaterThan(absolute(subtract(real.units, other.units)), multiply(real.units, SIZE_PART)),
  };
  return (Object.keys(holds) as ComparisonReason[]).filter((reason) => holds[reason]);
}

function sumsOf(rows: readonly Walked[]): RunComparison['real'] {
  const total = (value: (row: Walked) => Decimal) => sum(rows.map(value));
  const [bought, result] = [total((row) => row.bought), total((row) => row.result ?? ZERO)];
  return {
    positions: rows.length,
    bought: toText(bought),
    fees: toText(total(({ fees }) => fees)),
    result: toText(result),
    resultPct: isPositive(bought) ? percentOf(result, bought) : null,
  };
}

/** By coin, each in the order of entry. */
function byCoin(rows: readonly Walked[]): ReadonlyMap<string, Walked[]> {
  const found = new Map<string, Walked[]>();
  for (const row of [...rows].sort((a, b) => a.entered - b.entered)) {
    const ofCoin = found.get(row.trade.symbol);
    if (ofCoin) ofCoin.push(row);
    else found.set(row.trade.symbol, [row]);
  }
  return found;
}

/** The place of the first one that was entered at a moment or later. */
function firstFrom(rows: readonly Walked[], at: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]!.entered < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Holds one run against what happened, position by position. Positions are the same when they hold the same coin at
 * the same time.
 * @param since epoch ms, as it is shown
 * @param isIn whether a position with this Entry row is of the time in which both ran; left out are all others
 */
export function compareRuns(
  real: ComparedRun,
  other: ComparedRun,
  since: number,
  isIn: (entry: Trace) => boolean = ({ at }) => Date.parse(at) >= since,
): RunComparison {
  const of = ({ traces, known }: ComparedRun) =>
    tradesOf(traces)
      // Of one that was entered before the rows begin only the end is there.
      .filter(({ traces: [first] }) => first?.kind === 'Entry')
      .map((trade) => walked(trade, known?.get(trade.positionId)));
  const [allReal, allOthers] = [of(real), of(other)];
  const counts = ({ trade }: Walked): boolean => isIn(trade.traces[0]!);
  // Two bots are enabled one after the other: what the first has bought by then belongs to what the second buys at once.
  const within = (all: readonly Walked[], twins: readonly Walked[]) => {
    const counted = byCoin(twins.filter(counts));
    const hasTwin = ({ trade: { symbol }, entered }: Walked): boolean => {
      const ofCoin = counted.get(symbol) ?? [];
      const next = ofCoin[firstFrom(ofCoin, entered - SAME_MOMENT_MS)];
      return next !== undefined && next.entered <= entered + SAME_MOMENT_MS;
    };
    return byCoin(all.filter((each) => counts(each) || hasTwin(each)));
  };
  const [happened, others] = [within(allReal, allOthers), within(allOthers, allReal)];
  const [boughtReal, boughtOther] = [allReal.filter(hasBought), allOthers.filter(hasBought)];
  const pairs = [...new Set([...happened.keys(), ...others.keys()])]
    .flatMap((symbol) => pairsOf(happened.get(symbol) ?? [], others.get(symbol) ?? []))
    // An order that bought nothing tells something only beside one that did.
    .filter(([one, two]) => hasBought(one) || hasBought(two))
    .sort(([a, b], [c, d]) => (c ?? d!).entered - (a ?? b!).entered);
  const counted: [Walked[], Walked[]] = [[], []];
  const gaps: Gap[] = [];
  const positions = pairs.map(([one, two]): ComparedPosition => {
    const [had, has] = [hasBought(one) ? one : undefined, hasBought(two) ? two : undefined];
    const gap = gapOf(had, has);
    if (gap) {
      gaps.push(gap);
      if (had) counted[0].push(had);
      if (has) counted[1].push(has);
    }
    const reasons: ComparisonReason[] =
      had && has
        ? differences(had, has)
        : had
          ? [...unfinished(had), lacking(had, two, boughtOther, other)]
          : [...unfinished(has!), lacking(has!, one, boughtReal, real)];
    return { symbol: (had ?? has)!.trade.symbol, real: had?.row ?? null, other: has?.row ?? null, gap: gap ?? null, reasons };
  });
  const part = (key: keyof Gap) => toText(sum(gaps.map((gap) => decimal(gap[key]))));
  return {
    since: new Date(since).toISOString(),
    real: sumsOf(counted[0]),
    other: sumsOf(counted[1]),
    gap: {
      entry: part('entry'),
      exit: part('exit'),
      fees: part('fees'),
      size: part('size'),
      missed: part('missed'),
      rest: part('rest'),
      total: part('total'),
    },
    open: positions.length - gaps.length,
    positions,
  };
}
