import { absolute, type Decimal, equals, isNegative, isPositive, negate, toText } from '../money/decimal.ts';
import type { ImportDraft } from './import-draft.ts';

/** A row by which the exchange took a coin away, or gave one, without a trade: one half of a swap, or an airdrop. */
export type SwapLeg = {
  readonly row: number;
  readonly at: number;
  readonly account: string;
  /** In lower case. */
  readonly operation: string;
  readonly asset: string;
  readonly change: Decimal;
};

/** New coins come so long before or after the old ones go, at most. */
const APART_MS = 48 * 3_600_000;

/**
 * Finds for each coin that was taken away what was given for it, and takes the rest for what it looks like: a gift is an
 * airdrop, and a coin that is gone for nothing an operation nobody knows. Where several gifts could be meant none is: the
 * cost of one coin must not become that of another.
 */
export function joinSwaps(legs: readonly SwapLeg[]): ImportDraft[] {
  const gifts = new Set(legs.filter(({ change }) => isPositive(change)));
  const bySecond = new Map<string, SwapLeg[]>();
  for (const gift of gifts) {
    const second = bySecond.get(secondOf(gift));
    if (second) second.push(gift);
    else bySecond.set(secondOf(gift), [gift]);
  }
  const drafts: ImportDraft[] = [];
  const taken = legs.filter(({ change }) => isNegative(change)).toSorted((one, other) => one.at - other.at || one.row - other.row);
  // Those of one second first: nothing else can be meant by them.
  const open = taken.filter(
    (leg) =>
      !swap(
        leg,
        (bySecond.get(secondOf(leg)) ?? []).filter((gift) => gifts.has(gift)),
      ),
  );
  for (const leg of open) {
    const near = giftsNear(leg, APART_MS);
    const isMeant =
      swap(leg, near) ||
      swap(
        leg,
        near.filter(({ change }) => equals(change, absolute(leg.change))),
      );
    if (!isMeant) drafts.push(transferOf(leg, 'unknown'));
  }
  for (const gift of gifts) drafts.push(transferOf(gift, 'airdrop'));
  return drafts;

  function giftsNear(leg: SwapLeg, apart: number): SwapLeg[] {
    return [...gifts].filter(({ at, account }) => account === leg.account && Math.abs(at - leg.at) <= apart);
  }

  /** Where exactly one gift can be meant; the two are one entry at the time of the first of them. */
  function swap({ row, at, asset, change }: SwapLeg, candidates: readonly SwapLeg[]): boolean {
    const [gift] = candidates;
    if (gift === undefined || candidates.length > 1) return false;
    gifts.delete(gift);
    drafts.push({
      kind: 'swap',
      row: Math.min(row, gift.row),
      at: Math.min(at, gift.at),
      from: { asset, quantity: toText(negate(change)) },
      to: { asset: gift.asset, quantity: toText(gift.change) },
    });
    return true;
  }
}

const secondOf = ({ at, account, operation }: SwapLeg): string => `${at} ${account} ${operation}`;

const transferOf = ({ row, at, asset, change }: SwapLeg, transfer: 'airdrop' | 'unknown'): ImportDraft => ({
  kind: 'transfer',
  row,
  at,
  asset,
  change: toText(change),
  transfer,
});
