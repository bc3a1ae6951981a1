import {
  absolute,
  add,
  type Decimal,
  decimal,
  equals,
  greaterThan,
  isNegative,
  isPositive,
  isZero,
  minimum,
  multiply,
  negate,
  subtract,
  toText,
  ZERO,
} from '../money/decimal.ts';
import { addFlows, compareEntries, type LedgerEntry, type SwapEntry, type TransferEntry } from '../positions/ledger-entry.ts';
import { CASH_ASSETS } from './known-pairs.ts';
import { APART_MS, CRUMBS, isNear, matchSwaps, sideOf } from './swap-duplicates.ts';

/** What became what: units of a coin and units of another, or of the same coin in its new unit. */
export type GivenSwap = Pick<SwapEntry, 'at' | 'fromAsset' | 'fromQuantity' | 'asset' | 'quantity'>;

/** A movement of a coin that can be one side of a swap whose other side is not joined to it, and what it is proposed to be. */
export type HalfSwap = {
  readonly entry: TransferEntry;
  /** The movement that looks like the other side. */
  readonly other: TransferEntry | undefined;
};

/** Coins an operation of swaps took away, and gifts nobody said the cost of. */
const isHalf = ({ asset, cost, transfer }: TransferEntry): boolean =>
  cost === null && (transfer === 'unknown' || transfer === 'airdrop') && !CASH_ASSETS.has(asset);
const went = ({ change }: TransferEntry): boolean => change.startsWith('-');
/** A coin that a swap took away, and nothing is known that came for it. */
export const isGoneHalf = (entry: LedgerEntry): entry is TransferEntry => entry.kind === 'transfer' && isHalf(entry) && went(entry);

/** What can be a side of a swap: no withdrawal, trade or conversion. */
function canBeSide(entry: LedgerEntry): entry is TransferEntry {
  if (entry.kind !== 'transfer' || CASH_ASSETS.has(entry.asset)) return false;
  const { transfer } = entry;
  return transfer === 'unknown' || transfer === 'airdrop' || transfer === 'reward' || (transfer === 'deposit' && !went(entry));
}
const canGiveWay = (entry: LedgerEntry): entry is TransferEntry => canBeSide(entry) && entry.cost === null;
/** What its owner gave a cost before: exactly as large as a side of the swap it is that side, and would count beside it. */
const hasGivenCost = (entry: LedgerEntry): entry is TransferEntry => canBeSide(entry) && entry.cost !== null;

/** Swaps of which one side alone is known, those that took a coin away first, each side newest first. */
export function halfSwaps(entries: readonly LedgerEntry[]): HalfSwap[] {
  const movements = entries.filter(canGiveWay);
  const halves = movements.filter(isHalf).sort((one, other) => Number(went(other)) - Number(went(one)) || other.at - one.at);
  const near = movementsNear(movements);
  const taken = new Set<string>();
  const found: HalfSwap[] = [];
  for (const entry of halves) {
    if (taken.has(entry.id)) continue;
    const other = otherSide(
      entry,
      near(entry).filter(({ id }) => !taken.has(id)),
    );
    // Both sides are one offer.
    if (other !== undefined && isHalf(other)) taken.add(other.id);
    found.push({ entry, other });
  }
  return found;
}

/** Finds the movements near a time by the days around it: looking through all for each takes minutes of a history with many gifts. */
function movementsNear(movements: readonly TransferEntry[]): (half: TransferEntry) => TransferEntry[] {
  const spanOf = ({ at }: TransferEntry) => Math.floor(at / APART_MS);
  const bySpan = new Map<number, TransferEntry[]>();
  for (const each of movements) {
    const own = bySpan.get(spanOf(each));
    if (own) own.push(each);
    else bySpan.set(spanOf(each), [each]);
  }
  return (half) => [-1, 0, 1].flatMap((off) => bySpan.get(spanOf(half) + off) ?? []);
}

/** The only movement that can be the other side; where there are several the only one of as many units. A reward is one only then. */
function otherSide(half: TransferEntry, movements: readonly TransferEntry[]): TransferEntry | undefined {
  const near = movements.filter((each) => each.asset !== half.asset && went(each) !== went(half) && isNear(each, half));
  const alike = near.filter(({ change }) => isZero(add(decimal(change), decimal(half.change))));
  const plain = near.filter(({ transfer }) => transfer !== 'reward');
  const candidates = alike.length > 0 ? alike : plain;
  return candidates.length === 1 ? candidates[0] : undefined;
}

