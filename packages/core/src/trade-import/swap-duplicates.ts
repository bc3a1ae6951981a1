import { absolute, compare, type Decimal, decimal, equals, isNegative, multiply, negate, subtract, sum, toText } from '../money/decimal.ts';
import { ENTRY_SOURCES, type LedgerEntry, type SwapEntry, type TransferEntry } from '../positions/ledger-entry.ts';

/** Names with the name of who tells of the same. */
export type Names = Map<string, string>;

/** Which of two sources speaks when both tell of the same thing: the smaller number. */
export const rank = ({ source }: Pick<LedgerEntry, 'source'>): number => ENTRY_SOURCES.indexOf(source);

/** The new coins can come days after the old ones went, or before. */
export const APART_MS = 3 * 86_400_000;
/** Rows of a file have the second they happened in. */
const SECOND_MS = 1000;
/** Amounts of one swap that two sources tell of differ by no more than crumbs. */
export const CRUMBS = decimal('0.001');

type Timed = Pick<LedgerEntry, 'at'>;
export const isNear = (one: Timed, other: Timed): boolean => Math.abs(one.at - other.at) <= APART_MS;
const isAlike = (one: string, other: string): boolean => {
  const [a, b] = [decimal(one), decimal(other)];
  return compare(absolute(subtract(a, b)), multiply(absolute(b), CRUMBS)) <= 0;
};

/**
 * Two tell of one swap: the same coins went and came at about the same time, in the same amounts. A coin has a new unit
 * once: there the amounts can differ, because a ledger does not know all of a coin or a statement has a row for each wallet.
 * Its owner may have typed one side wrongly: the other side is enough then.
 * @param isSureOfFrom the old coins of the first are known to have gone: nobody typed those wrongly
 */
function isSame(one: SwapEntry, other: SwapEntry, isSureOfFrom: boolean): boolean {
  const from = one.fromAsset === other.fromAsset && isAlike(one.fromQuantity, other.fromQuantity);
  const to = one.asset === other.asset && isAlike(one.quantity, other.quantity);
  if (one.fromAsset === one.asset || other.fromAsset === other.asset) return one.fromAsset === other.fromAsset && one.asset === other.asset;
  return one.source === 'user' || other.source === 'user' ? from || (to && !isSureOfFrom) : from && to;
}

/**
 * The movements that are one side of a swap: the one of just as many units, the next one in time where there are several; or
 * all of them where they add up to it, for a statement can have a row for each wallet. None where neither is so.
 * @param side what the coin changes by
 * @param movements those of its coin and direction that are near
 */
export function sideOf(side: Decimal, at: number, movements: readonly TransferEntry[]): readonly TransferEntry[] {
  const isGift = ({ transfer }: TransferEntry) => Number(transfer === 'reward');
  const [exact] = movements
    .filter(({ change }) => equals(decimal(change), side))
    .sort((one, other) => isGift(one) - isGift(other) || Math.abs(one.at - at) - Math.abs(other.at - at) || (one.id < other.id ? -1 : 1));
  if (exact) return [exact];
  const plain = movements.filter(({ transfer }) => transfer !== 'reward');
  return plain.length > 1 && equals(sum(plain.map(({ change }) => decimal(change))), side) ? plain : [];
}

/**
 * A movement that is one side of a swap; of a new unit of one coin also both sides in one. What its owner withdrew is
 * none, and a statement tells of deposits beside its swaps: of its rows only one without another side can be a part.
 */
function isPartOf(swap: SwapEntry, { asset, change, source, transfer }: TransferEntry): boolean {
  if (transfer === 'withdrawal') return false;
  if (source === swap.source && transfer !== 'airdrop' && transfer !== 'unknown') return false;
  const { fromAsset, fromQuantity, quantity } = swap;
  const [went, came] = [negate(decimal(fromQuantity)), decimal(quantity)];
  const parts = [
    ...(asset === fromAsset ? [went] : []),
    ...(asset === swap.asset ? [came] : []),
    ...(asset === fromAsset && asset === swap.asset ? [subtract(came, negate(went))] : []),
  ];
  return parts.some((part) => compare(absolute(subtract(decimal(change), part)), multiply(absolute(part), CRUMBS)) <= 0);
}

const hasSign = (one: string, other: string): boolean => isNegative(decimal(one)) === isNegative(decimal(other));

/** A swap its owner told of; a new unit of a coin is another matter, for its rows come in many forms. */
const isCarriedOver = ({ source, fromAsset, asset }: SwapEntry): boolean => source === 'user' && fromAsset !== asset;

/** By the name of a swap its owner told of: the movements that have given way to it. */
export type GivenSides = ReadonlyMap<string, readonly LedgerEntry[]>;
export const NO_SIDES: GivenSides = new Map();

/** Two movements of one source that can only be the same side of a swap. */
export const isOfOneSide = (one: LedgerEntry, other: LedgerEntry): boolean =>
  one.kind === 'transfer' &&
  other.kind === 'transfer' &&
  one.source === other.source &&
  one.asset === other.asset &&
  hasSign(one.change, other.change);

