import { COST_PLACES, compareProducts, safe, shareOf, ten, unitsOf } from './quick-scales.ts';

/**
 * The wallet of a quick run, as `wallet-book.ts` keeps it: free and reserved money in whole units of its own, what is
 * invested and what came of it at 28 places. The coins of a run share it.
 */
export function createQuickWallet(startBalance: string, reservePct: string, places: number) {
  const unit = ten(places);
  const inCost = 10n ** BigInt(COST_PLACES - places);
  const kept = shareOf(reservePct);
  const free = unitsOf(startBalance, places);
  const sums = {
    free,
    reserved: 0,
    /** Cost of everything held. */
    invested: 0n,
    /** The result of all sales, and what was paid in less what left the budget. */
    realised: 0n,
    paid: BigInt(free) * inCost,
  };
  const total = (): bigint => BigInt(sums.free + sums.reserved) * inCost + sums.invested;
  return {
    sums,
    places,
    reserve(amount: number): void {
      sums.free -= amount;
      sums.reserved += amount;
    },
    release(amount: number): void {
      sums.free += amount;
      sums.reserved -= amount;
    },
    /** Money becomes cost, `reserved` of it what was set aside. */
    buy(amount: number, reserved: number, cost: bigint): void {
      sums.reserved -= reserved;
      sums.free = safe(sums.free - (amount - reserved));
      sums.invested += cost;
    },
    sell(proceeds: number, cost: bigint, realised: bigint): void {
      sums.free = safe(sums.free + proceeds);
      sums.invested -= cost;
      sums.realised += realised;
    },
    /** Dust leaves the budget at its cost. */
    detach(cost: bigint): void {
      sums.invested -= cost;
      sums.paid -= cost;
    },
    /** Free, reserved and invested, at 28 places; and as a double. */
    total,
    totalFloat: (): number => (sums.free + sums.reserved) / unit + (sums.invested === 0n ? 0 : Number(sums.invested) / 1e28),
    /** What entries may take pays this: free money less the part of the wallet that is never used. */
    pays(amount: number): boolean {
      if (kept.units === 0) return sums.free >= amount;
      if (sums.invested === 0n && sums.reserved === 0)
        return compareProducts(Math.max(sums.free, 0), kept.hundred - kept.units, amount, kept.hundred) >= 0;
      const rest = BigInt(sums.free - amount) * inCost * BigInt(kept.hundred);
      return rest >= total() * BigInt(kept.units);
    },
    /** Free and reserved money as a double. */
    get cash(): number {
      return sums.free / unit + sums.reserved / unit;
    },
  };
}
export type QuickWallet = ReturnType<typeof createQuickWallet>;