/** The swap a half is proposed to be, as far as it is known; it happened when the first of both sides did. */
export function proposalOf({ entry, other }: HalfSwap) {
  const [from, to] = went(entry) ? [entry, other] : [other, entry];
  return {
    fromAsset: from?.asset ?? null,
    fromQuantity: from === undefined ? null : toText(absolute(decimal(from.change))),
    asset: to?.asset ?? null,
    quantity: to === undefined ? null : toText(decimal(to.change)),
    at: Math.min(entry.at, other?.at ?? entry.at),
  };
}

export type SwapRefusal = {
  readonly path: 'fromAsset' | 'fromQuantity' | 'asset' | 'quantity' | 'at';
  readonly code: 'money' | 'sameCoin' | 'future' | 'known' | 'otherAmount' | 'moreThanHeld' | 'wholeCoin' | 'goneLater' | 'soldBefore';
  /** The coin that is meant, and the amount that would be taken. */
  readonly asset: string;
  readonly limit?: string;
};

/**
 * The movements that give way to a swap its owner tells of, or why it cannot be. No unit and no cost may be lost or doubled
 * by it: the units that go are held then and are in no later sale, and a movement that is a side of it is as large as it says.
 * @param entries all of both coins that count, in any order
 * @param now epoch ms
 */
export function joinGiven(swap: GivenSwap, entries: readonly LedgerEntry[], now: number): readonly TransferEntry[] | SwapRefusal {
  const { fromAsset, asset, at } = swap;
  const [from, to] = [decimal(swap.fromQuantity), decimal(swap.quantity)];
  if (CASH_ASSETS.has(fromAsset)) return { path: 'fromAsset', code: 'money', asset: fromAsset };
  if (CASH_ASSETS.has(asset)) return { path: 'asset', code: 'money', asset };
  const isRecount = fromAsset === asset;
  if (isRecount && equals(from, to)) return { path: 'asset', code: 'sameCoin', asset };
  if (at > now) return { path: 'at', code: 'future', asset };
  const legs = legsOf(swap, entries);
  if ('code' in legs) return legs;

  const entry: SwapEntry = { ...swap, kind: 'swap', id: 'swap:', source: 'user' };
  const known = new Map<string, string>();
  if (legs.length === 0) matchSwaps([entry], entries, known, new Map());
  // Sent twice, it must not count twice.
  if (legs.length === 0 && entries.some((each) => isSaidAgain(each, entry))) known.set(entry.id, entry.id);
  if (known.size > 0) return { path: 'fromAsset', code: 'known', asset: fromAsset };

  const gone = new Set(legs.map(({ id }) => id));
  const rest = entries.filter(({ id }) => !gone.has(id));
  const { held, lasting } = heldAt(rest, fromAsset, entry);
  // The exchange itself took so many: crumbs that no record explains do not matter then.
  const crumbs = legs.some(went) ? multiply(from, CRUMBS) : ZERO;
  if (greaterThan(from, add(held, crumbs))) return { path: 'fromQuantity', code: 'moreThanHeld', asset: fromAsset, limit: toText(held) };
  if (isRecount && greaterThan(held, add(from, crumbs))) return { path: 'fromQuantity', code: 'wholeCoin', asset, limit: toText(held) };
  const after = [...rest, entry];
  const isShorter = (coin: string) => greaterThan(shortOf(after, coin, secondOf(entry)), shortOf(entries, coin));
  if (isShorter(fromAsset))
    return isRecount
      ? { path: 'quantity', code: 'soldBefore', asset }
      : { path: 'fromQuantity', code: 'goneLater', asset: fromAsset, limit: toText(lasting) };
  if (!isRecount && isShorter(asset)) return { path: 'at', code: 'soldBefore', asset };
  return legs;
}

/**
 * Where a swap stands among what happened in its second: after the old coins came. A ledger is folded to the millisecond where
 * a swap is, and those of a file's rows are only their order: one with days alone has a purchase and its swap in one second.
 * @param entries all of both coins that count
 */
