import { absolute, compare, decimal, multiply, negate, subtract } from '../money/decimal.ts';
import { ENTRY_SOURCES, type LedgerEntry, type SwapEntry, type TransferEntry } from '../positions/ledger-entry.ts';

/** Names with the name of who tells of the same. */
export type Names = Map<string, string>;

/** Which of two sources speaks when both tell of the same thing: the smaller number. */
export const rank = ({ source }: Pick<LedgerEntry, 'source'>): number => ENTRY_SOURCES.indexOf(source);

/** The new coins can come days after the old ones went, or before. */
const APART_MS = 3 * 86_400_000;
/** Amounts of one swap that two sources tell of differ by no more than crumbs. */
const CRUMBS = decimal('0.001');

const isNear = (one: LedgerEntry, other: LedgerEntry): boolean => Math.abs(one.at - other.at) <= APART_MS;
const isAlike = (one: string, other: string): boolean => {
  const [a, b] = [decimal(one), decimal(other)];
  return compare(absolute(subtract(a, b)), multiply(absolute(b), CRUMBS)) <= 0;
};

/**
 * Two tell of one swap: the same coins went and came at about the same time, in the same amounts. A coin has a new unit
 * once: there the amounts can differ, because a ledger does not know all of a coin or a statement has a row for each wallet.
 */
const isSame = (one: SwapEntry, other: SwapEntry): boolean =>
  one.fromAsset === other.fromAsset &&
  one.asset === other.asset &&
  (one.fromAsset === one.asset || (isAlike(one.fromQuantity, other.fromQuantity) && isAlike(one.quantity, other.quantity)));

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

/**
 * A swap that two sources tell of counts once, and so does one whose coins a list of the exchange shows as a reward or a
 * deposit: the swap stays, for it alone says what the new coins had cost.
 * @param known names of incoming entries that something stored tells of, with the name of that; added to
 * @param replaced names of stored entries that give way, with the name of what takes their place; added to
 */
export function matchSwaps(incoming: readonly LedgerEntry[], stored: readonly LedgerEntry[], known: Names, replaced: Names): void {
  const isFree = ({ id }: LedgerEntry) => !known.has(id) && !replaced.has(id);
  const swapsOf = (entries: readonly LedgerEntry[]) => entries.filter((entry): entry is SwapEntry => entry.kind === 'swap');
  const transfersOf = (entries: readonly LedgerEntry[]) =>
    entries.filter((entry): entry is TransferEntry => entry.kind === 'transfer' && isFree(entry));
  const [before, now] = [swapsOf(stored), swapsOf(incoming)];
  if (before.length === 0 && now.length === 0) return;
  for (const swap of now) {
    const same = before.find((other) => other.source !== swap.source && isNear(other, swap) && isSame(other, swap));
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
  if (before.length > 0)
    for (const transfer of transfersOf(incoming)) {
      const swap = before.find((each) => isNear(each, transfer) && isPartOf(each, transfer));
      if (swap) known.set(transfer.id, swap.id);
    }
}