/**
 * The sides of a swap its owner told of, each once: another movement of as many units is another. So is one of a source of
 * which a side has given way already, for no source tells of one movement twice: but it can read that as another kind.
 */
function sidesOf(swap: SwapEntry, movements: readonly TransferEntry[], given: readonly LedgerEntry[]): readonly TransferEntry[] {
  const gone = given.filter((entry): entry is TransferEntry => entry.kind === 'transfer');
  const readOtherwise = gone.flatMap(
    (side) =>
      movements.find(
        (each) =>
          isOfOneSide(each, side) &&
          each.change === side.change &&
          each.transfer !== side.transfer &&
          Math.abs(each.at - side.at) <= SECOND_MS,
      ) ?? [],
  );
  const sides = [
    [swap.fromAsset, negate(decimal(swap.fromQuantity))],
    [swap.asset, decimal(swap.quantity)],
  ] as const;
  const open = sides.flatMap(([asset, side]) => {
    const near = movements.filter((each) => each.asset === asset && each.transfer !== 'withdrawal' && isNear(each, swap));
    const own = near.filter((each) => hasSign(each.change, toText(side)) && !gone.some((other) => isOfOneSide(each, other)));
    const found = sideOf(side, swap.at, own);
    return found.length > 0 ? found : own.filter(({ change }) => isAlike(change, toText(side))).slice(0, 1);
  });
  return [...readOtherwise, ...open];
}

/**
 * A swap that two sources tell of counts once, and so does one whose coins a list of the exchange shows as a reward or a
 * deposit: the swap stays, for it alone says what the new coins had cost.
 * @param known names of incoming entries that something stored tells of, with the name of that; added to
 * @param replaced names of stored entries that give way, with the name of what takes their place; added to
 * @param sides what has given way to swaps among those stored
 */
export function matchSwaps(
  incoming: readonly LedgerEntry[],
  stored: readonly LedgerEntry[],
  known: Names,
  replaced: Names,
  sides: GivenSides = NO_SIDES,
): void {
  const isFree = ({ id }: LedgerEntry) => !known.has(id) && !replaced.has(id);
  const swapsOf = (entries: readonly LedgerEntry[]) => entries.filter((entry): entry is SwapEntry => entry.kind === 'swap');
  const transfersOf = (entries: readonly LedgerEntry[]) =>
    entries.filter((entry): entry is TransferEntry => entry.kind === 'transfer' && isFree(entry));
  const [before, now] = [swapsOf(stored), swapsOf(incoming)];
  if (before.length === 0 && now.length === 0) return;
  const isSureOfFrom = ({ id, fromAsset }: SwapEntry) =>
    (sides.get(id) ?? []).some((side) => side.kind === 'transfer' && side.asset === fromAsset && isNegative(decimal(side.change)));
  for (const swap of now) {
    const same = before.find((other) => other.source !== swap.source && isNear(other, swap) && isSame(other, swap, isSureOfFrom(other)));
    if (!same) continue;
    if (rank(same) <= rank(swap)) known.set(swap.id, same.id);
    else replaced.set(same.id, swap.id);
  }
  const fresh = now.filter(isFree);
  if (fresh.length > 0)
    for (const transfer of transfersOf(stored)) {
      const swap = fresh.find((each) => isNear(each, transfer) && isPartOf(each, transfer));
      if (swap) replaced.set(transfer.id, swap.id);
    }
  const given = before.filter((swap) => swap.source === 'user' && isFree(swap));
  const noteSides = (swaps: readonly SwapEntry[]) => {
    for (const swap of swaps) for (const { id } of sidesOf(swap, transfersOf(incoming), sides.get(swap.id) ?? [])) known.set(id, swap.id);
  };
  noteSides(given.filter(isCarriedOver));
  const others = before.filter((swap) => !isCarriedOver(swap));
  if (others.length > 0)
    for (const transfer of transfersOf(incoming)) {
      const swap = others.find((each) => isNear(each, transfer) && isPartOf(each, transfer));
      if (swap) known.set(transfer.id, swap.id);
    }
  // Of a new unit of a coin each wallet can have its row.
  noteSides(given.filter((swap) => !isCarriedOver(swap)));
}

/**
 * What gave way to swaps that give way themselves to swaps that come, and is no side of those: it counts again.
 * @param replaced names of swaps that give way
 */
export function freedSides(
  incoming: readonly LedgerEntry[],
  replaced: ReadonlyMap<string, string>,
  sides: GivenSides,
): readonly TransferEntry[] {
  return [...sides].flatMap(([id, given]) => {
    const swap = incoming.find((entry): entry is SwapEntry => entry.kind === 'swap' && entry.id === replaced.get(id));
    if (swap === undefined) return [];
    const gone = given.filter((entry): entry is TransferEntry => entry.kind === 'transfer');
    const told = new Set(sidesOf(swap, gone, []).map((side) => side.id));
    return gone.filter((side) => !told.has(side.id) && !isPartOf({ ...swap, source: 'user' }, side));
  });
}