export function momentOf({ at, fromAsset }: GivenSwap, entries: readonly LedgerEntry[]): number {
  const came = entries.filter((entry) => entry.at >= at && secondOf(entry) === secondOf({ at }) && isPositive(changeOf(entry, fromAsset)));
  return Math.max(at, ...came.map((entry) => entry.at + 1));
}

const secondOf = ({ at }: Pick<LedgerEntry, 'at'>): number => Math.floor(at / 1000);

function isSaidAgain(one: LedgerEntry, other: SwapEntry): boolean {
  if (one.kind !== 'swap' || one.source !== other.source || secondOf(one) !== secondOf(other)) return false;
  return (['fromAsset', 'fromQuantity', 'asset', 'quantity'] as const).every((part) => one[part] === other[part]);
}

/** The movements that are the sides of a swap, of a new unit of a coin also the difference in one. */
function legsOf(swap: GivenSwap, entries: readonly LedgerEntry[]): readonly TransferEntry[] | SwapRefusal {
  const near = entries.filter(canGiveWay).filter((each) => isNear(each, swap));
  const costly = entries.filter(hasGivenCost).filter((each) => isNear(each, swap));
  const [out, came] = [negate(decimal(swap.fromQuantity)), decimal(swap.quantity)];
  if (swap.fromAsset === swap.asset) {
    const difference = add(came, out);
    const whole = near.find(({ asset, change }) => asset === swap.asset && equals(decimal(change), difference));
    if (whole) return [whole];
  }
  const legs: TransferEntry[] = [];
  for (const [path, asset, amount] of [
    ['fromQuantity', swap.fromAsset, out],
    ['quantity', swap.asset, came],
  ] as const) {
    const own = near.filter((each) => each.asset === asset && went(each) === isNegative(amount));
    const free = sideOf(amount, swap.at, own);
    const alike = costly.filter((each) => each.asset === asset && equals(decimal(each.change), amount));
    const found = free.length > 0 ? free : sideOf(amount, swap.at, alike);
    const plain = own.filter(({ transfer }) => transfer !== 'reward');
    // Beside a swap of another amount it would count once more.
    if (found.length === 0 && plain.length > 0)
      return { path, code: 'otherAmount', asset, limit: plain.map(({ change }) => toText(absolute(decimal(change)))).join(' + ') };
    legs.push(...found);
  }
  return legs;
}

type Move = { readonly entry: LedgerEntry; readonly change: Decimal };

function changeOf(entry: LedgerEntry, asset: string): Decimal {
  const flows = new Map<string, Decimal>();
  addFlows(flows, entry);
  return flows.get(asset) ?? ZERO;
}

/**
 * What happened to the units of a coin, in the order of a fold: what came within a second was there before what went, but
 * in the second of the swap.
 */
function movesOf(entries: readonly LedgerEntry[], asset: string, exact?: number): Move[] {
  const rank = ({ entry, change }: Move) => (secondOf(entry) === exact ? 0 : Number(isNegative(change)));
  return [...entries]
    .sort(compareEntries)
    .map((entry) => ({ entry, change: changeOf(entry, asset) }))
    .filter(({ change }) => !isZero(change))
    .sort((one, other) => secondOf(one.entry) - secondOf(other.entry) || rank(one) - rank(other));
}

/** Units that are held when a swap comes, and how many of them are still there in the end; nobody can hold less than none. */
function heldAt(entries: readonly LedgerEntry[], asset: string, swap: SwapEntry): { held: Decimal; lasting: Decimal } {
  let running = ZERO;
  let held = ZERO;
  let lasting: Decimal | undefined;
  for (const { entry, change } of movesOf(entries, asset, secondOf(swap))) {
    const isBefore = compareEntries(entry, swap) < 0;
    if (!isBefore) lasting = minimum(lasting ?? running, running);
    running = add(running, change);
    if (isNegative(running)) running = ZERO;
    if (isBefore) held = running;
    else lasting = minimum(lasting ?? running, running);
  }
  return { held, lasting: lasting ?? held };
}

/** Units of a coin that went without having been there. */
function shortOf(entries: readonly LedgerEntry[], asset: string, exact?: number): Decimal {
  let running = ZERO;
  let short = ZERO;
  for (const { change } of movesOf(entries, asset, exact)) {
    running = add(running, change);
    if (!isNegative(running)) continue;
    short = subtract(short, running);
    running = ZERO;
  }
  return short;
}
